#include <sudar/geom/angle_sum.hpp>
#include <sudar/geom/point_in_polygon.hpp>
#include <sudar/geom/segment_segment.hpp>
#include <sudar/math/predicates.hpp>

namespace sudar {

namespace {

// Crossings of the ray from p to +x with a polygon that does not touch p: upward ones and downward ones
struct Crossings {
  int up = 0, down = 0;
  bool touches = false;
};

Crossings count_crossings(std::span<const Vec2d> polygon, const Vec2d& p) {
  Crossings count;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2d &a = polygon[i], &b = polygon[i + 1 < polygon.size() ? i + 1 : 0];
    const bool a_below = a.y <= p.y, b_below = b.y <= p.y;
    if (a_below == b_below) {
      // Not crossed, but the edge may lie in the ray's line or end in it
      if (a_below && (a.y == p.y || b.y == p.y) && intersects_exact(Segment<2, double>{a, b}, p)) count.touches = true;
      continue;
    }
    const int side = orient2d(a, b, p);
    if (side == 0) count.touches = true;
    if (a_below && side > 0) ++count.up;
    if (b_below && side < 0) ++count.down;
  }
  return count;
}

}  // namespace

Containment locate(const ConvexPolygon& polygon, const Vec2d& p) noexcept {
  const std::size_t n = polygon.size();
  if (n < 3 || !is_finite(p)) return Containment::outside;
  const Vec2d& apex = polygon[0];
  const int first = orient2d(apex, polygon[1], p), last = orient2d(apex, polygon[n - 1], p);
  if (first < 0 || last > 0) return Containment::outside;
  // The wedge between two neighbours, seen from the first vertex, that holds the point
  std::size_t lo = 1, hi = n - 1;
  while (hi - lo > 1) {
    const std::size_t middle = (lo + hi) / 2;
    (orient2d(apex, polygon[middle], p) >= 0 ? lo : hi) = middle;
  }
  const int side = orient2d(polygon[lo], polygon[hi], p);
  if (side < 0) return Containment::outside;
  if (side == 0 || (lo == 1 && first == 0) || (hi == n - 1 && last == 0)) return Containment::boundary;
  return Containment::inside;
}

Containment locate_by_sides(const ConvexPolygon& polygon, const Vec2d& p) noexcept {
  const std::size_t n = polygon.size();
  if (n < 3 || !is_finite(p)) return Containment::outside;
  bool touches = false;
  for (std::size_t i = 0; i < n; ++i) {
    const int side = orient2d(polygon[i], polygon[i + 1 < n ? i + 1 : 0], p);
    if (side < 0) return Containment::outside;
    touches = touches || side == 0;
  }
  return touches ? Containment::boundary : Containment::inside;
}

Containment locate(std::span<const Vec2d> polygon, const Vec2d& p) noexcept {
  if (!is_finite(p)) return Containment::outside;
  const Crossings count = count_crossings(polygon, p);
  if (count.touches) return Containment::boundary;
  return (count.up + count.down) % 2 != 0 ? Containment::inside : Containment::outside;
}

int winding_number(std::span<const Vec2d> polygon, const Vec2d& p) noexcept {
  if (!is_finite(p)) return 0;
  const Crossings count = count_crossings(polygon, p);
  return count.up - count.down;
}

double generalized_winding_number(std::span<const Vec2d> chain, const Vec2d& p) noexcept {
  if (!is_finite(p)) return 0;
  AngleSum sum;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    const Vec2d a = chain[i - 1] - p, b = chain[i] - p;
    sum.add(dot(a, b), cross(a, b));
  }
  return sum.turns();
}

}  // namespace sudar
