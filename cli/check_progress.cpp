#include "cli/check_progress.hpp"

#include "cli/text.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace sudar_cli {

namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr auto kBetweenLines = std::chrono::milliseconds(200);

}  // namespace

CheckProgress::CheckProgress(ClashControl& control)
    : control_(control), signal_(std::in_place, control.stop), start_(SteadyClock::now()) {
  if (isatty(STDERR_FILENO) == 1) thread_ = std::thread([this] { draw_lines(); });
}

CheckProgress::~CheckProgress() { finish(); }

void CheckProgress::finish() {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
    std::fputs("\r\033[K", stderr);
  }
  signal_.reset();
}

void CheckProgress::phase(const std::string& name, const std::string& things) {
  {
    const std::lock_guard lock(mutex_);
    phase_ = name;
    things_ = things;
    start_ = SteadyClock::now();
    control_.done = 0;
  }
  wake_.notify_all();
}

void CheckProgress::say(const std::string& line) {
  const std::lock_guard lock(mutex_);
  std::fprintf(stderr, "%s%s\n", thread_.joinable() && !ended_ ? "\r\033[K" : "", printable(line).c_str());
}

std::string CheckProgress::line() const {
  const double seconds = std::chrono::duration<double>(SteadyClock::now() - start_).count();
  const std::uint64_t done = control_.done, total = control_.total;
  std::string text = phase_;
  if (control_.stop) return text + ": stopping";
  if (total == 0 || things_.empty()) return text + ", " + fixed(seconds, 1) + " s";
  text += ' ' + grouped(std::min(done, total)) + " of " + grouped(total) + ' ' + things_;
  if (done > 0 && done < total)
    text += ", " + fixed(seconds / static_cast<double>(done) * static_cast<double>(total - done), 1) + " s left";
  return text + ", " + fixed(seconds, 1) + " s";
}

void CheckProgress::draw_lines() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    if (!phase_.empty()) std::fprintf(stderr, "\r\033[K%s", line().c_str());
    wake_.wait_for(lock, kBetweenLines);
  }
}

}  // namespace sudar_cli
