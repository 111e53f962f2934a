// The tables of methods: every pair of kinds, in both orders, against each other and against the same body as a hull
#include "tests/narrowphase/one_of_each.hpp"
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace sudar;
using sudar_test::cube_corners;
using sudar_test::cube_mesh;
using sudar_test::one_of_each2;
using sudar_test::one_of_each3;

struct FarBall3 final : SupportFunction3 {
  Vec3d support(const Vec3d& d) const override { return Vec3d{10, 0, 0} + normalized(d) * 0.1; }
};

template <int D, class S>
void check_pair(const S& a, const S& b, const Pose<D, double>& pose_b) {
  SCOPED_TRACE(std::string(to_string(a.kind())) + " " + std::string(to_string(b.kind())) + " by " +
               std::string(method_of(a.kind(), b.kind())));
  const DistanceAnswer<D> x = distance(a, {}, b, pose_b), y = distance(b, pose_b, a, {});
  EXPECT_EQ(x.hit, intersects(a, {}, b, pose_b));
  EXPECT_EQ(y.hit, x.hit);
  if (x.status == QueryStatus::unsupported) return;
  EXPECT_EQ(x.hit, x.separation <= 0);
  EXPECT_NEAR(length(x.normal), 1, 1e-12);
  EXPECT_LE(x.lower, x.separation);
  EXPECT_GE(x.upper, x.separation);
  const bool sure = x.upper - x.lower < 1e-6 && y.upper - y.lower < 1e-6;
  if (sure) {
    EXPECT_NEAR(x.separation, y.separation, 1e-7);
    EXPECT_NEAR(dot(x.point_b - x.point_a, x.normal), x.separation, 1e-7);
  }
  const ContactSet<D> set = contacts(a, {}, b, pose_b, 0.25);
  if (set.status != QueryStatus::unsupported) {
    EXPECT_EQ(set.kind != ContactKind::none, x.separation <= 0.25);
  }
}

TEST(Collide, EveryPairOfKindsInSpaceHasOneDecisionInBothOrders) {
  const std::vector<Shape3> shapes = one_of_each3();
  ASSERT_EQ(shapes.size(), static_cast<std::size_t>(kShapeKinds3));
  const Quatd turn = Quatd::from_axis_angle(normalized(Vec3d{1, 2, 3}), 0.7);
  for (const Shape3& a : shapes)
    for (const Shape3& b : shapes)
      for (const double far : {0.05, 0.9, 1.6, 4.0}) check_pair<3>(a, b, {{0.1, 0.2, far}, turn});
}
TEST(Collide, EveryPairOfKindsInThePlaneHasOneDecisionInBothOrders) {
  const std::vector<Shape2> shapes = one_of_each2();
  ASSERT_EQ(shapes.size(), static_cast<std::size_t>(kShapeKinds2));
  for (const Shape2& a : shapes)
    for (const Shape2& b : shapes)
      for (const double far : {0.05, 0.9, 1.6, 4.0}) check_pair<2>(a, b, {{0.1, far}, Rot2d::from_angle(0.7)});
}

// The same cube as a box, a hull, a mesh, a compound
TEST(Collide, ABoxIsABoxInEveryForm) {
  const std::vector<CompoundChild3> child = {{*make_box3({1, 1, 1}), {}}};
  const std::vector<Shape3> cubes = {*make_box3({1, 1, 1}), *make_hull_shape3(cube_corners(1)), cube_mesh(1),
                                     *make_compound3(child)};
  const Quatd turn = Quatd::from_axis_angle(normalized(Vec3d{3, -1, 2}), 1.1);
  for (const double far : {0.7, 1.9, 2.6, 5.0}) {
    const Pose3d pose{{far, 0.3, -0.2}, turn};
    const DistanceAnswer3 expected = distance(cubes[0], {}, cubes[0], pose);
    for (const Shape3& a : cubes)
      for (const Shape3& b : cubes) {
        const DistanceAnswer3 x = distance(a, {}, b, pose);
        EXPECT_EQ(x.hit, expected.hit) << far;
        EXPECT_NEAR(x.separation, expected.separation, 1e-9)
            << far << ' ' << to_string(a.kind()) << ' ' << to_string(b.kind());
      }
  }
}

// A small body wholly inside of a solid, and of its surface alone
TEST(Collide, WhatASolidHoldsIsHit) {
  const Shape3 solid = cube_mesh(1), ball = *make_sphere3(0.1);
  const Shape3 surface(MeshShape3{solid.as<MeshShape3>().mesh, false});
  EXPECT_TRUE(intersects(solid, {}, ball, {{0.2, 0, 0}, {}}));
  EXPECT_TRUE(intersects(ball, {{0.2, 0, 0}, {}}, solid, {}));
  EXPECT_FALSE(intersects(surface, {}, ball, {{0.2, 0, 0}, {}}));
  EXPECT_NEAR(distance(solid, {}, ball, {{0.2, 0, 0}, {}}).separation, -0.9, 1e-9);
  EXPECT_NEAR(distance(surface, {}, ball, {{0.2, 0, 0}, {}}).separation, 0.7, 1e-9);
}

// A shape need not contain its own origin
TEST(Collide, AUserShapeIsWhereItsSupportIs) {
  const Shape3 solid = cube_mesh(1), ball = *make_custom3(std::make_shared<FarBall3>());
  EXPECT_FALSE(intersects(solid, {}, ball, {}));
  EXPECT_TRUE(intersects(solid, {{10, 0, 0}, {}}, ball, {}));
}

// Parts that are too far to touch say how far, as convex shapes do
TEST(Collide, ContactsOfPartsThatAreApartTellTheGap) {
  const std::vector<CompoundChild3> child = {{*make_box3({1, 1, 1}), {}}};
  const ContactSet3 set = contacts(*make_compound3(child), {}, *make_box3({1, 1, 1}), {{5, 0, 0}, {}}, 0.5);
  EXPECT_EQ(set.kind, ContactKind::none);
  EXPECT_NEAR(set.separation, 3, 1e-12);
  EXPECT_NEAR(set.normal.x, 1, 1e-12);
}

// A box on a floor of many triangles stands on its corners, with the normal of the floor
TEST(Collide, ABoxOnATerrainStandsOnItsCorners) {
  const std::vector<double> flat(81, 0.0);
  const Shape3 floor = *make_height_field3(flat, 9, 9, {0.5, 0.5}), box = *make_box3({0.6, 0.6, 0.25});
  const ContactSet3 set = contacts(floor, {}, box, {{2.1, 1.9, 0.24}, {}});
  ASSERT_EQ(set.kind, ContactKind::polygon);
  EXPECT_NEAR(set.normal.z, 1, 1e-12);
  EXPECT_NEAR(set.separation, -0.01, 1e-12);
  Aabb3d spread = Aabb3d::empty();
  for (const ContactPoint<3>& point : set.points) spread = merge(spread, point.position);
  EXPECT_NEAR(spread.lo.x, 1.5, 1e-9);
  EXPECT_NEAR(spread.hi.x, 2.7, 1e-9);
  EXPECT_NEAR(spread.lo.y, 1.3, 1e-9);
  EXPECT_NEAR(spread.hi.y, 2.5, 1e-9);
}

}  // namespace
