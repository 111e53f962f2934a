#include "point_sets.hpp"
#include "tests/support/exact.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/geom/voronoi2.hpp>
#include <sudar/math/predicates.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace sudar;
using namespace sudar_test;

namespace {

const std::vector<Vec2d> kUnitSquare = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

std::size_t nearest(const std::vector<Vec2d>& sites, const Vec2d& p) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < sites.size(); ++i)
    if (length_squared(sites[i] - p) < length_squared(sites[best] - p)) best = i;
  return best;
}

// Positive inside
double depth(const ClipPolygon& polygon, const Vec2d& p) {
  double least = 1e300;
  for (std::size_t i = 0; i < polygon.vertices.size(); ++i) {
    const Vec2d a = polygon.vertices[i], b = polygon.vertices[(i + 1) % polygon.vertices.size()];
    least = std::min(least, cross(b - a, p - a) / length(b - a));
  }
  return least;
}

// The counts and orders that every diagram of dimension 2 has, whatever its coordinates
void expect_consistent(const std::string& name, const Voronoi2& v) {
  SCOPED_TRACE(name);
  std::set<std::pair<std::size_t, std::uint32_t>> sides;
  for (std::size_t site = 0; site < v.cells.size(); ++site) {
    const auto vertices = v.vertices_of(site);
    const auto neighbours = v.neighbours_of(site);
    if (v.first_of[site] != site) {
      ASSERT_TRUE(vertices.empty() && neighbours.empty());
      continue;
    }
    ASSERT_EQ(neighbours.size(), v.cells[site].bounded ? vertices.size() : vertices.size() + 1);
    ASSERT_EQ(std::set<std::uint32_t>(vertices.begin(), vertices.end()).size(), vertices.size());
    for (const std::uint32_t n : neighbours) ASSERT_TRUE(sides.insert({site, n}).second);
  }
  for (const auto& [site, n] : sides) ASSERT_TRUE(sides.count({n, static_cast<std::uint32_t>(site)}));
}

}  // namespace

// Oracle: the nearest site by brute force
TEST(Voronoi2, EverySampleLiesInTheCellOfItsNearestSite) {
  Random random(campaign_seed(3));
  for (std::uint64_t seed = 0; seed < soak(10); ++seed) {
    const auto sites = random_points<2>(1 + seed * 7, seed, -0.3, 1.3);
    const auto diagram = voronoi2(sites);
    ASSERT_TRUE(diagram.ok());
    const auto cells = clipped_cells(*diagram, sites, kUnitSquare);
    ASSERT_TRUE(cells.ok());
    for (int i = 0; i < 300; ++i) {
      const Vec2d p = random_point<2>(random, 0, 1);
      EXPECT_GE(depth((*cells)[nearest(sites, p)], p), -1e-12);
    }
  }
}

// Oracle: the polygon's own area. Also under every degeneracy.
TEST(Voronoi2, ClippedAreasSumToThePolygon) {
  std::vector<Vec2d> polygon;
  for (int i = 0; i < 9; ++i) {
    const SinCos turn = sin_cos(2 * kPi * i / 9);
    polygon.push_back({2 + 3 * turn.cos, -1 + 2 * turn.sin});
  }
  const auto whole = make_clip_polygon(polygon);
  ASSERT_TRUE(whole.ok());
  for (auto& set : hostile_sets<2>(300, 4)) {
    // Bring the set to the size of the polygon
    double largest = 0;
    for (const Vec2d& p : set.points) largest = std::max(largest, max_abs(p));
    for (Vec2d& p : set.points) p = Vec2d{2, -1} + p / largest * 2.0;
    const auto diagram = voronoi2(set.points);
    if (!diagram.ok()) {
      EXPECT_EQ(diagram.error().code, ErrorCode::degenerate) << set.name;
      continue;
    }
    if (diagram->dimension == 2) expect_consistent(set.name, *diagram);
    const auto cells = clipped_cells(*diagram, set.points, polygon);
    ASSERT_TRUE(cells.ok());
    double sum = 0;
    for (const ClipPolygon& cell : *cells) sum += area(cell);
    EXPECT_NEAR(sum, area(*whole), 1e-12 * area(*whole)) << set.name;
  }
}

