// Oracles: distance(), support points along the normal, points against each shape by itself, the plain versions
#include "tests/narrowphase/bodies.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/box_manifold3.hpp>
#include <sudar/narrowphase/manifold_choice.hpp>
#include <sudar/narrowphase/manifold_clip3.hpp>
#include <sudar/narrowphase/manifold_pairs3.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/primitives3.hpp>
#include <sudar/narrowphase/surface_manifolds3.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::soak;

constexpr int kManifoldKinds = 12;
Shape3 some_convex(Random& random, std::uint64_t kind) {
  const auto size = [&] { return random.uniform(0.3, 1); };
  const auto point = [&] { return sudar_test::random_point<3>(random); };
  switch (kind) {
    case 0:
      return *make_point3(point());
    case 1:
      return *make_segment3(point(), point());
    case 2:
      return *make_triangle3(point(), point(), point());
    case 3:
      return *make_sphere3(size());
    case 4:
      return *make_capsule3(point(), point(), size());
    case 5:
      return *make_box3({size(), size(), size()});
    case 6:
      return *make_cylinder3(size(), size());
    case 7:
      return *make_cone3(size(), size());
    case 8:
      return *make_ellipsoid3({size(), size(), size()});
    case 9:
      return sudar_test::random_hull(random, 4 + random.below(20));
    case 10:
      return *make_hull_shape3(sudar_test::random_points<3>(random, 8), 0.2);
    default:
      return *make_halfspace3(normalized(point()), random.uniform(-0.5, 0.5));
  }
}
bool is_round(const Shape3& shape) {
  return shape.kind() >= ShapeKind3::cylinder && shape.kind() <= ShapeKind3::ellipsoid;
}

bool is_grown(const Shape3& shape) {
  return shape.kind() == ShapeKind3::capsule || (shape.kind() == ShapeKind3::hull && shape.as<HullShape3>().radius > 0);
}

// How wide the gap along a unit normal is
double gap_along(const Shape3& a, const Shape3& b, const Placement3& place, const Vec3d& n) {
  const double reach_a = a.is_bounded() ? dot(n, support_point(a, n)) : a.as<HalfSpaceShape3>().offset;
  const Vec3d n_b = to_b(place, -n), at = place.translation + place.rest;
  const double reach_b = b.is_bounded() ? dot(n_b, support_point(b, n_b)) : b.as<HalfSpaceShape3>().offset;
  return dot(n, at) - reach_b - reach_a;
}
double point_gap(const Shape3& shape, const Vec3d& p) {
  return distance(shape, *make_point3(p), Placement3{}).separation;
}

// A pose at which the pair is apart, touches, or lies deep
Placement3 some_place(Random& random, const Shape3& a, const Shape3& b) {
  const Pose3d pose{sudar_test::random_point<3>(random) * 1.5, sudar_test::random_rotation(random)};
  const Placement3 place = make_placement(pose);
  if (random.below(4) == 0) return place;
  const DistanceAnswer3 x = distance(a, b, place);
  if (!(std::fabs(x.separation) < 100)) return place;
  constexpr double kAway[] = {0, 0x1p-50, -0x1p-50, 0.001, -0.001, 0.03, -0.1};
  return moved(place, x.normal * (kAway[random.below(7)] - x.separation));
}

struct ManifoldCheck {
  int manifolds = 0, points = 0, many = 0;
};

