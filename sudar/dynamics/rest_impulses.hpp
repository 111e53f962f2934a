// What:    Impulses go with their points when pairs come to rest in the scene, and come back with them. A detail of World.
// Fails:   see RestListener.
#pragma once

#include <sudar/dynamics/contact_solver2.hpp>
#include <sudar/dynamics/contact_solver3.hpp>
#include <sudar/scene/scene_frame.hpp>

#include <cmath>
#include <span>
#include <vector>

namespace sudar {

// What points carried that is a number
template <int D>
bool finite_impulse(const PointImpulse<D>& p) {
  return std::isfinite(p.normal) && is_finite(p.friction) && std::isfinite(p.twist);
}

template <int D>
struct RestImpulses {
  std::vector<PointImpulse<D>> resting;  // by place among the scene's points that rest
  std::vector<PointImpulse<D>> next;     // of the points of an update, as they will be

  void prepare(std::span<const PointImpulse<D>> live, std::span<const PointMove> moves, std::size_t points,
               std::size_t rest_limit) {
    next.assign(points, {});
    if (resting.size() < rest_limit) resting.resize(rest_limit);
    for (const PointMove& move : moves)
      for (std::uint32_t k = 0; k < move.count; ++k) {
        PointImpulse<D> impulse{};
        if (move.from_rest)
          impulse = resting[move.from + k];
        else if (move.from + k < live.size())
          impulse = live[move.from + k];
        // What rests is not looked at again
        if (move.to_rest)
          resting[move.to + k] = finite_impulse<D>(impulse) ? impulse : PointImpulse<D>{};
        else
          next[move.to + k] = impulse;
      }
  }
};

}  // namespace sudar
