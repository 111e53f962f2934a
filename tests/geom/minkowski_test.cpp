#include "integer_hull.hpp"
#include "tests/support/numbers.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/hull2.hpp>
#include <sudar/geom/mass3.hpp>
#include <sudar/geom/mesh_from_hull.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/minkowski2.hpp>
#include <sudar/geom/minkowski3.hpp>
#include <sudar/geom/point_in_polygon.hpp>
#include <sudar/geom/polygon.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::hulls_meet;
using sudar_test::Int3;
using sudar_test::kNaN;

namespace {

using Polygon = std::vector<Vec2d>;

Polygon polygon_hull(const Polygon& points) {
  Polygon hull;
  const Result<std::vector<std::uint32_t>> indices = convex_hull2(points);
  for (std::uint32_t i : *indices) hull.push_back(points[i]);
  return hull;
}

// Plain: the hull of all pairs
Polygon sum_by_pairs(const Polygon& a, const Polygon& b, double sign) {
  Polygon sums;
  for (const Vec2d& p : a)
    for (const Vec2d& q : b) sums.push_back(p + q * sign);
  return polygon_hull(sums);
}

// A hull starts at its leftmost vertex, a sum at its lowest
Polygon from_lowest(Polygon polygon) {
  const auto lowest = std::min_element(polygon.begin(), polygon.end(), [](const Vec2d& a, const Vec2d& b) {
    return a.y != b.y ? a.y < b.y : a.x < b.x;
  });
  std::rotate(polygon.begin(), lowest, polygon.end());
  return polygon;
}

Polygon lattice_body(Random& random, std::uint64_t reach) {
  Polygon points;
  const std::size_t count = 1 + random.below(8);
  for (std::size_t i = 0; i < count; ++i)
    points.push_back({static_cast<double>(random.below(reach)), static_cast<double>(random.below(reach))});
  return polygon_hull(points);
}

std::vector<Int3> to_integers(const Polygon& polygon) {
  std::vector<Int3> points;
  for (const Vec2d& v : polygon) points.push_back({static_cast<std::int64_t>(v.x), static_cast<std::int64_t>(v.y), 0});
  return points;
}

std::vector<Int3> lattice_points3(Random& random, std::uint64_t reach) {
  std::vector<Int3> points(1 + random.below(6));
  for (Int3& p : points)
    for (int i = 0; i < 3; ++i) p[i] = static_cast<std::int64_t>(random.below(reach));
  return points;
}

std::vector<Vec3d> to_double(const std::vector<Int3>& points) {
  std::vector<Vec3d> result;
  for (const Int3& p : points) result.push_back(vec_cast<double>(p));
  return result;
}

}  // namespace

// Oracle: the hull of all pairs, exact on integers; points and segments among the bodies
TEST(Minkowski2, EqualsTheHullOfAllPairs) {
  Random random(campaign_seed(71));
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t reach = 2 + random.below(10);
    const Polygon a = lattice_body(random, reach), b = lattice_body(random, reach);
    const Result<MinkowskiPolygon> sum = minkowski_sum(a, b), difference = minkowski_difference(a, b);
    ASSERT_TRUE(sum.ok() && difference.ok());
    ASSERT_EQ(sum->vertices, from_lowest(sum_by_pairs(a, b, 1))) << i;
    ASSERT_EQ(difference->vertices, from_lowest(sum_by_pairs(a, b, -1))) << i;
    ASSERT_LE(sum->vertices.size(), a.size() + b.size());
    for (std::size_t k = 0; k < sum->vertices.size(); ++k)
      ASSERT_EQ(sum->vertices[k], a[sum->source[k].first] + b[sum->source[k].second]);
  }
}

// Oracle: integers, Carathéodory
TEST(Minkowski2, OriginInsideMeansTheBodiesMeet) {
  Random random(campaign_seed(72));
  std::size_t meet = 0;
  const std::size_t count = sudar_test::soak(20000);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t reach = 3 + random.below(8);
    const Polygon a = lattice_body(random, reach);
    Polygon b = lattice_body(random, reach);
    const Vec2d shift{static_cast<double>(random.below(reach)), static_cast<double>(random.below(reach))};
    for (Vec2d& v : b) v += shift;
    const bool expected = hulls_meet(to_integers(a), to_integers(b));
    meet += expected;
    ASSERT_EQ(contains_origin(*minkowski_difference(a, b), a, b), expected) << i;
    ASSERT_EQ(contains_origin(*minkowski_difference(b, a), b, a), expected) << i;
  }
  EXPECT_GT(meet, count * 3 / 20);
  EXPECT_LT(meet, count * 17 / 20);
}

// Oracle: integers, Carathéodory. The body b, moved by q, meets the obstacle a exactly when q is in a - b.
TEST(Minkowski2, DifferenceIsTheObstacleInConfigurationSpace) {
  Random random(campaign_seed(74));
  for (std::size_t i = 0; i < sudar_test::soak(60); ++i) {
    const Polygon a = lattice_body(random, 6), b = lattice_body(random, 4);
    const MinkowskiPolygon obstacle = *minkowski_difference(a, b);
    for (int x = -4; x <= 7; ++x)
      for (int y = -4; y <= 7; ++y) {
        const Vec2d q{static_cast<double>(x), static_cast<double>(y)};
        Polygon moved = b;
        for (Vec2d& v : moved) v += q;
        ASSERT_EQ(locate(obstacle.vertices, q) != Containment::outside, hulls_meet(to_integers(a), to_integers(moved)));
      }
  }
}

