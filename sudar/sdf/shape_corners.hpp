// What:    The corners of a shape: points that, each grown by a radius, are where it first touches something flat.
// Frame:   That of the pose; numbers as features2.hpp and features3.hpp have them, meshes and terrains by their vertices,
//          chains and polygons by theirs, children of compounds counted through.
// Fails:   never; smooth shapes (ellipsoids, custom ones) have none, a ball has its middle.
#pragma once

#include <sudar/math/scalar.hpp>
#include <sudar/narrowphase/features3.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/convex_body3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <variant>

namespace sudar {

template <int D>
struct ShapeCorner {
  Vec<D, double> position;
  double radius;
  std::uint32_t number;
};

template <class F>
void for_each_corner(const Shape2& shape, const Pose2d& pose, F&& visit, std::uint32_t base = 0) {
  const auto one = [&](const Vec2d& p, double radius, std::uint32_t number) {
    visit(ShapeCorner<2>{transform(pose, p), radius, base + number});
  };
  const auto all = [&](std::span<const Vec2d> points, double radius) {
    for (std::uint32_t i = 0; i < points.size(); ++i) one(points[i], radius, i);
  };
  switch (shape.kind()) {
    case ShapeKind2::point:
      return one(shape.as<PointShape2>().p, 0, 0);
    case ShapeKind2::segment: {
      const Vec2d ends[] = {shape.as<SegmentShape2>().p, shape.as<SegmentShape2>().q};
      return all(ends, 0);
    }
    case ShapeKind2::circle:
      return one({}, shape.as<CircleShape2>().radius, 0);
    case ShapeKind2::capsule: {
      const Vec2d ends[] = {shape.as<CapsuleShape2>().p, shape.as<CapsuleShape2>().q};
      return all(ends, shape.as<CapsuleShape2>().radius);
    }
    case ShapeKind2::box: {
      const Vec2d h = shape.as<BoxShape2>().half, corners[] = {-h, {h.x, -h.y}, h, {-h.x, h.y}};
      return all(corners, 0);
    }
    case ShapeKind2::polygon:
      return all(shape.as<PolygonShape2>().body->vertices(), shape.as<PolygonShape2>().radius);
    case ShapeKind2::chain:
      return all(shape.as<ChainShape2>().set->vertices(), 0);
    case ShapeKind2::concave_polygon:
      return all(shape.as<ConcavePolygonShape2>().set->vertices(), 0);
    case ShapeKind2::compound: {
      const Compound2& parts = *shape.as<CompoundShape2>().parts;
      for (std::uint32_t i = 0; i < parts.children().size(); ++i)
        for_each_corner(parts.children()[i].shape, pose * parts.children()[i].pose, visit,
                        base + parts.feature_base(i));
      return;
    }
    case ShapeKind2::custom:
    case ShapeKind2::halfplane:
      return;
  }
}

template <class F>
void for_each_corner(const Shape3& shape, const Pose3d& pose, F&& visit, std::uint32_t base = 0) {
  const auto one = [&](const Vec3d& p, double radius, std::uint32_t number) {
    visit(ShapeCorner<3>{transform(pose, p), radius, base + number});
  };
  const auto all = [&](std::span<const Vec3d> points, double radius) {
    for (std::uint32_t i = 0; i < points.size(); ++i) one(points[i], radius, i);
  };
  const auto rim = [&](double radius, double z, std::uint32_t first) {
    for (std::uint32_t i = 0; i < kRimSamples; ++i) {
      const SinCos angle = sin_cos(2 * kPi * i / kRimSamples);
      one({radius * angle.cos, radius * angle.sin, z}, 0, first + i);
    }
  };
  switch (shape.kind()) {
    case ShapeKind3::point:
      return one(shape.as<PointShape3>().p, 0, 0);
    case ShapeKind3::segment: {
      const Vec3d ends[] = {shape.as<SegmentShape3>().p, shape.as<SegmentShape3>().q};
      return all(ends, 0);
    }
    case ShapeKind3::triangle:
      return all(shape.as<TriangleShape3>().v, 0);
    case ShapeKind3::sphere:
      return one({}, shape.as<SphereShape3>().radius, 0);
    case ShapeKind3::capsule: {
      const Vec3d ends[] = {shape.as<CapsuleShape3>().p, shape.as<CapsuleShape3>().q};
      return all(ends, shape.as<CapsuleShape3>().radius);
    }
    case ShapeKind3::box: {
      const Vec3d h = shape.as<BoxShape3>().half;
      for (std::uint32_t i = 0; i < 8; ++i)
        one({(i & 1) != 0 ? h.x : -h.x, (i & 2) != 0 ? h.y : -h.y, (i & 4) != 0 ? h.z : -h.z}, 0, i);
      return;
    }
    case ShapeKind3::cylinder: {
      const auto& c = shape.as<CylinderShape3>();
      rim(c.radius, c.half_height, 0);
      return rim(c.radius, -c.half_height, kRimSamples);
    }
    case ShapeKind3::cone: {
      const auto& c = shape.as<ConeShape3>();
      rim(c.radius, -c.half_height, 0);
      return one({0, 0, c.half_height}, 0, kRimSamples);
    }
    case ShapeKind3::hull:
      return all(shape.as<HullShape3>().body->vertices(), shape.as<HullShape3>().radius);
    case ShapeKind3::mesh:
      return all(shape.as<MeshShape3>().mesh->mesh().vertices, 0);
    case ShapeKind3::height_field: {
      const HeightField& field = *shape.as<HeightFieldShape3>().field;
      for (std::uint32_t j = 0; j < field.rows(); ++j)
        for (std::uint32_t i = 0; i < field.columns(); ++i) one(field.vertex(i, j), 0, j * field.columns() + i);
      return;
    }
    case ShapeKind3::compound: {
      const Compound3& parts = *shape.as<CompoundShape3>().parts;
      for (std::uint32_t i = 0; i < parts.children().size(); ++i)
        for_each_corner(parts.children()[i].shape, pose * parts.children()[i].pose, visit,
                        base + parts.feature_base(i));
      return;
    }
    case ShapeKind3::ellipsoid:
    case ShapeKind3::custom:
    case ShapeKind3::halfspace:
      return;
  }
}

}  // namespace sudar
