// Fast bodies: shots at walls, shells and things that turn. Oracle: a closed shell has an inside and an outside, a wall two
// sides, and nobody changes sides.
#include "scenes/wall_shots.hpp"
#include "tests/dynamics/world_scenes.hpp"
#include "tests/support/seed.hpp"
#include <sudar/shapes/height_field.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

namespace {

using namespace sudar;
using namespace sudar_test;
using namespace sudar::scenes;

// The long campaign has a million of them
std::size_t shots(std::size_t n) { return soak(n) * (soak(1) > 10 ? 24 : 1); }

TEST(FastBody, NoShotPassesPlates3) {
  EXPECT_EQ(shots_through<3>(plates3(0.005), false, 0, BodyKind::fixed, shots(160), 1), 0u);
}
TEST(FastBody, NoShotPassesShellsWithoutThickness3) {
  EXPECT_EQ(shots_through<3>(box_shell3(), false, 0, BodyKind::fixed, shots(80), 2), 0u);
  EXPECT_EQ(shots_through<3>(shell3(3), true, 0, BodyKind::fixed, shots(40), 3), 0u);
}
TEST(FastBody, NoShotPassesWhatTurns3) {
  EXPECT_EQ(shots_through<3>(plates3(0.005), false, 10, BodyKind::kinematic, shots(40), 4), 0u);
  EXPECT_EQ(shots_through<3>(box_shell3(), false, 10, BodyKind::kinematic, shots(40), 5), 0u);
  EXPECT_EQ(shots_through<3>(plates3(0.005), false, 10, BodyKind::dynamic, shots(40), 6), 0u);
}
TEST(FastBody, NoShotPasses2) {
  EXPECT_EQ(shots_through<2>(plates2(0.005), false, 0, BodyKind::fixed, shots(160), 7), 0u);
  EXPECT_EQ(shots_through<2>(loop2(), false, 0, BodyKind::fixed, shots(160), 8), 0u);
  EXPECT_EQ(shots_through<2>(plates2(0.005), false, 10, BodyKind::kinematic, shots(80), 9), 0u);
  EXPECT_EQ(shots_through<2>(plates2(0.005), false, 10, BodyKind::dynamic, shots(80), 10), 0u);
}

// What slides fast along the inside of something that turns is pushed a little deeper in every step: the wall's place where
// it arrives is not the one that the solver saw. Every third has posts in its way that turn with the wall.
template <int D>
ShapeOf<D> posts_on_the_wall(Random& random, double free) {
  using Child = std::conditional_t<D == 2, CompoundChild2, CompoundChild3>;
  std::vector<Child> children;
  for (int k = 0; k < 3; ++k) {
    Pose<D, double> at;
    do at.position[0] = random.uniform(-3.9, 3.9);
    while (std::fabs(at.position[0] - free) < 0.5);
    at.position[1] = kRoom;
    if constexpr (D == 2)
      children.push_back({*make_circle2(0.1), at});
    else
      children.push_back({*make_capsule3({0, 0, -1}, {0, 0, 1}, 0.1), at});
  }
  if constexpr (D == 2)
    return *make_compound2(children);
  else
    return *make_compound3(children);
}
template <int D>
void slide_in_a_drum(std::size_t cases, std::uint64_t seed) {
  Random random(campaign_seed(seed));
  double moved = 0;
  for (std::size_t n = 0; n < cases; ++n) {
    WorldOptions<D> options;
    options.gravity = {};
    options.sleeping = false;
    auto world = *World<D>::make(options);
    const double turning = random.uniform(0.5, 10) * (n % 2 == 0 ? 1 : -1), speed = random.uniform(5, 100);
    const double x = random.uniform(-3, 3), thin = random.uniform(0.01, 0.02), wide = random.uniform(0.02, 0.3);
    BodySpec<D> drum{.shape = block<D>(1), .kind = BodyKind::kinematic};
    BodySpec<D> sliding{.shape = drum.shape, .bullet = n % 4 < 2};
    sliding.pose.position[0] = x;
    sliding.pose.position[1] = kRoom - thin;
    sliding.velocity[0] = -speed;
    sliding.velocity[1] = x * turning;
    sliding.material.friction = n % 2 == 0 ? 0 : 0.5;
    if constexpr (D == 2) {
      drum.shape = plates2(0.005);
      sliding.shape = *make_box2({wide, thin});
      drum.angular_velocity = sliding.angular_velocity = turning;
    } else {
      drum.shape = plates3(0.005);
      sliding.shape = *make_box3({wide, thin, wide / 2});
      drum.angular_velocity = sliding.angular_velocity = {0, 0, turning};
    }
    const BodyId<D> wall = *world.add_body(drum), id = *world.add_body(sliding);
    const bool posts = n % 3 == 2;
    if (posts) {
      BodySpec<D> post{.shape = posts_on_the_wall<D>(random, x), .kind = BodyKind::kinematic};
      post.angular_velocity = drum.angular_velocity;
      ASSERT_TRUE(world.add_body(post).ok());
    }
    Vec<D, double> last = sliding.pose.position;
    double way = 0;
    for (int step = 0; step < 60; ++step) {
      ASSERT_TRUE(world.step(1.0 / 60).ok());
      const Vec<D, double> p = transform(inverse(world.pose(wall)), world.pose(id).position);
      ASSERT_LT(max_abs(p), kRoom) << D << "D " << n << ": " << turning << ' ' << speed << ' ' << step;
      way += length(p - last);
      last = p;
    }
    moved += way;
  }
  // Nor are they glued to it
  EXPECT_GT(moved / static_cast<double>(cases), 1);
}
TEST(FastBody, DoesNotSinkIntoWhatTurns) {
  slide_in_a_drum<2>(soak(40), 11);
  slide_in_a_drum<3>(soak(20), 12);
}

// With and without continuous detection (seed A11)
TEST(FastBody, WithoutContinuousDetectionItTunnels) {
  for (const bool continuous : {true, false}) {
    WorldOptions<3> options;
    options.gravity = {};
    options.continuous = continuous;
    auto world = *World<3>::make(options);
    ASSERT_TRUE(world.add_body({.shape = *make_box3({0.01, 5, 5}), .kind = BodyKind::fixed}).ok());
    const BodyId<3> bullet =
        *world.add_body({.shape = *make_sphere3(0.1), .pose = {{-2.5, 0, 0}, {}}, .velocity = {240, 0, 0}});
    ASSERT_TRUE(world.step(1.0 / 60).ok());
    if (continuous) {
      // Stopped where it touches
      EXPECT_NEAR(world.pose(bullet).position.x, -0.11, 1e-6);
      ASSERT_EQ(world.events().size(), 1u);
      EXPECT_EQ(world.events()[0].kind, WorldEventKind::fast_hit);
      EXPECT_NEAR(world.events()[0].time, 2.39 / 240, 1e-8);
    } else {
      EXPECT_NEAR(world.pose(bullet).position.x, 1.5, 1e-9);
    }
  }
}

// Each stays within the margin, both together do not
TEST(FastBody, ThinPlatesThatMeetDoNotChangeSides) {
  WorldOptions<3> options;
  options.gravity = {};
  auto world = *World<3>::make(options);
  const double speed = 0.99 * options.margin * 60;
  const Shape3 plate = *make_box3({1, 1, 0.001});
  BodySpec<3> below{.shape = plate, .kind = BodyKind::kinematic}, above{.shape = plate};
  below.velocity = {0, 0, speed};
  above.pose.position.z = 0.002 + 1.5 * options.margin;
  above.velocity = {0, 0, -speed};
  above.bullet = true;
  const BodyId<3> a = *world.add_body(below), b = *world.add_body(above);
  for (int step = 0; step < 4; ++step) {
    ASSERT_TRUE(world.step(1.0 / 60).ok());
    EXPECT_LT(world.pose(a).position.z, world.pose(b).position.z) << step;
  }
}

TEST(FastBody, OnlyBulletsStopAtWhatIsDynamic) {
  for (const bool bullet : {true, false}) {
    WorldOptions<3> options;
    options.gravity = {};
    auto world = *World<3>::make(options);
    ASSERT_TRUE(world.add_body({.shape = *make_box3({0.01, 5, 5})}).ok());
    const BodyId<3> shot = *world.add_body(
        {.shape = *make_sphere3(0.1), .pose = {{-2.5, 0, 0}, {}}, .velocity = {240, 0, 0}, .bullet = bullet});
    ASSERT_TRUE(world.step(1.0 / 60).ok());
    EXPECT_EQ(world.pose(shot).position.x < 0, bullet);
  }
}

// A rod that turns fast sweeps what it would jump over, and a ball in the way of a blade is carried along
TEST(FastBody, RotationCounts) {
  WorldOptions<2> options;
  options.gravity = {};
  auto world = *World<2>::make(options);
  const BodyId<2> rod = *world.add_body({.shape = *make_box2({2, 0.02}), .angular_velocity = 60 * kPi / 2});
  const double diagonal = 1.9 / std::sqrt(2.0);
  ASSERT_TRUE(
      world.add_body({.shape = *make_circle2(0.05), .pose = {{diagonal, diagonal}, {}}, .kind = BodyKind::fixed}).ok());
  ASSERT_TRUE(world.step(1.0 / 60).ok());
  // Stopped before the eighth of a turn where the ball is
  const Rot2d r = world.pose(rod).rotation;
  EXPECT_NEAR(arc_tangent(r.s, r.c), kPi / 4 - 0.07 / 1.9, 2e-3);

  auto other = *World<2>::make(options);
  const BodyId<2> blade =
      *other.add_body({.shape = *make_box2({2, 0.02}), .kind = BodyKind::kinematic, .angular_velocity = 30});
  const BodyId<2> ball =
      *other.add_body({.shape = *make_circle2(0.05), .pose = {{1.5, 0.3}, {}}, .velocity = {0, -20}, .bullet = true});
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(other.step(1.0 / 60).ok());
    const Vec2d seen = transform(inverse(other.pose(blade)), other.pose(ball).position);
    EXPECT_TRUE(seen.y > 0 || std::fabs(seen.x) > 2) << i << ": " << seen.x << ' ' << seen.y;
  }
}

