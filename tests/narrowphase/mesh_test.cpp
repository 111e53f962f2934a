#include "tests/geom/integer_hull.hpp"
#include "tests/narrowphase/bumpy_sphere.hpp"
#include "tests/support/hard_case.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/geom/closest.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/narrowphase/mesh_distance.hpp>
#include <sudar/narrowphase/mesh_mesh.hpp>
#include <sudar/narrowphase/mesh_near.hpp>
#include <sudar/narrowphase/mesh_scan.hpp>
#include <sudar/narrowphase/placed_triangles.hpp>
#include <sudar/narrowphase/volume_tree.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

using namespace sudar;
using sudar_test::bumpy_sphere;
using sudar_test::campaign_seed;
using sudar_test::Int3;
using sudar_test::random_pose;
using sudar_test::shifted;

namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

std::shared_ptr<const TriangleMesh> made(const Mesh& mesh) {
  return *make_triangle_mesh(mesh.vertices, mesh.triangles);
}
MeshShape3 solid(const Mesh& mesh) { return {made(mesh), true}; }

Pairs brute_force(const TriangleMesh& a, const TriangleMesh& b, const Placement3& a_from_b) {
  Pairs out;
  for (std::uint32_t s = 0; s < a.triangle_count(); ++s)
    for (std::uint32_t t = 0; t < b.triangle_count(); ++t)
      if (intersects_exact(a.triangle(s), b.triangle(t), a_from_b)) out.insert({s, t});
  return out;
}
Pairs found(const MeshIntersection& x) {
  Pairs out;
  for (const MeshPair& p : x.pairs) EXPECT_TRUE(out.insert({p.a, p.b}).second);
  return out;
}

}  // namespace

// Every triangle is inside of the boxes above it, and is there once
TEST(MeshTree, BoxesContainTheirTriangles) {
  for (const std::uint32_t n : {1u, 2u, 3u, 9u, 24u}) {
    const auto mesh = made(bumpy_sphere(2 + n, 3 + n, 0.2, {1e6, -3, 5}));
    const MeshTree& tree = mesh->tree();
    std::set<std::uint32_t> seen;
    for (std::uint32_t i = 0; i < tree.triangle_count(); ++i) {
      const std::uint32_t t = tree.triangle(i / 8, i % 8);
      EXPECT_TRUE(seen.insert(t).second);
      const Triangle<3, double> c = mesh->triangle(t);
      std::uint32_t child = i;
      for (int level = 0; level < tree.levels(); child /= tree.width(level++))
        for (int corner = 0; corner < 3; ++corner)
          for (int k = 0; k < 3; ++k) {
            const double x = c[corner][k] - tree.origin()[k];
            const std::uint32_t width = tree.width(level);
            ASSERT_LE(tree.node(level, child / width).lo[k][child % width], x);
            ASSERT_GE(tree.node(level, child / width).hi[k][child % width], x);
          }
    }
    EXPECT_EQ(seen.size(), mesh->triangle_count());
    EXPECT_EQ(tree.node_count(tree.levels() - 1), 1u);
  }
}

