#include <sudar/geom/polygon.hpp>
#include <sudar/geom/segment_segment.hpp>
#include <sudar/math/double_double.hpp>
#include <sudar/math/predicates.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace sudar {

namespace {

using Crossing = std::optional<std::pair<std::uint32_t, std::uint32_t>>;

std::size_t next(std::size_t i, std::size_t n) { return i + 1 < n ? i + 1 : 0; }
std::size_t previous(std::size_t i, std::size_t n) { return i > 0 ? i - 1 : n - 1; }

Result<void> check_points(std::span<const Vec2d> polygon) {
  if (polygon.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "a polygon needs vertices"};
  if (polygon.size() > std::numeric_limits<std::uint32_t>::max())
    return Error{ErrorCode::too_large, Error::kNoElement, "more vertices than 32-bit indices reach"};
  for (std::size_t i = 0; i < polygon.size(); ++i)
    if (!is_finite(polygon[i])) return Error{ErrorCode::non_finite, i, "vertex is NaN or infinite"};
  if (polygon.size() < 3) return Error{ErrorCode::degenerate, Error::kNoElement, "fewer than three vertices"};
  return {};
}

// Edges i < j meet where they should not
bool edges_clash(std::span<const Vec2d> polygon, std::size_t i, std::size_t j) {
  const std::size_t n = polygon.size();
  const Segment<2, double> s{polygon[i], polygon[next(i, n)]}, t{polygon[j], polygon[next(j, n)]};
  const bool forward = next(i, n) == j, backward = next(j, n) == i;
  if (!forward && !backward) return intersects_exact(s, t);
  // Neighbours share a vertex: they must not fold back onto each other
  const Segment<2, double>&first = forward ? s : t, &second = forward ? t : s;
  return intersects_exact(first, second.b) || intersects_exact(second, first.a);
}

// An edge of no length is the fault of the edge itself: reported with the next one
Crossing find_empty_edge(std::span<const Vec2d> polygon) {
  const std::size_t n = polygon.size();
  for (std::size_t i = 0; i < n; ++i)
    if (polygon[i] == polygon[next(i, n)]) {
      const auto a = static_cast<std::uint32_t>(i), b = static_cast<std::uint32_t>(next(i, n));
      return std::minmax(a, b);
    }
  return std::nullopt;
}

// Where the polygon turns right or stands still; the vertex, or n when it never does. Straight angles pass when they go
// on, not when they turn back.
std::size_t find_wrong_turn(std::span<const Vec2d> polygon, bool strict) {
  const std::size_t n = polygon.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2d &a = polygon[previous(i, n)], &b = polygon[i], &c = polygon[next(i, n)];
    const int turn = orient2d(a, b, c);
    if (turn < 0 ||
        (turn == 0 && (strict || lexicographically_less(a, b) != lexicographically_less(b, c) || a == b || b == c)))
      return i;
  }
  return n;
}

// A loop that only turns left goes up and down in lexicographic order once for every time around
bool goes_around_once(std::span<const Vec2d> polygon) {
  const std::size_t n = polygon.size();
  int changes = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (lexicographically_less(polygon[previous(i, n)], polygon[i]) !=
        lexicographically_less(polygon[i], polygon[next(i, n)]))
      ++changes;
  return changes == 2;
}

}  // namespace

double signed_area(std::span<const Vec2d> polygon) noexcept {
  DoubleDouble sum;
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const Vec2d &o = polygon[0], &a = polygon[i - 1], &b = polygon[i];
    const DoubleDouble ax = two_difference(a.x, o.x), ay = two_difference(a.y, o.y);
    const DoubleDouble bx = two_difference(b.x, o.x), by = two_difference(b.y, o.y);
    sum += ax * by - ay * bx;
  }
  return static_cast<double>(sum) / 2;
}

int orientation(std::span<const Vec2d> polygon) noexcept {
  const std::size_t n = polygon.size();
  if (n < 3) return 0;
  const auto lowest = static_cast<std::size_t>(
      std::min_element(polygon.begin(), polygon.end(), lexicographically_less<Vec2d>) - polygon.begin());
  // Repetitions of the vertex are passed over
  std::size_t i = previous(lowest, n), j = next(lowest, n);
  while (i != lowest && polygon[i] == polygon[lowest]) i = previous(i, n);
  while (j != lowest && polygon[j] == polygon[lowest]) j = next(j, n);
  return orient2d(polygon[i], polygon[lowest], polygon[j]);
}

