// Mass of shapes. Oracles: surface integrals over fine meshes, closed forms of other shapes, sums of parts.
#include <sudar/dynamics/shape_mass.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

namespace {

using namespace sudar;

void expect_near(const MassProperties3& a, const MassProperties3& b, double relative) {
  EXPECT_NEAR(a.mass, b.mass, relative * b.mass);
  const double size = std::max({b.inertia.x.x, b.inertia.y.y, b.inertia.z.z});
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(a.center[i], b.center[i], relative);
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(a.inertia[i][j], b.inertia[i][j], relative * size) << i << j;
  }
}
void expect_near(const MassProperties2& a, const MassProperties2& b, double relative) {
  EXPECT_NEAR(a.mass, b.mass, relative * b.mass);
  EXPECT_NEAR(a.center.x, b.center.x, relative);
  EXPECT_NEAR(a.center.y, b.center.y, relative);
  EXPECT_NEAR(a.xx, b.xx, relative * b.inertia());
  EXPECT_NEAR(a.yy, b.yy, relative * b.inertia());
  EXPECT_NEAR(a.xy, b.xy, relative * b.inertia());
}
Vec3d ball_support(const Vec3d& d) { return normalized(d) * 0.7; }
struct Ball3 final : SupportFunction3 {
  Vec3d support(const Vec3d& d) const override { return ball_support(d); }
};

TEST(ShapeMass, ClosedFormsAreThoseOfFineMeshes) {
  const double density = 3;
  expect_near(*mass_of(*make_box3({1, 2, 0.5}), density), *mass_properties(*box_mesh({1, 2, 0.5}), density), 1e-12);
  expect_near(*mass_of(*make_sphere3(0.7), density), *mass_properties(*icosphere_mesh(0.7, 5), density), 2e-3);
  expect_near(*mass_of(*make_cylinder3(1.5, 0.4), density), *mass_properties(*cylinder_mesh(0.4, 1.5, 400), density),
              2e-4);
  expect_near(*mass_of(*make_cone3(1.5, 0.4), density), *mass_properties(*cone_mesh(0.4, 1.5, 400), density), 2e-4);
  Mesh egg = *icosphere_mesh(1, 5);
  for (Vec3d& v : egg.vertices) v = mul(v, Vec3d{0.5, 1, 2});
  expect_near(*mass_of(*make_ellipsoid3({0.5, 1, 2}), density), *mass_properties(egg, density), 2e-3);
}

TEST(ShapeMass, CapsulesAreTheirPartsAnywhere) {
  // A ball when the ends meet; a mesh of a turned capsule otherwise
  expect_near(*mass_of(*make_capsule3({1, 2, 3}, {1, 2, 3}, 0.5)),
              transformed(*mass_of(*make_sphere3(0.5)), {{1, 2, 3}, {}}), 1e-12);
  const Vec3d p{0.3, -1, 0.2}, q{1, 0.5, 0.7};
  Mesh mesh = *icosphere_mesh(0.4, 5);
  std::vector<Vec3d> both;
  for (const Vec3d& v : mesh.vertices) both.insert(both.end(), {p + v, q + v});
  expect_near(*mass_of(*make_capsule3(p, q, 0.4)), *mass_of(*make_hull_shape3(both)), 2e-3);
  const Vec2d a{0.3, -1}, b{1, 0.5};
  std::vector<Vec2d> outline;
  for (int k = 0; k < 1000; ++k) {
    const Rot2d r = Rot2d::from_angle(2 * kPi * k / 1000);
    outline.insert(outline.end(), {a + Vec2d{r.c, r.s} * 0.4, b + Vec2d{r.c, r.s} * 0.4});
  }
  expect_near(*mass_of(*make_capsule2(a, b, 0.4)), *mass_of(*make_polygon2(outline)), 1e-4);
}

