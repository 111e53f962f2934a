// What:    The hard cases of boxes (AB-01 … AB-16 of data/hard_cases.json) through the doors of the store and every broad phase.
//          AB-17 needs frames that are not part of this repository.
// Oracle:  the file's own counts, the plain loop over the doubles, and the plain loop over the store.
// Differs: A store keeps floats, rounded outward. So the pairs of boxes of doubles are never fewer than the true ones, and
//          exactly these where the caller's word on a pair looks at the doubles (PairCallback), as `sudar pairs` does.
#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/found_pairs.hpp"
#include "tests/support/hard_case.hpp"
#include "tests/support/soak.hpp"
#include <sudar/broadphase/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace sudar;
using sudar_test::built_pairs;
using sudar_test::HardCases;
using sudar_test::Pairs;
using sudar_test::plain_pairs;
using sudar_test::to_vector;
using sudar_test::updated_pairs;

using DoubleBox = Aabb<3, double>;
using DoubleBoxes = std::vector<DoubleBox>;

DoubleBox box_from(const std::vector<double>& x, std::size_t at) {
  return {{x[at], x[at + 1], x[at + 2]}, {x[at + 3], x[at + 4], x[at + 5]}};
}
DoubleBox cube_around(const Vec3d& middle, double half) {
  return {middle - Vec3d{half, half, half}, middle + Vec3d{half, half, half}};
}

Pairs true_pairs(const DoubleBoxes& boxes) {
  Pairs out;
  for (std::uint32_t a = 0; a < boxes.size(); ++a)
    for (std::uint32_t b = a + 1; b < boxes.size(); ++b)
      if (overlap(boxes[a], boxes[b])) out.push_back({a, b});
  return out;
}

PairCallback word_of(DoubleBoxes& boxes) {
  return {[](void* context, std::uint32_t a, std::uint32_t b) {
            const DoubleBoxes& all = *static_cast<const DoubleBoxes*>(context);
            return overlap(all[a], all[b]);
          },
          &boxes};
}

bool are_floats(const DoubleBoxes& boxes) {
  return std::all_of(boxes.begin(), boxes.end(), [](const DoubleBox& box) {
    for (int k = 0; k < 3; ++k)
      if (double(float(box.lo[k])) != box.lo[k] || double(float(box.hi[k])) != box.hi[k]) return false;
    return true;
  });
}

std::vector<std::unique_ptr<Broadphase<3>>> all_broadphases() {
  std::vector<std::unique_ptr<Broadphase<3>>> out;
  for (const BroadphaseEntry& entry : broadphases()) out.push_back(entry.make3());
  return out;
}

// The boxes by each door: inserted, inserted elsewhere and moved or teleported, assigned
std::vector<BoxStore<3>> stores_of(const DoubleBoxes& boxes) {
  std::vector<BoxStore<3>> stores(4);
  std::vector<double> rows;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    const DoubleBox elsewhere = cube_around({3.0 * i, -700, 5}, 2);
    EXPECT_TRUE(stores[0].insert(boxes[i]).ok());
    EXPECT_TRUE(stores[1].insert(elsewhere).ok() && stores[1].move(i, boxes[i]).ok());
    EXPECT_TRUE(stores[2].insert(elsewhere).ok() && stores[2].teleport(i, boxes[i]).ok());
    for (int k = 0; k < 3; ++k) rows.push_back(boxes[i].lo[k]);
    for (int k = 0; k < 3; ++k) rows.push_back(boxes[i].hi[k]);
  }
  EXPECT_TRUE(stores[3].assign(std::span<const double>(rows)).ok());
  for (const BoxStore<3>& store : stores)
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
      EXPECT_EQ(store.box(i), stores[0].box(i));
      for (int k = 0; k < 3; ++k)
        EXPECT_TRUE(store.box(i).lo[k] <= boxes[i].lo[k] && store.box(i).hi[k] >= boxes[i].hi[k]);
    }
  return stores;
}

// What every broad phase says of the boxes, by every door
void expect_pairs_of(DoubleBoxes boxes, std::size_t expected, const std::string& id) {
  SCOPED_TRACE(id);
  const Pairs wanted = true_pairs(boxes);
  ASSERT_EQ(wanted.size(), expected);
  std::vector<BoxStore<3>> stores = stores_of(boxes);
  const Pairs candidates = plain_pairs(stores[0]);
  EXPECT_TRUE(std::includes(candidates.begin(), candidates.end(), wanted.begin(), wanted.end()));
  if (are_floats(boxes)) {
    EXPECT_EQ(candidates, wanted);
  }
  for (const auto& algorithm : all_broadphases())
    for (BoxStore<3>& store : stores) {
      store.set_pair_callback({});
      EXPECT_EQ(built_pairs<3>(*algorithm, store), candidates) << algorithm->name();
      store.set_pair_callback(word_of(boxes));
      EXPECT_EQ(updated_pairs<3>(*algorithm, store), wanted) << algorithm->name();
    }
}

}  // namespace

