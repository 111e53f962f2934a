#include <sudar/narrowphase/manifold_choice.hpp>
#include <sudar/narrowphase/manifold_tolerance.hpp>
#include <sudar/narrowphase/stack_list.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {

// The index of the largest value above zero; of those within the choice of it, the one with the lowest name
template <class Value>
std::size_t pick_point(std::span<const FlatPoint> points, Value&& value) {
  constexpr std::size_t kKept = 16;
  double kept[kKept], most = 0;
  const std::size_t none = points.size();
  for (std::size_t i = 0; i < none; ++i) {
    const double x = value(points[i]);
    if (i < kKept) kept[i] = x;
    most = std::max(most, x);
  }
  if (!(most > 0)) return none;
  const double least = most * (1 - kManifoldChoice);
  std::size_t best = none;
  std::uint64_t weight = 0;
  for (std::size_t i = 0; i < none; ++i) {
    const double x = i < kKept ? kept[i] : value(points[i]);
    if (x < least || (best != none && points[i].weight >= weight)) continue;
    best = i, weight = points[i].weight;
  }
  return best;
}

// The deepest in the place of its neighbour, where it is not chosen; then all in ascending order
template <class Away>
std::size_t keep_deepest(std::size_t deepest, std::size_t* chosen, std::size_t count, std::size_t most, Away&& away) {
  bool known = false;
  for (std::size_t k = 0; k < count; ++k) known = known || chosen[k] == deepest;
  if (!known && count < most) {
    chosen[count++] = deepest;
  } else if (!known) {
    std::size_t nearest = 0;
    for (std::size_t k = 1; k < count; ++k)
      if (away(chosen[k]) < away(chosen[nearest])) nearest = k;
    chosen[nearest] = deepest;
  }
  for (std::size_t i = 1; i < count; ++i)
    for (std::size_t k = i; k > 0 && chosen[k] < chosen[k - 1]; --k) std::swap(chosen[k], chosen[k - 1]);
  return count;
}
template <class Points>
std::size_t deepest_point(const Points& points) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i].separation < points[best].separation) best = i;
  return best;
}

}  // namespace

// Without knowing which of the two features is A's. Corners come before places where edges cross, which run along an edge
// when bodies turn.
std::uint64_t name_weight(const Feature& feature_a, const Feature& feature_b) {
  const auto mixed = [](const Feature& feature) {
    const std::uint64_t x = std::uint64_t{feature.index} << 2 | static_cast<std::uint64_t>(feature.kind);
    return (x + 1) * 0x9e3779b97f4a7c15u;
  };
  const auto of_a = static_cast<std::uint64_t>(feature_a.kind), of_b = static_cast<std::uint64_t>(feature_b.kind);
  const std::uint64_t corner = of_a == 0 || of_b == 0 ? 0 : 8;
  return (corner + of_a + of_b) << 60 | (mixed(feature_a) + mixed(feature_b)) >> 4;
}

std::size_t choose_flat(std::span<const FlatPoint> points, std::size_t (&chosen)[Manifold3::kMaxPoints]) {
  const std::size_t all = points.size();
  std::size_t count = 0;
  if (all <= Manifold3::kMaxPoints) {
    for (; count < all; ++count) chosen[count] = count;
    return count;
  }
  const auto away = [&](std::size_t i, double x, double y) {
    const double dx = points[i].x - x, dy = points[i].y - y;
    return dx * dx + dy * dy;
  };
  const std::size_t deepest = deepest_point(points);
  const auto from_deepest = [&](std::size_t i) { return away(i, points[deepest].x, points[deepest].y); };
  double x = 0, y = 0;
  for (const FlatPoint& point : points) x += point.x, y += point.y;
  x /= static_cast<double>(all), y /= static_cast<double>(all);
  const auto square_from = [](double px, double py) {
    return [px, py](const FlatPoint& p) { return (p.x - px) * (p.x - px) + (p.y - py) * (p.y - py); };
  };
  const std::size_t p = pick_point(points, square_from(x, y));
  if (p == all) return keep_deepest(deepest, chosen, count, Manifold3::kMaxPoints, from_deepest);
  chosen[count++] = p;
  const double px = points[p].x, py = points[p].y;
  const std::size_t q = pick_point(points, square_from(px, py));
  chosen[count++] = q;
  const double along_x = points[q].x - px, along_y = points[q].y - py;
  for (const double side : {1.0, -1.0}) {
    const std::size_t r =
        pick_point(points, [&](const FlatPoint& z) { return side * (along_x * (z.y - py) - along_y * (z.x - px)); });
    if (r != all && r != q && r != p) chosen[count++] = r;
  }
  return keep_deepest(deepest, chosen, count, Manifold3::kMaxPoints, from_deepest);
}

Manifold2 choose_points(std::span<const ContactPoint<2>> points, const Vec2d& normal) {
  std::size_t chosen[Manifold2::kMaxPoints] = {}, count = 0;
  const Vec2d along = perp(normal);
  std::size_t lo = 0, hi = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double t = dot(along, points[i].position);
    if (t < dot(along, points[lo].position)) lo = i;
    if (t > dot(along, points[hi].position)) hi = i;
  }
  chosen[count++] = lo;
  if (hi != lo) chosen[count++] = hi;
  const std::size_t deepest = deepest_point(points);
  count = keep_deepest(deepest, chosen, count, Manifold2::kMaxPoints,
                       [&](std::size_t i) { return length_squared(points[i].position - points[deepest].position); });
  Manifold2 out;
  out.normal = normal;
  for (std::size_t k = 0; k < count; ++k) out.points[out.count++] = points[chosen[k]];
  return out;
}

Manifold3 choose_points(std::span<const ContactPoint<3>> points, const Vec3d& normal) {
  Manifold3 out;
  out.normal = normal;
  if (points.size() <= Manifold3::kMaxPoints) {
    for (const ContactPoint<3>& point : points) out.points[out.count++] = point;
    return out;
  }
  Vec3d u, v;
  make_frame(normal, u, v);
  StackList<FlatPoint, 24> flat;
  for (const ContactPoint<3>& point : points)
    flat.push_back({dot(u, point.position), dot(v, point.position), point.separation,
                    name_weight(point.feature_a, point.feature_b)});
  std::size_t chosen[Manifold3::kMaxPoints];
  const std::size_t count = choose_flat({flat.data(), flat.size()}, chosen);
  for (std::size_t k = 0; k < count; ++k) out.points[out.count++] = points[chosen[k]];
  return out;
}

}  // namespace sudar
