// What:    Hits of a step: pairs that came together in it and pushed each other, with the point that came fastest.
// Source:  the hit events of Box2D 3.
// Differs: What began is read off the impulses that points carried before and carry now, so nothing is kept from step to step:
//          who bounces within a step, and touches at neither of its ends, is told; who rests is not told again.
// Frame:   The world's.
#include <sudar/dynamics/world.hpp>
#include <sudar/dynamics/world_tolerance.hpp>

namespace sudar {

// Contacts of pairs none of whose points carried anything when the step began
template <int D>
void World<D>::find_fresh() {
  const std::span<const SceneContact<D>> contacts = scene_->live().contacts;
  const std::span<const std::uint32_t> pushing = cache_.awake();
  for (std::size_t i = 0; i < pushing.size();) {
    const SceneContact<D>& first = contacts[pushing[i]];
    std::size_t end = i;
    bool carried = slot_[first.a] == kNoIndex && slot_[first.b] == kNoIndex;
    for (; end < pushing.size(); ++end) {
      const SceneContact<D>& c = contacts[pushing[end]];
      if (c.a != first.a || c.b != first.b) break;
      for (std::uint32_t k = c.first; k < c.first + c.count; ++k) carried = carried || data_.impulses[k].normal > 0;
    }
    if (!carried)
      fresh_.insert(fresh_.end(), pushing.begin() + static_cast<std::ptrdiff_t>(i),
                    pushing.begin() + static_cast<std::ptrdiff_t>(end));
    i = end;
  }
}

// Which of these met: their points push now, or were brought to the surface. Those of one pair are one hit, at the point
// that came fastest.
template <int D>
void World<D>::tell_hits() {
  const std::span<const SceneContact<D>> contacts = scene_->live().contacts;
  const auto velocity_of = [&](std::uint32_t body, const V& point) {
    if (slot_[body] == kNoIndex) return V{};
    const RigidMotion<D>& before = before_[slot_[body] - 1];
    return velocity_at(before.linear, before.angular, point - start_[body].position);
  };
  const auto way_of = [&](std::uint32_t body, const V& point) {
    if (slot_[body] == kNoIndex) return V{};
    const SolverBody<D>& end = solver_bodies_[slot_[body]];
    const Pose<D, double> from{start_[body].position, start_[body].rotation}, to{end.position, end.rotation};
    return transform(to, transform(inverse(from), point)) - point;
  };
  for (std::size_t i = 0; i < fresh_.size();) {
    const std::uint32_t a = contacts[fresh_[i]].a, b = contacts[fresh_[i]].b;
    WorldEvent<D> hit{WorldEventKind::hit, scene_->id_of(a), scene_->id_of(b), 0};
    for (; i < fresh_.size() && contacts[fresh_[i]].a == a && contacts[fresh_[i]].b == b; ++i) {
      const SceneContact<D>& c = contacts[fresh_[i]];
      for (std::uint32_t k = c.first; k < c.first + c.count; ++k) {
        const ScenePoint<D>& p = scene_->live().points[k];
        const double speed = dot(velocity_of(a, p.position) - velocity_of(b, p.position), c.normal);
        if (!(speed > hit.speed)) continue;
        if (!(data_.impulses[k].normal > 0) &&
            !(p.separation + dot(way_of(b, p.position) - way_of(a, p.position), c.normal) <=
              kMetShare * options_.margin))
          continue;
        hit.speed = speed, hit.point = p.position, hit.normal = c.normal;
      }
    }
    if (hit.speed > 0) events_.push_back(hit);
  }
}

template SUDAR_API void World<2>::find_fresh();
template SUDAR_API void World<3>::find_fresh();
template SUDAR_API void World<2>::tell_hits();
template SUDAR_API void World<3>::tell_hits();

}  // namespace sudar
