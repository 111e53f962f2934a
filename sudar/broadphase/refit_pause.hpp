// What:    When a tree that motion has spoilt is next worth refitting: the pause, of steps that build it anew, doubles.
// Differs: A refit that holds for a while and then fails is no sign of worse to come, and the pause is short again.
#pragma once

#include <algorithm>

namespace sudar {

class RefitPause {
 public:
  void reset() { *this = {}; }
  bool lasts() const { return left_ > 0; }
  void take_step() { --left_; }

  void tree_was_built() { refits_in_a_row_ = 0; }
  void refit_held() { ++refits_in_a_row_; }
  void refit_failed() {
    // Motion that spoils a new tree at once is likely to go on
    length_ = refits_in_a_row_ == 0 ? std::min(2 * length_, kLongest) : 1;
    left_ = length_ - 1;
  }

 private:
  static constexpr int kLongest = 64;  // steps without a try to refit

  int left_ = 0, length_ = 1, refits_in_a_row_ = 0;
};

}  // namespace sudar
