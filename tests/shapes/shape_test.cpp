// What:    Makers of shapes and their boxes. Oracles: the documented errors; points sampled on each shape, which must lie
//          in its box, and the box of supports, which it must not exceed by more than rounding.
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/convex_body3.hpp>
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

struct Ball3 : SupportFunction3 {
  Vec3d support(const Vec3d& d) const override { return Vec3d{1, 2, 3} + normalized(d) * 2; }
};
struct Ball2 : SupportFunction2 {
  Vec2d support(const Vec2d& d) const override { return Vec2d{1, 2} + normalized(d) * 2; }
};

// The farthest point of a shape in a unit direction, written out for the test
using Support3 = std::function<Vec3d(const Vec3d&)>;
using Support2 = std::function<Vec2d(const Vec2d&)>;

void check_box3(const Shape3& shape, const Support3& support, Random& random) {
  for (int round = 0; round < 60; ++round) {
    const Pose3d pose{unit_vector<3>(random) * (round % 3 == 0 ? 1e6 : 5.0),
                      Quatd::from_axis_angle(unit_vector<3>(random), random.uniform(-3, 3))};
    const Aabb3d box = bounding_box(shape, round == 0 ? Pose3d{} : pose);
    const Pose3d at = round == 0 ? Pose3d{} : pose;
    for (int i = 0; i < 50; ++i)
      EXPECT_TRUE(contains(box, transform(at, support(unit_vector<3>(random))))) << to_string(shape.kind());
    for (int axis = 0; axis < 3; ++axis) {
      Vec3d d{};
      d[axis] = 1;
      const Vec3d local = rotate(conjugate(at.rotation), d);
      const double room = 1e-13 * (20 + length(at.position));
      EXPECT_NEAR(box.hi[axis], transform(at, support(local))[axis], room) << to_string(shape.kind());
      EXPECT_NEAR(box.lo[axis], transform(at, support(-local))[axis], room) << to_string(shape.kind());
    }
  }
}

void check_box2(const Shape2& shape, const Support2& support, Random& random) {
  for (int round = 0; round < 60; ++round) {
    const Pose2d at{{random.uniform(-5, 5), random.uniform(-1e5, 1e5)}, Rot2d::from_angle(random.uniform(-3, 3))};
    const Aabb2d box = bounding_box(shape, at);
    for (int i = 0; i < 50; ++i)
      EXPECT_TRUE(contains(box, transform(at, support(Rot2d::from_angle(random.uniform(-3.2, 3.2)).c > 0
                                                          ? Vec2d{random.uniform(-1, 1), 1}
                                                          : Vec2d{-1, random.uniform(-1, 1)}))))
          << to_string(shape.kind());
    for (int axis = 0; axis < 2; ++axis) {
      Vec2d d{};
      d[axis] = 1;
      const Vec2d local = rotate(conjugate(at.rotation), d);
      const double room = 1e-13 * (20 + length(at.position));
      EXPECT_NEAR(box.hi[axis], transform(at, support(local))[axis], room) << to_string(shape.kind());
      EXPECT_NEAR(box.lo[axis], transform(at, support(-local))[axis], room) << to_string(shape.kind());
    }
  }
}

template <class V>
V farthest(std::initializer_list<V> points, const V& d) {
  V best = *points.begin();
  for (const V& p : points)
    if (dot(p, d) > dot(best, d)) best = p;
  return best;
}

}  // namespace

TEST(Shape3, BoxesHoldTheirShapesTightly) {
  Random random(campaign_seed(5));
  const Vec3d p{1, 2, 3}, q{-2, 0.5, 4}, r{0, -3, 1};
  check_box3(
      *make_point3(p), [&](const Vec3d&) { return p; }, random);
  check_box3(
      *make_segment3(p, q),
      [&](const Vec3d& d) {
        return farthest({p, q}, d);
      },
      random);
  check_box3(
      *make_triangle3(p, q, r),
      [&](const Vec3d& d) {
        return farthest({p, q, r}, d);
      },
      random);
  check_box3(
      *make_sphere3(2), [&](const Vec3d& d) { return normalized(d) * 2; }, random);
  check_box3(
      *make_capsule3(p, q, 0.5),
      [&](const Vec3d& d) {
        return farthest({p, q}, d) + normalized(d) * 0.5;
      },
      random);
  check_box3(
      *make_box3({1, 2, 3}),
      [&](const Vec3d& d) {
        return Vec3d{d.x < 0 ? -1. : 1., d.y < 0 ? -2. : 2., d.z < 0 ? -3. : 3.};
      },
      random);
  check_box3(
      *make_cylinder3(2, 3),
      [&](const Vec3d& d) {
        const Vec3d side = normalized(Vec3d{d.x, d.y, 0}) * 3;
        return Vec3d{side.x, side.y, d.z < 0 ? -2. : 2.};
      },
      random);
  check_box3(
      *make_cone3(2, 3),
      [&](const Vec3d& d) {
        const Vec3d side = normalized(Vec3d{d.x, d.y, 0}) * 3;
        return farthest({Vec3d{side.x, side.y, -2}, Vec3d{0, 0, 2}}, d);
      },
      random);
  check_box3(
      *make_ellipsoid3({1, 2, 5}),
      [&](const Vec3d& d) {
        const Vec3d s = normalized(mul(d, Vec3d{1, 2, 5}));
        return mul(s, Vec3d{1, 2, 5});
      },
      random);
  const std::vector<Vec3d> points = {p, q, r, {2, 2, -2}, {0, 0, 0}};
  check_box3(
      *make_hull_shape3(points, 0.25),
      [&](const Vec3d& d) {
        return farthest({p, q, r, Vec3d{2, 2, -2}, Vec3d{}}, d) + normalized(d) * 0.25;
      },
      random);
  const auto ball = std::make_shared<Ball3>();
  check_box3(
      *make_custom3(ball), [&](const Vec3d& d) { return ball->support(d); }, random);
  const Aabb3d all = bounding_box(*make_halfspace3({0, 0, 2}, 4));
  EXPECT_EQ(all.lo.x, -kInf);
  EXPECT_EQ(all.hi.z, kInf);
}

