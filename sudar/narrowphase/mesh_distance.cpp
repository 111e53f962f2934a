#include <sudar/geom/closest.hpp>
#include <sudar/narrowphase/mesh_depth.hpp>
#include <sudar/narrowphase/mesh_distance.hpp>
#include <sudar/narrowphase/mesh_pairs.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/placed_triangles.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

// Square of the sine between two edges above which the plain formula for two lines is as good as that of
// geom/closest.hpp: its rounding grows with the inverse of this number
constexpr double kSteepEdges = 0x1p-4;

struct Candidate {
  float bound;
  std::uint8_t i, j;
};

}  // namespace

TriangleDistance closest_points(const Triangle<3, double>& a, const Triangle<3, double>& b) noexcept {
  TriangleDistance best{std::numeric_limits<double>::infinity(), {}, {}};
  const auto take = [&](const Vec3d& p, const Vec3d& q) {
    const double d = length_squared(q - p);
    if (d < best.squared) best = {d, p, q};
  };
  // No points are nearer when the triangles lie beyond the planes across the way between the nearest so far
  const auto proven = [&] {
    const Vec3d &p = best.point_a, &q = best.point_b, v = q - p;
    const double behind = std::max({dot(v, a.a - p), dot(v, a.b - p), dot(v, a.c - p)});
    const double ahead = std::min({dot(v, b.a - q), dot(v, b.b - q), dot(v, b.c - q)});
    return ahead - behind >= -8 * kRoundoff * best.squared;
  };
  for (int i = 0; i < 3; ++i) {
    take(closest_point(a, b[i]).point, b[i]);
    take(a[i], closest_point(b, a[i]).point);
    if (proven()) return best;
  }
  // Edges that pass each other between their ends; what is nearest at an end was found by the corners
  for (int i = 0; i < 3; ++i) {
    const Vec3d d = a[(i + 1) % 3] - a[i];
    const double dd = dot(d, d);
    for (int j = 0; j < 3; ++j) {
      const Vec3d e = b[(j + 1) % 3] - b[j], r = a[i] - b[j];
      const double ee = dot(e, e), de = dot(d, e), det = dd * ee - de * de;
      if (det > kSteepEdges * dd * ee) {
        const double dr = dot(d, r), er = dot(e, r), s = (de * er - dr * ee) / det;
        if (!(s > 0 && s < 1)) continue;
        // From there across, so that the two parameters do not round apart
        const double t = (s * de + er) / ee;
        if (t > 0 && t < 1) take(a[i] + d * s, b[j] + e * t);
      } else {
        const auto x = closest_points(Segment<3, double>{a[i], a[(i + 1) % 3]}, {b[j], b[(j + 1) % 3]});
        take(x.point_a, x.point_b);
      }
    }
  }
  return best;
}