// What rests is not passed by a kinematic body that is fast, asleep or awake, nor a bullet by anything
TEST(FastBody, WhatRestsIsNotPassedByWhatIsFast) {
  for (const bool asleep : {false, true}) {
    auto world = *World<3>::make();
    add_floor<3>(world);
    const BodyId<3> ball = *world.add_body({.shape = *make_sphere3(0.1), .pose = {{0, 0, 0.1}, {}}});
    take_steps(world, 60);
    EXPECT_TRUE(world.body(ball)->asleep);
    if (!asleep) {
      ASSERT_TRUE(world.set_awake(ball, true).ok());
    }
    const BodyId<3> plate = *world.add_body({.shape = *make_box3({0.01, 1, 1}),
                                             .pose = {{-2, 0, 1.05}, {}},
                                             .kind = BodyKind::kinematic,
                                             .velocity = {200, 0, 0}});
    for (int i = 0; i < 4; ++i) {
      take_steps(world, 1);
      EXPECT_GT(world.pose(ball).position.x, world.pose(plate).position.x) << asleep << ' ' << i;
    }
  }
  WorldOptions<3> options;
  options.gravity = {};
  options.sleeping = false;
  auto world = *World<3>::make(options);
  const BodyId<3> bullet = *world.add_body({.shape = *make_sphere3(0.1), .bullet = true});
  const BodyId<3> plate =
      *world.add_body({.shape = *make_box3({0.01, 1, 1}), .pose = {{-2, 0, 0}, {}}, .velocity = {200, 0, 0}});
  for (int i = 0; i < 4; ++i) {
    take_steps(world, 1);
    EXPECT_GT(world.pose(bullet).position.x, world.pose(plate).position.x) << i;
  }
}

