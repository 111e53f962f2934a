#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/found_pairs.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/broadphase/column_kernels.hpp>
#include <sudar/broadphase/columns.hpp>
#include <sudar/broadphase/sort_sweep.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

using namespace sudar;
using sudar_test::built_pairs;
using sudar_test::campaign_seed;
using sudar_test::updated_pairs;

namespace {

template <int D, class F>
void expect_as_swept(Columns<D>& columns, std::size_t count, F&& make) {
  BoxStore<D> store;
  for (std::size_t i = 0; i < count; ++i) ASSERT_TRUE(store.insert(make(i)).ok());
  sudar_test::expect_as_swept<D>(columns, store);
}

}  // namespace

TEST_SIMD(ColumnKernels, PlaceIsTheSameAsItsPlainTwin) {
  Random random(campaign_seed(1));
  for (const bool two : {false, true})
    for (const std::size_t count : {1u, 7u, 8u, 9u, 300u, 512u})
      for (const float scale : {0.0f, 1.0f, 37.5f, 3000.0f, 1e30f}) {
        std::vector<float> ends[6];
        for (auto& e : ends) e.resize(count);
        for (std::size_t i = 0; i < count; ++i)
          for (int axis = 0; axis < 3; ++axis) {
            ends[2 * axis][i] = static_cast<float>(random.uniform(-2, 200));
            ends[2 * axis + 1][i] = ends[2 * axis][i] + static_cast<float>(random.uniform(0, i % 5 == 0 ? 100 : 2));
          }
        ends[0][0] = ends[2][0] = -3.4028235e38f;
        ends[1][0] = ends[3][0] = 3.4028235e38f;
        std::vector<std::uint32_t> ids(count);
        for (std::uint32_t& id : ids) id = static_cast<std::uint32_t>(random.next());
        PlacedBoxes boxes{{ends[0].data(), ends[1].data()},
                          {{ends[2].data(), ends[3].data()}, {ends[4].data(), ends[5].data()}},
                          ids.data(),
                          count};
        if (!two) boxes.across[1][0] = boxes.across[1][1] = nullptr;
        const FixedPoint across{-0.25f, scale, 64.0f * 32768 - 1};
        const PlaceMaps maps{{-0.25f, scale, kAlongTop}, {across, across}, two ? 64u : 1u, 20, 64 * 64};
        struct Placed {
          std::vector<ColumnEntry> entries;
          std::vector<std::uint32_t> column, across[4], many;
          std::size_t many_count;
        } placed[2];
        for (Placed& p : placed) {
          p.entries.resize(count);
          p.column.resize(count);
          for (auto& a : p.across) a.resize(count);
          p.many.resize(count + 16);
          const PlacedEntries out{p.entries.data(),
                                  p.column.data(),
                                  {{p.across[0].data(), p.across[1].data()}, {p.across[2].data(), p.across[3].data()}},
                                  p.many.data()};
          p.many_count = &p == placed ? place_boxes(boxes, maps, out) : place_boxes_plain(boxes, maps, out);
          p.many.resize(p.many_count);
        }
        ASSERT_EQ(placed[0].many, placed[1].many);
        ASSERT_EQ(placed[0].column, placed[1].column);
        for (int k = 0; k < 4; ++k) ASSERT_EQ(placed[0].across[k], placed[1].across[k]);
        for (std::size_t i = 0; i < count; ++i) {
          const ColumnEntry &a = placed[0].entries[i], &b = placed[1].entries[i];
          ASSERT_TRUE(a.id == b.id && a.along == b.along && a.begins == b.begins && a.ends == b.ends) << i;
        }
      }
}

