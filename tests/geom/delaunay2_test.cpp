#include "point_sets.hpp"
#include "tests/support/soak.hpp"
#include <sudar/geom/delaunay2.hpp>
#include <sudar/math/predicates.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

using namespace sudar;
using namespace sudar_test;

namespace {

constexpr std::uint32_t kNone = Delaunay2::kNone;

// Oracle: exact predicates on the definition. With `every_pair`, all triangles against all points; otherwise across
// each edge, which implies it (Delaunay's lemma).
void expect_valid(const std::string& name, const std::vector<Vec2d>& p, const Delaunay2& d, bool every_pair) {
  SCOPED_TRACE(name);
  // Duplicates point to the first occurrence
  std::map<std::pair<double, double>, std::uint32_t> first;
  ASSERT_EQ(d.first_of.size(), p.size());
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    const auto it = first.try_emplace({p[i].x + 0.0, p[i].y + 0.0}, i).first;
    ASSERT_EQ(d.first_of[i], it->second) << i;
  }
  if (d.dimension != 2) {
    EXPECT_TRUE(d.triangles.empty());
    return;
  }
  // Every distinct point is a vertex, and Euler's formula counts the triangles
  std::set<std::uint32_t> used;
  for (const auto& t : d.triangles) used.insert(t.begin(), t.end());
  ASSERT_EQ(used.size(), first.size());
  ASSERT_EQ(d.triangles.size(), 2 * used.size() - 2 - d.hull.size());

  std::map<std::uint32_t, std::uint32_t> hull_next;
  ASSERT_EQ(d.neighbours.size(), d.triangles.size());
  for (std::uint32_t t = 0; t < d.triangles.size(); ++t) {
    const auto& v = d.triangles[t];
    ASSERT_GT(orient2d(p[v[0]], p[v[1]], p[v[2]]), 0);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(d.first_of[v[i]], v[i]);
      const std::uint32_t a = v[(i + 1) % 3], b = v[(i + 2) % 3], n = d.neighbours[t][i];
      if (n == kNone) {
        ASSERT_TRUE(hull_next.emplace(a, b).second);
        continue;
      }
      ASSERT_LT(n, d.triangles.size());
      int back = -1;
      for (int j = 0; j < 3; ++j)
        if (d.neighbours[n][j] == t && d.triangles[n][(j + 1) % 3] == b && d.triangles[n][(j + 2) % 3] == a) back = j;
      ASSERT_GE(back, 0);
      ASSERT_LE(incircle(p[v[0]], p[v[1]], p[v[2]], p[d.triangles[n][back]]), 0);
    }
    if (every_pair) {
      for (const Vec2d& q : p) ASSERT_LE(incircle(p[v[0]], p[v[1]], p[v[2]], q), 0);
    }
  }
  // The hull is the border, counterclockwise and convex
  ASSERT_EQ(hull_next.size(), d.hull.size());
  for (std::size_t i = 0; i < d.hull.size(); ++i) {
    const std::uint32_t a = d.hull[i], b = d.hull[(i + 1) % d.hull.size()], c = d.hull[(i + 2) % d.hull.size()];
    ASSERT_EQ(hull_next.at(a), b);
    ASSERT_GE(orient2d(p[a], p[b], p[c]), 0);
  }
}

std::set<std::array<std::uint32_t, 3>> canonical(const Delaunay2& d) {
  std::set<std::array<std::uint32_t, 3>> all;
  for (auto t : d.triangles) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    all.insert(t);
  }
  return all;
}

// The definition itself: all triples whose circle is empty
std::set<std::array<std::uint32_t, 3>> brute_force(const std::vector<Vec2d>& p) {
  std::set<std::array<std::uint32_t, 3>> all;
  const auto n = static_cast<std::uint32_t>(p.size());
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b = a + 1; b < n; ++b)
      for (std::uint32_t c = a + 1; c < n; ++c) {
        if (c == b || orient2d(p[a], p[b], p[c]) <= 0) continue;
        if (std::none_of(p.begin(), p.end(), [&](const Vec2d& q) { return incircle(p[a], p[b], p[c], q) > 0; }))
          all.insert({a, b, c});
      }
  return all;
}

Error error_of(const std::vector<Vec2d>& points) {
  const auto result = delaunay2(points);
  EXPECT_FALSE(result.ok());
  return result.ok() ? Error{ErrorCode::unsupported} : result.error();
}

}  // namespace

TEST(Delaunay2, EqualsTheEmptyCircleTriplesOfRandomPoints) {
  for (std::uint64_t seed = 0; seed < soak(200); ++seed) {
    const auto points = random_points<2>(3 + seed % 12, seed);
    const auto d = delaunay2(points);
    ASSERT_TRUE(d.ok());
    EXPECT_EQ(canonical(*d), brute_force(points));
  }
}

TEST(Delaunay2, HostileSetsAgainstEveryPoint) {
  for (std::uint64_t seed = 0; seed < soak(4); ++seed)
    for (const std::size_t count : {4u, 9u, 30u, 120u})
      for (const auto& set : hostile_sets<2>(count, seed)) {
        const auto d = delaunay2(set.points);
        ASSERT_TRUE(d.ok());
        expect_valid(set.name, set.points, *d, true);
      }
}

