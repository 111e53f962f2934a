// What:    The first time at which a vertex and a face, or two edges, come within a given distance, met up to a stated
//          tolerance. Internal: primitive_impact.hpp is the door.
// Source:  Conservative advancement from witness directions (Mirtich, "Impulse-based dynamic simulation of rigid body
//          systems", 1996), with a direction that turns.
// Differs: A fixed direction loses what the primitives tilt, which is of first order in the step, so sliding along each
//          other takes a million steps for a tolerance of one part in a million. Here the direction goes linearly from
//          the witness at the start of a step to that at its end: along it each gap between two vertices is of degree 2
//          and bounded by its Bernstein coefficients, and the direction is no longer than one; what is lost is of second
//          order, and a thousand steps do.
// Frame:   Differences of the vertices, scaled by a power of two to size 1.
// Fails:   never. No time at which the distance is at most min_separation is passed over; a hit means that the distance
//          at t_lower, or within 2^-kDepth after it, is at most min_separation + tolerance · size.
#pragma once

#include <sudar/continuous/primitive_impact.hpp>

namespace sudar {

PrimitiveImpact vertex_face_separation(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end,
                                       const ImpactOptions& options) noexcept;
PrimitiveImpact edge_edge_separation(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end,
                                     const ImpactOptions& options) noexcept;

}  // namespace sudar
