// What:    The few points of many that a solver needs: the two ends in the plane, four that span the polygon in space, and
//          always the deepest.
// Source:  as manifold.hpp.
// Differs: The points are chosen by where they lie and what they are called, not by their depth, which changes with every
//          step: first the one farthest from the middle, then the one farthest from that, then one to either side. What is
//          equally far within kManifoldChoice goes by its name, and names are weighed so that (A, B) and (B, A) choose
//          the same. The deepest then takes the place of the chosen one next to it, so three of four points stay
//          (ManifoldChoice.ThreeOfFourStayWhileTheDeepestWanders).
// Frame:   That of the points.
#pragma once

#include <sudar/narrowphase/contact.hpp>

#include <span>

namespace sudar {

// A point in the plane of contact, and the weight of its name
struct FlatPoint {
  double x, y, separation;
  std::uint64_t weight;
};
SUDAR_API std::uint64_t name_weight(const Feature& feature_a, const Feature& feature_b);
// Which of at least one point: how many, and their numbers in ascending order
SUDAR_API std::size_t choose_flat(std::span<const FlatPoint> points, std::size_t (&chosen)[Manifold3::kMaxPoints]);

// At least one point; the order of the points is kept
SUDAR_API Manifold2 choose_points(std::span<const ContactPoint<2>> points, const Vec2d& normal);
SUDAR_API Manifold3 choose_points(std::span<const ContactPoint<3>> points, const Vec3d& normal);

}  // namespace sudar
