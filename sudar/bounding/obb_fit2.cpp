// What:    Smallest rectangle around points in the plane by rotating calipers, and its brute force; see obb_fit.hpp.
#include <sudar/bounding/calipers.hpp>
#include <sudar/bounding/obb_fit.hpp>
#include <sudar/bounding/obb_measure.hpp>
#include <sudar/geom/hull2.hpp>

#include <vector>

namespace sudar {

namespace {

// A segment too short to have a direction lies along x
std::array<Vec2d, 2> axes_along(const Vec2d& direction) {
  const Vec2d x = direction == Vec2d{} ? Vec2d{1, 0} : direction;
  return {x, perp(x)};
}

// The hull's vertices, and the answer when they are too few for calipers
struct Outline {
  std::vector<std::uint32_t> ids;
  std::vector<Vec2d> polygon;
};
Result<Outline> outline(std::span<const Vec2d> points) {
  auto ids = convex_hull2(points);
  if (!ids) return ids.error();
  Outline out{std::move(*ids), {}};
  for (std::uint32_t i : out.ids) out.polygon.push_back(points[i]);
  return out;
}
Result<Obb2d> thin_rectangle(std::span<const Vec2d> polygon) {
  if (polygon.size() < 2) return Obb2d{polygon[0]};
  return measure_obb<2>(polygon, axes_along(normalized(polygon[1] * 0.5 - polygon[0] * 0.5)));
}

}  // namespace

template <class Trace>
Result<Obb2d> smallest_rectangle(std::span<const Vec2d> points, Trace trace) noexcept {
  return guarded([&]() -> Result<Obb2d> {
    const auto hull = outline(points);
    if (!hull) return hull.error();
    if (hull->ids.size() < 3) return thin_rectangle(hull->polygon);
    CaliperStop best{};
    bool found = false;
    rotate_calipers(hull->polygon, [&](const CaliperStop& stop) {
      if constexpr (Trace::kEnabled) {
        const std::uint32_t ids[] = {hull->ids[stop.edge], hull->ids[(stop.edge + 1) % hull->ids.size()],
                                     hull->ids[stop.ahead], hull->ids[stop.opposite], hull->ids[stop.behind]};
        trace({.step = "edge", .ids = ids, .value = stop.area});
      }
      if (!found || stop.area < best.area) best = stop;
      found = true;
    });
    if constexpr (Trace::kEnabled) {
      const std::uint32_t ids[] = {hull->ids[best.edge], hull->ids[(best.edge + 1) % hull->ids.size()]};
      trace({.step = "smallest", .ids = ids, .value = best.area});
    }
    return measure_obb<2>(hull->polygon, axes_along(best.direction));
  });
}

Result<Obb2d> brute_force_rectangle(std::span<const Vec2d> points) noexcept {
  return guarded([&]() -> Result<Obb2d> {
    const auto hull = outline(points);
    if (!hull) return hull.error();
    const std::size_t n = hull->polygon.size();
    if (n < 3) return thin_rectangle(hull->polygon);
    Result<Obb2d> best = Error{ErrorCode::too_large, Error::kNoElement, "a size is past the largest number"};
    for (std::size_t i = 0; i < n; ++i) {
      const Vec2d edge = hull->polygon[(i + 1) % n] - hull->polygon[i];
      const auto box = measure_obb<2>(hull->polygon, axes_along(normalized(edge)));
      if (box && (!best || volume(*box) < volume(*best))) best = box;
    }
    return best;
  });
}

template SUDAR_API Result<Obb2d> smallest_rectangle<NoTrace>(std::span<const Vec2d>, NoTrace) noexcept;
template SUDAR_API Result<Obb2d> smallest_rectangle<TraceTo>(std::span<const Vec2d>, TraceTo) noexcept;

}  // namespace sudar
