#include <sudar/geom/projection.hpp>
#include <sudar/geom/segment_triangle.hpp>
#include <sudar/narrowphase/mesh_mesh.hpp>
#include <sudar/narrowphase/mesh_pairs.hpp>
#include <sudar/narrowphase/placed_triangles.hpp>

#include <bit>

namespace sudar {

namespace {

// Blocks of triangles that were loaded lately, by the number of their node
class BlockCache {
 public:
  template <class Load>
  const TriangleBlock& get(std::uint32_t node, Load&& load) {
    const std::uint32_t slot = node % kSlots;
    if (node_[slot] != node) load(node, block_[slot]), node_[slot] = node;
    return block_[slot];
  }

 private:
  static constexpr std::uint32_t kSlots = 8;
  std::uint32_t node_[kSlots] = {kNoIndex, kNoIndex, kNoIndex, kNoIndex, kNoIndex, kNoIndex, kNoIndex, kNoIndex};
  TriangleBlock block_[kSlots];
};

Triangle<3, double> column(const TriangleBlock& x, std::uint32_t j) {
  return {{x.corner[0][0][j], x.corner[0][1][j], x.corner[0][2][j]},
          {x.corner[1][0][j], x.corner[1][1][j], x.corner[1][2][j]},
          {x.corner[2][0][j], x.corner[2][1][j], x.corner[2][2][j]}};
}

// The boxes of the two meshes are apart, beyond rounding, along an axis of A
bool are_far_apart(const TriangleMesh& a, const TriangleMesh& b, const Placement3& a_from_b) {
  const Vec3d half = half_extents(b.bounds()), middle = transform(a_from_b, center(b.bounds())) + a_from_b.rest;
  const double slack = kPoseSlack<double> * (3 * (max_abs(b.bounds().lo) + max_abs(b.bounds().hi)) +
                                             max_abs(a_from_b.translation) + max_abs(a.bounds().hi));
  for (int k = 0; k < 3; ++k) {
    const double reach = (a_from_b.turned ? dot(abs(a_from_b.turn.row(k)), half) : half[k]) + slack;
    if (middle[k] - reach > a.bounds().hi[k] || middle[k] + reach < a.bounds().lo[k]) return true;
  }
  return false;
}

// visit(a, b) for pairs of triangles that do meet, until it returns false
template <class Visit>
void for_each_hit(const TriangleMesh& a, const TriangleMesh& b, const Placement3& a_from_b, std::size_t& tested,
                  Visit&& visit) {
  if (are_far_apart(a, b, a_from_b)) return;
  const TreePlacement placement = make_tree_placement(a.tree(), b.tree(), a_from_b);
  const bool as_is = is_identity(a_from_b);
  BlockCache blocks_a, blocks_b;
  const auto leaves = [&](std::uint32_t m, std::uint32_t n, std::uint8_t(&row)[8]) {
    const TriangleBlock& x =
        blocks_a.get(m, [&](std::uint32_t node, TriangleBlock& out) { load_block(a.mesh(), a.tree(), node, out); });
    const TriangleBlock& y = blocks_b.get(n, [&](std::uint32_t node, TriangleBlock& out) {
      if (as_is)
        load_block(b.mesh(), b.tree(), node, out);
      else
        load_block(b.mesh(), b.tree(), node, a_from_b, out);
    });
    tested += static_cast<std::size_t>(std::popcount(std::bit_cast<std::uint64_t>(row)));
    PlaneSides sides;
    scan_planes(x, y, row, sides);
    for (std::uint32_t i = 0; i < 8; ++i)
      for (std::uint32_t bits = row[i]; bits != 0; bits &= bits - 1) {
        const auto j = static_cast<std::uint32_t>(std::countr_zero(bits));
        const std::uint32_t s = a.tree().triangle(m, i), t = b.tree().triangle(n, j);
        const Triangle<3, double> p = column(x, i), q = column(y, j);
        const auto above = [&](const std::uint8_t(&side)[3][8]) {
          return (side[0][i] >> j & 1) | (side[1][i] >> j & 1) << 1 | (side[2][i] >> j & 1) << 2;
        };
        const bool clear = (sides.clear[i] >> j & 1) != 0;
        bool hit;
        if (as_is) {
          hit =
              clear
                  ? detail::crossings_overlap(detail::crossing_edges(p, q, above(sides.a_above), above(sides.b_above)))
                  : intersects_exact(p, q);
        } else {
          const PlacedTriangle placed{q, y.error};
          const int known = clear ? detail::filter_crossings(p, placed, above(sides.a_above), above(sides.b_above)) : 0;
          hit = known != 0 ? known > 0 : intersects_exact(p, b.triangle(t), placed, a_from_b);
        }
        if (hit && !visit(s, t)) return false;
      }
    return true;
  };
  for_each_leaf_pair(a.tree(), b.tree(), placement, leaves);
}

// One vertex of every part of the mesh inside of the solid, or any
bool is_inside(const TriangleMesh& solid, const TriangleMesh& body, const Placement3& solid_from_body) {
  for (const std::uint32_t v : body.part_vertices()) {
    const Vec3d p = transform(solid_from_body, body.mesh().vertices[v]) + solid_from_body.rest;
    if (solid.locate(p) != Containment::outside) return true;
  }
  return false;
}

}  // namespace

Result<void> intersect(const TriangleMesh& a, const TriangleMesh& b, const Placement3& a_from_b, MeshIntersection& out,
                       MeshPairDetail detail) noexcept {
  return guarded([&]() -> Result<void> {
    out.clear();
    for_each_hit(a, b, a_from_b, out.tested, [&](std::uint32_t s, std::uint32_t t) {
      MeshPair pair{s, t};
      if (detail == MeshPairDetail::with_points) {
        const TriangleIntersection x = intersection_exact(a.triangle(s), b.triangle(t), a_from_b);
        pair.kind = x.kind;
        pair.coplanar = x.coplanar;
        pair.first = static_cast<std::uint32_t>(out.points.size());
        pair.count = static_cast<std::uint32_t>(x.count);
        out.points.insert(out.points.end(), x.points.begin(), x.points.begin() + x.count);
      }
      out.pairs.push_back(pair);
      return true;
    });
    return {};
  });
}

std::size_t visit_meeting_pairs(const TriangleMesh& a, const TriangleMesh& b, const Placement3& a_from_b,
                                MeshPairVisit visit, void* context) {
  std::size_t tested = 0;
  for_each_hit(a, b, a_from_b, tested, [&](std::uint32_t s, std::uint32_t t) {
    const TriangleIntersection x = intersection_exact(a.triangle(s), b.triangle(t), a_from_b);
    const auto count = static_cast<std::uint32_t>(x.count);
    return visit(context, {s, t, x.kind, x.coplanar, 0, count}, {x.points.data(), count});
  });
  return tested;
}

std::optional<MeshPair> first_hit(const TriangleMesh& a, const TriangleMesh& b, const Placement3& a_from_b) noexcept {
  std::optional<MeshPair> found;
  std::size_t tested = 0;
  for_each_hit(a, b, a_from_b, tested, [&](std::uint32_t s, std::uint32_t t) {
    found = MeshPair{s, t};
    return false;
  });
  return found;
}

bool intersects(const MeshShape3& a, const MeshShape3& b, const Placement3& a_from_b) noexcept {
  if (first_hit(*a.mesh, *b.mesh, a_from_b)) return true;
  if (a.solid && is_inside(*a.mesh, *b.mesh, a_from_b)) return true;
  return b.solid && is_inside(*b.mesh, *a.mesh, inverse(a_from_b));
}

bool meet_beyond_shared(const Mesh& mesh, std::uint32_t s, std::uint32_t t) noexcept {
  const MeshTriangle &x = mesh.triangles[s], &y = mesh.triangles[t];
  // Corners that both name
  int shared = 0, in_x[3] = {}, in_y[3] = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (x[i] == y[j] && shared < 3) in_x[shared] = i, in_y[shared] = j, ++shared;
  const Triangle<3, double> a = mesh.corners(s), b = mesh.corners(t);
  if (shared == 0) return intersects_exact(a, b);
  if (shared == 1) {
    // Whatever else they have in common reaches, seen from the shared corner, to the opposite edge of one of them
    const int i = in_x[0], j = in_y[0];
    return intersects_exact(Segment<3, double>{a[(i + 1) % 3], a[(i + 2) % 3]}, b) ||
           intersects_exact(Segment<3, double>{b[(j + 1) % 3], b[(j + 2) % 3]}, a);
  }
  if (shared == 3) return true;
  // Along a shared edge, they have more in common only when one is folded onto the other
  const Vec3d &p = a[in_x[0]], &q = a[in_x[1]], &u = a[3 - in_x[0] - in_x[1]], &v = b[3 - in_y[0] - in_y[1]];
  if (orient3d(p, q, u, v) != 0) return false;
  const int axis = projection_axis(p, q, u);
  // A flat one lies in the line of the edge or beyond its ends; it has no area to share
  return axis >= 0 && orient_along(axis, p, q, u) * orient_along(axis, p, q, v) > 0;
}

std::size_t visit_self_pairs(const TriangleMesh& mesh, MeshPairVisit visit, void* context) {
  std::size_t tested = 0;
  for_each_self_pair(mesh.tree(), [&](std::uint32_t s, std::uint32_t t) {
    ++tested;
    if (s > t) std::swap(s, t);
    if (!meet_beyond_shared(mesh.mesh(), s, t)) return true;
    const TriangleIntersection x = intersection_exact(mesh.triangle(s), mesh.triangle(t));
    const auto count = static_cast<std::uint32_t>(x.count);
    return visit(context, {s, t, x.kind, x.coplanar, 0, count}, {x.points.data(), count});
  });
  return tested;
}

Result<void> self_intersect(const TriangleMesh& mesh, MeshIntersection& out) noexcept {
  return guarded([&]() -> Result<void> {
    out.clear();
    out.tested = visit_self_pairs(
        mesh,
        [](void* context, const MeshPair& pair, std::span<const Vec3d> points) {
          MeshIntersection& to = *static_cast<MeshIntersection*>(context);
          to.pairs.push_back(pair);
          to.pairs.back().first = static_cast<std::uint32_t>(to.points.size());
          to.points.insert(to.points.end(), points.begin(), points.end());
          return true;
        },
        &out);
    return {};
  });
}

}  // namespace sudar
