// The time of impact in any unit of time, of speeds and times of any magnitude: powers of two change no bit, what is told is in
// seconds, and nothing leaves the doubles on the way. Oracle: the same question in other units, and closed forms
#include "tests/continuous/asked_time.hpp"
#include "tests/continuous/motion_promise.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/trace.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::kMethods;
using sudar_test::MovingBody;
using sudar_test::soak;
using sudar_test::toi;

// Squares of speeds may be out of range where ways are not
TEST(TimeOfImpact, SlowForEver) {
  const Mesh cube = *box_mesh({1, 1, 1});
  const Shape3 block = *make_mesh_shape3(cube.vertices, cube.triangles, true), box = *make_box3({1, 1, 1});
  const Shape3 ground = *make_halfspace3({0, 0, 1}, 0), can = *make_cylinder3(1, 1);
  for (const double speed : {1e-165, 1e-30, 1.0, 1e30, 1e160}) {
    // They meet near the end of the time, and what turns hardly does
    const ToiOptions options{.t_max = 1.2 / speed};
    for (const Shape3& shape : {box, block, can})
      for (const double turn : {0.0, 1e-6, 0.125}) {
        const MovingBody<3> falling{shape, {{0, 0, 2}, {}}, {{0, 0, -speed}, {}}};
        MovingBody<3> below{ground, {}, {{}, {turn * speed, 0, 0}}};
        EXPECT_TRUE(toi(below, falling, options).hit) << speed << " " << turn;
        below.shape = can;
        below.pose.position.z = -1;
        const ToiAnswer3 x = toi(below, falling, options);
        ASSERT_TRUE(x.hit) << speed << " " << turn;
        EXPECT_LE(x.t_lo * speed, 1 + 1e-9);
        if (turn == 0) {
          EXPECT_GE(x.t_lo * speed, 1 - 1e-6);
        }
        EXPECT_LE(x.tolerance, 1e-6);
      }
  }
}

// The same in the plane
TEST(TimeOfImpact, SlowForEverInThePlane) {
  const Shape2 box = *make_box2({1, 1}), capsule = *make_capsule2({0, -0.5}, {0, 0.5}, 0.5);
  const std::vector<CompoundChild2> children = {{box, {}}, {*make_circle2(1), {}}};
  const Shape2 ground = *make_halfplane2({0, 1}, 0), both = *make_compound2(children);
  for (const double speed : {1e-165, 1e-30, 1.0, 1e30, 1e160}) {
    const ToiOptions options{.t_max = 1.2 / speed};
    for (const Shape2& shape : {box, capsule, both})
      for (const double turn : {0.0, 1e-6, 0.125}) {
        const MovingBody<2> falling{shape, {{0, 2}, {}}, {{0, -speed}, 0}};
        MovingBody<2> below{ground, {}, {{}, turn * speed}};
        EXPECT_TRUE(toi(below, falling, options).hit) << speed << " " << turn;
        below.shape = box;
        below.pose.position.y = -1;
        const ToiAnswer2 x = toi(below, falling, options);
        ASSERT_TRUE(x.hit) << speed << " " << turn;
        EXPECT_LE(x.t_lo * speed, 1 + 1e-9);
        if (turn == 0) {
          EXPECT_GE(x.t_lo * speed, 1 - 1e-6);
        }
        EXPECT_LE(x.tolerance, 1e-6);
      }
  }
}

