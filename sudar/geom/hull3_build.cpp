// What:    From points to the first simplex, and from a triangle surface to the hull, see the header.
#include <sudar/geom/hull2.hpp>
#include <sudar/geom/hull3_build.hpp>

#include <algorithm>
#include <limits>

namespace sudar::hull3_detail {

namespace {

// The point with the largest score; when `good` denies it, the first point that is good, or none
template <class Score, class Good>
std::uint32_t farthest(std::span<const Vec3d> points, Score&& score, Good&& good) {
  std::uint32_t best = 0;
  double best_score = -1;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const double s = score(points[i]);
    if (s > best_score) {
      best_score = s;
      best = i;
    }
  }
  if (good(points[best])) return best;
  for (std::uint32_t i = 0; i < points.size(); ++i)
    if (good(points[i])) return i;
  return kNone;
}

}  // namespace

Result<void> check_hull_input(std::span<const Vec3d> points) {
  if (points.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "a hull needs at least one point"};
  if (points.size() > kMaxHullPoints)
    return Error{ErrorCode::too_large, Error::kNoElement, "more points than a hull can number"};
  // A sum of zeros times the coordinates is NaN as soon as one is not finite; then look for it
  double probe = 0;
  for (const Vec3d& p : points) probe += p.x * 0 + p.y * 0 + p.z * 0;
  if (!(probe == 0))
    for (std::size_t i = 0; i < points.size(); ++i)
      if (!is_finite(points[i])) return Error{ErrorCode::non_finite, i, "coordinate is NaN or infinite"};
  return {};
}

HullSimplex find_simplex(std::span<const Vec3d> points) {
  HullSimplex s{0, {0, 0, 0, 0}, {}};
  std::array<std::uint32_t, 3> lo{}, hi{};
  for (std::uint32_t i = 1; i < points.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      if (points[i][k] < points[lo[k]][k]) lo[k] = i;
      if (points[i][k] > points[hi[k]][k]) hi[k] = i;
    }

  // Map the box to the unit cube. Powers of two up to 2^1000 keep products finite.
  double longest = 0;
  int axis = 0;
  for (int k = 0; k < 3; ++k) {
    const double a = points[lo[k]][k], b = points[hi[k]][k];
    if (!(a < b)) continue;
    const double shrink = std::fmax(std::fabs(a), std::fabs(b)) > 0x1p1000 ? 0x1p-8 : 1.0;
    const double middle = a * shrink / 2 + b * shrink / 2;
    const double half = std::fmax(b * shrink - middle, middle - a * shrink);
    s.frame.first[k] = shrink;
    s.frame.center[k] = middle;
    s.frame.second[k] = std::ldexp(1.0, std::min(1000, -(std::ilogb(half) + 1)));
    if (half / shrink > longest) {
      longest = half / shrink;
      axis = k;
    }
  }
  if (longest == 0) return s;
  s.id[0] = lo[axis];
  s.id[1] = hi[axis];
  const Vec3d &p0 = points[s.id[0]], &p1 = points[s.id[1]];

  s.dimension = 1;
  const Vec3d q0 = s.frame(p0), q01 = s.frame(p1) - q0;
  s.id[2] = farthest(
      points, [&](const Vec3d& p) { return length_squared(cross(s.frame(p) - q0, q01)); },
      [&](const Vec3d& p) { return !collinear(p0, p1, p); });
  if (s.id[2] == kNone) return s;

  s.dimension = 2;
  const Vec3d& p2 = points[s.id[2]];
  const HullPlane plane(q0, q0 + q01, s.frame(p2));
  s.id[3] = farthest(
      points, [&](const Vec3d& p) { return std::fabs(plane.height(s.frame(p))); },
      [&](const Vec3d& p) { return orient3d(p0, p1, p2, p) != 0; });
  if (s.id[3] == kNone) return s;

  s.dimension = 3;
  if (orient3d(p0, p1, p2, points[s.id[3]]) > 0) std::swap(s.id[0], s.id[1]);
  return s;
}

