// Oracles: closed forms on planes, edges, creases and balls; small steps in all directions, none of which is free and nearer
// to a hand that rests; what must never happen (popping through, a longer spring), checked at every update of long walks.
#include "tests/narrowphase/bumpy_sphere.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/closest.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/sdf/haptic_probe.hpp>
#include <sudar/sdf/mesh_field.hpp>
#include <sudar/sdf/shape_field.hpp>
#include <sudar/shapes/compound3.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

std::shared_ptr<const TriangleMesh> shared_mesh(const Mesh& mesh) { return *TriangleMesh::make(mesh); }
// A square sheet in z = 0, of n × n cells
Mesh sheet(double half, std::uint32_t n) {
  Mesh mesh;
  for (std::uint32_t j = 0; j <= n; ++j)
    for (std::uint32_t i = 0; i <= n; ++i)
      mesh.vertices.push_back({half * (2.0 * i / n - 1), half * (2.0 * j / n - 1), 0});
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t v = j * (n + 1) + i;
      mesh.triangles.push_back({v, v + 1, v + n + 2});
      mesh.triangles.push_back({v, v + n + 2, v + n + 1});
    }
  return mesh;
}
// A spring without a limit or a damper: the force is the depth
HapticOptions plain_spring(double radius, double stiffness) {
  HapticOptions options;
  options.radius = radius;
  options.stiffness = stiffness;
  options.damping = 0;
  options.max_force = std::numeric_limits<double>::infinity();
  return options;
}
std::shared_ptr<const DistanceField3> shared_field(const Shape3& shape, double half, std::uint32_t side, double band) {
  FieldOptions options;
  options.band = band;
  return std::make_shared<const DistanceField3>(
      *make_shape_field(shape, *fit_grid(Aabb3d{{-half, -half, -half}, {half, half, half}}, side, 0), options));
}
double nearest_triangle(const TriangleMesh& mesh, const Vec3d& p) {
  double best = std::numeric_limits<double>::infinity();
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t)
    best = std::min(best, closest_point(mesh.triangle(t), p).distance_squared);
  return std::sqrt(best);
}

}  // namespace

TEST(HapticProbe, PressesOnAThinSheetWithTheForceOfTheDepth) {
  const auto mesh = shared_mesh(sheet(1, 10));
  auto probe = HapticProbe::make(mesh, plain_spring(0.05, 200), {0.1, 0.2, 0.5});
  ASSERT_TRUE(probe.ok());
  for (int i = 0; i <= 100; ++i) {
    const Vec3d hand{0.1, 0.2, 0.5 - 0.01 * i};  // ends half a metre below
    const HapticState& s = probe->update(hand);
    const double depth = std::max(0.0, 0.05 - hand.z);
    ASSERT_NEAR(s.force.z, 200 * depth, 1e-6);
    ASSERT_NEAR(s.force.x, 0, 1e-6);
    ASSERT_NEAR(s.proxy.z, std::max(0.05, hand.z), 1e-9);
    if (depth > 1e-9) {
      ASSERT_TRUE(s.touching);
      ASSERT_NEAR(s.normal.z, 1, 1e-9);
      ASSERT_NEAR(s.point.z, 0, 1e-9);
    }
  }
  // Far behind the sheet, in one jump, from the other side, then around its rim
  probe->update({0.1, 0.2, -30});
  EXPECT_NEAR(probe->state().proxy.z, 0.05, 1e-9);
  for (int i = 0; i < 300; ++i) probe->update({0.1 + 0.01 * i, 0.2, -0.5});
  EXPECT_LT(probe->state().proxy.z, 0);
  probe->update({3, 0.2, -0.5});
  for (int i = 0; i < 300; ++i) probe->update({3 - 0.01 * i, 0.2, -0.5});
  for (int i = 0; i < 100; ++i) probe->update({0, 0.2, -0.5 + 0.01 * i});
  EXPECT_NEAR(probe->state().proxy.z, -0.05, 1e-9);
}

