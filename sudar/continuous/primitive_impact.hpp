// What:    The first time at which a vertex meets a face, two edges meet, or a point meets an edge of the plane, when
//          every vertex moves along a straight line from t = 0 to t = 1. Touching counts.
// Source:  Wang et al., "A large-scale benchmark and an inclusion-based algorithm for continuous collision detection",
//          2021, for the problem and its pitfalls.
// Differs: The answer is exact: a filter of doubles (impact_filter.hpp) decides nearly all queries and integers
//          (exact_impact.hpp) the rest. There is no tolerance, no number of iterations and no dependence on the size of
//          the coordinates: a hit is never missed and never invented. The source, and our plain twin of it
//          (inclusion_impact.hpp), give up at a tolerance and call that a hit. Only a minimum separation above zero is
//          met up to a tolerance (separation_impact.hpp).
// Frame:   Any; all vertices in one.
// Fails:   NaN or infinity in a vertex: non_finite with its index, those at t = 1 after those at t = 0. A separation that
//          is negative, or a tolerance below kLeastImpactTolerance: invalid_argument.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/vec.hpp>

#include <array>

namespace sudar {

struct ImpactOptions {
  double min_separation = 0;  // metres: what counts as a hit is a distance of at most this
  // With a min_separation above zero only: no hit is reported when the distance stays above min_separation plus this
  // times the size, the largest coordinate difference between two of the vertices at t = 0 or at t = 1
  double tolerance = 0x1p-20;
};
inline constexpr double kLeastImpactTolerance = 0x1p-36;

struct PrimitiveImpact {
  bool hit = false;
  double t = 0;        // the first time of contact, to a few roundings where it is well conditioned
  double t_lower = 0;  // never after it; without a hit, both are 0
};

// Vertex and the three corners of the face
SUDAR_API Result<PrimitiveImpact> vertex_face_impact(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end,
                                                     const ImpactOptions& options = {}) noexcept;
// The ends of one edge and those of the other
SUDAR_API Result<PrimitiveImpact> edge_edge_impact(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end,
                                                   const ImpactOptions& options = {}) noexcept;
// Point and the ends of the edge
SUDAR_API Result<PrimitiveImpact> point_edge_impact(const std::array<Vec2d, 3>& start, const std::array<Vec2d, 3>& end,
                                                    const ImpactOptions& options = {}) noexcept;

}  // namespace sudar
