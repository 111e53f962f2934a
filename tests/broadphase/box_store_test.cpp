#include "tests/broadphase/box_sets.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/seed.hpp"
#include <sudar/broadphase/box_rows.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

template <class Store>
class BoxStoreOf : public testing::Test {};
using Both = testing::Types<BoxStore<2>, BoxStore<3>>;
TYPED_TEST_SUITE(BoxStoreOf, Both);

template <int D>
Aabb<D, double> cube(double lo, double hi) {
  Aabb<D, double> box;
  for (int k = 0; k < D; ++k) {
    box.lo[k] = lo;
    box.hi[k] = hi;
  }
  return box;
}
template <int D>
int dim_of(const BoxStore<D>&) {
  return D;
}
}  // namespace

TEST(BoxStore, RoundsOutwardFromDouble) {
  BoxStore<3> store;
  Random random(campaign_seed(5));
  for (int i = 0; i < 1000; ++i) {
    Aabb<3, double> box = cube<3>(random.uniform(-10, 0), random.uniform(0, 10));
    const auto id = store.insert(box);
    ASSERT_TRUE(id.ok());
    const Aabb<3, float> kept = store.box(store.row_of(*id));
    for (int k = 0; k < 3; ++k) {
      EXPECT_LE(kept.lo[k], box.lo[k]);
      EXPECT_GE(kept.hi[k], box.hi[k]);
      EXPECT_GT(std::nextafter(kept.lo[k], 100.0f), box.lo[k]);
      EXPECT_LT(std::nextafter(kept.hi[k], -100.0f), box.hi[k]);
    }
  }
}

TEST(BoxStore, KeepsOverlapsPastTheRangeOfFloat) {
  BoxStore<2> store;
  ASSERT_TRUE(store.insert(cube<2>(1e200, 1e300)).ok());
  ASSERT_TRUE(store.insert(cube<2>(2e200, 3e200)).ok());
  ASSERT_TRUE(store.insert(cube<2>(-1e300, -1e299)).ok());
  for (std::uint32_t row = 0; row < 3; ++row) EXPECT_TRUE(is_finite(store.box(row).hi) && is_valid(store.box(row)));
  EXPECT_TRUE(overlap(store.box(0), store.box(1)));
  EXPECT_FALSE(overlap(store.box(0), store.box(2)));
}

TEST(BoxStore, FloatBoxesAreKeptAsTheyAre) {
  BoxStore<2> store;
  const Aabb<2, float> box{{-0.1f, 0.2f}, {0.3f, 0.2f}};
  ASSERT_TRUE(store.insert(box).ok());
  EXPECT_EQ(store.box(0), box);
}

TYPED_TEST(BoxStoreOf, RefusesBadBoxesAndStaysAsItWas) {
  constexpr int D = decltype(std::declval<TypeParam>().box(0))::kDim;
  TypeParam store;
  ASSERT_TRUE(store.insert(cube<D>(0, 1)).ok());
  const auto revision = store.revision();
  for (const double bad : {kNaN, kInf, -kInf}) {
    for (int k = 0; k < D; ++k) {
      Aabb<D, double> box = cube<D>(0, 1);
      box.lo[k] = bad;
      EXPECT_EQ(store.insert(box).error(), (Error{ErrorCode::non_finite, 1}));
      EXPECT_EQ(store.move(0, box).error(), (Error{ErrorCode::non_finite, 0}));
      box = cube<D>(0, 1);
      box.hi[k] = bad;
      EXPECT_EQ(store.insert(box).error(), (Error{ErrorCode::non_finite, 1}));
      EXPECT_EQ(store.move(0, box).error(), (Error{ErrorCode::non_finite, 0}));
    }
  }
  EXPECT_EQ(store.insert(cube<D>(1, 0)).error(), (Error{ErrorCode::invalid_argument, 1}));
  EXPECT_EQ(store.move(0, cube<D>(1, 0)).error(), (Error{ErrorCode::invalid_argument, 0}));
  EXPECT_EQ(store.move(9, cube<D>(0, 1)).error(), (Error{ErrorCode::unknown_id, 9}));
  EXPECT_EQ(store.remove(9).error(), (Error{ErrorCode::unknown_id, 9}));
  EXPECT_EQ(store.set_filter(9, {}).error(), (Error{ErrorCode::unknown_id, 9}));
  EXPECT_EQ(store.set_motion(9, Motion::fixed).error(), (Error{ErrorCode::unknown_id, 9}));
  EXPECT_EQ(store.size(), 1u);
  EXPECT_EQ(store.revision(), revision);
  EXPECT_EQ(store.box(0).hi[0], 1);
  EXPECT_EQ(dim_of(store), D);
}

