// Oracles: distance(), support points along the normal, points against each shape by itself, the plain version
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/features2.hpp>
#include <sudar/narrowphase/manifold_pairs2.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/polytope_view2.hpp>
#include <sudar/narrowphase/primitives2.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::soak;

constexpr int kFlatKinds = 8;
Shape2 some_flat(Random& random, std::uint64_t kind) {
  const auto size = [&] { return random.uniform(0.3, 1); };
  const auto point = [&] { return sudar_test::random_point<2>(random); };
  switch (kind) {
    case 0:
      return *make_point2(point());
    case 1:
      return *make_segment2(point(), point());
    case 2:
      return *make_circle2(size());
    case 3:
      return *make_capsule2(point(), point(), size());
    case 4:
      return *make_box2({size(), size()});
    case 5:
      return *make_polygon2(sudar_test::random_points<2>(random, 3 + random.below(9)));
    case 6:
      return *make_polygon2(sudar_test::random_points<2>(random, 6), 0.2);
    default:
      return *make_halfplane2(normalized(point()), random.uniform(-0.5, 0.5));
  }
}
bool is_grown2(const Shape2& shape) {
  return shape.kind() == ShapeKind2::capsule ||
         (shape.kind() == ShapeKind2::polygon && shape.as<PolygonShape2>().radius > 0);
}
double gap_along2(const Shape2& a, const Shape2& b, const Placement2& place, const Vec2d& n) {
  const double reach_a = a.is_bounded() ? dot(n, support_point(a, n)) : a.as<HalfPlaneShape2>().offset;
  const Vec2d n_b = to_b(place, -n), at = place.translation + place.rest;
  const double reach_b = b.is_bounded() ? dot(n_b, support_point(b, n_b)) : b.as<HalfPlaneShape2>().offset;
  return dot(n, at) - reach_b - reach_a;
}
double point_gap2(const Shape2& shape, const Vec2d& p) {
  return distance(shape, *make_point2(p), Placement2{}).separation;
}
Placement2 some_place2(Random& random, const Shape2& a, const Shape2& b) {
  const Rot2d turn = random.below(3) == 0 ? Rot2d{} : Rot2d::from_angle(random.uniform(-3, 3));
  const Placement2 place = make_placement(Pose2d{sudar_test::random_point<2>(random) * 1.5, turn});
  if (random.below(4) == 0) return place;
  const DistanceAnswer2 x = distance(a, b, place);
  if (!(std::fabs(x.separation) < 100)) return place;
  constexpr double kAway[] = {0, 0x1p-50, -0x1p-50, 0.001, -0.001, 0.03, -0.1};
  return moved(place, x.normal * (kAway[random.below(7)] - x.separation));
}

