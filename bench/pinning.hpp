// What:    This process, or one thread of it for a while, on one processor.
// Differs: A race of one thread in a part that also uses several is pinned for as long as it lasts; the threads of an
//          executor that was made before keep all processors.
// Fails:   where it cannot be had the thread stays where it is.
#pragma once

#include <vector>

namespace sudar_bench {

// The processor that this thread, and those it starts, now run on alone, or -1 when it could not be had
int pin_to_one_processor();
// Processors that this thread may run on; 0 when that cannot be known
int processors_allowed();

class PinnedHere {
 public:
  explicit PinnedHere(bool wanted);
  ~PinnedHere();
  PinnedHere(const PinnedHere&) = delete;
  PinnedHere& operator=(const PinnedHere&) = delete;

 private:
  std::vector<int> before_;  // processors, when there is something to restore
};

}  // namespace sudar_bench