TEST(HapticProbe, SlidesOverAnEdgeWithoutAJump) {
  const auto mesh = shared_mesh(*box_mesh({1, 1, 1}));
  auto probe = HapticProbe::make(mesh, plain_spring(0.1, 1), {0.5, 0, 1.5});
  ASSERT_TRUE(probe.ok());
  for (int i = 0; i < 50; ++i) probe->update({0.5, 0, 1.5 - 0.01 * i});  // 0.1 below the top
  Vec3d force = probe->state().force;
  EXPECT_NEAR(force.z, 0.09, 1e-6);
  // Across the edge at x = 1, z = 1: the ball rolls around it, a tenth of a metre away
  for (int i = 0; i < 1000; ++i) {
    const Vec3d next{0.5 + 0.0007 * i, 0, 1.01};
    const HapticState& s = probe->update(next);
    ASSERT_LE(length(s.force - force), 0.02);
    ASSERT_GE(nearest_triangle(*mesh, s.proxy), 0.1 - 1e-9);
    if (next.x > 1 && next.x < 1.09 && s.touching) {
      // On the rounded edge, in line with the hand
      const Vec3d out = s.proxy - Vec3d{1, s.proxy.y, 1};
      ASSERT_NEAR(length(out), 0.1, 1e-4);
      ASSERT_LT(length(cross(normalized(out), normalized(next - Vec3d{1, 0, 1}))), 0.05);
    }
    force = s.force;
  }
  EXPECT_FALSE(probe->state().touching);
}

TEST(HapticProbe, ACornerIsHeldByThreePlanes) {
  // The inside of a box
  const auto mesh = shared_mesh(*box_mesh({1, 1, 1}));
  HapticOptions options;
  options.radius = 0.1;
  auto probe = HapticProbe::make(mesh, options, {0, 0, 0});
  ASSERT_TRUE(probe.ok());
  for (int i = 0; i <= 100; ++i) probe->update(Vec3d{1, 1, 1} * (0.02 * i));
  EXPECT_LT(distance(probe->state().proxy, {0.9, 0.9, 0.9}), 1e-6);
  EXPECT_EQ(probe->state().planes, 3);
  for (int i = 0; i <= 100; ++i) probe->update({2, 2 - 0.02 * i, 2 - 0.02 * i});
  EXPECT_LT(distance(probe->state().proxy, {0.9, 0, 0}), 1e-6);
}

// Never nearer to the surface than the radius, never a longer spring; and where the hand rests, no free place beside is nearer. Once
// in hundreds of rests the own plane of a triangle stops the ball just before it touches an edge of it.
TEST(HapticProbe, HoldsItsPromisesOnLongWalks) {
  const auto mesh = shared_mesh(sudar_test::bumpy_sphere(40, 30, 0.25));
  Random random(campaign_seed(11));
  for (const double friction : {0.0, 0.4}) {
    HapticOptions options = plain_spring(0.06, 300);
    options.friction = friction;
    auto probe = HapticProbe::make(mesh, options, {0, 0, 2});
    ASSERT_TRUE(probe.ok());
    Vec3d hand{0, 0, 2}, goal = hand;
    std::size_t limited = 0, rests = 0, stopped = 0;
    for (std::size_t i = 0; i < sudar_test::soak(3000); ++i) {
      if (i % 40 == 0) goal = {random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)};
      const Vec3d next = i % 500 == 499 ? goal : hand + (goal - hand) * 0.05;
      const HapticState before = probe->state();
      const HapticState& s = probe->update(next);
      limited += s.limited;
      ASSERT_LE(distance(s.proxy, next), distance(before.proxy, next) + 1e-12);
      ASSERT_LE(distance(s.proxy, before.proxy), 4 * options.radius + 1e-9);
      ASSERT_NEAR(length(s.force), 300 * distance(s.proxy, next), 1e-9);
      if (i % 10 == 0) {
        ASSERT_GE(nearest_triangle(*mesh, s.proxy), options.radius - 1e-9);
        ASSERT_EQ(mesh->locate(s.proxy), Containment::outside);
      }
      hand = next;
      if (friction > 0 || i % 100 != 99) continue;
      for (int n = 0; n < 40; ++n) probe->update(hand);
      bool nearest = true;
      for (int n = 0; n < 40; ++n) {
        const Vec3d any{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        const Vec3d step = normalized(normalized(any) + normalized(hand - s.proxy)) * 1e-4;
        if (nearest_triangle(*mesh, s.proxy + step) < options.radius) continue;
        nearest = nearest && distance(s.proxy + step, hand) >= distance(s.proxy, hand) - 1e-6;
      }
      ++rests;
      if (nearest) continue;
      ++stopped;
      ASSERT_LT(nearest_triangle(*mesh, s.proxy), 1.02 * options.radius);
    }
    EXPECT_LE(limited, sudar_test::soak(3000) / 100);
    EXPECT_LE(stopped, 1 + rests / 50);
  }
}

