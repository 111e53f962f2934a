// What:    Rounds in which the processor was given to somebody else, and how many of them may be taken again.
// Differs: Being interrupted for less than a hundredth of a round does no harm, and is not counted in races of one thread; of
//          several threads it is only known that this one was interrupted. On a machine that is busy all the time every
//          round is disturbed: what is taken again is bounded in number and in time.
#pragma once

#include <cstddef>
#include <vector>

namespace sudar_bench {

// From when it is made on
class Solitude {
 public:
  explicit Solitude(bool one_thread);
  // Whether this thread has had its processor to itself since
  bool kept() const;

 private:
  bool one_thread_;
  long switches_;
  double wall_ms_, processor_ms_;
};

class Retakes {
 public:
  // At most so many for each contestant, so many milliseconds for all of them, and half of the time of the regular rounds
  Retakes(std::size_t contestants, int most, double most_ms) : most_(most), most_ms_(most_ms), counts_(contestants) {}

  void add_regular(double ms) { regular_ms_ += ms; }
  // One that will take about so long
  bool allowed(std::size_t who, double ms) const;
  void add(std::size_t who, double ms) { ++counts_[who], spent_ms_ += ms; }
  int count(std::size_t who) const { return counts_[who]; }

 private:
  int most_;
  double most_ms_, regular_ms_ = 0, spent_ms_ = 0;
  std::vector<int> counts_;
};

}  // namespace sudar_bench
