// What:    A body of any kind and its place, out of a fuzzer's bytes: what the makers refuse is a point.
#pragma once

#include "tests/fuzz/shape_bytes.hpp"

#include <type_traits>
#include <vector>

namespace sudar_fuzz {

// As the first byte of all
inline constexpr std::uint8_t kInThePlane = 255;

inline sudar::Shape3 body_of(Bytes& bytes) {
  using namespace sudar;
  const auto or_point = [](const Result<Shape3>& made) { return made ? *made : *make_point3({0, 0, 0}); };
  const std::uint8_t choice = bytes.byte();
  if (choice >= kMoreShapes) return or_point(more_shape(bytes, choice, std::integral_constant<int, 3>()));
  switch (choice % 10) {
    case 0:
      return or_point(make_sphere3(bytes.size()));
    case 1: {
      const Vec3d p = bytes.vector<3>(), q = bytes.vector<3>();
      return or_point(make_capsule3(p, q, bytes.size()));
    }
    case 2:
    case 3:
      return or_point(make_box3({bytes.size(), bytes.size(), bytes.size()}));
    case 4: {
      const double half_height = bytes.size();
      return or_point(make_cylinder3(half_height, bytes.size()));
    }
    case 5: {
      const double half_height = bytes.size();
      return or_point(make_cone3(half_height, bytes.size()));
    }
    case 6: {
      const Vec3d p = bytes.vector<3>(), q = bytes.vector<3>();
      return or_point(make_triangle3(p, q, bytes.vector<3>()));
    }
    case 7: {
      const Vec3d p = bytes.vector<3>();
      return or_point(make_segment3(p, bytes.vector<3>()));
    }
    case 8: {
      const Vec3d normal = bytes.vector<3>();
      return or_point(make_halfspace3(normal, bytes.number()));
    }
    default: {
      std::vector<Vec3d> points(1 + bytes.below(12));
      for (Vec3d& p : points) p = bytes.vector<3>();
      return or_point(make_hull_shape3(points, bytes.below(4) == 0 ? bytes.size() : 0));
    }
  }
}
inline sudar::Shape2 flat_body_of(Bytes& bytes) {
  using namespace sudar;
  const auto or_point = [](const Result<Shape2>& made) { return made ? *made : *make_point2({0, 0}); };
  const std::uint8_t choice = bytes.byte();
  if (choice >= kMoreShapes) return or_point(more_shape(bytes, choice, std::integral_constant<int, 2>()));
  switch (choice % 6) {
    case 0:
      return or_point(make_circle2(bytes.size()));
    case 1: {
      const Vec2d p = bytes.vector<2>(), q = bytes.vector<2>();
      return or_point(make_capsule2(p, q, bytes.size()));
    }
    case 2:
      return or_point(make_box2({bytes.size(), bytes.size()}));
    case 3: {
      const Vec2d normal = bytes.vector<2>();
      return or_point(make_halfplane2(normal, bytes.number()));
    }
    case 4:
      return or_point(make_point2(bytes.vector<2>()));
    default:
      return or_point(make_polygon2(some_points<2>(bytes, 1, 9)));
  }
}

template <class Pose>
Pose place_of_body(Bytes& bytes) {
  Pose pose;
  for (int i = 0; i < static_cast<int>(sizeof(pose.position) / sizeof(double)); ++i) pose.position[i] = bytes.number();
  if (bytes.below(3) == 0) turn(bytes, pose);
  return pose;
}

inline sudar::Shape3 any_body(Bytes& bytes, std::integral_constant<int, 3>) { return body_of(bytes); }
inline sudar::Shape2 any_body(Bytes& bytes, std::integral_constant<int, 2>) { return flat_body_of(bytes); }

// Of a size that doors refuse, or with numbers that are none, more often than not
template <int D>
sudar::Pose<D, double> any_place(Bytes& bytes) {
  if (bytes.below(4) != 0) return place_of_body<sudar::Pose<D, double>>(bytes);
  sudar::Pose<D, double> pose;
  pose.position = bytes.any_vector<D>();
  if constexpr (D == 2)
    pose.rotation = {bytes.any_number(), bytes.any_number()};
  else
    pose.rotation = {bytes.any_number(), bytes.any_number(), bytes.any_number(), bytes.any_number()};
  return pose;
}

}  // namespace sudar_fuzz