TEST(HardBoxes, TwoBoxes) {
  HardCases cases;
  for (const char* id : {"AB-01", "AB-02", "AB-03", "AB-04", "AB-05"}) {
    cases.put(id);
    const std::vector<double> x = cases.numbers(id, "boxes");
    ASSERT_EQ(x.size(), 12u) << id;
    const DoubleBoxes boxes = {box_from(x, 0), box_from(x, 6)};
    // The file says false of one of them: a unit in the last place apart
    const bool meet = std::string(id) != "AB-03";
    EXPECT_EQ(overlap(boxes[0], boxes[1]), meet) << id;
    EXPECT_EQ(overlap(boxes[1], boxes[0]), meet) << id;
    expect_pairs_of(boxes, meet ? 1 : 0, id);
    expect_pairs_of({boxes[1], boxes[0]}, meet ? 1 : 0, id);
  }
  // A unit of float apart is apart for the broad phase as well
  const float above = std::nextafter(1.0f, 2.0f);
  expect_pairs_of({{{0, 0, 0}, {1, 1, 1}}, {{above, 0, 0}, {2, 1, 1}}}, 0, "AB-03 in float");
}

TEST(HardBoxes, ManyBoxes) {
  HardCases cases;
  const auto expected = [&](const char* id) { return static_cast<std::size_t>(cases.number(id, "pairs")); };
  DoubleBoxes row, grid, shrunk, shrunk_float;
  for (int i = 0; i < 1000; ++i) row.push_back({{double(i), 0, 0}, {i + 1.0, 1, 1}});
  for (int i = 0; i < 1000; ++i) {
    const Vec3d at{double(i % 10), double(i / 10 % 10), double(i / 100)}, one{1, 1, 1};
    const auto smaller = [&](double by) { return DoubleBox{at + one * by, at + one - one * by}; };
    grid.push_back(smaller(0));
    shrunk.push_back(smaller(1e-9));
    shrunk_float.push_back(smaller(0x1p-20));  // which floats of up to 10 hold
  }
  cases.put("AB-08");
  expect_pairs_of(row, expected("AB-08"), "AB-08");
  cases.put("AB-09");
  expect_pairs_of(grid, expected("AB-09"), "AB-09");
  cases.put("AB-10");
  expect_pairs_of(shrunk, expected("AB-10"), "AB-10");
  ASSERT_TRUE(are_floats(shrunk_float));
  expect_pairs_of(shrunk_float, expected("AB-10"), "AB-10 in float");
}

// All of the 10 000 with one broad phase, fewer with each; SUDAR_SOAK=10 takes all with each
TEST(HardBoxes, TenThousandEqualBoxes) {
  HardCases cases;
  cases.put("AB-07");
  const std::size_t full = 10000;
  EXPECT_EQ(full * (full - 1) / 2, static_cast<std::size_t>(cases.number("AB-07", "pairs")));
  const auto expect_all = [](Broadphase<3>& algorithm, std::size_t count) {
    BoxStore<3> store;
    const std::vector<double> one = {0, 0, 0, 1, 1, 1};
    std::vector<double> rows;
    for (std::size_t i = 0; i < count; ++i) rows.insert(rows.end(), one.begin(), one.end());
    ASSERT_TRUE(store.assign(std::span<const double>(rows)).ok());
    ASSERT_TRUE(algorithm.build(store).ok());
    const auto pairs = algorithm.pairs(store);
    ASSERT_TRUE(pairs.ok()) << algorithm.name();
    ASSERT_EQ(pairs->size(), count * (count - 1) / 2) << algorithm.name();
    std::size_t at = 0, wrong = 0;
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a + 1; b < count; ++b) wrong += (*pairs)[at++] != IdPair{a, b};
    EXPECT_EQ(wrong, 0u) << algorithm.name();
  };
  expect_all(**make_broadphase<3>("sort_sweep"), std::min(sudar_test::soak(full), full));
  for (const auto& algorithm : all_broadphases()) expect_all(*algorithm, std::min(sudar_test::soak(full / 10), full));
}

