#include "cli/stop_signal.hpp"

#include <poll.h>

#include <atomic>
#include <cerrno>
#include <csignal>

namespace sudar_cli {

namespace {

// What a signal handler may touch: one word
std::atomic<bool> stop_was_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void note_the_signal(int signal) {
  stop_was_asked = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

StopSignal::StopSignal() noexcept {
  stop_was_asked = false;
  std::signal(SIGINT, note_the_signal);
  std::signal(SIGTERM, note_the_signal);
}

StopSignal::~StopSignal() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool StopSignal::asked() const noexcept { return stop_was_asked; }

bool StopSignal::wait_to_read(int file) const noexcept {
  // The signals come in only while ppoll() waits, so that none can slip in between the look and the wait
  sigset_t both, before;
  sigemptyset(&both);
  sigaddset(&both, SIGINT);
  sigaddset(&both, SIGTERM);
  if (pthread_sigmask(SIG_BLOCK, &both, &before) != 0) return !asked();
  int ready = -1;
  while (!asked() && ready < 0) {
    pollfd wait{file, POLLIN, 0};
    ready = ppoll(&wait, 1, nullptr, &before);
    if (ready < 0 && errno != EINTR) break;  // the reader finds out
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return !asked();
}

}  // namespace sudar_cli
