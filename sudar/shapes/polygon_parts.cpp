// What:    Convex parts of polygons, see the header.
#include <sudar/geom/hull2.hpp>
#include <sudar/geom/polygon.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/shapes/polygon_parts.hpp>

#include <algorithm>
#include <limits>

namespace sudar {
namespace {

// Half-edges of the planar map that diagonals make: `next` runs around a part, `twin` is on the other side of a
// diagonal, kNone on the border
constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);
struct MapEdge {
  std::uint32_t origin, next, prev, twin;
};

// Clip ears until a triangle is left. Border edge i starts at vertex i; the two sides of diagonals follow in pairs.
std::vector<MapEdge> clip_ears(std::span<const Vec2d> p) {
  const std::uint32_t n = static_cast<std::uint32_t>(p.size());
  std::vector<MapEdge> edges(n);
  // The loop of what is left: by vertex, its neighbours and the half-edge that leaves it
  std::vector<std::uint32_t> next(n), prev(n), leaving(n);
  std::vector<std::uint32_t> bent_in;  // vertices that are not strictly convex, and maybe some that were not
  std::vector<char> convex(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    next[i] = i + 1 < n ? i + 1 : 0, prev[i] = i > 0 ? i - 1 : n - 1, leaving[i] = i;
    edges[i] = {i, kNone, kNone, kNone};
  }
  const auto classify = [&](std::uint32_t i) { convex[i] = orient2d(p[prev[i]], p[i], p[next[i]]) > 0; };
  for (std::uint32_t i = 0; i < n; ++i) {
    classify(i);
    if (!convex[i]) bent_in.push_back(i);
  }
  // An ear: a strictly convex corner whose closed triangle holds no other vertex. Only corners that bend in can be the
  // first ones inside.
  const auto is_ear = [&](std::uint32_t i) {
    if (!convex[i]) return false;
    const Vec2d &a = p[prev[i]], &b = p[i], &c = p[next[i]];
    const Vec2d lo = min(a, min(b, c)), hi = max(a, max(b, c));
    for (const std::uint32_t v : bent_in) {
      if (v == prev[i] || v == next[i] || convex[v]) continue;
      const Vec2d& q = p[v];
      if (q.x < lo.x || q.x > hi.x || q.y < lo.y || q.y > hi.y) continue;
      if (orient2d(a, b, q) >= 0 && orient2d(b, c, q) >= 0 && orient2d(c, a, q) >= 0) return false;
    }
    return true;
  };
  const auto close = [&](std::uint32_t e0, std::uint32_t e1, std::uint32_t e2) {
    edges[e0].next = e1, edges[e1].next = e2, edges[e2].next = e0;
    edges[e0].prev = e2, edges[e1].prev = e0, edges[e2].prev = e1;
  };

  std::uint32_t left = n, at = 0, misses = 0;
  while (left > 3 && misses <= left) {
    if (!is_ear(at)) {
      at = next[at];
      ++misses;
      continue;
    }
    misses = 0;
    const std::uint32_t a = prev[at], c = next[at];
    // The diagonal from c back to a closes the ear; its other side leaves a from now on
    const std::uint32_t inner = static_cast<std::uint32_t>(edges.size());
    edges.push_back({c, kNone, kNone, inner + 1});
    edges.push_back({a, kNone, kNone, inner});
    close(leaving[a], leaving[at], inner);
    leaving[a] = inner + 1;
    next[a] = c, prev[c] = a;
    --left;
    for (const std::uint32_t v : {a, c})
      if (!convex[v]) classify(v);
    std::erase_if(bent_in, [&](std::uint32_t v) { return convex[v] != 0; });
    at = next[c];  // skip one: fans get less thin
  }
  SUDAR_ASSERT(left == 3);
  close(leaving[at], leaving[next[at]], leaving[prev[at]]);
  return edges;
}

std::vector<IndexLoop> loops_of(const std::vector<MapEdge>& edges, const std::vector<char>& gone) {
  std::vector<char> seen(edges.size());
  std::vector<IndexLoop> loops;
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    if (seen[e] || gone[e]) continue;
    IndexLoop& loop = loops.emplace_back();
    for (std::uint32_t i = e; !seen[i]; i = edges[i].next) seen[i] = 1, loop.push_back(edges[i].origin);
  }
  return loops;
}

