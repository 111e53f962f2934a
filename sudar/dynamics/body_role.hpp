// What:    What a body is in a step, in one byte, so that a step passes by those that sleep without reading them.
// Differs: Made anew at the beginning of every step of who is awake, moves by itself or was named at a door since the last
//          step; the others are as they were.
#pragma once

#include <sudar/dynamics/world_types.hpp>

#include <cstdint>

namespace sudar {

// Bits. Fixed bodies without anything else, and places where there is no body, have none.
inline constexpr std::uint8_t kRoleDynamic = 1, kRoleAwake = 2, kRoleKinematic = 4, kRoleSensor = 8;

template <int D>
std::uint8_t role_of(const WorldBody<D>& body) {
  if (!body.used) return 0;
  std::uint8_t role = body.sensor ? kRoleSensor : 0;
  if (body.kind == BodyKind::kinematic) role |= kRoleKinematic;
  if (body.kind == BodyKind::dynamic) role |= body.asleep ? kRoleDynamic : kRoleDynamic | kRoleAwake;
  return role;
}

// A kinematic body that was given no velocity
template <int D>
bool stands(const WorldBody<D>& body) {
  return body.velocity == Vec<D, double>{} && body.angular_velocity == Angular<D>{};
}

}  // namespace sudar
