// Large numbers of everything. They run when SUDAR_LOAD is set (./test --soak sets it): minutes, and up to 8 GB of memory.
// SUDAR_LOAD is a share: 1 for the full numbers, 0.01 for a look. Each prints what it took, and each bounds its memory: the
// peak of the process, not only what the library counts itself.
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/random.hpp>
#include <sudar/dynamics/world.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/queries/ray3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <string>
#include <vector>

using namespace sudar;

namespace {

// The number, or 0 when load is not asked for
std::size_t load(double full) {
  const char* text = std::getenv("SUDAR_LOAD");
  const double share = text == nullptr ? 0 : std::strtod(text, nullptr);
  return share > 0 ? static_cast<std::size_t>(std::ceil(full * share)) : 0;
}
double resident_mb() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}
// The most that was resident since the last one of these was made; what is there now where the system does not say
class Peak {
 public:
  Peak() { std::ofstream("/proc/self/clear_refs") << "5"; }
  double mb() const {
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;)
      if (double kb = 0; word == "VmHWM:" && file >> kb) return kb / 1024;
    return resident_mb();
  }
};
class Watch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};
// Bytes of each of so many, and what a small process has anyway
double allowed_mb(std::size_t count, double bytes_each) { return static_cast<double>(count) * bytes_each / 1e6 + 64; }

Vec3d any_direction(Random& random) {
  for (;;) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    const Vec3d v{x, y, random.uniform(-1, 1)};
    if (const double l = length(v); l > 0.1 && l < 1) return v / l;
  }
}

}  // namespace

TEST(Load, TenMillionBoxes) {
  const std::size_t count = load(10e6);
  if (count == 0) GTEST_SKIP() << "SUDAR_LOAD is not set";
  Random random(1);
  const Peak peak;
  const double width = 2 * std::cbrt(static_cast<double>(count));
  std::vector<float> rows(count * 6);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      rows[6 * i + k] = static_cast<float>(random.uniform(0, width));
      rows[6 * i + 3 + k] = rows[6 * i + k] + static_cast<float>(random.uniform(0.5, 1.5));
    }
  const auto executor = make_executor(2);
  BoxStore<3> store;
  ASSERT_TRUE(store.assign(std::span<const float>(rows), *executor).ok());
  // Sides of 1 on average, in eight times the room: two boxes meet along an axis with a chance of 2 / width
  const double expected = 0.5 * static_cast<double>(count);
  std::vector<IdPair> pairs;
  for (const char* name : {"adaptive", "columns", "sort_sweep", "dynamic_tree"}) {
    const auto algorithm = *make_broadphase<3>(name);
    algorithm->set_executor(*executor);
    const Watch watch;
    ASSERT_TRUE(algorithm->update(store).ok());
    const auto found = algorithm->pairs(store);
    ASSERT_TRUE(found.ok());
    std::printf("%zu boxes, %s: %zu pairs, %.2f s, %.0f bytes a box, %.0f MB at most\n", count, name, found->size(),
                watch.seconds(), static_cast<double>(algorithm->counters().bytes) / static_cast<double>(count),
                peak.mb());
    EXPECT_NEAR(static_cast<double>(found->size()), expected, 0.02 * expected + 5 * std::sqrt(expected));
    if (pairs.empty()) pairs.assign(found->begin(), found->end());
    EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), found->begin(), found->end())) << name;
    EXPECT_LT(algorithm->counters().bytes, count * 400 + 100000);
  }
  EXPECT_LT(peak.mb(), allowed_mb(count, 600));
}

