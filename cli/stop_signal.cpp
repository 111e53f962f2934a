#include "cli/stop_signal.hpp"

#include <time.h>

#include <cerrno>
#include <cstdint>

namespace sudar_cli {

namespace {

constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};
constexpr std::int64_t kSameMoment = 500;  // milliseconds

// What a signal handler may touch: words
std::atomic<std::atomic<bool>*> stop_flag{nullptr};
std::atomic<std::int64_t> first_at{0};  // 0: none so far
static_assert(std::atomic<std::atomic<bool>*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free &&
              std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t milliseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000 + 1;
}

struct sigaction action_of(void (*handler)(int), int flags) noexcept {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) sigaddset(&action.sa_mask, signal);
  return action;
}

void set_unless_ignored(int signal, const struct sigaction& action) noexcept {
  struct sigaction now {};
  if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
}

void take_signal(int signal) {
  const int kept = errno;
  const std::int64_t now = milliseconds();
  std::int64_t first = 0;
  if (first_at.compare_exchange_strong(first, now)) {
    if (std::atomic<bool>* flag = stop_flag) *flag = true;
    // What is done to end in order is not disturbed by another one
    const struct sigaction quiet = action_of(take_signal, SA_RESTART);
    for (const int other : kSignals) set_unless_ignored(other, quiet);
  } else if (now - first >= kSameMoment) {
    const struct sigaction usual = action_of(SIG_DFL, 0);
    sigaction(signal, &usual, nullptr);
    raise(signal);
  }
  errno = kept;
}

}  // namespace

StopSignal::StopSignal(std::atomic<bool>& flag) noexcept : flag_(flag) {
  first_at = 0;
  stop_flag = &flag_;
  const struct sigaction wish = action_of(take_signal, 0);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    set_unless_ignored(kSignals[i], wish);
  }
}

StopSignal::~StopSignal() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  stop_flag = nullptr;
}

}  // namespace sudar_cli
