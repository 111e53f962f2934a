#include "bench/part_run.hpp"

#include "bench/part_file.hpp"
#include "bench/pinning.hpp"
#include "bench/statistics.hpp"
#include <sudar/core/parallel.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <new>
#include <ostream>
#include <system_error>
#include <thread>
#include <vector>

namespace sudar_bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kGlance = std::chrono::milliseconds(20);  // between two looks at the process
constexpr double kCheckpoint = 2;                        // seconds between two writings of what there is so far
constexpr std::size_t kMostFailures = 20;                // contestants of one part, before it is given up
// Seconds for a part as a whole, whatever it does and however often it begins anew
constexpr double kQuickPart = 300, kFullPart = 1800;

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

void copy_text(char (&to)[RunMarker::kLength], const std::string& text) {
  const std::size_t length = std::min(text.size(), RunMarker::kLength - 1);
  std::memcpy(to, text.data(), length);
  to[length] = 0;
}

// Of the files that a part makes while it runs: gone when its process is, however it ended
std::string scratch_of(const std::string& file) { return file + ".scratch"; }

// What a process that was ended had begun to write beside it: nobody else writes there
void remove_unfinished(const std::string& file) {
  const std::filesystem::path path(file);
  const std::string begun = path.filename().string() + ".part";
  std::error_code error;
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(path.parent_path(), error))
    if (entry.path().filename().string().starts_with(begun)) found.push_back(entry.path());
  for (const auto& one : found) std::filesystem::remove(one, error);
}

[[noreturn]] void run_in_child(std::string_view suite, const Part& part, const Options& options,
                               const std::map<std::string, std::string>& failed, RunMarker& marker,
                               const std::string& file, std::ostream& progress) {
#if defined(__linux__)
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  setpgid(0, 0);
  // The wish to stop is heard by the one who watches; programs that this one starts hear it as usual
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  std::signal(SIGTTOU, SIG_IGN);
  setenv("TMPDIR", scratch_of(file).c_str(), 1);
  if (options.pin && part.cores == Cores::one) pin_to_one_processor();
  // Asked first in a race, it would count the processor of that race only
  if (part.cores == Cores::all) (void)sudar::default_executor().concurrency();
  PartResult result;
  result.suite = suite, result.part = part.name, result.trouble = "it did not get to its end";
  Session session(options, progress);
  session.leave_out(failed);
  session.watch(&marker);
  auto written = Clock::time_point{};
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
  } catch (...) {
    result.trouble = "something that is no exception was thrown";
  }
  result.results = session.results();
  const bool kept = write_part(result, options, file);
  progress.flush();
  _exit(kept ? 0 : 1);
}

struct Ending {
  std::string trouble;     // empty when it came to its end
  std::string contestant;  // whose fault it is, or empty
  double megabytes = 0;
};

// Waits, and ends the process when its contestant or the part takes too long, or the user wants an end
Ending watch(pid_t child, const RunMarker& marker, const Options& options, Clock::time_point deadline, double limit) {
  Ending ending;
  bool to_blame = true;
  const auto end_it = [&](const std::string& why) {
    ending.trouble = why;
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
  };
  for (;;) {
    // Looked at first and waited for later: as long as it is not, its number is nobody else's
    siginfo_t seen{};
    if (waitid(P_PID, static_cast<id_t>(child), &seen, WEXITED | WNOHANG | WNOWAIT) != 0) {
      ending.trouble = "the process was lost";
      return ending;
    }
    if (seen.si_pid == child) {
      // What it started and left
      kill(-child, SIGKILL);
      int status = 0;
      rusage usage{};
      (void)wait4(child, &status, 0, &usage);
      ending.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
      const bool running = marker.since_ns.load(std::memory_order_acquire) != 0;
      if (WIFSIGNALED(status) && ending.trouble.empty())
        ending.trouble = std::string("crashed: ") + strsignal(WTERMSIG(status));
      if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
        // A peer may end the process itself
        ending.trouble = "ended the process with code " + std::to_string(WEXITSTATUS(status));
      }
      if (running && to_blame && !ending.trouble.empty()) ending.contestant = marker.who;
      return ending;
    }
    if (ending.trouble.empty()) {
      const std::int64_t since = marker.since_ns.load(std::memory_order_acquire);
      const double running = since == 0 ? 0 : 1e-9 * static_cast<double>(now_ns() - since);
      if (options.stop_asked && options.stop_asked()) {
        to_blame = false;
        end_it("interrupted");
      } else if (Clock::now() > deadline) {
        to_blame = false;
        end_it("the part timed out after " + number_text(limit) + " s");
      } else if (running > options.patience) {
        end_it("timed out after " + number_text(options.patience) + " s");
      }
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
  const double limit = options.part_limit > 0 ? options.part_limit : options.quick ? kQuickPart : kFullPart;
  const auto deadline = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit));
  PartResult result;
  for (;;) {
    std::error_code error;
    std::filesystem::remove(file, error);
    std::filesystem::create_directories(scratch_of(file), error);
    marker->end();
    copy_text(marker->said, "the beginning");
    progress.flush();
    const pid_t child = fork();
    if (child == 0) run_in_child(suite, part, options, failed, *marker, file, progress);
    Ending ending;
    if (child < 0) {
      ending.trouble = "no process to be had";
    } else {
      setpgid(child, child);
      ending = watch(child, *marker, options, deadline, limit);
    }
    std::filesystem::remove_all(scratch_of(file), error);
    remove_unfinished(file);
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