TEST(Delaunay2, LargeHostileSetsAreLocallyDelaunay) {
  for (const auto& set : hostile_sets<2>(4000, 7)) {
    const auto d = delaunay2(set.points);
    ASSERT_TRUE(d.ok());
    EXPECT_EQ(d->dimension, 2) << set.name;
    expect_valid(set.name, set.points, *d, false);
  }
}

// Oracle: the area of a 200 × 100 grid is known, and all of its sums are exact in double
TEST(Delaunay2, TheTrianglesCoverAGridOnce) {
  std::vector<Vec2d> points;
  for (int y = 0; y <= 100; ++y)
    for (int x = 0; x <= 200; ++x) points.push_back({double(x), double(y)});
  const auto d = delaunay2(points);
  ASSERT_TRUE(d.ok());
  double twice = 0;
  for (const auto& t : d->triangles) twice += cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]);
  EXPECT_EQ(twice, 2.0 * 200 * 100);
  EXPECT_EQ(d->hull.size(), 600u);
  EXPECT_EQ(d->triangles.size(), 2u * 200 * 100);
}

TEST(Delaunay2, LowerDimensions) {
  const auto one = delaunay2(std::vector<Vec2d>{{3, 4}});
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->dimension, 0);
  EXPECT_EQ(one->hull, std::vector<std::uint32_t>{0});

  const auto equal = delaunay2(std::vector<Vec2d>(50, Vec2d{1e300, -0.0}));
  ASSERT_TRUE(equal.ok());
  EXPECT_EQ(equal->dimension, 0);
  EXPECT_EQ(equal->first_of, std::vector<std::uint32_t>(50, 0));

  const auto two = delaunay2(std::vector<Vec2d>{{1, 1}, {0, 0}, {1, 1}});
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(two->dimension, 1);
  EXPECT_EQ(two->edges, (std::vector<std::array<std::uint32_t, 2>>{{1, 0}}));
  EXPECT_EQ(two->first_of, (std::vector<std::uint32_t>{0, 1, 0}));

  std::vector<Vec2d> line;
  for (int i = 0; i < 100; ++i) line.push_back({double((i * 37) % 50), 2.0 * ((i * 37) % 50)});
  const auto collinear = delaunay2(line);
  ASSERT_TRUE(collinear.ok());
  EXPECT_EQ(collinear->dimension, 1);
  EXPECT_EQ(collinear->edges.size(), 49u);
  expect_valid("line", line, *collinear, true);
  for (std::size_t i = 1; i < collinear->hull.size(); ++i)
    EXPECT_EQ(line[collinear->hull[i]].x, line[collinear->hull[i - 1]].x + 1);

  // The last bit decides between a line and a triangle
  const auto bent = delaunay2(std::vector<Vec2d>{{0, 0}, {1e16, 1e16}, {3, 3.0000000000000004}});
  ASSERT_TRUE(bent.ok());
  EXPECT_EQ(bent->dimension, 2);
  EXPECT_EQ(bent->triangles.size(), 1u);
}

TEST(Delaunay2, BadInputIsNamed) {
  EXPECT_EQ(error_of({}), (Error{ErrorCode::empty_input}));
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of({{0, 0}, {1, inf}}), (Error{ErrorCode::non_finite, 1}));
  EXPECT_EQ(error_of({{0, 0}, {1, 0}, {std::nan(""), 0}}), (Error{ErrorCode::non_finite, 2}));
  // A span that claims more points than indices can name is refused before anything is read
  const Vec2d p;
  const auto huge = delaunay2(std::span<const Vec2d>(&p, (std::size_t{1} << 29) + 1));
  ASSERT_FALSE(huge.ok());
  EXPECT_EQ(huge.error().code, ErrorCode::too_large);
}

TEST(Delaunay2, TheTraceReplaysToTheResult) {
  auto points = random_points<2>(60, 11);
  points[59] = points[3];
  TraceLog log;
  const auto traced = delaunay2(points, TraceTo{&log}), silent = delaunay2(points);
  ASSERT_TRUE(traced.ok() && silent.ok());
  EXPECT_EQ(canonical(*traced), canonical(*silent));
  std::set<std::vector<std::uint32_t>> alive;
  std::size_t inserted = 3, duplicates = 0;
  const auto sorted = [](std::vector<std::uint32_t> ids) {
    std::sort(ids.begin(), ids.end());
    return ids;
  };
  for (const auto& e : log.entries()) {
    if (e.step == "add") {
      EXPECT_TRUE(alive.insert(sorted(e.ids)).second);
    }
    if (e.step == "remove") {
      EXPECT_EQ(alive.erase(sorted(e.ids)), 1u);
    }
    inserted += e.step == "insert";
    duplicates += e.step == "duplicate";
  }
  EXPECT_EQ(inserted, 59u);
  EXPECT_EQ(duplicates, 1u);
  EXPECT_EQ(alive.size(), silent->triangles.size());
}
