#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/bounding/kdop.hpp>
#include <sudar/bounding/kdop_fit.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;

namespace {
template <int D>
std::vector<Vec<D, double>> random_cloud(Random& random, std::size_t count) {
  std::vector<Vec<D, double>> points;
  const Vec<D, double> shift = random_point<D>(random) * 3.0, scale = random_point<D>(random);
  for (std::size_t i = 0; i < count; ++i) points.push_back(mul(random_point<D>(random), scale) + shift);
  return points;
}
Rot2d turn_of_kind(Random& random, Vec2d*) { return normalized(Rot2d{random.uniform(-1, 1), random.uniform(-1, 1)}); }
Quatd turn_of_kind(Random& random, Vec3d*) { return sudar_test::random_rotation(random); }

template <int D, int K>
void expect_the_three_refits_nest() {
  Random random(campaign_seed(41));
  for (int n = 0; n < 60; ++n) {
    const auto points = random_cloud<D>(random, 1 + n % 20);
    const auto rest = bounding_kdop<D, K, double>(points);
    ASSERT_TRUE(rest.ok());
    const auto own = vertices<D, K>(*rest);
    ASSERT_TRUE(own.ok());
    for (const auto& p : points) EXPECT_TRUE(contains(*rest, p));
    const Pose<D, double> pose{random_point<D>(random) * 5.0,
                               turn_of_kind(random, static_cast<Vec<D, double>*>(nullptr))};
    const auto tight = refit<D, K, double>(pose, points);
    const auto middle = refit_from_vertices<D, K>(pose, *own);
    const auto loose = transform(pose, *rest);
    ASSERT_TRUE(tight.ok() && middle.ok());
    for (const auto& p : points) {
      const auto image = transform(pose, p);
      EXPECT_TRUE(contains(*tight, image));
      EXPECT_TRUE(contains(*middle, image));
      EXPECT_TRUE(contains(loose, image));
    }
    for (int i = 0; i < K / 2; ++i) {
      EXPECT_LE(tight->hi[i], middle->hi[i] + 1e-12);
      EXPECT_LE(middle->hi[i], loose.hi[i] + 1e-12);
      EXPECT_GE(tight->lo[i], middle->lo[i] - 1e-12);
      EXPECT_GE(middle->lo[i], loose.lo[i] - 1e-12);
    }
    // Without rotation none of them grows by more than rounding
    const Pose<D, double> still{};
    const auto same = transform(still, *rest);
    for (int i = 0; i < K / 2; ++i) EXPECT_NEAR(same.hi[i], rest->hi[i], 1e-12);
  }
}

template <int D, int K>
void expect_definitions() {
  // Oracle: the definition, on integer points where all sums are exact
  Random random(campaign_seed(42));
  for (int n = 0; n < 3000; ++n) {
    std::vector<Vec<D>> pa, pb;
    for (int k = 0; k < 3; ++k) {
      Vec<D> a, b;
      for (int i = 0; i < D; ++i) a[i] = Real(random.below(8)), b[i] = Real(random.below(8));
      pa.push_back(a), pb.push_back(b);
    }
    const auto a = *bounding_kdop<D, K>(pa), b = *bounding_kdop<D, K>(pb);
    bool expected = true;
    for (int s = 0; s < K / 2; ++s) {
      const Vec<D> d = Kdop<D, K>::direction(s);
      Real alo = 1e9f, ahi = -1e9f, blo = 1e9f, bhi = -1e9f;
      for (const auto& p : pa) alo = std::min(alo, dot(p, d)), ahi = std::max(ahi, dot(p, d));
      for (const auto& p : pb) blo = std::min(blo, dot(p, d)), bhi = std::max(bhi, dot(p, d));
      EXPECT_EQ(a.lo[s], alo);
      EXPECT_EQ(a.hi[s], ahi);
      expected &= alo <= bhi && blo <= ahi;
    }
    EXPECT_EQ(overlap(a, b), expected);
    EXPECT_EQ(overlap(b, a), expected);
    const auto both = merge(a, b);
    EXPECT_TRUE(contains(both, a) && contains(both, b));
    std::vector<Vec<D>> all = pa;
    all.insert(all.end(), pb.begin(), pb.end());
    EXPECT_EQ(both, (*bounding_kdop<D, K>(all)));
    EXPECT_EQ(merge(a, Kdop<D, K>::empty()), a);
    EXPECT_FALSE(overlap(a, Kdop<D, K>::empty()));
  }
}
}  // namespace

TEST(Kdop, OverlapMergeAndFitFollowTheDefinition) {
  expect_definitions<2, 4>();
  expect_definitions<2, 6>();
  expect_definitions<2, 8>();
  expect_definitions<3, 6>();
  expect_definitions<3, 14>();
  expect_definitions<3, 18>();
  expect_definitions<3, 26>();
}
TEST(Kdop, RefitsUnderRotationContainTheBodyAndNest2) {
  expect_the_three_refits_nest<2, 4>();
  expect_the_three_refits_nest<2, 6>();
  expect_the_three_refits_nest<2, 8>();
}
TEST(Kdop, RefitsUnderRotationContainTheBodyAndNest3) {
  expect_the_three_refits_nest<3, 6>();
  expect_the_three_refits_nest<3, 14>();
  expect_the_three_refits_nest<3, 18>();
  expect_the_three_refits_nest<3, 26>();
}

