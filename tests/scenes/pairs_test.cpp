#include "scenes/registry.hpp"
#include "tests/support/soak.hpp"
#include <sudar/broadphase/registry.hpp>

#include <gtest/gtest.h>

using namespace sudar;

namespace {

// Brute force is the oracle; it is compared with the plain loop in the tests of the broad phases
template <int D>
void check_all_scenes() {
  for (const auto& entry : scenes::all()) {
    const auto spec =
        scenes::parse(std::string(entry.name) + (entry.name == "one_point" ? " n=120" : " n=900 speed=0.5"));
    ASSERT_TRUE(spec.ok());
    const auto scene = scenes::make<D>(*spec);
    ASSERT_TRUE(scene.ok());
    const BoxStore<D>& store = (*scene)->boxes();
    std::vector<std::unique_ptr<Broadphase<D>>> all;
    for (const auto& algorithm : broadphases()) all.push_back(*make_broadphase<D>(algorithm.name));
    for (std::size_t step = 0; step < sudar_test::soak(20); ++step) {
      std::vector<IdPair> expected;
      for (auto& algorithm : all) {
        ASSERT_TRUE(algorithm->update(store).ok());
        const auto found = algorithm->pairs(store);
        ASSERT_TRUE(found.ok());
        if (algorithm == all.front())
          expected.assign(found->begin(), found->end());
        else
          EXPECT_EQ(std::vector<IdPair>(found->begin(), found->end()), expected) << algorithm->name() << entry.name;
      }
      ASSERT_TRUE((*scene)->step(0.1).ok());
    }
  }
}

template <int D>
std::size_t pairs_at_start(const char* text) {
  const auto scene = scenes::make<D>(*scenes::parse(text));
  const auto brute = make_broadphase<D>("brute_force");
  EXPECT_TRUE((*brute)->build((*scene)->boxes()).ok());
  return (*brute)->pairs((*scene)->boxes())->size();
}

}  // namespace

TEST(ScenePairs, EveryAlgorithmEqualsBruteForceOnEveryScene2) { check_all_scenes<2>(); }
TEST(ScenePairs, EveryAlgorithmEqualsBruteForceOnEveryScene3) { check_all_scenes<3>(); }

// Closed forms
TEST(ScenePairs, ALatticeTouchesItsNeighboursAndNobodyElse) {
  // 2 n (n - 1) edges and 2 (n - 1)^2 corners in 2D; all 13 directions of half the neighbours in 3D
  EXPECT_EQ(pairs_at_start<2>("lattice n=100"), 2u * 10 * 9 + 2u * 9 * 9);
  EXPECT_EQ(pairs_at_start<3>("lattice n=1000"), 3u * 10 * 10 * 9 + 6u * 10 * 9 * 9 + 4u * 9 * 9 * 9);
}

TEST(ScenePairs, AroundOnePointAllOverlap) {
  EXPECT_EQ(pairs_at_start<2>("one_point n=100"), 4950u);
  EXPECT_EQ(pairs_at_start<3>("one_point n=100"), 4950u);
}

TEST(ScenePairs, EvenSpreadOverlapsAsManyAsAsked) {
  // Each pair counts for two boxes; the walls take a few
  EXPECT_NEAR(static_cast<double>(pairs_at_start<2>("uniform n=5000 overlap=4")), 2 * 5000, 500);
  EXPECT_NEAR(static_cast<double>(pairs_at_start<3>("uniform n=5000 overlap=4")), 2 * 5000, 1500);
  EXPECT_NEAR(static_cast<double>(pairs_at_start<2>("line n=5000 overlap=4")), 2 * 5000, 500);
  EXPECT_NEAR(static_cast<double>(pairs_at_start<3>("plane n=5000 overlap=4")), 2 * 5000, 500);
}
