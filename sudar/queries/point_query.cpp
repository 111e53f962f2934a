#include <sudar/geom/closest.hpp>
#include <sudar/math/pose_check.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/queries/point_check.hpp>
#include <sudar/queries/point_query.hpp>
#include <sudar/queries/query_tolerance.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {

ShapeOf<2> point_at_origin(const Shape2&) { return Shape2(PointShape2{{}}); }
ShapeOf<3> point_at_origin(const Shape3&) { return Shape3(PointShape3{{}}); }

// A lower bound of the squared distance to what is in the box
double box_distance_squared(const Aabb3d& box, const Vec3d& p) {
  constexpr double kDown = 1 - 8 * kRoundoff;
  return length_squared(p - closest_point_in_box(box.lo, box.hi, p)) * kDown;
}

PointAnswer3 with_sign(const TriangleMesh& mesh, const Vec3d& p, Containment where) {
  const MeshPoint near = closest_on_mesh(mesh, p);
  SUDAR_ASSERT(near.triangle != kNoIndex);
  PointAnswer3 out;
  out.where = where;
  out.point = near.point;
  out.triangle = near.triangle;
  out.distance = where == Containment::boundary ? 0 : where == Containment::inside ? -near.distance : near.distance;
  // Square to the triangle where p is too close to tell
  const Vec3d away = where == Containment::inside ? near.point - p : p - near.point;
  out.normal = normalized(away);
  if (where == Containment::boundary || out.normal == Vec3d{})
    out.normal = normalized(double_area(mesh.triangle(near.triangle)));
  return out;
}

template <int D>
PointAnswer<D> answer_point(const ShapeOf<D>& shape, const Pose<D, double>& world_from_shape, const Vec<D, double>& p);

// A compound that holds the point: inside of it, or on its border? Its depth is rounded up, so near the border its children
// say; where several meet, none has the point inside, and the depth does.
template <int D, class Compound>
Containment inside_of_parts(const Compound& parts, const Pose<D, double>& world_from_shape, const Vec<D, double>& p,
                            double depth) {
  const Aabb<D, double> box = bounding_box(parts, Pose<D, double>{});
  if (depth > kBorderDepth * std::max(max_abs(box.lo), max_abs(box.hi))) return Containment::inside;
  for (const auto& child : parts.children())
    if (answer_point<D>(child.shape, world_from_shape * child.pose, p).where == Containment::inside)
      return Containment::inside;
  return Containment::boundary;
}

// Of a shape that holds the point, with the depth that distance() tells
Containment inside_or_on(const Shape2& shape, const Pose2d& world_from_shape, const Vec2d& p, double depth) {
  switch (shape.kind()) {
    case ShapeKind2::chain:
      return Containment::boundary;
    case ShapeKind2::concave_polygon:
      // The place in the polygon's frame may be rounded to the other side
      return std::max(shape.as<ConcavePolygonShape2>().set->locate(transform(inverse(world_from_shape), p)),
                      Containment::boundary);
    case ShapeKind2::compound:
      return inside_of_parts<2>(*shape.as<CompoundShape2>().parts, world_from_shape, p, depth);
    default:
      return depth > 0 ? Containment::inside : Containment::boundary;
  }
}
Containment inside_or_on(const Shape3& shape, const Pose3d& world_from_shape, const Vec3d& p, double depth) {
  switch (shape.kind()) {
    case ShapeKind3::height_field:
      return Containment::boundary;
    case ShapeKind3::compound:
      return inside_of_parts<3>(*shape.as<CompoundShape3>().parts, world_from_shape, p, depth);
    default:
      return depth > 0 ? Containment::inside : Containment::boundary;
  }
}

template <int D>
PointAnswer<D> answer_of(const ShapeOf<D>& shape, const Pose<D, double>& world_from_shape, const Vec<D, double>& p) {
  // The point is the origin of a shape at the pose that moves it there: moved, not rounded
  const DistanceAnswer<D> x = distance(shape, world_from_shape, point_at_origin(shape), Pose<D, double>{p, {}});
  PointAnswer<D> out;
  out.where = x.hit ? inside_or_on(shape, world_from_shape, p, -x.separation) : Containment::outside;
  out.distance = x.separation;
  out.point = x.point_a;
  out.normal = x.normal;
  out.status = x.status;
  if (out.where == Containment::boundary && !shape.is_convex()) {
    out.distance = 0;
    if (out.status == QueryStatus::max_iterations) out.status = QueryStatus::converged;
  }
  return out;
}