// The poles of a ball made of slices: two hundred triangles at a point, touched from outside and from within
TEST(HapticProbe, LeavesAPointOfManyTriangles) {
  const auto mesh = shared_mesh(*uv_sphere_mesh(1, 200, 100));
  auto outside = HapticProbe::make(mesh, plain_spring(0.05, 100), {0, 0, 1.5});
  auto inside = HapticProbe::make(mesh, plain_spring(0.05, 100), {0, 0, 0});
  ASSERT_TRUE(outside.ok() && inside.ok());
  for (int i = 0; i < 50; ++i) outside->update({0, 0, 0.9}), inside->update({0, 0, 1.2});
  EXPECT_NEAR(outside->state().proxy.z, 1.05, 1e-4);
  EXPECT_NEAR(inside->state().proxy.z, 0.95, 1e-4);
  EXPECT_LT(std::hypot(inside->state().proxy.x, inside->state().proxy.y), 1e-3);
  for (int i = 0; i < 20; ++i) outside->update({0, 0, 3}), inside->update({0, 0, 0.1});
  EXPECT_LT(distance(outside->state().proxy, {0, 0, 3}), 1e-9);
  EXPECT_LT(distance(inside->state().proxy, {0, 0, 0.1}), 1e-9);
}

// A funnel of more triangles than an update looks at: the update ends, says so, and the ball can be drawn out
TEST(HapticProbe, UpdatesEndHoweverMuchTouches) {
  Mesh funnel;
  const std::uint32_t sides = 6000;
  funnel.vertices.push_back({0, 0, 0});
  for (std::uint32_t i = 0; i < sides; ++i)
    funnel.vertices.push_back({std::cos(2 * kPi * i / sides), std::sin(2 * kPi * i / sides), 1});
  for (std::uint32_t i = 0; i < sides; ++i) funnel.triangles.push_back({0, 1 + i, 1 + (i + 1) % sides});
  const auto mesh = shared_mesh(funnel);
  auto probe = HapticProbe::make(mesh, plain_spring(0.1, 100), {0, 0, 0.8});
  ASSERT_TRUE(probe.ok());
  bool limited = false;
  for (int i = 0; i < 40; ++i) {
    limited = probe->update({0, 0, -0.5}).limited || limited;
    ASSERT_GE(nearest_triangle(*mesh, probe->state().proxy), 0.1 - 1e-9);
  }
  EXPECT_TRUE(limited);
  EXPECT_NEAR(probe->state().proxy.z, 0.1 * std::sqrt(2.0), 0.06);
  for (int i = 0; i < 40; ++i) probe->update({0.1, 0, 0.9});
  EXPECT_LT(distance(probe->state().proxy, {0.1, 0, 0.9}), 1e-9);
}

// Many small triangles under a large ball: it keeps up with a hand of 20 m/s
TEST(HapticProbe, KeepsUpOnFineMeshes) {
  const auto flat = shared_mesh(sheet(2, 220)), bowl = shared_mesh(*uv_sphere_mesh(1, 220, 220));
  auto on_flat = HapticProbe::make(flat, plain_spring(0.5, 100), {-0.5, 0, 0.6});
  auto in_bowl = HapticProbe::make(bowl, plain_spring(0.2, 100), {0.3, 0, 0});
  ASSERT_TRUE(on_flat.ok() && in_bowl.ok());
  for (int i = 0; i < 5; ++i) on_flat->update({-0.5, 0, 0.4}), in_bowl->update({1, 0, 0});
  for (int i = 0; i < 50; ++i) {
    const double x = -0.5 + 0.02 * i, a = 0.02 * i;
    ASSERT_LT(distance(on_flat->update({x, 0.1 * x, 0.4}).proxy, {x, 0.1 * x, 0.5}), 1e-6);
    ASSERT_FALSE(on_flat->state().limited);
    // The facets are flat within 2e-4, and the ball may sink in between their edges
    ASSERT_LT(distance(in_bowl->update({std::cos(a), std::sin(a), 0}).proxy, {0.8 * std::cos(a), 0.8 * std::sin(a), 0}),
              0.01);
  }
}

