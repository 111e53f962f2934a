// What:    A placed shape as numbers that can be made simpler, in the plane and in space: what the maker takes, and the place as
//          a line of `sudar query` says it, an angle or a quaternion that stays as it is when it is read.
// Differs: Meshes without an inside lose triangles and compounds children; solid meshes and height fields stay whole.
#pragma once

#include "lab/query_line.hpp"
#include "tests/support/pair_case.hpp"
#include "tests/support/shrink.hpp"
#include "tests/support/written_case.hpp"
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/convex_body3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <cmath>
#include <map>
#include <span>
#include <type_traits>
#include <vector>

namespace sudar_test {

template <class V>
void append_numbers(std::vector<double>& out, std::span<const V> points) {
  for (const V& p : points)
    for (int k = 0; k < V::kDim; ++k) out.push_back(p[k]);
}
template <class V>
void append_numbers(std::vector<double>& out, const V& p) {
  append_numbers<V>(out, std::span<const V>(&p, 1));
}

// In the order of BodyCase: a radius or an offset first, then points
inline std::vector<double> numbers_of(const sudar::Shape3& shape) {
  using namespace sudar;
  std::vector<double> x;
  switch (shape.kind()) {
    case ShapeKind3::point:
      append_numbers(x, shape.as<PointShape3>().p);
      break;
    case ShapeKind3::segment:
      append_numbers(x, shape.as<SegmentShape3>().p), append_numbers(x, shape.as<SegmentShape3>().q);
      break;
    case ShapeKind3::triangle:
      append_numbers<Vec3d>(x, std::span<const Vec3d>(shape.as<TriangleShape3>().v));
      break;
    case ShapeKind3::sphere:
      x = {shape.as<SphereShape3>().radius};
      break;
    case ShapeKind3::capsule:
      x = {shape.as<CapsuleShape3>().radius};
      append_numbers(x, shape.as<CapsuleShape3>().p), append_numbers(x, shape.as<CapsuleShape3>().q);
      break;
    case ShapeKind3::box:
      append_numbers(x, shape.as<BoxShape3>().half);
      break;
    case ShapeKind3::cylinder:
      x = {shape.as<CylinderShape3>().half_height, shape.as<CylinderShape3>().radius};
      break;
    case ShapeKind3::cone:
      x = {shape.as<ConeShape3>().half_height, shape.as<ConeShape3>().radius};
      break;
    case ShapeKind3::ellipsoid:
      append_numbers(x, shape.as<EllipsoidShape3>().radii);
      break;
    case ShapeKind3::halfspace:
      x = {shape.as<HalfSpaceShape3>().offset};
      append_numbers(x, shape.as<HalfSpaceShape3>().normal);
      break;
    case ShapeKind3::hull:
      x = {shape.as<HullShape3>().radius};
      append_numbers<Vec3d>(x, shape.as<HullShape3>().body->vertices());
      break;
    default:
      break;
  }
  return x;
}
inline std::vector<double> numbers_of(const sudar::Shape2& shape) {
  using namespace sudar;
  std::vector<double> x;
  switch (shape.kind()) {
    case ShapeKind2::point:
      append_numbers(x, shape.as<PointShape2>().p);
      break;
    case ShapeKind2::segment:
      append_numbers(x, shape.as<SegmentShape2>().p), append_numbers(x, shape.as<SegmentShape2>().q);
      break;
    case ShapeKind2::circle:
      x = {shape.as<CircleShape2>().radius};
      break;
    case ShapeKind2::capsule:
      x = {shape.as<CapsuleShape2>().radius};
      append_numbers(x, shape.as<CapsuleShape2>().p), append_numbers(x, shape.as<CapsuleShape2>().q);
      break;
    case ShapeKind2::box:
      append_numbers(x, shape.as<BoxShape2>().half);
      break;
    case ShapeKind2::halfplane:
      x = {shape.as<HalfPlaneShape2>().offset};
      append_numbers(x, shape.as<HalfPlaneShape2>().normal);
      break;
    case ShapeKind2::polygon:
      x = {shape.as<PolygonShape2>().radius};
      append_numbers<Vec2d>(x, shape.as<PolygonShape2>().body->vertices());
      break;
    default:
      break;
  }
  return x;
}

// A shape of the same kind
inline sudar::Result<sudar::Shape3> made_of(const sudar::Shape3& like, const std::vector<double>& x) {
  return make_shape(BodyCase{like.kind(), x, {}, {}});
}
inline sudar::Result<sudar::Shape2> made_of(const sudar::Shape2& like, const std::vector<double>& x) {
  return make_shape(PlaneBodyCase{like.kind(), x, {}, 0});
}

template <int D>
using Place = std::conditional_t<D == 2, sudar::lab::TurnedPlace2, sudar::Pose3d>;
inline sudar::Pose2d pose_of(const sudar::lab::TurnedPlace2& at) { return at.pose(); }
inline sudar::Pose3d pose_of(const sudar::Pose3d& at) { return at; }
// Nearly the same, as a line can say it
inline sudar::lab::TurnedPlace2 place_of(const sudar::Pose2d& pose) {
  return {pose.position, std::atan2(pose.rotation.s, pose.rotation.c)};
}
inline sudar::Pose3d place_of(const sudar::Pose3d& pose) { return {pose.position, sudar::lab::settled(pose.rotation)}; }

template <int D>
struct ShapeCase {
  sudar::AnyShape<D> shape;
  Place<D> at{};
  std::vector<double> numbers{};  // while it is being shrunk

