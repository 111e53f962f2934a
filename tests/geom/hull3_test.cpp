#include "tests/geom/hull_points.hpp"
#include "tests/support/hard_case.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/geom/hull3.hpp>
#include <sudar/geom/hull3_cone.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/math/tolerance.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

using namespace sudar;
using namespace sudar_test;

namespace {

const HullOptions kMerged{.merge_coplanar = true};

using Triple = std::array<double, 3>;
Triple triple(const Vec3d& p) { return {p.x, p.y, p.z}; }

std::set<Triple> vertex_set(const Hull3& hull) {
  std::set<Triple> set;
  for (const Vec3d& v : hull.vertices) set.insert(triple(v));
  return set;
}

// Both algorithms, triangles and merged: each a valid hull, and the same
void expect_hulls(const Cloud& points, const std::string& name, int dimension) {
  SCOPED_TRACE(name);
  const auto quick = quickhull3(points), plain = incremental_hull3(points, {.seed = 7});
  const auto quick_merged = quickhull3(points, kMerged);
  const auto plain_merged = incremental_hull3(points, {.merge_coplanar = true, .seed = 8});
  ASSERT_TRUE(quick && plain && quick_merged && plain_merged);
  for (const Hull3* hull : {&*quick, &*plain, &*quick_merged, &*plain_merged}) {
    EXPECT_EQ(hull->dimension, dimension);
    const auto valid = validate(*hull, points);
    EXPECT_TRUE(valid) << valid.error().message();
  }
  EXPECT_TRUE(same_hull(*quick, *plain));
  EXPECT_TRUE(same_hull(*quick_merged, *plain_merged));
  EXPECT_EQ(vertex_set(*quick), vertex_set(*quick_merged));
  if (dimension == 3) {
    EXPECT_EQ(quick->face_count(), 2 * quick->vertex_count() - 4);
    // Two merged faces that share an edge are not coplanar
    for (const HalfEdge& e : quick_merged->edges) {
      const std::uint32_t f = e.face, g = quick_merged->edges[e.twin].face;
      const auto corner = [&](std::uint32_t face, std::uint32_t i) {
        return quick_merged->vertices[quick_merged->face_vertex(face, i)];
      };
      bool bent = false;
      for (std::uint32_t i = 0; i < 3; ++i)
        bent |= orient3d(corner(f, 0), corner(f, 1), corner(f, 2), corner(g, i)) < 0;
      EXPECT_TRUE(bent);
    }
  }
}

// Facets by exact enumeration of supporting planes, each as the set of its extreme points
std::set<std::set<Triple>> brute_force_facets(Cloud points) {
  std::sort(points.begin(), points.end(), [](const Vec3d& a, const Vec3d& b) { return triple(a) < triple(b); });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  const std::size_t n = points.size();
  std::set<std::set<std::size_t>> facets;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = i + 1; k < n; ++k) {
        if (j <= i || j == k) continue;
        std::set<std::size_t> on;
        bool supporting = true, body = false;
        for (std::size_t m = 0; m < n && supporting; ++m) {
          const int side = orient3d(points[i], points[j], points[k], points[m]);
          supporting = side <= 0;
          body |= side < 0;
          if (side == 0) on.insert(m);
        }
        if (supporting && body) facets.insert(on);
      }
  // A point is extreme when at least three facets meet in it alone
  std::set<std::set<Triple>> result;
  std::vector<std::set<std::size_t>> meet(n);
  std::vector<bool> seen(n);
  for (const auto& facet : facets)
    for (const std::size_t m : facet) {
      if (!seen[m]) meet[m] = facet;
      seen[m] = true;
      std::set<std::size_t> both;
      std::set_intersection(meet[m].begin(), meet[m].end(), facet.begin(), facet.end(),
                            std::inserter(both, both.begin()));
      meet[m] = both;
    }
  for (const auto& facet : facets) {
    std::set<Triple> corners;
    for (const std::size_t m : facet)
      if (meet[m].size() == 1) corners.insert(triple(points[m]));
    result.insert(corners);
  }
  return result;
}

