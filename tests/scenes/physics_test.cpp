#include "scenes/physics.hpp"

#include "tests/support/threads.hpp"
#include <sudar/core/parallel.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <string>

namespace {

using namespace sudar;
using scenes::make_physics;

template <int D>
std::unique_ptr<scenes::PhysicsScene<D>> physics_scene(const std::string& text, const WorldOptions<D>& options = {}) {
  const auto spec = scenes::parse(text);
  EXPECT_TRUE(spec) << text;
  auto scene = make_physics<D>(*spec, options);
  EXPECT_TRUE(scene) << text << ": " << (scene ? "" : scene.error().message());
  return scene ? std::move(*scene) : nullptr;
}

// After so many steps: nothing was taken out
template <int D>
void run_for(scenes::PhysicsScene<D>& scene, int steps) {
  for (int i = 0; i < steps; ++i) {
    const auto done = scene.step(1.0 / 60);
    ASSERT_TRUE(done) << scene.spec().text() << " at " << i << ": " << done.error().message();
    for (const WorldEvent<D>& event : scene.world().events())
      ASSERT_NE(event.kind, WorldEventKind::taken_out) << scene.spec().text();
  }
}

template <int D>
void check_worlds() {
  sudar_test::Threads threads(3);
  for (const scenes::SceneEntry& entry : scenes::physics_scenes()) {
    if (D == 2 ? entry.physics2 == nullptr : entry.physics3 == nullptr) continue;
    std::string text(entry.name);
    if (text == "pile" || text == "gather") text += " n=60";
    if (text == "pyramid") text += " rows=6";
    if (text == "balls") text += " n=40";
    if (text == "ragdolls") text += " n=2";
    WorldOptions<D> options;
    const auto first = physics_scene<D>(text, options);
    options.broadphase = "sap";
    options.executor = &threads;
    const auto second = physics_scene<D>(text, options);
    ASSERT_TRUE(first && second);
    run_for(*first, 40);
    run_for(*second, 40);
    EXPECT_EQ(first->world().state_hash(), second->world().state_hash()) << text;
    EXPECT_FALSE(entry.what.empty());
  }
}

template <int D>
double figure_of(const scenes::PhysicsScene<D>& scene, std::string_view name) {
  for (const scenes::Figure& figure : scene.figures())
    if (figure.name == name) return figure.value;
  ADD_FAILURE() << name;
  return 0;
}

// How often a bullet changes sides of the plate, as the plate sees it, well within its edges
template <int D>
int sides_changed(const std::string& text) {
  const auto scene = physics_scene<D>(text);
  const World<D>& world = scene->world();
  const auto seen_by_plate = [&] {
    std::vector<Vec<D, double>> out;
    for (std::uint32_t i = 1; i < world.bodies().size(); ++i)
      out.push_back(transform(inverse(world.pose(world.id_of(0))), world.pose(world.id_of(i)).position));
    return out;
  };
  const double inner = 1.6;  // of 2; ways are nearly straight for the plate
  int out = 0;
  auto before = seen_by_plate();
  for (int step = 0; step < 30; ++step) {
    run_for(*scene, 1);
    const auto after = seen_by_plate();
    for (std::size_t i = 0; i < after.size(); ++i) {
      if ((before[i][0] < 0) == (after[i][0] < 0)) continue;
      const Vec<D, double> at = before[i] + (after[i] - before[i]) * (before[i][0] / (before[i][0] - after[i][0]));
      out += max_abs(at) < inner;
    }
    before = after;
  }
  return out;
}

}  // namespace

TEST(PhysicsScenes, EachRunsTheSameOnEveryBroadPhaseAndThreadCount) {
  check_worlds<2>();
  check_worlds<3>();
}

TEST(PhysicsScenes, StringsNameThem) {
  const auto spec = scenes::parse("pyramid rows=3 dim=2");
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->text(), "pyramid dim=2 seed=1 rows=3");
  EXPECT_EQ(spec->dim(), 2);
  EXPECT_TRUE(scenes::parse(spec->text()));
  EXPECT_EQ(scenes::parse("vehicle dim=2").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(scenes::parse("pyramid n=3").error().code, ErrorCode::unknown_id);
  EXPECT_EQ(scenes::parse("pyramids").error().code, ErrorCode::unknown_id);
  EXPECT_NE(scenes::explain("pyramids", scenes::parse("pyramids").error()).find("pyramid"), std::string::npos);
  // The two lists are not mixed up
  EXPECT_EQ(scenes::make<3>(*spec).error().code, ErrorCode::unsupported);
  EXPECT_EQ(make_physics<3>(*scenes::parse("uniform")).error().code, ErrorCode::unsupported);
  EXPECT_EQ(make_physics<3>(*scenes::parse("characters")).error().code, ErrorCode::unsupported);
}

