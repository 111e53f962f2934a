// What:    Whether a closed mesh is the hull of its vertices, exactly, and how far at most that hull is beyond it.
// Source:  A surface that is convex along every edge, and a star about a point that it goes round once, is convex (Tietze and
//          Nakajima, 1928).
// Differs: Edges alone are not enough: two cubes with a corner in common, and a prism over a star of five points, are convex
//          along each. Faces that rounding has folded by a last digit are common, and their bodies are not convex, but nearly:
//          what the planes of all faces have in common lies within a star, and holds the hull when that is made a little smaller
//          about the star's centre. So the depth of the hull is known to be hardly more than that of the body.
// Cost:    Linear; the excess of a hull a climb on it for every triangle, and a few triangles where it is infinite.
// Frame:   That of the mesh.
// Fails:   never. Throws bad_alloc.
#pragma once

#include <sudar/geom/mesh.hpp>

#include <cstdint>
#include <vector>

namespace sudar {

class ConvexBody3;

// Of a closed mesh. Flat bodies and meshes with triangles without area are not; `twin` is that of mesh_adjacency.hpp.
bool bounds_its_hull(const Mesh& mesh, const std::vector<std::uint32_t>& twin);

// Of a closed mesh and the hull of its vertices: out of everything, along any direction, the hull is at most this much deeper
// than the solid. Infinity where that is not nearly convex, or too thin to tell.
double excess_of_hull(const Mesh& mesh, const ConvexBody3& hull);

}  // namespace sudar
