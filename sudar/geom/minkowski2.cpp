#include <sudar/geom/minkowski2.hpp>
#include <sudar/geom/polygon.hpp>
#include <sudar/math/predicates.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

// A loop of vertices, seen as it is or turned by half a turn (every vertex negated, the order stays counterclockwise)
class Loop {
 public:
  Loop(std::span<const Vec2d> vertices, bool negated) : vertices_(vertices), negated_(negated) {
    for (std::size_t i = 1; i < vertices.size(); ++i) {
      const Vec2d &v = at(i), &best = at(start_);
      if (v.y != best.y ? (v.y < best.y) != negated : (v.x < best.x) != negated && v.x != best.x) start_ = i;
    }
  }

  // A point has no edges, a segment has two: there and back
  std::size_t edges() const { return vertices_.size() == 1 ? 0 : vertices_.size(); }
  // Counted from the lowest vertex
  std::size_t index(std::size_t k) const { return (start_ + k) % vertices_.size(); }
  const Vec2d& from(std::size_t k) const { return at(index(k)); }
  const Vec2d& to(std::size_t k) const { return at(index(k + 1)); }
  bool negated() const { return negated_; }
  // Directions in [0, π) come before those in [π, 2π)
  bool in_second_half(std::size_t k) const {
    const Vec2d &p = negated_ ? to(k) : from(k), &q = negated_ ? from(k) : to(k);
    return p.y != q.y ? q.y < p.y : q.x < p.x;
  }

 private:
  const Vec2d& at(std::size_t i) const { return vertices_[i]; }

  std::span<const Vec2d> vertices_;
  bool negated_;
  std::size_t start_ = 0;
};

// -1 when the edge of a comes first by direction, +1 when that of b does, 0 when they are parallel
int compare(const Loop& a, std::size_t i, const Loop& b, std::size_t j) {
  const bool late_a = a.in_second_half(i), late_b = b.in_second_half(j);
  if (late_a != late_b) return late_a ? 1 : -1;
  const int sign = cross_sign(a.from(i), a.to(i), b.from(j), b.to(j));
  return a.negated() != b.negated() ? sign : -sign;
}

Result<void> check_body(std::span<const Vec2d> body, std::size_t first) {
  if (body.empty()) return Error{ErrorCode::empty_input, first, "a body needs a vertex"};
  if (body.size() > std::numeric_limits<std::uint32_t>::max())
    return Error{ErrorCode::too_large, first, "more vertices than 32-bit indices reach"};
  for (std::size_t i = 0; i < body.size(); ++i)
    if (!is_finite(body[i])) return Error{ErrorCode::non_finite, first + i, "vertex is NaN or infinite"};
  if (body.size() == 2 && body[0] == body[1])
    return Error{ErrorCode::not_convex, first + 1, "the ends of a segment must differ"};
  if (body.size() < 3 || is_convex(body, true)) return {};
  for (std::size_t i = 0; i < body.size(); ++i)
    if (orient2d(body[i > 0 ? i - 1 : body.size() - 1], body[i], body[i + 1 < body.size() ? i + 1 : 0]) <= 0)
      return Error{ErrorCode::not_convex, first + i, "not a turn to the left"};
  return Error{ErrorCode::not_convex, first, "winds around more than once"};
}

Result<MinkowskiPolygon> merge(std::span<const Vec2d> a, std::span<const Vec2d> b, bool negate_b) {
  return guarded([&]() -> Result<MinkowskiPolygon> {
    if (const Result<void> checked = check_body(a, 0); !checked) return checked.error();
    if (const Result<void> checked = check_body(b, a.size()); !checked) return checked.error();
    const Loop first(a, false), second(b, negate_b);
    MinkowskiPolygon result;
    result.vertices.reserve(a.size() + b.size());
    result.source.reserve(a.size() + b.size());
    std::size_t i = 0, j = 0;
    do {
      const std::size_t from_a = first.index(i), from_b = second.index(j);
      const Vec2d v = negate_b ? a[from_a] - b[from_b] : a[from_a] + b[from_b];
      if (!is_finite(v)) return Error{ErrorCode::too_large, from_a, "a vertex of the result overflows double"};
      result.vertices.push_back(v);
      result.source.emplace_back(static_cast<std::uint32_t>(from_a), static_cast<std::uint32_t>(from_b));
      // Along the edge whose direction comes next; along both when they are parallel
      const int order = i == first.edges() ? 1 : j == second.edges() ? -1 : compare(first, i, second, j);
      if (order <= 0 && i < first.edges()) ++i;
      if (order >= 0 && j < second.edges()) ++j;
    } while (i < first.edges() || j < second.edges());
    return result;
  });
}

int sign_of_difference(double x, double y) { return x > y ? 1 : x < y ? -1 : 0; }

}  // namespace

Result<MinkowskiPolygon> minkowski_sum(std::span<const Vec2d> a, std::span<const Vec2d> b) noexcept {
  return merge(a, b, false);
}

Result<MinkowskiPolygon> minkowski_difference(std::span<const Vec2d> a, std::span<const Vec2d> b) noexcept {
  return merge(a, b, true);
}

bool contains_origin(const MinkowskiPolygon& difference, std::span<const Vec2d> a, std::span<const Vec2d> b) noexcept {
  const std::size_t n = difference.source.size();
  if (n == 0) return false;
  // On the left of every edge. The edge comes from one of a or from one of b (when from both, either will do), and its
  // side of the origin is the side of a vertex of the other.
  for (std::size_t k = 0; k < n && n > 1; ++k) {
    const auto [i, j] = difference.source[k];
    const auto [i_next, j_next] = difference.source[k + 1 < n ? k + 1 : 0];
    const int side = i_next != i ? orient2d(a[i], a[i_next], b[j]) : orient2d(b[j], b[j_next], a[i]);
    if (side < 0) return false;
  }
  if (n > 2) return true;
  // A point or a segment: now the origin is on its line, and between its ends when no coordinate has the same sign at
  // both
  const auto [i, j] = difference.source.front();
  const auto [i_end, j_end] = difference.source.back();
  for (int axis = 0; axis < 2; ++axis)
    if (sign_of_difference(a[i][axis], b[j][axis]) * sign_of_difference(a[i_end][axis], b[j_end][axis]) > 0)
      return false;
  return true;
}

}  // namespace sudar
