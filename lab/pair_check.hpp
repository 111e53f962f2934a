// What:    The badge of a living scene: are the pairs those that brute force finds?
// Differs: Small scenes are checked as a whole at every step. In large ones some boxes at random are compared with all
//          others, and some pairs at random are looked at, within a share of the time of all steps, so not at every one;
//          the badge says so. Over many steps everything comes under the eye.
// Fails:   never.
#pragma once

#include "lab/panel.hpp"
#include <sudar/broadphase/box_store.hpp>
#include <sudar/core/pair_set.hpp>
#include <sudar/core/random.hpp>

#include <cstdint>
#include <span>

namespace sudar::lab {

struct PairVerdict {
  std::uint64_t missing = 0, extra = 0;  // so far
  std::uint64_t boxes_checked = 0;       // so far, each against all others
  std::uint64_t pairs_checked = 0;
  bool whole = true;              // of the last step: every box
  std::uint64_t last_boxes = 0;   // of the last step
  std::uint64_t first_wrong = 0;  // the step at which the first was wrong
  double ms = 0;                  // of the last step

  bool good() const { return missing == 0 && extra == 0; }
};

template <int D>
class PairCheck {
 public:
  // So many boxes are checked as a whole
  static constexpr std::size_t kSmall = 1500;

  void forget() {
    verdict_ = {};
    budget_ms_ = 0;
  }
  // `pairs`: sorted, of the store as it is. `step_ms`: what the step took; the check takes about `share` of it.
  void look(const BoxStore<D>& store, std::span<const IdPair> pairs, std::uint64_t step, double step_ms,
            double share = 0.01);
  const PairVerdict& verdict() const { return verdict_; }
  Badge badge() const;

 private:
  std::uint64_t missing_of(const BoxStore<D>& store, std::span<const IdPair> pairs, std::uint32_t row, bool later_only,
                           std::uint64_t& found) const;

  PairVerdict verdict_;
  double budget_ms_ = 0;  // what may be spent: it grows with every step, and a look takes from it
  Random random_{1};
};

}  // namespace sudar::lab