// Any number of equal triangles is a tree like any other
TEST(MeshTree, EqualTriangles) {
  std::vector<MeshTriangle> triangles(5000, MeshTriangle{0, 1, 2});
  const Vec3d v[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const auto mesh = *make_triangle_mesh(v, triangles);
  EXPECT_EQ(mesh->tree().levels(), 5);
  EXPECT_TRUE(first_hit(*mesh, *mesh, shifted({0.25, 0.25, 0})));
  triangles.resize(20);
  const auto few = *make_triangle_mesh(v, triangles);
  EXPECT_FALSE(first_hit(*few, *few, shifted({0.25, 0.25, 1e-300})));
}

// Oracle: one number after the other. Vectors may fuse a product and a sum, so bits at the border may differ, by slack.
TEST_SIMD(MeshScan, VectorsAgreeWithPlain) {
  Random random(campaign_seed(51));
  const auto a = made(bumpy_sphere(20, 20, 0.2)), b = made(bumpy_sphere(16, 30, 0.3));
  for (int n = 0; n < 200; ++n) {
    const Placement3 placement =
        n % 2 == 0 ? make_placement(random_pose(random, 1.5)) : shifted({random.uniform(-2, 2), 0.5, 0});
    const TreePlacement tree = make_tree_placement(a->tree(), b->tree(), placement);
    const MeshTreeNode& x = a->tree().node(0, static_cast<std::uint32_t>(random.below(a->tree().node_count(0))));
    const auto other = static_cast<std::uint32_t>(random.below(b->tree().node_count(0)));
    const MeshTreeNode& y = b->tree().node(0, other);
    float fast[8][8], plain[8][8];
    scan_distances(x, y, tree, fast);
    scan_distances_plain(x, y, tree, plain);
    std::uint8_t rows[8], plain_rows[8];
    scan_pairs(x, y, b->tree().box_around(0, other), tree, rows);
    scan_pairs_plain(x, y, b->tree().box_around(0, other), tree, plain_rows);
    // What both are sure of is the same; what is apart has a plane that says so
    TriangleBlock p, q;
    load_block(a->mesh(), a->tree(), 3, p);
    load_block(b->mesh(), b->tree(), static_cast<std::uint32_t>(random.below(b->tree().node_count(0))), placement, q);
    std::uint8_t left[8], plain_left[8];
    for (int i = 0; i < 8; ++i) left[i] = plain_left[i] = 0xff;
    PlaneSides sides, plain_sides;
    scan_planes(p, q, left, sides);
    scan_planes_plain(p, q, plain_left, plain_sides);
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(left[i], plain_left[i]);
      const int both = sides.clear[i] & plain_sides.clear[i];
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(sides.a_above[k][i] & both, plain_sides.a_above[k][i] & both);
        EXPECT_EQ(sides.b_above[k][i] & both, plain_sides.b_above[k][i] & both);
      }
    }
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) {
        if (!std::isfinite(plain[i][j])) continue;
        EXPECT_NEAR(std::sqrt(fast[i][j]), std::sqrt(plain[i][j]), 1e-5f);
        if (plain[i][j] > 1e-9f) {
          EXPECT_EQ(rows[i] >> j & 1, 0);
          EXPECT_EQ(plain_rows[i] >> j & 1, 0);
        }
      }
  }
}

// Oracle: every triangle against every triangle, exactly
TEST(MeshMesh, AllPairsAreThoseOfBruteForce) {
  Random random(campaign_seed(52));
  const auto a = made(bumpy_sphere(14, 20, 0.25)), b = made(bumpy_sphere(10, 24, 0.25, {3, 2, 1}));
  std::size_t hits = 0;
  MeshIntersection out;
  const std::size_t count = sudar_test::soak(12);
  for (std::size_t n = 0; n < count; ++n) {
    const Pose3d pose = random_pose(random, 1.2);
    const Placement3 placement =
        n % 3 == 0 ? shifted(pose.position - Vec3d{3, 2, 1})
                   : make_placement(Pose3d{pose.position - rotate(pose.rotation, Vec3d{3, 2, 1}), pose.rotation});
    ASSERT_TRUE(intersect(*a, *b, placement, out));
    const Pairs expected = brute_force(*a, *b, placement);
    EXPECT_EQ(found(out), expected);
    EXPECT_EQ(first_hit(*a, *b, placement).has_value(), !expected.empty());
    hits += expected.size();
    for (const MeshPair& p : out.pairs) {
      EXPECT_NE(p.kind, ContactKind::none);
      ASSERT_GE(p.count, 1u);
    }
  }
  EXPECT_GT(hits, 8 * count);
}

