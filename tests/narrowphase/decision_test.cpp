// One decision for a pair, whichever way it is asked: yes or no and distance, (A, B) and (B, A), cold and warm, near and far
#include "tests/narrowphase/bodies.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::cube_corners;
using sudar_test::random_point;
using sudar_test::random_points;
using sudar_test::random_rotation;

Shape3 tetrahedron_mesh() {
  const std::vector<Vec3d> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  return *make_mesh_shape3(corners, std::vector<MeshTriangle>{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, true);
}

template <int D>
void expect_far(const DistanceAnswer<D>& x) {
  EXPECT_FALSE(x.hit);
  EXPECT_TRUE(std::isfinite(x.separation));
  EXPECT_GT(x.separation, 1e154);
  EXPECT_LE(x.lower, x.separation);
  EXPECT_GE(x.upper, x.separation);
  EXPECT_NEAR(length(x.normal), 1, 1e-12);
  EXPECT_TRUE(is_finite(x.point_a) && is_finite(x.point_b));
}

TEST(Decision, PosesBeyondTheRangeOfSquaresHaveFiniteAnswers) {
  const std::vector<double> heights = {0, 0.2, 0, 0.1};
  const std::vector<CompoundChild3> children = {{*make_sphere3(0.5), {{0.5, 0, 0}, {}}},
                                                {*make_box3({0.5, 0.5, 0.5}), {{-0.5, 0, 0}, {}}}};
  const std::vector<Shape3> shapes = {*make_point3({1, 0, 0}),
                                      *make_segment3({-1, 0, 0}, {1, 0, 0}),
                                      *make_triangle3({-1, -1, 0}, {1, -1, 0}, {0, 1, 0}),
                                      *make_sphere3(1),
                                      *make_capsule3({0, 0, -1}, {0, 0, 1}, 0.5),
                                      *make_box3({1, 1, 1}),
                                      *make_cylinder3(1, 1),
                                      *make_ellipsoid3({1, 2, 3}),
                                      *make_hull_shape3(cube_corners(1)),
                                      tetrahedron_mesh(),
                                      *make_height_field3(heights, 2, 2, {1, 1}),
                                      *make_compound3(children)};
  const Quatd turn = Quatd::from_axis_angle(normalized(Vec3d{1, 2, 3}), 0.7);
  for (const Shape3& a : shapes)
    for (const Shape3& b : shapes)
      for (const double far : {1e155, 1e200, 1e300, 1.7e308}) {
        SCOPED_TRACE(std::string(to_string(a.kind())) + " " + std::string(to_string(b.kind())) + " " +
                     std::to_string(std::log10(far)));
        const Pose3d pose_b{{far, -far, far / 2}, turn};
        expect_far(distance(a, {{}, turn}, b, pose_b));
        expect_far(distance(a, {{-far, far, 0}, {}}, b, pose_b));
        EXPECT_FALSE(intersects(a, {}, b, pose_b));
        if (far > 1e301) continue;
        EXPECT_NEAR(distance(a, {}, b, pose_b).separation / far, 1.5, 1e-12);
        expect_far(distance(a, b, make_placement<3>(pose_b)));
      }
  // Near each other, far from the origin
  const Vec3d there{1e300, 1e300, 0};
  EXPECT_TRUE(intersects(*make_sphere3(1), {there, {}}, *make_box3({1, 1, 1}), {there, turn}));
}
TEST(Decision, PosesBeyondTheRangeOfSquaresHaveFiniteAnswersInThePlane) {
  const std::vector<Vec2d> square = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}},
                           arrow = {{-1, -1}, {0, -0.5}, {1, -1}, {0, 1}};
  const std::vector<CompoundChild2> children = {{*make_circle2(0.5), {{0.5, 0}, {}}}};
  const std::vector<Shape2> shapes = {*make_point2({0, 0}),     *make_segment2({-1, 0}, {1, 0}),
                                      *make_circle2(1),         *make_capsule2({0, -1}, {0, 1}, 0.5),
                                      *make_box2({1, 1}),       *make_polygon2(square),
                                      *make_chain2(arrow),      *make_concave_polygon2(arrow),
                                      *make_compound2(children)};
  for (const Shape2& a : shapes)
    for (const Shape2& b : shapes)
      for (const double far : {1e155, 1e200, 1e300, 1.7e308}) {
        SCOPED_TRACE(std::string(to_string(a.kind())) + " " + std::string(to_string(b.kind())) + " " +
                     std::to_string(std::log10(far)));
        const Pose2d pose_b{{far, -far}, Rot2d::from_angle(0.7)};
        expect_far(distance(a, {}, b, pose_b));
        expect_far(distance(a, {{-far, far}, Rot2d::from_angle(0.1)}, b, pose_b));
        EXPECT_FALSE(intersects(a, {}, b, pose_b));
      }
}

