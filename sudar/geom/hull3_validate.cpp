// What:    Proof that a half-edge structure is the convex hull of given points, by exact tests only.
// Source:  Mehlhorn et al., "Checking geometric programs or verification of geometric structures", 1999.
// Differs: The source proves convexity locally and shoots one ray. Here every point is held against every face, which
//          proves it without a theorem; boxes of points make it fast. A face that no point is in front of lies on the
//          hull's surface, so a closed surface of such faces covers the hull a whole number of times, and no directed
//          edge twice means once.
// Frame:   The unit cube of HullFrame for heights, the input's for exact tests.
#include <sudar/geom/hull3_build.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace sudar {

using namespace hull3_detail;

namespace {

Error not_manifold(std::size_t element, const char* reason) { return {ErrorCode::not_manifold, element, reason}; }
Error not_convex(std::size_t element, const char* reason) { return {ErrorCode::not_convex, element, reason}; }

Result<void> check_vertices(const Hull3& hull, std::span<const Vec3d> points) {
  if (hull.source.size() != hull.vertices.size()) return not_manifold(Error::kNoElement, "a vertex without source");
  for (std::size_t v = 0; v < hull.source.size(); ++v)
    if (hull.source[v] >= points.size() || !(points[hull.source[v]] == hull.vertices[v]))
      return not_manifold(v, "a vertex is not the point its source names");
  return {};
}

// Half-edges form closed loops and pairs, one fan around each vertex, a sphere as a whole
Result<void> check_topology(const Hull3& hull) {
  const auto edges = static_cast<std::uint32_t>(hull.edges.size());
  if (hull.planes.size() != hull.face_edge.size()) return not_manifold(Error::kNoElement, "a face without plane");
  if (hull.face_edge.empty()) return not_manifold(Error::kNoElement, "a surface without faces");
  for (std::uint32_t f = 0, e = 0; f < hull.face_count(); ++f) {
    if (hull.face_edge[f] != e) return not_manifold(f, "the edges of a face do not lie together");
    const std::uint32_t end = f + 1 < hull.face_count() ? hull.face_edge[f + 1] : edges;
    if (end > edges || end < e + 3) return not_manifold(f, "a face with fewer than three edges");
    for (; e < end; ++e) {
      const HalfEdge& edge = hull.edges[e];
      if (edge.face != f || edge.next != (e + 1 < end ? e + 1 : hull.face_edge[f]) || edge.twin >= edges ||
          edge.origin >= hull.vertex_count())
        return not_manifold(e, "an edge is not linked to its face");
    }
  }
  std::vector<std::uint32_t> degree(hull.vertex_count()), any(hull.vertex_count(), kNone);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> directed;
  directed.reserve(edges);
  for (std::uint32_t e = 0; e < edges; ++e) {
    const HalfEdge& edge = hull.edges[e];
    if (edge.twin == e || hull.edges[edge.twin].twin != e || hull.edges[edge.twin].origin != hull.destination(e))
      return not_manifold(e, "an edge and its twin disagree");
    ++degree[edge.origin];
    any[edge.origin] = e;
    directed.push_back({edge.origin, hull.destination(e)});
  }
  std::sort(directed.begin(), directed.end());
  if (const auto twice = std::adjacent_find(directed.begin(), directed.end()); twice != directed.end())
    return not_manifold(twice->first, "two edges between the same vertices");
  for (std::uint32_t v = 0; v < hull.vertex_count(); ++v) {
    if (any[v] == kNone) return not_manifold(v, "a vertex without edges");
    std::uint32_t e = any[v], count = 0;
    do {
      e = hull.edges[hull.edges[e].twin].next;
      ++count;
    } while (e != any[v] && count <= degree[v]);
    if (count != degree[v]) return not_manifold(v, "more than one fan of faces around a vertex");
  }
  if (euler_characteristic(hull) != 2) return not_manifold(Error::kNoElement, "Euler characteristic is not 2");
  return {};
}

// Three corners of a face, far apart in its loop
std::array<Vec3d, 3> face_triangle(const Hull3& hull, std::uint32_t f) {
  const std::uint32_t k = hull.face_degree(f);
  return {hull.vertices[hull.face_vertex(f, 0)], hull.vertices[hull.face_vertex(f, k / 3)],
          hull.vertices[hull.face_vertex(f, 2 * k / 3)]};
}

// Faces are flat and not degenerate, and every vertex is extreme: at least three of its edges are bent
Result<void> check_faces(const Hull3& hull) {
  std::vector<std::uint8_t> bends(hull.vertex_count());
  for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
    const auto [a, b, c] = face_triangle(hull, f);
    if (collinear(a, b, c)) return not_convex(f, "a face without area");
    for (std::uint32_t i = 0; i < hull.face_degree(f); ++i) {
      const std::uint32_t e = hull.face_edge[f] + i, v = hull.edges[e].origin;
      if (hull.face_degree(f) > 3 && orient3d(a, b, c, hull.vertices[v]) != 0) return not_convex(f, "a bent face");
      const auto [p, q, r] = face_triangle(hull, hull.edges[hull.edges[e].twin].face);
      const bool bent = orient3d(a, b, c, p) != 0 || orient3d(a, b, c, q) != 0 || orient3d(a, b, c, r) != 0;
      if (bent && bends[v] < 3) ++bends[v];
    }
  }
  for (std::uint32_t v = 0; v < hull.vertex_count(); ++v)
    if (bends[v] < 3) return not_convex(v, "a vertex that is not extreme");
  return {};
}

