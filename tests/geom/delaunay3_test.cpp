#include "point_sets.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/geom/delaunay3.hpp>
#include <sudar/geom/delaunay_neighbours.hpp>
#include <sudar/math/predicates.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

using namespace sudar;
using namespace sudar_test;

namespace {

constexpr std::uint32_t kNone = Delaunay3::kNone;
constexpr int kFacet[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};  // opposite to corner i, seen from outside

// Oracle: exact predicates on the definition. With `every_pair`, all tetrahedra against all points; otherwise across
// each facet, which implies it (Delaunay's lemma).
void expect_valid(const std::string& name, const std::vector<Vec3d>& p, const Delaunay3& d, bool every_pair) {
  SCOPED_TRACE(name);
  std::map<std::tuple<double, double, double>, std::uint32_t> first;
  ASSERT_EQ(d.first_of.size(), p.size());
  for (std::uint32_t i = 0; i < p.size(); ++i)
    ASSERT_EQ(d.first_of[i], first.try_emplace({p[i].x + 0.0, p[i].y + 0.0, p[i].z + 0.0}, i).first->second);
  if (d.dimension != 3) {
    EXPECT_TRUE(d.tetrahedra.empty());
    return;
  }
  ASSERT_EQ(d.neighbours.size(), d.tetrahedra.size());
  std::set<std::uint32_t> used;
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::set<std::array<std::uint32_t, 3>> hull;
  std::size_t inner_facets = 0;
  for (std::uint32_t t = 0; t < d.tetrahedra.size(); ++t) {
    const auto& v = d.tetrahedra[t];
    used.insert(v.begin(), v.end());
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        if (v[i] < v[j]) edges.insert({v[i], v[j]});
    ASSERT_GT(orient3d(p[v[0]], p[v[1]], p[v[2]], p[v[3]]), 0);
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t n = d.neighbours[t][i];
      std::array<std::uint32_t, 3> facet = {v[kFacet[i][0]], v[kFacet[i][1]], v[kFacet[i][2]]};
      if (n == kNone) {
        ASSERT_LT(orient3d(p[facet[0]], p[facet[1]], p[facet[2]], p[v[i]]), 0);
        ASSERT_TRUE(hull.insert(facet).second);
        continue;
      }
      ++inner_facets;
      ASSERT_LT(n, d.tetrahedra.size());
      const int back =
          static_cast<int>(std::find(d.neighbours[n].begin(), d.neighbours[n].end(), t) - d.neighbours[n].begin());
      ASSERT_LT(back, 4);
      std::array<std::uint32_t, 3> other = {d.tetrahedra[n][kFacet[back][0]], d.tetrahedra[n][kFacet[back][1]],
                                            d.tetrahedra[n][kFacet[back][2]]};
      std::sort(facet.begin(), facet.end());
      std::sort(other.begin(), other.end());
      ASSERT_EQ(facet, other);
      ASSERT_LE(insphere(p[v[0]], p[v[1]], p[v[2]], p[v[3]], p[d.tetrahedra[n][back]]), 0);
    }
    if (every_pair) {
      for (const Vec3d& q : p) ASSERT_LE(insphere(p[v[0]], p[v[1]], p[v[2]], p[v[3]], q), 0);
    }
  }
  // Every distinct point is a vertex; a ball has Euler characteristic 1 and its border 2
  ASSERT_EQ(used.size(), first.size());
  ASSERT_EQ(inner_facets % 2, 0u);
  const auto count = [](std::size_t n) { return static_cast<long long>(n); };
  ASSERT_EQ(
      count(used.size()) - count(edges.size()) + count(inner_facets / 2 + hull.size()) - count(d.tetrahedra.size()), 1);
  std::set<std::uint32_t> hull_points;
  for (const auto& f : hull) hull_points.insert(f.begin(), f.end());
  ASSERT_EQ(2 * hull_points.size() - 4, hull.size());
  // The border is convex: at each of its edges, and against every point when asked for
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> apex;
  for (const auto& f : hull)
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(apex.emplace(std::pair(f[i], f[(i + 1) % 3]), f[(i + 2) % 3]).second);
  for (const auto& [edge, c] : apex) {
    ASSERT_TRUE(apex.count({edge.second, edge.first}));
    ASSERT_LE(orient3d(p[edge.first], p[edge.second], p[c], p[apex.at({edge.second, edge.first})]), 0);
  }
  if (every_pair) {
    for (const auto& f : hull)
      for (const Vec3d& q : p) ASSERT_LE(orient3d(p[f[0]], p[f[1]], p[f[2]], q), 0);
  }
}

std::set<std::array<std::uint32_t, 4>> canonical(const Delaunay3& d) {
  std::set<std::array<std::uint32_t, 4>> all;
  for (auto t : d.tetrahedra) {
    std::sort(t.begin(), t.end());
    all.insert(t);
  }
  return all;
}