std::set<std::set<Triple>> facets_of(const Hull3& hull) {
  std::set<std::set<Triple>> result;
  for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
    std::set<Triple> corners;
    for (const std::uint32_t v : face_vertices(hull, f)) corners.insert(triple(hull.vertices[v]));
    result.insert(corners);
  }
  return result;
}

}  // namespace

TEST(Hull3, CubeWithPointsOnFacesEdgesAndInside) {
  const Cloud points = grid(3);
  const auto hull = quickhull3(points, kMerged);
  ASSERT_TRUE(hull);
  EXPECT_EQ(hull->source, (std::vector<std::uint32_t>{0, 2, 6, 8, 18, 20, 24, 26}));
  EXPECT_EQ(hull->face_count(), 6u);
  EXPECT_EQ(hull->edge_count(), 12u);
  EXPECT_EQ(euler_characteristic(*hull), 2);
  std::set<Triple> normals;
  for (std::uint32_t f = 0; f < 6; ++f) {
    EXPECT_EQ(hull->face_degree(f), 4u);
    const auto& plane = hull->planes[f];
    normals.insert(triple(plane.normal + Vec3d{}));
    EXPECT_EQ(plane.offset, plane.normal.x + plane.normal.y + plane.normal.z > 0 ? 2 : 0);
  }
  EXPECT_EQ(normals, (std::set<Triple>{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}));
  EXPECT_EQ(quickhull3(points)->face_count(), 12u);
}

TEST(Hull3, RegularBodiesHaveTheirCounts) {
  const double g = (1 + std::sqrt(5.0)) / 2;
  const auto counts = [](const Cloud& points) {
    const auto hull = quickhull3(points, kMerged);
    return std::array<std::uint32_t, 3>{hull->vertex_count(), hull->edge_count(), hull->face_count()};
  };
  using Counts = std::array<std::uint32_t, 3>;
  EXPECT_EQ(counts({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}), (Counts{4, 6, 4}));
  EXPECT_EQ(counts({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}), (Counts{6, 12, 8}));
  Cloud icosahedron, cuboctahedron;
  for (const double s : {-1.0, 1.0})
    for (const double t : {-1.0, 1.0}) {
      for (const Vec3d& p : {Vec3d{0, s, t * g}, Vec3d{s, t * g, 0}, Vec3d{t * g, 0, s}}) icosahedron.push_back(p);
      for (const Vec3d& p : {Vec3d{0, s, t}, Vec3d{s, t, 0}, Vec3d{t, 0, s}}) cuboctahedron.push_back(p);
    }
  EXPECT_EQ(counts(icosahedron), (Counts{12, 30, 20}));
  EXPECT_EQ(counts(cuboctahedron), (Counts{12, 24, 14}));
}

