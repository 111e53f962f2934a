#include "cli/stop_signal.hpp"

#include <atomic>
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

}  // namespace sudar_cli