// The definition itself: all quadruples whose sphere is empty
std::set<std::array<std::uint32_t, 4>> brute_force(const std::vector<Vec3d>& p) {
  std::set<std::array<std::uint32_t, 4>> all;
  const auto n = static_cast<std::uint32_t>(p.size());
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b = a + 1; b < n; ++b)
      for (std::uint32_t c = b + 1; c < n; ++c)
        for (std::uint32_t d = c + 1; d < n; ++d) {
          const int side = orient3d(p[a], p[b], p[c], p[d]);
          if (side != 0 && std::none_of(p.begin(), p.end(),
                                        [&](const Vec3d& q) { return side * insphere(p[a], p[b], p[c], p[d], q) > 0; }))
            all.insert({a, b, c, d});
        }
  return all;
}

}  // namespace

TEST(Delaunay3, EqualsTheEmptySphereQuadruplesOfRandomPoints) {
  for (std::uint64_t seed = 0; seed < soak(100); ++seed) {
    const auto points = random_points<3>(4 + seed % 12, seed);
    const auto d = delaunay3(points);
    ASSERT_TRUE(d.ok());
    EXPECT_EQ(canonical(*d), brute_force(points));
  }
}

TEST(Delaunay3, HostileSetsAgainstEveryPoint) {
  for (std::uint64_t seed = 0; seed < soak(3); ++seed)
    for (const std::size_t count : {5u, 8u, 27u, 70u})
      for (const auto& set : hostile_sets<3>(count, seed)) {
        const auto d = delaunay3(set.points);
        ASSERT_TRUE(d.ok());
        expect_valid(set.name, set.points, *d, true);
      }
}

TEST(Delaunay3, LargeHostileSetsAreLocallyDelaunay) {
  for (const auto& set : hostile_sets<3>(600, 5)) {
    const auto d = delaunay3(set.points);
    ASSERT_TRUE(d.ok());
    EXPECT_EQ(d->dimension, 3) << set.name;
    expect_valid(set.name, set.points, *d, false);
  }
  const auto uniform = random_points<3>(5000, 3);
  const auto d = delaunay3(uniform);
  ASSERT_TRUE(d.ok());
  expect_valid("uniform", uniform, *d, false);
}

// Oracle: the volume of the grid is known, and all of its sums are exact in double
TEST(Delaunay3, GridsAndCosphericalPoints) {
  std::vector<Vec3d> points;
  for (int z = 0; z <= 6; ++z)
    for (int y = 0; y <= 8; ++y)
      for (int x = 0; x <= 10; ++x) points.push_back({double(x), double(y), double(z)});
  const auto d = delaunay3(points);
  ASSERT_TRUE(d.ok());
  expect_valid("grid", points, *d, true);
  double six = 0;
  for (const auto& t : d->tetrahedra) {
    const Vec3d a = points[t[0]];
    six += dot(cross(points[t[1]] - a, points[t[2]] - a), points[t[3]] - a);
  }
  EXPECT_EQ(six, 6.0 * 6 * 8 * 10);

  // The 12 corners of a cuboctahedron and its centre, in many orders
  std::vector<Vec3d> cuboctahedron = {{0, 0, 0}};
  for (int s = -1; s <= 1; s += 2)
    for (int t = -1; t <= 1; t += 2)
      for (const Vec3d& c :
           {Vec3d{double(s), double(t), 0}, Vec3d{0, double(s), double(t)}, Vec3d{double(t), 0, double(s)}})
        cuboctahedron.push_back(c);
  Random random(campaign_seed(9));
  for (std::size_t round = 0; round < soak(50); ++round) {
    for (std::size_t i = cuboctahedron.size() - 1; i > 0; --i)
      std::swap(cuboctahedron[i], cuboctahedron[random.below(i + 1)]);
    const auto c = delaunay3(cuboctahedron);
    ASSERT_TRUE(c.ok());
    expect_valid("cuboctahedron", cuboctahedron, *c, true);
    double volume = 0;
    for (const auto& t : c->tetrahedra) {
      const Vec3d a = cuboctahedron[t[0]];
      volume += dot(cross(cuboctahedron[t[1]] - a, cuboctahedron[t[2]] - a), cuboctahedron[t[3]] - a);
    }
    EXPECT_EQ(volume, 6 * 20.0 / 3);
  }
}

// Many small degenerate sets: 4 × 4 × 4 lattices with random choices of their points
TEST(Delaunay3, SmallLatticesInBulk) {
  Random random(campaign_seed(17));
  for (std::size_t round = 0; round < soak(1500); ++round) {
    std::vector<Vec3d> points(4 + random.below(14));
    const std::uint64_t side = 2 + random.below(3);
    for (Vec3d& p : points) p = random_grid_point<3>(random, side);
    const auto d = delaunay3(points);
    ASSERT_TRUE(d.ok());
    expect_valid("lattice", points, *d, true);
  }
}