// Pairs brought to touch along a ray by halving, then moved by single roundings: both orders say the same
TEST(Decision, TheOtherOrderIsTheSameQuestion) {
  Random random(campaign_seed(7));
  std::size_t pairs = 0;
  const std::size_t count = sudar_test::soak(120);
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<Shape3> shapes = {
        *make_box3(abs(random_point<3>(random)) + Vec3d{0.1, 0.1, 0.1}),
        *make_hull_shape3(random_points<3>(random, 8)),
        *make_capsule3(random_point<3>(random), random_point<3>(random), 0.3),
        *make_sphere3(random.uniform(0.1, 1)),
        *make_triangle3(random_point<3>(random), random_point<3>(random), random_point<3>(random)),
        *make_halfspace3(random_point<3>(random), 0.3),
        *make_hull_shape3(random_points<3>(random, 6), 0.125),
        tetrahedron_mesh()};
    const Shape3 &a = shapes[random.below(shapes.size())], &b = shapes[random.below(shapes.size())];
    if (!a.is_bounded() && !b.is_bounded()) continue;
    const Pose3d pose_a{random_point<3>(random, 5), random_rotation(random)};
    Pose3d pose_b{pose_a.position, random_rotation(random)};
    const Vec3d along = random_point<3>(random) * 20.0;
    double lo = 0, hi = 1;
    const auto at = [&](double t) { return pose_a.position + along * t; };
    pose_b.position = at(hi);
    if (intersects(a, pose_a, b, pose_b)) continue;
    for (int i = 0; i < 60; ++i) {
      pose_b.position = at((lo + hi) / 2);
      (intersects(a, pose_a, b, pose_b) ? lo : hi) = (lo + hi) / 2;
    }
    for (int step = -20; step <= 20; ++step) {
      pose_b.position = at(lo);
      for (int i = 0; i < std::abs(step); ++i)
        pose_b.position.x = std::nextafter(pose_b.position.x, step < 0 ? -100.0 : 100.0);
      const bool hit = intersects(a, pose_a, b, pose_b);
      const DistanceAnswer3 x = distance(a, pose_a, b, pose_b), y = distance(b, pose_b, a, pose_a);
      ASSERT_EQ(hit, intersects(b, pose_b, a, pose_a)) << to_string(a.kind()) << " " << to_string(b.kind());
      ASSERT_EQ(hit, x.hit) << to_string(a.kind()) << " " << to_string(b.kind());
      ASSERT_EQ(x.separation, y.separation);
      ASSERT_EQ(x.point_a, y.point_b);
      ASSERT_EQ(x.normal, -y.normal);
      ++pairs;
    }
  }
  EXPECT_GT(pairs, 8 * count);
}

