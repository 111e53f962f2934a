// Large numbers of everything. They run when SUDAR_LOAD is set (./test --soak sets it): minutes, and up to 12 GB of memory.
// SUDAR_LOAD is a share: 1 for the full numbers, 0.01 for a look. Each prints what it took.
#include "tests/support/soak.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/dynamics/world.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/queries/ray3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>

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
class Watch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

TEST(Load, TenMillionBoxes) {
  const std::size_t count = load(10e6);
  if (count == 0) GTEST_SKIP() << "SUDAR_LOAD is not set";
  Random random(1);
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
  std::size_t pairs = 0;
  for (const char* name : {"columns", "sort_sweep"}) {
    const auto algorithm = *make_broadphase<3>(name);
    algorithm->set_executor(*executor);
    const Watch watch;
    ASSERT_TRUE(algorithm->update(store).ok());
    const auto found = algorithm->pairs(store);
    ASSERT_TRUE(found.ok());
    std::printf("%zu boxes, %s: %zu pairs, %.2f s, %.0f bytes a box, %.0f MB in all\n", count, name, found->size(),
                watch.seconds(), static_cast<double>(algorithm->counters().bytes) / static_cast<double>(count),
                resident_mb());
    if (pairs != 0) {
      EXPECT_EQ(found->size(), pairs);
    }
    pairs = found->size();
    EXPECT_LT(algorithm->counters().bytes, count * 400 + 100000);
  }
}

TEST(Load, AMillionSleepAndTenThousandAreAwake) {
  const std::size_t count = load(1e6), awake = count / 100;
  if (count == 0) GTEST_SKIP() << "SUDAR_LOAD is not set";
  auto world = World<3>::make({});
  ASSERT_TRUE(world.ok());
  ASSERT_TRUE(world->add_body({.shape = *make_halfspace3({0, 0, 1}, 0), .kind = BodyKind::fixed}).ok());
  const auto across = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  const Shape3 box = *make_box3({0.5, 0.5, 0.5});
  for (std::size_t i = 0; i < count; ++i) {
    const bool falls = i % 100 == 0;
    const Vec3d at{1.5 * static_cast<double>(i % across), 1.5 * static_cast<double>(i / across), falls ? 1.5 : 0.5};
    const auto id = world->add_body({.shape = box, .pose = {at, {}}});
    ASSERT_TRUE(id.ok());
    if (!falls) {
      ASSERT_TRUE(world->apply({.kind = InputKind::set_awake, .body = *id, .value = 0}).ok());
    }
  }
  ASSERT_TRUE(world->step(1.0 / 60).ok());
  const Watch watch;
  constexpr int kSteps = 10;
  for (int i = 0; i < kSteps; ++i) ASSERT_TRUE(world->step(1.0 / 60).ok());
  std::printf("%zu bodies, %u awake: %.1f ms a step, %.0f MB\n", count, world->stats().awake,
              1000 * watch.seconds() / kSteps, resident_mb());
  EXPECT_GE(world->stats().awake, awake);
  EXPECT_LE(world->stats().awake, 2 * awake);
  EXPECT_LT(world->scene().bytes().total(), count * 4000 + 1000000);
}

TEST(Load, TwentyMillionTriangles) {
  const std::size_t count = load(20e6);
  if (count == 0) GTEST_SKIP() << "SUDAR_LOAD is not set";
  const auto side = static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(count) / 2)));
  const auto sphere = uv_sphere_mesh(1, side, side);
  ASSERT_TRUE(sphere.ok());
  const Watch watch;
  const auto mesh = make_mesh_shape3(sphere->vertices, sphere->triangles, true);
  ASSERT_TRUE(mesh.ok());
  std::printf("%zu triangles: %.1f s, %.0f MB\n", sphere->triangles.size(), watch.seconds(), resident_mb());
  const auto hit = cast_ray(*mesh, {}, {{-3, 0.01, 0.02}, {1, 0, 0}}, 10);
  ASSERT_TRUE(hit.ok());
  EXPECT_NEAR(hit->t, 2, 1e-3);
}

// A day's worth of steps at small scale, as far as SUDAR_LOAD says: memory stays, and so does what lies
TEST(Load, LongRunsNeitherLeakNorDrift) {
  const std::size_t steps = load(24 * 3600 * 60.0);
  if (steps == 0) GTEST_SKIP() << "SUDAR_LOAD is not set";
  WorldOptions<3> options;
  options.sleeping = false;
  auto world = World<3>::make(options);
  ASSERT_TRUE(world.ok());
  ASSERT_TRUE(world->add_body({.shape = *make_halfspace3({0, 0, 1}, 0), .kind = BodyKind::fixed}).ok());
  std::vector<BodyId<3>> bodies;
  for (int i = 0; i < 6; ++i)
    bodies.push_back(
        *world->add_body({.shape = *make_box3({0.5, 0.5, 0.5}), .pose = {{2.0 * (i % 3), 0, 0.5 + i / 3}, {}}}));
  for (int i = 0; i < 600; ++i) ASSERT_TRUE(world->step(1.0 / 60).ok());
  const double before = resident_mb();
  const Pose3d start = world->pose(bodies[0]);
  const Watch watch;
  for (std::size_t i = 0; i < steps; ++i) ASSERT_TRUE(world->step(1.0 / 60).ok());
  std::printf("%zu steps: %.1f s, %.1f MB before and %.1f MB after, a box moved by %.3g m\n", steps, watch.seconds(),
              before, resident_mb(), length(world->pose(bodies[0]).position - start.position));
  EXPECT_LT(resident_mb(), before + 8);
  EXPECT_LT(length(world->pose(bodies[0]).position - start.position), 0.01);
}