void check_manifold(const Shape3& a, const Shape3& b, const Placement3& place, double margin, ManifoldCheck& seen) {
  std::vector<PieceManifold<3>> got, plain;
  QueryCache3 cache;
  append_manifolds(a, b, place, margin, &cache, got);
  append_manifolds_plain(a, b, place, margin, plain);
  const DistanceAnswer3 x = distance(a, b, place);
  const bool expected = x.status != QueryStatus::unsupported && (margin == 0 ? x.hit : x.separation <= margin);
  ASSERT_EQ(got.size(), expected ? 1u : 0u) << x.separation;
  if (x.separation != margin) {
    ASSERT_EQ(plain.size(), got.size());
  }
  if (!expected) return;
  const bool round = is_round(a) || is_round(b);
  const double bar = round ? 1e-5 : 1e-9;
  const Manifold3& m = got[0].manifold;
  EXPECT_EQ(got[0].patch, 0u);
  ASSERT_GE(m.count, 1);
  ASSERT_LE(m.count, 4);
  EXPECT_NEAR(length(m.normal), 1, 1e-12);
  // The least separation is the shapes', and the normal one along which they are that far apart
  double least = m.points[0].separation;
  for (int i = 1; i < m.count; ++i) least = std::min(least, m.points[i].separation);
  EXPECT_NEAR(least, x.separation, 1e-12);
  EXPECT_EQ(least <= 0, x.hit);
  EXPECT_NEAR(gap_along(a, b, place, m.normal), x.separation, bar);
  const Placement3 back = inverse(place);
  for (int i = 0; i < m.count; ++i) {
    const ContactPoint<3>& p = m.points[i];
    EXPECT_LE(p.separation, std::max(margin, x.separation + 1e-8));
    // On both surfaces, across from each other. What is grown is cut along with its core, so points beside the deepest
    // may lie inside of it.
    const double on_a = point_gap(a, p.position - m.normal * (p.separation / 2));
    const double on_b = point_gap(b, transform(back, p.position + m.normal * (p.separation / 2)));
    // Two edges that run along each other are taken for parallel.
    EXPECT_LE(std::max(on_a, on_b), m.count < 4 ? 0.02 : bar) << i;
    if (p.separation == least || (!is_grown(a) && !is_grown(b))) {
      EXPECT_GE(std::min(on_a, on_b), round ? -0.01 : -bar) << i;
    }
  }
  ++seen.manifolds;
  seen.points += m.count;
  seen.many += m.count > 2;

  // The other way around
  std::vector<PieceManifold<3>> swapped;
  append_manifolds(b, a, back, margin, nullptr, swapped);
  if (std::fabs(x.separation - margin) > 1e-12) {
    ASSERT_EQ(swapped.size(), 1u);
  }
}

TEST(ManifoldPairs3, SayWhatTheDistanceSays) {
  Random random(campaign_seed(20240601));
  ManifoldCheck seen;
  const std::size_t rounds = soak(12);
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::uint64_t i = 0; i < kManifoldKinds; ++i)
      for (std::uint64_t j = 0; j < kManifoldKinds; ++j) {
        const Shape3 a = some_convex(random, i), b = some_convex(random, j);
        const Placement3 place = some_place(random, a, b);
        SCOPED_TRACE(testing::Message() << round << ": " << to_string(a.kind()) << " " << to_string(b.kind()));
        check_manifold(a, b, place, round % 2 == 0 ? 0 : 0.05, seen);
        if (testing::Test::HasFailure()) return;
      }
  EXPECT_GT(seen.manifolds, int(rounds * 60));
  EXPECT_GT(seen.many, int(rounds * 3));
}