TEST(HapticProbe, RollsWithFrictionAndSlidesWithout) {
  const auto mesh = shared_mesh(sheet(4, 30));
  const double radius = 0.25, around = 2 * kPi * radius;
  for (const double friction : {0.0, 0.3}) {
    HapticOptions options = plain_spring(radius, 1000);
    options.friction = friction;
    auto probe = HapticProbe::make(mesh, options, {-2, 0, 1});
    ASSERT_TRUE(probe.ok());
    for (int i = 0; i < 100; ++i) probe->update({-2, 0, 1 - 0.01 * i});
    const double start = probe->state().proxy.x;
    // The hand is 0.2 below where the ball may be: friction holds it 0.2 times the factor behind
    int steps = 0;
    while (probe->state().proxy.x < start + around && steps < 2000) probe->update({-2 + 0.002 * ++steps, 0, 0.05});
    const double hand = -2 + 0.002 * steps;
    EXPECT_NEAR(hand - probe->state().proxy.x, 0.2 * friction, 0.005);
    EXPECT_TRUE(probe->state().sliding);
    const Vec3d mark = rotate(probe->state().rotation, Vec3d{0, 0, 1});
    EXPECT_NEAR(mark.z, 1, 0.001);  // once around, or not turned at all
    for (int i = 0; i < 1000 && probe->state().proxy.x < start + 1.25 * around; ++i)
      probe->update({-2 + 0.002 * ++steps, 0, 0.05});
    // A quarter more: the top has come to the front
    const Vec3d quarter = rotate(probe->state().rotation, Vec3d{0, 0, 1});
    EXPECT_NEAR(quarter.x, friction > 0 ? 1 : 0, 0.02);
  }
  // Below the cone of friction nothing moves
  HapticOptions options = plain_spring(radius, 1000);
  options.friction = 0.5;
  auto probe = HapticProbe::make(mesh, options, {0, 0, 0.25 + 1e-9});
  ASSERT_TRUE(probe.ok());
  probe->update({0, 0, 0.05});
  probe->update({0.09, 0, 0.05});
  EXPECT_NEAR(probe->state().proxy.x, 0, 1e-9);
  EXPECT_NEAR(probe->state().force.x, -0.09 * 1000, 1e-6);
  EXPECT_FALSE(probe->state().sliding);
}

// Floor and a slope of 45 degrees that meet in a crease. The ball goes along the floor, over the crease and up the slope
// until it is as far behind the hand as friction holds it.
TEST(HapticProbe, FrictionCrossesACrease) {
  Mesh groove;
  for (const double y : {-1.0, 1.0})
    for (const Vec3d& v : {Vec3d{-1, y, 0}, Vec3d{0, y, 0}, Vec3d{1, y, 1}}) groove.vertices.push_back(v);
  groove.triangles = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
  const auto mesh = shared_mesh(groove);
  const double radius = 0.05;
  for (const double friction : {0.1, 0.3}) {
    HapticOptions options = plain_spring(radius, 1000);
    options.friction = friction;
    auto probe = HapticProbe::make(mesh, options, {-0.5, 0, 0.2});
    ASSERT_TRUE(probe.ok());
    for (int i = 0; i <= 200; ++i) probe->update({-0.5 + 0.005 * i, 0, -0.1});
    const double depth = (0.5 + 0.1) / std::sqrt(2.0) + radius;  // of the hand below where the ball's middle may be
    const double up = (0.5 - 0.1) / std::sqrt(2.0) - friction * depth;
    const Vec3d expected = Vec3d{-1, 0, 1} * (radius / std::sqrt(2.0)) + Vec3d{1, 0, 1} * (up / std::sqrt(2.0));
    EXPECT_LT(distance(probe->state().proxy, expected), 1e-6) << friction;
    // And back again: the slope lets it go, the crease does not hold it
    for (int i = 0; i <= 200; ++i) probe->update({0.5 - 0.005 * i, 0, -0.1});
    EXPECT_LT(distance(probe->state().proxy, {-0.5 + friction * 0.15, 0, radius}), 1e-6) << friction;
  }
}

