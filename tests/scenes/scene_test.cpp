#include "scenes/registry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace sudar;

namespace {

template <int D>
std::unique_ptr<scenes::Scene<D>> scene_of(const std::string& text) {
  const auto spec = scenes::parse(text);
  EXPECT_TRUE(spec.ok()) << text;
  auto scene = scenes::make<D>(*spec);
  EXPECT_TRUE(scene.ok()) << text;
  return *std::move(scene);
}

template <int D>
void check_all_registered() {
  for (const auto& entry : scenes::all()) {
    EXPECT_GT(entry.what.size(), 80u) << entry.name;
    for (const std::size_t n : {1u, 2u, 100u}) {
      const std::string text = std::string(entry.name) + " seed=5 n=" + std::to_string(n);
      const auto a = scene_of<D>(text), b = scene_of<D>(text);
      ASSERT_EQ(a->boxes().size(), n) << entry.name;
      bool moved = false;
      const auto first = a->boxes().box(0);
      for (int step = 0; step < 50; ++step) {
        ASSERT_TRUE(a->step(1.0 / 30).ok());
        ASSERT_TRUE(b->step(1.0 / 30).ok());
        for (std::uint32_t i = 0; i < n; ++i) {
          ASSERT_EQ(a->boxes().box(i), b->boxes().box(i));
          const auto box = a->boxes().box(i);
          for (int k = 0; k < D; ++k) ASSERT_TRUE(box.lo[k] > -3 && box.hi[k] < 4) << entry.name;
        }
        moved = moved || !(a->boxes().box(0) == first);
      }
      EXPECT_TRUE(moved || a->boxes().is_fixed(0)) << entry.name;
      EXPECT_NEAR(a->time(), 50.0 / 30, 1e-12);
    }
  }
}

}  // namespace

TEST(Scenes, AllAreTheSameOnEveryRunAndStayInTheWorld2) { check_all_registered<2>(); }
TEST(Scenes, AllAreTheSameOnEveryRunAndStayInTheWorld3) { check_all_registered<3>(); }

TEST(Scenes, BadTimeStepsAreRefused) {
  const auto scene = scene_of<2>("uniform n=10");
  const auto revision = scene->boxes().revision();
  EXPECT_EQ(scene->step(-1).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(scene->step(std::numeric_limits<double>::quiet_NaN()).error().code, ErrorCode::non_finite);
  EXPECT_EQ(scene->step(std::numeric_limits<double>::infinity()).error().code, ErrorCode::non_finite);
  EXPECT_EQ(scene->boxes().revision(), revision);
}

TEST(Scenes, SeedsDiffer) {
  EXPECT_NE(scene_of<3>("uniform n=10 seed=1")->boxes().box(0), scene_of<3>("uniform n=10 seed=2")->boxes().box(0));
}

TEST(Scenes, FastBodiesAreReflectedNotLost) {
  const auto scene = scene_of<2>("uniform n=50 speed=1000");
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(scene->step(1).ok());
  for (const auto& body : scene->bodies())
    for (int k = 0; k < 2; ++k) EXPECT_TRUE(body.center[k] >= 0 && body.center[k] <= 1);
}

TEST(Scenes, TheCityIsFixedAndAFewMove) {
  const auto scene = scene_of<3>("city n=1000 movers=0.1");
  EXPECT_EQ(scene->boxes().fixed_count(), 900u);
}

TEST(Scenes, DeedsReachTheJournalOfTheStore) {
  struct Case {
    const char* text;
    BoxChange change;
    std::size_t least, most;  // entries of that kind in one step
  };
  const Case cases[] = {{"teleporting n=2000 share=0.1", BoxChange::teleported, 100, 300},
                        {"churn n=2000 share=0.1", BoxChange::removed, 100, 300},
                        {"churn n=2000 share=0.1", BoxChange::inserted, 100, 300},
                        {"sleeping n=2000 awake=0.02", BoxChange::moved, 40, 40}};
  for (const Case& c : cases) {
    const auto scene = scene_of<3>(c.text);
    const auto before = scene->boxes().revision();
    ASSERT_TRUE(scene->step(0.01).ok());
    const auto changes = scene->boxes().changes_since(before);
    ASSERT_TRUE(changes.has_value()) << c.text;
    std::size_t seen = 0;
    for (const JournalEntry& entry : *changes) seen += entry.change == c.change ? 1 : 0;
    EXPECT_GE(seen, c.least) << c.text;
    EXPECT_LE(seen, c.most) << c.text;
    EXPECT_EQ(scene->boxes().size(), 2000u);
    for (std::uint32_t i = 0; i < 2000; ++i) {
      const auto box = scene->boxes().box(scene->boxes().row_of(i));
      const auto& body = scene->bodies()[i];
      for (int k = 0; k < 3; ++k)
        ASSERT_TRUE(box.lo[k] <= body.center[k] && body.center[k] <= box.hi[k]) << c.text << ' ' << i;
    }
  }
}

TEST(Scenes, AShellIsThinAndAPlaneIsFlat) {
  const auto shell = scene_of<3>("shell n=500 thickness=0.01 speed=0.5"), plane = scene_of<3>("plane n=500 speed=0.5");
  for (int step = 0; step < 30; ++step) {
    ASSERT_TRUE(shell->step(0.05).ok());
    ASSERT_TRUE(plane->step(0.05).ok());
  }
  for (const auto& body : shell->bodies())
    EXPECT_NEAR(length(body.center - Vec<3, double>{0.5, 0.5, 0.5}), 0.45, 0.45 * 0.0051);
  for (const auto& body : plane->bodies()) EXPECT_EQ(body.center[2], 0.5);
}

TEST(Scenes, GravityTurnsToEveryWall) {
  const auto scene = scene_of<2>("moving_gravity n=300 gravity=10 period=4 bounce=0.2 speed=0.01");
  const struct {
    int axis;
    bool low;
  } walls[] = {{1, true}, {0, true}, {1, false}, {0, false}};
  for (const auto& wall : walls) {
    for (int step = 0; step < 395; ++step) ASSERT_TRUE(scene->step(0.01).ok());
    double mean = 0;
    for (const auto& body : scene->bodies()) mean += body.center[wall.axis] / 300;
    EXPECT_TRUE(wall.low ? mean < 0.1 : mean > 0.9) << wall.axis << ' ' << mean;
    for (int step = 0; step < 5; ++step) ASSERT_TRUE(scene->step(0.01).ok());
  }
}

TEST(Scenes, RoomsAreLeftThroughDoorsOnly) {
  const auto scene = scene_of<2>("rooms n=2000 speed=0.2");
  const auto side = static_cast<std::size_t>(std::sqrt(2000 * 0.2 / 4));
  EXPECT_EQ(scene->boxes().fixed_count(), 4 * side * side);
  const double pitch = 1 / static_cast<double>(side);
  std::size_t passed = 0;
  for (int step = 0; step < 50; ++step) {
    const std::vector<scenes::Body<2>> before(scene->bodies().begin(), scene->bodies().end());
    ASSERT_TRUE(scene->step(0.02).ok());
    for (std::size_t i = 4 * side * side; i < before.size(); ++i)
      for (const int k : {0, 1}) {
        if (std::floor(before[i].center[k] / pitch) == std::floor(scene->bodies()[i].center[k] / pitch)) continue;
        const double along = before[i].center[1 - k] / pitch;
        EXPECT_NEAR(along - std::floor(along), 0.5, 0.1);
        ++passed;
      }
  }
  EXPECT_GT(passed, 20u);
}