TEST(FastBody, SensorsSeeWhatGoesThroughThem) {
  WorldOptions<3> options;
  options.gravity = {};
  auto world = *World<3>::make(options);
  const BodyId<3> gate = *world.add_body({.shape = *make_box3({0.01, 5, 5}), .kind = BodyKind::fixed, .sensor = true});
  const BodyId<3> shot =
      *world.add_body({.shape = *make_sphere3(0.1), .pose = {{-2, 0, 0}, {}}, .velocity = {240, 0, 0}});
  ASSERT_TRUE(world.step(1.0 / 60).ok());
  EXPECT_NEAR(world.pose(shot).position.x, 2, 1e-9);
  ASSERT_EQ(world.events().size(), 1u);
  EXPECT_EQ(world.events()[0].kind, WorldEventKind::sensor_passed);
  EXPECT_EQ(world.events()[0].a, shot);
  EXPECT_EQ(world.events()[0].b, gate);
  EXPECT_NEAR(world.events()[0].time, 1.89 / 240, 1e-8);
}

template <int D>
std::vector<std::pair<BodyId<D>, BodyId<D>>> passed(const World<D>& world) {
  std::vector<std::pair<BodyId<D>, BodyId<D>>> out;
  for (const WorldEvent<D>& event : world.events())
    if (event.kind == WorldEventKind::sensor_passed) out.push_back({event.a, event.b});
  return out;
}

