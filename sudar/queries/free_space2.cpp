#include <sudar/geom/hull2.hpp>
#include <sudar/geom/minkowski2.hpp>
#include <sudar/math/pose_check.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/queries/free_space2.hpp>
#include <sudar/queries/query_tolerance.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {

constexpr int kRoundSides = 32;

Result<ConvexPart2> hull_of(std::span<const Vec2d> points) {
  const auto indices = convex_hull2(points);
  if (!indices) return indices.error();
  ConvexPart2 out;
  for (const std::uint32_t i : *indices) out.push_back(points[i]);
  return out;
}

// The corners of a polygon around a circle
ConvexPart2 round_element(double radius) {
  ConvexPart2 out;
  const double reach = radius / sin_cos(kPi / kRoundSides).cos;
  for (int i = 0; i < kRoundSides; ++i) {
    const SinCos angle = sin_cos(2 * kPi * i / kRoundSides);
    out.push_back({reach * angle.cos, reach * angle.sin});
  }
  return out;
}

Result<void> add_parts(const Shape2& shape, const Pose2d& pose, std::vector<ConvexPart2>& out) {
  const auto add = [&](std::span<const Vec2d> points, double radius) -> Result<void> {
    std::vector<Vec2d> placed;
    for (const Vec2d& p : points) placed.push_back(transform(pose, p));
    Result<ConvexPart2> part = hull_of(placed);
    if (!part) return part.error();
    if (radius > 0) {
      const auto grown = minkowski_sum(*part, round_element(radius));
      if (!grown) return grown.error();
      part = grown->vertices;
    }
    out.push_back(*std::move(part));
    return {};
  };
  switch (shape.kind()) {
    case ShapeKind2::point:
      return add(std::span(&shape.as<PointShape2>().p, 1), 0);
    case ShapeKind2::segment: {
      const Vec2d ends[] = {shape.as<SegmentShape2>().p, shape.as<SegmentShape2>().q};
      return add(ends, 0);
    }
    case ShapeKind2::circle: {
      const Vec2d middle[] = {{0, 0}};
      return add(middle, shape.as<CircleShape2>().radius);
    }
    case ShapeKind2::capsule: {
      const Vec2d ends[] = {shape.as<CapsuleShape2>().p, shape.as<CapsuleShape2>().q};
      return add(ends, shape.as<CapsuleShape2>().radius);
    }
    case ShapeKind2::box: {
      const Vec2d h = shape.as<BoxShape2>().half, corners[] = {-h, {h.x, -h.y}, h, {-h.x, h.y}};
      return add(corners, 0);
    }
    case ShapeKind2::polygon:
      return add(shape.as<PolygonShape2>().body->vertices(), shape.as<PolygonShape2>().radius);
    case ShapeKind2::concave_polygon:
      for (const auto& part : shape.as<ConcavePolygonShape2>().set->parts())
        if (const auto r = add(part->vertices(), 0); !r) return r;
      return {};
    case ShapeKind2::compound:
      for (const CompoundChild2& child : shape.as<CompoundShape2>().parts->children())
        if (const auto r = add_parts(child.shape, pose * child.pose, out); !r) return r;
      return {};
    case ShapeKind2::custom:
    case ShapeKind2::halfplane:
    case ShapeKind2::chain:
      break;
  }
  return Error{ErrorCode::unsupported, Error::kNoElement, "this kind of shape has no convex parts"};
}

bool strictly_inside(const ConvexPart2& polygon, const Vec2d& p) {
  if (polygon.size() < 3) return false;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    if (orient2d(polygon[i], polygon[i + 1 < polygon.size() ? i + 1 : 0], p) <= 0) return false;
  return true;
}

// What is left of a convex polygon on the side n · x <= offset
ConvexPart2 clipped(const ConvexPart2& polygon, const Vec2d& n, double offset) {
  ConvexPart2 out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2d &a = polygon[i], &b = polygon[i + 1 < polygon.size() ? i + 1 : 0];
    const double da = dot(n, a) - offset, db = dot(n, b) - offset;
    if (da <= 0) out.push_back(a);
    if ((da < 0 && db > 0) || (da > 0 && db < 0)) out.push_back(a + (b - a) * (da / (da - db)));
  }
  return out;
}

}  // namespace

Result<std::vector<ConvexPart2>> convex_parts2(const Shape2& shape, const Pose2d& pose) noexcept {
  return guarded([&]() -> Result<std::vector<ConvexPart2>> {
    const auto place = checked_pose<2>(pose, Error::kNoElement, kMaxWay);
    if (!place) return place.error();
    std::vector<ConvexPart2> out;
    if (const auto r = add_parts(shape, *place, out); !r) return r.error();
    return out;
  });
}

