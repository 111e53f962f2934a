// Oracles: closed forms on planes, edges and balls; what must never happen (popping through, a longer spring, a jump of
// the force), checked at every update of long walks.
#include "tests/narrowphase/bumpy_sphere.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/closest.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/sdf/haptic_probe.hpp>
#include <sudar/sdf/mesh_field.hpp>
#include <sudar/sdf/shape_field.hpp>

#include <gtest/gtest.h>

using namespace sudar;

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
double nearest_triangle(const TriangleMesh& mesh, const Vec3d& p) {
  double best = std::numeric_limits<double>::infinity();
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t)
    best = std::min(best, closest_point(mesh.triangle(t), p).distance_squared);
  return std::sqrt(best);
}

}  // namespace

TEST(HapticProbe, PressesOnAThinSheetWithTheForceOfTheDepth) {
  const auto mesh = shared_mesh(sheet(1, 10));
  HapticOptions options;
  options.radius = 0.05;
  options.stiffness = 200;
  auto probe = HapticProbe::make(mesh, options, {0.1, 0.2, 0.5});
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
  HapticOptions options;
  options.radius = 0.1;
  options.stiffness = 1;
  auto probe = HapticProbe::make(mesh, options, {0.5, 0, 1.5});
  ASSERT_TRUE(probe.ok());
  for (int i = 0; i < 50; ++i) probe->update({0.5, 0, 1.5 - 0.01 * i});  // 0.1 below the top
  Vec3d force = probe->state().force, hand{0.5, 0, 1.01};
  EXPECT_NEAR(force.z, 0.09, 1e-6);
  // Across the edge at x = 1, z = 1: the ball rolls around it, a tenth of a metre away
  for (int i = 0; i < 1000; ++i) {
    const Vec3d next{0.5 + 0.0007 * i, 0, 1.01};
    const HapticState& s = probe->update(next);
    ASSERT_LE(length(s.force - force), options.stiffness * (4 * options.radius + distance(hand, next)) + 1e-12);
    ASSERT_LE(length(s.force - force), 0.02);  // and far less than that
    ASSERT_GE(nearest_triangle(*mesh, s.proxy), 0.1 - 1e-9);
    if (next.x > 1 && next.x < 1.09 && s.touching) {
      // On the rounded edge, in line with the hand
      const Vec3d out = s.proxy - Vec3d{1, s.proxy.y, 1};
      ASSERT_NEAR(length(out), 0.1, 1e-4);
      ASSERT_LT(length(cross(normalized(out), normalized(next - Vec3d{1, 0, 1}))), 0.05);
    }
    force = s.force;
    hand = next;
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

// Never nearer to the surface than the radius, never a longer spring, never a jump
TEST(HapticProbe, HoldsItsPromisesOnLongWalks) {
  const auto mesh = shared_mesh(sudar_test::bumpy_sphere(40, 30, 0.25));
  Random random(11);
  for (const double friction : {0.0, 0.4}) {
    HapticOptions options;
    options.radius = 0.06;
    options.stiffness = 300;
    options.friction = friction;
    auto probe = HapticProbe::make(mesh, options, {0, 0, 2});
    ASSERT_TRUE(probe.ok());
    Vec3d hand{0, 0, 2}, goal = hand;
    for (std::size_t i = 0; i < sudar_test::soak(3000); ++i) {
      if (i % 40 == 0) goal = {random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)};
      const Vec3d next = i % 500 == 499 ? goal : hand + (goal - hand) * 0.05;
      const HapticState before = probe->state();
      const HapticState& s = probe->update(next);
      ASSERT_LE(distance(s.proxy, next), distance(before.proxy, next) + 1e-12);
      ASSERT_LE(distance(s.proxy, before.proxy), 4 * options.radius + 1e-9);
      ASSERT_LE(length(s.force - before.force), 300 * (4 * options.radius + distance(hand, next)) + 1e-9);
      if (i % 10 == 0) {
        ASSERT_GE(nearest_triangle(*mesh, s.proxy), options.radius - 1e-9);
        ASSERT_EQ(mesh->locate(s.proxy), Containment::outside);
      }
      hand = next;
    }
  }
}

TEST(HapticProbe, RollsWithFrictionAndSlidesWithout) {
  const auto mesh = shared_mesh(sheet(4, 30));
  const double radius = 0.25, around = 2 * kPi * radius;
  for (const double friction : {0.0, 0.3}) {
    HapticOptions options;
    options.radius = radius;
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
  HapticOptions options;
  options.radius = radius;
  options.friction = 0.5;
  auto probe = HapticProbe::make(mesh, options, {0, 0, 0.25 + 1e-9});
  ASSERT_TRUE(probe.ok());
  probe->update({0, 0, 0.05});
  probe->update({0.09, 0, 0.05});
  EXPECT_NEAR(probe->state().proxy.x, 0, 1e-9);
  EXPECT_NEAR(probe->state().force.x, -0.09 * 1000, 1e-6);
  EXPECT_FALSE(probe->state().sliding);
}

TEST(HapticProbe, OnAFieldOfABall) {
  FieldOptions field_options;
  field_options.band = 0.4;
  const auto built =
      make_shape_field(*make_sphere3(1), *fit_grid(Aabb3d{{-1, -1, -1}, {1, 1, 1}}, 64, 12), field_options);
  ASSERT_TRUE(built.ok());
  const auto field = std::make_shared<const DistanceField3>(*built);
  HapticOptions options;
  options.radius = 0.1;
  options.stiffness = 100;
  auto probe = HapticProbe::make(field, options, {0, 0, 1.3});
  ASSERT_TRUE(probe.ok()) << probe.error().message();
  const double cell = field->grid().cell;
  Vec3d hand{0, 0, 1.3};
  for (int i = 0; i < 2000; ++i) {
    const double a = 0.002 * i, r = i < 200 ? 1.3 - 0.003 * i : 0.7;
    const Vec3d next{r * std::sin(a), 0.2 * std::sin(3 * a), r * std::cos(a)};
    const HapticState before = probe->state();
    const HapticState& s = probe->update(next);
    ASSERT_GE(length(s.proxy), 1.1 - 0.1 * cell);
    ASSERT_LE(distance(s.proxy, next), distance(before.proxy, next) + 1e-12);
    ASSERT_LE(length(s.force - before.force), 100 * (4 * 0.1 + distance(hand, next)) + 1e-9);
    if (i > 300) {
      // Straight above the hand
      ASSERT_LT(length(s.proxy - normalized(next) * 1.1), 0.7 * cell);
      ASSERT_NEAR(length(s.force), 100 * (1.1 - length(next)), 100 * 0.2 * cell);
    }
    hand = next;
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
  bad.stiffness = std::numeric_limits<double>::infinity();
  EXPECT_EQ(code(bad, {0, 0, 2}), ErrorCode::non_finite);
  auto probe = HapticProbe::make(mesh, options, {0, 0, 2});
  ASSERT_TRUE(probe.ok());
  EXPECT_FALSE(probe->update({std::nan(""), 0, 0}).following);
  EXPECT_EQ(probe->state().proxy, (Vec3d{0, 0, 2}));
  EXPECT_TRUE(probe->update({0, 0, 1.9}).following);
}