// Boxes that share a face, an edge, a corner exactly, at poses where sums round, and a hair apart
TEST(MeshMesh, TouchingIsExact) {
  const auto a = made(*box_mesh({1, 1, 1})), b = made(*box_mesh({0.5, 0.25, 1.0 / 3}));
  EXPECT_TRUE(first_hit(*a, *b, shifted({1.5, 0, 0})));
  EXPECT_TRUE(first_hit(*a, *b, shifted({1.5, 1.25, 0})));
  EXPECT_FALSE(first_hit(*a, *b, shifted({std::nextafter(1.5, 2), 0, 0})));
  EXPECT_FALSE(first_hit(*a, *b, shifted({0, std::nextafter(1.25, 2), 0})));
  // 1 + 1/3 rounds; with the rest of the sum the gap is exactly zero, and a hair more or less decides
  Placement3 p = shifted({0, 0, 1 + 1.0 / 3});
  const TwoDoubles sum = two_sum(1, 1.0 / 3);
  p.rest.z = sum.lo;
  EXPECT_TRUE(first_hit(*a, *b, p));
  p.rest.z = std::nextafter(sum.lo, 1);
  EXPECT_FALSE(first_hit(*a, *b, p));
  // A quarter turn whose matrix is exact
  Placement3 turned = shifted({0.0, 1.5, 0});
  turned.turned = true;
  turned.turn.x = {0, 1, 0}, turned.turn.y = {-1, 0, 0};
  EXPECT_TRUE(first_hit(*a, *b, turned));
  turned.translation.y = std::nextafter(1.5, 2);
  EXPECT_FALSE(first_hit(*a, *b, turned));
}

// Oracle: integers, Carathéodory. Soups on a small lattice: flat triangles, points, duplicates, everything touching.
TEST(MeshMesh, DegenerateSoups) {
  Random random(campaign_seed(56));
  MeshIntersection out;
  std::size_t hits = 0;
  for (int n = 0; n < 150; ++n) {
    std::vector<Int3> v[2];
    std::vector<MeshTriangle> f[2];
    for (int m = 0; m < 2; ++m) {
      for (int i = 0; i < 8; ++i)
        v[m].push_back({static_cast<std::int64_t>(random.below(5)), static_cast<std::int64_t>(random.below(5)),
                        static_cast<std::int64_t>(random.below(3))});
      for (std::uint64_t i = 0; i <= random.below(12); ++i) {
        const auto one = [&] { return static_cast<std::uint32_t>(random.below(8)); };
        f[m].push_back({one(), one(), one()});
      }
    }
    const auto as_mesh = [&](int m) {
      std::vector<Vec3d> p;
      for (const Int3& q : v[m]) p.push_back(vec_cast<double>(q) * (1.0 / 4));
      return *make_triangle_mesh(p, f[m]);
    };
    const auto a = as_mesh(0), b = as_mesh(1);
    const Int3 by{static_cast<std::int64_t>(random.below(3)), 1, 0};
    Pairs expected;
    for (std::uint32_t s = 0; s < f[0].size(); ++s)
      for (std::uint32_t t = 0; t < f[1].size(); ++t) {
        const MeshTriangle &x = f[0][s], &y = f[1][t];
        if (sudar_test::hulls_meet({v[0][x[0]], v[0][x[1]], v[0][x[2]]},
                                   {v[1][y[0]] + by, v[1][y[1]] + by, v[1][y[2]] + by}))
          expected.insert({s, t});
      }
    hits += expected.size();
    Placement3 placement = shifted(vec_cast<double>(by) * (1.0 / 4));
    ASSERT_TRUE(intersect(*a, *b, placement, out));
    ASSERT_EQ(found(out), expected) << n;
    // The same through a turn that is exact
    placement.turned = true;
    ASSERT_TRUE(intersect(*a, *b, placement, out));
    ASSERT_EQ(found(out), expected) << n;
    const MeshDistance d = surface_distance(*a, *b, placement);
    if (expected.empty()) {
      EXPECT_GT(d.distance, 1e-6);
    }
    ASSERT_TRUE(self_intersect(*a, out));
  }
  EXPECT_GT(hits, 300u);
}

