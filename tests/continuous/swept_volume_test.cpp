// Swept volumes hold every place of the body, and meet where the bodies do not: both are counted
#include "tests/continuous/moving_bodies.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/continuous/substeps.hpp>
#include <sudar/continuous/swept_volume.hpp>
#include <sudar/continuous/time_of_impact.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::MovingBody;
using sudar_test::soak;

namespace {

template <int D>
MovingBody<D> spinning(Random& random);
template <>
MovingBody<3> spinning<3>(Random& random) {
  MovingBody<3> out{sudar_test::random_convex3(random, 0.5, false)};
  aim(random, out, 2, 0.5);
  out.motion.angular = unit_vector<3>(random) * std::exp(random.uniform(-2, 5));
  return out;
}
template <>
MovingBody<2> spinning<2>(Random& random) {
  MovingBody<2> out{sudar_test::random_convex2(random, 0.5)};
  aim(random, out, 2, 0.5);
  out.motion.angular = std::exp(random.uniform(-2, 5));
  return out;
}

}  // namespace

namespace {

template <int D>
void volumes_hold_all_places(std::size_t rounds) {
  Random random(campaign_seed(300 + D));
  for (std::size_t n = 0; n < rounds; ++n) {
    const MovingBody<D> body = spinning<D>(random);
    const double begin = random.uniform(0, 0.5), end = begin + random.uniform(0, 0.5);
    const Aabb<D, double> box = swept_box<D>(body.shape, body.pose, body.motion, begin, end);
    const auto hull = swept_hull(body.shape, body.pose, body.motion, begin, end);
    ASSERT_TRUE(hull.ok());
    const Aabb<D, double> around = bounding_box(*hull);
    for (int k = 0; k <= 12; ++k) {
      const Pose<D, double> at = pose_at(body.pose, body.motion, begin + (end - begin) * k / 12);
      const Aabb<D, double> now = bounding_box(body.shape, at);
      for (int i = 0; i < D; ++i) {
        EXPECT_LE(box.lo[i], now.lo[i] + 1e-12);
        EXPECT_GE(box.hi[i], now.hi[i] - 1e-12);
        EXPECT_LE(around.lo[i], now.lo[i] + 1e-12);
        EXPECT_GE(around.hi[i], now.hi[i] - 1e-12);
      }
    }
  }
}

}  // namespace

TEST(SweptVolume, HoldsAllPlacesInSpace) { volumes_hold_all_places<3>(soak(200)); }
TEST(SweptVolume, HoldsAllPlacesInThePlane) { volumes_hold_all_places<2>(soak(200)); }

// Seed A10: no contact without overlap of the volumes, but overlaps without contact, since they know no time
TEST(SweptVolume, CrossingPathsAreFalsePositives) {
  Random random(campaign_seed(11));
  std::size_t contacts = 0, boxes = 0, hulls = 0, steps = 0;
  const std::size_t rounds = soak(400);
  for (std::size_t n = 0; n < rounds; ++n) {
    const MovingBody<3> a = spinning<3>(random), b = spinning<3>(random);
    const auto x = time_of_impact(a.shape, a.pose, a.motion, b.shape, b.pose, b.motion, {.contacts = false});
    ASSERT_TRUE(x.ok());
    const bool box =
        overlap(swept_box<3>(a.shape, a.pose, a.motion, 0, 1), swept_box<3>(b.shape, b.pose, b.motion, 0, 1));
    const bool hull =
        intersects(*swept_hull(a.shape, a.pose, a.motion, 0, 1), {}, *swept_hull(b.shape, b.pose, b.motion, 0, 1), {});
    const MovingPair3 pair(a.pose, a.motion, b.pose, b.motion);
    const bool step = substeps<3>(pair, a.shape, b.shape, 1, 16, SubstepKind::swept).hit;
    if (x->hit) {
      EXPECT_TRUE(box && hull && step);
    }
    contacts += x->hit, boxes += box, hulls += hull, steps += step;
  }
  EXPECT_GT(contacts, rounds / 20);
  EXPECT_GT(boxes, hulls);
  EXPECT_GT(hulls, contacts + rounds / 20);
  EXPECT_GT(steps, contacts);
  testing::Test::RecordProperty("contacts", static_cast<int>(contacts));
  testing::Test::RecordProperty("hulls", static_cast<int>(hulls));
  // A car that has passed the crossing before the other one comes
  const Shape3 car = *make_box3({1, 0.5, 0.5});
  const MovingBody<3> first{car, {{-10, 0, 0}, {}}, {{40, 0, 0}, {}}}, second{car, {{0, -10, 0}, {}}, {{0, 12, 0}, {}}};
  EXPECT_FALSE(time_of_impact(car, first.pose, first.motion, car, second.pose, second.motion)->hit);
  EXPECT_TRUE(intersects(*swept_hull(car, first.pose, first.motion, 0, 1), {},
                         *swept_hull(car, second.pose, second.motion, 0, 1), {}));
  EXPECT_EQ(swept_hull(*make_cone3(1, 1), {}, {}, 0, 1).error().code, ErrorCode::unsupported);
}

