#include <sudar/narrowphase/manifold_choice.hpp>
#include <sudar/narrowphase/manifold_tolerance.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {

// A weight of a point's name that does not know which of the two features is A's. Corners come before places where edges
// cross, which run along an edge when bodies turn.
template <int D>
std::uint64_t name_weight(const ContactPoint<D>& point) {
  const auto mixed = [](const Feature& feature) {
    const std::uint64_t x = std::uint64_t{feature.index} << 2 | static_cast<std::uint64_t>(feature.kind);
    return (x + 1) * 0x9e3779b97f4a7c15u;
  };
  const auto of_a = static_cast<std::uint64_t>(point.feature_a.kind),
             of_b = static_cast<std::uint64_t>(point.feature_b.kind);
  const std::uint64_t corner = of_a == 0 || of_b == 0 ? 0 : 8;
  return (corner + of_a + of_b) << 60 | (mixed(point.feature_a) + mixed(point.feature_b)) >> 4;
}

// The index of the largest value above zero; of those within the choice of it, the one with the lowest name
template <int D, class Value>
std::size_t pick_point(std::span<const ContactPoint<D>> points, std::size_t none, Value&& value) {
  constexpr std::size_t kKept = 32;
  double kept[kKept], most = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = value(i);
    if (i < kKept) kept[i] = x;
    most = std::max(most, x);
  }
  std::size_t best = none;
  std::uint64_t weight = 0;
  const double least = most * (1 - kManifoldChoice);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = i < kKept ? kept[i] : value(i);
    if (!(x > 0) || x < least) continue;
    if (const std::uint64_t w = name_weight(points[i]); best == none || w < weight) best = i, weight = w;
  }
  return best;
}
template <int D>
std::size_t deepest_point(std::span<const ContactPoint<D>> points) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i].separation < points[best].separation) best = i;
  return best;
}

// The chosen in the order of the list, the deepest in the place of its neighbour
template <int D>
Manifold<D> gather_chosen(std::span<const ContactPoint<D>> points, const Vec<D, double>& normal, std::size_t* chosen,
                          std::size_t count) {
  const std::size_t deepest = deepest_point<D>(points);
  if (std::find(chosen, chosen + count, deepest) == chosen + count) {
    if (count < Manifold<D>::kMaxPoints) {
      chosen[count++] = deepest;
    } else {
      std::size_t nearest = 0;
      const auto away = [&](std::size_t k) {
        return length_squared(points[chosen[k]].position - points[deepest].position);
      };
      for (std::size_t k = 1; k < count; ++k)
        if (away(k) < away(nearest)) nearest = k;
      chosen[nearest] = deepest;
    }
  }
  std::sort(chosen, chosen + count);
  Manifold<D> out;
  out.normal = normal;
  for (std::size_t k = 0; k < count; ++k) out.points[out.count++] = points[chosen[k]];
  return out;
}

}  // namespace

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
  return gather_chosen<2>(points, normal, chosen, count);
}

Manifold3 choose_points(std::span<const ContactPoint<3>> points, const Vec3d& normal) {
  std::size_t chosen[Manifold3::kMaxPoints] = {}, count = 0;
  const std::size_t all = points.size();
  if (all <= Manifold3::kMaxPoints) {
    for (std::size_t i = 0; i < all; ++i) chosen[count++] = i;
    return gather_chosen<3>(points, normal, chosen, count);
  }
  Vec3d middle{};
  for (const auto& point : points) middle += point.position;
  middle = middle / static_cast<double>(all);
  // Along the plane of contact only
  const auto flat_square = [&](const Vec3d& d) {
    const double height = dot(d, normal);
    return length_squared(d) - height * height;
  };
  const std::size_t p =
      pick_point<3>(points, all, [&](std::size_t i) { return flat_square(points[i].position - middle); });
  if (p == all) return gather_chosen<3>(points, normal, chosen, count);
  chosen[count++] = p;
  const Vec3d at = points[p].position;
  const std::size_t q = pick_point<3>(points, all, [&](std::size_t i) { return flat_square(points[i].position - at); });
  if (q == all) return gather_chosen<3>(points, normal, chosen, count);
  chosen[count++] = q;
  const Vec3d across = cross(normal, points[q].position - at);
  for (const double side : {1.0, -1.0}) {
    const std::size_t r =
        pick_point<3>(points, all, [&](std::size_t i) { return side * dot(across, points[i].position - at); });
    if (r != all && r != q && r != p) chosen[count++] = r;
  }
  return gather_chosen<3>(points, normal, chosen, count);
}

}  // namespace sudar