bool is_convex(std::span<const Vec2d> polygon, bool strict) noexcept {
  // Without any area every turn is straight, and somewhere turns back
  return polygon.size() >= 3 && find_wrong_turn(polygon, strict) == polygon.size() && goes_around_once(polygon);
}

Result<Crossing> find_crossing_plain(std::span<const Vec2d> polygon) noexcept {
  if (const Result<void> checked = check_points(polygon); !checked) return checked.error();
  if (const Crossing empty = find_empty_edge(polygon)) return empty;
  for (std::uint32_t i = 0; i < polygon.size(); ++i)
    for (std::uint32_t j = i + 1; j < polygon.size(); ++j)
      if (edges_clash(polygon, i, j)) return Crossing{{i, j}};
  return Crossing{};
}

Result<Crossing> find_crossing(std::span<const Vec2d> polygon) noexcept {
  return guarded([&]() -> Result<Crossing> {
    if (const Result<void> checked = check_points(polygon); !checked) return checked.error();
    if (const Crossing empty = find_empty_edge(polygon)) return empty;
    const auto n = static_cast<std::uint32_t>(polygon.size());
    const auto lo = [&](std::uint32_t e) { return std::min(polygon[e].x, polygon[next(e, n)].x); };
    const auto hi = [&](std::uint32_t e) { return std::max(polygon[e].x, polygon[next(e, n)].x); };
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return lo(a) != lo(b) ? lo(a) < lo(b) : a < b; });
    // The lowest pair of all that meet, so that the answer is that of the plain version
    Crossing first;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n && lo(order[j]) <= hi(order[i]); ++j) {
        const std::pair<std::uint32_t, std::uint32_t> pair = std::minmax(order[i], order[j]);
        if (first && *first < pair) continue;
        if (edges_clash(polygon, pair.first, pair.second)) first = pair;
      }
    return first;
  });
}

Result<ConvexPolygon> make_convex_polygon(std::span<const Vec2d> polygon) noexcept {
  return guarded([&]() -> Result<ConvexPolygon> {
    if (const Result<void> checked = check_points(polygon); !checked) return checked.error();
    const std::size_t n = polygon.size();
    bool straight = true;
    for (std::size_t i = 0; i < n && straight; ++i)
      straight = orient2d(polygon[previous(i, n)], polygon[i], polygon[next(i, n)]) == 0;
    if (straight) return Error{ErrorCode::degenerate, Error::kNoElement, "all vertices lie on one line"};
    if (const std::size_t wrong = find_wrong_turn(polygon, false); wrong != n) {
      const std::vector<Vec2d> reversed(polygon.rbegin(), polygon.rend());
      if (is_convex(reversed)) return Error{ErrorCode::not_oriented, Error::kNoElement, "the polygon runs clockwise"};
      return Error{ErrorCode::not_convex, wrong, "a turn to the right, or no turn at all"};
    }
    if (!goes_around_once(polygon))
      return Error{ErrorCode::not_convex, Error::kNoElement, "the polygon winds around more than once"};
    ConvexPolygon result;
    for (std::size_t i = 0; i < n; ++i)
      if (orient2d(polygon[previous(i, n)], polygon[i], polygon[next(i, n)]) > 0)
        result.vertices_.push_back(polygon[i]);
    return result;
  });
}

Result<SimplePolygon> make_simple_polygon(std::span<const Vec2d> polygon) noexcept {
  return guarded([&]() -> Result<SimplePolygon> {
    const Result<Crossing> crossing = find_crossing(polygon);
    if (!crossing) return crossing.error();
    if (crossing->has_value())
      return Error{ErrorCode::invalid_argument, (*crossing)->first, "an edge meets another edge"};
    if (orientation(polygon) < 0)
      return Error{ErrorCode::not_oriented, Error::kNoElement, "the polygon runs clockwise"};
    SimplePolygon result;
    result.vertices_.assign(polygon.begin(), polygon.end());
    return result;
  });
}

}  // namespace sudar