TEST_SIMD(ColumnKernels, SweepIsTheSameAsItsPlainTwin) {
  Random random(campaign_seed(2));
  for (const std::size_t count : {1u, 2u, 7u, 8u, 9u, 17u, 100u, 1000u}) {
    // Few different places, so that ties and entries that began before abound
    const auto place = [&](std::uint32_t least) { return least + static_cast<std::uint32_t>(random.below(40)); };
    std::vector<std::uint64_t> across(count + kSweepPad);
    std::vector<std::uint32_t> along(count + kSweepPad), ids(count + kSweepPad);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t lo[3] = {place(1), place(0), place(0)};
      across[i] = ColumnEntry{0, 0, pack16(lo[1], lo[2]),
                              pack16(complement16(lo[1] + place(1)), complement16(lo[2] + place(1)))}
                      .across();
      along[i] = pack16(lo[0], complement16(lo[0] + place(0)));
      ids[i] = static_cast<std::uint32_t>(random.next());
    }
    const SweepArrays arrays{across.data(), along.data(), ids.data()};
    std::vector<std::uint32_t> from(count), to(count);
    for (std::size_t i = 0; i < count; ++i) {
      from[i] = static_cast<std::uint32_t>(random.below(count + 1));
      to[i] = from[i] + static_cast<std::uint32_t>(random.below(count + 1 - from[i]));
    }
    for (const bool doubt : {false, true})
      for (const bool self : {false, true}) {
        if (self)
          for (std::size_t i = 0; i < count; ++i)
            to[i] = std::max<std::uint32_t>(to[i], static_cast<std::uint32_t>(i + 1));
        for (const std::size_t capacity : {count, 3 * count, count * count}) {
          std::vector<std::uint32_t> ties[4];
          for (auto& tie : ties) tie.resize(capacity + kSweepPad);
          std::vector<IdPair> pairs[2];
          for (auto& p : pairs) p.resize(capacity + kSweepPad);
          SweepRun run{arrays,  arrays,  self ? nullptr : from.data(), to.data(), 0, count, doubt, nullptr, nullptr,
                       nullptr, capacity};
          while (run.begin < run.end) {
            run.pairs = pairs[0].data();
            run.tie_query = ties[0].data();
            run.tie_target = ties[1].data();
            const SweepProgress fast = sweep_run(run);
            run.pairs = pairs[1].data();
            run.tie_query = ties[2].data();
            run.tie_target = ties[3].data();
            const SweepProgress plain = sweep_run_plain(run);
            ASSERT_EQ(fast.next, plain.next);
            ASSERT_EQ(fast.pairs, plain.pairs);
            ASSERT_EQ(fast.ties, plain.ties);
            ASSERT_GT(fast.next, run.begin);
            for (std::size_t k = 0; k < fast.pairs; ++k) ASSERT_EQ(pairs[0][k], pairs[1][k]);
            for (std::size_t k = 0; k < fast.ties; ++k) {
              ASSERT_EQ(ties[0][k], ties[2][k]);
              ASSERT_EQ(ties[1][k], ties[3][k]);
            }
            run.begin = fast.next;
          }
        }
      }
  }
}

TEST(Columns, UniformAndMixedSizes) {
  Columns<2> columns2;
  Columns<3> columns3;
  Random random(campaign_seed(3));
  expect_as_swept<2>(columns2, 20000, [&](std::size_t) { return sudar_test::random_box<2>(random, 150, 1.5); });
  expect_as_swept<3>(columns3, 20000, [&](std::size_t) { return sudar_test::random_box<3>(random, 27, 1.5); });
  expect_as_swept<2>(columns2, 20000,
                     [&](std::size_t i) { return sudar_test::random_box<2>(random, 150, i % 100 == 0 ? 30 : 1); });
  expect_as_swept<3>(columns3, 20000,
                     [&](std::size_t i) { return sudar_test::random_box<3>(random, 27, i % 100 == 0 ? 20 : 1); });
  EXPECT_EQ(columns3.giant_count(), 0u);
}

TEST(Columns, ManyGiantsHaveColumnsOfTheirOwn) {
  Columns<2> columns2;
  Columns<3> columns3;
  Random random(campaign_seed(4));
  expect_as_swept<3>(columns3, 12000,
                     [&](std::size_t i) { return sudar_test::random_box<3>(random, 60, i % 200 == 0 ? 90 : 0.6); });
  EXPECT_GT(columns3.giant_count(), 8u);
  expect_as_swept<2>(columns2, 12000,
                     [&](std::size_t i) { return sudar_test::random_box<2>(random, 4000, i % 200 == 0 ? 5000 : 1); });
  EXPECT_GT(columns2.giant_count(), 8u);
}

