// What:    Convex hull of points in space as a half-edge structure: the body, its two algorithms, and its checks.
// Source:  quickhull3: Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996; seed A15.
//          incremental_hull3: Clarkson and Shor, "Applications of Random Sampling in Computational Geometry", 1989;
//          seed D8.
// Differs: Every decision is the sign of an exact orient3d, no epsilon anywhere: the result is the exact hull of the
//          doubles given. Its vertices are exactly the extreme points, and both algorithms give the same hull, down to
//          the triangulation of flat facets (same_hull tells).
// Frame:   The input's. Face loops are counterclockwise seen from outside; normals point out.
// Fails:   empty_input, non_finite (with the element), too_large (more than kMaxHullPoints), out_of_memory. Flat,
//          collinear and single-point inputs are answers, not errors: see Hull3::dimension.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/core/trace.hpp>
#include <sudar/geom/plane.hpp>
#include <sudar/math/vec.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

inline constexpr std::size_t kMaxHullPoints = std::size_t{1} << 27;

// Runs from `origin` to the origin of `next`, with `face` on its left
struct HalfEdge {
  std::uint32_t twin, next, origin, face;

  friend constexpr bool operator==(const HalfEdge&, const HalfEdge&) = default;
};

struct Hull3 {
  std::vector<Vec3d> vertices;           // the extreme points, each once, in the order of the input
  std::vector<std::uint32_t> source;     // input index of each vertex: one of its duplicates
  std::vector<HalfEdge> edges;           // the half-edges of a face lie together, in loop order
  std::vector<std::uint32_t> face_edge;  // the first half-edge of each face
  // Outward unit normal; the face's own vertices are behind or on the plane as computed by signed_distance. Any other
  // vertex is at most kHullPlaneSlack (math/tolerance.hpp) times the largest coordinate in front of it, unless the face
  // is thinner than 2^-56 of its length, so that no double can hold its normal. An offset beyond the range of double,
  // which takes coordinates above half of the largest, is infinite.
  std::vector<Plane<3, double>> planes;
  // 3: a body. 2: a convex polygon as two opposite faces. 1: a segment, two vertices and no face. 0: one vertex.
  int dimension = 0;

  std::uint32_t vertex_count() const { return static_cast<std::uint32_t>(vertices.size()); }
  std::uint32_t edge_count() const { return static_cast<std::uint32_t>(edges.size() / 2); }
  std::uint32_t face_count() const { return static_cast<std::uint32_t>(face_edge.size()); }
  // The half-edges of face f are face_edge[f] + 0 … face_degree(f) - 1
  std::uint32_t face_degree(std::uint32_t f) const {
    const std::size_t end = f + 1 < face_edge.size() ? face_edge[f + 1] : edges.size();
    return static_cast<std::uint32_t>(end - face_edge[f]);
  }
  std::uint32_t face_vertex(std::uint32_t f, std::uint32_t i) const { return edges[face_edge[f] + i].origin; }
  std::uint32_t destination(std::uint32_t e) const { return edges[edges[e].next].origin; }
};

struct HullOptions {
  // Join exactly coplanar triangles into one convex face. Otherwise flat facets are fans of triangles around their
  // lexicographically smallest vertex.
  bool merge_coplanar = false;
  // Order of insertion of the incremental algorithm
  std::uint64_t seed = 0;
};

// The fast one. Trace steps: "initial tetrahedron" (ids: four points), "chosen point" (ids: the point, value: how far
// out on the scale of its face), "visible faces" (ids: three points each), "horizon" (ids: the loop), "new faces" (ids:
// three points each), "flat hull" (ids: the answer of lower dimension).
template <class Trace = NoTrace>
Result<Hull3> quickhull3(std::span<const Vec3d> points, const HullOptions& options = {}, Trace trace = {});

// The plain one: points in random order, each unprocessed point knows one face it sees. Same trace steps.
template <class Trace = NoTrace>
Result<Hull3> incremental_hull3(std::span<const Vec3d> points, const HullOptions& options = {}, Trace trace = {});

extern template SUDAR_API Result<Hull3> quickhull3<NoTrace>(std::span<const Vec3d>, const HullOptions&, NoTrace);
extern template SUDAR_API Result<Hull3> quickhull3<TraceTo>(std::span<const Vec3d>, const HullOptions&, TraceTo);
extern template SUDAR_API Result<Hull3> incremental_hull3<NoTrace>(std::span<const Vec3d>, const HullOptions&, NoTrace);
extern template SUDAR_API Result<Hull3> incremental_hull3<TraceTo>(std::span<const Vec3d>, const HullOptions&, TraceTo);

// The vertices of a face, counterclockwise from outside. Throws bad_alloc like a vector, and so does same_hull.
SUDAR_API std::vector<std::uint32_t> face_vertices(const Hull3& hull, std::uint32_t face);

// Vertices - edges + faces: 2 for every hull of dimension 2 and 3
inline std::int64_t euler_characteristic(const Hull3& hull) {
  return std::int64_t{hull.vertex_count()} - hull.edge_count() + hull.face_count();
}

// Same vertices by coordinates and same faces, whatever their order and numbering
SUDAR_API bool same_hull(const Hull3& a, const Hull3& b);

// Prove that `hull` is the hull of `points`, all by exact tests: the half-edges form one closed orientable surface with
// Euler characteristic 2 and no directed edge twice; vertices are the points their `source` names; every edge is convex
// (strictly, between merged faces); and every input point is inside of or on every face. The last test covers all
// points × faces; whole boxes of points that are behind a plane with room to spare are settled at once, unless
// `prune` is off. On failure: not_manifold or not_convex with the element (edge, vertex or point) and the reason.
SUDAR_API Result<void> validate(const Hull3& hull, std::span<const Vec3d> points, bool prune = true);

}  // namespace sudar
