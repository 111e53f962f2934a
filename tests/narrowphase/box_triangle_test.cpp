#include "tests/geom/integer_hull.hpp"
#include "tests/support/counts.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/box_triangle.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::hulls_meet;
using sudar_test::Int3;
using Tri = Triangle<3, double>;

// Oracle: integers, Carathéodory, over the eight corners of the box; boxes without thickness and flat triangles, too
TEST(BoxTriangle, ExactOnALattice) {
  Random random(campaign_seed(41));
  constexpr double kScales[] = {1, 0x1p-900, 0x1p900};
  std::size_t hits = 0, misses = 0;
  const std::size_t count = sudar_test::soak(3000);
  for (std::size_t n = 0; n < count; ++n) {
    const auto one = [&] { return static_cast<std::int64_t>(random.below(7)) - 3; };
    Int3 lo, hi;
    for (int k = 0; k < 3; ++k) {
      lo[k] = one(), hi[k] = one();
      if (lo[k] > hi[k]) std::swap(lo[k], hi[k]);
    }
    std::vector<Int3> corners, t;
    for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z});
    for (int i = 0; i < 3; ++i) t.push_back({2 * one(), 2 * one(), 2 * one()});
    const bool expected = hulls_meet(corners, t);
    ++(expected ? hits : misses);
    const double s = kScales[random.below(3)];
    const Aabb3d box{vec_cast<double>(lo) * s, vec_cast<double>(hi) * s};
    const Tri triangle{vec_cast<double>(t[0]) * s, vec_cast<double>(t[1]) * s, vec_cast<double>(t[2]) * s};
    ASSERT_EQ(intersects_exact(box, triangle), expected) << n;
  }
  EXPECT_GT(hits, count / 10);
  EXPECT_GT(misses, count / 10);
  sudar_test::count_cases("exact_yes_no", hits + misses);
}

// Oracle: the exact version on random triangles, where nothing touches
TEST(BoxTriangle, PlainAxesAgreeOnRandomPairs) {
  Random random(campaign_seed(42));
  const Aabb3d box{{-1, -0.5, -0.25}, {1, 0.5, 0.25}};
  int hits = 0;
  for (int n = 0; n < 20000; ++n) {
    const auto point = [&] { return Vec3d{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)}; };
    const Tri t{point(), point(), point()};
    hits += intersects_exact(box, t);
    ASSERT_EQ(intersects_by_axes(box, t), intersects_exact(box, t));
  }
  EXPECT_GT(hits, 1000);
  TraceLog log;
  EXPECT_FALSE(intersects_by_axes(box, Tri{{5, 0, 0}, {6, 0, 0}, {5, 1, 0}}, TraceTo{&log}));
  ASSERT_EQ(log.entries().size(), 2u);
  EXPECT_EQ(log.entries()[0].value, 4);
  EXPECT_EQ(log.entries()[1].step, "apart");
}
