// The journal of the store, and the events that come out of two steps
#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/found_pairs.hpp"
#include <sudar/broadphase/registry.hpp>

#include <gtest/gtest.h>

#include <set>

using namespace sudar;
using sudar_test::Pairs;
using sudar_test::to_vector;

namespace {

Aabb<2, float> square(float x) { return {{x, 0}, {x + 1, 1}}; }
}  // namespace

TEST(BoxJournal, TellsWhatHappenedSinceARevision) {
  BoxStore<2> store;
  const auto start = store.revision();
  ASSERT_TRUE(store.insert(square(0)).ok());
  ASSERT_TRUE(store.insert(square(5)).ok());
  const auto middle = store.revision();
  ASSERT_TRUE(store.move(0, square(1)).ok());
  ASSERT_TRUE(store.teleport(1, square(9)).ok());
  ASSERT_TRUE(store.set_filter(0, {2, 2, 2}).ok());
  ASSERT_TRUE(store.remove(0).ok());
  EXPECT_EQ(store.changes_since(start)->size(), 6u);
  const auto changes = store.changes_since(middle);
  ASSERT_TRUE(changes.has_value());
  ASSERT_EQ(changes->size(), 4u);
  EXPECT_EQ((*changes)[0].change, BoxChange::moved);
  EXPECT_EQ((*changes)[1].change, BoxChange::teleported);
  EXPECT_EQ((*changes)[1].id, 1u);
  EXPECT_EQ((*changes)[2].change, BoxChange::refiltered);
  EXPECT_EQ((*changes)[3].change, BoxChange::removed);
  EXPECT_TRUE(store.changes_since(store.revision())->empty());
  EXPECT_FALSE(store.changes_since(store.revision() + 1).has_value());
}

TEST(BoxJournal, IsBoundedAndSaysWhenItForgot) {
  BoxStore<2> store;
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(store.insert(square(0)).ok());
  const auto start = store.revision();
  const auto bytes = store.bytes();
  for (int i = 0; i < 100000; ++i) ASSERT_TRUE(store.move(3, square(static_cast<float>(i))).ok());
  EXPECT_FALSE(store.changes_since(start).has_value());
  EXPECT_TRUE(store.changes_since(store.revision() - 5).has_value());
  EXPECT_LT(store.bytes(), bytes + 20000);
  // A whole new set of boxes is not told one by one
  const auto before = store.revision();
  ASSERT_TRUE(store.assign(std::vector<float>(8, 0.0f)).ok());
  EXPECT_FALSE(store.changes_since(before).has_value());
  EXPECT_GT(store.revision(), before);
}

TEST(BoxJournal, FixedRevisionMovesOnlyWithFixedBoxes) {
  BoxStore<2> store;
  ASSERT_TRUE(store.insert(square(0), {}, Motion::fixed).ok());
  ASSERT_TRUE(store.insert(square(0)).ok());
  const auto fixed = store.fixed_revision();
  ASSERT_TRUE(store.move(1, square(3)).ok());
  EXPECT_EQ(store.fixed_revision(), fixed);
  ASSERT_TRUE(store.move(0, square(3)).ok());
  EXPECT_GT(store.fixed_revision(), fixed);
}

TEST(PairChanges, BeginStayAndEnd) {
  for (const BroadphaseEntry& entry : broadphases()) {
    auto algorithm = entry.make2();
    BoxStore<2> store;
    for (const float x : {0.0f, 0.5f, 5.0f}) ASSERT_TRUE(store.insert(square(x)).ok());
    ASSERT_TRUE(algorithm->update(store).ok());
    auto changes = algorithm->changes(store);
    ASSERT_TRUE(changes.ok());
    EXPECT_EQ(to_vector(changes->begin), (Pairs{{0, 1}})) << entry.name;
    EXPECT_TRUE(changes->stay.empty() && changes->end.empty());

    ASSERT_TRUE(store.move(2, square(1)).ok());
    ASSERT_TRUE(algorithm->update(store).ok());
    changes = algorithm->changes(store);
    EXPECT_EQ(to_vector(changes->begin), (Pairs{{0, 2}, {1, 2}})) << entry.name;
    EXPECT_EQ(to_vector(changes->stay), (Pairs{{0, 1}}));

    ASSERT_TRUE(store.teleport(0, square(-9)).ok());
    ASSERT_TRUE(algorithm->update(store).ok());
    changes = algorithm->changes(store);
    EXPECT_EQ(to_vector(changes->end), (Pairs{{0, 1}, {0, 2}})) << entry.name;
    EXPECT_EQ(to_vector(changes->stay), (Pairs{{1, 2}}));
  }
}

TEST(PairChanges, AnIdGivenToAnotherBoxEndsAndBegins) {
  auto algorithm = *make_broadphase<2>("sort_sweep");
  BoxStore<2> store;
  for (const float x : {0.0f, 0.5f}) ASSERT_TRUE(store.insert(square(x)).ok());
  ASSERT_TRUE(algorithm->update(store).ok());
  ASSERT_TRUE(algorithm->changes(store).ok());
  ASSERT_TRUE(store.remove(1).ok());
  ASSERT_EQ(*store.insert(square(0.25f)), 1u);
  ASSERT_TRUE(algorithm->update(store).ok());
  const auto changes = algorithm->changes(store);
  EXPECT_EQ(to_vector(changes->end), (Pairs{{0, 1}}));
  EXPECT_EQ(to_vector(changes->begin), (Pairs{{0, 1}}));
  EXPECT_TRUE(changes->stay.empty());
}