MeshDistance surface_distance(const TriangleMesh& a, const TriangleMesh& b, const Placement3& a_from_b) noexcept {
  const TreePlacement placement = make_tree_placement(a.tree(), b.tree(), a_from_b);
  MeshDistance out;
  // Corners, feet and the points between them are each a few roundings of the largest coordinate off
  const double size = max_abs(a.bounds().lo) + max_abs(a.bounds().hi) + max_abs(a_from_b.translation) +
                      2 * (max_abs(b.bounds().lo) + max_abs(b.bounds().hi));
  const double slack = kMeshDistanceSlack * size;
  // Squares, in metres and in the unit of the bounds
  double best = std::numeric_limits<double>::infinity(), best_scaled = best;
  const double unit = static_cast<double>(placement.unit);
  Vec3d direction{};
  struct Entry {
    float bound;
    detail::TreePairEntry pair;
  };
  Entry stack[detail::kTreePairStack];
  int top = 0;
  stack[top++] = {
      0, {0, 0, static_cast<std::int8_t>(a.tree().levels() - 1), static_cast<std::int8_t>(b.tree().levels() - 1)}};
  while (top > 0) {
    const Entry entry = stack[--top];
    if (!(entry.bound < best_scaled)) continue;
    const detail::TreePairEntry& e = entry.pair;
    float squared[8][8];
    scan_distances(a.tree().node(e.level_a, e.a), b.tree().node(e.level_b, e.b), placement, squared);
    // A tree that is down already stays together: the nearest of its boxes counts
    const int children_a = a.tree().child_count(e.level_a, e.a), children_b = b.tree().child_count(e.level_b, e.b);
    const bool a_whole = e.level_a == 0 && e.level_b > 0, b_whole = e.level_b == 0 && e.level_a > 0;
    if (a_whole)
      for (int i = 1; i < children_a; ++i)
        for (int j = 0; j < children_b; ++j) squared[0][j] = std::min(squared[0][j], squared[i][j]);
    if (b_whole)
      for (int i = 0; i < children_a; ++i)
        for (int j = 1; j < children_b; ++j) squared[i][0] = std::min(squared[i][0], squared[i][j]);
    const int rows = a_whole ? 1 : children_a, columns = b_whole ? 1 : children_b;
    Candidate near[64];
    int count = 0;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        if (squared[i][j] < best_scaled)
          near[count++] = {squared[i][j], static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)};
    // Ties by number: of several pairs that are equally near, the same one on every platform
    std::sort(near, near + count, [](const Candidate& x, const Candidate& y) {
      return x.bound != y.bound ? x.bound > y.bound : x.i != y.i ? x.i > y.i : x.j > y.j;
    });
    if (e.level_a == 0 && e.level_b == 0) {
      PlacedTriangle placed[8];
      std::uint32_t have = 0;
      for (int n = count - 1; n >= 0 && near[n].bound < best_scaled; --n) {
        const std::uint32_t s = a.tree().triangle(e.a, near[n].i), t = b.tree().triangle(e.b, near[n].j);
        if ((have >> near[n].j & 1) == 0) placed[near[n].j] = place(b.triangle(t), a_from_b), have |= 1u << near[n].j;
        const Triangle<3, double> x = a.triangle(s);
        const Triangle<3, double>& y = placed[near[n].j].corners;
        // Boxes of slanted triangles are thick; along the best direction so far they are often seen to be too far apart
        const double gap = std::min({dot(direction, y.a), dot(direction, y.b), dot(direction, y.c)}) -
                           std::max({dot(direction, x.a), dot(direction, x.b), dot(direction, x.c)}) - slack;
        if (gap > 0 && gap * gap >= best) continue;
        const TriangleDistance d = closest_points(x, y);
        ++out.tested;
        if (d.squared < best) {
          best = d.squared;
          best_scaled = best * unit * unit;
          direction = normalized(d.point_b - d.point_a);
          out.point_a = d.point_a, out.point_b = d.point_b;
          out.triangle_a = s, out.triangle_b = t;
        }
      }
      continue;
    }
    for (int n = 0; n < count; ++n) {
      detail::TreePairEntry next = e;
      if (e.level_a > 0) next.a = a.tree().child(e.level_a, e.a, near[n].i), --next.level_a;
      if (e.level_b > 0) next.b = b.tree().child(e.level_b, e.b, near[n].j), --next.level_b;
      stack[top++] = {near[n].bound, next};
    }
  }
  out.distance = distance(out.point_a, out.point_b);
  out.lower = std::max(0.0, out.distance - slack);
  out.upper = out.distance + slack;
  return out;
}

DistanceAnswer3 mesh_distance(const MeshShape3& a, const MeshShape3& b, const Placement3& a_from_b) noexcept {
  DistanceAnswer3 out;
  out.hit = intersects(a, b, a_from_b);
  if (out.hit && (a.solid || b.solid)) return mesh_depth(a, b, a_from_b);
  const MeshDistance d = surface_distance(*a.mesh, *b.mesh, a_from_b);
  out.point_a = d.point_a, out.point_b = d.point_b;
  out.iterations = static_cast<int>(std::min<std::size_t>(d.tested, std::numeric_limits<int>::max()));
  out.normal = normalized(d.point_b - d.point_a);
  if (out.hit) {
    // Surfaces that cross: no depth, and any direction. Out of each other's boxes they are apart.
    out.status = QueryStatus::degenerate;
    const Aabb3d box = transform(a_from_b, b.mesh->bounds()), &own = a.mesh->bounds();
    double way = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) way = std::min({way, own.hi[k] - box.lo[k], box.hi[k] - own.lo[k]});
    out.lower = -std::max(0.0, way);
    out.point_b = out.point_a;
    if (out.normal == Vec3d{}) out.normal = {0, 0, 1};
    return out;
  }
  out.separation = std::max(d.distance, std::numeric_limits<double>::denorm_min());
  out.lower = d.lower, out.upper = d.upper;
  if (out.normal == Vec3d{}) {
    // Too near for doubles to tell a direction
    const Triangle<3, double> t = a.mesh->triangle(d.triangle_a);
    out.normal = normalized(double_area(t));
    if (out.normal == Vec3d{}) out.normal = {0, 0, 1};
    out.status = QueryStatus::degenerate;
  }
  return out;
}

}  // namespace sudar
