#include "bench/child_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace sudar_bench {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

ProgramRun run_program(const ProgramCall& call) {
  ProgramRun run;
  std::vector<std::string> words = {"sudar"};
  words.insert(words.end(), call.arguments.begin(), call.arguments.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int terminal = -1, stderr_of_child = -1;
  if (openpty(&terminal, &stderr_of_child, nullptr, nullptr, nullptr) != 0) return run;
  const auto start = Clock::now();
  const pid_t child = fork();
  if (child == 0) {
    // Only what may be called between fork and exec
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    const int in = open("/dev/null", O_RDONLY), out = open(call.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(in, 0);
    dup2(out, 1);
    dup2(stderr_of_child, 2);
    close(terminal);
    execv("/proc/self/exe", arguments.data());
    _exit(127);
  }
  close(stderr_of_child);
  if (child < 0) {
    close(terminal);
    return run;
  }
  double last_word = 0, interrupted = 0;
  bool talks = false, killed = false;
  for (;;) {
    pollfd wait{terminal, POLLIN, 0};
    const int ready = poll(&wait, 1, 5);
    char bytes[4096];
    const ssize_t count = ready > 0 ? read(terminal, bytes, sizeof bytes) : 0;
    const double now = since(start);
    if (count > 0) {
      if (!talks) run.first_word = now;
      talks = true;
      run.longest_silence = std::max(run.longest_silence, now - last_word);
      last_word = now;
    }
    int status = 0;
    rusage used{};
    if (wait4(child, &status, WNOHANG, &used) == child) {
      run.seconds = since(start);
      run.longest_silence = std::max(run.longest_silence, run.seconds - last_word);
      if (!talks) run.first_word = run.seconds;
      if (interrupted > 0) run.stopped_after = run.seconds - interrupted;
      run.peak_megabytes = static_cast<double>(used.ru_maxrss) / 1024;
      if (!killed) run.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
      break;
    }
    // At the end of the terminal read() fails at once
    if (ready > 0 && count <= 0) usleep(1000);
    if (call.interrupt_after > 0 && interrupted == 0 && now >= call.interrupt_after) {
      interrupted = now;
      kill(child, SIGINT);
    }
    if (now > call.limit && !killed) {
      killed = true;
      kill(child, SIGKILL);
    }
  }
  close(terminal);
  return run;
}

ScratchFolder::ScratchFolder() {
  std::error_code error;
  // mkdtemp() wants six of these at the end
  std::string name = (std::filesystem::temp_directory_path(error) / "sudar-bench-").string() + std::string(6, 'X');
  // Where there is no such folder, the name alone would be one in the folder of whoever called
  if (error || mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for temporary files can be made");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace sudar_bench