// A radius far below the rounding of the cores still counts
TEST(Decision, TinyRadiiAreDecidedExactly) {
  const double gap = 0x1p-51;
  for (const double radius : {0x1p-60, gap * 0.25, std::nextafter(gap, 0.0), gap, gap * 2}) {
    const Shape3 a = *make_hull_shape3(cube_corners(1), radius), b = *make_hull_shape3(cube_corners(1));
    const Shape3 rod = *make_capsule3({1, 0, 0}, {1, 0, 0}, radius), wall = *make_box3({1, 1, 1});
    Placement3 at;
    at.translation = {2 + gap, 0.25, 0};
    EXPECT_EQ(intersects(a, b, at), radius >= gap) << radius;
    EXPECT_EQ(distance(a, b, at).hit, radius >= gap) << radius;
    EXPECT_EQ(distance(a, b, at).separation > 0, radius < gap) << radius;
    EXPECT_EQ(intersects(rod, wall, at), radius >= gap) << radius;
    EXPECT_EQ(distance(rod, wall, at).hit, radius >= gap) << radius;
  }
  for (const double radius : {0x1p-60, std::nextafter(gap, 0.0), gap}) {
    const std::vector<Vec2d> square = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const Shape2 a = *make_polygon2(square, radius), b = *make_polygon2(square);
    Placement2 at;
    at.translation = {2 + gap, 0.25};
    EXPECT_EQ(intersects(a, b, at), radius >= gap) << radius;
    EXPECT_EQ(distance(a, b, at).hit, radius >= gap) << radius;
  }
}

// Products of the smallest numbers round to nothing, and so would their bounds
TEST(Decision, OffsetsNearZeroDoNotPartWhatOverlaps) {
  const Shape3 cube = *make_hull_shape3(cube_corners(0.375)), rounded = *make_hull_shape3(cube_corners(0.375), 0.125);
  const std::vector<Vec2d> corners = {{-0.375, -0.375}, {0.375, -0.375}, {0.375, 0.375}, {-0.375, 0.375}};
  const Shape2 square = *make_polygon2(corners), soft = *make_polygon2(corners, 0.125);
  for (const double tiny : {5e-324, 1e-310, 1e-300, 1e-200, 1e-170, 1e-120})
    for (const double sign : {-1.0, 1.0})
      for (int axis = 0; axis < 3; ++axis) {
        Pose3d pose{{}, Quatd{0, 0, 0, 1}};
        pose.position[axis] = sign * tiny;
        QueryCache3 cache, cache_of_rounded;
        for (int round = 0; round < 2; ++round) {
          EXPECT_TRUE(intersects(cube, cube, make_placement<3>(pose), &cache)) << sign * tiny;
          EXPECT_TRUE(intersects(rounded, cube, make_placement<3>(pose), &cache_of_rounded)) << sign * tiny;
        }
        EXPECT_TRUE(distance(cube, cube, make_placement<3>(pose)).hit) << sign * tiny;
        EXPECT_TRUE(distance(rounded, cube, make_placement<3>(pose)).hit) << sign * tiny;
        if (axis == 2) continue;
        Pose2d flat{{}, Rot2d{-1, 0}};
        flat.position[axis] = sign * tiny;
        EXPECT_TRUE(intersects(square, square, make_placement<2>(flat))) << sign * tiny;
        EXPECT_TRUE(intersects(soft, square, make_placement<2>(flat))) << sign * tiny;
        EXPECT_TRUE(distance(soft, square, make_placement<2>(flat)).hit) << sign * tiny;
      }
}

// Flat cones over flat cylinders, with a plane between them: GJK alone leaves some open, which is not a hit, and the
// search that goes on closes them
TEST(Decision, CurvedShapesMeetOnlyWhereACommonPointIsShown) {
  Random random(campaign_seed(3));
  int open = 0;
  for (std::size_t k = 0; k < sudar_test::soak(3000); ++k) {
    const double thin = std::ldexp(1.0, -static_cast<int>(20 + random.below(11))), gap = thin * random.uniform(0.01, 1);
    const Shape3 a = *make_cone3(thin, 1), b = *make_cylinder3(thin, 0.7);
    Placement3 at;
    at.translation = {random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2), 2 * thin + gap};
    const DistanceAnswer3 x = distance(a, b, at);
    ASSERT_FALSE(x.hit) << k;
    ASSERT_FALSE(intersects(a, b, at)) << k;
    EXPECT_GT(x.separation, 0);
    EXPECT_LE(x.lower, x.separation);
    EXPECT_GE(x.upper, std::max(x.separation, gap * (1 - 1e-5)));
    if (x.status != QueryStatus::converged) ++open;
    at.translation.z = thin;
    at.translation.x = at.translation.y = 0.1;
    EXPECT_TRUE(distance(a, b, at).hit);
    EXPECT_TRUE(intersects(a, b, at));
  }
  EXPECT_LE(open, static_cast<int>(sudar_test::soak(3000) / 1000));
}