  sudar::Pose<D, double> pose() const { return pose_of(at); }
};
template <int D>
ShapeCase<D> shape_case(const sudar::AnyShape<D>& shape, const sudar::Pose<D, double>& pose = {}) {
  return {shape, place_of(pose), {}};
}

// The shape of its numbers; false when there is none
template <int D>
bool remake(ShapeCase<D>& c) {
  if (c.numbers.empty()) return true;
  auto made = made_of(c.shape, c.numbers);
  if (made) c.shape = *std::move(made);
  return made.ok();
}

// These triangles of a mesh, with the vertices that they have
inline sudar::Result<sudar::Shape3> surface_of(const sudar::Mesh& whole,
                                               const std::vector<sudar::MeshTriangle>& triangles) {
  std::vector<sudar::Vec3d> vertices;
  std::map<std::uint32_t, std::uint32_t> place;
  std::vector<sudar::MeshTriangle> moved = triangles;
  for (sudar::MeshTriangle& t : moved)
    for (std::uint32_t& i : t) {
      const auto [at, fresh] = place.try_emplace(i, static_cast<std::uint32_t>(vertices.size()));
      if (fresh) vertices.push_back(whole.vertices[i]);
      i = at->second;
    }
  return sudar::make_mesh_shape3(vertices, moved, false);
}

// These children
inline sudar::Result<sudar::Shape3> compound_of(const std::vector<sudar::CompoundChild3>& children) {
  return sudar::make_compound3(children);
}
inline sudar::Result<sudar::Shape2> compound_of(const std::vector<sudar::CompoundChild2>& children) {
  return sudar::make_compound2(children);
}
inline std::vector<sudar::CompoundChild3> children_of(const sudar::Shape3& s) {
  if (s.kind() != sudar::ShapeKind3::compound) return {};
  const auto all = s.as<sudar::CompoundShape3>().parts->children();
  return {all.begin(), all.end()};
}
inline std::vector<sudar::CompoundChild2> children_of(const sudar::Shape2& s) {
  if (s.kind() != sudar::ShapeKind2::compound) return {};
  const auto all = s.as<sudar::CompoundShape2>().parts->children();
  return {all.begin(), all.end()};
}

// A simpler case for which fails(case) still holds. A case has shapes(), pointers to its placed shapes, and numbers(),
// pointers to all other numbers.
template <class Case, class F>
Case shrink_case(Case c, const F& fails) {
  const auto holds = [&](const Case& other) {
    Case made = other;
    for (auto* shape : made.shapes())
      if (!remake(*shape)) return false;
    return fails(std::as_const(made));
  };
  for (auto* shape : c.shapes()) shape->numbers = numbers_of(shape->shape);
  const auto try_it = [&](auto& place, const auto& simple) {
    const auto before = std::exchange(place, simple);
    if (!holds(c)) place = before;
  };
  // Another shape of the same kind in its place; whether it still fails
  const auto with_shape = [&](auto* shape, auto made) {
    if (!made) return false;
    const auto before = std::exchange(shape->shape, *std::move(made));
    const bool still = holds(c);
    if (!still) shape->shape = before;
    return still;
  };
  for (auto* shape : c.shapes()) {
    using S = std::remove_pointer_t<decltype(shape)>;
    constexpr std::size_t kAxes = std::is_same_v<S, ShapeCase<2>> ? 2 : 3;
    // Points of hulls and polygons that are not needed: the numbers are the radius and points
    const auto has_points = [&] {
      if constexpr (kAxes == 2)
        return shape->shape.kind() == sudar::ShapeKind2::polygon;
      else
        return shape->shape.kind() == sudar::ShapeKind3::hull;
    }();
    for (std::size_t i = 1; has_points && shape->numbers.size() > 1 + kAxes && i < shape->numbers.size();) {
      std::vector<double> fewer = shape->numbers;
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(i);
      fewer.erase(first, first + static_cast<std::ptrdiff_t>(kAxes));
      const std::size_t before = shape->numbers.size();
      try_it(shape->numbers, fewer);
      if (shape->numbers.size() == before) i += kAxes;
    }
    if (auto children = children_of(shape->shape); !children.empty())
      leave_out(children, [&](const auto& fewer) { return with_shape(shape, compound_of(fewer)); });
    if constexpr (kAxes == 3)
      if (shape->shape.kind() == sudar::ShapeKind3::mesh && !shape->shape.template as<sudar::MeshShape3>().solid) {
        const sudar::Mesh whole = shape->shape.template as<sudar::MeshShape3>().mesh->mesh();
        std::vector<sudar::MeshTriangle> triangles = whole.triangles;
        leave_out(triangles, [&](const std::vector<sudar::MeshTriangle>& fewer) {
          return with_shape(shape, surface_of(whole, fewer));
        });
      }
    try_it(shape->at, std::remove_reference_t<decltype(shape->at)>{shape->at.position, {}});
  }
  simplify_numbers(
      c,
      [](Case& made) {
        std::vector<double*> all = made.numbers();
        for (auto* shape : made.shapes()) {
          for (int k = 0; k < decltype(shape->at.position)::kDim; ++k) all.push_back(&shape->at.position[k]);
          if constexpr (std::is_same_v<decltype(shape), ShapeCase<2>*>) all.push_back(&shape->at.angle);
          for (double& x : shape->numbers) all.push_back(&x);
        }
        return all;
      },
      holds);
  for (auto* shape : c.shapes()) (void)remake(*shape), shape->numbers.clear();
  return c;
}

// What to say of a case of which wrong(case) says something, without numbers in it: shrunk as long as the same is said, and
// written. A campaign sees bodies turned a rounding differently than a line says it; then the case is written whole.
template <class Case, class Wrong>
std::string shrunk_case(const Case& c, const std::string& first, const Wrong& wrong) {
  if (wrong(c) != first)
    return first + ", but not of the case as it is written and read again: " + write_case_text(case_line(c));
  const Case small = shrink_case(c, [&](const Case& other) { return wrong(other) == first; });
  return first + ": " + write_case_text(case_line(small));
}

}  // namespace sudar_test