// The shape has a faster way of its own
TEST(Shape3, TheBoxOfABoxIsItsTransform) {
  Random random(campaign_seed(31));
  for (int i = 0; i < 2000; ++i) {
    const Vec3d half{random.uniform(0.1, 2), random.uniform(0.1, 2), std::ldexp(1.0, i % 40 - 20)};
    Pose3d pose{unit_vector<3>(random) * std::ldexp(1.0, i % 60 - 30), unit_quaternion(random)};
    if (i % 5 == 0) pose.rotation = {};
    if (i % 5 == 1) pose.rotation = {0, -1, 0, -0.0};
    if (i % 7 == 0) pose.position = {-0.0, 0, 0};
    const Aabb3d box = bounding_box(*make_box3(half), pose), plain = transform(pose, Aabb3d{-half, half});
    ASSERT_EQ(box.lo, plain.lo);
    ASSERT_EQ(box.hi, plain.hi);
  }
}

TEST(Shape2, BoxesHoldTheirShapesTightly) {
  Random random(campaign_seed(6));
  const Vec2d p{1, 2}, q{-2, 0.5}, r{0, -3};
  check_box2(
      *make_point2(p), [&](const Vec2d&) { return p; }, random);
  check_box2(
      *make_segment2(p, q),
      [&](const Vec2d& d) {
        return farthest({p, q}, d);
      },
      random);
  check_box2(
      *make_circle2(2), [&](const Vec2d& d) { return normalized(d) * 2; }, random);
  check_box2(
      *make_capsule2(p, q, 0.5),
      [&](const Vec2d& d) {
        return farthest({p, q}, d) + normalized(d) * 0.5;
      },
      random);
  check_box2(
      *make_box2({1, 2}),
      [&](const Vec2d& d) {
        return Vec2d{d.x < 0 ? -1. : 1., d.y < 0 ? -2. : 2.};
      },
      random);
  const std::vector<Vec2d> points = {p, q, r, {0, 0}};
  check_box2(
      *make_polygon2(points, 0.25),
      [&](const Vec2d& d) {
        return farthest({p, q, r}, d) + normalized(d) * 0.25;
      },
      random);
  const auto ball = std::make_shared<Ball2>();
  check_box2(
      *make_custom2(ball), [&](const Vec2d& d) { return ball->support(d); }, random);
  EXPECT_EQ(bounding_box(*make_halfplane2({0, 2}, 4)).lo.y, -kInf);
}