TEST(ManifoldPairs3, BoxesAndHullsOnTopOfEachOther) {
  Random random(campaign_seed(20240602));
  ManifoldCheck seen;
  const std::size_t rounds = soak(400);
  for (std::size_t round = 0; round < rounds; ++round) {
    const Shape3 a = some_convex(random, round % 3 == 0 ? 9 : 5), b = some_convex(random, round % 3 == 1 ? 9 : 5);
    // Nearly level
    const double lean = random.below(3) == 0 ? 0 : std::pow(10.0, -random.uniform(1, 9));
    const Vec3d tilt = sudar_test::random_point<3>(random) * lean;
    const Quatd yaw = Quatd::from_axis_angle({0, 0, 1}, random.below(2) == 0 ? 0 : random.uniform(-3, 3));
    const Quatd q = normalized(yaw * Quatd{1, tilt.x, tilt.y, tilt.z});
    Placement3 place = make_placement(Pose3d{sudar_test::random_point<3>(random) * 0.4 + Vec3d{0, 0, 3}, q});
    const DistanceAnswer3 x = distance(a, b, place);
    place = moved(place, Vec3d{0, 0, 1} * -x.separation);
    place = moved(place, Vec3d{0, 0, 1} * random.uniform(-0.02, 0.01));
    SCOPED_TRACE(round);
    check_manifold(a, b, place, 0.02, seen);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(seen.many, int(rounds / 4));
}

// Two manifolds with the same points under the same names, in any order
bool same_points(const Manifold3& p, const Manifold3& q, double bar) {
  if (p.count != q.count) return false;
  for (int i = 0; i < p.count; ++i) {
    bool found = false;
    for (int j = 0; j < q.count; ++j)
      found = found ||
              (p.points[i].id() == q.points[j].id() && distance(p.points[i].position, q.points[j].position) <= bar &&
               std::fabs(p.points[i].separation - q.points[j].separation) <= bar);
    if (!found) return false;
  }
  return true;
}

TEST(ManifoldPairs3, BoxesAreClippedAsHullsAre) {
  Random random(campaign_seed(20240603));
  const std::size_t rounds = soak(2000);
  std::size_t compared = 0, same = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    const Vec3d half_a = sudar_test::random_point<3>(random, 0.3, 1),
                half_b = sudar_test::random_point<3>(random, 0.3, 1);
    const Shape3 a = *make_box3(half_a), b = *make_box3(half_b);
    const double lean = std::pow(10.0, -random.uniform(0, 6));
    const Vec3d tilt = sudar_test::random_point<3>(random) * lean;
    const Quatd yaw = Quatd::from_axis_angle({0, 0, 1}, random.uniform(-3, 3));
    Placement3 place = make_placement(Pose3d{sudar_test::random_point<3>(random) * 0.5 + Vec3d{0, 0, 3},
                                             normalized(yaw * Quatd{1, tilt.x, tilt.y, tilt.z})});
    place = moved(place, Vec3d{0, 0, -1} * (distance(a, b, place).separation + random.uniform(-0.02, 0.02)));
    const DistanceAnswer3 x = box_box_distance3(half_a, half_b, place);
    Manifold3 fast, plain;
    const bool near = box_manifold3(half_a, half_b, place, 0.03, fast);
    ASSERT_EQ(clip_manifold3(a, b, place, x, 0.03, plain), near);
    if (!near) continue;
    ++compared;
    EXPECT_EQ(fast.normal, plain.normal);
    same += same_points(fast, plain, 1e-9);
  }
  EXPECT_GT(compared, rounds / 2);
  // Corners of names are square here and round there
  EXPECT_GE(same * 100, compared * 97);
}

Manifold3 mirrored(Manifold3 m, const Placement3& place) {
  m.normal = -turn(place, m.normal);
  for (int i = 0; i < m.count; ++i) {
    m.points[i].position = transform(place, m.points[i].position);
    std::swap(m.points[i].feature_a, m.points[i].feature_b);
  }
  return m;
}

TEST(ManifoldPairs3, SwappingMirrors) {
  Random random(campaign_seed(20240604));
  const std::size_t rounds = soak(400);
  std::size_t equal = 0, all = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    const Shape3 a = some_convex(random, round % 2 == 0 ? 5 : 9), b = some_convex(random, round % 3 == 0 ? 9 : 5);
    const Placement3 place = some_place(random, a, b);
    std::vector<PieceManifold<3>> one, other;
    append_manifolds(a, b, place, 0.01, nullptr, one);
    append_manifolds(b, a, inverse(place), 0.01, nullptr, other);
    // What touches only has many normals
    if (one.empty() || other.empty() || std::fabs(distance(a, b, place).separation) < 1e-6) continue;
    ++all;
    const Manifold3 p = one[0].manifold, q = mirrored(other[0].manifold, place);
    EXPECT_NEAR(dot(p.normal, q.normal), 1, 1e-9);
    equal += same_points(p, q, 1e-8);
  }
  // A point next to a border of names may be called otherwise
  EXPECT_GT(all, rounds / 4);
  EXPECT_GE(equal * 100, all * 97);
}