TEST(HapticProbe, OnAFieldOfABall) {
  const auto field = shared_field(*make_sphere3(1), 1.6, 64, 0.4);
  auto probe = HapticProbe::make(field, plain_spring(0.1, 100), {0, 0, 1.3});
  ASSERT_TRUE(probe.ok()) << probe.error().message();
  const double cell = field->grid().cell;
  for (int i = 0; i < 2000; ++i) {
    const double a = 0.002 * i, r = i < 200 ? 1.3 - 0.003 * i : 0.7;
    const Vec3d next{r * std::sin(a), 0.2 * std::sin(3 * a), r * std::cos(a)};
    const HapticState before = probe->state();
    const HapticState& s = probe->update(next);
    ASSERT_GE(length(s.proxy), 1.1 - 0.1 * cell);
    ASSERT_LE(distance(s.proxy, next), distance(before.proxy, next) + 1e-12);
    if (i > 300) {
      // Straight above the hand
      ASSERT_LT(length(s.proxy - normalized(next) * 1.1), 0.7 * cell);
      ASSERT_NEAR(length(s.force), 100 * (1.1 - length(next)), 100 * 0.2 * cell);
    }
  }
}

// Over flat ground: the ball follows as far behind the hand as the friction's part of the depth, however deep
TEST(HapticProbe, FrictionOnAField) {
  const auto field = shared_field(*make_halfspace3({0, 0, 1}, 0), 1.5, 61, 0.4);
  for (const double friction : {0.0, 0.2, 0.5})
    for (const double depth : {0.02, 0.3}) {
      HapticOptions options = plain_spring(0.1, 1000);
      options.friction = friction;
      auto probe = HapticProbe::make(field, options, {-1, 0, 0.2});
      ASSERT_TRUE(probe.ok());
      for (int i = 0; i <= 500; ++i) probe->update({-1 + 0.003 * i, 0, 0.1 - depth});
      ASSERT_LT(distance(probe->state().proxy, {0.5 - friction * depth, 0, 0.1}), 1e-4) << friction << ' ' << depth;
      ASSERT_TRUE(probe->state().touching);
      // A hand that goes back by less than twice that does not move the ball
      probe->update({0.5 - 1.9 * friction * depth, 0, 0.1 - depth});
      ASSERT_LT(distance(probe->state().proxy, {0.5 - friction * depth, 0, 0.1}), friction > 0 ? 1e-4 : 1) << friction;
    }
}

// From far outside of the grid to the surface, and out again. Out of a grid that the surface leaves, it does not go.
TEST(HapticProbe, CrossesTheBorderOfAGrid) {
  const auto ball = shared_field(*make_sphere3(1), 1.6, 65, 0.4);
  auto probe = HapticProbe::make(ball, plain_spring(0.3, 100), {0, 0, 3});
  ASSERT_TRUE(probe.ok());
  for (int i = 0; i < 50; ++i) probe->update({0, 0, 1.5});
  EXPECT_LT(distance(probe->state().proxy, {0, 0, 1.5}), 1e-6);
  for (int i = 0; i < 50; ++i) probe->update({0, 0, 0.5});
  EXPECT_NEAR(probe->state().proxy.z, 1.3, 0.01);
  for (int i = 0; i < 50; ++i) probe->update({2, 2, 4});
  EXPECT_LT(distance(probe->state().proxy, {2, 2, 4}), 1e-6);
  const auto ground = shared_field(*make_halfspace3({0, 0, 1}, 0), 1, 41, 0.4);
  auto over = HapticProbe::make(ground, plain_spring(0.1, 100), {0, 0, 0.5});
  ASSERT_TRUE(over.ok());
  for (int i = 0; i < 50; ++i) over->update({0, 0, 5});
  EXPECT_TRUE(over->state().limited);
  EXPECT_LT(over->state().proxy.z, 1.4);
}