namespace {

template <int D>
AnyShape<D> any_convex(Random& random) {
  if constexpr (D == 2) {
    if (random.below(8) == 0) return *make_halfplane2(unit_vector<2>(random), -1);
    return sudar_test::random_convex2(random, 1);
  } else {
    if (random.below(8) == 0) return *make_halfspace3(unit_vector<3>(random), -1);
    return sudar_test::random_convex3(random, 1, true);
  }
}
template <int D>
void turn(Random& random, MovingBody<D>& body) {
  if constexpr (D == 2)
    body.motion.angular = random.uniform(-5, 5);
  else
    body.motion.angular = unit_vector<3>(random) * random.uniform(0, 5);
}

// The same way in a unit of 2^k seconds
template <int D>
MovingBody<D> in_units(MovingBody<D> body, int k) {
  for (int i = 0; i < D; ++i) body.motion.linear[i] = std::ldexp(body.motion.linear[i], -k);
  if constexpr (D == 2)
    body.motion.angular = std::ldexp(body.motion.angular, -k);
  else
    for (int i = 0; i < 3; ++i) body.motion.angular[i] = std::ldexp(body.motion.angular[i], -k);
  return body;
}

template <int D>
void expect_any_unit() {
  Random random(campaign_seed(95 + 3 - D));
  std::size_t hits = 0, misses = 0;
  for (std::size_t n = 0; n < soak(200); ++n) {
    MovingBody<D> a{any_convex<D>(random)}, b{any_convex<D>(random)};
    if (!a.shape.is_bounded() && !b.shape.is_bounded()) continue;
    aim(random, a, 3, 0.5), aim(random, b, 3, 0.5);
    if (random.below(4) != 0) turn(random, b);
    if (random.coin()) turn(random, a);
    const ToiAnswer<D> x = toi(a, b);
    ++(x.hit ? hits : misses);
    for (const int k : {-900, -540, -65, -64, -3, 5, 63, 64, 65, 530, 540, 900}) {
      const ToiAnswer<D> y = toi(in_units(a, k), in_units(b, k), {.t_max = std::ldexp(1.0, k)});
      ASSERT_EQ(x.hit, y.hit) << k << '\n' << sudar_test::written_motion(a, b);
      ASSERT_EQ(std::ldexp(x.t_lo, k), y.t_lo) << k << '\n' << sudar_test::written_motion(a, b);
      ASSERT_EQ(std::ldexp(x.t_hi, k), y.t_hi) << k << '\n' << sudar_test::written_motion(a, b);
      ASSERT_EQ(x.t_last.has_value(), y.t_last.has_value()) << k;
      if (x.t_last) {
        ASSERT_EQ(std::ldexp(*x.t_last, k), *y.t_last) << k;
      }
      ASSERT_EQ(x.tolerance, y.tolerance) << k;
      ASSERT_EQ(x.tolerance_last, y.tolerance_last) << k;
      ASSERT_EQ(x.point, y.point) << k;
      ASSERT_EQ(x.iterations, y.iterations) << k;
    }
  }
  EXPECT_GT(hits, soak(200) / 4);
  EXPECT_GT(misses, soak(200) / 20);
}

}  // namespace

// The unit of time is nobody's business: powers of two of it change no bit of an answer
TEST(TimeOfImpact, AnyUnitOfTime) {
  expect_any_unit<2>();
  expect_any_unit<3>();
}

namespace {

// How many steps a sink was told: all, those of slabs, and those on the way back from the end
struct StepsTold {
  std::size_t all = 0, slabs = 0, back = 0;
};

// `first` has the steps of the search for the first time; the numbers that are a time, or a speed, are those of its method
template <int D>
void expect_told_in_seconds(const MovingBody<D>& a, const MovingBody<D>& b, ToiMethod method, const TraceLog& plain,
                            const TraceLog& first, StepsTold& told) {
  told.back += plain.entries().size() - first.entries().size();
  for (const int k : {-900, -65, 65, 900}) {
    TraceLog log;
    toi(in_units(a, k), in_units(b, k), {.t_max = std::ldexp(1.0, k), .method = method, .trace = &log});
    ASSERT_EQ(log.entries().size(), plain.entries().size());
    for (std::size_t i = 0; i < log.entries().size(); ++i) {
      const TraceLog::Entry &x = plain.entries()[i], &y = log.entries()[i];
      ASSERT_EQ(x.step, y.step);
      ASSERT_EQ(std::ldexp(x.value, k), y.value) << x.step;
      ASSERT_EQ(x.numbers.size(), y.numbers.size());
      const bool of_first = i < first.entries().size(), advances = of_first && method == ToiMethod::conservative;
      for (std::size_t j = 0; j < x.numbers.size(); ++j) {
        const bool is_time = of_first && method == ToiMethod::halving ? j == 0
                             : advances                               ? j == D + 2
                                                                      : x.step == "slab";
        const bool is_speed = advances && j == D + 1;
        ASSERT_EQ(std::ldexp(x.numbers[j], is_time ? k : is_speed ? -k : 0), y.numbers[j]) << x.step << " " << j;
      }
      ++told.all, told.slabs += x.step == "slab";
    }
  }
}

// A body at rest, another that passes it or not, `turn` times of what it may turn. Without turning the search for the last time
// follows, whose steps are those of another method; from the start in each other there are no others.
struct Passing {
  double ahead, aside, turn;
};

template <int D>
void expect_passing_is_told(const AnyShape<D>& shape_a, const AnyShape<D>& shape_b, const Passing& way,
                            StepsTold& told) {
  MovingBody<D> a{shape_a}, b{shape_b};
  b.pose.position.x = -way.ahead, b.pose.position.y = way.aside, b.motion.linear.x = 7;
  if constexpr (D == 2) {
    a.motion.angular = 3 * way.turn, b.motion.angular = 2 * way.turn;
  } else {
    b.pose.position.z = 0.2;
    a.motion.angular = Vec3d{0, 0.5, 3} * way.turn, b.motion.angular = Vec3d{1, 2, 0} * way.turn;
  }
  for (const ToiMethod method : kMethods) {
    TraceLog plain, first;
    EXPECT_EQ(toi(a, b, {.method = method, .trace = &plain}).hit, way.aside < 1);
    toi(a, b, {.method = method, .last = false, .trace = &first});
    EXPECT_EQ(plain.entries().size() > first.entries().size(), way.turn == 0);
    EXPECT_EQ(first.entries().empty(), way.ahead < 1);
    expect_told_in_seconds(a, b, method, plain, first, told);
  }
}

// Bodies of parts in passing, so that there is a slab without an impact
template <int D>
void expect_all_are_told(const AnyShape<D>& box, const AnyShape<D>& rod, const AnyShape<D>& block,
                         const AnyShape<D>& both) {
  StepsTold told;
  expect_passing_is_told<D>(box, rod, {6, 0.3, 1}, told);
  expect_passing_is_told<D>(block, both, {6, 4.5, 1}, told);
  expect_passing_is_told<D>(box, rod, {4, 0.3, 0}, told);
  expect_passing_is_told<D>(box, rod, {0.2, 0.3, 0}, told);
  expect_passing_is_told<D>(block, both, {4, 0.3, 0}, told);
  expect_passing_is_told<D>(block, both, {0.2, 0.3, 0}, told);
  EXPECT_GT(told.all, 100u);
  EXPECT_GT(told.slabs, 0u);
  EXPECT_GT(told.back, 20u);
}

}  // namespace