TEST(Columns, CrowdsArePlannedAgain) {
  Columns<2> columns2;
  Columns<3> columns3;
  Random random(campaign_seed(5));
  // Most in a corner of a huge world; with only a few outside of it, the plan sees to it at once
  for (const std::size_t outside : {20u, 500u}) {
    expect_as_swept<3>(columns3, 10000, [&](std::size_t i) {
      return sudar_test::random_box<3>(random, i % outside == 0 ? 1e5 : 12, i % outside == 0 ? 10 : 1);
    });
    EXPECT_EQ(columns3.replanned() > 0, outside == 20u);
    expect_as_swept<2>(columns2, 10000, [&](std::size_t i) {
      return sudar_test::random_box<2>(random, i % outside == 0 ? 1e6 : 50, i % outside == 0 ? 10 : 1);
    });
    EXPECT_EQ(columns2.replanned() > 0, outside == 20u);
  }
  // A crowd in a crowd, with giants inside
  expect_as_swept<3>(columns3, 9000, [&](std::size_t i) {
    const double world = i % 3 == 0 ? 1e-2 : i % 3 == 1 ? 10 : 1e4;
    return sudar_test::random_box<3>(random, world, world * (i % 40 == 0 ? 0.5 : 0.02));
  });
}

TEST(Columns, FixedBoxesMeetOnlyMovingOnes) {
  Columns<3> columns;
  SortSweep<3> sweep;
  Random random(campaign_seed(6));
  BoxStore<3> store;
  for (int i = 0; i < 15000; ++i)
    ASSERT_TRUE(store
                    .insert(sudar_test::random_box<3>(random, 20, i % 300 == 0 ? 30 : 1), {},
                            i % 10 == 0 ? Motion::moving : Motion::fixed)
                    .ok());
  EXPECT_EQ(built_pairs<3>(columns, store), built_pairs<3>(sweep, store));
  // Removing leaves ids that are not rows
  for (std::uint32_t id = 0; id < 15000; id += 7) ASSERT_TRUE(store.remove(id).ok());
  EXPECT_EQ(built_pairs<3>(columns, store), built_pairs<3>(sweep, store));
}

// The columns of fixed boxes are kept while rows change their numbers, and dropped when a fixed box changes
TEST(Columns, KeptFixedBoxesFollowTheStore) {
  Columns<3> columns;
  SortSweep<3> sweep;
  Random random(campaign_seed(7));
  BoxStore<3> store;
  const auto random_box = [&](bool giant) { return sudar_test::random_box<3>(random, 20, giant ? 30 : 1); };
  for (int i = 0; i < 6000; ++i)
    ASSERT_TRUE(store.insert(random_box(i % 400 == 0), {}, i % 3 == 0 ? Motion::moving : Motion::fixed).ok());
  for (int step = 0; step < 24; ++step) {
    ASSERT_TRUE(columns.update(store).ok());
    ASSERT_TRUE(sweep.update(store).ok());
    const auto found = columns.pairs(store), expected = sweep.pairs(store);
    ASSERT_TRUE(std::ranges::equal(*found, *expected)) << step;
    // Moving boxes move and go, so that fixed rows fill their holes; every eighth step a fixed one changes
    for (std::uint32_t id = 0; id < 6000; ++id) {
      if (!store.contains(id) || store.is_fixed(store.row_of(id))) continue;
      const auto done = random.below(20) == 0 ? store.remove(id) : store.move(id, random_box(id % 400 == 0));
      ASSERT_TRUE(done.ok());
    }
    const auto fixed = static_cast<std::uint32_t>(1 + 3 * step);
    if (step % 8 == 5) {
      ASSERT_TRUE(store.move(fixed, random_box(false)).ok());
    }
    if (step % 8 == 7) {
      ASSERT_TRUE(store.remove(fixed).ok());
    }
  }
}

TEST(Columns, LinesPlanesAndSheetsOnThreads) {
  const auto two = make_executor(2);
  Random random(campaign_seed(8));
  for (const int kind : {0, 1, 2, 3}) {
    Columns<3> alone, together;
    together.set_executor(*two);
    SortSweep<3> sweep;
    BoxStore<3> store;
    for (int i = 0; i < 6000; ++i) {
      auto box = sudar_test::random_box<3>(random, 40, kind == 0 ? 1 : 2);
      // In a line; in a plane; thin sheets across the others; touching cubes
      for (int axis = 0; axis < 3; ++axis) {
        if ((kind == 0 && axis != 1) || (kind == 1 && axis == 0)) box.lo[axis] = 5, box.hi[axis] = 6;
        if (kind == 2 && axis > 0 && i % 3 == 0) box.lo[axis] = 0, box.hi[axis] = 40;
        if (kind == 3) box.lo[axis] = std::floor(box.lo[axis] / 2), box.hi[axis] = box.lo[axis] + 1;
      }
      ASSERT_TRUE(store.insert(box).ok());
    }
    const auto expected = built_pairs<3>(sweep, store);
    EXPECT_EQ(built_pairs<3>(alone, store), expected) << kind;
    EXPECT_EQ(built_pairs<3>(together, store), expected) << kind;
    EXPECT_EQ(alone.counters().box_tests, together.counters().box_tests) << kind;
  }
}

