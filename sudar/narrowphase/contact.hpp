// What:    Where two shapes touch: the whole contact set with the features that made it, and its reduction to a
//          manifold of few points with ids that stay the same from step to step.
// Source:  seeds A6 and A7 (contact sets of polygons and polyhedra: point, segment, polygon).
// Frame:   A's, as in answer.hpp. The normal points from A to B; a point's separation is negative where B is inside of A.
#pragma once

#include <sudar/geom/feature.hpp>
#include <sudar/math/vec.hpp>
#include <sudar/narrowphase/answer.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace sudar {

// A Feature is an index into the vertices, edges or faces of the shape; smooth surfaces have one face, 0. Numbering:
// features2.hpp and features3.hpp.
enum class ContactKind : std::uint8_t { none, point, segment, polygon };

template <int D>
struct ContactPoint {
  Vec<D, double> position{};  // halfway between the two surfaces
  double separation = 0;
  Feature feature_a, feature_b;

  // The same pair of features has the same id in every step
  constexpr std::uint64_t id() const {
    const std::uint64_t kinds = std::uint64_t(feature_a.kind) << 62 | std::uint64_t(feature_b.kind) << 30;
    return (std::uint64_t{feature_a.index} << 32 | std::uint64_t{feature_b.index}) ^ kinds;
  }
};

// Everything within the margin: the region of touch as a point, a segment, or (3D) a convex polygon in order
template <int D>
struct ContactSet {
  ContactKind kind = ContactKind::none;
  Vec<D, double> normal{};
  double separation = 0;  // of the shapes, the least of the points'
  std::vector<ContactPoint<D>> points;
  QueryStatus status = QueryStatus::converged;
};
using ContactSet2 = ContactSet<2>;
using ContactSet3 = ContactSet<3>;

// At most two points in 2D, four in 3D: what a solver needs
template <int D>
struct Manifold {
  static constexpr int kMaxPoints = D == 2 ? 2 : 4;
  Vec<D, double> normal{};
  std::array<ContactPoint<D>, kMaxPoints> points{};
  int count = 0;
};
using Manifold2 = Manifold<2>;
using Manifold3 = Manifold<3>;

}  // namespace sudar
