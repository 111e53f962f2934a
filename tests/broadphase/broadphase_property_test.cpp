// Properties of every broad phase; a failure is shrunk to a short list of small boxes
#include "tests/broadphase/box_sets.hpp"
#include <sudar/broadphase/registry.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

using namespace sudar;

namespace {

// Small whole numbers make ties, touching and equal boxes common
template <int D>
BoxStore<D> store_from(const std::vector<std::uint32_t>& words) {
  BoxStore<D> store;
  for (const std::uint32_t word : words) {
    Aabb<D, float> box;
    for (int k = 0; k < D; ++k) {
      box.lo[k] = static_cast<float>(word >> (8 * k) & 31u);
      box.hi[k] = box.lo[k] + static_cast<float>(word >> (8 * k + 5) & 7u);
    }
    const Motion motion = word >> 28 & 1 ? Motion::fixed : Motion::moving;
    const Filter filter{1u + (word >> 24 & 1u), word >> 29 & 1 ? 1u : 3u, word >> 25 & 3u};
    RC_ASSERT(store.insert(box, filter, motion).ok());
  }
  return store;
}

template <int D>
void check_scripts(const char* what) {
  EXPECT_TRUE(rc::check(what, [](const std::vector<std::uint32_t>& words, const std::vector<std::uint32_t>& moves) {
    BoxStore<D> store = store_from<D>(words);
    std::vector<std::unique_ptr<Broadphase<D>>> all;
    for (const auto& entry : broadphases()) all.push_back(std::move(*make_broadphase<D>(entry.name)));
    const auto agree = [&] {
      const auto expected = sudar_test::plain_pairs(store);
      for (auto& algorithm : all) {
        RC_ASSERT(algorithm->update(store).ok());
        const auto found = algorithm->pairs(store);
        RC_ASSERT(found.ok());
        RC_ASSERT(std::vector<IdPair>(found->begin(), found->end()) == expected);
      }
    };
    agree();
    // Insert, move and remove, and look again after each
    for (const std::uint32_t word : moves) {
      const auto id = static_cast<std::uint32_t>(store.empty() ? 0 : store.ids()[word % store.size()]);
      const auto other = store_from<D>({word});
      if (store.empty() || word % 3 == 0)
        RC_ASSERT(store.insert(other.box(0)).ok());
      else if (word % 3 == 1)
        RC_ASSERT(store.move(id, other.box(0)).ok());
      else
        RC_ASSERT(store.remove(id).ok());
      agree();
    }
  }));
}

}  // namespace

TEST(BroadphaseProperty, AllAgreeAfterEveryChange2) { check_scripts<2>("2D scripts"); }
TEST(BroadphaseProperty, AllAgreeAfterEveryChange3) { check_scripts<3>("3D scripts"); }
