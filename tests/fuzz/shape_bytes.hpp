// What:    The shapes that have parts or curves of their own, and turns, out of a fuzzer's bytes.
// Differs: They came after the first corpora. So a byte that chooses a shape has the first ones below kMoreShapes, as it always
//          had, and these above.
#pragma once

#include "tests/fuzz/bytes.hpp"
#include <sudar/geom/hull3.hpp>
#include <sudar/geom/mesh_from_hull.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <vector>

namespace sudar_fuzz {

inline constexpr std::uint8_t kMoreShapes = 192;

inline void turn(Bytes& bytes, sudar::Pose2d& pose) { pose.rotation = sudar::Rot2d::from_angle(bytes.number()); }
inline void turn(Bytes& bytes, sudar::Pose3d& pose) {
  const sudar::Quatd q{bytes.number(), bytes.number(), bytes.number(), bytes.number()};
  const double size = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  if (size > 1e-6 && size < 1e12) pose.rotation = normalized(q);
}

template <int D>
std::vector<sudar::Vec<D, double>> some_points(Bytes& bytes, std::uint32_t least, std::uint32_t most) {
  std::vector<sudar::Vec<D, double>> points(least + bytes.below(most - least + 1));
  for (auto& p : points) p = bytes.vector<D>();
  return points;
}

// Of a ball, a box and a rod in places of their own, some of them turned
inline sudar::Result<sudar::Shape2> some_compound(Bytes& bytes, std::integral_constant<int, 2>) {
  std::vector<sudar::CompoundChild2> children;
  for (std::uint32_t count = 1 + bytes.below(3); count > 0; --count) {
    const std::uint32_t kind = bytes.below(6);
    const double size = bytes.size();
    const auto made = kind % 3 == 0   ? sudar::make_circle2(size)
                      : kind % 3 == 1 ? sudar::make_box2({size, bytes.size()})
                                      : sudar::make_capsule2({-size, 0}, {size, 0}, bytes.size());
    if (!made) return made.error();
    children.push_back({*made, {bytes.vector<2>(), {}}});
    if (kind >= 3) turn(bytes, children.back().pose);
  }
  return sudar::make_compound2(children);
}
inline sudar::Result<sudar::Shape3> some_compound(Bytes& bytes, std::integral_constant<int, 3>) {
  std::vector<sudar::CompoundChild3> children;
  for (std::uint32_t count = 1 + bytes.below(3); count > 0; --count) {
    const std::uint32_t kind = bytes.below(6);
    const double size = bytes.size();
    const auto made = kind % 3 == 0   ? sudar::make_sphere3(size)
                      : kind % 3 == 1 ? sudar::make_box3({size, bytes.size(), bytes.size()})
                                      : sudar::make_capsule3({-size, 0, 0}, {size, 0, 0}, bytes.size());
    if (!made) return made.error();
    children.push_back({*made, {bytes.vector<3>(), {}}});
    if (kind >= 3) turn(bytes, children.back().pose);
  }
  return sudar::make_compound3(children);
}

// The surface of a hull, which is solid, or any triangles
inline sudar::Result<sudar::Shape3> some_mesh(Bytes& bytes) {
  const bool whole = bytes.coin();
  const auto points = some_points<3>(bytes, 4, 9);
  if (whole) {
    const auto hull = sudar::quickhull3<>(points);
    if (!hull) return hull.error();
    const auto mesh = to_mesh(*hull);
    if (!mesh) return mesh.error();
    return sudar::make_mesh_shape3(mesh->vertices, mesh->triangles, bytes.coin());
  }
  const auto count = static_cast<std::uint32_t>(points.size());
  std::vector<sudar::MeshTriangle> triangles(1 + bytes.below(8));
  for (sudar::MeshTriangle& t : triangles) t = {bytes.below(count), bytes.below(count), bytes.below(count)};
  return sudar::make_mesh_shape3(points, triangles, false);
}

inline sudar::Result<sudar::Shape3> some_heights(Bytes& bytes) {
  const std::uint32_t columns = 2 + bytes.below(3), rows = 2 + bytes.below(3);
  std::vector<double> heights(columns * rows);
  for (double& height : heights) height = bytes.number();
  const double width = bytes.size();
  return sudar::make_height_field3(heights, columns, rows, {width, bytes.size()});
}

inline sudar::Result<sudar::Shape2> more_shape(Bytes& bytes, std::uint8_t choice, std::integral_constant<int, 2> dim) {
  switch (choice % 5) {
    case 0:
      return some_compound(bytes, dim);
    case 1: {
      const auto points = some_points<2>(bytes, 2, 7);
      return sudar::make_chain2(points, bytes.coin());
    }
    case 2:
      return sudar::make_concave_polygon2(some_points<2>(bytes, 3, 8));
    case 3: {
      const sudar::Vec2d p = bytes.vector<2>();
      return sudar::make_segment2(p, bytes.vector<2>());
    }
    default: {
      const auto points = some_points<2>(bytes, 1, 6);
      return sudar::make_polygon2(points, bytes.size());
    }
  }
}
inline sudar::Result<sudar::Shape3> more_shape(Bytes& bytes, std::uint8_t choice, std::integral_constant<int, 3> dim) {
  switch (choice % 7) {
    case 0:
    case 1:
      return sudar::make_ellipsoid3({bytes.size(), bytes.size(), bytes.size()});
    case 2: {
      const double half_height = bytes.size();
      return sudar::make_cone3(half_height, bytes.size());
    }
    case 3:
      return some_mesh(bytes);
    case 4:
      return some_heights(bytes);
    case 5:
      return some_compound(bytes, dim);
    default: {
      const auto points = some_points<3>(bytes, 1, 8);
      return sudar::make_hull_shape3(points, bytes.size());
    }
  }
}

}  // namespace sudar_fuzz
