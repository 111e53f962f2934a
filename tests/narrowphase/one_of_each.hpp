// What:    A shape of each kind, for tests of what every pair of kinds does.
// Frame:   Around the origin, none larger than 2.
#pragma once

#include "tests/narrowphase/bodies.hpp"
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <memory>
#include <vector>

namespace sudar_test {

struct UnitBall3 final : sudar::SupportFunction3 {
  sudar::Vec3d support(const sudar::Vec3d& d) const override { return normalized(d); }
};
struct UnitDisc2 final : sudar::SupportFunction2 {
  sudar::Vec2d support(const sudar::Vec2d& d) const override { return normalized(d); }
};

inline sudar::Shape3 cube_mesh(double h) {
  const std::vector<sudar::MeshTriangle> t = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return *sudar::make_mesh_shape3(cube_corners(h), t, true);
}

inline std::vector<sudar::Shape3> one_of_each3() {
  using namespace sudar;
  const std::vector<double> heights = {0, 0.2, 0, 0.1, 0.3, 0.1, 0, 0.2, 0};
  const std::vector<CompoundChild3> children = {{*make_sphere3(0.5), {{0.5, 0, 0}, {}}},
                                                {*make_box3({0.5, 0.5, 0.5}), {{-0.5, 0, 0}, {}}}};
  return {*make_point3({0.1, 0.2, 0.3}),
          *make_segment3({-1, 0, 0}, {1, 0.5, 0.25}),
          *make_triangle3({-1, -1, 0}, {1, -1, 0.5}, {0, 1, 0}),
          *make_sphere3(1),
          *make_capsule3({0, 0, -0.5}, {0, 0, 0.5}, 0.5),
          *make_box3({1, 0.5, 0.75}),
          *make_cylinder3(0.5, 1),
          *make_cone3(1, 0.75),
          *make_ellipsoid3({1, 0.5, 0.25}),
          *make_hull_shape3(cube_corners(0.7)),
          *make_custom3(std::make_shared<UnitBall3>()),
          *make_halfspace3({0, 0, 1}, 0),
          cube_mesh(0.8),
          *make_height_field3(heights, 3, 3, {0.5, 0.5}),
          *make_compound3(children)};
}
inline std::vector<sudar::Shape2> one_of_each2() {
  using namespace sudar;
  const std::vector<Vec2d> square = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const std::vector<Vec2d> arrow = {{-1, -1}, {0, -0.5}, {1, -1}, {0, 1}};
  const std::vector<CompoundChild2> children = {{*make_circle2(0.5), {{0.5, 0}, {}}},
                                                {*make_box2({0.5, 0.5}), {{-0.5, 0}, {}}}};
  return {*make_point2({0.1, 0.2}),
          *make_segment2({-1, 0}, {1, 0.5}),
          *make_circle2(1),
          *make_capsule2({0, -0.5}, {0, 0.5}, 0.5),
          *make_box2({1, 0.5}),
          *make_polygon2(square),
          *make_custom2(std::make_shared<UnitDisc2>()),
          *make_halfplane2({0, 1}, 0),
          *make_chain2(arrow),
          *make_concave_polygon2(arrow),
          *make_compound2(children)};
}

}  // namespace sudar_test
