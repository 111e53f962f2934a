// What:    Shape against shape in space: do they touch, how far, how deep, where. One table of methods by kind, every
//          cell filled.
// Frame:   With a placement, A's frame; with two poses, the world.
// Fails:   never on shapes from the makers. What has no answer (how deep two half-spaces lie in each other) says
//          `unsupported` in its status.
#pragma once

#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/contact.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/shape3.hpp>

#include <string_view>

namespace sudar {

// Closed sets: touching is a hit. A solid that holds the other one is hit, a surface is not.
SUDAR_API bool intersects(const Shape3& a, const Shape3& b, const Placement3& a_from_b);
SUDAR_API DistanceAnswer3 distance(const Shape3& a, const Shape3& b, const Placement3& a_from_b);
// Everything where the surfaces come within the margin
SUDAR_API ContactSet3 contacts(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin = 0);

SUDAR_API bool intersects(const Shape3& a, const Pose3d& world_from_a, const Shape3& b, const Pose3d& world_from_b);
SUDAR_API DistanceAnswer3 distance(const Shape3& a, const Pose3d& world_from_a, const Shape3& b,
                                   const Pose3d& world_from_b);
SUDAR_API ContactSet3 contacts(const Shape3& a, const Pose3d& world_from_a, const Shape3& b, const Pose3d& world_from_b,
                               double margin = 0);

// The method that answers for a pair of kinds, as `sudar info` lists it: "box_box", "convex" …
SUDAR_API std::string_view method_of(ShapeKind3 a, ShapeKind3 b) noexcept;

}  // namespace sudar