TEST(PairChanges, PairsOfAnotherStoreEndAndBegin) {
  for (const BroadphaseEntry& entry : broadphases()) {
    auto algorithm = entry.make2();
    // Of one size and revision, with one pair of equal ids and one that differs
    BoxStore<2> first, second;
    for (const float x : {0.0f, 0.5f, 5.0f, 5.5f}) ASSERT_TRUE(first.insert(square(x)).ok());
    for (const float x : {0.0f, 0.5f, 1.0f, 5.5f}) ASSERT_TRUE(second.insert(square(x)).ok());
    ASSERT_EQ(first.revision(), second.revision());
    const Pairs of_first = {{0, 1}, {2, 3}}, of_second = {{0, 1}, {0, 2}, {1, 2}};
    for (int round = 0; round < 2; ++round) {
      ASSERT_TRUE(algorithm->update(first).ok());
      auto changes = algorithm->changes(first);
      EXPECT_EQ(to_vector(changes->begin), of_first) << entry.name;
      EXPECT_EQ(to_vector(changes->end), round == 0 ? Pairs{} : of_second) << entry.name;
      EXPECT_TRUE(changes->stay.empty()) << entry.name;
      ASSERT_TRUE(algorithm->update(second).ok());
      changes = algorithm->changes(second);
      EXPECT_EQ(to_vector(changes->begin), of_second) << entry.name;
      EXPECT_EQ(to_vector(changes->end), of_first) << entry.name;
      EXPECT_TRUE(changes->stay.empty()) << entry.name;
    }
    // A copy is another store; a store that was moved is the same
    BoxStore<2> moved = std::move(second);
    ASSERT_TRUE(algorithm->update(moved).ok());
    EXPECT_EQ(to_vector(algorithm->changes(moved)->stay), of_second) << entry.name;
    const BoxStore<2> copied = moved;
    ASSERT_TRUE(algorithm->update(copied).ok());
    EXPECT_EQ(to_vector(algorithm->changes(copied)->end), of_second) << entry.name;
  }
}

// Its searches run out of memory when it is told so
namespace {
class Starving final : public Broadphase<2> {
 public:
  std::string_view name() const noexcept override { return "starving"; }
  bool starve = false;
  int builds = 0;

 private:
  void do_build(const BoxStore<2>&) override { ++builds; }
  void do_update(const BoxStore<2>&) override {}
  void do_pairs(const BoxStore<2>& store, SearchOutput& out) override {
    for (const IdPair& pair : sudar_test::plain_pairs(store)) {
      out.pairs.push(pair);
      if (starve) throw std::bad_alloc();
    }
  }
  std::size_t do_bytes() const noexcept override { return 0; }
};
}  // namespace

TEST(PairChanges, GoOnAfterASearchThatRanOutOfMemory) {
  Starving algorithm;
  BoxStore<2> store;
  for (const float x : {0.0f, 0.5f, 5.0f}) ASSERT_TRUE(store.insert(square(x)).ok());
  ASSERT_TRUE(algorithm.update(store).ok());
  ASSERT_TRUE(algorithm.changes(store).ok());
  ASSERT_TRUE(store.move(2, square(1)).ok());
  ASSERT_TRUE(algorithm.update(store).ok());
  algorithm.starve = true;
  EXPECT_EQ(algorithm.changes(store).error().code, ErrorCode::out_of_memory);
  // Nothing half found is told; it begins from nothing on the same store
  algorithm.starve = false;
  EXPECT_EQ(algorithm.pairs(store).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(algorithm.builds, 1);
  ASSERT_TRUE(algorithm.update(store).ok());
  EXPECT_EQ(algorithm.builds, 2);
  const auto changes = algorithm.changes(store);
  ASSERT_TRUE(changes.ok());
  EXPECT_EQ(to_vector(changes->begin), (Pairs{{0, 2}, {1, 2}}));
  EXPECT_EQ(to_vector(changes->stay), (Pairs{{0, 1}}));
}

TEST(PairCallback, IsAskedInsideOfEverySearch) {
  std::set<IdPair> refused = {{0, 1}, {2, 5}};
  BoxStore<2> store;
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(store.insert(square(static_cast<float>(i) * 0.2f)).ok());
  store.set_pair_callback({[](void* context, std::uint32_t a, std::uint32_t b) {
                             return !static_cast<std::set<IdPair>*>(context)->contains({a, b});
                           },
                           &refused});
  for (const BroadphaseEntry& entry : broadphases()) {
    auto algorithm = entry.make2();
    ASSERT_TRUE(algorithm->update(store).ok());
    const auto pairs = algorithm->pairs(store);
    EXPECT_EQ(to_vector(*pairs), sudar_test::plain_pairs(store)) << entry.name;
    for (const IdPair& pair : *pairs) EXPECT_FALSE(refused.contains(pair)) << entry.name;
  }
}