// Between two walls that close in on each other, pressed into the edge and against the sides: never through
TEST(HapticProbe, StaysBetweenTheWallsOfAField) {
  const Quatd turn = Quatd::from_axis_angle({0, 1, 0}, 0.06), back = conjugate(turn);
  const CompoundChild3 walls[] = {{*make_box3({1.2, 1.2, 0.04}), {{0, 0, 0.15}, turn}},
                                  {*make_box3({1.2, 1.2, 0.04}), {{0, 0, -0.15}, back}}};
  const auto field = shared_field(*make_compound3(walls), 1.4, 57, 0.4);
  HapticOptions options = plain_spring(0.06, 100);
  options.max_step = 0.02;  // less than a cell
  auto probe = HapticProbe::make(field, options, {-0.8, 0, 0});
  ASSERT_TRUE(probe.ok());
  Random random(campaign_seed(14));
  Vec3d hand{-0.8, 0, 0}, goal = hand;
  for (std::size_t i = 0; i < sudar_test::soak(2000); ++i) {
    if (i % 25 == 0) goal = {random.uniform(-0.9, 1.1), random.uniform(-0.9, 0.9), random.uniform(-0.6, 0.6)};
    hand = hand + (goal - hand) * 0.2;
    const Vec3d before = probe->state().proxy;
    const HapticState& s = probe->update(hand);
    ASSERT_LE(distance(s.proxy, before), 0.02 + 1e-9);
    ASSERT_GE(field->distance(s.proxy), 0.06 - 1e-4);
    if (std::fabs(s.proxy.x) < 1.1 && std::fabs(s.proxy.y) < 1.1) {
      ASSERT_LT(std::fabs(s.proxy.z), 0.15 + 0.06 * std::fabs(s.proxy.x)) << i;
    }
  }
}

// A mass that is pressed on the surface, with no damping but the probe's: a held spring alone drives it ever higher
TEST(HapticProbe, AFreeHandComesToRest) {
  const auto mesh = shared_mesh(sheet(1, 4));
  const double mass = 0.1, press = -2, period = 0.001;
  for (const double damping : {0.0, 1.0}) {
    HapticOptions options;
    options.radius = 0.05;
    options.damping = damping;
    auto probe = HapticProbe::make(mesh, options, {0, 0, 0.07});
    ASSERT_TRUE(probe.ok());
    double z = 0.07, speed = 0, highest = 0;
    for (int i = 0; i < 6000; ++i) {
      const HapticState& s = probe->update({0, 0, z});
      ASSERT_LE(length(s.force), 20 + 1e-9);
      ASSERT_GE(s.force.z, 0);
      const double rise = (s.force.z + press) / mass;
      z += speed * period + rise * period * period / 2;
      speed += rise * period;
      if (i > 5000) highest = std::max(highest, z);
    }
    if (damping > 0) {
      EXPECT_NEAR(z, 0.05 + press / options.stiffness, 1e-5);
      EXPECT_NEAR(speed, 0, 1e-4);
    } else {
      EXPECT_GT(highest, 0.1);
    }
  }
  // The damper by itself: depth and speed make the force, and it never pulls
  HapticOptions options;
  options.radius = 0.05;
  options.max_force = 1000;
  auto probe = HapticProbe::make(mesh, options, {0, 0, 0.05 + 1e-9});
  ASSERT_TRUE(probe.ok());
  probe->update({0, 0, 0.04});
  EXPECT_NEAR(probe->update({0, 0, 0.038}).force.z, 1000 * 0.012 + 0.002 / 0.001, 1e-3);
  EXPECT_EQ(probe->update({0, 0, 0.049}).force, (Vec3d{}));
}

// Whatever make accepts, and wherever the hand is
TEST(HapticProbe, ForcesAreFinite) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto mesh = shared_mesh(*icosphere_mesh(1, 2));
  const auto field = shared_field(*make_sphere3(1), 2, 41, 0.5);
  HapticOptions options;
  options.radius = 0.2;
  for (const double stiffness : {0x1p-1074, 1000.0, 0x1p100})
    for (const double damping : {0.0, 1.0, 0x1p100})
      for (const double period : {0x1p-60, 0.001, 1e308})
        for (const double friction : {0.0, 1e308})
          for (const double most : {0.0, 20.0, inf}) {
            options.stiffness = stiffness, options.damping = damping, options.period = period;
            options.friction = friction, options.max_force = most, options.max_step = friction;
            auto on_mesh = HapticProbe::make(mesh, options, {0, 0, 3});
            auto on_field = HapticProbe::make(field, options, {0, 0, 1.9});
            ASSERT_TRUE(on_mesh.ok() && on_field.ok());
            for (const double z : {2.9, 0.5, 0.2, -3.0, 3.0, 0x1p60, -0x1p60, 2.0, 0.0}) {
              ASSERT_TRUE(is_finite(on_mesh->update({0.1, 0, z}).force));
              ASSERT_TRUE(is_finite(on_field->update({0.1, 0, z}).force));
              ASSERT_LE(length(on_mesh->state().force), most * (1 + 1e-15));
            }
          }
}

