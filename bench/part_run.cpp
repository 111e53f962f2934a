#include "bench/part_run.hpp"

#include "bench/part_file.hpp"
#include "bench/statistics.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <new>
#include <ostream>
#include <system_error>
#include <thread>

namespace sudar_bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kGlance = std::chrono::milliseconds(20);  // between two looks at the process
constexpr double kCheckpoint = 2;                        // seconds between two writings of what there is so far
constexpr std::size_t kMostFailures = 20;                // contestants of one part, before it is given up
// Seconds for a part as a whole, whatever it does
constexpr double kQuickPart = 300, kFullPart = 1800;

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

void copy_text(char (&to)[RunMarker::kLength], const std::string& text) {
  const std::size_t length = std::min(text.size(), RunMarker::kLength - 1);
  std::memcpy(to, text.data(), length);
  to[length] = 0;
}

[[noreturn]] void run_in_child(std::string_view suite, const Part& part, const Options& options,
                               const std::map<std::string, std::string>& failed, RunMarker& marker,
                               const std::string& file, std::ostream& progress) {
#if defined(__linux__)
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (options.pin && part.cores == Cores::one) pin_to_one_processor();
  PartResult result;
  result.suite = suite, result.part = part.name, result.trouble = "it did not get to its end";
  Session session(options, progress);
  session.leave_out(failed);
  session.watch(&marker);
  auto written = Clock::now();
  session.on_progress([&] {
    if (std::chrono::duration<double>(Clock::now() - written).count() < kCheckpoint) return;
    result.results = session.results();
    (void)write_part(result, options, file);
    written = Clock::now();
  });
  try {
    part.run(session);
    result.trouble.clear();
  } catch (const std::exception& error) {
    result.trouble = std::string("an exception: ") + error.what();
  }
  result.results = session.results();
  const bool kept = write_part(result, options, file);
  progress.flush();
  _exit(kept ? 0 : 1);
}

struct Ending {
  std::string trouble;     // empty when it came to its end
  std::string contestant;  // that was running, or empty
  double megabytes = 0;
};

// Waits, and ends the process when its contestant or the part takes too long
Ending watch(pid_t child, const RunMarker& marker, const Options& options) {
  const auto begin = Clock::now();
  const double most = options.quick ? kQuickPart : kFullPart;
  Ending ending;
  const auto end_it = [&](const std::string& why) {
    ending.trouble = why;
    kill(child, SIGKILL);
  };
  for (;;) {
    int status = 0;
    rusage usage{};
    const pid_t done = wait4(child, &status, WNOHANG, &usage);
    if (done == child) {
      ending.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
      const bool running = marker.since_ns.load(std::memory_order_acquire) != 0;
      if (WIFSIGNALED(status) && ending.trouble.empty())
        ending.trouble = std::string("crashed: ") + strsignal(WTERMSIG(status));
      if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
        // A peer may end the process itself
        ending.trouble = "ended the process with code " + std::to_string(WEXITSTATUS(status));
      }
      if (running && !ending.trouble.empty()) ending.contestant = marker.who;
      return ending;
    }
    if (done < 0) {
      ending.trouble = "the process was lost";
      return ending;
    }
    if (ending.trouble.empty()) {
      const std::int64_t since = marker.since_ns.load(std::memory_order_acquire);
      const double running = since == 0 ? 0 : 1e-9 * static_cast<double>(now_ns() - since);
      if (running > options.patience)
        end_it("timed out after " + number_text(options.patience) + " s");
      else if (std::chrono::duration<double>(Clock::now() - begin).count() > most)
        end_it("the part timed out after " + std::to_string(static_cast<int>(most)) + " s, at: " + marker.said);
    }
    std::this_thread::sleep_for(kGlance);
  }
}

}  // namespace

void RunMarker::begin(const std::string& key) {
  copy_text(who, key);
  since_ns.store(now_ns(), std::memory_order_release);
}

void RunMarker::say(const std::string& text) { copy_text(said, text); }

int pin_to_one_processor() {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return -1;
  // The last one: interrupts mostly go to the first
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0; --cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0 ? cpu : -1;
  }
#endif
  return -1;
}

PartResult run_part_apart(std::string_view suite, const Part& part, const Options& options, const std::string& file,
                          std::ostream& progress) {
  PartResult nothing;
  nothing.suite = suite, nothing.part = part.name;
  void* memory = mmap(nullptr, sizeof(RunMarker), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    nothing.trouble = "no memory to watch it";
    return nothing;
  }
  auto* marker = new (memory) RunMarker;
  std::map<std::string, std::string> failed;
  const auto begin = Clock::now();
  PartResult result;
  for (;;) {
    std::error_code error;
    std::filesystem::remove(file, error);
    marker->end();
    copy_text(marker->said, "the beginning");
    progress.flush();
    const pid_t child = fork();
    if (child == 0) run_in_child(suite, part, options, failed, *marker, file, progress);
    Ending ending;
    if (child < 0)
      ending.trouble = "no process to be had";
    else
      ending = watch(child, *marker, options);
    // A contestant that failed is left out the next time; of one that failed already nothing is learnt
    if (!ending.contestant.empty() && failed.size() < kMostFailures &&
        failed.emplace(ending.contestant, ending.trouble).second) {
      progress << ending.contestant << ": " << ending.trouble << "; the part begins anew without it" << std::endl;
      continue;
    }
    result = read_part(file).value_or(nothing);
    if (!ending.trouble.empty())
      result.trouble = ending.trouble + (ending.contestant.empty() ? ", at: " + std::string(marker->said)
                                                                   : ", in: " + ending.contestant);
    result.megabytes = ending.megabytes;
    break;
  }
  munmap(memory, sizeof(RunMarker));
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (!write_part(result, options, file) && result.trouble.empty()) result.trouble = "its results could not be kept";
  return result;
}

}  // namespace sudar_bench