TYPED_TEST(BoxStoreOf, AssignNamesTheBadRowAndKeepsTheOldBoxes) {
  constexpr int D = decltype(std::declval<TypeParam>().box(0))::kDim;
  TypeParam store;
  std::vector<double> rows;
  for (int i = 0; i < 10; ++i) {
    for (int k = 0; k < D; ++k) rows.push_back(i);
    for (int k = 0; k < D; ++k) rows.push_back(i + 1);
  }
  ASSERT_TRUE(store.assign(std::span<const double>(rows)).ok());
  EXPECT_EQ(store.size(), 10u);
  EXPECT_EQ(store.ids()[7], 7u);
  auto bad = rows;
  bad[7 * 2 * D] = 100;
  EXPECT_EQ(store.assign(std::span<const double>(bad)).error(), (Error{ErrorCode::invalid_argument, 7}));
  bad[7 * 2 * D] = kNaN;
  EXPECT_EQ(store.assign(std::span<const double>(bad)).error(), (Error{ErrorCode::non_finite, 7}));
  bad.pop_back();
  EXPECT_EQ(store.assign(std::span<const double>(bad)).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(store.box(7).lo[0], 7);
  // Same count: filters stay. Another count: a new world.
  ASSERT_TRUE(store.set_filter(3, {2, 2, 5}).ok());
  ASSERT_TRUE(store.set_motion(4, Motion::fixed).ok());
  ASSERT_TRUE(store.assign(std::span<const double>(rows)).ok());
  EXPECT_EQ(store.filters()[3].group, 5u);
  EXPECT_EQ(store.fixed_count(), 1u);
  ASSERT_TRUE(store.assign(std::span<const double>(rows).first(2 * D)).ok());
  EXPECT_EQ(store.size(), 1u);
  EXPECT_FALSE(store.has_filters());
  EXPECT_EQ(store.fixed_count(), 0u);
}

TEST(BoxStore, RandomInsertMoveRemoveAgreesWithAMap) {
  struct Known {
    Aabb<2, float> box;
    Filter filter;
    Motion motion;
  };
  std::vector<std::pair<std::uint32_t, Known>> known;
  BoxStore<2> store;
  Random random(campaign_seed(11));
  for (int step = 0; step < 20000; ++step) {
    const auto what = random.below(10);
    const Aabb<2, float> box = sudar_test::random_box<2>(random, 10, 1);
    if (what < 4 || known.empty()) {
      const Filter filter{1u << random.below(3), random.coin() ? 7u : ~0u, static_cast<std::uint32_t>(random.below(3))};
      const Motion motion = random.coin() ? Motion::fixed : Motion::moving;
      const auto id = store.insert(box, filter, motion);
      ASSERT_TRUE(id.ok());
      for (const auto& [other, unused] : known) ASSERT_NE(other, *id);
      known.push_back({*id, {box, filter, motion}});
    } else {
      const std::size_t at = random.below(known.size());
      if (what < 7) {
        ASSERT_TRUE(store.move(known[at].first, box).ok());
        known[at].second.box = box;
      } else {
        ASSERT_TRUE(store.remove(known[at].first).ok());
        EXPECT_FALSE(store.contains(known[at].first));
        known.erase(known.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    if (known.size() > 50) {
      ASSERT_TRUE(store.remove(known.back().first).ok());
      known.pop_back();
    }
    ASSERT_EQ(store.size(), known.size());
    std::size_t fixed = 0;
    for (const auto& [id, k] : known) {
      const std::uint32_t row = store.row_of(id);
      ASSERT_EQ(store.ids()[row], id);
      ASSERT_EQ(store.box(row), k.box);
      ASSERT_EQ(store.filters()[row], k.filter);
      ASSERT_EQ(store.motions()[row], k.motion);
      fixed += k.motion == Motion::fixed;
    }
    ASSERT_EQ(store.fixed_count(), fixed);
    ASSERT_LE(store.id_limit(), 52u);
  }
}

TEST(BoxStore, FilterRules) {
  EXPECT_TRUE(may_pair(Filter{}, Filter{}));
  EXPECT_FALSE(may_pair({1, 2, 0}, {1, ~0u, 0}));
  EXPECT_FALSE(may_pair({1, ~0u, 0}, {2, 2, 0}));
  EXPECT_TRUE(may_pair({1, 2, 0}, {2, 1, 0}));
  EXPECT_FALSE(may_pair({1, ~0u, 4}, {1, ~0u, 4}));
  EXPECT_TRUE(may_pair({1, ~0u, 4}, {1, ~0u, 5}));
}

TEST_SIMD(BoxRows, FastIsTheSameAsPlain) {
  Random random(campaign_seed(9));
  const auto compare = [&]<int D>(std::integral_constant<int, D>) {
    for (const std::size_t count : {0u, 1u, 3u, 4u, 7u, 8u, 9u, 16u, 17u, 100u}) {
      std::vector<float> rows(count * 2 * D);
      for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = static_cast<float>(random.uniform(0, 1)) + (i % (2 * D) >= D ? 1.0f : 0.0f);
      std::vector<std::vector<float>> fast(2 * D, std::vector<float>(count)), plain = fast;
      WritableColumns<D> to_fast, to_plain;
      for (std::size_t k = 0; k < 2 * D; ++k) {
        to_fast[k] = fast[k].data();
        to_plain[k] = plain[k].data();
      }
      deal_rows<D>(rows.data(), count, to_fast);
      deal_rows_plain<D>(rows.data(), count, to_plain);
      EXPECT_EQ(fast, plain);
      EXPECT_TRUE(rows_are_boxes<D>(rows.data(), count));
      EXPECT_TRUE(rows_are_boxes_plain<D>(rows.data(), count));
      // Any one bad number is seen
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (const double bad : {kNaN, kInf, -kInf, i % (2 * D) < D ? 5.0 : -5.0}) {
          const float good = rows[i];
          rows[i] = static_cast<float>(bad);
          ASSERT_FALSE(rows_are_boxes<D>(rows.data(), count)) << i;
          ASSERT_FALSE(rows_are_boxes_plain<D>(rows.data(), count)) << i;
          rows[i] = good;
        }
    }
  };
  compare(std::integral_constant<int, 2>{});
  compare(std::integral_constant<int, 3>{});
}

TEST(BoxStore, AssignOnThreadsNamesTheFirstBadBox) {
  const auto executor = make_executor(2);
  constexpr std::size_t kCount = 50000;
  std::vector<float> rows(kCount * 6);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i % 6 >= 3 ? 2 : 1);
  BoxStore<3> store;
  ASSERT_TRUE(store.assign(std::span<const float>(rows), *executor).ok());
  const std::uint64_t revision = store.revision();
  std::vector<float> bad = rows;
  bad[49999 * 6] = bad[20001 * 6 + 4] = static_cast<float>(kNaN);
  bad[20000 * 6] = 3;
  const auto refused = store.assign(std::span<const float>(bad), *executor);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(refused.error().element, 20000u);
  EXPECT_EQ(store.revision(), revision);
  EXPECT_EQ(store.box(20000).lo[0], 1.0f);
}

TEST(BoxStore, KnowsWhetherIdsAreRows) {
  BoxStore<2> store;
  EXPECT_TRUE(store.ids_are_rows());
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(store.insert(cube<2>(0, 1)).ok());
  EXPECT_TRUE(store.ids_are_rows());
  ASSERT_TRUE(store.remove(3).ok());
  ASSERT_TRUE(store.insert(cube<2>(0, 1)).ok());
  EXPECT_TRUE(store.ids_are_rows());
  ASSERT_TRUE(store.remove(1).ok());
  EXPECT_FALSE(store.ids_are_rows());
  ASSERT_TRUE(store.insert(cube<2>(0, 1)).ok());
  EXPECT_FALSE(store.ids_are_rows());
  store.clear();
  EXPECT_TRUE(store.ids_are_rows());
}
