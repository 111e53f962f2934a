// What:    Capsules and cylinders around points, see the header.
#include <sudar/bounding/obb_fit.hpp>
#include <sudar/bounding/round_fit.hpp>
#include <sudar/bounding/sphere_fit.hpp>
#include <sudar/geom/hull2.hpp>
#include <sudar/geom/hull3.hpp>

#include <vector>

namespace sudar {
namespace {

// Directions to try as axis, from what the dimension has to offer, and the extreme points, which are all that matters
template <int D>
struct Candidates {
  std::vector<Vec<D, double>> points;
  std::vector<Vec<D, double>> directions;
};

Result<Candidates<2>> candidates(std::span<const Vec2d> points) {
  const auto ids = convex_hull2(points);
  if (!ids) return ids.error();
  const auto box = smallest_rectangle(points);
  if (!box) return box.error();
  Candidates<2> out;
  for (std::uint32_t i : *ids) out.points.push_back(points[i]);
  out.directions.assign(box->axes.begin(), box->axes.end());
  return out;
}
Result<Candidates<3>> candidates(std::span<const Vec3d> points) {
  const auto hull = quickhull3(points);
  if (!hull) return hull.error();
  Candidates<3> out{hull->vertices, {}};
  for (auto* fit : {&principal_box, &smallest_box}) {
    const auto box = fit(hull->vertices);
    if (!box) return box.error();
    out.directions.insert(out.directions.end(), box->axes.begin(), box->axes.end());
  }
  return out;
}

// Line along `axis` with the smallest radius around the points: through the centre of their shadow's smallest circle
template <int D>
struct Tube {
  Vec<D, double> on_line{};
  double radius = 0;
};
Tube<2> tube(std::span<const Vec2d> points, const Vec2d& axis) {
  const Vec2d side = perp(axis), origin = points[0];
  double lo = 0, hi = 0;
  for (const Vec2d& p : points) {
    lo = std::fmin(lo, dot(p - origin, side));
    hi = std::fmax(hi, dot(p - origin, side));
  }
  return {origin + side * (lo / 2 + hi / 2), hi / 2 - lo / 2};
}
Tube<3> tube(std::span<const Vec3d> points, const Vec3d& axis) {
  Vec3d u, v;
  make_frame(axis, u, v);
  std::vector<Vec2d> shadow;
  for (const Vec3d& p : points) shadow.push_back({dot(p - points[0], u), dot(p - points[0], v)});
  const auto circle = smallest_sphere<2>(shadow);
  if (!circle) return {points[0], std::numeric_limits<double>::infinity()};
  return {points[0] + u * circle->center.x + v * circle->center.y, circle->radius};
}

// Largest distance from the core, grown by the rounding of its measurement
template <int D>
double cover(std::span<const Vec<D, double>> points, const Capsule<D, double>& capsule) {
  double far = 0, size = distance(capsule.a, capsule.b);
  for (const Vec<D, double>& p : points) {
    far = std::fmax(far, squared_distance_to_core(capsule, p));
    size = std::fmax(size, max_abs(p - capsule.a));
  }
  return std::sqrt(far) * (1 + kRadiusSlack) + kPoseSlack<double> * size;
}

template <int D>
Capsule<D, double> capsule_along(std::span<const Vec<D, double>> points, const Vec<D, double>& axis) {
  const Tube<D> line = tube(points, axis);
  // A point at distance d from the line allows the ball at an end to stand off by sqrt(radius² - d²)
  double first = std::numeric_limits<double>::infinity(), last = -first;
  for (const Vec<D, double>& p : points) {
    const Vec<D, double> from = p - line.on_line;
    const double along = dot(from, axis), aside = length_squared(from - axis * along);
    const double room = std::sqrt(std::fmax(0, line.radius * line.radius - aside));
    first = std::fmin(first, along + room);
    last = std::fmax(last, along - room);
  }
  // Ends that pass each other: one ball in the middle does
  if (first > last) first = last = (first + last) / 2;
  Capsule<D, double> out{line.on_line + axis * first, line.on_line + axis * last, 0};
  out.radius = cover<D>(points, out);
  return out;
}

Cylinder<double> cylinder_along(std::span<const Vec3d> points, const Vec3d& axis) {
  const Tube<3> line = tube(points, axis);
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (const Vec3d& p : points) {
    const double along = dot(p - line.on_line, axis);
    lo = std::fmin(lo, along);
    hi = std::fmax(hi, along);
  }
  // Measured again from where rounding put the centre
  Cylinder<double> out{line.on_line + axis * (lo / 2 + hi / 2), axis, 0, 0};
  double far = 0, size = 0;
  for (const Vec3d& p : points) {
    const Vec3d from = p - out.center;
    const double along = dot(from, axis);
    out.half_height = std::fmax(out.half_height, std::fabs(along));
    far = std::fmax(far, length_squared(from - axis * along));
    size = std::fmax(size, max_abs(from));
  }
  out.half_height += 3 * kPoseSlack<double> * size;
  out.radius = std::sqrt(far) * (1 + kRadiusSlack) + 3 * kPoseSlack<double> * size;
  return out;
}

// The smallest over the directions; volumes compare by size, so that flat bodies with no volume are told apart too
template <class Shape, class Candidates, class Make>
Result<Shape> best_of(const Candidates& tried, Shape best, Make&& make) {
  const auto smaller = [](const Shape& a, const Shape& b) {
    const double va = volume(a), vb = volume(b);
    return va < vb || (va == vb && a.radius < b.radius);
  };
  for (const auto& axis : tried.directions) {
    const Shape next = make(axis);
    if (std::isfinite(next.radius) && (!std::isfinite(best.radius) || smaller(next, best))) best = next;
  }
  if (!std::isfinite(best.radius))
    return Error{ErrorCode::too_large, Error::kNoElement, "a size is past the largest number"};
  return best;
}

}  // namespace

template <int D>
Result<Capsule<D, double>> bounding_capsule(std::span<const Vec<D, double>> points) noexcept {
  return guarded([&]() -> Result<Capsule<D, double>> {
    const auto tried = candidates(points);
    if (!tried) return tried.error();
    // The smallest sphere is a capsule as well
    const auto ball = smallest_sphere<D>(tried->points);
    if (!ball) return ball.error();
    const std::span<const Vec<D, double>> extreme(tried->points);
    return best_of(*tried, Capsule<D, double>{ball->center, ball->center, ball->radius},
                   [&](const Vec<D, double>& axis) { return capsule_along<D>(extreme, axis); });
  });
}

Result<Cylinder<double>> bounding_cylinder(std::span<const Vec3d> points) noexcept {
  return guarded([&]() -> Result<Cylinder<double>> {
    const auto tried = candidates(points);
    if (!tried) return tried.error();
    const Cylinder<double> none{{}, {}, 0, std::numeric_limits<double>::infinity()};
    return best_of(*tried, none, [&](const Vec3d& axis) { return cylinder_along(tried->points, axis); });
  });
}

template Result<Capsule<2, double>> bounding_capsule<2>(std::span<const Vec2d>) noexcept;
template Result<Capsule<3, double>> bounding_capsule<3>(std::span<const Vec3d>) noexcept;

}  // namespace sudar