TEST(Kdop, SixIsTheBoxAndMoreSlabsAreNeverLooser) {
  Random random(campaign_seed(43));
  for (int n = 0; n < 200; ++n) {
    const auto a = random_cloud<3>(random, 10), b = random_cloud<3>(random, 10);
    const auto a6 = *bounding_kdop<3, 6, double>(a), b6 = *bounding_kdop<3, 6, double>(b);
    const auto box_a = *bounding_box<3, double>(a), box_b = *bounding_box<3, double>(b);
    EXPECT_EQ(overlap(a6, b6), overlap(box_a, box_b));
    const bool hit26 = overlap(*bounding_kdop<3, 26, double>(a), *bounding_kdop<3, 26, double>(b));
    const bool hit18 = overlap(*bounding_kdop<3, 18, double>(a), *bounding_kdop<3, 18, double>(b));
    const bool hit14 = overlap(*bounding_kdop<3, 14, double>(a), *bounding_kdop<3, 14, double>(b));
    EXPECT_TRUE(!hit26 || (hit18 && hit14));
    EXPECT_TRUE(!(hit18 || hit14) || overlap(a6, b6));
  }
}

TEST(Kdop, VerticesOfKnownBodies) {
  // A cube has 8; the 8-DOP of a disc-like octagon has 8; the 14-DOP of the octahedron is the octahedron: 6
  const std::vector<Vec3d> cube = {{-1, -1, -1}, {1, 1, 1}};
  const auto dop6 = *bounding_kdop<3, 6, double>(cube);
  EXPECT_EQ(vertices(dop6)->size(), 8u);
  const std::vector<Vec3d> octahedron = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const auto dop14 = *bounding_kdop<3, 14, double>(octahedron);
  const auto tips = vertices(dop14);
  ASSERT_TRUE(tips.ok());
  for (const Vec3d& v : *tips) EXPECT_NEAR(std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z), 1, 1e-14);
  const std::vector<Vec2d> octagon = {{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}};
  EXPECT_EQ(vertices(*bounding_kdop<2, 8, double>(octagon))->size(), 8u);
  EXPECT_EQ(vertices(Kdop<3, 14, double>::empty()).error().code, ErrorCode::degenerate);
}

// Sums of coordinates past the largest number
TEST(Kdop, BoundsBeyondTheRange) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const double s : {1e300, 1e306, 1e307, 4e307, 8e307, 1.7e308}) {
    const std::vector<Vec3d> points = {{s, s, s}, {0, 0, 0}, {s, -s, 0}};
    const auto dop = bounding_kdop<3, 26, double>(points);
    ASSERT_EQ(dop.ok(), s < 5e307) << s;
    if (!dop) {
      EXPECT_EQ(dop.error().code, ErrorCode::too_large);
      continue;
    }
    EXPECT_TRUE(is_bounded(*dop));
    // All vertices or none
    const auto corners = vertices(*dop);
    ASSERT_EQ(corners.ok(), s < 3e306) << s;
    if (!corners) {
      EXPECT_EQ(corners.error().code, ErrorCode::too_large);
      continue;
    }
    EXPECT_EQ(corners->size(),
              vertices(*bounding_kdop<3, 26, double>(std::vector<Vec3d>{{1, 1, 1}, {0, 0, 0}, {1, -1, 0}}))->size());
  }
  const std::vector<Vec3d> far = {{1, 2, 3}, {0, 0, 0}};
  EXPECT_EQ((refit<3, 14, double>(Pose3d{Vec3d{1.7e308, 1.7e308, 0}, {}}, far).error().code), ErrorCode::too_large);
  EXPECT_EQ((refit<3, 14, double>(Pose3d{Vec3d{0, std::nan(""), 0}, {}}, far).error().code), ErrorCode::too_large);
  EXPECT_EQ((refit_from_vertices<3, 14>(Pose3d{Vec3d{kInf, 0, 0}, {}}, far).error().code), ErrorCode::too_large);
  EXPECT_EQ((vertices(Kdop<3, 14, double>::empty()).error().code), ErrorCode::degenerate);
}

TEST(Kdop, BadDataAndRounding) {
  std::vector<Vec3> points = {{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ((bounding_kdop<3, 14, Real>({}).error().code), ErrorCode::empty_input);
  points[1].z = std::numeric_limits<Real>::infinity();
  EXPECT_EQ((bounding_kdop<3, 14, Real>(points).error()), (Error{ErrorCode::non_finite, 1}));
  // 1 + tiny has no representation: the slab spans it
  const std::vector<Vec2> split = {{1, std::numeric_limits<Real>::min()}};
  const auto dop = *bounding_kdop<2, 8>(split);
  EXPECT_EQ(dop.lo[2], 1);
  EXPECT_GT(dop.hi[2], 1);
  EXPECT_TRUE(contains(dop, split[0]));
}
