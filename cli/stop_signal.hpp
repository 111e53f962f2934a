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
};

}  // namespace sudar_cli