// Of the least radius that is accepted and more, in long steps: nothing comes through a sheet. Balls as small as that have
// planes whose directions are rounded by much.
TEST(HapticProbe, NoBallIsTooSmallForASheet) {
  Random random(campaign_seed(21));
  for (const double half : {1.0, 50.0}) {
    const auto mesh = shared_mesh(sheet(half, 1));
    for (const double part : {0x1p-29, 0x1p-26, 0x1p-20})
      for (const double friction : {0.0, 0.3}) {
        HapticOptions options = plain_spring(1.1 * part * half, 100);
        options.max_step = 1;
        options.friction = friction;
        const double side = 0.9 * half;
        auto probe = HapticProbe::make(mesh, options, {0.1, 0.2, 0.9});
        ASSERT_TRUE(probe.ok());
        for (std::size_t i = 0; i < sudar_test::soak(1500); ++i) {
          const double wide = i % 2 == 0 ? side : 0.9;
          const Vec3d hand{random.uniform(-wide, wide), random.uniform(-wide, wide), random.uniform(-1, 0.2)};
          ASSERT_GE(probe->update(hand).proxy.z, 0.9 * options.radius) << half << ' ' << part << ' ' << i;
        }
      }
  }
}

TEST(HapticProbe, BadInputHasTypedErrors) {
  const auto mesh = shared_mesh(*box_mesh({1, 1, 1}));
  HapticOptions options;
  options.radius = 0.1;
  const auto code = [&](const HapticOptions& o, const Vec3d& start) {
    const auto r = HapticProbe::make(mesh, o, start);
    return r.ok() ? ErrorCode::unsupported : r.error().code;
  };
  EXPECT_EQ(code(options, {0, 0, 1.05}), ErrorCode::invalid_argument);
  EXPECT_EQ(code(options, {0, 0, std::nan("")}), ErrorCode::non_finite);
  EXPECT_EQ(HapticProbe::make(std::shared_ptr<const TriangleMesh>(), options, {}).error().code, ErrorCode::empty_input);
  HapticOptions bad = options;
  bad.radius = 0;
  EXPECT_EQ(code(bad, {0, 0, 2}), ErrorCode::degenerate);
  bad = options;
  bad.friction = -1;
  EXPECT_EQ(code(bad, {0, 0, 2}), ErrorCode::invalid_argument);
  bad = options;
  bad.damping = -1;
  EXPECT_EQ(code(bad, {0, 0, 2}), ErrorCode::invalid_argument);
  bad = options;
  bad.period = 0;
  EXPECT_EQ(code(bad, {0, 0, 2}), ErrorCode::degenerate);
  for (const double period : {5e-324, 1e-320, 1e-20}) {
    bad.period = period;
    EXPECT_EQ(code(bad, {0, 0, 2}), ErrorCode::degenerate);
  }
  bad = options;
  bad.stiffness = 1e308;
  EXPECT_EQ(code(bad, {0, 0, 2}), ErrorCode::too_large);
  bad = options;
  bad.damping = 1e308;
  EXPECT_EQ(code(bad, {0, 0, 2}), ErrorCode::too_large);
  bad = options;
  bad.radius = 0x1p-31;
  EXPECT_EQ(code(bad, {0, 0, 2}), ErrorCode::degenerate);
  bad = options;
  bad.stiffness = std::numeric_limits<double>::infinity();
  EXPECT_EQ(code(bad, {0, 0, 2}), ErrorCode::non_finite);
  auto probe = HapticProbe::make(mesh, options, {0, 0, 2});
  ASSERT_TRUE(probe.ok());
  EXPECT_FALSE(probe->update({std::nan(""), 0, 0}).following);
  EXPECT_EQ(probe->state().proxy, (Vec3d{0, 0, 2}));
  EXPECT_TRUE(probe->update({0, 0, 1.9}).following);
}
