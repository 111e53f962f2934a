// What:    Convex parts of polygons. Oracle: areas in rational numbers, which must add up exactly, and the exact
//          predicates for convexity.
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/point_in_polygon.hpp>
#include <sudar/geom/polygon.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/shapes/polygon_parts.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <gtest/gtest.h>
#include <tests/support/exact.hpp>
#include <tests/support/soak.hpp>

#include <algorithm>
#include <limits>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::Rational;

namespace {

Rational twice_area(const std::vector<Vec2d>& p) {
  Rational sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec2d &a = p[i], &b = p[(i + 1) % p.size()];
    sum += Rational(a.x) * Rational(b.y) - Rational(a.y) * Rational(b.x);
  }
  return sum;
}

// Random radii around the origin: simple, with many dents
std::vector<Vec2d> star(Random& random, int count, double scale) {
  std::vector<Vec2d> p;
  for (int i = 0; i < count; ++i) {
    const SinCos sc = sin_cos(2 * kPi * i / count);
    const double r = scale * random.uniform(0.2, 1);
    p.push_back({r * sc.cos, r * sc.sin});
  }
  return p;
}
// A comb with teeth, many collinear vertices
std::vector<Vec2d> comb(int teeth) {
  std::vector<Vec2d> p;
  for (int i = 0; i < 2 * teeth; ++i) p.push_back({double(i), 0});
  p.push_back({double(2 * teeth - 1), 3});
  for (int i = 2 * teeth - 2; i >= 1; --i) p.push_back({double(i), i % 2 == 0 ? 3. : 1.});
  p.push_back({0, 1});
  return p;
}
// A spiral corridor of unit squares on a grid
std::vector<Vec2d> spiral(int turns) {
  std::vector<Vec2d> out, in;
  Vec2d at{0, 0};
  double step = 2 * turns + 2;
  const Vec2d dirs[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  out.push_back(at);
  for (int i = 0; i < 2 * turns; ++i) {
    const Vec2d d = dirs[i % 4], e = dirs[(i + 1) % 4];
    at = at + d * step;
    out.push_back(at);
    in.push_back(at + e * 0.5 - d * 0.5);
    if (i % 2 == 1) step -= 1;
  }
  in.back() = at + dirs[(2 * turns) % 4] * 0.5;
  std::vector<Vec2d> p = out;
  for (auto it = in.rbegin(); it != in.rend(); ++it) p.push_back(*it);
  p.push_back({0, 0.5});
  return p;
}

void check(const std::vector<Vec2d>& polygon) {
  ASSERT_TRUE(make_simple_polygon(polygon).ok());
  const Rational whole = twice_area(polygon);
  const auto triangles = triangulate(polygon);
  ASSERT_TRUE(triangles.ok());
  EXPECT_EQ(triangles->size(), polygon.size() - 2);
  const auto parts = convex_parts(polygon);
  ASSERT_TRUE(parts.ok());
  std::size_t bent_in = 0;
  for (std::size_t i = 0, n = polygon.size(); i < n; ++i)
    bent_in += orient2d(polygon[(i + n - 1) % n], polygon[i], polygon[(i + 1) % n]) < 0;
  // At most two diagonals at each corner that bends in
  EXPECT_LE(parts->size(), 2 * bent_in + 1);
  if (bent_in == 0) {
    EXPECT_EQ(parts->size(), 1u);
  }
  for (const auto* loops : {&*triangles, &*parts}) {
    Rational sum = 0;
    for (const IndexLoop& loop : *loops) {
      std::vector<Vec2d> p;
      for (const std::uint32_t i : loop) p.push_back(polygon[i]);
      EXPECT_TRUE(is_convex(p));
      const Rational area = twice_area(p);
      EXPECT_GT(area, 0);
      sum += area;
    }
    // Convex pieces with the polygon's own vertices inside of it that add up to its area cover it
    EXPECT_EQ(sum, whole);
  }
}

}  // namespace

TEST(PolygonParts, CoverThePolygonExactly) {
  Random random(campaign_seed(1));
  for (std::size_t round = 0; round < sudar_test::soak(60); ++round) {
    check(star(random, 3 + static_cast<int>(random.below(60)), round % 5 == 0 ? 1e-40 : 100));
    // Snapped to a coarse grid many are not simple any more, and those that are have collinear vertices
    std::vector<Vec2d> grid = star(random, 12, 6);
    for (Vec2d& p : grid) p = {std::round(p.x), std::round(p.y)};
    if (make_simple_polygon(grid).ok()) check(grid);
  }
  for (const int teeth : {2, 3, 10, 40}) check(comb(teeth));
  for (const int turns : {2, 3, 8}) check(spiral(turns));
  check({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}});
  // Nearly flat: corners one rounding off a line
  const double up = std::nextafter(1.0, 2.0);
  check({{0, 0}, {1, 1}, {2, 2}, {3, 3}, {1.5, std::nextafter(1.5, 2)}, {1, up}});
}