TEST(Load, AMillionSleepAndTenThousandAreAwake) {
  const std::size_t count = load(1e6), awake = count / 100;
  if (count == 0) GTEST_SKIP() << "SUDAR_LOAD is not set";
  const Peak peak;
  auto world = World<3>::make({});
  ASSERT_TRUE(world.ok());
  ASSERT_TRUE(world->add_body({.shape = *make_halfspace3({0, 0, 1}, 0), .kind = BodyKind::fixed}).ok());
  const auto across = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  const Shape3 box = *make_box3({0.5, 0.5, 0.5});
  std::vector<BodyId<3>> sleepers;
  for (std::size_t i = 0; i < count; ++i) {
    const bool falls = i % 100 == 0;
    const Vec3d at{1.5 * static_cast<double>(i % across), 1.5 * static_cast<double>(i / across), falls ? 1.5 : 0.5};
    const auto id = world->add_body({.shape = box, .pose = {at, {}}});
    ASSERT_TRUE(id.ok());
    if (!falls) sleepers.push_back(*id);
  }
  // A contact that begins wakes both: they touch the floor first, and are put to sleep then
  const Watch first;
  ASSERT_TRUE(world->step(1.0 / 60).ok());
  const double all_awake = first.seconds();
  for (const BodyId<3> id : sleepers) ASSERT_TRUE(world->set_awake(id, false).ok());
  ASSERT_TRUE(world->step(1.0 / 60).ok());
  const Watch watch;
  constexpr int kSteps = 10;
  for (int i = 0; i < kSteps; ++i) ASSERT_TRUE(world->step(1.0 / 60).ok());
  std::printf(
      "%zu bodies, %u awake: %.1f ms a step (the first, all awake: %.1f ms), %.0f bytes a body in the scene, "
      "%.0f MB at most\n",
      count, world->stats().awake, 1000 * watch.seconds() / kSteps, 1000 * all_awake,
      static_cast<double>(world->scene().bytes().total()) / static_cast<double>(count), peak.mb());
  EXPECT_GE(world->stats().awake, awake);
  EXPECT_LE(world->stats().awake, 2 * awake + 1);
  EXPECT_LT(world->scene().bytes().total(), count * 4000 + 1000000);
  EXPECT_LT(peak.mb(), allowed_mb(count, 7000));
}

// A solid ball of triangles: made, and asked by rays, by a ball that stands beside it and by one that lies in it. Oracle:
// the ball that the vertices are on, and how far a triangle of that size cuts below it.
TEST(Load, TwentyMillionTriangles) {
  const std::size_t count = load(20e6);
  if (count == 0) GTEST_SKIP() << "SUDAR_LOAD is not set";
  const Peak peak;
  const auto side = static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(count) / 2)));
  const auto sphere = uv_sphere_mesh(1, side, side);
  ASSERT_TRUE(sphere.ok());
  const double given = resident_mb();
  const Watch watch;
  const auto mesh = make_mesh_shape3(sphere->vertices, sphere->triangles, true);
  ASSERT_TRUE(mesh.ok());
  std::printf("%zu triangles: made in %.1f s, %.0f MB (the lists given: %.0f MB), %.0f MB at most\n",
              sphere->triangles.size(), watch.seconds(), resident_mb() - given, given, peak.mb());
  // A chord over an angle of 2 pi / side, and along the other way as well
  const double sagitta = 2 * (1 - std::cos(3.15 / side)) + 1e-12;
  const Watch rays;
  Random random(3);
  constexpr int kRays = 1000;
  for (int i = 0; i < kRays; ++i) {
    const Vec3d from = any_direction(random);
    const auto hit = cast_ray(*mesh, {}, {from * 3.0, from * -1.0}, 10);
    ASSERT_TRUE(hit.ok() && hit->hit);
    ASSERT_NEAR(hit->t, 2, sagitta);
  }
  std::printf("%d rays, the tree for them made: %.2f s, %.0f MB at most\n", kRays, rays.seconds(), peak.mb());
  const Watch gaps;
  const Shape3 ball = *make_sphere3(0.25);
  constexpr int kBalls = 100;
  for (int i = 0; i < kBalls; ++i) {
    const Vec3d way = any_direction(random);
    const DistanceAnswer3 apart = distance(*mesh, {}, ball, {way * 2.0, {}});
    ASSERT_NEAR(apart.separation, 0.75, sagitta);
    ASSERT_TRUE(intersects(*mesh, {}, ball, {way * 0.5, {}}));
    ASSERT_FALSE(intersects(*mesh, {}, ball, {way * 1.26, {}}));
  }
  std::printf("%d distances and twice as many decisions: %.2f s, %.0f MB at most\n", kBalls, gaps.seconds(), peak.mb());
  EXPECT_LT(peak.mb(), allowed_mb(sphere->triangles.size(), 400));
}

