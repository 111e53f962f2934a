// What:    The two loops of face_depth3 that look at much to find little: faces that a point lies less deep under than some
//          depth, and pairs of edges whose arcs may cross on the Gauss map. SIMD, and the scalar twins.
// Differs: Products and sums are rounded one by one in the same order, so every instruction set gives the same lists.
// Frame:   Any, the same for all.
// Fails:   never; find_crossings says so when there are more than fit.
#pragma once

#include <sudar/geom/plane.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sudar {

// heights[f] is how deep the point lies under plane f; the planes with heights below `depth` go to `low` in ascending order.
// Both have room for all. Returns how many are low.
SUDAR_API std::uint32_t find_low_planes(std::span<const Plane<3, double>> planes, const Vec3d& point, double depth,
                                        double* heights, std::uint32_t* low) noexcept;
SUDAR_API std::uint32_t find_low_planes_plain(std::span<const Plane<3, double>> planes, const Vec3d& point,
                                              double depth, double* heights, std::uint32_t* low) noexcept;

// Edges in columns, each with the normals of the two faces it lies between. Left uninitialised: setting up all would cost
// more than the few that are used.
struct ArcColumns {
  static constexpr std::uint32_t kMost = 96;

  alignas(64) double along[3][kMost];
  alignas(64) double normal[2][3][kMost];
  alignas(64) double tolerance[kMost];  // of the sign of a product with `along`
  std::uint32_t count;

  ArcColumns() : count(0) {}
  void set(std::uint32_t i, const Vec3d& edge, const Vec3d& n0, const Vec3d& n1, double sign_tolerance) {
    for (int axis = 0; axis < 3; ++axis) {
      along[axis][i] = edge[axis];
      normal[0][axis][i] = n0[axis];
      normal[1][axis][i] = n1[axis];
    }
    tolerance[i] = sign_tolerance;
  }
  Vec3d edge(std::uint32_t i) const { return {along[0][i], along[1][i], along[2][i]}; }
  Vec3d face(int which, std::uint32_t i) const {
    return {normal[which][0][i], normal[which][1][i], normal[which][2][i]};
  }
};

struct ArcPair {
  std::uint16_t a, b;
};
inline constexpr std::uint32_t kMostCrossings = 256;

// Pairs that do not surely miss each other, by a and then b: the arc of `a` between its normals and that of `b` between its
// normals turned about. Writes up to kMostCrossings; returns how many there are, kMostCrossings + 1 for more.
SUDAR_API std::uint32_t find_crossings(const ArcColumns& a, const ArcColumns& b, ArcPair* out) noexcept;
SUDAR_API std::uint32_t find_crossings_plain(const ArcColumns& a, const ArcColumns& b, ArcPair* out) noexcept;

}  // namespace sudar
