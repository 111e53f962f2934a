#include "scenes/near_triangles.hpp"
#include "tests/geom/integer_hull.hpp"
#include "tests/narrowphase/triangle_oracle.hpp"
#include "tests/support/counts.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/geom/projection.hpp>
#include <sudar/narrowphase/placed_triangles.hpp>
#include <sudar/narrowphase/triangle_triangle.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

using namespace sudar;
using scenes::near_pair;
using scenes::shaken;
using scenes::triangle_of_cube;
using sudar_test::campaign_seed;
using sudar_test::common_set;
using sudar_test::count_cases;
using sudar_test::hulls_meet;
using sudar_test::Int3;
using sudar_test::random_point;
using sudar_test::soak;
using Tri = Triangle<3, double>;

namespace {

constexpr int kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
Tri reordered(const Tri& t, int order) {
  const int* o = kOrders[order];
  return {t[o[0]], t[o[1]], t[o[2]]};
}
double size_of(const Tri& t) { return std::max({max_abs(t.a), max_abs(t.b), max_abs(t.c)}); }
bool is_flat(const Tri& t) { return collinear(t.a, t.b, t.c); }

ContactKind kind_of(std::size_t count) {
  return count > 2    ? ContactKind::polygon
         : count == 2 ? ContactKind::segment
         : count == 1 ? ContactKind::point
                      : ContactKind::none;
}

// The decision and the set in one order of the corners against the rational oracle
void expect_like_oracle(const Tri& a, const Tri& b, double tolerance = 1e-12) {
  const auto expected = common_set(a, b);
  EXPECT_EQ(intersects_exact(a, b), !expected.empty());
  const TriangleIntersection seen = intersection_exact(a, b);
  ASSERT_EQ(static_cast<bool>(seen), !expected.empty());
  if (is_flat(a)) return;
  EXPECT_EQ(seen.kind, kind_of(expected.size()));
  ASSERT_EQ(static_cast<std::size_t>(seen.count), expected.size());
  const double slack = tolerance * std::max(size_of(a), size_of(b));
  for (const auto& p : expected) {
    double nearest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < seen.count; ++i) {
      double off = 0;
      for (int k = 0; k < 3; ++k)
        off = std::max(off, std::fabs(static_cast<double>(sudar_test::Rational(seen.points[i][k]) - p[k])));
      nearest = std::min(nearest, off);
    }
    EXPECT_LE(nearest, slack);
  }
}
void expect_same_in_all_orders(const Tri& a, const Tri& b, bool expected) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      const Tri p = reordered(a, i), q = reordered(b, j);
      ASSERT_EQ(intersects_exact(p, q), expected) << i << ' ' << j;
      ASSERT_EQ(intersects_exact(q, p), expected) << i << ' ' << j;
      const TriangleIntersection x = intersection_exact(p, q), y = intersection_exact(q, p);
      ASSERT_EQ(static_cast<bool>(x), expected) << i << ' ' << j;
      if (is_flat(a) || is_flat(b)) continue;
      ASSERT_EQ(x.kind, y.kind);
      ASSERT_EQ(x.count, y.count);
    }
}