namespace {

// Along x, aside where there is room for it, and up
template <int D>
Vec<D, double> place(double along, double aside, double height) {
  if constexpr (D == 2)
    return {along, height};
  else
    return {along, aside, height};
}
template <int D>
ShapeOf<D> ball(double radius) {
  if constexpr (D == 2)
    return *make_circle2(radius);
  else
    return *make_sphere3(radius);
}
template <int D>
ShapeOf<D> cube(double half) {
  if constexpr (D == 2)
    return *make_box2({half, half});
  else
    return *make_box3({half, half, half});
}
template <int D>
ShapeOf<D> ground() {
  if constexpr (D == 2)
    return *make_halfplane2({0, 1}, 0);
  else
    return *make_halfspace3({0, 0, 1}, 0);
}

// Boxes that lie, a pendulum, and balls that come and go; and posts, so many boxes that `adaptive` has a choice
template <int D>
void long_run(std::string_view broadphase, std::size_t steps) {
  WorldOptions<D> options;
  options.sleeping = false;
  options.broadphase = broadphase;
  auto world = World<D>::make(options);
  ASSERT_TRUE(world.ok());
  const auto floor = world->add_body({.shape = ground<D>(), .kind = BodyKind::fixed});
  ASSERT_TRUE(floor.ok());
  std::vector<BodyId<D>> bodies;
  for (int i = 0; i < 6; ++i)
    bodies.push_back(*world->add_body({.shape = cube<D>(0.5), .pose = {place<D>(2.0 * (i % 3), 0, 0.5 + i / 3), {}}}));
  constexpr int kPosts = 100;
  for (int i = 0; i < kPosts; ++i)
    ASSERT_TRUE(
        world->add_body({.shape = cube<D>(0.5), .pose = {place<D>(40 + 2 * i, 0, 0.5), {}}, .kind = BodyKind::fixed})
            .ok());
  // Held out level: it starts with no speed, and falls by at most one metre
  const Vec<D, double> hook = place<D>(20, 20, 5);
  const auto bob = world->add_body({.shape = ball<D>(0.2), .pose = {hook + place<D>(1, 0, 0), {}}});
  ASSERT_TRUE(bob.ok());
  const auto joint = world->make_joint(D == 2 ? JointKind::revolute : JointKind::ball, *floor, *bob, {hook, {}});
  ASSERT_TRUE(joint.ok() && world->add_joint(*floor, *bob, *joint).ok());
  std::deque<BodyId<D>> balls;
  const double gravity = length(world->options().gravity);
  double highest = -1, longest = 0;
  const auto run = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      // One every second, and each for ten seconds
      if (i % 60 == 0) {
        balls.push_back(*world->add_body(
            {.shape = ball<D>(0.25), .pose = {place<D>(-5, -5, 2), {}}, .velocity = place<D>(-1, 0, 0)}));
        if (balls.size() > 10) {
          ASSERT_TRUE(world->remove_body(balls.front()).ok());
          balls.pop_front();
        }
      }
      ASSERT_TRUE(world->step(1.0 / 60).ok());
      const Vec<D, double> at = world->pose(*bob).position - hook, v = world->velocity(*bob);
      highest = std::max(highest, at[D - 1] + dot(v, v) / (2 * gravity));
      longest = std::max(longest, std::fabs(length(at) - 1));
    }
  };
  run(1200);
  const double before = resident_mb();
  const SceneBytes bytes = world->scene().bytes();
  std::vector<Pose<D, double>> start;
  for (const BodyId<D> body : bodies) start.push_back(world->pose(body));
  const Watch watch;
  run(steps);
  double moved = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    moved = std::max(moved, length(world->pose(bodies[i]).position - start[i].position));
  const SceneBytes after = world->scene().bytes();
  std::printf(
      "%zu steps in %d dimensions by %s: %.1f s, %.1f MB before and %.1f MB after, "
      "%zu and %zu bytes of the scene, %zu and %zu of them for the search; boxes moved by %.3g m; "
      "the pendulum rose %.3g m above its start, its rod was %.3g m off\n",
      steps, D, std::string(broadphase).c_str(), watch.seconds(), before, resident_mb(), bytes.total(), after.total(),
      bytes.search, after.search, moved, highest, longest);
  EXPECT_LT(resident_mb(), before + 8);
  EXPECT_LE(after.total() - after.search, (bytes.total() - bytes.search) * 5 / 4);
  // `adaptive` goes from one to another, and keeps what it tells of its last 4096 choices
  EXPECT_LE(after.search, broadphase == "adaptive" ? 4000000 : bytes.search * 5 / 4);
  EXPECT_LT(moved, 0.01);
  EXPECT_LT(highest, 0.01);
  EXPECT_LT(longest, 0.01);
}

}  // namespace

// A day's worth of steps at small scale, as far as SUDAR_LOAD says, shared among worlds of both dimensions. Memory stays, what
// lies stays where it is, and the pendulum gains no energy.
TEST(Load, LongRunsNeitherLeakNorDrift) {
  const std::size_t steps = load(24 * 3600 * 60.0);
  if (steps == 0) GTEST_SKIP() << "SUDAR_LOAD is not set";
  for (const std::string_view broadphase : {"dynamic_tree", "adaptive"}) {
    long_run<2>(broadphase, steps / 4);
    long_run<3>(broadphase, steps / 4);
  }
}