// What a sink is told, of each method and of bodies of parts: times in seconds, speeds in metres a second
TEST(TimeOfImpact, StepsAreToldInSeconds) {
  const Mesh cube = *box_mesh({1, 1, 1});
  const Shape3 box = *make_box3({1, 1, 1});
  const std::vector<CompoundChild3> children = {{box, {{0, 0.5, 0}, {}}}, {box, {{0, -0.5, 0}, {}}}};
  expect_all_are_told<3>(box, *make_capsule3({0, 0, -1}, {0, 0, 1}, 0.5),
                         *make_mesh_shape3(cube.vertices, cube.triangles, true), *make_compound3(children));
  const Shape2 square = *make_box2({1, 1});
  const std::vector<CompoundChild2> low = {{square, {{0, 0.5}, {}}}, {square, {{0, -0.5}, {}}}};
  const std::vector<CompoundChild2> wide = {{square, {{0.5, 0}, {}}}, {square, {{-0.5, 0}, {}}}};
  expect_all_are_told<2>(square, *make_capsule2({0, -0.25}, {0, 0.25}, 0.5), *make_compound2(wide),
                         *make_compound2(low));
}

// Where products of speeds, or of times, leave the doubles. Oracle: what is there at the end, and closed forms
TEST(TimeOfImpact, SpeedsAndTimesOutOfRange) {
  const MovingBody<3> cube{*make_box3({1, 1, 1}), {}, {{}, {0, 0, 1e-300}}};
  const MovingBody<3> ball{*make_sphere3(1), {{2.2, 0, 0}, {}}};
  ASSERT_TRUE(intersects(cube.shape, sudar_test::pose_by_hand(cube, 1e300L), ball.shape, ball.pose));
  const ToiAnswer3 turned = toi(cube, ball, {.t_max = 1e300});
  ASSERT_TRUE(turned.hit);
  EXPECT_LE(distance(cube.shape, pose_at(cube.pose, cube.motion, turned.t_hi), ball.shape, ball.pose).separation, 1e-9);
  // Two balls fall side by side, one of them faster, and onto a plane
  const MovingBody<3> slow{*make_sphere3(1), {{0, 0, 10}, {}}, {{0, 0, -1e-305}, {}}};
  const MovingBody<3> fast{*make_sphere3(1), {{0, 0, 14}, {}}, {{0, 0, -4e-305}, {}}};
  const ToiAnswer3 met = toi(slow, fast, {.t_max = 1e305});
  ASSERT_TRUE(met.hit);
  EXPECT_NEAR(met.t_lo * 1e-305, 2.0 / 3, 1e-9);
  const ToiAnswer3 landed = toi<3>({*make_halfspace3({0, 0, 1}, 0)}, fast, {.t_max = 1e306});
  ASSERT_TRUE(landed.hit);
  EXPECT_NEAR(landed.t_lo * 1e-305, 3.25, 1e-9);
  EXPECT_NEAR(landed.separation, 0, 1e-8);
  // A kilometre in a moment
  const MovingBody<3> shot{*make_sphere3(1), {{-1000, 0, 0}, {}}, {{1.1e303, 0, 0}, {}}};
  for (const Shape3& target : {*make_sphere3(1), *make_box3({1, 1, 1})}) {
    const ToiAnswer3 x = toi(shot, {target}, {.t_max = 1e-300});
    ASSERT_TRUE(x.hit);
    EXPECT_NEAR(x.t_lo * 1.1e303, 998, 1e-6);
  }
}

