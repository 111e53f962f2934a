#include "point_sets.hpp"
#include <sudar/geom/spatial_order.hpp>

#include <gtest/gtest.h>

#include <algorithm>

using namespace sudar;
using namespace sudar_test;

namespace {

template <int D>
double path_length(const std::vector<Vec<D, double>>& points, const std::vector<std::uint32_t>& order, double limit) {
  double sum = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const double step = distance(points[order[i - 1]], points[order[i]]);
    if (step < limit) sum += step;
  }
  return sum;
}

template <int D>
void expect_permutation(const PointSet<Vec<D, double>>& set) {
  std::vector<std::uint32_t> order = spatial_order<D>(set.points);
  std::sort(order.begin(), order.end());
  ASSERT_EQ(order.size(), set.points.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], i) << set.name;
}

}  // namespace

TEST(SpatialOrder, IsAPermutation) {
  for (const std::size_t count : {1u, 2u, 3u, 100u, 5000u}) {
    for (const auto& set : hostile_sets<2>(count, count)) expect_permutation<2>(set);
    for (const auto& set : hostile_sets<3>(count, count)) expect_permutation<3>(set);
  }
  EXPECT_TRUE(spatial_order<2>(std::vector<Vec2d>{}).empty());
}

// A space-filling curve through n points of a unit square is of length about sqrt(n); in the given order it is n / 2
TEST(SpatialOrder, ThePathIsShort) {
  const auto flat = random_points<2>(20000, 1, 0, 1);
  EXPECT_LT(path_length<2>(flat, spatial_order<2>(flat), 2), 2.5 * std::sqrt(20000.0));
  const auto solid = random_points<3>(20000, 2, 0, 1);
  EXPECT_LT(path_length<3>(solid, spatial_order<3>(solid), 2), 2.5 * std::pow(20000.0, 2.0 / 3));
}

TEST(SpatialOrder, OutliersDoNotSpoilTheOrderOfTheRest) {
  auto points = random_points<2>(20000, 3, 0, 1);
  for (int i = 0; i < 10; ++i) points[i * 100] = points[i * 100] * 1e30;
  EXPECT_LT(path_length<2>(points, spatial_order<2>(points), 2), 2.5 * std::sqrt(20000.0));
}
