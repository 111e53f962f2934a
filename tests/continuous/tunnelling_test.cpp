// Nothing passes through anything: campaigns of bullets, turning targets and random pairs against dense sampling. The counts
// are small by default; SUDAR_SOAK=200 makes them a million. What fails is shrunk and written as a case.
#include "tests/continuous/motion_promise.hpp"
#include "tests/support/counts.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/continuous/free_step.hpp>
#include <sudar/continuous/substeps.hpp>
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::MovingBody;
using sudar_test::soak;

namespace {

template <int D>
MovingBody<D> random_body(Random& random, double size);
template <>
MovingBody<3> random_body<3>(Random& random, double size) {
  MovingBody<3> out{sudar_test::random_convex3(random, size, random.below(8) == 0)};
  aim(random, out, 3, 0.8);
  if (random.below(4) != 0) out.motion.angular = unit_vector<3>(random) * std::exp(random.uniform(-2, 4));
  return out;
}
template <>
MovingBody<2> random_body<2>(Random& random, double size) {
  MovingBody<2> out{sudar_test::random_convex2(random, size)};
  aim(random, out, 3, 0.8);
  if (random.below(4) != 0) out.motion.angular = (random.coin() ? 1 : -1) * std::exp(random.uniform(-2, 4));
  return out;
}

// The case of a failure; a campaign that fails everywhere need not write everything
template <int D>
void tell_case(const std::string& wrong, const MovingBody<D>& a, const MovingBody<D>& b,
               std::optional<double> meets_at = {}) {
  constexpr int kMostWritten = 3;
  static const testing::TestInfo* test = nullptr;
  static int written = 0;
  if (const auto* now = testing::UnitTest::GetInstance()->current_test_info(); now != test) test = now, written = 0;
  if (++written > kMostWritten) return;
  const sudar_test::MotionCase<D> c = sudar_test::motion_case(a, b, 1, meets_at);
  const auto broken = [](const sudar_test::MotionCase<D>& other) { return sudar_test::broken_promise(other); };
  ADD_FAILURE() << shrunk_case(c, wrong, broken);
}
// What is planted is found in time, and nothing else for it; whether the search came to its end
template <int D>
bool expect_planted(const MovingBody<D>& a, const MovingBody<D>& b, const ToiAnswer<D>& x, double when, double latest) {
  const std::string wrong = !x.hit                               ? "the impact is missed"
                            : x.t_lo > latest                    ? "the impact is found late"
                            : x.status != QueryStatus::converged ? "the search ended at its limit"
                                                                 : sudar_test::broken_impact(a, b, x, 1);
  if (!wrong.empty()) tell_case(wrong, a, b, when);
  return wrong.empty();
}

// Some point of a convex shape
Vec3d random_point_of(const Shape3& shape) {
  const ConvexView3 view = make_view(shape);
  return view.is_polytope() ? view.vertex(view.count / 2) : view.center();
}

template <int D>
void turning_pairs(std::size_t rounds) {
  Random random(campaign_seed(100 + D));
  std::size_t hits = 0, misses = 0, wrong = 0;
  sudar_test::MotionTally tally;
  for (std::size_t n = 0; n < rounds; ++n) {
    const MovingBody<D> a = random_body<D>(random, std::exp(random.uniform(-3, 0)));
    const MovingBody<D> b = random_body<D>(random, std::exp(random.uniform(-3, 0)));
    const auto x = sudar_test::impact_time(a, b);
    ASSERT_TRUE(x.ok());
    ++(x->hit ? hits : misses);
    const std::string broken = sudar_test::broken_promise(a, b, *x, 1, 400, &tally);
    if (broken.empty()) continue;
    ++wrong;
    tell_case(broken, a, b);
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(hits, rounds / 20);
  EXPECT_GT(misses, rounds / 10);
  // 0.9995 of what ways there are, whatever the seed
  EXPECT_GT(tally.share(), 0.999);
  sudar_test::count_cases("proven_ways", static_cast<std::size_t>(tally.proven));
  testing::Test::RecordProperty("hits", static_cast<int>(hits));
  testing::Test::RecordProperty("misses", static_cast<int>(misses));
}

}  // namespace

TEST(Tunnelling, TurningPairsInThePlane) { turning_pairs<2>(soak(10000)); }
TEST(Tunnelling, TurningPairsInSpace) { turning_pairs<3>(soak(10000)); }

// Bullets of many sizes and speeds at thin targets that turn: what is aimed at is hit. Seed A11: the same without
// continuous detection.
TEST(Tunnelling, BulletsHitTurningTargets) {
  Random random(campaign_seed(42));
  const std::size_t rounds = soak(10000);
  std::size_t wrong = 0, discrete = 0, swept = 0;
  for (std::size_t n = 0; n < rounds; ++n) {
    const double thickness = std::exp(random.uniform(-9, -1)), width = random.uniform(0.3, 2);
    MovingBody<3> target{*make_box3({thickness, width, width}), {point_in_ball<3>(random), unit_quaternion(random)}};
    target.motion = {point_in_ball<3>(random) * 3.0, unit_vector<3>(random) * std::exp(random.uniform(-3, 5))};
    const double size = std::exp(random.uniform(-9, -1)), when = random.uniform(0.05, 0.95);
    MovingBody<3> bullet{random.coin() ? *make_sphere3(size) : *make_box3({size, 2 * size, size})};
    if (bullet.shape.kind() == ShapeKind3::box) bullet.motion.angular = unit_vector<3>(random) * 50.0;
    // The middle of the bullet is in the target, a tenth of the thickness deep at least, at that time
    const Vec3d in{thickness * random.uniform(-0.9, 0.9), width * random.uniform(-0.9, 0.9),
                   width * random.uniform(-0.9, 0.9)};
    const Vec3d meet = transform(pose_at(target.pose, target.motion, when), in);
    const Vec3d velocity = unit_vector<3>(random) * std::exp(random.uniform(1, 9));
    bullet.pose = {meet - velocity * when, unit_quaternion(random)};
    bullet.motion.linear = velocity;
    const auto x = sudar_test::impact_time(bullet, target);
    ASSERT_TRUE(x.ok());
    // A hit for want of work would be one at any time
    wrong += !expect_planted(bullet, target, *x, when, when);
    const MovingPair3 pair(bullet.pose, bullet.motion, target.pose, target.motion);
    if (n % 16 == 0) {
      discrete += substeps<3>(pair, bullet.shape, target.shape, 1, 16, SubstepKind::discrete).hit;
      const Impact<3> s = substeps<3>(pair, bullet.shape, target.shape, 1, 16, SubstepKind::swept);
      swept += s.hit && s.t <= when;
    }
  }
  EXPECT_EQ(wrong, 0u);
  // At rest, sixteen times in the step: most bullets are through. Grown, none is.
  EXPECT_LT(discrete * 16, rounds / 4);
  EXPECT_EQ(swept, (rounds + 15) / 16);
}

// Contacts that are a few tolerances deep, and hardly moving towards each other: at a known time two bodies of any two
// sizes are that deep in each other, and slide along each other there. None may be missed or be found after that time.
namespace {

double turning_with(const Vec2d&, double value) { return value; }
Vec3d turning_with(const Vec3d& direction, double value) { return direction * value; }

template <int D>
void planted_contacts(std::size_t rounds) {
  using V = Vec<D, double>;
  Random random(campaign_seed(400 + D));
  std::size_t wrong = 0, planted = 0, before = 0;
  for (std::size_t n = 0; n < rounds; ++n) {
    const double size_a = std::exp(random.uniform(-3, 0)), size_b = size_a * std::exp(random.uniform(-9, 3));
    MovingBody<D> a = random_body<D>(random, size_a), b = random_body<D>(random, size_b);
    if constexpr (D == 3)
      a.shape = sudar_test::random_convex3(random, size_a, false),
      b.shape = sudar_test::random_convex3(random, size_b, false);
    // Where they are at that time, apart as yet
    const double when = random.uniform(0.05, 0.95), away = random.below(4) == 0 ? 1e4 : 1;
    a.pose.position = point_in_ball<D>(random) * away;
    b.pose.position = a.pose.position + unit_vector<D>(random) * (3 * (size_a + size_b));
    const DistanceAnswer<D> x = distance(a.shape, b.shape, make_placement<D>(a.pose, b.pose));
    if (x.hit) continue;
    const V normal = rotate(a.pose.rotation, x.normal), at = transform(a.pose, x.point_a);
    a.motion.angular = turning_with(unit_vector<D>(random), std::exp(random.uniform(-2, 3)));
    b.motion.angular = turning_with(unit_vector<D>(random), std::exp(random.uniform(-2, 3)));
    const double far = farthest_radius<D>(a.shape) + farthest_radius<D>(b.shape);
    // The positions round, and so do the poses of the oracle
    const double depth = random.uniform(2, 10) * kImpactTolerance * far + 128 * kRoundoff * (away + 10);
    b.pose.position -= normal * (x.separation + depth);
    // Sliding: the same velocity along the normal where they meet
    a.motion.linear = point_in_ball<D>(random) * 3.0;
    const V slide = unit_vector<D>(random) * std::exp(random.uniform(-1, 3));
    const V at_a = a.motion.linear + tip_velocity(a.motion.angular, at - a.pose.position);
    b.motion.linear = at_a - tip_velocity(b.motion.angular, at - b.pose.position) + slide - normal * dot(slide, normal);
    // Back to the start
    for (MovingBody<D>* body : {&a, &b}) {
      body->pose.position -= body->motion.linear * when;
      body->pose.rotation = normalized(rotation_at(body->pose.rotation, body->motion.angular, -when));
    }
    // Thin bodies may have been moved through each other, and then are hardly as deep as rounding
    const double rounding = 64 * kRoundoff * (away + 10);
    const DistanceAnswer<D> then = distance(
        a.shape, b.shape, make_placement<D>(sudar_test::pose_by_hand(a, when), sudar_test::pose_by_hand(b, when)));
    if (!(then.separation < -(kImpactTolerance * far + rounding))) continue;
    ++planted;
    const auto y = sudar_test::impact_time(a, b);
    ASSERT_TRUE(y.ok());
    wrong += !expect_planted(a, b, *y, when, when);
    before += y->hit && y->t_lo < when - 1e-3;
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(planted, rounds / 4);
  // Most are found where they were planted
  EXPECT_LT(before, planted / 2);
}

}  // namespace

TEST(Tunnelling, ContactsOfAFewTolerancesInThePlane) { planted_contacts<2>(soak(4000)); }
TEST(Tunnelling, ContactsOfAFewTolerancesInSpace) { planted_contacts<3>(soak(4000)); }

// The same at the surface of a mesh: a ring of triangles that turns, hit at a triangle at a known time
TEST(Tunnelling, BulletsHitTurningMeshes) {
  Random random(campaign_seed(43));
  const std::size_t rounds = soak(500);
  const Mesh ring = *torus_mesh(1, 0.3, 32, 16);
  MovingBody<3> target{*make_mesh_shape3(ring.vertices, ring.triangles, false)};
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < rounds; ++n) {
    target.pose = {point_in_ball<3>(random), unit_quaternion(random)};
    target.motion = {point_in_ball<3>(random) * 3.0, unit_vector<3>(random) * std::exp(random.uniform(-3, 5))};
    const Triangle<3, double> x = ring.corners(static_cast<std::uint32_t>(random.below(ring.triangles.size())));
    const double when = random.uniform(0.05, 0.95), u = random.uniform(), v = random.uniform() * (1 - u);
    const Vec3d meet = transform(pose_at(target.pose, target.motion, when), x.a + (x.b - x.a) * u + (x.c - x.a) * v);
    MovingBody<3> bullet{sudar_test::random_convex3(random, std::exp(random.uniform(-6, -2)), false)};
    // A point of the bullet is on the triangle at that time
    bullet.motion = {unit_vector<3>(random) * std::exp(random.uniform(1, 9)), unit_vector<3>(random) * 30.0};
    bullet.pose.rotation = unit_quaternion(random);
    const Vec3d own = random_point_of(bullet.shape);
    bullet.pose.position = meet - rotate(rotation_at(bullet.pose.rotation, bullet.motion.angular, when), own) -
                           bullet.motion.linear * when;
    const auto y = sudar_test::impact_time(target, bullet);
    ASSERT_TRUE(y.ok());
    // Where the bullet's own corner arrives first, that is the time of impact, up to the rounding of the places
    wrong += !expect_planted(target, bullet, *y, when, when * (1 + 1e-12));
  }
  EXPECT_EQ(wrong, 0u);
}

// Every step that is called free is free, and most are longer than distance over speed
namespace {

template <int D>
void steps_are_free(std::size_t rounds) {
  Random random(campaign_seed(200 + D));
  std::size_t longer = 0, some = 0, ends = 0, short_steps = 0, touching = 0;
  for (std::size_t n = 0; n < rounds; ++n) {
    const MovingBody<D> a = random_body<D>(random, 0.7), b = random_body<D>(random, 0.7);
    const MovingPair<D> pair(a.pose, a.motion, b.pose, b.motion);
    // Pieces that lie off their bodies' origins, every other time
    Pose<D, double> in_a, in_b;
    if (n % 2 == 1) {
      in_a = {point_in_ball<D>(random), random_body<D>(random, 1).pose.rotation};
      in_b = {point_in_ball<D>(random), random_body<D>(random, 1).pose.rotation};
    }
    const auto placed = [&](double t) {
      return make_placement<D>(sudar_test::pose_by_hand(a, t) * in_a, sudar_test::pose_by_hand(b, t) * in_b);
    };
    const DistanceAnswer<D> x = distance(a.shape, b.shape, placed(0));
    if (x.hit) continue;
    const MovingConvex<D> body_a(a.shape, in_a, a.pose.rotation, a.motion.angular);
    const MovingConvex<D> body_b(b.shape, in_b, b.pose.rotation, b.motion.angular);
    const Vec<D, double> normal = rotate(a.pose.rotation * in_a.rotation, x.normal);
    Angular<D> spin = a.motion.angular;
    const double t = free_until(pair, body_a, body_b, pair.instant(0), normal, 1, n % 2 == 0 ? &spin : nullptr);
    ASSERT_GT(t, 0);
    ASSERT_LE(t, 1);
    ++some;
    const double speed = closing_speed(pair, farthest_radius<D>(a.shape) + length(in_a.position),
                                       farthest_radius<D>(b.shape) + length(in_b.position));
    longer += t > 1.5 * x.lower / speed || t == 1;
    for (int k = 1; k <= 20; ++k) {
      ASSERT_FALSE(intersects(a.shape, b.shape, placed(t * k / 20))) << n << " " << k;
    }
    // By the distance alone: no shorter than the speed of the whole bodies lets it be, and no longer than is free
    const double near = free_by_distance(pair, body_a, body_b, pair.instant(0), x.lower, 1);
    ASSERT_GE(near, std::min(1.0, 0.999 * x.lower / speed));
    for (int k = 1; k <= 5; ++k) {
      ASSERT_FALSE(intersects(a.shape, b.shape, placed(near * k / 5))) << n << " " << k;
    }
    touching += near < 1 && distance(a.shape, b.shape, placed(near)).separation < 0.5 * x.separation;
    // Steps that are not the whole way end where the gap is used up: three of them use up much of it, in more than one of six
    if (t < 1) ends += distance(a.shape, b.shape, placed(std::min(1.0, 3 * t))).separation < 0.7 * x.separation;
    short_steps += t < 1;
  }
  EXPECT_GT(some, rounds / 2);
  EXPECT_GT(longer, some / 4);
  EXPECT_GT(ends, short_steps / 6);
  EXPECT_GT(touching, short_steps / 50);
}

}  // namespace

// The angle of a half-space that turned often is known to some roundings of all its turns: a gap below that, at the distance
// of the other body, proves nothing
TEST(FreeStep, TheAngleOfAHalfSpaceIsRounded) {
  const Shape3 plane = *make_halfspace3({0, 0, 1}, 0), ball = *make_sphere3(0.5);
  for (const double turned : {0.0, 1e9}) {
    // About its own normal, so that it only seems to turn
    const Motion3 motion{{}, {0, 0, turned}};
    const MovingPair3 pair({}, motion, {{100, 0, 0.5 + 1e-7}, {}}, {});
    const MovingConvex<3> a(plane, {}, {}, motion.angular), b(ball, {}, {}, {});
    const double t = free_until(pair, a, b, pair.instant(0.5), Vec3d{0, 0, 1}, 1);
    EXPECT_EQ(t > 0.5, turned == 0) << turned;
  }
}

TEST(FreeStep, IsProven) { steps_are_free<3>(soak(3000)); }
TEST(FreeStep, IsProvenInThePlane) { steps_are_free<2>(soak(3000)); }
