#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/point_in_polygon.hpp>
#include <sudar/math/scalar.hpp>

#include <gtest/gtest.h>

#include <array>
#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

using Polygon = std::vector<Vec2d>;
using Int2 = BasicVec2<std::int64_t>;

struct Oracle {
  bool boundary;
  int winding;
};

// Integers for the boundary, a sum of arc tangents for the winding number
Oracle slow_location(const std::vector<Int2>& polygon, const Int2& p) {
  double angle = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Int2 a = polygon[i] - p, b = polygon[(i + 1) % polygon.size()] - p;
    if (cross(a, b) == 0 && dot(a, b) <= 0) return {true, 0};
    angle += std::atan2(static_cast<double>(cross(a, b)), static_cast<double>(dot(a, b)));
  }
  return {false, static_cast<int>(std::lround(angle / (2 * kPi)))};
}

ConvexPolygon regular(int count, double radius) {
  Polygon polygon;
  for (int i = 0; i < count; ++i) {
    const SinCos a = sin_cos(2 * kPi * i / count);
    polygon.push_back({radius * a.cos, radius * a.sin});
  }
  return *make_convex_polygon(polygon);
}

constexpr double kPolygonScales[] = {1, 0x1p-1000, 0x1p1000};

}  // namespace

// Oracle: integers and angles. Polygons on a small lattice, asked at every point of it: rays through vertices and along
// edges are the rule.
TEST(PointInPolygon, ExactOnALattice) {
  Random random(campaign_seed(41));
  int inside = 0, boundary = 0;
  for (int round = 0; round < 800; ++round) {
    std::vector<Int2> polygon;
    const std::size_t count = random.below(9);
    for (std::size_t i = 0; i < count; ++i)
      polygon.push_back({static_cast<std::int64_t>(random.below(7)), static_cast<std::int64_t>(random.below(7))});
    const double scale = kPolygonScales[random.below(3)];
    Polygon scaled, loop;
    for (const Int2& v : polygon) scaled.push_back(vec_cast<double>(v) * scale);
    loop = scaled;
    if (!loop.empty()) loop.push_back(loop[0]);
    for (std::int64_t x = -1; x <= 7; ++x)
      for (std::int64_t y = -1; y <= 7; ++y) {
        const Oracle expected = slow_location(polygon, {x, y});
        const Vec2d p{static_cast<double>(x) * scale, static_cast<double>(y) * scale};
        const Containment got = locate(scaled, p);
        ASSERT_EQ(got == Containment::boundary, expected.boundary);
        boundary += expected.boundary;
        if (expected.boundary) continue;
        inside += got == Containment::inside;
        ASSERT_EQ(got == Containment::inside, expected.winding % 2 != 0);
        ASSERT_EQ(winding_number(scaled, p), expected.winding);
        if (scale == 1) {
          ASSERT_NEAR(generalized_winding_number(loop, p), expected.winding, 1e-13);
        }
      }
  }
  EXPECT_GT(inside, 1000);
  EXPECT_GT(boundary, 1000);
}

// Oracle: all sides, and the parity of the same polygon. Aimed at vertices, edges and their lines.
TEST(PointInPolygon, BisectionAgreesWithAllSides) {
  Random random(campaign_seed(42));
  for (int count : {3, 4, 5, 17, 64}) {
    const ConvexPolygon polygon = regular(count, 3);
    const auto check = [&](const Vec2d& p) {
      const Containment expected = locate_by_sides(polygon, p);
      ASSERT_EQ(locate(polygon, p), expected);
      ASSERT_EQ(locate(polygon.vertices(), p), expected);
    };
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec2d &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
      check(a);
      EXPECT_EQ(locate(polygon, a), Containment::boundary);
      for (int k = 0; k < 40; ++k) {
        Vec2d p = lerp(a, b, random.uniform(-1, 2));
        check(p);
        p.x = next_up(p.x);
        check(p);
        p.y = next_down(next_down(p.y));
        check(p);
      }
    }
    for (int k = 0; k < 2000; ++k) check({random.uniform(-4, 4), random.uniform(-4, 4)});
  }
}