std::set<std::uint64_t> ids_of(const std::vector<PieceManifold<3>>& manifolds) {
  std::set<std::uint64_t> ids;
  for (const auto& piece : manifolds)
    for (int i = 0; i < piece.manifold.count; ++i) ids.insert(piece.manifold.points[i].id());
  return ids;
}

TEST(ManifoldPairs3, NamesStayWhileBodiesJiggle) {
  const auto cube = [](double h) { return *make_hull_shape3(sudar_test::cube_corners(h)); };
  const struct {
    Shape3 a, b;
    double height, drift;
  } rests[] = {
      {*make_box3({5, 5, 1}), *make_box3({0.5, 0.4, 0.3}), 1.3, 0.3},        // in the middle of a table
      {*make_box3({0.5, 0.5, 0.5}), *make_box3({0.5, 0.5, 0.5}), 1, 0.003},  // a tower of equal cubes
      {*make_box3({0.5, 0.5, 0.5}), *make_box3({2, 2, 0.5}), 1, 0.1},        // a lid
      {cube(0.5), cube(0.5), 1, 0.003},
      {cube(2), cube(0.5), 2.5, 0.3},
      {*make_halfspace3({0, 0, 1}, 0), *make_box3({0.5, 0.5, 0.5}), 0.5, 1},
      {*make_halfspace3({0, 0, 1}, 0), cube(0.5), 0.5, 1},
  };
  for (std::size_t k = 0; k < std::size(rests); ++k) {
    SCOPED_TRACE(k);
    Random random(campaign_seed(20240605 + k));
    std::set<std::uint64_t> first;
    QueryCache3 cache;
    for (int step = 0; step < 300; ++step) {
      const Vec3d by = sudar_test::random_point<3>(random), shake = sudar_test::random_point<3>(random) * 5e-4;
      const Vec3d at = Vec3d{by.x * rests[k].drift, by.y * rests[k].drift, rests[k].height + 1e-3 * by.z};
      const Placement3 place = make_placement(Pose3d{at, normalized(Quatd{1, shake.x, shake.y, shake.z})});
      std::vector<PieceManifold<3>> got;
      append_manifolds(rests[k].a, rests[k].b, place, 0.02, &cache, got);
      ASSERT_EQ(got.size(), 1u);
      const auto ids = ids_of(got);
      if (step == 0) first = ids;
      ASSERT_EQ(got[0].manifold.count, 4) << step;
      ASSERT_EQ(ids, first) << step;
      EXPECT_GT(got[0].manifold.normal.z, 0.999);
    }
  }
}

// Flat on the ground, whichever of the two is named first
TEST(ManifoldPairs3, GroundThatIsNamedLastCarriesAllCorners) {
  const Shape3 ground = *make_halfspace3({0, 0, 1}, 0);
  for (const Shape3& body : {*make_hull_shape3(sudar_test::cube_corners(0.5)), *make_box3({0.5, 0.5, 0.5})})
    for (const bool ground_last : {false, true}) {
      const Vec3d at{0.25, 0, ground_last ? -0.5 : 0.5};
      std::vector<PieceManifold<3>> got;
      append_manifolds(ground_last ? body : ground, ground_last ? ground : body, make_placement(Pose3d{at, {}}), 0.02,
                       nullptr, got);
      ASSERT_EQ(got.size(), 1u);
      EXPECT_EQ(got[0].manifold.count, 4) << ground_last;
      EXPECT_EQ(contacts(ground_last ? body : ground, ground_last ? ground : body, make_placement(Pose3d{at, {}}), 0.02)
                    .points.size(),
                4u);
    }
}