TEST(Shape3, MakersRefuseBadSizes) {
  for (const double bad : {0.0, -1.0, 0x1p-61}) {
    EXPECT_EQ(make_sphere3(bad).error().code, ErrorCode::degenerate);
    EXPECT_EQ(make_capsule3({}, {1, 0, 0}, bad).error().code, ErrorCode::degenerate);
    EXPECT_EQ(make_box3({1, bad, 1}).error(), (Error{ErrorCode::degenerate, 1}));
    EXPECT_EQ(make_cylinder3(bad, 1).error().code, ErrorCode::degenerate);
    EXPECT_EQ(make_cone3(1, bad).error().code, ErrorCode::degenerate);
    EXPECT_EQ(make_ellipsoid3({1, 1, bad}).error(), (Error{ErrorCode::degenerate, 2}));
  }
  for (const double bad : {kNan, kInf, -kInf}) {
    EXPECT_EQ(make_point3({0, bad, 0}).error().code, ErrorCode::non_finite);
    EXPECT_EQ(make_segment3({}, {0, bad, 0}).error(), (Error{ErrorCode::non_finite, 1}));
    EXPECT_EQ(make_triangle3({}, {1, 0, 0}, {0, bad, 0}).error(), (Error{ErrorCode::non_finite, 2}));
    EXPECT_EQ(make_sphere3(bad).error().code, ErrorCode::non_finite);
    EXPECT_EQ(make_capsule3({bad, 0, 0}, {}, 1).error(), (Error{ErrorCode::non_finite, 0}));
    EXPECT_EQ(make_box3({1, 1, bad}).error(), (Error{ErrorCode::non_finite, 2}));
    EXPECT_EQ(make_halfspace3({1, 1, bad}, 0).error().code, ErrorCode::non_finite);
    EXPECT_EQ(make_halfspace3({1, 1, 0}, bad).error().code, ErrorCode::non_finite);
    EXPECT_EQ(make_hull_shape3(std::vector<Vec3d>{{1, 1, 1}}, bad).error().code, ErrorCode::non_finite);
  }
  EXPECT_EQ(make_sphere3(0x1p61).error().code, ErrorCode::too_large);
  EXPECT_EQ(make_point3({0, 0x1p61, 0}).error().code, ErrorCode::too_large);
  EXPECT_EQ(make_halfspace3({1e-20, 0, 0}, 1).error().code, ErrorCode::too_large);
  EXPECT_EQ(make_halfspace3({0, 0, 0}, 1).error().code, ErrorCode::degenerate);
  EXPECT_EQ(make_custom3(nullptr).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(make_hull_shape3({}, 1).error().code, ErrorCode::empty_input);
  EXPECT_EQ(make_hull_shape3(std::vector<Vec3d>{{1, 1, 1}}, -1).error().code, ErrorCode::degenerate);
}

TEST(Shape3, CollinearTrianglesAreRefusedExactly) {
  EXPECT_EQ(make_triangle3({0, 0, 0}, {1, 1, 1}, {3, 3, 3}).error().code, ErrorCode::degenerate);
  EXPECT_EQ(make_triangle3({1, 1, 1}, {1, 1, 1}, {3, 3, 0}).error().code, ErrorCode::degenerate);
  // One rounding off the line, too little for plain products to see
  const double up = std::nextafter(3.0, 4.0);
  EXPECT_TRUE(make_triangle3({0, 0, 0}, {1, 1, 1}, {3, 3, up}).ok());
  EXPECT_TRUE(make_triangle3({0, 0, 0}, {1e-30, 0, 0}, {0, 1e-30, 0}).ok());
}

TEST(Shape3, HalfSpacesAreBroughtToUnitNormals) {
  const Shape3 shape = *make_halfspace3({0, 0, 2e-10}, 4e-10);
  const auto& s = shape.as<HalfSpaceShape3>();
  EXPECT_EQ(s.normal, (Vec3d{0, 0, 1}));
  EXPECT_NEAR(s.offset, 2, 1e-15);
  const Shape3 large = *make_halfspace3({3e200, 4e200, 0}, 5e200);
  EXPECT_NEAR(large.as<HalfSpaceShape3>().normal.x, 0.6, 1e-15);
  EXPECT_NEAR(large.as<HalfSpaceShape3>().offset, 1, 1e-15);
}

TEST(Shape2, MakersRefuseBadSizes) {
  for (const double bad : {0.0, -1.0}) {
    EXPECT_EQ(make_circle2(bad).error().code, ErrorCode::degenerate);
    EXPECT_EQ(make_capsule2({}, {1, 0}, bad).error().code, ErrorCode::degenerate);
    EXPECT_EQ(make_box2({1, bad}).error(), (Error{ErrorCode::degenerate, 1}));
  }
  for (const double bad : {kNan, kInf, -kInf}) {
    EXPECT_EQ(make_point2({0, bad}).error().code, ErrorCode::non_finite);
    EXPECT_EQ(make_segment2({}, {0, bad}).error(), (Error{ErrorCode::non_finite, 1}));
    EXPECT_EQ(make_circle2(bad).error().code, ErrorCode::non_finite);
    EXPECT_EQ(make_halfplane2({1, bad}, 0).error().code, ErrorCode::non_finite);
    EXPECT_EQ(make_polygon2(std::vector<Vec2d>{{1, bad}}).error(), (Error{ErrorCode::non_finite, 0}));
  }
  EXPECT_EQ(make_custom2(nullptr).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(make_polygon2({}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(make_halfplane2({0, 0}, 1).error().code, ErrorCode::degenerate);
}

TEST(Shapes, EveryKindHasItsName) {
  std::set<std::string_view> names3, names2;
  for (int i = 0; i < kShapeKinds3; ++i) names3.insert(to_string(static_cast<ShapeKind3>(i)));
  for (int i = 0; i < kShapeKinds2; ++i) names2.insert(to_string(static_cast<ShapeKind2>(i)));
  EXPECT_EQ(names3.size(), static_cast<std::size_t>(kShapeKinds3));
  EXPECT_EQ(names2.size(), static_cast<std::size_t>(kShapeKinds2));
  EXPECT_EQ(to_string(make_box3({1, 1, 1})->kind()), "box");
  EXPECT_EQ(to_string(make_halfspace3({1, 0, 0}, 0)->kind()), "halfspace");
  EXPECT_EQ(to_string(make_polygon2(std::vector<Vec2d>{{0, 0}})->kind()), "polygon");
}
