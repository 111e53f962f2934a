// Bodies that move without turning: separating axes against closed forms, sampling and the search for an impact
#include "tests/continuous/motion_promise.hpp"
#include "tests/support/exact.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/continuous/impact_search.hpp>
#include <sudar/continuous/moving_sat.hpp>
#include <sudar/continuous/time_of_impact.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::MovingBody;
using sudar_test::soak;

namespace {

MovingPair3 moving_by(const Vec3d& offset, const Vec3d& velocity) { return {{}, {}, {offset, {}}, {velocity, {}}}; }

}  // namespace

// Closed form: along each axis boxes overlap from (gap) / speed to (gap + widths) / speed
TEST(MovingSat, BoxesHaveAClosedForm) {
  Random random(campaign_seed(1));
  const Vec3d half_a{1, 2, 0.5}, half_b{0.5, 0.25, 1};
  const Shape3 a = *make_box3(half_a), b = *make_box3(half_b);
  int hits = 0;
  for (int n = 0; n < 2000; ++n) {
    const Vec3d at = point_in_box(random, Vec3d{-6, -6, -6}, Vec3d{6, 6, 6}), v = point_in_ball<3>(random) * 12.0;
    double first = 0, last = 1;
    for (int i = 0; i < 3; ++i) {
      const double reach = half_a[i] + half_b[i], s = (-reach - at[i]) / v[i], e = (reach - at[i]) / v[i];
      first = std::max(first, std::min(s, e)), last = std::min(last, std::max(s, e));
    }
    const MovingSatAnswer3 x = moving_sat(a, b, moving_by(at, v), 1);
    ASSERT_EQ(x.hit, first <= last);
    if (!x.hit) continue;
    ++hits;
    EXPECT_NEAR(x.first, first, 1e-12);
    EXPECT_NEAR(x.last, last, 1e-12);
    EXPECT_LE(x.first_lo, x.first);
    EXPECT_GE(x.first_lo, x.first - 1e-11);
  }
  EXPECT_GT(hits, 100);
}

// A gap of one rounding beside the path, or at its end, is a miss; none is a hit
TEST(MovingSat, GrazingIsDecidedToTheLastBit) {
  const Shape3 box = *make_box3({0.5, 0.5, 0.5});
  const double beyond = next_up(1.0);
  EXPECT_TRUE(moving_sat(box, box, moving_by({1, -3, 0}, {0, 6, 0}), 1).hit);
  EXPECT_FALSE(moving_sat(box, box, moving_by({beyond, -3, 0}, {0, 6, 0}), 1).hit);
  EXPECT_TRUE(moving_sat(box, box, moving_by({3, 0, 0}, {-2, 0, 0}), 1).hit);
  EXPECT_FALSE(moving_sat(box, box, moving_by({3 + 0x1p-51, 0, 0}, {-2, 0, 0}), 1).hit);
  // Far from the origin, where the gap is below a rounding of the positions' difference
  const Pose3d far_a{{1e6, 1e6, 0}, {}}, far_b{{1e6 + 1, 1e6 - 3, 0}, {}};
  EXPECT_TRUE(moving_sat(box, box, MovingPair3(far_a, {}, far_b, {{0, 6, 0}, {}}), 1).hit);
  // In the plane
  const Shape2 square = *make_box2({0.5, 0.5});
  const auto slide = [&](double x) {
    return moving_sat(square, square, MovingPair2({}, {}, {{x, -3}, {}}, {{0, 6}, 0}), 1).hit;
  };
  EXPECT_TRUE(slide(1));
  EXPECT_FALSE(slide(beyond));
}

TEST(MovingSat, PartingAndStandingBodiesMiss) {
  const Shape3 box = *make_box3({1, 1, 1});
  EXPECT_FALSE(moving_sat(box, box, moving_by({3, 0, 0}, {1, 0, 0}), 100).hit);
  EXPECT_FALSE(moving_sat(box, box, moving_by({3, 0, 0}, {0, 5, 0}), 100).hit);
  EXPECT_FALSE(moving_sat(box, box, moving_by({3, 0, 0}, {}), 100).hit);
  EXPECT_FALSE(moving_sat(box, box, moving_by({3, 0, 0}, {-0.5, 0, 0}), 1.9).hit);
  const MovingSatAnswer3 inside = moving_sat(box, box, moving_by({0.5, 0, 0}, {1, 0, 0}), 100);
  EXPECT_TRUE(inside.hit);
  EXPECT_EQ(inside.first, 0);
  EXPECT_NEAR(inside.last, 1.5, 1e-14);
}

