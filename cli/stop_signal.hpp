// What:    Ctrl-C and SIGTERM as a wish to stop, while one of these is there; one at a time.
// Differs: The first one is a wish: the command ends at the next good place and says how far it came. One that comes later, of
//          either kind, ends the process as usual; not one of the same moment, because `timeout` sends every wish twice. What
//          the first one finds waiting (for a pipe to be opened, read or written) fails with EINTR. A signal that was ignored
//          when the command began stays ignored.
#pragma once

#include <signal.h>

#include <array>
#include <atomic>

namespace sudar_cli {

class StopSignal {
 public:
  StopSignal() noexcept : StopSignal(own_) {}
  // Sets this flag
  explicit StopSignal(std::atomic<bool>& flag) noexcept;
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  bool asked() const noexcept { return flag_; }
  const std::atomic<bool>& flag() const noexcept { return flag_; }

 private:
  std::atomic<bool> own_{false};
  std::atomic<bool>& flag_;
  std::array<struct sigaction, 2> before_{};
};

}  // namespace sudar_cli