namespace {

// Runs its tasks on threads of its own, however many cores there are
class ManyThreads final : public Executor {
 public:
  explicit ManyThreads(unsigned threads) : threads_(threads) {}
  unsigned concurrency() const noexcept override { return threads_; }
  void run(std::size_t count, Task task, void* context) override {
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::min<std::size_t>(threads_, count); ++i)
      threads.emplace_back([&] {
        for (std::size_t k = next++; k < count; k = next++) task(context, k);
      });
    for (std::thread& thread : threads) thread.join();
  }

 private:
  unsigned threads_;
};

struct Tests {
  double first, kept;  // box tests of the first search, and of one with kept columns of fixed boxes
  double pairs;
};

// make(i, n) for the boxes [0, n), of which is_fixed(i) says whether they stay
template <int D, class Make, class Fixed>
Tests count_tests(std::size_t n, Make&& make, Fixed&& is_fixed) {
  Columns<D> columns;
  BoxStore<D> store;
  std::uint32_t mover = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Motion motion = is_fixed(i) ? Motion::fixed : Motion::moving;
    const auto id = store.insert(make(i, n), {}, motion);
    EXPECT_TRUE(id.ok());
    if (motion == Motion::moving) mover = *id;
  }
  Tests tests{};
  for (int step = 0; step < 3; ++step) {
    const auto found = updated_pairs<D>(columns, store);
    if (n <= 20000) {
      SortSweep<D> sweep;
      EXPECT_EQ(found, built_pairs<D>(sweep, store));
    }
    tests.pairs = static_cast<double>(found.size());
    (step == 0 ? tests.first : tests.kept) = static_cast<double>(columns.counters().box_tests);
    EXPECT_TRUE(store.move(mover, store.box(store.row_of(mover))).ok());
  }
  return tests;
}

// Four times the boxes must not take sixteen times the tests. A few hundred tests a box, as many as make the copies of
// it crowded, are always allowed: all against all would be many times that.
template <int D, class Make, class Fixed>
void expect_no_square(const char* name, std::size_t count, Make&& make, Fixed&& is_fixed) {
  const std::size_t n = sudar_test::soak(count);
  const Tests few = count_tests<D>(n, make, is_fixed), many = count_tests<D>(4 * n, make, is_fixed);
  const auto report = ::testing::Message()
                      << name << " " << D << "D: tests " << few.first << " " << few.kept << " of " << few.pairs
                      << " pairs, then " << many.first << " " << many.kept << " of " << many.pairs;
  EXPECT_LT(many.pairs, 8 * few.pairs) << report;
  const double allowed = 300.0 * static_cast<double>(4 * n);
  EXPECT_LT(many.first, std::max(allowed, 8 * few.first)) << report;
  EXPECT_LT(many.kept, std::max(allowed, 8 * few.kept)) << report;
  EXPECT_LT(many.kept, 2 * allowed) << report;
}

}  // namespace