Result<Hull3> flat_hull3(std::span<const Vec3d> points, const HullSimplex& simplex) {
  Hull3 hull;
  hull.dimension = simplex.dimension;
  if (simplex.dimension == 0) {
    hull.source = {0};
  } else if (simplex.dimension == 1) {
    // Along a line, the lexicographic order is the order on the line
    std::uint32_t first = 0, last = 0;
    for (std::uint32_t i = 1; i < points.size(); ++i) {
      if (lexicographically_less(points[i], points[first])) first = i;
      if (lexicographically_less(points[last], points[i])) last = i;
    }
    hull.source = {std::min(first, last), std::max(first, last)};
  } else {
    // Look along an axis the plane is not parallel to: the shadow is one to one and keeps all turns
    const Vec3d &p0 = points[simplex.id[0]], &p1 = points[simplex.id[1]], &p2 = points[simplex.id[2]];
    const int axis = projection_axis(p0, p1, p2);
    std::vector<Vec2d> projected;
    projected.reserve(points.size());
    for (const Vec3d& p : points) projected.push_back(drop(p, axis));
    auto planar = convex_hull2(projected);
    if (!planar) return planar.error();
    const std::vector<std::uint32_t>& loop = *planar;
    const auto k = static_cast<std::uint32_t>(loop.size());

    hull.source = loop;
    std::sort(hull.source.begin(), hull.source.end());
    std::vector<std::uint32_t> vertex(k);
    for (std::uint32_t i = 0; i < k; ++i)
      vertex[i] = static_cast<std::uint32_t>(std::lower_bound(hull.source.begin(), hull.source.end(), loop[i]) -
                                             hull.source.begin());
    // Front loop 0 … k - 1, back loop k … 2k - 1 in reverse; the twin of front edge i is back edge 2k - 1 - i
    hull.edges.resize(std::size_t{2} * k);
    for (std::uint32_t i = 0; i < k; ++i) {
      hull.edges[i] = {2 * k - 1 - i, (i + 1) % k, vertex[i], 0};
      hull.edges[k + i] = {k - 1 - i, k + (i + 1) % k, vertex[(k - i) % k], 1};
    }
    hull.face_edge = {0, k};
  }
  for (const std::uint32_t i : hull.source) hull.vertices.push_back(points[i]);
  write_hull_planes(hull);
  return hull;
}