// Pairs one after another are the pairs of the list, in its order and with its points; a visitor may end the walk
TEST(MeshMesh, VisitsAreTheList) {
  const auto a = made(bumpy_sphere(16, 20, 0.2)), b = made(*torus_mesh(0.9, 0.3, 24, 12));
  const Placement3 p = make_placement(Pose3d{{0.3, 0.2, 0.1}, normalized(Quatd{1, 2, 3, 4})});
  MeshIntersection list;
  ASSERT_TRUE(intersect(*a, *b, p, list));
  ASSERT_GT(list.pairs.size(), 20u);
  struct Walk {
    const MeshIntersection& list;
    std::size_t at = 0, end = 0;
  } walk{list, 0, list.pairs.size() + 1};
  const auto visit = [](void* context, const MeshPair& pair, std::span<const Vec3d> points) {
    Walk& to = *static_cast<Walk*>(context);
    const MeshPair& other = to.list.pairs[to.at++];
    EXPECT_EQ(std::tuple(pair.a, pair.b, pair.kind, pair.coplanar),
              std::tuple(other.a, other.b, other.kind, other.coplanar));
    EXPECT_TRUE(std::equal(points.begin(), points.end(), to.list.points.begin() + other.first,
                           to.list.points.begin() + other.first + other.count));
    return to.at < to.end;
  };
  EXPECT_EQ(visit_meeting_pairs(*a, *b, p, visit, &walk), list.tested);
  EXPECT_EQ(walk.at, list.pairs.size());
  walk.at = 0, walk.end = 3;
  EXPECT_LT(visit_meeting_pairs(*a, *b, p, visit, &walk), list.tested);
  EXPECT_EQ(walk.at, 3u);
}

// One body wholly inside of another is a hit for solids, and none for surfaces
TEST(MeshMesh, Containment) {
  const Mesh big = *icosphere_mesh(2, 2), small = *icosphere_mesh(0.5, 1);
  const MeshShape3 a = solid(big), b = solid(small);
  const MeshShape3 a_shell{a.mesh, false}, b_shell{b.mesh, false};
  const Placement3 p = make_placement(Pose3d{{0.3, 0.2, 0.1}, normalized(Quatd{1, 2, 3, 4})});
  const Placement3 back = make_placement(inverse(Pose3d{{0.3, 0.2, 0.1}, normalized(Quatd{1, 2, 3, 4})}));
  EXPECT_TRUE(intersects(a, b, p));
  EXPECT_TRUE(intersects(b, a, back));
  EXPECT_TRUE(intersects(a, b_shell, p));
  EXPECT_TRUE(intersects(b_shell, a, back));
  EXPECT_FALSE(intersects(a_shell, b, p));
  EXPECT_FALSE(intersects(a_shell, b_shell, p));
  EXPECT_FALSE(intersects(a, b, shifted({4, 0, 0})));
  // A cavity: inside of it is outside of the body
  const MeshShape3 hollow = solid(*joined(big, *flipped(*icosphere_mesh(1.5, 2))));
  EXPECT_FALSE(intersects(hollow, b, p));
  EXPECT_TRUE(intersects(hollow, b, shifted({1.7, 0, 0})));
  // Two parts, one inside and one outside
  const MeshShape3 two = solid(*joined(*transformed(small, Pose3d{{9, 0, 0}, {}}), small));
  EXPECT_TRUE(intersects(a, two, shifted({0, 0, 0})));
  EXPECT_FALSE(intersects(a, two, shifted({4, 0, 0})));
}

// Oracle: the test over all triangles
TEST(TriangleMesh, LocateAgreesWithAllTriangles) {
  Random random(campaign_seed(53));
  const Mesh mesh = bumpy_sphere(20, 30, 0.3);
  const auto m = made(mesh);
  EXPECT_TRUE(m->is_closed());
  EXPECT_FALSE(m->is_convex());
  EXPECT_TRUE(made(*box_mesh({1, 2, 3}))->is_convex());
  EXPECT_TRUE(made(*icosphere_mesh(1, 3))->is_convex());
  for (int n = 0; n < 500; ++n) {
    const Vec3d p = {random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3)};
    ASSERT_EQ(m->locate(p), locate(mesh, p));
  }
  for (std::uint32_t v = 0; v < 20; ++v) EXPECT_EQ(m->locate(mesh.vertices[v]), Containment::boundary);
}

