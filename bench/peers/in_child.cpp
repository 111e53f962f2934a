#include "bench/peers/in_child.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <type_traits>

namespace sudar_bench {

namespace {

constexpr unsigned kSeconds = 10;  // for a question of microseconds

[[noreturn]] void answer_to(int pipe, AskCase ask, const PlacedShape& a, const PlacedShape& b) {
  // What it says before it dies is of no use here
  if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  alarm(kSeconds);
  const CaseAnswer answer = ask(a, b);
  _exit(write(pipe, &answer, sizeof answer) == static_cast<ssize_t>(sizeof answer) ? 0 : 1);
}

}  // namespace

CaseAnswer ask_in_child(AskCase ask, const PlacedShape& a, const PlacedShape& b) {
  static_assert(std::is_trivially_copyable_v<CaseAnswer>);
  CaseAnswer failed;
  failed.died = true;
  int ends[2];
  if (pipe(ends) != 0) return failed;
  const pid_t child = fork();
  if (child == 0) answer_to(ends[1], ask, a, b);
  close(ends[1]);
  CaseAnswer answer;
  const bool complete = child > 0 && read(ends[0], &answer, sizeof answer) == static_cast<ssize_t>(sizeof answer);
  close(ends[0]);
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  return complete ? answer : failed;
}

}  // namespace sudar_bench
