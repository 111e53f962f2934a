#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/hull2.hpp>
#include <sudar/math/predicates.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

using Indices = std::vector<std::uint32_t>;
using Points = std::vector<Vec2d>;

// Brute force: p is extreme when it is neither between two others nor in a triangle of others
bool extreme(const Points& points, const Vec2d& p) {
  const auto between = [&](const Vec2d& a, const Vec2d& b) {
    return orient2d(a, b, p) == 0 && std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) &&
           std::min(a.y, b.y) <= p.y && p.y <= std::max(a.y, b.y);
  };
  for (const Vec2d& a : points)
    for (const Vec2d& b : points) {
      if (a == p || b == p || a == b) continue;
      if (between(a, b)) return false;
      for (const Vec2d& c : points)
        if (c != p && orient2d(a, b, c) > 0 && orient2d(a, b, p) >= 0 && orient2d(b, c, p) >= 0 &&
            orient2d(c, a, p) >= 0)
          return false;
    }
  return true;
}

std::set<std::pair<double, double>> coordinates(const Points& points, const Indices& ids) {
  std::set<std::pair<double, double>> set;
  for (const std::uint32_t i : ids) set.insert({points[i].x, points[i].y});
  return set;
}

void expect_convex_loop(const Points& points, const Indices& hull) {
  const std::size_t k = hull.size();
  ASSERT_GE(k, 1u);
  for (const std::uint32_t i : hull) {
    const Vec2d &p = points[i], &first = points[hull[0]];
    EXPECT_TRUE(first.x < p.x || (first.x == p.x && first.y <= p.y));
  }
  if (k < 3) return;
  for (std::size_t i = 0; i < k; ++i) {
    EXPECT_EQ(orient2d(points[hull[i]], points[hull[(i + 1) % k]], points[hull[(i + 2) % k]]), 1);
    for (const Vec2d& p : points) EXPECT_GE(orient2d(points[hull[i]], points[hull[(i + 1) % k]], p), 0);
  }
}

}  // namespace

TEST(Hull2, SquareWithPointsOnItsEdgesAndInside) {
  const Points points = {{1, 1}, {0.5, 0.5}, {0, 0}, {0.5, 0}, {1, 0}, {0, 1}, {1, 0.5}, {0, 0}, {1, 1}};
  const auto hull = convex_hull2(points);
  ASSERT_TRUE(hull);
  EXPECT_EQ(*hull, (Indices{2, 4, 0, 5}));
}

TEST(Hull2, LowerDimensionsAndDuplicates) {
  EXPECT_EQ(*convex_hull2(Points{{3, 4}}), Indices{0});
  EXPECT_EQ(*convex_hull2(Points(100, Vec2d{3, 4})), Indices{0});
  EXPECT_EQ(*convex_hull2(Points{{3, 4}, {1, 2}}), (Indices{1, 0}));
  EXPECT_EQ(*convex_hull2(Points{{3, 3}, {1, 1}, {2, 2}, {1, 1}, {5, 5}}), (Indices{1, 4}));
  EXPECT_EQ(*convex_hull2(Points{{2, 3}, {2, 1}, {2, 2}}), (Indices{1, 0}));
  EXPECT_EQ(*convex_hull2(Points{{0.0, 1}, {-0.0, 1}}), Indices{0});
}

TEST(Hull2, BadInputIsNamed) {
  EXPECT_EQ(convex_hull2(Points{}).error().code, ErrorCode::empty_input);
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(convex_hull2(Points{{0, 0}, {1, nan}}).error(), (Error{ErrorCode::non_finite, 1}));
  EXPECT_EQ(convex_hull2(Points{{0, 0}, {1, 1}, {-inf, 1}}).error(), (Error{ErrorCode::non_finite, 2}));
  const Vec2d p{};
  EXPECT_EQ(convex_hull2(std::span<const Vec2d>(&p, std::size_t{1} << 33)).error().code, ErrorCode::too_large);
}

