// Swept volumes hold every place of the body, and meet where the bodies do not: both are counted
#include "tests/continuous/moving_bodies.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/continuous/substeps.hpp>
#include <sudar/continuous/swept_volume.hpp>
#include <sudar/continuous/time_of_impact.hpp>

#include <gtest/gtest.h>

#include <cmath>

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