// Centres so near each other that products with the way between them are zero: a direction all the same, and a hit
TEST(Decision, CentresThatAreNearlyOne) {
  const std::vector<Vec2d> square = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const Shape3 shapes3[] = {
      *make_box3({1, 1, 1}),       *make_cylinder3(2, 0.25),           *make_cone3(1, 1),
      *make_ellipsoid3({1, 2, 3}), *make_hull_shape3(cube_corners(1)), *make_hull_shape3(cube_corners(1), 0.5)};
  const Shape2 shapes2[] = {*make_box2({1, 1}), *make_polygon2(square), *make_polygon2(square, 0.5)};
  const Quatd turn = Quatd::from_axis_angle(normalized(Vec3d{1, 2, 3}), 0.7);
  for (const double off : {5e-324, 1e-320, 1e-310, 1e-300, 1e-200, 1e-155, 1e-120, 1e-60, 1e-20}) {
    for (const Shape3& a : shapes3)
      for (const Shape3& b : shapes3) {
        const Pose3d pose{{off, 0, 0}, turn};
        EXPECT_TRUE(intersects(a, {}, b, pose)) << off << " " << to_string(a.kind()) << " " << to_string(b.kind());
        EXPECT_TRUE(distance(a, {}, b, pose).hit) << off << " " << to_string(a.kind()) << " " << to_string(b.kind());
      }
    for (const Shape2& a : shapes2)
      for (const Shape2& b : shapes2) {
        const Pose2d pose{{off, 0}, Rot2d::from_angle(0.7)};
        EXPECT_TRUE(intersects(a, {}, b, pose) && distance(a, {}, b, pose).hit) << off;
      }
  }
}

// A cache and a sink change nothing but the time
TEST(Decision, CachesAndTracesGoThroughTheTable) {
  Random random(campaign_seed(5));
  int cold = 0, warm = 0;
  Pose3d pose;
  // Many pairs: a start from the last answer may take longer for one of them
  for (int n = 0; n < 40; ++n) {
    const Shape3 a = *make_hull_shape3(random_points<3>(random, 30)),
                 b = *make_hull_shape3(random_points<3>(random, 30));
    QueryCache3 cache;
    pose = {{2.2, 0.1, 0.2}, random_rotation(random)};
    for (int i = 0; i < 50; ++i) {
      pose.position += random_point<3>(random, 0.01);
      const Placement3 at = make_placement<3>(pose);
      const DistanceAnswer3 x = distance(a, b, at), y = distance(a, b, at, &cache);
      EXPECT_EQ(x.hit, y.hit);
      EXPECT_NEAR(x.separation, y.separation, 1e-12);
      EXPECT_EQ(intersects(a, b, at, &cache), x.hit);
      if (i > 0 && !x.hit) cold += x.iterations, warm += y.iterations;
    }
  }
  EXPECT_LT(warm, cold);
  TraceLog log, one;
  const Shape3 hull = *make_hull_shape3(random_points<3>(random, 30));
  distance(hull, hull, make_placement<3>({{3, 0.1, 0.2}, {}}), nullptr, &log);
  EXPECT_GT(log.entries().size(), 2u);
  EXPECT_EQ(log.entries().front().step, "start");
  const DistanceAnswer3 x =
      distance(*make_box3({1, 1, 1}), *make_box3({1, 1, 1}), make_placement<3>(pose), nullptr, &one);
  ASSERT_EQ(one.entries().size(), 1u);
  EXPECT_EQ(one.entries()[0].step, "box_box");
  EXPECT_EQ(one.entries()[0].value, x.separation);
  TraceLog flat;
  distance(*make_polygon2(std::vector<Vec2d>{{0, 0}, {1, 0}, {0, 1}}),
           *make_polygon2(std::vector<Vec2d>{{0, 0}, {1, 0}, {0, 1}}), make_placement<2>({{3, 0}, {}}), nullptr, &flat);
  EXPECT_EQ(flat.entries().front().step, "start");
}

}  // namespace