TEST(Delaunay3, LowerDimensions) {
  const auto one = delaunay3(std::vector<Vec3d>(7, Vec3d{1, 2, 3}));
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->dimension, 0);
  EXPECT_EQ(one->first_of, std::vector<std::uint32_t>(7, 0));

  std::vector<Vec3d> line;
  for (int i = 0; i < 40; ++i) line.push_back(Vec3d{1, -2, 3} * double((i * 7) % 20));
  const auto collinear = delaunay3(line);
  ASSERT_TRUE(collinear.ok());
  EXPECT_EQ(collinear->dimension, 1);
  EXPECT_EQ(collinear->edges.size(), 19u);
  for (const auto& e : collinear->edges) EXPECT_EQ(line[e[1]] - line[e[0]], (Vec3d{1, -2, 3}));

  // A lattice in a tilted plane. Oracle: an empty ball above each triangle, by a far point on its axis, and the area.
  const Vec3d u{2, 1, 0}, v{-1, 2, 3}, origin{5, -4, 7};
  std::vector<Vec3d> plane;
  Random random(campaign_seed(5));
  for (int i = 0; i < 60; ++i) plane.push_back(origin + u * double(random.below(8)) + v * double(random.below(8)));
  for (int i : {0, 7})
    for (int j : {0, 7}) plane.push_back(origin + u * double(i) + v * double(j));
  const auto flat = delaunay3(plane);
  ASSERT_TRUE(flat.ok());
  EXPECT_EQ(flat->dimension, 2);
  EXPECT_TRUE(flat->tetrahedra.empty());
  const Vec3d normal = cross(u, v);
  double area = 0;
  for (const auto& t : flat->triangles) {
    const Vec3d a = plane[t[0]], b = plane[t[1]], c = plane[t[2]];
    area += dot(cross(b - a, c - a), normal) / dot(normal, normal);
    const double side = orient3d(a, b, c, a + normal);
    for (const Vec3d& q : plane) EXPECT_LE(side * insphere(a, b, c, a + normal, q), 0);
  }
  EXPECT_NEAR(std::fabs(area), 2 * 49, 1e-9);
}

TEST(Delaunay3, BadInputIsNamed) {
  const auto error_of = [](const std::vector<Vec3d>& points) {
    const auto result = delaunay3(points);
    EXPECT_FALSE(result.ok());
    return result.ok() ? Error{ErrorCode::unsupported} : result.error();
  };
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of({}), (Error{ErrorCode::empty_input}));
  EXPECT_EQ(error_of({{0, 0, 0}, {1, -inf, 0}}), (Error{ErrorCode::non_finite, 1}));
  EXPECT_EQ(error_of({{0, 0, std::nan("")}, {1, 0, 0}}), (Error{ErrorCode::non_finite, 0}));
  const Vec3d p;
  const auto huge = delaunay3(std::span<const Vec3d>(&p, (std::size_t{1} << 29) + 1));
  ASSERT_FALSE(huge.ok());
  EXPECT_EQ(huge.error().code, ErrorCode::too_large);
}

TEST(Delaunay3, TheTraceReplaysToTheResult) {
  auto points = random_points<3>(40, 11);
  points[30] = points[3];
  TraceLog log;
  const auto traced = delaunay3(points, TraceTo{&log}), silent = delaunay3(points);
  ASSERT_TRUE(traced.ok() && silent.ok());
  EXPECT_EQ(traced->tetrahedra, silent->tetrahedra);
  std::set<std::vector<std::uint32_t>> alive;
  for (const auto& e : log.entries()) {
    std::vector<std::uint32_t> ids = e.ids;
    std::sort(ids.begin(), ids.end());
    if (e.step == "add") {
      EXPECT_TRUE(alive.insert(ids).second);
    }
    if (e.step == "remove") {
      EXPECT_EQ(alive.erase(ids), 1u);
    }
  }
  EXPECT_EQ(alive.size(), silent->tetrahedra.size());
}

TEST(Delaunay3, NeighboursAreTheEdges) {
  const std::vector<Vec3d> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  const auto d = delaunay3(points);
  ASSERT_TRUE(d.ok());
  const auto n = delaunay_neighbours(*d);
  ASSERT_TRUE(n.ok());
  EXPECT_EQ(std::vector<std::uint32_t>(n->of(1).begin(), n->of(1).end()), (std::vector<std::uint32_t>{0, 2, 3}));
  EXPECT_TRUE(n->of(4).empty());
}
