// What:    Ctrl-C and SIGTERM as a wish to stop, while one of these is there.
// Differs: The first one is a wish: the command ends at the next good place and says how far it came. The second one ends
//          it as usual.
#pragma once

namespace sudar_cli {

class StopSignal {
 public:
  StopSignal() noexcept;
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  bool asked() const noexcept;
  // Waits until there is something to read from a file, its end among it, or a stop is asked for; false for the latter. A
  // signal that comes just before the wait ends it as well.
  bool wait_to_read(int file) const noexcept;
};

}  // namespace sudar_cli
