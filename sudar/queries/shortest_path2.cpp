#include <sudar/math/predicates.hpp>
#include <sudar/queries/query_tolerance.hpp>
#include <sudar/queries/shortest_path2.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

// Does the open inside of a convex polygon meet the segment? Not when a side of the polygon or the segment's own line parts
// them; of two convex sets in the plane these are all lines to look at.
bool enters(const ConvexPart2& polygon, const Vec2d& a, const Vec2d& b) {
  bool left = false, right = false;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2d &u = polygon[i], &v = polygon[i + 1 < polygon.size() ? i + 1 : 0];
    if (orient2d(u, v, a) <= 0 && orient2d(u, v, b) <= 0) return false;
    const int side = orient2d(a, b, u);
    left = left || side > 0;
    right = right || side < 0;
  }
  return left && right;
}

// A side of a polygon that lies along the segment: from where to where, and on which side of it the polygon is
struct Along {
  double from, to;
  bool polygon_left;
};
bool along(const ConvexPart2& polygon, const Vec2d& a, const Vec2d& b, int axis, Along& out) {
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2d &u = polygon[i], &v = polygon[i + 1 < polygon.size() ? i + 1 : 0];
    if (orient2d(u, v, a) != 0 || orient2d(u, v, b) != 0) continue;
    out.polygon_left = (u[axis] < v[axis]) == (a[axis] < b[axis]);
    out.from = std::max(std::min(u[axis], v[axis]), std::min(a[axis], b[axis]));
    out.to = std::min(std::max(u[axis], v[axis]), std::max(a[axis], b[axis]));
    return out.from < out.to;
  }
  return false;
}

}  // namespace

bool sees(const FreeSpace2& space, const Vec2d& a, const Vec2d& b) noexcept {
  if (!is_finite(a) || !is_finite(b)) return false;
  if (a == b) return true;
  const int axis = std::fabs(b.x - a.x) >= std::fabs(b.y - a.y) ? 0 : 1;
  for (const ConvexPart2& polygon : space.obstacles)
    if (enters(polygon, a, b)) return false;
  // A seam: one polygon on the left, one on the right, along the same piece. Sides along a segment are rare.
  for (std::size_t i = 0; i < space.obstacles.size(); ++i) {
    Along first, second;
    if (!along(space.obstacles[i], a, b, axis, first)) continue;
    for (std::size_t j = i + 1; j < space.obstacles.size(); ++j)
      if (along(space.obstacles[j], a, b, axis, second) && first.polygon_left != second.polygon_left &&
          std::max(first.from, second.from) < std::min(first.to, second.to))
        return false;
  }
  return true;
}

namespace {

template <class Trace>
Result<Path2> find_way(const FreeSpace2& space, const Vec2d& start, const Vec2d& goal, Trace trace) noexcept {
  if (!is_finite(start) || !is_finite(goal))
    return Error{ErrorCode::non_finite, Error::kNoElement, "start or goal is NaN or infinite"};
  if (!(max_abs(start) <= kMaxWay) || !(max_abs(goal) <= kMaxWay))
    return Error{ErrorCode::too_large, Error::kNoElement, "start or goal is beyond 2^500 metres"};
  // Free spaces are made with finite corners, or put together by hand
  const auto check = [](const ConvexPart2& part, std::size_t element) -> Result<void> {
    for (const Vec2d& v : part) {
      if (!is_finite(v)) return Error{ErrorCode::non_finite, element, "a corner is NaN or infinite"};
      if (!(max_abs(v) <= kMaxWay)) return Error{ErrorCode::too_large, element, "a corner is beyond 2^500 metres"};
    }
    return {};
  };
  if (const auto r = check(space.bounds, Error::kNoElement); !r) return r.error();
  for (std::size_t i = 0; i < space.obstacles.size(); ++i)
    if (const auto r = check(space.obstacles[i], i); !r) return r.error();
  if (!space.is_free(start)) return Error{ErrorCode::invalid_argument, 0, "the start is not free"};
  if (!space.is_free(goal)) return Error{ErrorCode::invalid_argument, 1, "the goal is not free"};
  return guarded([&]() -> Result<Path2> {
    struct Node {
      Vec2d place;
      double way = std::numeric_limits<double>::infinity();
      std::size_t from = 0;
      bool settled = false;
    };
    std::vector<Node> nodes = {{start, 0, 0, false}, {goal}};
    for (const ConvexPart2& polygon : space.obstacles)
      for (const Vec2d& v : polygon)
        if (space.is_free(v)) nodes.push_back({v});

    Path2 out;
    for (;;) {
      // The one with the least way through it
      std::size_t best = nodes.size();
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < nodes.size(); ++i)
        if (const double f = nodes[i].way + distance(nodes[i].place, goal); !nodes[i].settled && f < least)
          best = i, least = f;
      if (best == nodes.size()) return out;  // no way
      nodes[best].settled = true;
      ++out.reached;
      const auto report = [&](std::string_view step, std::size_t from, std::size_t to, double way, double value) {
        const std::uint32_t ids[] = {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)};
        const Vec2d &p = nodes[from].place, &q = nodes[to].place;
        const double numbers[] = {p.x, p.y, q.x, q.y, way};
        trace({.step = step, .ids = ids, .numbers = numbers, .value = value});
      };
      if constexpr (Trace::kEnabled) report("settle", best, nodes[best].from, nodes[best].way, least);
      if (best == 1) break;
      for (std::size_t i = 1; i < nodes.size(); ++i) {
        const double way = nodes[best].way + distance(nodes[best].place, nodes[i].place);
        if (nodes[i].settled || !(way < nodes[i].way)) continue;
        const bool seen = sees(space, nodes[best].place, nodes[i].place);
        if constexpr (Trace::kEnabled) report(seen ? "see" : "hidden", best, i, way, way);
        if (!seen) continue;
        nodes[i].way = way;
        nodes[i].from = best;
      }
    }
    out.found = true;
    out.length = nodes[1].way;
    for (std::size_t i = 1;; i = nodes[i].from) {
      out.points.push_back(nodes[i].place);
      if (i == 0) break;
    }
    std::reverse(out.points.begin(), out.points.end());
    return out;
  });
}

}  // namespace

Result<Path2> shortest_path2(const FreeSpace2& space, const Vec2d& start, const Vec2d& goal) noexcept {
  return find_way(space, start, goal, NoTrace{});
}
Result<Path2> shortest_path2(const FreeSpace2& space, const Vec2d& start, const Vec2d& goal,
                             TraceSink& trace) noexcept {
  return find_way(space, start, goal, TraceTo{&trace});
}

}  // namespace sudar