TEST(ShapeMass, RoundedHullsAreNearTheClosedForms) {
  const Vec3d ends[] = {{-1, 0, 0}, {1, 0, 0}};
  expect_near(*mass_of(*make_hull_shape3(ends, 0.5)), *mass_of(*make_capsule3(ends[0], ends[1], 0.5)), 2e-2);
  expect_near(*mass_of(*make_custom3(std::make_shared<Ball3>())), *mass_of(*make_sphere3(0.7)), 2e-2);
  const Vec2d segment[] = {{-1, 0}, {1, 0}};
  expect_near(*mass_of(*make_polygon2(segment, 0.5)), *mass_of(*make_capsule2(segment[0], segment[1], 0.5)), 1e-3);
}

TEST(ShapeMass, CompoundsAreSumsAndPolygonsTheirAreas) {
  // A box cut in two
  const CompoundChild3 halves[] = {{*make_box3({0.5, 1, 1}), {{-0.5, 0, 0}, {}}},
                                   {*make_box3({0.5, 1, 1}), {{0.5, 0, 0}, {}}}};
  expect_near(*mass_of(*make_compound3(halves)), *mass_of(*make_box3({1, 1, 1})), 1e-12);
  const Vec2d corner[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  const CompoundChild2 parts[] = {{*make_box2({1, 0.5}), {{1, 0.5}, {}}}, {*make_box2({0.5, 0.5}), {{0.5, 1.5}, {}}}};
  expect_near(*mass_of(*make_concave_polygon2(corner)), *mass_of(*make_compound2(parts)), 1e-12);
  const Mesh box = *box_mesh({1, 2, 3});
  expect_near(*mass_of(*make_mesh_shape3(box.vertices, box.triangles, true)), *mass_of(*make_box3({1, 2, 3})), 1e-12);
}

TEST(ShapeMass, WhatHasNoMassIsAnError) {
  EXPECT_EQ(mass_of(*make_point3({})).error().code, ErrorCode::degenerate);
  EXPECT_EQ(mass_of(*make_triangle3({0, 0, 0}, {1, 0, 0}, {0, 1, 0})).error().code, ErrorCode::degenerate);
  EXPECT_EQ(mass_of(*make_segment2({0, 0}, {1, 0})).error().code, ErrorCode::degenerate);
  EXPECT_EQ(mass_of(*make_halfspace3({0, 0, 1}, 0)).error().code, ErrorCode::unsupported);
  EXPECT_EQ(mass_of(*make_halfplane2({0, 1}, 0)).error().code, ErrorCode::unsupported);
  EXPECT_EQ(mass_of(*make_sphere3(1), 0).error().code, ErrorCode::invalid_argument);
  const Vec3d flat[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  EXPECT_EQ(mass_of(*make_hull_shape3(flat)).error().code, ErrorCode::degenerate);
  const Mesh box = *box_mesh({1, 1, 1});
  EXPECT_EQ(mass_of(*make_mesh_shape3(box.vertices, box.triangles, false)).error().code, ErrorCode::degenerate);
  EXPECT_EQ(body_mass(MassProperties3{}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(body_mass(MassProperties3{1, {}, Mat3d::diagonal({0, 0, 0})}).error().code, ErrorCode::degenerate);
  EXPECT_TRUE(body_mass(MassProperties3{1, {}, Mat3d::diagonal({0, 0, 0})}, true).ok());
}

TEST(ShapeMass, InnerRadiusFitsInside) {
  EXPECT_EQ(inner_radius(*make_box3({1, 2, 0.25})), 0.25);
  const Vec3d corners[] = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}};
  EXPECT_NEAR(inner_radius(*make_hull_shape3(corners)), 1 / std::sqrt(3.0), 1e-12);
  EXPECT_EQ(inner_radius(*make_triangle3({0, 0, 0}, {1, 0, 0}, {0, 1, 0})), 0);
  const CompoundChild2 parts[] = {{*make_box2({1, 0.5}), {}}, {*make_circle2(0.2), {{2, 0}, {}}}};
  EXPECT_EQ(inner_radius(*make_compound2(parts)), 0.2);
}

}  // namespace