TEST(ManifoldChoice, ThreeOfFourStayWhileTheDeepestWanders) {
  std::vector<ContactPoint<3>> ring;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const SinCos at = sin_cos(0.785 * i + 0.1);
    ring.push_back({{at.cos, at.sin, 0}, 0, {FeatureKind::edge, i}, {FeatureKind::edge, 7 * i % 5}});
  }
  std::set<std::uint64_t> base;
  const Manifold3 flat = choose_points(ring, {0, 0, 1});
  ASSERT_EQ(flat.count, 4);
  for (const auto& point : flat.points) base.insert(point.id());
  for (std::size_t deep = 0; deep < ring.size(); ++deep) {
    auto points = ring;
    points[deep].separation = -0x1p-20;
    const Manifold3 m = choose_points(points, {0, 0, 1});
    ASSERT_EQ(m.count, 4);
    int same = 0;
    bool kept = false;
    for (const auto& point : m.points) {
      same += base.count(point.id()) > 0;
      kept = kept || point.id() == ring[deep].id();
    }
    EXPECT_TRUE(kept) << deep;
    EXPECT_GE(same, 3) << deep;
  }
}

TEST(ManifoldPairs3, TheSameBitsUnderEveryInstructionSet) {
  std::vector<std::uint64_t> hashes;
  sudar_test::for_each_instruction_set([&] {
    Random random(campaign_seed(20240606));
    std::vector<PieceManifold<3>> got;
    for (int round = 0; round < 300; ++round) {
      const Shape3 a = some_convex(random, random.below(kManifoldKinds)),
                   b = some_convex(random, random.below(kManifoldKinds));
      append_manifolds(a, b, some_place(random, a, b), 0.05, nullptr, got);
    }
    std::uint64_t hash = 0;
    for (const auto& piece : got)
      for (int i = 0; i < piece.manifold.count; ++i) {
        const ContactPoint<3>& p = piece.manifold.points[i];
        for (const double x : {p.position.x, p.position.y, p.position.z, p.separation, piece.manifold.normal.x}) {
          std::uint64_t bits;
          std::memcpy(&bits, &x, sizeof bits);
          hash = (hash ^ bits) * 0x100000001b3u;
        }
        hash = (hash ^ p.id()) * 0x100000001b3u;
      }
    hashes.push_back(hash);
  });
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

// A square of so many cells around the origin, with the height of a function
template <class Height>
Shape3 ground_mesh(std::uint32_t cells, double spacing, Height&& height) {
  std::vector<Vec3d> vertices;
  std::vector<MeshTriangle> triangles;
  for (std::uint32_t j = 0; j <= cells; ++j)
    for (std::uint32_t i = 0; i <= cells; ++i) {
      const double x = (i - 0.5 * cells) * spacing, y = (j - 0.5 * cells) * spacing;
      vertices.push_back({x, y, height(x, y)});
    }
  for (std::uint32_t j = 0; j < cells; ++j)
    for (std::uint32_t i = 0; i < cells; ++i) {
      const std::uint32_t p = j * (cells + 1) + i, q = p + cells + 1;
      triangles.push_back({p, p + 1, q + 1});
      triangles.push_back({p, q + 1, q});
    }
  return *make_mesh_shape3(vertices, triangles, false);
}
double hills(double x, double y) { return 0.1 * std::sin(2 * x) * std::cos(1.7 * y); }

TEST(SurfaceManifolds3, TouchWhatTheSurfaceTouches) {
  Random random(campaign_seed(20240607));
  std::vector<double> heights;
  for (int j = 0; j < 21; ++j)
    for (int i = 0; i < 21; ++i) heights.push_back(hills(0.2 * i - 2, 0.2 * j - 2));
  const Mesh ball = *icosphere_mesh(1, 2), ring = *torus_mesh(1, 0.3, 24, 12);
  const Shape3 surfaces[] = {ground_mesh(20, 0.2, [](double, double) { return 0.0; }), ground_mesh(20, 0.2, hills),
                             *make_height_field3(heights, 21, 21, {0.2, 0.2}),
                             *make_mesh_shape3(ball.vertices, ball.triangles, true),
                             *make_mesh_shape3(ring.vertices, ring.triangles, true)};
  constexpr std::uint64_t kKinds[] = {3, 4, 5, 6, 9, 10};
  std::size_t touching = 0, near = 0;
  const std::size_t rounds = soak(300);
  for (std::size_t round = 0; round < rounds; ++round) {
    const Shape3& a = surfaces[round % std::size(surfaces)];
    const Shape3 b = some_convex(random, kKinds[random.below(6)]);
    const Vec3d from = a.kind() == ShapeKind3::height_field ? Vec3d{2, 2, 0} : Vec3d{};
    const Quatd q = random.below(2) == 0 ? Quatd{} : sudar_test::random_rotation(random);
    const Vec3d at = from + Vec3d{random.uniform(-1.8, 1.8), random.uniform(-1.8, 1.8), random.uniform(1.5, 3)};
    Placement3 place = make_placement(Pose3d{at, q});
    const DistanceAnswer3 above = distance(a, b, place);
    constexpr double kAway[] = {0, 0.001, -0.001, 0.03, -0.02, 0.2};
    place = moved(place, above.normal * (kAway[random.below(6)] - above.separation));
    const double margin = random.below(2) == 0 ? 0 : 0.05;
    SCOPED_TRACE(testing::Message() << round << ": " << to_string(b.kind()));
    std::vector<PieceManifold<3>> got, swapped;
    append_manifolds(a, b, place, margin, nullptr, got);
    append_manifolds(b, a, inverse(place), margin, nullptr, swapped);
    const DistanceAnswer3 x = distance(a, b, place);
    ASSERT_EQ(x.hit, intersects(a, b, place));
    ASSERT_LE(got.size(), kMostPatches);
    if (std::fabs(x.separation - margin) < 1e-9) continue;
    ASSERT_EQ(!got.empty(), x.separation <= margin) << x.separation;
    if (got.empty()) continue;
    double least = 1e9;
    for (std::size_t k = 0; k < got.size(); ++k) {
      const Manifold3& m = got[k].manifold;
      EXPECT_EQ(got[k].patch, k);
      ASSERT_GE(m.count, 1);
      EXPECT_NEAR(length(m.normal), 1, 1e-12);
      for (int i = 0; i < m.count; ++i) {
        const ContactPoint<3>& p = m.points[i];
        EXPECT_LE(p.separation, margin + 1e-9);
        least = std::min(least, p.separation);
        // Between the surfaces
        const Shape3 point = *make_point3(p.position);
        if (!is_grown(b)) {
          EXPECT_LE(std::fabs(distance(b, point, inverse(place)).separation), 0.5 * std::fabs(p.separation) + 1e-6);
        }
        EXPECT_LE(std::fabs(distance(a, point, Placement3{}).separation), 0.5 * std::fabs(p.separation) + 1e-6);
      }
    }
    EXPECT_EQ(least <= 0, x.hit) << least << " " << x.separation;
    // Apart: the distance. Shallow: no less deep than the whole is, across some normal.
    if (!x.hit) {
      EXPECT_NEAR(least, x.separation, 1e-6);
    }
    double mirrored_least = 1e9;
    for (const auto& piece : swapped)
      for (int i = 0; i < piece.manifold.count; ++i)
        mirrored_least = std::min(mirrored_least, piece.manifold.points[i].separation);
    EXPECT_NEAR(mirrored_least, least, x.hit ? 0.02 : 1e-6);
    touching += x.hit;
    near += !x.hit;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(touching, rounds / 5);
  EXPECT_GT(near, rounds / 20);
}

TEST(SurfaceManifolds3, FlatGroundFeelsFlat) {
  // However the triangles lie, and as deep as a real step lets bodies sink: straight up, as deep as the lowest point
  Random random(campaign_seed(20240608));
  const Shape3 flat = ground_mesh(20, 0.2, [](double, double) { return 0.0; });
  const std::size_t rounds = soak(200);
  for (std::size_t round = 0; round < rounds; ++round) {
    constexpr std::uint64_t kKinds[] = {3, 4, 5, 6, 7, 8, 9, 10};
    const Shape3 b = some_convex(random, kKinds[round % std::size(kKinds)]);
    const Quatd q = sudar_test::random_rotation(random);
    const double x = random.uniform(-0.5, 0.5), y = random.uniform(-0.5, 0.5);
    const double low = rotate(q, support_point(b, rotate(conjugate(q), {0, 0, -1}))).z;
    const double height = random.uniform(-0.03, 0.01);
    const Placement3 place = make_placement(Pose3d{{x, y, height - low}, q});
    SCOPED_TRACE(testing::Message() << round << ": " << to_string(b.kind()));
    std::vector<PieceManifold<3>> got;
    append_manifolds(flat, b, place, 0.02, nullptr, got);
    ASSERT_EQ(got.size(), 1u);
    double least = 1e9;
    for (int i = 0; i < got[0].manifold.count; ++i) least = std::min(least, got[0].manifold.points[i].separation);
    EXPECT_NEAR(got[0].manifold.normal.z, 1, 1e-12);
    EXPECT_NEAR(least, height, 1e-9);
  }
  // A level box stands on its corners, and keeps them while it jiggles
  const Shape3 box = *make_box3({0.33, 0.27, 0.2});
  std::set<std::uint64_t> first;
  for (int step = 0; step < 50; ++step) {
    const Vec3d shake = sudar_test::random_point<3>(random) * 1e-4, by = sudar_test::random_point<3>(random) * 1e-3;
    std::vector<PieceManifold<3>> got;
    append_manifolds(
        flat, box,
        make_placement(Pose3d{Vec3d{0.03, 0.05, 0.199} + by, normalized(Quatd{1, shake.x, shake.y, shake.z})}), 0.02,
        nullptr, got);
    ASSERT_EQ(got.size(), 1u);
    ASSERT_EQ(got[0].manifold.count, 4);
    for (const auto& p : got[0].manifold.points) EXPECT_EQ(p.feature_b.kind, FeatureKind::vertex);
    if (step == 0) first = ids_of(got);
    EXPECT_EQ(ids_of(got), first) << step;
  }
}

TEST(CompoundManifolds, ASlidingBoxFeelsNoSeamsInSpace) {
  const Shape3 block = *make_box3({0.5, 0.5, 0.5});
  std::vector<CompoundChild3> blocks;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i) blocks.push_back({block, {{1.0 * i, 1.0 * j, 0}, {}}});
  const Shape3 floor = *make_compound3(blocks), box = *make_box3({0.6, 0.4, 0.2}), ball = *make_sphere3(0.2);
  const Mesh mesh = *box_mesh({0.6, 0.4, 0.2});
  const Shape3 shapes[] = {box, ball, *make_hull_shape3(mesh.vertices)};
  for (int step = 0; step < 60; ++step)
    for (const Shape3& b : shapes) {
      const Quatd q = Quatd::from_axis_angle({0, 0, 1}, 0.02 * step);
      const Placement3 place = make_placement(Pose3d{{-0.6 + 0.021 * step, 0.3 - 0.013 * step, 0.699}, q});
      std::vector<PieceManifold<3>> got;
      append_manifolds(floor, b, place, 0.01, nullptr, got);
      ASSERT_EQ(got.size(), 1u) << step;
      EXPECT_NEAR(got[0].manifold.normal.z, 1, 1e-9) << step;
      EXPECT_EQ(got[0].manifold.count, b.kind() == ShapeKind3::sphere ? 1 : 4) << step;
      double least = 1e9;
      for (int i = 0; i < got[0].manifold.count; ++i) least = std::min(least, got[0].manifold.points[i].separation);
      EXPECT_NEAR(least, -0.001, 1e-8) << step;
    }
}

}  // namespace