// A binary tree of boxes over the points, by halving at the median of the longest axis
class PointTree {
 public:
  explicit PointTree(std::span<const Vec3d> points) : points_(points), frame_(find_simplex(points).frame) {
    order_.resize(points.size());
    std::iota(order_.begin(), order_.end(), 0u);
    position_.reserve(points.size());
    for (const Vec3d& p : points) position_.push_back(frame_(p));
    build(0, static_cast<std::uint32_t>(points.size()));
  }

  // The first point found strictly in front of the triangle, or kNone. The rounded height is monotone in each
  // coordinate, so a box whose highest corner is below -bound holds only points below -bound.
  std::uint32_t in_front(const Vec3d& a, const Vec3d& b, const Vec3d& c) const {
    const HullPlane plane(frame_(a), frame_(b), frame_(c));
    std::uint32_t stack[64];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const Node& node = nodes_[stack[--top]];
      Vec3d corner;
      for (int k = 0; k < 3; ++k) corner[k] = plane.normal[k] < 0 ? node.lo[k] : node.hi[k];
      if (plane.height(corner) < -plane.bound) continue;
      if (node.right != 0) {
        stack[top++] = node.right;
        stack[top++] = static_cast<std::uint32_t>(&node - nodes_.data()) + 1;
        continue;
      }
      for (std::uint32_t i = node.begin; i < node.end; ++i)
        if (!(plane.height(position_[order_[i]]) < -plane.bound) && orient3d(a, b, c, points_[order_[i]]) > 0)
          return order_[i];
    }
    return kNone;
  }

 private:
  struct Node {
    Vec3d lo, hi;
    std::uint32_t begin, end;
    std::uint32_t right;  // the left child follows its parent; 0: a leaf
  };
  static constexpr std::uint32_t kLeaf = 8;

  void build(std::uint32_t begin, std::uint32_t end) {
    const auto at = static_cast<std::uint32_t>(nodes_.size());
    Node node{position_[order_[begin]], position_[order_[begin]], begin, end, 0};
    for (std::uint32_t i = begin; i < end; ++i) {
      node.lo = min(node.lo, position_[order_[i]]);
      node.hi = max(node.hi, position_[order_[i]]);
    }
    nodes_.push_back(node);
    // nth_element leaves each half in an order of its own: points of a leaf go by index
    if (end - begin <= kLeaf) return std::sort(order_.begin() + begin, order_.begin() + end);
    const Vec3d size = node.hi - node.lo;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t i, std::uint32_t k) {
                       const double x = position_[i][axis], y = position_[k][axis];
                       return x != y ? x < y : i < k;
                     });
    build(begin, middle);
    nodes_[at].right = static_cast<std::uint32_t>(nodes_.size());
    build(middle, end);
  }

  std::span<const Vec3d> points_;
  HullFrame frame_;
  std::vector<Vec3d> position_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
};