TEST(TriangleMesh, BadInputIsRefused) {
  const Vec3d v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const MeshTriangle one[1] = {{0, 1, 2}}, bad[1] = {{0, 1, 4}};
  EXPECT_EQ(make_mesh_shape3(v, {}, false).error().code, ErrorCode::empty_input);
  EXPECT_EQ(make_mesh_shape3(v, bad, false).error().code, ErrorCode::index_out_of_range);
  EXPECT_EQ(make_mesh_shape3(v, one, true).error().code, ErrorCode::not_closed);
  EXPECT_TRUE(make_mesh_shape3(v, one, false).ok());
  const Vec3d far[3] = {{0, 0, 0}, {1e30, 0, 0}, {0, 1, 0}}, nan[3] = {{0, 0, 0}, {std::nan(""), 0, 0}, {0, 1, 0}};
  EXPECT_EQ(make_mesh_shape3(far, one, false).error(), (Error{ErrorCode::too_large, 1}));
  EXPECT_EQ(make_mesh_shape3(nan, one, false).error(), (Error{ErrorCode::non_finite, 1}));
  const MeshTriangle turned[4] = {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  EXPECT_EQ(make_mesh_shape3(v, turned, true).error().code, ErrorCode::not_oriented);
  const Aabb3d box = bounding_box(*make_mesh_shape3(v, one, false), Pose3d{{1, 2, 3}, {}});
  EXPECT_NEAR(box.lo.x, 1, 1e-12);
  EXPECT_NEAR(box.hi.y, 3, 1e-12);
}

// Closed forms: good meshes have none; a fold, a duplicate, a corner through a face have
TEST(SelfIntersection, AdjacentTrianglesAreExact) {
  MeshIntersection out;
  for (const Mesh& mesh :
       {*box_mesh({1, 2, 3}), *icosphere_mesh(1, 2), *torus_mesh(2, 0.5, 20, 12), bumpy_sphere(16, 20, 0.2)}) {
    ASSERT_TRUE(self_intersect(*made(mesh), out));
    EXPECT_TRUE(out.pairs.empty());
    EXPECT_GT(out.tested, mesh.triangles.size());
  }
  const Vec3d v[6] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0}, {1, 1, 1}, {0, -1, 0}};
  const auto count = [&](std::initializer_list<MeshTriangle> triangles) {
    const std::vector<MeshTriangle> list(triangles);
    EXPECT_TRUE(self_intersect(**make_triangle_mesh(v, list), out));
    return out.pairs.size();
  };
  EXPECT_EQ(count({{0, 1, 2}, {1, 0, 3}}), 1u);  // folded onto it
  EXPECT_EQ(count({{0, 1, 2}, {1, 0, 5}}), 0u);  // the plane goes on
  EXPECT_EQ(count({{0, 1, 2}, {1, 0, 4}}), 0u);  // stands on it
  EXPECT_EQ(count({{0, 1, 2}, {0, 3, 4}}), 1u);  // shares a corner and stands inside
  EXPECT_EQ(count({{0, 1, 2}, {0, 5, 4}}), 0u);  // shares a corner only
  EXPECT_EQ(count({{0, 1, 2}, {2, 1, 0}}), 1u);  // twice the same
  EXPECT_EQ(count({{0, 1, 2}, {3, 4, 5}}), 1u);
}

// A subdivided triangle, from a report of false alarms (TT-30): nothing meets but neighbours
TEST(SelfIntersection, HardCase) {
  sudar_test::HardCases cases;
  cases.put("TT-30");
  const auto x = cases.numbers("TT-30", "vertices"), corners = cases.numbers("TT-30", "faces");
  std::vector<Vec3d> v;
  std::vector<MeshTriangle> f;
  for (std::size_t i = 0; i < x.size(); i += 3) v.push_back({x[i], x[i + 1], x[i + 2]});
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    f.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) f.back()[k] = static_cast<std::uint32_t>(corners[i + k]);
  }
  ASSERT_EQ(v.size(), 15u);
  ASSERT_EQ(f.size(), 16u);
  MeshIntersection out;
  ASSERT_TRUE(self_intersect(**make_triangle_mesh(v, f), out));
  for (const MeshPair& p : out.pairs) {
    bool adjacent = false;
    for (const std::uint32_t i : f[p.a])
      for (const std::uint32_t j : f[p.b]) adjacent |= i == j;
    EXPECT_TRUE(adjacent) << p.a << ' ' << p.b;
  }
}

