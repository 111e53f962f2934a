// What:    Shape against shape in space: do they touch, how far, how deep, where. One table of methods by kind, every
//          cell filled.
// Frame:   With a placement, A's frame; with two poses, the world.
// Fails:   never on shapes from the makers; without memory bodies that are not convex throw bad_alloc. What has no answer (how
//          deep two half-spaces lie in each other) says `unsupported` in its status.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/contact.hpp>
#include <sudar/narrowphase/gjk3.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/shape3.hpp>

#include <string_view>

namespace sudar {

// Closed sets: touching is a hit. A solid that holds the other one is hit, a surface is not.
SUDAR_API bool intersects(const Shape3& a, const Shape3& b, const Placement3& a_from_b);
SUDAR_API DistanceAnswer3 distance(const Shape3& a, const Shape3& b, const Placement3& a_from_b);
// Everything where the surfaces come within the margin
SUDAR_API ContactSet3 contacts(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin = 0);

// What a query of two convex shapes leaves behind for the next one of the same two in the same order: poses that drift are
// answered sooner, with the same guarantees. A trace sink hears the steps of GJK, EPA and exact_gjk3; pairs with another
// method report one step, named as method_of says (numbers: normal; value: separation, or 1 for a hit). Both may be null.
using QueryCache3 = GjkCache3;
SUDAR_API bool intersects(const Shape3& a, const Shape3& b, const Placement3& a_from_b, QueryCache3* cache,
                          TraceSink* trace = nullptr);
SUDAR_API DistanceAnswer3 distance(const Shape3& a, const Shape3& b, const Placement3& a_from_b, QueryCache3* cache,
                                   TraceSink* trace = nullptr);

// With two poses, (A, B) and (B, A) are the same question and get the same answer
SUDAR_API bool intersects(const Shape3& a, const Pose3d& world_from_a, const Shape3& b, const Pose3d& world_from_b);
SUDAR_API DistanceAnswer3 distance(const Shape3& a, const Pose3d& world_from_a, const Shape3& b,
                                   const Pose3d& world_from_b);
SUDAR_API ContactSet3 contacts(const Shape3& a, const Pose3d& world_from_a, const Shape3& b, const Pose3d& world_from_b,
                               double margin = 0);

// The method that answers for a pair of kinds, as `sudar info` lists it: "box_box", "convex" …
SUDAR_API std::string_view method_of(ShapeKind3 a, ShapeKind3 b) noexcept;

}  // namespace sudar