// No time at all, and speeds of any size: what is there at the start
TEST(TimeOfImpact, NoTimeAtAll) {
  const double most = 1.79e308;
  for (const Shape3& shape : {*make_sphere3(1), *make_box3({1, 1, 1}), *make_cone3(1, 1)})
    for (const double far : {0.5, 5.0})
      for (const Vec3d& turn : {Vec3d{}, Vec3d{1e308, 0, 0}}) {
        const MovingBody<3> still{*make_sphere3(1.5), {{far, 0, 0}, {}}}, begin{shape};
        const MovingBody<3> a{shape, {}, {{-most, most, most}, turn}};
        const MovingBody<3> b{still.shape, still.pose, {{most, -most, 0}, turn}};
        const ToiAnswer3 x = toi(a, b, {.t_max = 0}), y = toi(begin, still, {.t_max = 0});
        ASSERT_EQ(x.hit, far < 1);
        ASSERT_EQ(x.hit, y.hit);
        EXPECT_EQ(x.t_lo, 0);
        EXPECT_EQ(x.t_hi, 0);
        EXPECT_EQ(x.point, y.point);
        EXPECT_EQ(x.normal, y.normal);
        EXPECT_EQ(x.separation, y.separation);
        EXPECT_EQ(x.tolerance, y.tolerance);
      }
}

// The same in the plane
TEST(TimeOfImpact, SpeedsAndTimesOutOfRangeInThePlane) {
  const MovingBody<2> square{*make_box2({1, 1}), {}, {{}, 1e-300}};
  const MovingBody<2> ball{*make_circle2(1), {{2.2, 0}, {}}};
  ASSERT_TRUE(intersects(square.shape, sudar_test::pose_by_hand(square, 1e300L), ball.shape, ball.pose));
  const ToiAnswer2 turned = toi(square, ball, {.t_max = 1e300});
  ASSERT_TRUE(turned.hit);
  EXPECT_LE(distance(square.shape, pose_at(square.pose, square.motion, turned.t_hi), ball.shape, ball.pose).separation,
            1e-9);
  const MovingBody<2> slow{*make_circle2(1), {{0, 10}, {}}, {{0, -1e-305}, 0}};
  const MovingBody<2> fast{*make_circle2(1), {{0, 14}, {}}, {{0, -4e-305}, 0}};
  const ToiAnswer2 met = toi(slow, fast, {.t_max = 1e305});
  ASSERT_TRUE(met.hit);
  EXPECT_NEAR(met.t_lo * 1e-305, 2.0 / 3, 1e-9);
  const ToiAnswer2 landed = toi<2>({*make_halfplane2({0, 1}, 0)}, fast, {.t_max = 1e306});
  ASSERT_TRUE(landed.hit);
  EXPECT_NEAR(landed.t_lo * 1e-305, 3.25, 1e-9);
  EXPECT_NEAR(landed.separation, 0, 1e-8);
  const MovingBody<2> shot{*make_circle2(1), {{-1000, 0}, {}}, {{1.1e303, 0}, 0}};
  for (const Shape2& target : {*make_circle2(1), *make_box2({1, 1})}) {
    const ToiAnswer2 x = toi(shot, {target}, {.t_max = 1e-300});
    ASSERT_TRUE(x.hit);
    EXPECT_NEAR(x.t_lo * 1.1e303, 998, 1e-6);
  }
}
