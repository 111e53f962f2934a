#include "lab/live_history.hpp"

#include <algorithm>
#include <chrono>

namespace sudar::lab {

template <int D>
void LiveHistory<D>::clear() {
  kept_.clear();
  inputs_.clear();
  first_input_ = 0;
  bytes_ = 0;
  since_ms_ = last_ms_ = 0;
}

template <int D>
Result<void> LiveHistory<D>::keep(const LiveScene<D>& scene, double dt, std::span<const LiveInput<D>> inputs,
                                  double step_ms) {
  using Clock = std::chrono::steady_clock;
  if (!kept_.empty() && scene.steps() < last()) forget_after(scene.steps());
  if (kept_.empty()) {
    inputs_.clear();
    first_input_ = scene.steps();
  }
  since_ms_ += step_ms;
  if (kept_.empty() || last_ms_ <= kShare * since_ms_) {
    const auto start = Clock::now();
    auto saved = scene.save();
    if (!saved) return saved.error();
    const std::size_t size = (*saved)->bytes();
    kept_.push_back({scene.steps(), *std::move(saved), size});
    bytes_ += size;
    last_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    since_ms_ = 0;
  }
  inputs_.push_back({dt, {inputs.begin(), inputs.end()}});
  // The oldest ones go, but for the last
  while (kept_.size() > 1 && (bytes_ > kMostBytes || last() - kept_[1].step >= kMostSteps)) {
    bytes_ -= kept_.front().bytes;
    kept_.pop_front();
    while (first_input_ < kept_.front().step) {
      inputs_.pop_front();
      ++first_input_;
    }
  }
  return {};
}

template <int D>
void LiveHistory<D>::forget_after(std::uint64_t step) {
  while (!kept_.empty() && kept_.back().step > step) {
    bytes_ -= kept_.back().bytes;
    kept_.pop_back();
  }
  if (kept_.empty()) return clear();
  while (last() > step) inputs_.pop_back();
}

template <int D>
Result<void> LiveHistory<D>::go_to(LiveScene<D>& scene, std::uint64_t step) const {
  if (kept_.empty()) return {};
  step = std::clamp(step, first(), last());
  // The last snapshot that is not after it
  std::size_t at = kept_.size() - 1;
  while (at > 0 && kept_[at].step > step) --at;
  // The scene itself may be nearer
  if (!(scene.steps() <= step && scene.steps() > kept_[at].step))
    if (const auto restored = scene.restore(*kept_[at].snapshot); !restored) return restored;
  while (scene.steps() < step) {
    const StepInputs& inputs = inputs_[static_cast<std::size_t>(scene.steps() - first_input_)];
    if (const auto stepped = scene.step(inputs.dt, inputs.list); !stepped) return stepped;
  }
  return {};
}

template class LiveHistory<2>;
template class LiveHistory<3>;

}  // namespace sudar::lab