Result<void> check_points_in_body(const Hull3& hull, std::span<const Vec3d> points, bool prune) {
  std::optional<PointTree> tree;
  if (prune) tree.emplace(points);
  for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
    const auto [a, b, c] = face_triangle(hull, f);
    if (prune) {
      const std::uint32_t i = tree->in_front(a, b, c);
      if (i != kNone) return not_convex(i, "a point in front of a face");
    } else {
      for (std::size_t i = 0; i < points.size(); ++i)
        if (orient3d(a, b, c, points[i]) > 0) return not_convex(i, "a point in front of a face");
    }
  }
  return {};
}

// A convex polygon by its turns and the fan from its first vertex; then each point by the wedge of the fan it is in
Result<void> check_polygon(const Hull3& hull, std::span<const Vec3d> points) {
  const auto [a, b, c] = face_triangle(hull, 0);
  if (hull.face_count() != 2) return not_manifold(Error::kNoElement, "a flat hull has two faces");
  const int axis = projection_axis(a, b, c);
  if (axis < 0) return not_convex(0, "a face without area");
  std::vector<Vec2d> loop;
  for (const std::uint32_t v : face_vertices(hull, 0)) loop.push_back(drop(hull.vertices[v], axis));
  if (orient_along(axis, a, b, c) < 0) std::reverse(loop.begin(), loop.end());
  const std::size_t k = loop.size();
  for (std::size_t i = 0; i < k; ++i)
    if (orient2d(loop[i], loop[(i + 1) % k], loop[(i + 2) % k]) <= 0 ||
        (i > 0 && i + 1 < k && orient2d(loop[0], loop[i], loop[i + 1]) <= 0))
      return not_convex(i, "a polygon that is not strictly convex");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (orient3d(a, b, c, points[i]) != 0) return not_convex(i, "a point outside of the plane");
    const Vec2d p = drop(points[i], axis);
    std::size_t lo = 1, hi = k - 1;
    while (hi - lo > 1) {
      const std::size_t middle = (lo + hi) / 2;
      (orient2d(loop[0], loop[middle], p) >= 0 ? lo : hi) = middle;
    }
    if (orient2d(loop[0], loop[1], p) < 0 || orient2d(loop[lo], loop[hi], p) < 0 ||
        orient2d(loop[k - 1], loop[0], p) < 0)
      return not_convex(i, "a point outside of the polygon");
  }
  return {};
}

Result<void> check_segment(const Hull3& hull, std::span<const Vec3d> points) {
  if (hull.vertex_count() != 2) return not_manifold(Error::kNoElement, "a segment has two vertices");
  Vec3d a = hull.vertices[0], b = hull.vertices[1];
  if (a == b) return not_convex(0, "a segment without length");
  if (lexicographically_less(b, a)) std::swap(a, b);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!collinear(a, b, points[i]) || lexicographically_less(points[i], a) || lexicographically_less(b, points[i]))
      return not_convex(i, "a point outside of the segment");
  return {};
}

}  // namespace

Result<void> validate(const Hull3& hull, std::span<const Vec3d> points, bool prune) {
  return guarded([&]() -> Result<void> {
    if (auto checked = check_hull_input(points); !checked) return checked;
    if (auto checked = check_vertices(hull, points); !checked) return checked;
    if (hull.dimension < 2 && !(hull.edges.empty() && hull.face_edge.empty() && hull.planes.empty()))
      return not_manifold(Error::kNoElement, "a point or a segment has no faces");
    if (hull.dimension == 1) return check_segment(hull, points);
    if (hull.dimension < 1) {
      if (hull.vertex_count() != 1) return not_manifold(Error::kNoElement, "a point has one vertex");
      for (std::size_t i = 0; i < points.size(); ++i)
        if (!(points[i] == hull.vertices[0])) return not_convex(i, "a point beside the only vertex");
      return {};
    }
    if (auto checked = check_topology(hull); !checked) return checked;
    if (hull.dimension == 2) return check_polygon(hull, points);
    if (auto checked = check_faces(hull); !checked) return checked;
    return check_points_in_body(hull, points, prune);
  });
}

}  // namespace sudar