struct HardCase {
  const char* id;
  Tri a, b;
  bool hit;
  int coplanar;  // -1: not said
  int count;     // of the points in common; 0: not said
};
// Numbers with known answers from reports of failures in other libraries and from exact arithmetic
// clang-format off
const HardCase kHardCases[] = {
    {"TT-01", {{76.648, 54.6752, 15.0012}, {76.648, 54.6752, 14.5542}, {76.582, 54.6752, 14.7879}}, {{76.6252, 54.6752, 14.892}, {76.582, 54.6752, 14.7879}, {76.5617, 54.6752, 14.7929}}, true, 1, 0},
    {"TT-03", {{5.0, -94.6659, 3.85175}, {5.0, -94.5682, 3.08638}, {5.0, -94.8182, 3.08638}}, {{5.0, -94.4317, 3.76399}, {5.0, -97.6182, 3.08638}, {5.0, -94.5659, 2.99682}}, true, 1, 4},
    {"TT-05", {{-34.8937, -16.0351, 3.13349e-12}, {-34.8937, -18.5351, 3.13349e-12}, {-42.3937, -16.0351, 3.13349e-12}}, {{-34.8937, -32.0351, 3.13349e-12}, {-34.8937, -9.78514, 3.13349e-12}, {-31.6437, -17.2018, 3.13349e-12}}, true, 1, 2},
    {"TT-06", {{-955.858, -45.032, -0.016}, {-955.856, -45.032, -0.004}, {-955.856, -45.032, -0.002}}, {{-955.856, -45.032, 0.006}, {-955.854, -45.032, -0.002}, {-955.876, -45.032, -0.034}}, true, 1, 4},
    {"TT-09", {{32.22699737548828, 1.2630000114440918, -11.8149995803833}, {31.316997528076172, 1.2630000114440918, -11.739999771118164}, {32.22699737548828, 1.2630000114440918, -11.739999771118164}}, {{31.316997528076172, 1.933000087738037, -7.585000038146973}, {31.316997528076172, -0.8669999837875366, -7.295000076293945}, {31.316997528076172, -0.8669999837875366, -7.585000038146973}}, false, 0, 0},
    {"TT-10", {{-5.781455993652344, -7.291503906249993, -30.0}, {-5.781455993652344, -7.291503906250007, 30.0}, {0.0, -7.291503906249993, -30.0}}, {{-5.781455993652344, -7.29150390625, -4.098872661590576}, {-6.386039733886719, -11.163619995117188, -4.485982418060303}, {13.468360900878906, -6.142303466796875, -4.028029918670654}}, true, 0, 0},
    {"TT-11", {{-15.430519104003906, 29.432968139648445, -25.0}, {-15.430519104003906, 29.43296813964843, 25.0}, {0.0, 29.432968139648445, -25.0}}, {{-4.854911804199219, 36.03794860839844, 0.0777292251586914}, {-15.430519104003906, 29.432968139648438, -1.905876636505127}, {-16.118995666503906, 26.96272277832031, -2.8487582206726074}}, true, 0, 0},
    {"TT-13", {{-13.174434, 1.0, 8.736801}, {3.5251038, 1.0, 12.1}, {3.2048466, 1.0, 12.218325}}, {{-1.63, 0.0, 11.19}, {-2.349647, 0.0, 11.037681}, {-2.349647, 1.0, 11.037681}}, false, 0, 0},
    {"TT-14", {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, true, 1, 0},
    {"TT-17", {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, {{0.25, 0.25, 2.220446049250313e-16}, {1.0, 1.0, 5.0}, {2.0, 0.0, 7.0}}, false, 0, 0},
    {"TT-18", {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, {{0.5, 0.5, -1.0}, {0.5, 0.5, 1.0}, {3.0, 3.0, 0.0}}, true, 0, 1},
    {"TT-19", {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, {{0.0, 0.0, 1.0}, {1.0, 0.0, 1.0}, {0.0, 1.0, 1.0}}, false, 0, 0},
    {"TT-20", {{0.0, 0.0, 0.0}, {1000000.0, 0.0, 0.0}, {1000000.0, 1e-06, 0.0}}, {{500000.0, 4e-07, 0.0}, {500000.0, 1.0, 1.0}, {500000.0, 1.0, -1.0}}, true, 0, 0},
    {"TT-21", {{0.0, 0.0, 0.0}, {1000000.0, 0.0, 0.0}, {1000000.0, 1e-06, 0.0}}, {{500000.0, 6e-07, 0.0}, {500000.0, 1.0, 1.0}, {500000.0, 1.0, -1.0}}, false, 0, 0},
    {"TT-22", {{0.25, 0.25, 0.0}, {0.25, 0.25, 0.0}, {0.25, 0.25, 0.0}}, {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, true, -1, 0},
    {"TT-24", {{-1.0, 0.25, 1e-300}, {2.0, 0.25, 1e-300}, {0.5, 0.25, 1e-300}}, {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, false, -1, 0},
    {"TT-25", {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, {{1.0, 1.0, 0.0}, {2.0, 1.0, 0.0}, {1.0, 2.0, 0.0}}, false, 1, 0},
    {"TT-26", {{0.0, 1000.0, 0.0}, {0.0, 1000.0, 1000.0}, {1000.0, 1000.0, 1000.0}}, {{375.0, 775.0, 625.0}, {375.0, 1025.0, 625.0}, {625.0, 1025.0, 625.0}}, true, 0, 0},
    {"TT-28", {{0.0, 0.0, 0.0}, {0.0001, 0.0, 0.0}, {0.0, 0.0001, 0.0}}, {{-1000000.0, -1000000.0, -1000000.0}, {1000000.0, 1000000.0, 1000000.0}, {1000000.0, -1000000.0, 3000000.0}}, true, 0, 0},
};
// clang-format on

}  // namespace

// Oracle: integers, Carathéodory. A small lattice, so that most pairs touch, are coplanar, collinear or flat; sizes at
// which products over- and underflow.
TEST(TriangleTriangle, ExactOnALattice) {
  Random random(campaign_seed(31));
  constexpr double kScales[] = {1, 0x1p-900, 0x1p900, 0x1p-1040};
  std::size_t hits = 0, misses = 0;
  const std::size_t count = soak(20000);
  for (std::size_t n = 0; n < count; ++n) {
    const std::int64_t reach = 1 + static_cast<std::int64_t>(random.below(3));
    const bool flat = random.below(3) == 0;
    Int3 p[6];
    for (Int3& q : p) {
      for (int k = 0; k < 3; ++k)
        q[k] = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * reach + 1))) - reach;
      // A tilted plane
      if (flat) q.z = q.x - 2 * q.y;
    }
    const bool expected = hulls_meet({p[0], p[1], p[2]}, {p[3], p[4], p[5]});
    ++(expected ? hits : misses);
    const double s = kScales[random.below(4)];
    const auto at = [&](int i) { return vec_cast<double>(p[i]) * s; };
    const Tri a{at(0), at(1), at(2)}, b{at(3), at(4), at(5)};
    ASSERT_EQ(intersects_exact(a, b), expected) << n;
    ASSERT_EQ(static_cast<bool>(intersection_exact(a, b)), expected) << n;
    if (n % 16 == 0) expect_same_in_all_orders(a, b, expected);
  }
  EXPECT_GT(hits, count / 20);
  EXPECT_GT(misses, count / 20);
  EXPECT_EQ(hits + misses, count);
  count_cases("exact_yes_no", hits + misses);
}

// Oracle: rational clipping
TEST(TriangleTriangle, CommonSetOnALattice) {
  Random random(campaign_seed(32));
  std::size_t polygons = 0;
  const std::size_t count = soak(3000);
  for (std::size_t n = 0; n < count; ++n) {
    const bool flat = random.coin();
    Vec3d p[6];
    for (Vec3d& q : p) {
      q = {static_cast<double>(random.below(9)), static_cast<double>(random.below(9)),
           static_cast<double>(random.below(9))};
      if (flat) q.z = q.x - 2 * q.y;
    }
    const Tri a{p[0], p[1], p[2]}, b{p[3], p[4], p[5]};
    if (is_flat(b)) continue;
    expect_like_oracle(a, b);
    polygons += intersection_exact(a, b).kind == ContactKind::polygon;
    if (HasFailure()) FAIL() << n;
  }
  EXPECT_GT(polygons, count / 10);
}

// Oracle: rational clipping. Every class of near touch, moved by a few ulps.
TEST(TriangleTriangle, LaddersOfUlps) {
  Random random(campaign_seed(33));
  int hits = 0;
  std::size_t count = soak(1500);
  for (std::size_t n = 0; n < count; ++n)
    for (int kind = 0; kind < 6; ++kind) {
      auto [a, b] = near_pair(random, kind);
      const int ulps = static_cast<int>(random.below(3));
      b = {shaken(b.a, random, ulps), shaken(b.b, random, ulps), shaken(b.c, random, ulps)};
      const bool expected = !common_set(a, b).empty();
      hits += expected;
      ASSERT_EQ(intersects_exact(a, b), expected) << n << ' ' << kind;
      if (n % 16 == 0) expect_same_in_all_orders(a, b, expected);
      if (n % 4 == 0) expect_like_oracle(a, b, 1e-9);
    }
  EXPECT_GT(hits, static_cast<int>(count));
  EXPECT_LT(hits, static_cast<int>(6 * count));
  count_cases("exact_yes_no", 6 * count);
}

// Oracle: rational clipping. Exponents far apart.
TEST(TriangleTriangle, ExtremeExponents) {
  Random random(campaign_seed(34));
  const auto coordinate = [&] { return std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(400)) - 200); };
  const std::size_t count = soak(1000);
  for (std::size_t n = 0; n < count; ++n) {
    Vec3d p[6];
    for (Vec3d& q : p) q = {coordinate(), coordinate(), coordinate()};
    if (n % 3 == 0) p[3] = p[0];
    if (n % 3 == 1) p[4] = p[1] * 0.5;
    const Tri a{p[0], p[1], p[2]}, b{p[3], p[4], p[5]};
    ASSERT_EQ(intersects_exact(a, b), !common_set(a, b).empty()) << n;
    ASSERT_EQ(static_cast<bool>(intersection_exact(a, b)), intersects_exact(a, b));
  }
  count_cases("exact_yes_no", count);
}

// Oracle: the exact version, away from degenerate positions; the steps are those that are documented
TEST(TriangleTriangle, PlainIntervalsAgreeOnRandomPairs) {
  Random random(campaign_seed(35));
  int hits = 0;
  for (int n = 0; n < 20000; ++n) {
    const Tri a = triangle_of_cube(random), b = triangle_of_cube(random);
    const TriangleIntersection x = intersection_exact(a, b), y = intersection_by_intervals(a, b);
    ASSERT_EQ(x.kind, y.kind);
    if (!x) continue;
    ++hits;
    const double same = std::max(distance(x.points[0], y.points[0]), distance(x.points[1], y.points[1]));
    const double turned = std::max(distance(x.points[0], y.points[1]), distance(x.points[1], y.points[0]));
    EXPECT_LT(std::min(same, turned), 1e-8);
  }
  EXPECT_GT(hits, 1000);
  TraceLog log;
  const Tri a{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, b{{0.5, 0.5, -1}, {0.5, 0.5, 1}, {3, 0.5, 0}};
  const TriangleIntersection seen = intersection_by_intervals(a, b, TraceTo{&log});
  EXPECT_EQ(seen.kind, ContactKind::segment);
  ASSERT_EQ(log.entries().size(), 6u);
  EXPECT_EQ(log.entries()[0].step, "plane of b");
  EXPECT_EQ(log.entries()[2].step, "line");
  EXPECT_EQ(log.entries()[5].step, "meet");
}

// Closed form: two squares' halves in one plane; the plain version clips as well
TEST(TriangleTriangle, PlainCoplanar) {
  const Tri a{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}, b{{1, 1, 1}, {5, 1, 1}, {1, 5, 1}}, c{{3, 3, 1}, {5, 3, 1}, {3, 5, 1}};
  for (const TriangleIntersection& x : {intersection_by_intervals(a, b), intersection_exact(a, b)}) {
    EXPECT_TRUE(x.coplanar);
    EXPECT_EQ(x.kind, ContactKind::polygon);
    EXPECT_EQ(x.count, 3);
  }
  EXPECT_FALSE(intersection_by_intervals(a, c));
  EXPECT_FALSE(intersection_exact(a, c));
  EXPECT_FALSE(intersects_exact(a, c));
}

// A polygon of the exact version is convex and counterclockwise seen from the front of a
TEST(TriangleTriangle, PolygonsAreInOrder) {
  Random random(campaign_seed(36));
  int seen = 0;
  for (int n = 0; n < 4000; ++n) {
    Vec3d p[6];
    for (Vec3d& q : p) {
      q = {static_cast<double>(random.below(64)), static_cast<double>(random.below(64)), 0};
      q.z = 3 * q.x + q.y;
    }
    const Tri a{p[0], p[1], p[2]}, b{p[3], p[4], p[5]};
    const TriangleIntersection x = intersection_exact(a, b);
    if (x.kind != ContactKind::polygon || is_flat(a)) continue;
    ++seen;
    for (int i = 0; i < x.count; ++i) {
      const Vec3d u = x.points[(i + 1) % x.count] - x.points[i], v = x.points[(i + 2) % x.count] - x.points[i];
      EXPECT_GE(dot(cross(u, v), double_area(a)), -1e-6) << n;
    }
  }
  EXPECT_GT(seen, 1000);
}

// Oracle: rational clipping of the corners as the placement puts them. Pairs that nearly touch there.
TEST(PlacedTriangles, ExactForThePlacementAsItStands) {
  Random random(campaign_seed(37));
  int hits = 0;
  const std::size_t count = soak(600);
  for (std::size_t n = 0; n < count; ++n)
    for (int kind = 0; kind < 6; ++kind) {
      const auto [a, near] = near_pair(random, kind);
      const Quatd turn = normalized(Quatd{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 1});
      const Pose3d pose{random_point<3>(random, 3), n % 3 == 0 ? Quatd{} : turn};
      Placement3 placement = make_placement(pose);
      if (n % 5 == 0) placement.rest = random_point<3>(random, 1e-17);
      const auto back = [&](const Vec3d& p) { return transform(inverse(pose), p); };
      const Tri b{back(near.a), back(near.b), back(near.c)};
      const bool expected = !common_set(sudar_test::rational(a), sudar_test::rational(b, placement)).empty();
      hits += expected;
      ASSERT_EQ(intersects_exact(a, b, placement), expected) << n << ' ' << kind;
      ASSERT_EQ(static_cast<bool>(intersection_exact(a, b, placement)), expected) << n << ' ' << kind;
    }
  EXPECT_GT(hits, static_cast<int>(count));
  EXPECT_LT(hits, static_cast<int>(6 * count));
  count_cases("exact_yes_no", 6 * count);
}

TEST(TriangleTriangle, HardCases) {
  for (const HardCase& c : kHardCases) {
    SCOPED_TRACE(c.id);
    expect_same_in_all_orders(c.a, c.b, c.hit);
    const TriangleIntersection x = intersection_exact(c.a, c.b);
    if (c.coplanar >= 0 && x) {
      EXPECT_EQ(x.coplanar, c.coplanar == 1);
    }
    if (c.count > 0) {
      EXPECT_EQ(x.count, c.count);
    }
    if (!is_flat(c.b)) expect_like_oracle(c.a, c.b);
  }
}