TEST(PointInPolygon, BisectionIsExactOnIntegers) {
  const ConvexPolygon polygon =
      *make_convex_polygon(Polygon{{0, -3}, {2, -2}, {3, 0}, {2, 2}, {0, 3}, {-2, 2}, {-3, 0}});
  for (int x = -4; x <= 4; ++x)
    for (int y = -4; y <= 4; ++y) {
      const Vec2d p{static_cast<double>(x), static_cast<double>(y)};
      EXPECT_EQ(locate(polygon, p), locate_by_sides(polygon, p)) << x << " " << y;
      EXPECT_EQ(locate(polygon, p), locate(polygon.vertices(), p)) << x << " " << y;
    }
}

// Oracle: closed form, the angle under which a segment is seen
TEST(PointInPolygon, OpenChainsGiveFractions) {
  EXPECT_NEAR(generalized_winding_number(Polygon{{1, 0}, {0, 1}}, {0, 0}), 0.25, 1e-15);
  EXPECT_NEAR(generalized_winding_number(Polygon{{0, 1}, {1, 0}}, {0, 0}), -0.25, 1e-15);
  EXPECT_NEAR(generalized_winding_number(Polygon{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}, {0, 0}), 0.75, 1e-15);
  // Ten and a half times around, counterclockwise and clockwise
  for (double sign : {1.0, -1.0}) {
    Polygon spiral;
    for (int i = 0; i <= 42; ++i) {
      const SinCos a = sin_cos(kPi / 2 * i * sign);
      spiral.push_back(Vec2d{a.cos, a.sin} * (1.0 + i));
    }
    EXPECT_NEAR(generalized_winding_number(spiral, {0, 0}), 10.5 * sign, 1e-13);
  }
  EXPECT_EQ(generalized_winding_number(Polygon{}, {0, 0}), 0);
  EXPECT_EQ(generalized_winding_number(Polygon{{1, 1}}, {0, 0}), 0);
}

TEST(PointInPolygon, HalfPlanes) {
  const std::array<Plane<2, double>, 3> planes = {{{{0, -1}, 0}, {{-1, 0}, 0}, {{1, 1}, 4}}};
  const std::span<const Plane<2, double>> triangle(planes);
  EXPECT_EQ(locate_in_half_spaces<2>(triangle, Vec2d{1, 1}), Containment::inside);
  EXPECT_EQ(locate_in_half_spaces<2>(triangle, Vec2d{2, 2}), Containment::boundary);
  EXPECT_EQ(locate_in_half_spaces<2>(triangle, Vec2d{3, 2}), Containment::outside);
  EXPECT_EQ(locate_in_half_spaces<2>(triangle, Vec2d{1, std::numeric_limits<double>::quiet_NaN()}),
            Containment::outside);
}

TEST(PointInPolygon, HostileQueriesAreOutside) {
  const ConvexPolygon polygon = regular(8, 1);
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(locate(polygon, {bad, 0}), Containment::outside);
    EXPECT_EQ(locate_by_sides(polygon, {0, bad}), Containment::outside);
    EXPECT_EQ(locate(polygon.vertices(), {bad, bad}), Containment::outside);
    EXPECT_EQ(winding_number(polygon.vertices(), {bad, 0}), 0);
    EXPECT_EQ(generalized_winding_number(polygon.vertices(), {bad, 0}), 0);
  }
  const double huge = std::numeric_limits<double>::max();
  EXPECT_EQ(locate(polygon, {huge, -huge}), Containment::outside);
  EXPECT_EQ(locate(Polygon{}, {0, 0}), Containment::outside);
  EXPECT_EQ(locate(Polygon{{1, 2}}, {1, 2}), Containment::boundary);
  EXPECT_EQ(locate(ConvexPolygon{}, {0, 0}), Containment::outside);
}