// Angles beyond whole numbers are as many turns as count; what is no motion has no hull
TEST(SweptVolume, AnyAngleAndBadMotions) {
  const Shape3 box = *make_box3({1, 1, 1});
  const Shape2 square = *make_box2({1, 1});
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const auto code = [&](const Pose3d& pose, const Motion3& motion, double begin = 0, double end = 1) {
    const auto hull = swept_hull(box, pose, motion, begin, end);
    return hull.ok() ? std::optional<ErrorCode>() : hull.error().code;
  };
  for (const double speed : {2e9, 1e10, 1e300}) {
    EXPECT_EQ(code({}, {{}, {0, 0, speed}}), ErrorCode::too_large) << speed;
    EXPECT_EQ(swept_hull(square, {}, {{}, speed}, 0, 1).error().code, ErrorCode::too_large) << speed;
    // A box has no error to give, and is that of all turns
    const Aabb3d around = swept_box<3>(box, {}, {{}, {0, 0, speed}}, 0, 1);
    EXPECT_TRUE(contains(around, Aabb3d{{-1.42, -1.42, -1}, {1.42, 1.42, 1}})) << speed;
    EXPECT_TRUE(contains(swept_box<2>(square, {}, {{}, speed}, 0, 1), Aabb2d{{-1.42, -1.42}, {1.42, 1.42}})) << speed;
  }
  EXPECT_EQ(code({}, {{}, {0, 0, 1e9}}), std::nullopt);
  for (const double bad : {nan, infinity}) {
    EXPECT_EQ(code({}, {{}, {0, 0, bad}}), ErrorCode::non_finite);
    EXPECT_EQ(code({}, {{0, bad, 0}, {}}), ErrorCode::non_finite);
    EXPECT_EQ(code({{bad, 0, 0}, {}}, {}), ErrorCode::non_finite);
    EXPECT_EQ(code({{}, {1, bad, 0, 0}}, {}), ErrorCode::non_finite);
    EXPECT_EQ(code({}, {}, 0, bad), ErrorCode::non_finite);
    EXPECT_EQ(code({}, {}, -bad, 1), ErrorCode::non_finite);
    EXPECT_EQ(swept_hull(square, {}, {{}, bad}, 0, 1).error().code, ErrorCode::non_finite);
  }
  EXPECT_EQ(code({{}, {0, 0, 0, 0}}, {}), ErrorCode::degenerate);
  EXPECT_EQ(code({}, {}, 1, 0), ErrorCode::invalid_argument);
  EXPECT_EQ(code({}, {}, -1, 1), ErrorCode::invalid_argument);
  EXPECT_EQ(code({}, {{1e300, 0, 0}, {}}, 0, 1e300), ErrorCode::too_large);
  // A longer rotation is the same one
  EXPECT_EQ(bounding_box(*swept_hull(box, {{}, {5, 0, 0, 0}}, {{1, 0, 0}, {}}, 0, 1)),
            bounding_box(*swept_hull(box, {}, {{1, 0, 0}, {}}, 0, 1)));
}