// Directions that differ by one part in 2^52 far from the origin, where a cross product in double sees them as parallel
TEST(Minkowski2, NearlyParallelEdgesAreToldApart) {
  const double n = 0x1p26, far = 0x1p50;
  const Polygon a = {{far, far}, {far + n + 1, far + n}, {far, far + n}};
  const Polygon b = {{0, 0}, {n, n - 1}, {0, n}}, c = {{-far, far}, {n - far, n + far}, {-far, n + 1 + far}};
  for (const Polygon& other : {b, c}) {
    EXPECT_EQ(minkowski_sum(a, other)->vertices, from_lowest(sum_by_pairs(a, other, 1)));
    EXPECT_EQ(minkowski_difference(a, other)->vertices, from_lowest(sum_by_pairs(a, other, -1)));
  }
  EXPECT_EQ(minkowski_sum(a, a)->vertices.size(), 3u);
}

// Oracle: closed form. Area of a sum: A + B + 2 mixed; with a square of side s: A + s (width + height) + s²
TEST(Minkowski2, SumWithASquareDilates) {
  const Polygon a = {{0, 0}, {5, 1}, {4, 4}, {1, 3}}, square = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  EXPECT_DOUBLE_EQ(signed_area(minkowski_sum(a, square)->vertices), signed_area(a) + 2 * (5 + 4) + 4);
  EXPECT_TRUE(is_convex(minkowski_sum(a, square)->vertices, true));
}

TEST(Minkowski2, RefusesBadInput) {
  const Polygon good = {{0, 0}, {1, 0}, {0, 1}};
  EXPECT_EQ(minkowski_sum({}, good).error().code, ErrorCode::empty_input);
  EXPECT_EQ(minkowski_sum(good, {}).error(), (Error{ErrorCode::empty_input, 3}));
  EXPECT_EQ(minkowski_sum(good, Polygon{{0, 0}, {kNaN, 0}}).error(), (Error{ErrorCode::non_finite, 4}));
  EXPECT_EQ(minkowski_sum(Polygon{{0, 0}, {0, 1}, {1, 0}}, good).error().code, ErrorCode::not_convex);
  EXPECT_EQ(minkowski_sum(Polygon{{0, 0}, {2, 0}, {1, 0}, {0, 1}}, good).error().code, ErrorCode::not_convex);
  EXPECT_EQ(minkowski_sum(Polygon{{0, 0}, {1, 0}, {2, 0}, {0, 1}}, good).error(), (Error{ErrorCode::not_convex, 1}));
  EXPECT_EQ(minkowski_sum(good, Polygon{{5, 5}, {5, 5}}).error(), (Error{ErrorCode::not_convex, 4}));
  const double huge = std::numeric_limits<double>::max();
  EXPECT_EQ(minkowski_sum(Polygon{{huge, 0}}, Polygon{{huge, 0}}).error().code, ErrorCode::too_large);
  EXPECT_EQ(minkowski_difference(Polygon{{huge, 0}}, Polygon{{huge, 0}})->vertices, (Polygon{{0, 0}}));
}

// Oracle: integers, Carathéodory; points, segments and flat bodies among them
TEST(Minkowski3, OriginInsideMeansTheBodiesMeet) {
  Random random(campaign_seed(73));
  int meet = 0;
  for (int i = 0; i < 1500; ++i) {
    const std::uint64_t reach = 2 + random.below(5);
    const std::vector<Int3> a = lattice_points3(random, reach), b = lattice_points3(random, reach);
    const Result<MinkowskiBody> difference = minkowski_difference(to_double(a), to_double(b));
    ASSERT_TRUE(difference.ok());
    const bool expected = hulls_meet(a, b);
    meet += expected;
    ASSERT_EQ(contains_origin(*difference), expected) << i;
    for (std::size_t v = 0; v < difference->source.size(); ++v) {
      const auto [p, q] = difference->source[v];
      ASSERT_EQ(difference->hull.vertices[v], vec_cast<double>(a[p] - b[q]));
    }
  }
  EXPECT_GT(meet, 200);
  EXPECT_LT(meet, 1300);
}

// Oracle: closed form
TEST(Minkowski3, BoxesAdd) {
  const Mesh a = *box_mesh({1, 2, 3}), b = *box_mesh({0.5, 0.25, 4});
  const MinkowskiBody sum = *minkowski_sum(a.vertices, b.vertices);
  EXPECT_EQ(sum.hull.vertices.size(), 8u);
  EXPECT_DOUBLE_EQ(mass_properties(*to_mesh(sum.hull))->mass, 8 * 1.5 * 2.25 * 7);
  // Octahedron and cube: volume, plus half the width times area and edges, by Steiner's mixed volumes
  const MinkowskiBody rounded = *minkowski_sum(octahedron_mesh(1)->vertices, box_mesh({1, 1, 1})->vertices);
  EXPECT_EQ(rounded.hull.vertices.size(), 24u);
  EXPECT_NEAR(mass_properties(*to_mesh(rounded.hull))->mass, 4.0 / 3 + 3 * 2 * 2.0 + 3 * 2 * 4.0 + 8, 1e-12);
}

TEST(Minkowski3, RefusesBadInput) {
  const std::vector<Vec3d> good = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_EQ(minkowski_sum(std::vector<Vec3d>{}, good).error().code, ErrorCode::empty_input);
  EXPECT_EQ(minkowski_sum(good, std::vector<Vec3d>{{0, 0, 0}, {0, kNaN, 0}}).error(),
            (Error{ErrorCode::non_finite, 5}));
  const double huge = std::numeric_limits<double>::max();
  EXPECT_EQ(minkowski_sum(std::vector<Vec3d>{{huge, 0, 0}}, std::vector<Vec3d>{{huge, 0, 0}}).error().code,
            ErrorCode::too_large);
  EXPECT_FALSE(contains(Hull3{}, {0, 0, 0}));
}