TEST(ManifoldPairs2, SayWhatTheDistanceSays) {
  Random random(campaign_seed(20240611));
  const std::size_t rounds = soak(60);
  std::size_t manifolds = 0, pairs = 0, mirrored = 0, swaps = 0;
  for (std::size_t k = 0; k < rounds * kFlatKinds * kFlatKinds; ++k) {
    const Shape2 a = some_flat(random, k % kFlatKinds), b = some_flat(random, k / kFlatKinds % kFlatKinds);
    const Placement2 place = some_place2(random, a, b), back = inverse(place);
    const double margin = random.below(2) == 0 ? 0 : 0.05;
    SCOPED_TRACE(testing::Message() << k << ": " << to_string(a.kind()) << " " << to_string(b.kind()));
    std::vector<PieceManifold<2>> got, plain, swapped;
    QueryCache2 cache;
    append_manifolds(a, b, place, margin, &cache, got);
    append_manifolds_plain(a, b, place, margin, plain);
    const DistanceAnswer2 x = distance(a, b, place);
    const bool expected = x.status != QueryStatus::unsupported && (margin == 0 ? x.hit : x.separation <= margin);
    ASSERT_EQ(got.size(), expected ? 1u : 0u) << x.separation;
    ASSERT_EQ(plain.size(), got.size());
    if (!expected) continue;
    const Manifold2& m = got[0].manifold;
    ++manifolds;
    pairs += m.count == 2;
    double least = m.points[0].separation;
    if (m.count == 2) least = std::min(least, m.points[1].separation);
    EXPECT_NEAR(length(m.normal), 1, 1e-12);
    EXPECT_NEAR(least, x.separation, 1e-12);
    EXPECT_EQ(least <= 0, x.hit);
    EXPECT_NEAR(gap_along2(a, b, place, m.normal), x.separation, 1e-9);
    for (int i = 0; i < m.count; ++i) {
      const ContactPoint<2>& p = m.points[i];
      const double on_a = point_gap2(a, p.position - m.normal * (p.separation / 2));
      const double on_b = point_gap2(b, transform(back, p.position + m.normal * (p.separation / 2)));
      EXPECT_LE(p.separation, std::max(margin, x.separation + 1e-8));
      EXPECT_LE(std::max(on_a, on_b), 1e-9) << i;
      if (p.separation == least || (!is_grown2(a) && !is_grown2(b))) {
        EXPECT_GE(std::min(on_a, on_b), -1e-9) << i;
      }
    }
    // The other way around. What touches only has many normals.
    append_manifolds(b, a, back, margin, nullptr, swapped);
    if (std::fabs(x.separation) > 1e-6 && std::fabs(x.separation - margin) > 1e-12) {
      ASSERT_EQ(swapped.size(), 1u);
      const Manifold2& q = swapped[0].manifold;
      bool same = q.count == m.count && dot(m.normal, -turn(place, q.normal)) > 1 - 1e-9;
      for (int i = 0; i < m.count && same; ++i) {
        bool found = false;
        for (int j = 0; j < q.count; ++j)
          found = found || (distance(m.points[i].position, transform(place, q.points[j].position)) < 1e-8 &&
                            m.points[i].feature_a == q.points[j].feature_b);
        same = found;
      }
      mirrored += same;
      ++swaps;
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(manifolds, rounds * 20);
  EXPECT_GT(pairs, rounds * 4);
  // Ties, and points next to a border of names
  EXPECT_GE(mirrored * 100, swaps * 97);
}

// Flat on the ground, whichever of the two is named first
// The way of boxes against their polygons, to the last bit; along the axes two corners are as far
TEST(ManifoldPairs2, TheWidestPartOfABoxIsThatOfItsPolygon) {
  Random random(campaign_seed(5));
  for (std::size_t n = 0; n < soak(2000); ++n) {
    const Shape2 box = *make_box2({random.uniform(0.1, 1), random.uniform(0.1, 1)});
    const PolytopeView2 view(box);
    Vec2d d = normalized(sudar_test::random_point<2>(random));
    if (n % 3 == 0) d = Vec2d{n % 2 == 0 ? 1.0 : -1.0, 0};
    if (n % 6 >= 4) d = Vec2d{0, n % 2 == 0 ? 1.0 : -1.0};
    const Patch2 patch = patch_towards(box, d, {}, true);
    const std::uint32_t v = view.support_plain(d), before = view.previous(v);
    const std::uint32_t edge = dot(view.normals()[v], d) >= dot(view.normals()[before], d) ? v : before;
    ASSERT_EQ(patch.count, 2);
    EXPECT_EQ(patch.inside, (Feature{FeatureKind::edge, edge}));
    EXPECT_EQ(patch.corners[0], (Feature{FeatureKind::vertex, edge}));
    EXPECT_EQ(patch.corners[1], (Feature{FeatureKind::vertex, view.next(edge)}));
    EXPECT_EQ(patch.points[0], view.vertices()[edge]);
    EXPECT_EQ(patch.points[1], view.vertices()[view.next(edge)]);
    EXPECT_EQ(patch.normal, view.normals()[edge]);
    EXPECT_EQ(patch.faces, distance(d, view.normals()[edge]) <= kContactTilt);
    EXPECT_EQ(patch.radius, 0);
  }
}

TEST(ManifoldPairs2, GroundThatIsNamedLastCarriesBothCorners) {
  const Vec2d square[] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  const Shape2 ground = *make_halfplane2({0, 1}, 0);
  for (const Shape2& body : {*make_polygon2(square), *make_box2({0.5, 0.5})})
    for (const bool ground_last : {false, true}) {
      std::vector<PieceManifold<2>> got;
      append_manifolds(ground_last ? body : ground, ground_last ? ground : body,
                       make_placement(Pose2d{{0.25, ground_last ? -0.5 : 0.5}, {}}), 0.02, nullptr, got);
      ASSERT_EQ(got.size(), 1u);
      EXPECT_EQ(got[0].manifold.count, 2) << ground_last;
    }
}

TEST(ManifoldPairs2, NamesStayWhileBodiesJiggle) {
  const Vec2d corners[] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  const struct {
    Shape2 a, b;
    double height, drift;
  } rests[] = {
      {*make_box2({5, 1}), *make_box2({0.5, 0.3}), 1.3, 1},
      {*make_box2({0.5, 0.5}), *make_box2({0.5, 0.5}), 1, 0.005},
      {*make_polygon2(corners), *make_polygon2(corners), 1, 0.005},
      {*make_halfplane2({0, 1}, 0), *make_polygon2(corners), 0.5, 1},
      {*make_box2({5, 1}), *make_capsule2({-0.5, 0}, {0.5, 0}, 0.2), 1.2, 1},
  };
  for (std::size_t k = 0; k < std::size(rests); ++k) {
    SCOPED_TRACE(k);
    Random random(campaign_seed(20240612 + k));
    std::set<std::uint64_t> first;
    for (int step = 0; step < 300; ++step) {
      const Vec2d by = sudar_test::random_point<2>(random);
      const Placement2 place = make_placement(Pose2d{{by.x * rests[k].drift, rests[k].height + 1e-3 * by.y},
                                                     Rot2d::from_angle(random.uniform(-1e-3, 1e-3))});
      std::vector<PieceManifold<2>> got;
      append_manifolds(rests[k].a, rests[k].b, place, 0.02, nullptr, got);
      ASSERT_EQ(got.size(), 1u);
      ASSERT_EQ(got[0].manifold.count, 2) << step;
      const std::set<std::uint64_t> ids{got[0].manifold.points[0].id(), got[0].manifold.points[1].id()};
      if (step == 0) first = ids;
      ASSERT_EQ(ids, first) << step;
    }
  }
}

double least_of2(const std::vector<PieceManifold<2>>& manifolds) {
  double least = 1e9;
  for (const auto& piece : manifolds)
    for (int i = 0; i < piece.manifold.count; ++i) least = std::min(least, piece.manifold.points[i].separation);
  return least;
}

TEST(ChainManifolds2, TouchWhatTheChainTouches) {
  Random random(campaign_seed(20240613));
  const std::size_t rounds = soak(600);
  std::size_t touching = 0, near = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<Vec2d> ground;
    for (int i = 0; i <= 20; ++i) ground.push_back({0.3 * i - 3, round % 3 == 0 ? 0 : random.uniform(-0.15, 0.15)});
    const Shape2 a = *make_chain2(ground), b = some_flat(random, 2 + random.below(5));
    const Rot2d turn = random.below(2) == 0 ? Rot2d{} : Rot2d::from_angle(random.uniform(-3, 3));
    Placement2 place = make_placement(Pose2d{{random.uniform(-3.5, 3.5), random.uniform(2, 3)}, turn});
    const DistanceAnswer2 above = distance(a, b, place);
    constexpr double kAway[] = {0, 0.001, -0.001, 0.03, -0.02, 0.2};
    place = moved(place, above.normal * (kAway[random.below(6)] - above.separation));
    const double margin = random.below(2) == 0 ? 0 : 0.05;
    SCOPED_TRACE(testing::Message() << round << ": " << to_string(b.kind()));
    std::vector<PieceManifold<2>> got, swapped;
    append_manifolds(a, b, place, margin, nullptr, got);
    append_manifolds(b, a, inverse(place), margin, nullptr, swapped);
    const DistanceAnswer2 x = distance(a, b, place);
    ASSERT_LE(got.size(), kMostPatches);
    if (std::fabs(x.separation - margin) < 1e-9) continue;
    ASSERT_EQ(!got.empty(), x.separation <= margin) << x.separation;
    if (got.empty()) continue;
    EXPECT_EQ(least_of2(got) <= 0, x.hit) << least_of2(got) << " " << x.separation;
    if (!x.hit) {
      EXPECT_NEAR(least_of2(got), x.separation, 1e-9);
    }
    EXPECT_NEAR(least_of2(swapped), least_of2(got), x.hit ? 0.02 : 1e-9);
    for (const auto& piece : got)
      for (int i = 0; i < piece.manifold.count; ++i) {
        const ContactPoint<2>& p = piece.manifold.points[i];
        EXPECT_LE(p.separation, margin);
        EXPECT_LE(std::fabs(point_gap2(a, p.position)), 0.5 * std::fabs(p.separation) + 1e-9);
        if (!is_grown2(b)) {
          EXPECT_LE(std::fabs(point_gap2(b, transform(inverse(place), p.position))),
                    0.5 * std::fabs(p.separation) + 1e-9);
        }
      }
    touching += x.hit;
    near += !x.hit;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(touching, rounds / 5);
  EXPECT_GT(near, rounds / 20);
}

TEST(ChainManifolds2, NoGhostsOnFlatGround) {
  // A box that slides over the corners of a flat chain, a little deep: straight up at every place, by as much as it sinks
  std::vector<Vec2d> ground;
  for (int i = 0; i <= 20; ++i) ground.push_back({0.3 * i - 3, 0});
  const Shape2 flat = *make_chain2(ground), box = *make_box2({0.4, 0.3}), ball = *make_circle2(0.3);
  for (int step = 0; step < 400; ++step)
    for (const Shape2* b : {&box, &ball}) {
      std::vector<PieceManifold<2>> got;
      append_manifolds(flat, *b, make_placement(Pose2d{{-2 + 0.01 * step, 0.29}, {}}), 0.02, nullptr, got);
      ASSERT_EQ(got.size(), 1u) << step;
      EXPECT_NEAR(got[0].manifold.normal.y, 1, 1e-12) << step;
      EXPECT_NEAR(least_of2(got), -0.01, 1e-12) << step;
      ASSERT_EQ(got[0].manifold.count, b == &box ? 2 : 1) << step;
    }
}

TEST(CompoundManifolds, ChildrenAreOneBody) {
  // A floor of three blocks side by side, a box across the seams: straight up, on its two corners
  const Shape2 block = *make_box2({0.5, 0.5});
  const std::vector<CompoundChild2> row = {{block, {{-1, 0}, {}}}, {block, {{0, 0}, {}}}, {block, {{1, 0}, {}}}};
  const Shape2 floor = *make_compound2(row), box = *make_box2({0.6, 0.2});
  for (int step = 0; step < 200; ++step) {
    const double x = -0.8 + 0.008 * step;
    const Placement2 place = make_placement(Pose2d{{x, 0.699}, {}});
    std::vector<PieceManifold<2>> got, swapped;
    append_manifolds(floor, box, place, 0.01, nullptr, got);
    append_manifolds(box, floor, inverse(place), 0.01, nullptr, swapped);
    ASSERT_EQ(got.size(), 1u) << step;
    ASSERT_EQ(swapped.size(), 1u) << step;
    const Manifold2& m = got[0].manifold;
    EXPECT_NEAR(m.normal.y, 1, 1e-9) << step;
    EXPECT_NEAR(swapped[0].manifold.normal.y, -1, 1e-9) << step;
    ASSERT_EQ(m.count, 2) << step;
    EXPECT_NEAR(least_of2(got), -0.001, 1e-8) << step;
    EXPECT_NEAR(std::fabs(m.points[1].position.x - m.points[0].position.x), std::min(1.2, 2.1 - std::fabs(x)), 0.02);
  }
  // Apart, near, and a body between two of its children
  std::vector<PieceManifold<2>> none;
  append_manifolds(floor, box, make_placement(Pose2d{{0, 0.8}, {}}), 0.01, nullptr, none);
  EXPECT_TRUE(none.empty());
  append_manifolds(floor, box, make_placement(Pose2d{{0, 0.705}, {}}), 0.01, nullptr, none);
  ASSERT_EQ(none.size(), 1u);
  EXPECT_NEAR(least_of2(none), 0.005, 1e-12);
}

}  // namespace