// Remove every diagonal whose two ends stay convex without it
void join_parts(std::span<const Vec2d> p, std::vector<MapEdge>& edges, std::vector<char>& gone) {
  for (std::uint32_t e = static_cast<std::uint32_t>(p.size()); e < edges.size(); e += 2) {
    const std::uint32_t t = edges[e].twin;
    const auto end_of = [&](std::uint32_t x) { return edges[edges[x].next].origin; };
    // At the origin of x: the edge before it in its part, then the edge after its twin in the other part
    const auto stays_convex = [&](std::uint32_t x) {
      const std::uint32_t before = edges[x].prev, after = edges[edges[x].twin].next;
      return orient2d(p[edges[before].origin], p[edges[x].origin], p[end_of(after)]) >= 0;
    };
    if (!stays_convex(e) || !stays_convex(t)) continue;
    edges[edges[e].prev].next = edges[t].next, edges[edges[t].next].prev = edges[e].prev;
    edges[edges[t].prev].next = edges[e].next, edges[edges[e].next].prev = edges[t].prev;
    gone[e] = gone[t] = 1;
  }
}

std::vector<Vec2d> hull_of(std::span<const Vec2d> points) {
  std::vector<Vec2d> hull;
  const Result<std::vector<std::uint32_t>> loop = convex_hull2(points);
  if (!loop) throw std::bad_alloc();  // the points are checked: nothing else can fail
  for (const std::uint32_t i : *loop) hull.push_back(points[i]);
  return hull;
}

}  // namespace

Result<std::vector<IndexLoop>> triangulate(std::span<const Vec2d> simple_polygon) noexcept {
  return guarded([&]() -> Result<std::vector<IndexLoop>> {
    if (const auto checked = make_simple_polygon(simple_polygon); !checked) return checked.error();
    const std::vector<MapEdge> edges = clip_ears(simple_polygon);
    return loops_of(edges, std::vector<char>(edges.size()));
  });
}

Result<std::vector<IndexLoop>> convex_parts(std::span<const Vec2d> simple_polygon) noexcept {
  return guarded([&]() -> Result<std::vector<IndexLoop>> {
    if (const auto checked = make_simple_polygon(simple_polygon); !checked) return checked.error();
    std::vector<MapEdge> edges = clip_ears(simple_polygon);
    std::vector<char> gone(edges.size());
    join_parts(simple_polygon, edges, gone);
    return loops_of(edges, gone);
  });
}

Result<CoarseParts> coarse_parts(std::span<const Vec2d> simple_polygon, std::size_t count) noexcept {
  return guarded([&]() -> Result<CoarseParts> {
    if (count == 0) return Error{ErrorCode::invalid_argument, Error::kNoElement, "no parts asked for"};
    const Result<std::vector<IndexLoop>> exact = convex_parts(simple_polygon);
    if (!exact) return exact.error();
    CoarseParts out;
    std::vector<double> areas;
    for (const IndexLoop& loop : *exact) {
      std::vector<Vec2d> points;
      for (const std::uint32_t i : loop) points.push_back(simple_polygon[i]);
      out.parts.push_back(hull_of(points));
      areas.push_back(signed_area(out.parts.back()));
    }
    while (out.parts.size() > count) {
      std::size_t best_a = 0, best_b = 1;
      double least = std::numeric_limits<double>::infinity();
      std::vector<Vec2d> best_hull;
      for (std::size_t a = 0; a < out.parts.size(); ++a)
        for (std::size_t b = a + 1; b < out.parts.size(); ++b) {
          std::vector<Vec2d> both = out.parts[a];
          both.insert(both.end(), out.parts[b].begin(), out.parts[b].end());
          std::vector<Vec2d> hull = hull_of(both);
          const double growth = signed_area(hull) - areas[a] - areas[b];
          if (growth < least || best_hull.empty()) least = growth, best_a = a, best_b = b, best_hull = std::move(hull);
        }
      areas[best_a] = signed_area(best_hull);
      out.parts[best_a] = std::move(best_hull);
      out.parts.erase(out.parts.begin() + static_cast<std::ptrdiff_t>(best_b));
      areas.erase(areas.begin() + static_cast<std::ptrdiff_t>(best_b));
    }
    double sum = 0;
    for (const double area : areas) sum += area;
    const double whole = signed_area(simple_polygon);
    out.excess = whole > 0 ? std::max(0.0, sum / whole - 1) : 0;
    return out;
  });
}

}  // namespace sudar
