// What:    The plain twin of primitive_impact.hpp: search the box of all (t, u, v) for places where the difference of the
//          two primitives may be zero, halving what an interval cannot rule out.
// Source:  Snyder, "Interval analysis for computer graphics", 1992; Wang et al., "A large-scale benchmark and an
//          inclusion-based algorithm for continuous collision detection", 2021.
// Differs: The source bounds the rounding of a box by a factor worked out from the largest coordinates. Here the corners
//          are intervals that round outward, so there is no factor to get wrong.
// Fails:   `settled` is false when max_boxes were looked at; the hit is then only a lower bound of the time. A settled hit
//          means a difference of at most `tolerance` along each axis; a miss is always certain.
#pragma once

#include <sudar/core/config.hpp>
#include <sudar/math/vec.hpp>

#include <array>
#include <cstddef>

namespace sudar {

struct InclusionOptions {
  double min_separation = 0;  // along an axis
  double tolerance = 0x1p-20;
  std::size_t max_boxes = 1000000;
};
struct InclusionImpact {
  bool hit = false;
  bool settled = true;
  double t_lower = 0;
  std::size_t boxes = 0;
};

// As in primitive_impact.hpp; finite coordinates. May throw bad_alloc.
SUDAR_API InclusionImpact inclusion_vertex_face(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end,
                                                const InclusionOptions& options = {});
SUDAR_API InclusionImpact inclusion_edge_edge(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end,
                                              const InclusionOptions& options = {});

}  // namespace sudar
