// What:    The Delaunay tetrahedralisation of points of space: no point lies strictly inside of a tetrahedron's sphere.
// Source:  Bowyer, "Computing Dirichlet tessellations", 1981; Watson, "Computing the n-dimensional Delaunay
//          tessellation…", 1981; ties: Devillers and Teillaud, "Perturbations for Delaunay and weighted Delaunay 3D
//          triangulations", 2011.
// Differs: The source perturbs in lexicographic order; here a tie always counts as outside, which is its perturbation
//          with the order of insertion. delaunay3.cpp says why no flat tetrahedron can come of that
//          (Delaunay3.GridsAndCosphericalPoints).
// Frame:   The caller's. Indices are those of the input; only the first of equal points is used.
// Fails:   empty_input, non_finite (with the element), too_large (more than 2^29 points or 2^29 tetrahedra, which needs
//          points whose triangulation is of quadratic size), out_of_memory.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/core/trace.hpp>
#include <sudar/math/vec.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

struct Delaunay3 {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // 3: `tetrahedra` and `neighbours` hold the answer.
  // 2: all points are coplanar; `triangles` and `triangle_neighbours` triangulate their plane.
  // 1: all points are collinear; `edges` joins each to the next along the line.
  // 0: all points are equal.
  int dimension = 0;
  std::vector<std::array<std::uint32_t, 4>> tetrahedra;  // orient3d of the corners is positive
  std::vector<std::array<std::uint32_t, 4>> neighbours;  // across the facet opposite to each corner; kNone on the hull
  std::vector<std::array<std::uint32_t, 3>> triangles;   // in dimension 2 only, all turning the same way
  std::vector<std::array<std::uint32_t, 3>> triangle_neighbours;  // across the edge opposite to each corner
  std::vector<std::array<std::uint32_t, 2>> edges;                // in dimension 1 only
  std::vector<std::uint32_t> first_of;                            // for each point, the first one at the same place
};

// Trace (dimension 3): "insert" ids {point}, then "remove" and "add" with ids {a, b, c, d} for every tetrahedron of the
// cavity; "duplicate" ids {point, first}
template <class Trace = NoTrace>
SUDAR_API Result<Delaunay3> delaunay3(std::span<const Vec3d> points, Trace trace = {});

extern template SUDAR_API Result<Delaunay3> delaunay3<NoTrace>(std::span<const Vec3d>, NoTrace);
extern template SUDAR_API Result<Delaunay3> delaunay3<TraceTo>(std::span<const Vec3d>, TraceTo);

}  // namespace sudar
