#include "scenes/registry.hpp"

#include <gtest/gtest.h>

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
void check_all() {
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

TEST(Scenes, AllAreTheSameOnEveryRunAndStayInTheWorld2) { check_all<2>(); }
TEST(Scenes, AllAreTheSameOnEveryRunAndStayInTheWorld3) { check_all<3>(); }

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
