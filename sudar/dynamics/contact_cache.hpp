// What:    From the contacts of a scene to the input of the solver: which of them push, and what their points carried in
//          the step before.
// Source:  warm starting by feature ids: a point of the scene knows which point of the update before it was.
// Differs: Impulses are kept one for one with the scene's points, those of sleeping bodies too, so that a pile that wakes up
//          goes on where it was. Only points of pairs that do not rest pass through here.
// Frame:   The world's.
// Fails:   out_of_memory as bad_alloc, to be turned into an error by the caller's door.
#pragma once

#include <sudar/dynamics/body_role.hpp>

#include <span>
#include <vector>

namespace sudar {

template <int D>
class ContactCache {
 public:
  // What the points of the update before carried goes to the points that they are now. Two bodies that stay together hand
  // what their lost points carried to the nearest of the new points of a contact of the same direction, or of all when none
  // is new: of the many points of two faces on each other the manifold has four, now these and now those. Another body at
  // the same index, one that was put elsewhere, and another direction inherit nothing.
  void carry(std::span<const SceneContact<D>> contacts, std::span<const ScenePoint<D>> points,
             std::span<const RemovedPoint<D>> removed, std::vector<PointImpulse<D>>& impulses);
  // The contacts that push: of a dynamic body, without a sensor, and not between two bodies that a joint keeps from
  // touching. `roles` by body (body_role.hpp); `jointed` is sorted.
  void select(std::span<const SceneContact<D>> contacts, std::span<const std::uint8_t> roles,
              std::span<const IdPair> jointed);
  // One of them
  static bool pushes(const SceneContact<D>& contact, std::span<const std::uint8_t> roles,
                     std::span<const IdPair> jointed);
  // Positions in the scene's contacts, in their order
  std::span<const std::uint32_t> pushing() const noexcept { return pushing_; }
  // Of these, those of which one body is awake or kinematic
  void select_awake(std::span<const SceneContact<D>> contacts, std::span<const std::uint8_t> roles);
  std::span<const std::uint32_t> awake() const noexcept { return awake_; }

  // Of those, the ones that reach one of the solver's bodies. `slot` has each body's place there, kNoIndex for
  // those without one, which stand for the fixed body 0. First and count are those of the scene's points.
  void make_inputs(std::span<const SceneContact<D>> contacts, std::span<const ScenePoint<D>> points,
                   std::span<const WorldBody<D>> bodies, std::span<const std::uint32_t> slot);
  std::span<const ContactInput<D>> inputs() const noexcept { return inputs_; }
  std::span<const ContactPointInput<D>> points() const noexcept { return points_; }

 private:
  std::vector<PointImpulse<D>> carried_;
  std::vector<std::uint32_t> pushing_, awake_;
  std::vector<ContactInput<D>> inputs_;
  std::vector<ContactPointInput<D>> points_;
};

extern template class ContactCache<2>;
extern template class ContactCache<3>;

}  // namespace sudar