TEST(PhysicsScenes, BulletsAreThroughOnlyWithoutContinuousDetection) {
  for (const char* target : {" turning=0", " turning=1"}) {
    EXPECT_EQ(sides_changed<2>(std::string("bullet continuous=1") + target), 0) << target;
    EXPECT_EQ(sides_changed<3>(std::string("bullet continuous=1") + target), 0) << target;
    EXPECT_GT(sides_changed<3>(std::string("bullet continuous=0") + target), 10) << target;
  }
  const auto with = physics_scene<3>("bullet continuous=1"), without = physics_scene<3>("bullet continuous=0");
  run_for(*with, 30);
  run_for(*without, 30);
  EXPECT_EQ(figure_of(*with, "through"), 0);
  EXPECT_GT(figure_of(*without, "through"), 15);
}

// The long campaign has a thousand, thirty rows of them on the lowest
TEST(PhysicsScenes, APileInThePlaneComesToRest) {
  const std::size_t count = std::min<std::size_t>(sudar_test::soak(150), 1000);
  const auto pile = physics_scene<2>("pile dim=2 n=" + std::to_string(count));
  const World<2>& world = pile->world();
  for (int i = 0; i < 1500 && (i < 60 || world.stats().awake > 0); ++i) run_for(*pile, 1);
  EXPECT_EQ(world.stats().awake, 0u);
  for (const ScenePoint<2>& point : world.scene().points()) EXPECT_GT(point.separation, -0.01);
}

TEST(PhysicsScenes, ChainsHangDoorsTurnWheelsDrive) {
  // The ends of the links stay together
  const auto chain = physics_scene<3>("chain n=10");
  run_for(*chain, 120);
  double lowest = 100;
  for (const WorldBody<3>& body : chain->world().bodies())
    if (body.is_dynamic()) lowest = std::min(lowest, body.state.position.z);
  EXPECT_GT(lowest, 8 - 10 * 0.5 - 0.7);

  const auto vehicle = physics_scene<3>("vehicle");
  run_for(*vehicle, 240);
  EXPECT_GT(figure_of(*vehicle, "way"), 8);
  const auto doors = physics_scene<2>("doors speed=12");
  run_for(*doors, 300);
  EXPECT_GE(figure_of(*doors, "beyond_first_door"), 3);
}

TEST(PhysicsScenes, BlocksBreakStonesFallShapesRedden) {
  const auto block = physics_scene<3>("breaking pieces=12");
  EXPECT_EQ(figure_of(*block, "pieces"), 1);
  const double mass = block->world().body(block->world().id_of(1))->mass.mass;
  run_for(*block, 100);
  EXPECT_EQ(figure_of(*block, "pieces"), 12);
  double sum = 0;
  for (const WorldBody<3>& body : block->world().bodies()) sum += body.is_dynamic() ? body.mass.mass : 0;
  EXPECT_NEAR(sum, mass, 1e-9 * mass);

  const auto stones = physics_scene<2>("domino n=10");
  run_for(*stones, 240);
  for (const WorldBody<2>& body : stones->world().bodies()) {
    EXPECT_TRUE(!body.is_dynamic() || std::fabs(body.state.rotation.c) < 0.9);
  }

  const auto shapes = physics_scene<3>("simple_shapes n=20");
  EXPECT_EQ(figure_of(*shapes, "red"), 0);
  run_for(*shapes, 120);
  EXPECT_GT(figure_of(*shapes, "red"), 15);

  // One, two and four parts: the ball beside the first lies on its hull, those beside the others are lower
  const auto characters = physics_scene<2>("characters");
  std::vector<std::uint64_t> parts;
  for (std::uint32_t i = 0; i < characters->world().bodies().size(); ++i)
    if (const std::uint64_t count = characters->world().scene()[i].user; count > 0) parts.push_back(count);
  EXPECT_EQ(parts, (std::vector<std::uint64_t>{1, 2, 4}));
}