TEST(Hull2, VerticesAreTheExtremePointsOfBruteForce) {
  Random random(campaign_seed(1));
  for (int round = 0; round < 400; ++round) {
    // Small lattices make collinear points and duplicates common; tiny steps make nearly collinear ones
    const double step = round % 2 == 0 ? 1.0 : std::numeric_limits<double>::epsilon();
    Points points(1 + random.below(14));
    for (Vec2d& p : points) {
      p.x = 1 + step * static_cast<double>(random.below(5));
      p.y = 1 + step * static_cast<double>(random.below(5));
    }
    const auto hull = convex_hull2(points);
    ASSERT_TRUE(hull);
    expect_convex_loop(points, *hull);
    Indices expected;
    for (std::uint32_t i = 0; i < points.size(); ++i)
      if (extreme(points, points[i])) expected.push_back(i);
    EXPECT_EQ(coordinates(points, *hull), coordinates(points, expected));
    EXPECT_EQ(coordinates(points, *hull).size(), hull->size());
  }
}

TEST(Hull2, RandomAndHostileSetsAreConvexLoops) {
  Random random(campaign_seed(2));
  Points disc(2000), circle, line(500), huge(200), tiny(200);
  for (Vec2d& p : disc) p = {random.uniform(-1, 1), random.uniform(-1, 1)};
  for (int x = -325; x <= 325; ++x)
    for (int y = -325; y <= 325; ++y)
      if (x * x + y * y == 325 * 325) circle.push_back({double(x), double(y)});
  for (Vec2d& p : line) {
    p.x = random.uniform();
    p.y = p.x * 0.3;
  }
  for (Vec2d& p : huge) p = {random.uniform(-1, 1) * 1.7e308, random.uniform(-1, 1) * 1.7e308};
  for (Vec2d& p : tiny) p = {random.uniform(-1, 1) * 1e-300, random.uniform(-1, 1) * 1e-310};
  for (const Points& points : {disc, circle, line, huge, tiny}) {
    const auto hull = convex_hull2(points);
    ASSERT_TRUE(hull);
    expect_convex_loop(points, *hull);
  }
  EXPECT_EQ(convex_hull2(circle)->size(), circle.size());
}

TEST(Hull2, OrderOfInputAndPowersOfTwoDoNotMatter) {
  Random random(campaign_seed(3));
  for (int round = 0; round < 50; ++round) {
    Points points(1 + random.below(200));
    for (Vec2d& p : points) p = {static_cast<double>(random.below(20)), static_cast<double>(random.below(20))};
    const auto hull = convex_hull2(points);
    Points scaled = points;
    for (Vec2d& p : scaled) p = {p.x * 0x1p-500, p.y * 0x1p700};
    EXPECT_EQ(*convex_hull2(scaled), *hull);
    Points shuffled = points;
    for (std::size_t i = shuffled.size(); i > 1; --i) std::swap(shuffled[i - 1], shuffled[random.below(i)]);
    EXPECT_EQ(coordinates(shuffled, *convex_hull2(shuffled)), coordinates(points, *hull));
  }
}

TEST(Hull2, TraceTellsTheChainsAndChangesNothing) {
  const Points points = {{0, 0}, {2, 0}, {1, 1}, {2, 2}, {0, 2}, {1, -1}};
  TraceLog log;
  EXPECT_EQ(*convex_hull2(points, TraceTo{&log}), *convex_hull2(points));
  Indices lower, upper;
  int drops = 0;
  for (const auto& e : log.entries()) {
    if (e.step == "lower chain") lower = e.ids;
    if (e.step == "upper chain") upper = e.ids;
    drops += e.step == "drop";
  }
  EXPECT_EQ(lower, (Indices{0, 5, 1, 3}));
  EXPECT_EQ(upper, (Indices{3, 4}));
  EXPECT_GT(drops, 0);
}