// Whoever moves, and however thin: the kinematic ball, the ball under a gate that moves, the coin within the margin
TEST(FastBody, SensorsSeeWhatIsMovedAndWhatTheyAreMovedOver) {
  WorldOptions<3> options;
  options.gravity = {};
  const Shape3 gate = *make_box3({0.01, 5, 5});
  using Pairs = std::vector<std::pair<BodyId<3>, BodyId<3>>>;
  {
    auto world = *World<3>::make(options);
    const BodyId<3> fixed = *world.add_body({.shape = gate, .kind = BodyKind::fixed, .sensor = true});
    const BodyId<3> ball = *world.add_body({.shape = *make_sphere3(0.1),
                                            .pose = {{-0.8, 0, 0}, {}},
                                            .kind = BodyKind::kinematic,
                                            .velocity = {100, 0, 0}});
    take_steps(world, 1);
    EXPECT_EQ(passed(world), (Pairs{{ball, fixed}}));
  }
  for (const bool asleep : {false, true}) {
    auto world = *World<3>::make(options);
    const BodyId<3> ball = *world.add_body({.shape = *make_sphere3(0.1)});
    ASSERT_TRUE(world.set_awake(ball, !asleep).ok());
    const BodyId<3> moving = *world.add_body({.shape = gate,
                                              .pose = {{-0.8, 0, 0}, {}},
                                              .kind = BodyKind::kinematic,
                                              .velocity = {100, 0, 0},
                                              .sensor = true});
    take_steps(world, 1);
    EXPECT_EQ(passed(world), (Pairs{{ball, moving}})) << asleep;
    EXPECT_EQ(world.body(ball)->asleep, asleep);
  }
  {
    auto world = *World<3>::make(options);
    const BodyId<3> fixed =
        *world.add_body({.shape = *make_box3({1, 1, 0.001}), .kind = BodyKind::fixed, .sensor = true});
    const BodyId<3> coin = *world.add_body(
        {.shape = *make_box3({0.1, 0.1, 0.001}), .pose = {{0, 0, 0.01}, {}}, .velocity = {0, 0, -1.19}});
    take_steps(world, 1);
    EXPECT_EQ(passed(world), (Pairs{{coin, fixed}}));
    EXPECT_LT(world.pose(coin).position.z, -0.008);
  }
}

// What slides fast over a floor of one piece is not stopped by it
TEST(FastBody, SlidesOnWithoutFriction) {
  auto world = *World<3>::make();
  add_floor<3>(world);
  const BodyId<3> puck = *world.add_body({.shape = *make_box3({0.2, 0.2, 0.05}),
                                          .pose = {{-60, 0, 0.05}, {}},
                                          .velocity = {60, 0, 0},
                                          .material = {0, 0}});
  take_steps(world, 90);
  EXPECT_NEAR(world.pose(puck).position.x, 30, 0.5);
  EXPECT_NEAR(world.pose(puck).position.z, 0.05, 0.01);
}

