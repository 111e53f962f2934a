#include "lab/live_scene.hpp"

#include "lab/live_boxes.hpp"
#include "lab/live_world.hpp"
#include <sudar/core/hash.hpp>

#include <array>
#include <cmath>

namespace sudar::lab {

std::string_view to_string(LiveInputKind kind) {
  constexpr std::array<std::string_view, 6> kNames = {"pull", "carry", "let_go", "shoot", "resolution", "detection"};
  return kNames[static_cast<std::size_t>(kind)];
}

// Whole words at a time: a byte-wise hash would take as long as the comparison of the pairs
template <int D>
void LiveScene<D>::note_pairs(std::span<const IdPair> began, std::span<const IdPair> ended) {
  events_.began += began.size();
  events_.ended += ended.size();
  const auto mix = [&](std::uint64_t word) {
    events_.hash = (events_.hash ^ word) * 0x9e3779b97f4a7c15u;
    events_.hash ^= events_.hash >> 29;
  };
  mix(steps_);
  for (const IdPair& pair : began) mix(std::uint64_t{pair.lo} << 32 | pair.hi);
  mix(began.size());
  for (const IdPair& pair : ended) mix(std::uint64_t{pair.lo} << 32 | pair.hi);
}

template <int D>
Aabb<D, double> live_bounds(const BoxStore<D>& boxes) {
  constexpr double kEndless = 1e30;
  Aabb<D, double> bounds;
  for (int k = 0; k < D; ++k) {
    double lo = kEndless, hi = -kEndless;
    for (const float x : boxes.lo(k)) lo = x > -kEndless && x < lo ? x : lo;
    for (const float x : boxes.hi(k)) hi = x < kEndless && x > hi ? x : hi;
    bounds.lo[k] = lo <= hi ? lo : 0;
    bounds.hi[k] = lo <= hi ? hi : 1;
  }
  return bounds;
}

template <int D>
Result<std::unique_ptr<LiveScene<D>>> make_live(const scenes::Spec& spec, const LiveOptions& options) {
  return guarded([&]() -> Result<std::unique_ptr<LiveScene<D>>> {
    if (spec.scene().physics()) return make_live_world<D>(spec, options);
    return make_live_boxes<D>(spec, options);
  });
}

template class LiveScene<2>;
template class LiveScene<3>;
template Aabb<2, double> live_bounds(const BoxStore<2>&);
template Aabb<3, double> live_bounds(const BoxStore<3>&);
template Result<std::unique_ptr<LiveScene<2>>> make_live(const scenes::Spec&, const LiveOptions&);
template Result<std::unique_ptr<LiveScene<3>>> make_live(const scenes::Spec&, const LiveOptions&);

}  // namespace sudar::lab