TEST(HardBoxes, Doors) {
  HardCases cases;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const DoubleBox with_nan{{nan, 0, 0}, {1, 1, 1}}, inside_out{{1, 1, 1}, {-1, -1, -1}};
  const DoubleBoxes good = {cube_around({0, 0, 0}, 1), cube_around({1.5, 0, 0}, 1), cube_around({9, 0, 0}, 1)};
  struct Refused {
    const char* id;
    const DoubleBox& box;
    ErrorCode code;
  };
  for (const auto& [id, bad, code] :
       {Refused{"AB-12", with_nan, ErrorCode::non_finite}, Refused{"AB-14", inside_out, ErrorCode::invalid_argument}}) {
    SCOPED_TRACE(id);
    cases.put(id);
    for (const auto& algorithm : all_broadphases()) {
      BoxStore<3> store = std::move(stores_of(good)[0]);
      const Pairs before = built_pairs<3>(*algorithm, store);
      EXPECT_EQ(before, (Pairs{{0, 1}}));
      const std::uint64_t revision = store.revision();
      EXPECT_EQ(store.move(2, bad).error(), (Error{code, 2}));
      EXPECT_EQ(store.teleport(0, bad).error(), (Error{code, 0}));
      EXPECT_EQ(store.insert(bad).error(), (Error{code, 3}));
      std::vector<double> rows = {0, 0, 0, 1, 1, 1};
      for (int k = 0; k < 3; ++k) rows.push_back(bad.lo[k]);
      for (int k = 0; k < 3; ++k) rows.push_back(bad.hi[k]);
      EXPECT_EQ(store.assign(std::span<const double>(rows)).error(), (Error{code, 1}));
      EXPECT_EQ(store.revision(), revision);
      // The others, and what comes after
      EXPECT_EQ(updated_pairs<3>(*algorithm, store), before) << algorithm->name();
      ASSERT_TRUE(store.move(2, cube_around({3, 0, 0}, 1)).ok());
      EXPECT_EQ(updated_pairs<3>(*algorithm, store), (Pairs{{0, 1}, {1, 2}})) << algorithm->name();
    }
  }

  // Floats are a metre apart there: the box grows, and what touches its end is found
  cases.put("AB-15");
  const double low = 1e7 - 0.6, high = 1e7 + 0.6;
  const DoubleBox far{{low, low, low}, {high, high, high}};
  for (const BoxStore<3>& store : stores_of({far})) {
    EXPECT_EQ(store.box(0).lo, (Vec<3, float>{9999999.0f, 9999999.0f, 9999999.0f}));
    EXPECT_EQ(store.box(0).hi, (Vec<3, float>{10000001.0f, 10000001.0f, 10000001.0f}));
  }
  expect_pairs_of({far, {{high, high, high}, {high, high, high}}, {{low, low, low}, {low, low, low}}}, 2, "AB-15");
}

// Bodies that fall from 1 to 1e300 metres, one a step behind the other, past some that stay, and past the range of float
TEST(HardBoxes, FreeFallToTheEndOfDouble) {
  HardCases cases;
  cases.put("AB-16");
  DoubleBoxes boxes = {cube_around({0, 0, 0}, 0.5), cube_around({0, 0, 0}, 0.5),     cube_around({0, -1, 0}, 0.5),
                       cube_around({0, -99, 0}, 2), cube_around({0, -1e15, 0}, 1e3), cube_around({0, -1e37, 0}, 1e35)};
  BoxStore<3> store;
  for (const DoubleBox& box : boxes) ASSERT_TRUE(store.insert(box).ok());
  const auto algorithms = all_broadphases();
  std::size_t found = 0, met = 0;
  for (int k = 0; k <= 300; ++k) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      const double y = -std::strtod(("1e" + std::to_string(std::max(0, k - static_cast<int>(i)))).c_str(), nullptr);
      boxes[i] = cube_around({0, y, 0}, 0.5);
      ASSERT_TRUE(store.move(i, boxes[i]).ok()) << k;
    }
    const Pairs wanted = true_pairs(boxes);
    store.set_pair_callback({});
    const Pairs candidates = plain_pairs(store);
    ASSERT_TRUE(std::includes(candidates.begin(), candidates.end(), wanted.begin(), wanted.end())) << k;
    for (const auto& algorithm : algorithms)
      ASSERT_EQ(updated_pairs<3>(*algorithm, store), candidates) << algorithm->name() << " at 1e" << k;
    store.set_pair_callback(word_of(boxes));
    for (const auto& algorithm : algorithms)
      ASSERT_EQ(updated_pairs<3>(*algorithm, store), wanted) << algorithm->name() << " at 1e" << k;
    found += candidates.size();
    met += wanted.size();
  }
  // At first the two meet each other and the upper one of those that stay, the second of them for a step longer; each of the
  // others is met once by each. Beyond the range of float both lie in one place.
  EXPECT_EQ(met, 3u + 1u + 3u * 2u);
  EXPECT_GT(found, 250u);
}