TEST(PolygonParts, PointsInsideAreInExactlyOnePart) {
  Random random(campaign_seed(2));
  const std::vector<Vec2d> polygon = star(random, 40, 10);
  const auto set = *PolygonSet::make_polygon(polygon);
  for (int i = 0; i < 5000; ++i) {
    const Vec2d p{random.uniform(-10, 10), random.uniform(-10, 10)};
    int inside = 0, boundary = 0;
    for (const auto& part : set->parts()) {
      const std::vector<Vec2d> v(part->vertices().begin(), part->vertices().end());
      const Containment c = sudar::locate(v, p);
      inside += c == Containment::inside, boundary += c == Containment::boundary;
    }
    const Containment whole = set->locate(p);
    if (boundary == 0) {
      EXPECT_EQ(inside == 1, whole == Containment::inside);
    }
    EXPECT_LE(inside, 1);
  }
}

TEST(PolygonParts, FewerPartsCoverMore) {
  Random random(campaign_seed(3));
  for (const auto& polygon : {star(random, 30, 5), comb(6), spiral(3)}) {
    const std::size_t exact = convex_parts(polygon)->size();
    double before = std::numeric_limits<double>::infinity();
    for (std::size_t count = 1; count < 2 * exact; count *= 2) {
      const CoarseParts level = *coarse_parts(polygon, count);
      EXPECT_LE(level.parts.size(), count);
      EXPECT_LE(level.excess, before + 1e-12);
      before = level.excess;
      // Every vertex is in some part
      for (const Vec2d& v : polygon) {
        bool covered = false;
        for (const auto& part : level.parts) covered = covered || sudar::locate(part, v) != Containment::outside;
        EXPECT_TRUE(covered);
      }
    }
    EXPECT_NEAR(before, 0, 1e-12);
  }
  EXPECT_EQ(coarse_parts(comb(2), 0).error().code, ErrorCode::invalid_argument);
  // A square of 16 with a notch of 6, by hand
  EXPECT_NEAR(coarse_parts(std::vector<Vec2d>{{0, 0}, {4, 0}, {4, 4}, {2, 1}, {0, 4}}, 1)->excess, 16. / 10 - 1, 1e-12);
}

TEST(PolygonSet, TurnsClockwisePolygonsRound) {
  const std::vector<Vec2d> clockwise = {{0, 0}, {0, 2}, {1, 1}, {2, 2}, {2, 0}};
  const auto set = *PolygonSet::make_polygon(clockwise);
  EXPECT_EQ(set->vertices()[0], (Vec2d{0, 0}));
  EXPECT_EQ(set->vertices()[1], (Vec2d{2, 0}));
  EXPECT_EQ(orientation(set->vertices()), 1);
  EXPECT_EQ(set->parts().size(), 2u);
  EXPECT_TRUE(set->solid() && set->closed());
  EXPECT_EQ(set->locate({1, 0.5}), Containment::inside);
  EXPECT_EQ(set->locate({1, 1.5}), Containment::outside);
  EXPECT_EQ(set->locate({1, 1}), Containment::boundary);
}

TEST(PolygonSet, ChainsHaveEdgesButNoInside) {
  const std::vector<Vec2d> v = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const auto open = *PolygonSet::make_chain(v, false), closed = *PolygonSet::make_chain(v, true);
  EXPECT_EQ(open->edge_count(), 3u);
  EXPECT_EQ(closed->edge_count(), 4u);
  EXPECT_EQ(closed->edge(3).b, v[0]);
  EXPECT_EQ(closed->locate({0.5, 0.5}), Containment::outside);
  EXPECT_FALSE(closed->solid());
  std::vector<std::uint32_t> found;
  closed->edge_tree().for_each_overlap({{0.9, 0.4}, {1, 0.6}}, [&](std::uint32_t e) { found.push_back(e); });
  EXPECT_EQ(found, std::vector<std::uint32_t>{1});
  EXPECT_EQ(bounding_box(*make_chain2(v)).hi.x >= 1, true);
}

TEST(PolygonSet, RefusesWhatIsNotSimple) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(make_concave_polygon2({}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(make_chain2({}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(make_chain2(std::vector<Vec2d>{{0, 0}}).error().code, ErrorCode::degenerate);
  EXPECT_EQ(make_concave_polygon2(std::vector<Vec2d>{{0, 0}, {1, 0}}).error().code, ErrorCode::degenerate);
  EXPECT_EQ(make_concave_polygon2(std::vector<Vec2d>{{0, 0}, {1, 0}, {1, nan}}).error(),
            (Error{ErrorCode::non_finite, 2}));
  EXPECT_EQ(make_chain2(std::vector<Vec2d>{{0, 0}, {1, 0}, {1, 0}}).error(), (Error{ErrorCode::degenerate, 1}));
  EXPECT_EQ(make_chain2(std::vector<Vec2d>{{0, 0}, {0x1p61, 0}}).error(), (Error{ErrorCode::too_large, 1}));
  // A bow tie, and a corner that touches another edge
  EXPECT_EQ(make_concave_polygon2(std::vector<Vec2d>{{0, 0}, {2, 2}, {2, 0}, {0, 2}}).error().code,
            ErrorCode::invalid_argument);
  EXPECT_EQ(make_concave_polygon2(std::vector<Vec2d>{{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}}).error().code,
            ErrorCode::invalid_argument);
  EXPECT_FALSE(make_concave_polygon2(std::vector<Vec2d>{{0, 0}, {1, 1}, {2, 2}}).ok());
}