// Oracle: both bumpy spheres as one mesh meet themselves where they meet each other
TEST(SelfIntersection, FindsThePairsOfTwoMeshesInOne) {
  const Mesh x = bumpy_sphere(12, 16, 0.2), y = bumpy_sphere(10, 18, 0.2, {0.7, 0.3, 0.1});
  const auto a = made(x), b = made(y), both = made(*joined(x, y));
  MeshIntersection out;
  ASSERT_TRUE(self_intersect(*both, out));
  Pairs expected;
  for (const auto& [s, t] : brute_force(*a, *b, Placement3{})) expected.insert({s, t + a->triangle_count()});
  EXPECT_EQ(found(out), expected);
  EXPECT_FALSE(expected.empty());
}

// Closed forms, and symmetry
TEST(TriangleDistance, KnownPairs) {
  const Triangle<3, double> a{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const auto d = [&](const Triangle<3, double>& b) {
    const TriangleDistance x = closest_points(a, b), y = closest_points(b, a);
    EXPECT_NEAR(x.squared, y.squared, 1e-14 * (1 + x.squared));
    EXPECT_NEAR(length_squared(x.point_b - x.point_a), x.squared, 1e-14);
    return std::sqrt(x.squared);
  };
  EXPECT_DOUBLE_EQ(d({{1, 1, 2}, {9, 1, 5}, {1, 9, 5}}), 2);               // corner over the face
  EXPECT_DOUBLE_EQ(d({{1, 1, 3}, {2, 1, 3}, {1, 2, 3}}), 3);               // parallel planes
  EXPECT_DOUBLE_EQ(d({{2, -1, -1}, {2, -1, 1}, {2, -5, 0}}), 1);           // edge beside an edge
  EXPECT_DOUBLE_EQ(d({{-3, 0, 0}, {-3, 1, 0}, {-4, 0, 0}}), 3);            // edge along an edge
  EXPECT_DOUBLE_EQ(d({{4, 4, 0}, {5, 4, 0}, {4, 5, 0}}), std::sqrt(8.0));  // one plane
  EXPECT_DOUBLE_EQ(d({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}), 1);               // a point
}

// Oracle: all corners against faces and edges against edges, none left out
TEST(TriangleDistance, IsTheLeastOfAllFeaturesAndNothingNearIsCulled) {
  Random random(campaign_seed(58));
  const auto point = [&] { return Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; };
  int apart = 0;
  constexpr int kCases = 4000;
  for (int n = 0; n < kCases; ++n) {
    const Triangle<3, double> a{point(), point(), point()};
    const Vec3d by = point() * random.uniform(0, 3);
    Triangle<3, double> b{point() + by, point() + by, point() + by};
    // Needles: the third corner on the line of the others, up to rounding
    if (n % 3 == 0) b.c = b.a + (b.b - b.a) * random.uniform(0, 1);
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
      least = std::min({least, closest_point(a, b[i]).distance_squared, closest_point(b, a[i]).distance_squared});
      for (int j = 0; j < 3; ++j)
        least = std::min(
            least, closest_points(Segment<3, double>{a[i], a[(i + 1) % 3]}, Segment<3, double>{b[j], b[(j + 1) % 3]})
                       .distance_squared);
    }
    EXPECT_NEAR(closest_points(a, b).squared, least, 1e-13 * (1 + least)) << n;
    const double reach = std::sqrt(least) * random.uniform(0.2, 1.2);
    if (!apart_by(a, b, reach)) continue;
    ++apart;
    EXPECT_GT(std::sqrt(least), reach) << n;
  }
  EXPECT_GT(apart, kCases / 4);
}