// Closed form: sites on a square grid have square cells, and four cells meet in every vertex
TEST(Voronoi2, CocircularSitesShareVertices) {
  std::vector<Vec2d> sites;
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 10; ++x) sites.push_back({double(x), double(y)});
  const auto v = voronoi2(sites);
  ASSERT_TRUE(v.ok());
  expect_consistent("grid", *v);
  EXPECT_EQ(v->vertices.size(), 81u);
  for (int i = 0; i < 100; ++i) {
    const int x = i % 10, y = i / 10;
    const bool border = x == 0 || y == 0 || x == 9 || y == 9;
    EXPECT_EQ(v->cells[i].bounded, !border);
    if (border) continue;
    ASSERT_EQ(v->vertices_of(i).size(), 4u);
    double twice = 0;
    const Vec2d o = v->vertices[v->vertices_of(i)[0]];
    for (int k = 1; k < 3; ++k)
      twice += cross(v->vertices[v->vertices_of(i)[k]] - o, v->vertices[v->vertices_of(i)[k + 1]] - o);
    EXPECT_EQ(twice, 2);
    EXPECT_EQ(v->neighbours_of(i).size(), 4u);
  }
}

// Closed form: three sites have one vertex and three rays along the bisectors, away from the opposite site
TEST(Voronoi2, RaysOfUnboundedCells) {
  const std::vector<Vec2d> sites = {{0, 0}, {4, 0}, {0, 4}};
  const auto v = voronoi2(sites);
  ASSERT_TRUE(v.ok());
  ASSERT_EQ(v->vertices.size(), 1u);
  EXPECT_EQ(v->vertices[0], (Vec2d{2, 2}));
  EXPECT_EQ(v->cells[0].last_ray, (Vec2d{-1, 0}));
  EXPECT_EQ(v->cells[0].first_ray, (Vec2d{0, -1}));
  // Far along each ray, the two sites of the ray are equally near and the third is farther
  for (int site = 0; site < 3; ++site) {
    const auto neighbours = v->neighbours_of(site);
    ASSERT_EQ(neighbours.size(), 2u);
    for (int end = 0; end < 2; ++end) {
      const Vec2d far = v->vertices[0] + (end == 0 ? v->cells[site].first_ray : v->cells[site].last_ray) * 100.0;
      const int other = static_cast<int>(neighbours[end]), third = 3 - site - other;
      EXPECT_NEAR(distance(far, sites[site]), distance(far, sites[other]), 1e-12);
      EXPECT_GT(distance(far, sites[third]), distance(far, sites[site]));
    }
  }
}

TEST(Voronoi2, LowerDimensions) {
  const auto one = voronoi2(std::vector<Vec2d>(4, Vec2d{0.5, 0.5}));
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->dimension, 0);
  const auto whole = clipped_cells(*one, std::vector<Vec2d>(4, Vec2d{0.5, 0.5}), kUnitSquare);
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(area((*whole)[0]), 1);
  EXPECT_TRUE((*whole)[1].empty());

  const std::vector<Vec2d> line = {{0.75, 0.5}, {0.25, 0.5}, {0.5, 0.5}};
  const auto strips = voronoi2(line);
  ASSERT_TRUE(strips.ok());
  EXPECT_EQ(strips->dimension, 1);
  EXPECT_EQ(strips->neighbours_of(2).size(), 2u);
  EXPECT_EQ(strips->cells[1].last_ray, (Vec2d{0, 1}));
  const auto cells = clipped_cells(*strips, line, kUnitSquare);
  ASSERT_TRUE(cells.ok());
  EXPECT_EQ(area((*cells)[0]), 0.375);
  EXPECT_EQ(area((*cells)[2]), 0.25);
}