// … nor by one of many pieces: a mesh, a height field, boxes side by side, a chain. Walls stop it all the same.
template <int D>
void slides_over_parts(const ShapeOf<D>& ground, const Pose<D, double>& pose, bool ball, const char* what) {
  for (const bool wall : {false, true}) {
    auto world = *World<D>::make();
    BodySpec<D> floor{.shape = ground, .pose = pose, .kind = BodyKind::fixed};
    floor.material.friction = 0;
    ASSERT_TRUE(world.add_body(floor).ok());
    BodySpec<D> puck{.shape = block<D>(0.2), .pose = {up<D>(0.2), {}}};
    if constexpr (D == 3) {
      if (ball) puck.shape = *make_sphere3(0.2);
    }
    puck.pose.position[0] = -48;
    puck.velocity[0] = 180;
    puck.material.friction = 0;
    const BodyId<D> id = *world.add_body(puck);
    BodySpec<D> end{.shape = block<D>(0.5), .pose = {up<D>(0.5), {}}, .kind = BodyKind::fixed};
    end.pose.position[0] = 30;
    if (wall) {
      ASSERT_TRUE(world.add_body(end).ok());
    }
    int stops = 0;
    for (int i = 0; i < 30; ++i) {
      take_steps(world, 1);
      for (const WorldEvent<D>& event : world.events()) stops += event.kind == WorldEventKind::fast_hit;
    }
    const double x = world.pose(id).position[0];
    if (wall) {
      EXPECT_LT(x, 30) << what;
    } else {
      EXPECT_NEAR(x, -48 + 90, 1) << what;
      EXPECT_EQ(stops, 0) << what;
    }
    EXPECT_NEAR(world.pose(id).position[D - 1], 0.2, 0.05) << what;
  }
}
TEST(FastBody, SlidesFastOverParts) {
  const std::uint32_t columns = 201, rows = 9;
  const std::vector<double> flat(columns * rows, 0.0);
  const Shape3 field = *make_height_field3(flat, columns, rows, {0.5, 0.5});
  std::vector<Vec3d> corners;
  std::vector<MeshTriangle> triangles;
  for (std::uint32_t j = 0; j < rows; ++j)
    for (std::uint32_t i = 0; i < columns; ++i) {
      corners.push_back({0.5 * i, 0.5 * j, 0});
      if (i == 0 || j == 0) continue;
      const std::uint32_t at = j * columns + i;
      triangles.push_back({at - columns - 1, at - columns, at});
      triangles.push_back({at - columns - 1, at, at - 1});
    }
  for (const bool ball : {false, true}) {
    slides_over_parts<3>(field, {{-50, -2, 0}, {}}, ball, "height field");
    slides_over_parts<3>(*make_mesh_shape3(corners, triangles, false), {{-50, -2, 0}, {}}, ball, "mesh");
  }
  std::vector<CompoundChild3> tiles;
  for (int i = 0; i < 50; ++i) tiles.push_back({*make_box3({1, 2, 0.5}), {{2.0 * i - 49, 0, -0.5}, {}}});
  slides_over_parts<3>(*make_compound3(tiles), {}, false, "boxes");
  std::vector<Vec2d> line;
  for (int i = 0; i <= 200; ++i) line.push_back({0.5 * i - 50, 0});
  slides_over_parts<2>(*make_chain2(line, false), {}, false, "chain");
}