TEST(Hull3, LowerDimensionsAreAnswers) {
  expect_hulls({{1, 2, 3}}, "one point", 0);
  expect_hulls(Cloud(100, Vec3d{1, 2, 3}), "a hundred equal points", 0);
  expect_hulls({{1, 2, 3}, {4, 5, 6}}, "two points", 1);
  expect_hulls({{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {2, 2, 2}, {-1, -1, -1}, {3, 3, 3}}, "collinear", 1);
  expect_hulls({{0, 0, 0}, {0, 0, 1e-300}, {0, 0, 1e300}, {0, 0, -5}}, "collinear over the whole range", 1);
  expect_hulls({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "a triangle", 2);
  Cloud flat = lattice(200, 4, 6);
  for (Vec3d& p : flat) p = {p.x, p.y, 2 * p.x - 3 * p.y + 1};
  expect_hulls(flat, "a tilted lattice", 2);
  for (int axis = 0; axis < 3; ++axis) {
    Cloud wall = cube(100, 5);
    for (Vec3d& p : wall) p[axis] = 0.1;
    expect_hulls(wall, "a wall", 2);
  }
  EXPECT_EQ(quickhull3(Cloud(100, Vec3d{1, 2, 3}))->source, std::vector<std::uint32_t>{0});
  const auto square = quickhull3(Cloud{{0, 0, 1}, {1, 0, 1}, {0.5, 0.5, 1}, {1, 1, 1}, {0, 1, 1}, {0.5, 0, 1}});
  EXPECT_EQ(square->source, (std::vector<std::uint32_t>{0, 1, 3, 4}));
  EXPECT_EQ(square->face_count(), 2u);
  EXPECT_EQ(square->planes[0].normal, -square->planes[1].normal);
  EXPECT_EQ(std::fabs(square->planes[0].normal.z), 1);
}

// HU-22, HU-23 and HU-24: eleven points of a line, a hundred of a plane, a thousand of a box; what is flat is an answer
TEST(Hull3, HardCases) {
  sudar_test::HardCases cases;
  const auto expect_counts = [&](const char* id, const Cloud& points, std::uint32_t vertices, std::uint32_t faces) {
    SCOPED_TRACE(id);
    cases.put(id);
    for (const auto& hull : {quickhull3(points, kMerged), incremental_hull3(points, kMerged)}) {
      ASSERT_TRUE(hull.ok());
      EXPECT_EQ(hull->vertex_count(), vertices);
      EXPECT_EQ(hull->face_count(), faces);
      EXPECT_TRUE(validate(*hull, points).ok());
      for (const auto& plane : hull->planes) EXPECT_TRUE(is_finite(plane.normal) && std::isfinite(plane.offset));
    }
  };
  const std::vector<double> x = cases.numbers("HU-22", "points");
  Cloud line, flat, box;
  for (std::size_t i = 0; i < x.size(); i += 3) line.push_back({x[i], x[i + 1], x[i + 2]});
  ASSERT_EQ(line.size(), 11u);
  for (int i = 0; i < 1000; ++i) {
    const double a = i % 10, b = i / 10 % 10, c = i / 100;
    box.push_back({0.1 * a, 1 + 0.2 * b, 0.6 * c});
    if (i < 100) flat.push_back({0.1 * a, 0, 0.2 * b});
  }
  expect_counts("HU-22", line, 2, 0);
  const auto ends = quickhull3(line);
  EXPECT_EQ(ends->source, (std::vector<std::uint32_t>{0, 10}));
  expect_counts("HU-23", flat, static_cast<std::uint32_t>(cases.number("HU-23", "vertices")),
                static_cast<std::uint32_t>(cases.number("HU-23", "faces")));
  expect_counts("HU-24", box, static_cast<std::uint32_t>(cases.number("HU-24", "vertices")),
                static_cast<std::uint32_t>(cases.number("HU-24", "faces")));
}

TEST(Hull3, BadInputIsNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const Vec3d p{};
  const auto each = [&](auto&& hull_of) {
    EXPECT_EQ(hull_of(std::span<const Vec3d>()).error().code, ErrorCode::empty_input);
    EXPECT_EQ(hull_of(Cloud{{0, 0, 0}, {1, 0, nan}}).error(), (Error{ErrorCode::non_finite, 1}));
    EXPECT_EQ(hull_of(Cloud{{0, 0, 0}, {1, 0, 0}, {0, -inf, 0}, {nan, 0, 0}}).error(),
              (Error{ErrorCode::non_finite, 2}));
    EXPECT_EQ(hull_of(std::span<const Vec3d>(&p, kMaxHullPoints + 1)).error().code, ErrorCode::too_large);
  };
  each([](std::span<const Vec3d> points) { return quickhull3(points); });
  each([](std::span<const Vec3d> points) { return incremental_hull3(points); });
}

TEST(Hull3, FacetsAreTheSupportingPlanesOfBruteForce) {
  Random random(campaign_seed(11));
  for (std::size_t round = 0; round < soak(300); ++round) {
    const std::size_t n = 4 + random.below(11);
    // Few coordinates: coplanar, collinear and equal points; or steps of one unit in the last place around 1
    Cloud points = lattice(n, round, 2 + round % 3);
    if (round % 3 == 1)
      for (Vec3d& p : points) p = p * 0x1p-52 + Vec3d{1, 1, 1};
    if (round % 3 == 2) points = cube(n, round);
    const auto hull = quickhull3(points, kMerged), plain = incremental_hull3(points, kMerged);
    ASSERT_TRUE(hull && plain);
    EXPECT_TRUE(same_hull(*hull, *plain));
    if (hull->dimension < 3) continue;
    EXPECT_EQ(facets_of(*hull), brute_force_facets(points));
  }
}

TEST(Hull3, BothAlgorithmsAgreeOnRandomSets) {
  for (std::uint64_t seed = 0; seed < soak(3); ++seed) {
    expect_hulls(ball(3000, seed), "ball", 3);
    expect_hulls(sphere(1500, seed), "sphere", 3);
    expect_hulls(cube_with_duplicates(3000, seed), "cube", 3);
    expect_hulls(lattice(2000, seed, 12), "lattice", 3);
  }
}

TEST(Hull3, HostileSetsAreExact) {
  for (const NamedCloud& c : hostile_bodies()) expect_hulls(c.points, c.name, 3);
}

TEST(Hull3, EveryCosphericalAndCocircularPointIsAVertex) {
  for (const NamedCloud& c : hostile_bodies()) {
    if (c.name != "cospherical" && c.name != "prism") continue;
    EXPECT_EQ(quickhull3(c.points)->vertex_count(), c.points.size()) << c.name;
  }
}

TEST(Hull3, OrderOfInputDoesNotMatter) {
  Random random(campaign_seed(12));
  for (const Cloud& points : {ball(500, 1), lattice(400, 2, 6), grid(5), sphere(300, 3)}) {
    const auto hull = quickhull3(points);
    Cloud shuffled = points;
    for (std::size_t i = shuffled.size(); i > 1; --i) std::swap(shuffled[i - 1], shuffled[random.below(i)]);
    const auto other = quickhull3(shuffled);
    EXPECT_TRUE(same_hull(*hull, *other));
    EXPECT_TRUE(same_hull(*hull, *incremental_hull3(shuffled, {.seed = 99})));
  }
}

TEST(Hull3, PowersOfTwoDoNotMatter) {
  for (const Cloud& points : {ball(500, 1), lattice(400, 2, 6), sphere(300, 3)}) {
    const auto hull = quickhull3(points);
    Cloud scaled = points;
    for (Vec3d& p : scaled) p = {p.x * 0x1p600, p.y * 0x1p-400, p.z * 0x1p10};
    const auto other = quickhull3(scaled);
    EXPECT_EQ(hull->source, other->source);
    EXPECT_TRUE(validate(*other, scaled));
  }
}

TEST(Hull3, PlanesBoundTheirHull) {
  std::vector<NamedCloud> clouds = hostile_bodies();
  clouds.push_back({"ball", ball(2000, 1)});
  clouds.push_back({"sphere", sphere(800, 1)});
  for (const NamedCloud& c : clouds) {
    if (c.name == "corners of the number range") continue;  // offsets would overflow
    for (const HullOptions& options : {HullOptions{}, kMerged}) {
      const auto hull = quickhull3(c.points, options);
      double largest = 0;
      for (const Vec3d& p : hull->vertices) largest = std::max(largest, max_abs(p));
      for (std::uint32_t f = 0; f < hull->face_count(); ++f) {
        const auto& plane = hull->planes[f];
        EXPECT_NEAR(length(plane.normal), 1, 1e-14) << c.name;
        for (const std::uint32_t v : face_vertices(*hull, f))
          EXPECT_LE(signed_distance(plane, hull->vertices[v]), 0) << c.name;
        double worst = -1;
        for (const Vec3d& v : hull->vertices) worst = std::max(worst, signed_distance(plane, v) / largest);
        EXPECT_LE(worst, kHullPlaneSlack) << c.name << " face " << f;
      }
    }
  }
}

TEST(Hull3, ValidationFindsEveryKindOfDamage) {
  Cloud points = ball(300, 21);
  const Hull3 good = *quickhull3(points);
  ASSERT_TRUE(validate(good, points));
  ASSERT_TRUE(validate(good, points, false));
  const auto code = [&](const Hull3& hull) { return validate(hull, points).error().code; };

  Hull3 bad = good;
  bad.edges[5].twin = bad.edges[6].twin;
  EXPECT_EQ(code(bad), ErrorCode::not_manifold);
  bad = good;
  bad.edges[0].origin = (bad.edges[0].origin + 1) % bad.vertex_count();
  EXPECT_EQ(code(bad), ErrorCode::not_manifold);
  bad = good;
  bad.source[3] = bad.source[4];
  EXPECT_EQ(code(bad), ErrorCode::not_manifold);
  bad = good;
  bad.face_edge.pop_back();
  EXPECT_EQ(code(bad), ErrorCode::not_manifold);

  // Edges of no face point anywhere
  bad = good;
  bad.face_edge.clear();
  bad.planes.clear();
  for (HalfEdge& e : bad.edges) e.twin = e.next = 0x7fffffff;
  EXPECT_EQ(code(bad), ErrorCode::not_manifold);
  const Cloud ends = {{0, 0, 0}, {1, 0, 0}};
  Hull3 segment = *quickhull3(ends);
  segment.edges.resize(2);
  EXPECT_EQ(validate(segment, ends).error().code, ErrorCode::not_manifold);

  // A point that was not there when the hull was built
  points.push_back({2, 0, 0});
  EXPECT_EQ(validate(good, points).error(), (Error{ErrorCode::not_convex, 300}));
  EXPECT_EQ(validate(good, points, false).error(), (Error{ErrorCode::not_convex, 300}));
  // A vertex that is not extreme: the middle of a facet, fanned
  const Cloud pyramid = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {1, 1, 0}, {0, 0, 3}};
  Hull3 fan;
  fan.dimension = 3;
  fan.vertices = pyramid;
  fan.source = {0, 1, 2, 3, 4};
  const std::uint32_t faces[6][3] = {{1, 0, 3}, {2, 1, 3}, {0, 2, 3}, {0, 1, 4}, {1, 2, 4}, {2, 0, 4}};
  for (std::uint32_t f = 0; f < 6; ++f) {
    fan.face_edge.push_back(3 * f);
    for (std::uint32_t i = 0; i < 3; ++i) fan.edges.push_back({0, 3 * f + (i + 1) % 3, faces[f][i], f});
  }
  for (std::uint32_t e = 0; e < 18; ++e)
    for (std::uint32_t t = 0; t < 18; ++t)
      if (fan.edges[e].origin == fan.destination(t) && fan.edges[t].origin == fan.destination(e)) fan.edges[e].twin = t;
  fan.planes.resize(6);
  EXPECT_EQ(validate(fan, pyramid).error(), (Error{ErrorCode::not_convex, 3}));
}

TEST(Hull3, ValidationAgreesWithEveryPointAgainstEveryFace) {
  for (const NamedCloud& c : hostile_bodies()) {
    const auto hull = quickhull3(c.points);
    EXPECT_TRUE(validate(*hull, c.points, false)) << c.name;
    // Take one vertex away and see both find it missing
    Cloud fewer = c.points;
    const Vec3d lost = hull->vertices.back();
    std::erase(fewer, lost);
    const auto smaller = quickhull3(fewer);
    if (smaller->dimension < 3) continue;
    fewer.push_back(lost);
    const auto pruned = validate(*smaller, fewer), full = validate(*smaller, fewer, false);
    ASSERT_FALSE(pruned);
    EXPECT_EQ(pruned.error(), full.error()) << c.name;
  }
}

TEST(Hull3, ThePassedBarsOfTheBenchmark) {
  // Full size under SUDAR_SOAK, a tenth otherwise; validate holds every point against every face
  const std::size_t n = soak(1) > 1 ? 100000 : 10000;
  for (const Cloud& points : {ball(n, 1), sphere(n, 2), cube_with_duplicates(n, 3)}) {
    const auto hull = quickhull3(points);
    ASSERT_TRUE(hull);
    EXPECT_TRUE(validate(*hull, points));
    if (soak(1) > 1) {
      EXPECT_TRUE(validate(*hull, points, false));
    }
  }
}

TEST_SIMD(Hull3, TheConeTestBySimdHasTheBitsOfItsTwin) {
  using namespace hull3_detail;
  Random random(campaign_seed(41));
  const Cloud points = lattice(500, 41, 4);
  std::vector<std::uint32_t> ids(points.size());
  for (std::uint32_t i = 0; i < ids.size(); ++i) ids[i] = i;
  for (const std::size_t planes : {1u, 3u, 4u, 7u, 8u, 9u, 16u, 21u, 64u, 100u}) {
    HullCone cone;
    cone.resize(planes);
    for (std::size_t k = 0; k < planes; ++k) {
      const auto at = [&] { return points[random.below(points.size())]; };
      const HullPlane plane(at(), at(), at());
      cone.set(k, plane.normal, plane.offset, plane.bound);
    }
    std::vector<InFront> fast(points.size()), plain(points.size());
    const std::size_t found = find_in_front(cone, points.data(), ids, fast.data());
    ASSERT_EQ(found, find_in_front_scalar(cone, points.data(), ids, plain.data()));
    for (std::size_t i = 0; i < found; ++i) {
      EXPECT_EQ(fast[i].id, plain[i].id);
      EXPECT_EQ(fast[i].place, plain[i].place);
      if (fast[i].place == InFront::kUnsure) continue;
      EXPECT_EQ(fast[i].height, plain[i].height);
    }
  }
}

TEST(Hull3, TraceTellsEveryStepAndChangesNothing) {
  const Cloud points = ball(200, 31);
  const auto check = [&](auto&& hull_of) {
    TraceLog log;
    const auto hull = hull_of(TraceTo{&log});
    ASSERT_TRUE(hull);
    EXPECT_TRUE(same_hull(*hull, *quickhull3(points)));
    ASSERT_GT(log.entries().size(), 4u);
    EXPECT_EQ(log.entries()[0].step, "initial tetrahedron");
    EXPECT_EQ(log.entries()[0].ids.size(), 4u);
    // Four events a point; the face count that they tell is that of the result
    std::size_t faces = 4;
    const char* const steps[] = {"chosen point", "visible faces", "horizon", "new faces"};
    for (std::size_t i = 1; i < log.entries().size(); ++i) {
      const auto& e = log.entries()[i];
      EXPECT_EQ(e.step, steps[(i - 1) % 4]);
      if (e.step == "visible faces") faces -= e.ids.size() / 3;
      if (e.step != "new faces") continue;
      faces += e.ids.size() / 3;
      EXPECT_EQ(e.ids.size(), 3 * log.entries()[i - 1].ids.size());
    }
    EXPECT_EQ(faces, hull->face_count());
  };
  check([&](TraceTo trace) { return quickhull3(points, {}, trace); });
  check([&](TraceTo trace) { return incremental_hull3(points, {}, trace); });
  TraceLog log;
  ASSERT_TRUE(quickhull3(Cloud{{0, 0, 0}, {1, 0, 0}}, {}, TraceTo{&log}));
  ASSERT_EQ(log.entries().size(), 1u);
  EXPECT_EQ(log.entries()[0].step, "flat hull");
}
