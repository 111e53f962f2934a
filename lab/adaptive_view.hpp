// What:    The decisions of `adaptive` on a strip chart: what it predicted and measured for each candidate, which one was at
//          work, why it changed, and what it has lost against the best one so far (regret).
// Source:  left open by seed E15; sudar/broadphase/adaptive.hpp.
#pragma once

#include "lab/panel.hpp"
#include <sudar/broadphase/adaptive.hpp>

#include <cstdint>
#include <deque>
#include <string_view>

namespace sudar::lab {

template <int D>
class AdaptiveView {
 public:
  static constexpr std::size_t kShown = 600;

  void clear() { strip_.clear(); }
  // After a step
  void note(const Adaptive<D>& adaptive, std::uint64_t step);
  void tell(const Adaptive<D>& adaptive, Panel& panel) const;
  std::size_t noted() const { return strip_.size(); }

 private:
  struct Moment {
    std::uint64_t step;
    std::string_view in_use;
    std::vector<CandidateCost> costs;  // every few steps
    double regret_ms, trial_ms, watch_ms, total_ms;
  };
  std::deque<Moment> strip_;
};

}  // namespace sudar::lab
