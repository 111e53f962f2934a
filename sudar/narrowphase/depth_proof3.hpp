// What:    Proves that no direction is a shorter way out than the one that was found: a bound from below for the depth of
//          curved sets, where an expanding polytope would need too many faces.
// Source:  Branch and bound over directions; the bound of a triangle of directions is the value of the matrix game of its
//          corners against their support points, which is the distance of EPA's face there.
// Differs: Nothing is kept but the way down, so that hundreds of thousands of directions need no memory. A triangle is cut
//          across the edge along which its points differ most, so that triangles are long where nothing changes. Four
//          devices take the flat valleys, in which all directions are equally good:
//          1. Ellipsoids are a ball and a rest (no radius of curvature is below c²/a), and only the rest is cut into triangles.
//          2. Bodies of revolution nearly in line have a ring of directions. The difference set is cut by half-planes through
//             one axis: about it the support function of the one body is constant, and that of the other changes by no
//             more than the other's tilt and offset, or by its known derivative and a remainder of second order in the tilt.
//             Ellipsoids that are nearly of revolution count as such, with bounds of their derivatives.
//             Exactly in line, one cut is a proof; otherwise there are few, for cuts are wide where the depth changes little.
//          3. A point on the axis of a body of revolution has a part of a ring of directions: axis_bound3.hpp proves whole
//             belts of them.
//          4. Beside these belts the game is played with whole rims and whole ellipsoids of revolution instead of points of
//             them: their support depends on the cosine to the axis alone, and a chord or tangent is below it. The first
//             triangles have edges across the axes, along the valleys, and long triangles lie in them.
//          Edges are cut in the middle or, for valleys with a sharp floor, where the points of both ends are equally far. No way
//          is best for all sets: each is tried with a few directions, then with four times as many.
//          A direction that is better than what was known takes its place on the way.
// Frame:   A's. Internal to epa3.
// Fails:   not proven after kMostDirections directions (kRoughDirections where a rough depth is enough): sets whose depths differ little over a wide field of directions, such as
//          concentric balls that only their support functions are known of.
#pragma once

#include <sudar/narrowphase/difference3.hpp>

namespace sudar {

inline constexpr int kMostDirections = 1 << 20, kRoughDirections = 1 << 11;

struct DepthProof3 {
  bool proven = false;  // no plane is nearer than depth - tolerance
  Vec3d normal{};       // with the nearest plane that was met
  double depth = 0;     // of it
  int asked = 0;        // directions
};

// Of the cores. `normal` is the best direction that is known and `depth` the distance of its plane.
SUDAR_API DepthProof3 prove_depth3(const Difference3& difference, const Vec3d& normal, double depth, double tolerance);

}  // namespace sudar
