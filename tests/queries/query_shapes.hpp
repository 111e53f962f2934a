// What:    One shape of every kind, for the tests of queries.
#pragma once

#include <sudar/geom/mesh_makers.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <memory>
#include <vector>

namespace sudar_test {

// A ball and a disc that only their support functions are known of
class SupportBall3 final : public sudar::SupportFunction3 {
 public:
  sudar::Vec3d support(const sudar::Vec3d& d) const override { return normalized(d) * 0.75; }
};
class SupportBall2 final : public sudar::SupportFunction2 {
 public:
  sudar::Vec2d support(const sudar::Vec2d& d) const override { return normalized(d) * 0.75; }
};

inline std::vector<sudar::Shape3> convex_shapes3() {
  using namespace sudar;
  Random random(11);
  std::vector<Vec3d> cloud;
  for (int i = 0; i < 30; ++i) cloud.push_back(point_in_ball<3>(random));
  const Vec3d flat[] = {{-1, -1, 0.5}, {1, -1, 0.5}, {1, 1, 0.5}, {-1, 0.5, 0.5}};
  return {*make_triangle3({-1, -1, 0}, {1, -0.5, 0.25}, {0, 1, 0.5}),
          *make_sphere3(0.8),
          *make_capsule3({-0.5, 0.1, 0.2}, {0.6, -0.2, 0.3}, 0.4),
          *make_box3({0.9, 0.6, 0.3}),
          *make_cylinder3(0.6, 0.5),
          *make_cone3(0.6, 0.7),
          *make_ellipsoid3({0.9, 0.5, 0.25}),
          *make_hull_shape3(cloud),
          *make_hull_shape3(std::span(cloud).first(8), 0.2),
          *make_hull_shape3(flat),
          *make_custom3(std::make_shared<SupportBall3>())};
}

inline sudar::Shape3 wavy_field() {
  std::vector<double> heights;
  for (int j = 0; j < 20; ++j)
    for (int i = 0; i < 30; ++i) heights.push_back(0.2 * sudar::sin_cos(0.7 * i).sin * sudar::sin_cos(0.9 * j).sin);
  return *sudar::make_height_field3(heights, 30, 20, {0.1, 0.1});
}

inline std::vector<sudar::Shape3> shapes3() {
  using namespace sudar;
  std::vector<Shape3> out = convex_shapes3();
  const Mesh torus = *torus_mesh(0.7, 0.3, 24, 16);
  out.push_back(*make_mesh_shape3(torus.vertices, torus.triangles, false));
  out.push_back(*make_mesh_shape3(torus.vertices, torus.triangles, true));
  out.push_back(wavy_field());
  std::vector<CompoundChild3> children;
  Random random(12);
  for (std::size_t i = 0; i < 9; ++i)
    children.push_back({out[i], {point_in_ball<3>(random) * 2.0, unit_quaternion(random)}});
  out.push_back(*make_compound3(children));
  return out;
}

inline std::vector<sudar::Shape2> convex_shapes2() {
  using namespace sudar;
  Random random(13);
  std::vector<Vec2d> cloud;
  for (int i = 0; i < 12; ++i) cloud.push_back(point_in_ball<2>(random));
  return {*make_segment2({-0.5, 0.2}, {0.7, -0.1}),
          *make_circle2(0.8),
          *make_capsule2({-0.5, 0.1}, {0.6, -0.2}, 0.3),
          *make_box2({0.9, 0.4}),
          *make_polygon2(cloud),
          *make_polygon2(std::span(cloud).first(5), 0.2),
          *make_custom2(std::make_shared<SupportBall2>())};
}

inline std::vector<sudar::Shape2> shapes2() {
  using namespace sudar;
  std::vector<Shape2> out = convex_shapes2();
  const Vec2d star[] = {{1, 0}, {0.3, 0.2}, {0, 1}, {-0.3, 0.2}, {-1, 0}, {-0.2, -0.3}, {0, -1}, {0.2, -0.3}};
  out.push_back(*make_chain2(star));
  out.push_back(*make_concave_polygon2(star));
  std::vector<CompoundChild2> children;
  Random random(14);
  for (const Shape2& s : convex_shapes2())
    children.push_back({s, {point_in_ball<2>(random) * 2.0, unit_rotation(random)}});
  out.push_back(*make_compound2(children));
  return out;
}

}  // namespace sudar_test