template <int D>
PointAnswer<D> answer_point(const ShapeOf<D>& shape, const Pose<D, double>& world_from_shape, const Vec<D, double>& p) {
  if constexpr (D == 3) {
    if (const auto* mesh = std::get_if<MeshShape3>(&shape.any()); mesh != nullptr) {
      const Vec3d local = transform(inverse(world_from_shape), p);
      Containment where = mesh->mesh->locate(local);
      if (!mesh->solid && where == Containment::inside) where = Containment::outside;
      PointAnswer3 out = with_sign(*mesh->mesh, local, where);
      out.point = transform(world_from_shape, out.point);
      out.normal = rotate(world_from_shape.rotation, out.normal);
      return out;
    }
  }
  return answer_of<D>(shape, world_from_shape, p);
}

}  // namespace

template <int D>
Result<PointAnswer<D>> locate_point(const ShapeOf<D>& shape, const Pose<D, double>& world_from_shape,
                                    const Vec<D, double>& p) noexcept {
  if (const auto r = check_point<D>(p, Error::kNoElement); !r) return r.error();
  const auto pose = checked_pose<D>(world_from_shape, Error::kNoElement, kMaxPlace);
  if (!pose) return pose.error();
  return guarded([&]() -> Result<PointAnswer<D>> { return answer_point<D>(shape, *pose, p); });
}

template <int D>
Result<void> locate_points(const ShapeOf<D>& shape, const Pose<D, double>& world_from_shape,
                           std::span<const Vec<D, double>> points, std::span<PointAnswer<D>> answers,
                           Executor& executor) noexcept {
  if (answers.size() != points.size())
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "as many answers as points"};
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!is_place<D>(points[i])) return check_point<D>(points[i], i);
  const auto pose = checked_pose<D>(world_from_shape, Error::kNoElement, kMaxPlace);
  if (!pose) return pose.error();
  return guarded([&]() -> Result<void> {
    constexpr std::size_t kPointsAtATime = 128;
    parallel_for(executor, points.size(), kPointsAtATime, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) answers[i] = answer_point<D>(shape, *pose, points[i]);
    });
    return {};
  });
}

MeshPoint closest_on_mesh(const TriangleMesh& mesh, const Vec3d& p, double max_distance) noexcept {
  MeshPoint out;
  // Squares; the least above that of the limit, so that what is just as far counts
  double best = next_up(max_distance * max_distance);
  for_each_nearer(
      mesh.tree(), [&](const Aabb3d& box) { return box_distance_squared(box, p); }, best,
      [&](std::uint32_t t) {
        const ClosestOnTriangle<3, double> x = closest_point(mesh.triangle(t), p);
        const bool better = x.distance_squared < best || (x.distance_squared == best && t < out.triangle);
        if (!better) return;
        best = x.distance_squared;
        out = {std::sqrt(best), x.point, t, x.u, x.v, x.feature};
      });
  return out;
}

Result<PointAnswer3> signed_distance(const TriangleMesh& mesh, const Vec3d& p) noexcept {
  if (const auto r = check_point<3>(p, Error::kNoElement); !r) return r.error();
  if (!mesh.is_closed()) {
    // Where: a triangle with an edge that has no twin
    for (std::uint32_t h = 0; h < 3 * mesh.triangle_count(); ++h)
      if (mesh.twin(h) == kNoIndex)
        return Error{ErrorCode::not_closed, triangle_of(h), "sign unknown: mesh is open at this triangle"};
    return Error{ErrorCode::not_closed, Error::kNoElement, "sign unknown: mesh is open"};
  }
  return with_sign(mesh, p, mesh.locate(p));
}

template SUDAR_API Result<PointAnswer<2>> locate_point<2>(const Shape2&, const Pose2d&, const Vec2d&) noexcept;
template SUDAR_API Result<PointAnswer<3>> locate_point<3>(const Shape3&, const Pose3d&, const Vec3d&) noexcept;
template SUDAR_API Result<void> locate_points<2>(const Shape2&, const Pose2d&, std::span<const Vec2d>,
                                                 std::span<PointAnswer<2>>, Executor&) noexcept;
template SUDAR_API Result<void> locate_points<3>(const Shape3&, const Pose3d&, std::span<const Vec3d>,
                                                 std::span<PointAnswer<3>>, Executor&) noexcept;

}  // namespace sudar