Result<std::vector<ConvexPart2>> dilate(std::span<const ConvexPart2> parts, std::span<const Vec2d> element) noexcept {
  return guarded([&]() -> Result<std::vector<ConvexPart2>> {
    const Result<ConvexPart2> by = hull_of(element);
    if (!by) return by.error();
    std::vector<ConvexPart2> out;
    for (const ConvexPart2& part : parts) {
      const Result<ConvexPart2> hull = hull_of(part);
      if (!hull) return hull.error();
      auto sum = minkowski_sum(*hull, *by);
      if (!sum) return sum.error();
      out.push_back(std::move(sum->vertices));
    }
    return out;
  });
}

Result<ConvexPart2> erode(std::span<const Vec2d> polygon, std::span<const Vec2d> element) noexcept {
  return guarded([&]() -> Result<ConvexPart2> {
    const Result<ConvexPart2> whole = hull_of(polygon), by = hull_of(element);
    if (!whole) return whole.error();
    if (!by) return by.error();
    for (const std::span<const Vec2d> points : {polygon, element})
      for (std::size_t i = 0; i < points.size(); ++i)
        if (!(max_abs(points[i]) <= kMaxEroded)) return Error{ErrorCode::too_large, i, "vertex beyond 2^1000 metres"};
    // Start from where one point of the element may be, then ask the farthest for every side
    ConvexPart2 left = *whole;
    for (Vec2d& v : left) v -= by->front();
    for (std::size_t i = 0; i < whole->size() && whole->size() > 2; ++i) {
      const Vec2d &a = (*whole)[i], &b = (*whole)[i + 1 < whole->size() ? i + 1 : 0];
      // Scaled by a power of two: not rounded, so that what fits exactly is not lost
      Vec2d n{b.y - a.y, a.x - b.x};
      const int exponent = std::ilogb(max_abs(n));
      n = {std::scalbn(n.x, -exponent), std::scalbn(n.y, -exponent)};
      double reach = -std::numeric_limits<double>::infinity();
      for (const Vec2d& e : *by) reach = std::max(reach, dot(n, e));
      left = clipped(left, n, dot(n, a) - reach);
    }
    if (left.empty()) return left;
    return hull_of(left);
  });
}

bool FreeSpace2::is_free(const Vec2d& place) const noexcept {
  if (!is_finite(place)) return false;
  for (const ConvexPart2& part : obstacles)
    if (strictly_inside(part, place)) return false;
  if (bounded)
    for (std::size_t i = 0; i < bounds.size(); ++i)
      if (orient2d(bounds[i], bounds[i + 1 < bounds.size() ? i + 1 : 0], place) < 0) return false;
  return true;
}

Result<FreeSpace2> make_free_space2(std::span<const ConvexPart2> robot, std::span<const ConvexPart2> obstacles,
                                    std::span<const Vec2d> container) noexcept {
  return guarded([&]() -> Result<FreeSpace2> {
    if (robot.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "the robot has no part"};
    FreeSpace2 out;
    std::vector<ConvexPart2> parts;
    std::vector<Vec2d> all;
    for (const ConvexPart2& part : robot) {
      Result<ConvexPart2> hull = hull_of(part);
      if (!hull) return hull.error();
      all.insert(all.end(), hull->begin(), hull->end());
      parts.push_back(*std::move(hull));
    }
    for (std::size_t i = 0; i < obstacles.size(); ++i) {
      const Result<ConvexPart2> hull = hull_of(obstacles[i]);
      if (!hull) return hull.error();
      for (const ConvexPart2& part : parts) {
        auto difference = minkowski_difference(*hull, part);
        if (!difference) return difference.error();
        if (difference->vertices.size() < 3)
          return Error{ErrorCode::degenerate, i, "obstacle and robot have no area together"};
        out.obstacles.push_back(std::move(difference->vertices));
      }
    }
    if (!container.empty()) {
      // A convex room holds the robot when it holds all of its corners
      Result<ConvexPart2> bounds = erode(container, all);
      if (!bounds) return bounds.error();
      if (bounds->size() < 3)
        return Error{ErrorCode::degenerate, Error::kNoElement, "the robot does not fit into the container"};
      out.bounds = *std::move(bounds);
      out.bounded = true;
    }
    return out;
  });
}

}  // namespace sudar