// Any two polytopes, flat ones included: axes and search agree, and sampling finds nothing before
namespace {

template <int D>
void compare_axes_with_search(std::size_t rounds) {
  Random random(campaign_seed(2 + D));
  std::size_t hits = 0, tested = 0;
  for (std::size_t n = 0; n < rounds && !testing::Test::HasFailure(); ++n) {
    MovingBody<D> a{[&] {
      if constexpr (D == 2)
        return sudar_test::random_convex2(random, 1);
      else
        return sudar_test::random_convex3(random, 1, false);
    }()};
    MovingBody<D> b = a;
    if constexpr (D == 2)
      b.shape = sudar_test::random_convex2(random, 1);
    else
      b.shape = sudar_test::random_convex3(random, 1, false);
    aim(random, a, 3, 0.5), aim(random, b, 3, 1.5);
    if (!fits_moving_sat(a.shape) || !fits_moving_sat(b.shape)) continue;
    const MovingPair<D> pair(a.pose, a.motion, b.pose, b.motion);
    if (intersects(a.shape, b.shape, pair.at(0))) continue;
    ++tested;
    const auto written = [&] { return sudar_test::written_motion(a, b); };
    const MovingSatAnswer<D> x = moving_sat(a.shape, b.shape, pair, 1);
    int budget = 1000;
    const Impact<D> y = search_impact<D>(pair, {a.shape}, {b.shape}, 0, 1, 1e-11, budget);
    ASSERT_FALSE(y.open);
    ASSERT_EQ(x.hit, y.hit) << written();
    const double sampled = sampled_contact<D>(a, b, 1, 50);
    if (!x.hit) {
      EXPECT_LT(sampled, 0) << written();
      continue;
    }
    ++hits;
    EXPECT_NEAR(x.first, y.t, 1e-5) << written();
    if (sampled >= 0) {
      EXPECT_GE(sampled, x.first_lo) << written();
    }
    EXPECT_LE(distance(a.shape, b.shape, pair.at(x.first)).separation, 1e-12);
    EXPECT_LE(distance(a.shape, b.shape, pair.at(x.last)).separation, 1e-12);
    if (x.last < 1) {
      EXPECT_FALSE(intersects(a.shape, b.shape, pair.at(x.last + 1e-9)));
    }
  }
  EXPECT_GT(tested, rounds / 10);
  EXPECT_GT(hits, tested / 20);
}

}  // namespace

TEST(MovingSat, AgreesWithTheSearchInThePlane) { compare_axes_with_search<2>(soak(4000)); }
TEST(MovingSat, AgreesWithTheSearchInSpace) { compare_axes_with_search<3>(soak(3000)); }

// Seed A9: what touches at the first time, the bodies in their places
TEST(MovingSat, ContactSetAtTheFirstTime) {
  const Shape3 box = *make_box3({1, 1, 1});
  const auto meet = [&](const Pose3d& pose_b, const Vec3d& velocity_b) {
    return *time_of_impact(box, {}, {{0, 0, 1}, {}}, box, pose_b, {velocity_b, {}}, {.t_max = 10});
  };
  // Face on face, half beside it: a rectangle
  const ToiAnswer3 face = meet({{5, 1, 0}, {}}, {-1, 0, 1});
  ASSERT_TRUE(face.hit);
  EXPECT_NEAR(face.t_lo, 3, 1e-12);
  EXPECT_NEAR(*face.t_last, 7, 1e-12);
  EXPECT_EQ(face.kind, ContactKind::polygon);
  ASSERT_EQ(face.contacts.points.size(), 4u);
  for (const auto& p : face.contacts.points) {
    EXPECT_NEAR(p.position.x, 1, 1e-11);
    EXPECT_TRUE(p.position.y > -1e-11 && p.position.y < 1 + 1e-11);
    EXPECT_NEAR(std::fabs(p.position.z - 3), 1, 1e-11);
  }
  EXPECT_NEAR(face.normal.x, 1, 1e-12);
  // An edge first: a segment. A corner first: a point.
  const Quatd eighth = Quatd::from_axis_angle({0, 0, 1}, kPi / 4);
  const ToiAnswer3 edge = meet({{5, 0, 0}, eighth}, {-1, 0, 1});
  ASSERT_TRUE(edge.hit);
  EXPECT_NEAR(edge.t_lo, 4 - std::sqrt(2.0), 1e-12);
  EXPECT_EQ(edge.kind, ContactKind::segment);
  const Quatd corner = Quatd::from_axis_angle({0, 1, 0}, arc_tangent(1, std::sqrt(2.0))) * eighth;
  const ToiAnswer3 point = meet({{5, 0, 0}, corner}, {-1, 0, 1});
  ASSERT_TRUE(point.hit);
  EXPECT_EQ(point.kind, ContactKind::point);
  EXPECT_EQ(point.contacts.points[0].feature_b.kind, FeatureKind::vertex);
  EXPECT_EQ(point.contacts.points[0].feature_a.kind, FeatureKind::face);
  // In the plane: edge on edge
  const Shape2 square = *make_box2({1, 1});
  const ToiAnswer2 flat = *time_of_impact(square, {}, {}, square, {{4, 1}, {}}, {{-1, 0}, 0}, {.t_max = 10});
  ASSERT_TRUE(flat.hit);
  EXPECT_NEAR(flat.t_lo, 2, 1e-12);
  EXPECT_EQ(flat.kind, ContactKind::segment);
  ASSERT_EQ(flat.contacts.points.size(), 2u);
  EXPECT_NEAR(flat.contacts.points[0].position.x, 1, 1e-11);
}