namespace {

struct Facets {
  std::vector<std::uint32_t> corner;  // input index of each side's origin, facet after facet
  std::vector<std::uint32_t> twin;    // side on the other facet
  std::vector<std::uint32_t> first;   // first side of each facet, and the end
};

// Join triangles across exactly flat edges. A vertex is extreme when at least three of its edges are not flat: with two
// it lies inside of an edge of the hull, with none inside of a facet.
Facets find_facets(std::span<const Vec3d> points, const HullSurface& surface) {
  const auto edges = static_cast<std::uint32_t>(surface.corners.size());
  const auto next = [](std::uint32_t e) { return e % 3 == 2 ? e - 2 : e + 1; };
  std::vector<std::uint8_t> flat(edges);
  std::vector<std::uint8_t> bends(points.size());
  for (std::uint32_t e = 0; e < edges; ++e) {
    const std::uint32_t t = surface.twins[e], base = e - e % 3;
    if (t < e) {
      flat[e] = flat[t];
    } else {
      const std::uint32_t apex = surface.corners[next(next(t))];
      flat[e] = orient3d(points[surface.corners[base]], points[surface.corners[base + 1]],
                         points[surface.corners[base + 2]], points[apex]) == 0;
    }
    std::uint8_t& count = bends[surface.corners[e]];
    if (!flat[e] && count < 3) ++count;
  }

  Facets facets;
  std::vector<std::uint32_t> side_of(edges, kNone), side_edge;
  for (std::uint32_t start = 0; start < edges; ++start) {
    if (flat[start] || bends[surface.corners[start]] < 3 || side_of[start] != kNone) continue;
    facets.first.push_back(static_cast<std::uint32_t>(side_edge.size()));
    // Around the facet: a side begins at each extreme vertex and swallows the others
    std::uint32_t e = start;
    do {
      if (bends[surface.corners[e]] >= 3) side_edge.push_back(e);
      side_of[e] = static_cast<std::uint32_t>(side_edge.size() - 1);
      e = next(e);
      while (flat[e]) e = next(surface.twins[e]);
    } while (e != start);
  }
  facets.first.push_back(static_cast<std::uint32_t>(side_edge.size()));
  for (const std::uint32_t e : side_edge) {
    facets.corner.push_back(surface.corners[e]);
    facets.twin.push_back(side_of[surface.twins[e]]);
  }
  return facets;
}

// Half-edges with input indices as origins, one face per facet
void write_polygons(const Facets& facets, Hull3& hull) {
  for (std::uint32_t f = 0; f + 1 < facets.first.size(); ++f) {
    const std::uint32_t begin = facets.first[f], end = facets.first[f + 1];
    hull.face_edge.push_back(begin);
    for (std::uint32_t s = begin; s < end; ++s)
      hull.edges.push_back({facets.twin[s], s + 1 < end ? s + 1 : begin, facets.corner[s], f});
  }
}

// The same with each facet as a fan around its lexicographically smallest vertex, so that the triangles do not depend
// on how the surface came about
void write_fans(std::span<const Vec3d> points, const Facets& facets, Hull3& hull) {
  std::vector<std::uint32_t> edge_of(facets.corner.size());  // half-edge that a side has become
  for (std::uint32_t f = 0; f + 1 < facets.first.size(); ++f) {
    const std::uint32_t begin = facets.first[f], k = facets.first[f + 1] - begin;
    std::uint32_t root = 0;
    for (std::uint32_t i = 1; i < k; ++i)
      if (lexicographically_less(points[facets.corner[begin + i]], points[facets.corner[begin + root]])) root = i;
    const auto side = [&](std::uint32_t i) { return begin + (root + i) % k; };
    for (std::uint32_t i = 1; i + 1 < k; ++i) {
      const auto base = static_cast<std::uint32_t>(hull.edges.size());
      const auto face = static_cast<std::uint32_t>(hull.face_edge.size());
      hull.face_edge.push_back(base);
      hull.edges.push_back({base - 1, base + 1, facets.corner[side(0)], face});
      hull.edges.push_back({kNone, base + 2, facets.corner[side(i)], face});
      hull.edges.push_back({base + 3, base, facets.corner[side(i + 1)], face});
      edge_of[side(i)] = base + 1;
      if (i == 1) edge_of[side(0)] = base;
      if (i + 2 == k) edge_of[side(k - 1)] = base + 2;
    }
  }
  for (std::uint32_t s = 0; s < edge_of.size(); ++s) hull.edges[edge_of[s]].twin = edge_of[facets.twin[s]];
}

// Number the vertices in the order of the input and turn the edges' origins from input indices into vertices
void write_vertices(std::span<const Vec3d> points, Hull3& hull) {
  std::vector<std::uint32_t> vertex(points.size(), kNone);
  for (const HalfEdge& e : hull.edges) vertex[e.origin] = 0;
  std::uint32_t count = 0;
  for (const std::uint32_t v : vertex) count += v == 0;
  hull.vertices.reserve(count);
  hull.source.reserve(count);
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    if (vertex[i] == kNone) continue;
    vertex[i] = hull.vertex_count();
    hull.vertices.push_back(points[i]);
    hull.source.push_back(i);
  }
  for (HalfEdge& e : hull.edges) e.origin = vertex[e.origin];
}

}  // namespace

Hull3 finish_hull3(std::span<const Vec3d> points, const HullSurface& surface, const HullOptions& options) {
  Hull3 hull;
  hull.dimension = 3;
  if (surface.may_be_flat) {
    const Facets facets = find_facets(points, surface);
    if (options.merge_coplanar)
      write_polygons(facets, hull);
    else
      write_fans(points, facets, hull);
  } else {
    const auto edges = static_cast<std::uint32_t>(surface.corners.size());
    hull.edges.resize(edges);
    hull.face_edge.resize(edges / 3);
    for (std::uint32_t f = 0, e = 0; e < edges; ++f, e += 3) {
      hull.face_edge[f] = e;
      hull.edges[e] = {surface.twins[e], e + 1, surface.corners[e], f};
      hull.edges[e + 1] = {surface.twins[e + 1], e + 2, surface.corners[e + 1], f};
      hull.edges[e + 2] = {surface.twins[e + 2], e, surface.corners[e + 2], f};
    }
  }
  write_vertices(points, hull);
  write_hull_planes(hull);
  return hull;
}

}  // namespace sudar::hull3_detail