// Oracle: rational arithmetic
TEST(Voronoi2, VerticesAgainstRationals) {
  Random random(campaign_seed(8));
  for (std::size_t i = 0; i < soak(3000); ++i) {
    Vec2d a = random_point<2>(random, -1, 1), b = random_point<2>(random, -1, 1);
    // From well shaped to nearly collinear, far from and near to the origin
    Vec2d c = i % 3 == 0 ? random_point<2>(random, -1, 1) : lerp(a, b, random.uniform());
    if (i % 2 == 0) a = a + Vec2d{1000, 1000}, b = b + Vec2d{1000, 1000}, c = c + Vec2d{1000, 1000};
    const double scale = i % 5 == 0 ? 0x1p400 : i % 5 == 1 ? 0x1p-400 : 1;
    a = a * scale, b = b * scale, c = c * scale;
    if (orient2d(a, b, c) == 0) continue;
    const Rational ux = Rational(b.x) - a.x, uy = Rational(b.y) - a.y, vx = Rational(c.x) - a.x,
                   vy = Rational(c.y) - a.y;
    const Rational det = 2 * (ux * vy - uy * vx), uu = ux * ux + uy * uy, vv = vx * vx + vy * vy;
    const Rational x = (vy * uu - uy * vv) / det, y = (ux * vv - vx * uu) / det;
    const Vec2d center = circumcenter(a, b, c);
    ASSERT_TRUE(is_finite(center));
    // Relative to the radius, or to the rounding of the coordinates themselves
    const Rational radius = abs(x) + abs(y);
    const double slack = 1e-14 + 4e-16 * (max_abs(a) / radius.convert_to<double>());
    const Rational ex = (Rational(center.x) - a.x - x) / radius, ey = (Rational(center.y) - a.y - y) / radius;
    EXPECT_LT(std::fabs(ex.convert_to<double>()), slack);
    EXPECT_LT(std::fabs(ey.convert_to<double>()), slack);
  }
}

TEST(Voronoi2, BadInputIsNamed) {
  EXPECT_EQ(voronoi2(std::vector<Vec2d>{}).error(), (Error{ErrorCode::empty_input}));
  EXPECT_EQ(voronoi2(std::vector<Vec2d>{{0, 0}, {0, std::nan("")}}).error(), (Error{ErrorCode::non_finite, 1}));
  // A vertex at about 1e600
  const auto far = voronoi2(std::vector<Vec2d>{{0, 0}, {1e300, 0}, {5e299, 1e-300}});
  ASSERT_FALSE(far.ok());
  EXPECT_EQ(far.error().code, ErrorCode::degenerate);

  const std::vector<Vec2d> sites = {{0, 0}, {1, 0}, {0, 1}};
  const auto v = voronoi2(sites);
  ASSERT_TRUE(v.ok());
  const auto error_of = [&](const std::vector<Vec2d>& polygon) { return clipped_cells(*v, sites, polygon).error(); };
  EXPECT_EQ(error_of({}).code, ErrorCode::empty_input);
  EXPECT_EQ(error_of({{0, 0}, {1, 0}}).code, ErrorCode::degenerate);
  EXPECT_EQ(error_of({{0, 0}, {1, 0}, {2, 0}}).code, ErrorCode::degenerate);
  EXPECT_EQ(error_of({{0, 0}, {0, 1}, {1, 0}}).code, ErrorCode::not_oriented);
  EXPECT_EQ(error_of({{0, 0}, {2, 0}, {1, 0.5}, {2, 2}, {0, 2}}), (Error{ErrorCode::not_convex, 2}));
  EXPECT_EQ(error_of({{0, 0}, {2, 0}, {2, std::nan("")}}), (Error{ErrorCode::non_finite, 2}));
  EXPECT_EQ(error_of({{0, 0}, {1e200, 0}, {0, 1e200}}), (Error{ErrorCode::invalid_argument, 1}));
  // A pentagram turns left everywhere, but twice around
  std::vector<Vec2d> star;
  for (int i = 0; i < 5; ++i) star.push_back({sin_cos(4 * kPi * i / 5).cos, sin_cos(4 * kPi * i / 5).sin});
  EXPECT_EQ(error_of(star).code, ErrorCode::not_convex);
  EXPECT_EQ(clipped_cells(*v, std::vector<Vec2d>{{0, 0}}, kUnitSquare).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(clipped_cells(*v, std::vector<Vec2d>{{0, 0}, {1, 0}, {0, std::nan("")}}, kUnitSquare).error(),
            (Error{ErrorCode::non_finite, 2}));
  EXPECT_EQ(voronoi2(sites, Delaunay2{}).error().code, ErrorCode::invalid_argument);
}