// A long way to go: what rounds along it is told from a gap, and the faces that meet are still found
TEST(MovingSat, LongWays) {
  const Shape3 box = *make_box3({0.01, 0.01, 0.01});
  const auto x = time_of_impact(box, {}, {}, box, {{100, 0, 0}, {}}, {{-200, 0, 0}, {}}, {.contacts = true});
  ASSERT_TRUE(x.ok());
  ASSERT_TRUE(x->hit);
  EXPECT_NEAR(x->t_hi, 99.98 / 200, 1e-12);
  EXPECT_EQ(x->kind, ContactKind::polygon);
  EXPECT_EQ(x->contacts.points.size(), 4u);
  // Both turned the same way, passing each other nearer than a rounding of the way, or clearly beside each other
  for (int k = 1; k < 200; ++k) {
    const Quatd turn = Quatd::from_axis_angle({0, 0, 1}, 0.0314 * k);
    const auto flight = [&](double beside) {
      const Pose3d start{rotate(turn, Vec3d{-1e5, beside, 0}), turn};
      return time_of_impact(box, {{}, turn}, {}, box, start, {rotate(turn, Vec3d{2e5, 0, 0}), {}});
    };
    ASSERT_TRUE(flight(0.02 - 5e-11)->hit) << k;
    ASSERT_FALSE(flight(0.02 + 1e-8)->hit) << k;
  }
}

// A point comes down on a wide plate that is turned, to within a rounding of its place there. A miss is one, and so is the time
// before the first contact. Oracle: its height over the plate in rational arithmetic, which turns without rounding
TEST(MovingSat, APlaceOnATurnedPlateIsRounded) {
  using sudar_test::Rational;
  Random random(campaign_seed(97));
  constexpr double kWide = 1e6;
  const Shape3 plate = *make_box3({kWide, kWide, 1}), point = *make_point3({0, 0, 0});
  std::size_t hits = 0, misses = 0;
  for (std::size_t n = 0; n < soak(2000); ++n) {
    const Quatd turn = normalized(unit_quaternion(random));
    const double most = n % 2 == 0 ? 1e-10 : 3e-8;
    const Vec3d end{kWide * random.uniform(-0.9, 0.9), kWide * random.uniform(-0.9, 0.9),
                    1 + random.uniform(-most, most)};
    const Vec3d start = rotate(turn, end + Vec3d{0, 0, 0.5}), way = rotate(turn, end) - start;
    const auto height = [&](double t) {
      const Rational w(turn.w), x(turn.x), y(turn.y), z(turn.z), time(t);
      const Rational normal[] = {2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z};
      Rational sum;
      for (int i = 0; i < 3; ++i) sum += normal[i] * (Rational(start[i]) + Rational(way[i]) * time);
      return Rational(sum / (w * w + x * x + y * y + z * z) - 1);
    };
    const MovingSatAnswer3 x = moving_sat(plate, point, MovingPair3({{}, turn}, {}, {start, {}}, {way, {}}), 1);
    ++(x.hit ? hits : misses);
    ASSERT_GE(sign(height(x.hit ? x.first_lo : 1)), 0) << n << " " << x.hit;
  }
  EXPECT_GT(hits, soak(2000) / 4);
  EXPECT_GT(misses, soak(2000) / 10);
}