// … nor by one that turns, however far it reaches
TEST(FastBody, SlidesOnOverWhatTurns) {
  {
    auto world = *World<3>::make();
    ASSERT_TRUE(world
                    .add_body({.shape = *make_halfspace3({0, 0, 1}, 0),
                               .kind = BodyKind::kinematic,
                               .angular_velocity = {0, 0.01, 0},
                               .material = {0, 0}})
                    .ok());
    const BodyId<3> ball = *world.add_body(
        {.shape = *make_sphere3(0.5), .pose = {{-30, 0, 0.5}, {}}, .velocity = {60, 0, 0}, .material = {0, 0}});
    take_steps(world, 60);
    EXPECT_NEAR(world.pose(ball).position.x, 30, 1);
  }
  auto world = *World<3>::make();
  ASSERT_TRUE(world
                  .add_body({.shape = *make_box3({50, 50, 1}),
                             .pose = {{0, 0, -1}, {}},
                             .kind = BodyKind::kinematic,
                             .angular_velocity = {0, 0, 2},
                             .material = {0, 0}})
                  .ok());
  const BodyId<3> box = *world.add_body({.shape = block<3>(0.1),
                                         .pose = {{-10, 0, 0.1}, {}},
                                         .velocity = {30, 0, 0},
                                         .angular_velocity = {0, 0, 2},
                                         .material = {0, 0}});
  take_steps(world, 40);
  EXPECT_NEAR(world.pose(box).position.x, 10, 0.2);
}

// A floor without ends that is moved has a box without ends: whoever it is moved over is found all the same
TEST(FastBody, SensorsAndMovingHalfSpaces) {
  WorldOptions<3> options;
  options.gravity = {};
  auto world = *World<3>::make(options);
  const BodyId<3> gate =
      *world.add_body({.shape = *make_sphere3(0.1), .pose = {{3, 4, 1}, {}}, .kind = BodyKind::fixed, .sensor = true});
  const BodyId<3> floor =
      *world.add_body({.shape = *make_halfspace3({0, 0, 1}, 0), .kind = BodyKind::kinematic, .velocity = {0, 0, 120}});
  take_steps(world, 1);
  EXPECT_NEAR(world.pose(floor).position.z, 2, 1e-12);
  take_steps(world, 1);
  EXPECT_EQ(world.scene().events().touching.begin.size(), 1u);
  EXPECT_TRUE(world.contains(gate));
}

// A floor so large that what a search takes for a touch is more than what a body may overlap by: each step is a few looks
template <int D>
void slides_over_a_planet() {
  WorldOptions<D> options;
  options.gravity = {};
  for (const double far : {1e6, 1e9, 1e12}) {
    auto world = *World<D>::make(options);
    BodySpec<D> planet{.shape = block<D>(far), .pose = {up<D>(-far), {}}, .kind = BodyKind::fixed};
    planet.material.friction = 0;
    ASSERT_TRUE(world.add_body(planet).ok());
    BodySpec<D> puck{.shape = block<D>(0.5), .pose = {up<D>(0.51), {}}};
    puck.velocity[0] = 60;
    puck.material.friction = 0;
    if constexpr (D == 2) {
      puck.angular_velocity = 0.01;
    } else {
      puck.angular_velocity = {0, 0.01, 0};
    }
    const BodyId<D> id = *world.add_body(puck);
    take_steps(world, 30);
    EXPECT_NEAR(world.pose(id).position[0], 30, 0.5) << far;
    EXPECT_GT(world.pose(id).position[D - 1], 0.4) << far;
  }
}
TEST(FastBody, SlidesOverAPlanet2) { slides_over_a_planet<2>(); }
TEST(FastBody, SlidesOverAPlanet3) { slides_over_a_planet<3>(); }

// A thick body that is moved fast is slow for itself, not for the small ones before it
TEST(FastBody, APistonSwallowsNothing) {
  WorldOptions<3> options;
  options.gravity = {};
  auto world = *World<3>::make(options);
  const BodyId<3> piston =
      *world.add_body({.shape = *make_box3({5, 5, 5}), .kind = BodyKind::kinematic, .velocity = {140, 0, 0}});
  const BodyId<3> ball = *world.add_body({.shape = *make_sphere3(0.1), .pose = {{5.15, 4.8, 0}, {}}});
  for (int i = 0; i < 4; ++i) {
    take_steps(world, 1);
    EXPECT_GT(world.pose(ball).position.x - world.pose(piston).position.x, 5.05) << i;
  }
}

}  // namespace