TEST(Columns, CrowdsOfFixedBoxesArePlannedAgain) {
  // Most in one corner of a huge world, where all of the movers are
  const auto crowd = [](auto box_at) {
    return [box_at, random = Random(9)](std::size_t i, std::size_t n) mutable { return box_at(random, i, n); };
  };
  const auto is_fixed = [](std::size_t i) { return i % 2 == 0; };
  expect_no_square<3>("crowd", 10000, crowd([](Random& random, std::size_t i, std::size_t n) {
                        const double width = std::cbrt(static_cast<double>(n));
                        return i % 20 == 0 ? sudar_test::random_box<3>(random, 1e6 * width, 10)
                                           : sudar_test::random_box<3>(random, width, 1);
                      }),
                      is_fixed);
  expect_no_square<2>("crowd", 10000, crowd([](Random& random, std::size_t i, std::size_t n) {
                        const double width = std::sqrt(static_cast<double>(n));
                        return i % 20 == 0 ? sudar_test::random_box<2>(random, 1e6 * width, 10)
                                           : sudar_test::random_box<2>(random, width, 1);
                      }),
                      is_fixed);
  // Sheets upon each other: apart on one axis only
  for (const int axis : {0, 1, 2})
    expect_no_square<3>("sheets", 10000, crowd([axis](Random& random, std::size_t i, std::size_t n) {
                          if (i % 20 == 0) return sudar_test::random_box<3>(random, 1e6, 10);
                          auto box = sudar_test::random_box<3>(random, 1, 1);
                          box.lo[axis] = static_cast<float>(random.uniform(0, 10));
                          box.hi[axis] = box.lo[axis] + static_cast<float>(10.0 / static_cast<double>(n));
                          return box;
                        }),
                        is_fixed);
}

TEST(Columns, GiantsOverManyFixedBoxesAreNotAllAgainstAll) {
  // Plates through all of the world
  for (const int thin : {0, 1, 2}) {
    Random random(10);
    expect_no_square<3>(
        "plates", 20000,
        [&](std::size_t i, std::size_t n) {
          auto box = sudar_test::random_box<3>(random, 1, 10.0 / static_cast<double>(n));
          if (i % 10 != 0) return box;
          for (int axis = 0; axis < 3; ++axis)
            if (axis != thin) box.lo[axis] = -1, box.hi[axis] = 1;
          return box;
        },
        [](std::size_t i) { return i % 10 != 0; });
  }
  // One plate: the columns that are kept know where it is
  constexpr std::size_t kCount = 40000;
  for (const int thin : {0, 1, 2}) {
    Random random(11);
    const auto make = [&](std::size_t i, std::size_t) {
      if (i > 0) return sudar_test::random_box<3>(random, 40, 1);
      Aabb<3, float> plate{{-40, -40, -40}, {40, 40, 40}};
      plate.lo[thin] = 0;
      plate.hi[thin] = 0.01f;
      return plate;
    };
    const Tests one = count_tests<3>(kCount, make, [](std::size_t i) { return i != 0; });
    EXPECT_LT(one.kept, 0.5 * kCount) << thin << ": " << one.pairs;
  }
}

// Sticks of three directions overlap nearly all others on every axis taken alone
TEST(Columns, SticksOfManyDirectionsAreNotAllAgainstAll) {
  for (const bool fixed : {false, true}) {
    Random random(12);
    expect_no_square<3>(
        "sticks", 6000,
        [&](std::size_t i, std::size_t n) {
          auto box = sudar_test::random_box<3>(random, 1, 1.0 / static_cast<double>(n));
          box.lo[static_cast<int>(i) % 3] = -1;
          box.hi[static_cast<int>(i) % 3] = 1;
          return box;
        },
        [&](std::size_t i) { return fixed && i / 3 % 2 == 0; });
  }
}

// Sixteen threads take little more than one, and what one large column took is not kept by all
TEST(Columns, BytesDoNotGrowWithTheThreads) {
  constexpr std::size_t kCount = 60000;
  Random random(13);
  for (const bool crowd : {false, true}) {
    BoxStore<3> store;
    for (std::size_t i = 0; i < kCount; ++i)
      ASSERT_TRUE(store.insert(sudar_test::random_box<3>(random, crowd && i % 20 == 0 ? 1e6 : 40, 1)).ok());
    double bytes[2] = {};
    for (const unsigned threads : {1u, 16u}) {
      ManyThreads executor(threads);
      Columns<3> columns;
      columns.set_executor(executor);
      for (int step = 0; step < 12; ++step) {
        ASSERT_TRUE(store.move(0, store.box(0)).ok());
        ASSERT_TRUE(columns.update(store).ok());
        ASSERT_TRUE(columns.pairs(store, PairOrder::any).ok());
      }
      bytes[threads == 1 ? 0 : 1] = static_cast<double>(columns.counters().bytes) / kCount;
    }
    EXPECT_LT(bytes[1], 2 * bytes[0] + 64) << crowd << ": " << bytes[0] << " and " << bytes[1] << " bytes a box";
  }
}