// Oracle: every triangle against every triangle
TEST(MeshDistance, IsThatOfBruteForce) {
  Random random(campaign_seed(54));
  const auto a = made(bumpy_sphere(9, 14, 0.25)), b = made(bumpy_sphere(12, 10, 0.25));
  for (int n = 0; n < 10; ++n) {
    Pose3d pose = random_pose(random, 1);
    pose.position = normalized(pose.position) * random.uniform(2.3, 4);
    const Placement3 placement = n % 3 == 0 ? shifted(pose.position) : make_placement(pose);
    double expected = 1e300;
    for (std::uint32_t s = 0; s < a->triangle_count(); ++s)
      for (std::uint32_t t = 0; t < b->triangle_count(); ++t)
        expected = std::min(expected, closest_points(a->triangle(s), place(b->triangle(t), placement).corners).squared);
    const MeshDistance d = surface_distance(*a, *b, placement);
    EXPECT_NEAR(d.distance, std::sqrt(expected), 1e-13);
    EXPECT_LE(d.lower, d.distance);
    EXPECT_GE(d.upper, d.distance);
    EXPECT_NEAR(distance(closest_point(a->triangle(d.triangle_a), d.point_a).point, d.point_a), 0, 1e-13);
    EXPECT_NEAR(
        distance(closest_point(place(b->triangle(d.triangle_b), placement).corners, d.point_b).point, d.point_b), 0,
        1e-13);
  }
  // Sizes whose squares leave the range of floats, and places beyond it
  for (const double size : {1e-17, 1e15}) {
    Mesh scaled = bumpy_sphere(12, 12, 0.1);
    for (Vec3d& v : scaled.vertices) v = v * size;
    const auto m = made(scaled);
    EXPECT_NEAR(surface_distance(*m, *m, shifted({3 * size, 0, 0})).distance / size,
                surface_distance(*made(bumpy_sphere(12, 12, 0.1)), *made(bumpy_sphere(12, 12, 0.1)), shifted({3, 0, 0}))
                    .distance,
                1e-9);
    EXPECT_LT(surface_distance(*m, *m, shifted({3 * size, 0, 0})).tested, 2000u);
  }
  EXPECT_NEAR(surface_distance(*a, *b, shifted({1e30, 0, 0})).distance, 1e30, 1e16);
  EXPECT_FALSE(first_hit(*a, *b, shifted({1e200, 0, 0})));
  // Trees of different heights
  const auto big = made(bumpy_sphere(60, 60, 0.1)),
             tetra = made(*tetrahedron_mesh({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}));
  EXPECT_NEAR(surface_distance(*big, *tetra, shifted({3, 0, 0})).distance,
              surface_distance(*tetra, *big, shifted({-3, 0, 0})).distance, 1e-14);
}

namespace {

template <class V>
Pairs pairs_by_volumes(const TriangleMesh& a, const TriangleMesh& b, const Pose3d& pose) {
  const VolumeTree<V> x(a), y(b);
  const Placement3 placement = make_placement(pose);
  Pairs out;
  for_each_leaf_pair(x, y, pose, [&](std::uint32_t m, std::uint32_t n) {
    for (int i = 0; i < a.tree().child_count(0, m); ++i)
      for (int j = 0; j < b.tree().child_count(0, n); ++j) {
        const std::uint32_t s = a.tree().triangle(m, static_cast<std::uint32_t>(i));
        const std::uint32_t t = b.tree().triangle(n, static_cast<std::uint32_t>(j));
        if (intersects_exact(a.triangle(s), b.triangle(t), placement)) out.insert({s, t});
      }
  });
  return out;
}

}  // namespace

// Oracle: the tree of boxes
TEST(VolumeTree, AllVolumesFindTheSamePairs) {
  Random random(campaign_seed(55));
  const auto a = made(bumpy_sphere(10, 14, 0.25)), b = made(bumpy_sphere(12, 10, 0.25));
  MeshIntersection out;
  for (int n = 0; n < 3; ++n) {
    const Pose3d pose = random_pose(random, 0.9);
    ASSERT_TRUE(intersect(*a, *b, make_placement(pose), out));
    const Pairs expected = found(out);
    EXPECT_EQ(pairs_by_volumes<Aabb3d>(*a, *b, pose), expected);
    EXPECT_EQ((pairs_by_volumes<Sphere<3, double>>(*a, *b, pose)), expected);
    EXPECT_EQ(pairs_by_volumes<Obb3d>(*a, *b, pose), expected);
    EXPECT_EQ(pairs_by_volumes<Dop18<double>>(*a, *b, pose), expected);
  }
}
