// What:    The surface of a hull as a triangle mesh: faces with more than three corners become fans.
// Fails:   degenerate for hulls without a volume; index_out_of_range with the face for a hull that is not one.
#pragma once

#include <sudar/geom/hull3.hpp>
#include <sudar/geom/mesh.hpp>

namespace sudar {

// Vertices as in the hull, in the same order; closed, manifold, outward
SUDAR_API Result<Mesh> to_mesh(const Hull3& hull) noexcept;

}  // namespace sudar
