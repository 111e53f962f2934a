// What:    What a living scene was: a ring of snapshots and the inputs of every step, so that one can step back and scrub.
// Differs: A snapshot is not taken at every step but as often as costs a small share of the time; the steps in between are
//          taken again from the last snapshot with their inputs. The same inputs give the same bits, so what is shown is
//          what was. Going on from an earlier step forgets what came after it.
// Fails:   what the scene says; the history is as it was then.
#pragma once

#include "lab/live_scene.hpp"

#include <deque>

namespace sudar::lab {

template <int D>
class LiveHistory {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{192} << 20, kMostSteps = 3600;
  static constexpr double kShare = 0.02;  // of the time goes into snapshots, at most

  void clear();
  // Before a step: what it begins with. `step_ms`: what a step takes.
  Result<void> keep(const LiveScene<D>& scene, double dt, std::span<const LiveInput<D>> inputs, double step_ms);
  // Steps that can be gone back to, the one that the scene is at among them
  std::uint64_t first() const { return kept_.empty() ? 0 : kept_.front().step; }
  std::uint64_t last() const { return first_input_ + inputs_.size(); }
  std::size_t frames() const { return kept_.empty() ? 0 : static_cast<std::size_t>(last() - first()) + 1; }
  // Brings the scene to where it was at that step
  Result<void> go_to(LiveScene<D>& scene, std::uint64_t step) const;
  // Nothing is known any more of what came after
  void forget_after(std::uint64_t step);

  std::size_t bytes() const { return bytes_; }
  std::size_t snapshots() const { return kept_.size(); }
  double last_ms() const { return last_ms_; }  // of the last snapshot

 private:
  struct Kept {
    std::uint64_t step;
    std::unique_ptr<LiveSnapshot> snapshot;
    std::size_t bytes;
  };
  struct StepInputs {
    double dt;
    std::vector<LiveInput<D>> list;
  };

  std::deque<Kept> kept_;
  std::deque<StepInputs> inputs_;  // of the steps from first_input_ on
  std::uint64_t first_input_ = 0;
  std::size_t bytes_ = 0;
  double last_ms_ = 0, since_ms_ = 0;  // of a snapshot; of steps since the last one
};

}  // namespace sudar::lab
