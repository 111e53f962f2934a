// What:    Mesh against mesh: all pairs of triangles that meet, with what they have in common; the first such pair; and the
//          decision on bodies, where one wholly inside of the other is a hit as well. One mesh against itself.
// Source:  seeds B3, B5, D4, D5.
// Differs: Every pair is decided exactly for the placement as it stands (placed_triangles.hpp): pairs that share a
//          corner, an edge or a plane are neither missed nor invented. A tree that moved is not rebuilt.
// Frame:   A's. Closed sets: touching is a hit.
// Fails:   never on geometry; out_of_memory where a list grows.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/narrowphase/contact.hpp>
#include <sudar/narrowphase/placement.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <optional>
#include <span>
#include <vector>

namespace sudar {

struct MeshPair {
  std::uint32_t a, b;  // triangles
  ContactKind kind = ContactKind::none;
  bool coplanar = false;
  std::uint32_t first = 0, count = 0;  // its points
};

// Kept between queries, it allocates only while it grows
struct MeshIntersection {
  std::vector<MeshPair> pairs;  // the same order for every instruction set
  std::vector<Vec3d> points;    // of pair p: points[p.first …), p.count of them; a polygon's in order
  std::size_t tested = 0;       // pairs of triangles whose boxes met

  void clear() { pairs.clear(), points.clear(), tested = 0; }
};

enum class MeshPairDetail : std::uint8_t { pairs_only, with_points };

// All pairs of triangles that meet
SUDAR_API Result<void> intersect(const TriangleMesh& a, const TriangleMesh& b, const Placement3& a_from_b,
                                 MeshIntersection& out, MeshPairDetail detail = MeshPairDetail::with_points) noexcept;
// The same, one pair after another and nothing kept, so that memory does not grow with what meets: visit(context, pair,
// points), where pair.first is 0, until it returns false. Returns the pairs of triangles tested.
using MeshPairVisit = bool (*)(void* context, const MeshPair& pair, std::span<const Vec3d> points);
SUDAR_API std::size_t visit_meeting_pairs(const TriangleMesh& a, const TriangleMesh& b, const Placement3& a_from_b,
                                          MeshPairVisit visit, void* context);
// One pair of triangles that meet, if there is any: do the surfaces meet?
SUDAR_API std::optional<MeshPair> first_hit(const TriangleMesh& a, const TriangleMesh& b,
                                            const Placement3& a_from_b) noexcept;
// The bodies, or the surfaces of those that are not solid, have a point in common. Where no triangles meet, each part of
// a surface is wholly inside of a solid or outside; that is decided at one of its vertices, rounded to the other's frame.
SUDAR_API bool intersects(const MeshShape3& a, const MeshShape3& b, const Placement3& a_from_b) noexcept;

// Pairs of triangles of one mesh that have more in common than the corners and the edge they share by index. Exact.
SUDAR_API Result<void> self_intersect(const TriangleMesh& mesh, MeshIntersection& out) noexcept;
SUDAR_API std::size_t visit_self_pairs(const TriangleMesh& mesh, MeshPairVisit visit, void* context);
// Two triangles of a mesh
SUDAR_API bool meet_beyond_shared(const Mesh& mesh, std::uint32_t s, std::uint32_t t) noexcept;

}  // namespace sudar
