#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/polygon.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/math/scalar.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

using Polygon = std::vector<Vec2d>;

Polygon lattice_polygon(Random& random, std::size_t count, std::uint64_t reach) {
  Polygon polygon;
  for (std::size_t i = 0; i < count; ++i)
    polygon.push_back({static_cast<double>(random.below(reach)), static_cast<double>(random.below(reach))});
  return polygon;
}

// A star around the origin: simple for any radii
Polygon star(Random& random, int count) {
  Polygon polygon;
  for (int i = 0; i < count; ++i) {
    const SinCos a = sin_cos(2 * kPi * i / count);
    polygon.push_back(Vec2d{a.cos, a.sin} * random.uniform(0.2, 1));
  }
  return polygon;
}

// Plain: every other vertex is left of every side
bool strictly_convex_by_definition(const Polygon& p) {
  const std::size_t n = p.size();
  if (n < 3) return false;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (j != i && j != (i + 1) % n && orient2d(p[i], p[(i + 1) % n], p[j]) <= 0) return false;
  return true;
}

const Polygon kSquare = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
const Polygon kPentagram = {{0, 3}, {-2, -3}, {3, 1}, {-3, 1}, {2, -3}};

}  // namespace

TEST(Polygon, AreaAndOrientation) {
  EXPECT_EQ(signed_area(kSquare), 4);
  EXPECT_EQ(orientation(kSquare), 1);
  const Polygon clockwise(kSquare.rbegin(), kSquare.rend());
  EXPECT_EQ(signed_area(clockwise), -4);
  EXPECT_EQ(orientation(clockwise), -1);
  EXPECT_EQ(signed_area(Polygon{}), 0);
  EXPECT_EQ(orientation(Polygon{{0, 0}, {1, 1}}), 0);
  EXPECT_EQ(orientation(Polygon{{0, 0}, {1, 1}, {2, 2}}), 0);
  EXPECT_EQ(orientation(Polygon{{1, 1}, {1, 1}, {1, 1}}), 0);
  EXPECT_EQ(orientation(Polygon{{0, 0}, {0, 0}, {1, 0}, {0, 1}, {0, 0}}), 1);
  Polygon far = kSquare;
  for (Vec2d& v : far) v += Vec2d{1e15, -1e15};
  EXPECT_EQ(signed_area(far), 4);
}

TEST(Polygon, OrientationOfStarsIsTheSignOfTheirArea) {
  Random random(campaign_seed(31));
  for (int i = 0; i < 500; ++i) {
    Polygon polygon = star(random, 3 + static_cast<int>(random.below(20)));
    EXPECT_EQ(orientation(polygon), 1);
    std::reverse(polygon.begin(), polygon.end());
    EXPECT_EQ(orientation(polygon), -1);
    EXPECT_LT(signed_area(polygon), 0);
  }
}

// Oracle: the definition, O(n²)
TEST(Polygon, ConvexityIsThatOfTheDefinition) {
  Random random(campaign_seed(32));
  int convex = 0;
  for (int i = 0; i < 60000; ++i) {
    const Polygon p = lattice_polygon(random, 3 + random.below(4), 5);
    convex += is_convex(p, true);
    ASSERT_EQ(is_convex(p, true), strictly_convex_by_definition(p)) << i;
  }
  EXPECT_GT(convex, 1000);
}

TEST(Polygon, LooseConvexityAllowsStraightAngles) {
  const Polygon straight = {{0, 0}, {1, 0}, {2, 0}, {2, 2}, {0, 2}, {0, 1}};
  EXPECT_TRUE(is_convex(straight));
  EXPECT_FALSE(is_convex(straight, true));
  EXPECT_FALSE(is_convex(Polygon{{0, 0}, {1, 0}, {1, 0}, {0, 1}}));
  EXPECT_FALSE(is_convex(Polygon{{0, 0}, {2, 0}, {1, 0}, {0, 1}}));
  EXPECT_FALSE(is_convex(Polygon{{0, 0}, {1, 1}, {2, 2}}));
  EXPECT_FALSE(is_convex(kPentagram));
  EXPECT_FALSE(is_convex(Polygon(kPentagram.rbegin(), kPentagram.rend())));
}

// Oracle: all pairs of edges
TEST(Polygon, CrossingsAreThoseOfAllPairs) {
  Random random(campaign_seed(33));
  int simple = 0;
  for (int i = 0; i < 20000; ++i) {
    const Polygon p = lattice_polygon(random, 3 + random.below(6), 6);
    const auto fast = *find_crossing(p), plain = *find_crossing_plain(p);
    ASSERT_EQ(fast, plain) << i;
    simple += !fast.has_value();
  }
  EXPECT_GT(simple, 1000);
  for (int i = 0; i < 50; ++i) EXPECT_FALSE(find_crossing(star(random, 200))->has_value());
}

TEST(Polygon, TouchingIsCrossing) {
  // A vertex on another edge, a shared vertex, a spike, an edge of no length
  EXPECT_EQ(*find_crossing(Polygon{{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}), (std::pair{0u, 2u}));
  EXPECT_EQ(*find_crossing(Polygon{{0, 0}, {2, 0}, {1, 1}, {2, 2}, {0, 2}, {1, 1}}), (std::pair{1u, 4u}));
  EXPECT_EQ(*find_crossing(Polygon{{0, 0}, {3, 0}, {1, 0}, {0, 3}}), (std::pair{0u, 1u}));
  EXPECT_EQ(*find_crossing(Polygon{{0, 0}, {3, 0}, {3, 0}, {0, 3}}), (std::pair{1u, 2u}));
}

TEST(Polygon, ConvexMakerKeepsCornersOnly) {
  const ConvexPolygon p = *make_convex_polygon(Polygon{{1, 0}, {2, 0}, {2, 2}, {0, 2}, {0, 1}, {0, 0}});
  EXPECT_EQ(Polygon(p.vertices().begin(), p.vertices().end()), (Polygon{{2, 0}, {2, 2}, {0, 2}, {0, 0}}));
}

TEST(Polygon, MakersNameTheFault) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& check : {+[](const Polygon& p) { return make_convex_polygon(p).error(); },
                            +[](const Polygon& p) { return make_simple_polygon(p).error(); }}) {
    EXPECT_EQ(check({}).code, ErrorCode::empty_input);
    EXPECT_EQ(check({{0, 0}, {1, 1}}).code, ErrorCode::degenerate);
    EXPECT_EQ(check({{0, 0}, {1, 0}, {1, nan}}), (Error{ErrorCode::non_finite, 2}));
    EXPECT_EQ(check(Polygon(kSquare.rbegin(), kSquare.rend())).code, ErrorCode::not_oriented);
  }
  EXPECT_EQ(make_convex_polygon(Polygon{{0, 0}, {1, 1}, {3, 3}}).error().code, ErrorCode::degenerate);
  EXPECT_EQ(make_convex_polygon(Polygon{{0, 0}, {4, 0}, {2, 1}, {0, 4}}).error(), (Error{ErrorCode::not_convex, 2}));
  EXPECT_EQ(make_convex_polygon(Polygon(kPentagram.rbegin(), kPentagram.rend())).error().code, ErrorCode::not_convex);
  EXPECT_EQ(make_convex_polygon(kPentagram).error().code, ErrorCode::not_convex);
  EXPECT_EQ(make_simple_polygon(kPentagram).error(), (Error{ErrorCode::invalid_argument, 0}));
  EXPECT_TRUE(make_simple_polygon(Polygon{{0, 0}, {4, 0}, {2, 1}, {0, 4}}).ok());
}
