// Contact sets and manifolds, and boxes in the plane. Oracles: closed forms, the decision that they start from, the
// definition of a contact (points between the surfaces), and integers for the boxes.
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/box_box2.hpp>
#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/contact_set2.hpp>
#include <sudar/narrowphase/contact_set3.hpp>
#include <sudar/narrowphase/features3.hpp>
#include <sudar/narrowphase/manifold.hpp>
#include <sudar/narrowphase/primitives3.hpp>
#include <sudar/narrowphase/sphere_capsule3.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::soak;

namespace {

ContactSet3 boxes3(const Vec3d& ha, const Vec3d& hb, const Placement3& place, double margin = 0) {
  return contact_set3(*make_box3(ha), *make_box3(hb), place, box_box_distance3(ha, hb, place), margin);
}
Placement3 at(const Vec3d& p, const Quatd& q = {}) { return make_placement(Pose3d{p, q}); }

std::pair<FeatureKind, FeatureKind> kinds(const ContactPoint<3>& point) {
  return {point.feature_a.kind, point.feature_b.kind};
}
constexpr auto V = FeatureKind::vertex, E = FeatureKind::edge, F = FeatureKind::face;

// A decision for shapes without one of their own here: normal z, B's lowest point over A's highest
DistanceAnswer3 over(double separation, const Vec3d& on_a) {
  DistanceAnswer3 answer;
  answer.hit = separation <= 0;
  answer.separation = answer.lower = answer.upper = separation;
  answer.normal = {0, 0, 1};
  answer.point_a = on_a;
  answer.point_b = on_a + Vec3d{0, 0, separation};
  return answer;
}

// A box on a table: four sides cut nothing away, four points are kept; and the set is that of nobody watching
TEST(ContactSet3, TraceTellsTheCuts) {
  const Shape3 table = *make_box3({3, 3, 1}), box = *make_box3({1, 1, 1});
  const Placement3 place = make_placement<3>(Pose3d{{0.5, 0.5, 1.99}, {}});
  const DistanceAnswer3 answer = box_box_distance3({3, 3, 1}, {1, 1, 1}, place);
  TraceLog log;
  const ContactSet3 set = contact_set3(table, box, place, answer, 0, TraceTo{&log});
  EXPECT_EQ(set.points.size(), contact_set3(table, box, place, answer, 0).points.size());
  std::map<std::string, int> steps;
  for (const auto& e : log.entries()) ++steps[e.step];
  EXPECT_EQ(steps["cut"], 4);
  EXPECT_EQ(steps["keep"], 4);
  EXPECT_EQ(steps["reference"], 1);
  const Shape2 floor = *make_box2({3, 1}), square = *make_box2({1, 1});
  const Placement2 on = make_placement<2>(Pose2d{{2.5, 1.99}, {}});
  TraceLog flat;
  const ContactSet2 segment = contact_set2(floor, square, on, box_box_distance2({3, 1}, {1, 1}, on), 0, TraceTo{&flat});
  EXPECT_EQ(segment.points.size(), 2u);
  steps.clear();
  for (const auto& e : flat.entries()) ++steps[e.step];
  EXPECT_EQ(steps["cut"], 2);
  EXPECT_EQ(steps["keep"], 2);
}

}  // namespace

TEST(ContactSet3, AllSixCombinations) {
  const Vec3d cube{1, 1, 1};
  // face–face, the upper one shifted: a polygon of a corner of each and two crossings of edges
  const ContactSet3 faces = boxes3(cube, cube, at({1, 1, 2}));
  ASSERT_EQ(faces.kind, ContactKind::polygon);
  ASSERT_EQ(faces.points.size(), 4u);
  std::multiset<std::pair<FeatureKind, FeatureKind>> found;
  for (const auto& point : faces.points) {
    found.insert(kinds(point));
    EXPECT_EQ(point.separation, 0);
    EXPECT_EQ(point.position.z, 1);
  }
  EXPECT_EQ(found, (std::multiset<std::pair<FeatureKind, FeatureKind>>{{V, F}, {F, V}, {E, E}, {E, E}}));
  // edge–face: B on its edge along x
  const Quatd roof = Quatd::from_axis_angle({1, 0, 0}, kPi / 4);
  const ContactSet3 edge_face = boxes3({2, 2, 1}, cube, at({0, 0, 1 + std::sqrt(2.0)}, roof), 1e-9);
  ASSERT_EQ(edge_face.kind, ContactKind::segment);
  EXPECT_NEAR(distance(edge_face.points[0].position, edge_face.points[1].position), 2, 1e-14);
  for (const auto& point : edge_face.points) EXPECT_EQ(kinds(point), std::make_pair(F, V));
  // vertex–face: B on a corner
  const Vec3d diagonal = normalized(Vec3d{1, 1, 1});
  const Quatd tip = Quatd::from_axis_angle(normalized(cross(diagonal, Vec3d{0, 0, 1})), arc_cosine(diagonal.z));
  const ContactSet3 vertex_face = boxes3({2, 2, 1}, cube, at({0.25, 0, 1 + std::sqrt(3.0)}, tip), 1e-9);
  ASSERT_EQ(vertex_face.kind, ContactKind::point);
  EXPECT_EQ(kinds(vertex_face.points[0]), std::make_pair(F, V));
  EXPECT_NEAR(vertex_face.points[0].position.x, 0.25, 1e-14);
  // edge–edge across: A's edge along y, B's along x
  const Pose3d world_a{{}, Quatd::from_axis_angle({0, 1, 0}, kPi / 4)};
  Pose3d world_b{{0, 0, 2 * std::sqrt(2.0) - 0.01}, roof};
  const ContactSet3 edges = boxes3(cube, cube, make_placement(world_a, world_b));
  ASSERT_EQ(edges.kind, ContactKind::point);
  EXPECT_EQ(kinds(edges.points[0]), std::make_pair(E, E));
  EXPECT_NEAR(edges.points[0].separation, -0.01, 1e-14);
  // edge–edge in line: both on their edges along x
  world_b.position = {0.5, 0, 2 * std::sqrt(2.0) + 0.01};
  const ContactSet3 in_line = boxes3(cube, cube, make_placement(Pose3d{{}, roof}, world_b), 0.1);
  ASSERT_EQ(in_line.kind, ContactKind::segment);
  EXPECT_NEAR(distance(in_line.points[0].position, in_line.points[1].position), 1.5, 1e-12);
  for (const auto& point : in_line.points) EXPECT_NE(kinds(point), std::make_pair(E, E));
  // vertex–edge and vertex–vertex: tip over an edge, tip over a tip
  const ContactSet3 vertex_edge = boxes3(
      cube, cube, make_placement(Pose3d{{}, roof}, Pose3d{{0, 0, std::sqrt(2.0) + std::sqrt(3.0) + 0.01}, tip}), 0.1);
  ASSERT_EQ(vertex_edge.kind, ContactKind::point);
  EXPECT_EQ(kinds(vertex_edge.points[0]), std::make_pair(E, V));
  EXPECT_NEAR(vertex_edge.separation, 0.01, 1e-14);
  const Quatd tip_up = Quatd::from_axis_angle(normalized(cross(diagonal, Vec3d{0, 0, 1})), arc_cosine(diagonal.z));
  const ContactSet3 tips =
      boxes3(cube, cube, make_placement(Pose3d{{}, tip_up}, Pose3d{{0, 0, 2 * std::sqrt(3.0) + 0.01}, tip}), 0.1);
  ASSERT_EQ(tips.kind, ContactKind::point);
  EXPECT_EQ(kinds(tips.points[0]), std::make_pair(V, V));
}

TEST(ContactSet3, PolygonsShrinkToSegmentsAndPoints) {
  const Vec3d cube{1, 1, 1};
  // Two faces that share a side only, then a corner only
  const ContactSet3 side = boxes3(cube, cube, at({2, 0.5, 2}));
  ASSERT_EQ(side.kind, ContactKind::segment);
  for (const auto& point : side.points) {
    EXPECT_NEAR(point.position.x, 1, 1e-9);
    EXPECT_NEAR(point.position.z, 1, 1e-9);
    EXPECT_NE(point.feature_a.kind, F);
    EXPECT_NE(point.feature_b.kind, F);
  }
  const ContactSet3 corner = boxes3(cube, cube, at({2, 2, 2}));
  ASSERT_EQ(corner.kind, ContactKind::point);
  EXPECT_EQ(kinds(corner.points[0]), std::make_pair(V, V));
  EXPECT_NEAR(distance(corner.points[0].position, {1, 1, 1}), 0, 1e-9);
  // Beyond the margin there is nothing
  const ContactSet3 none = boxes3(cube, cube, at({0, 0, 2.5}), 0.4);
  EXPECT_EQ(none.kind, ContactKind::none);
  EXPECT_EQ(none.separation, 0.5);
  EXPECT_TRUE(none.points.empty());
  EXPECT_EQ(boxes3(cube, cube, at({0, 0, 2.5}), 0.6).points.size(), 4u);
}

TEST(ContactSet3, PointsLieBetweenTheSurfaces) {
  Random random(campaign_seed(1));
  for (std::size_t k = 0; k < soak(3000); ++k) {
    const Vec3d ha{random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.3, 1)};
    const Vec3d hb{random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.3, 1)};
    const double tilt = k % 2 ? 1 : std::ldexp(1.0, -static_cast<int>(random.below(40)));
    const Quatd q =
        normalized(Quatd{1, tilt * random.uniform(-1, 1), tilt * random.uniform(-1, 1), random.uniform(-1, 1)});
    const Placement3 place =
        at({random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), ha.z + hb.z + random.uniform(-0.2, 0.1)}, q);
    const DistanceAnswer3 answer = box_box_distance3(ha, hb, place);
    const ContactSet3 set = boxes3(ha, hb, place, 0.05);
    EXPECT_EQ(set.kind == ContactKind::none, answer.separation > 0.05);
    if (set.points.empty()) continue;
    double least = 1e300;
    std::set<std::uint64_t> ids;
    for (const auto& point : set.points) {
      least = std::min(least, point.separation);
      ids.insert(point.id());
      EXPECT_LE(point.separation, 0.05 + 1e-12);
      // On both surfaces, half the separation away along the normal
      const Vec3d on_a = point.position - set.normal * (point.separation / 2);
      const Vec3d on_b = to_b(place, point.position + set.normal * (point.separation / 2) - place.translation);
      EXPECT_LT(max_abs(max(abs(on_a) - ha, Vec3d{})), 2e-3) << k;
      EXPECT_LT(max_abs(max(abs(on_b) - hb, Vec3d{})), 2e-3) << k;
    }
    EXPECT_NEAR(least, set.separation, 1e-6) << k;
    EXPECT_EQ(ids.size(), set.points.size()) << k;
    // The other way round: the same number of points, the opposite normal
    const Pose3d pb{place.translation, q}, back = inverse(pb);
    const ContactSet3 swapped_set = boxes3(hb, ha, make_placement(back), 0.05);
    EXPECT_LT(dot(rotate(q, swapped_set.normal), set.normal), -0.99);
  }
}

TEST(ContactSet3, CurvedShapes) {
  const Shape3 table = *make_box3({2, 2, 1});
  const auto on_table = [&](const Shape3& shape, const Vec3d& p, const Quatd& q, const Vec3d& deepest) {
    return contact_set3(table, shape, at(p, q), over(-0.01, deepest), 0);
  };
  const Quatd lie = Quatd::from_axis_angle({0, 1, 0}, kPi / 2);
  // A sphere touches in a point, a capsule in a segment
  const ContactSet3 sphere = on_table(*make_sphere3(0.5), {0, 0, 1.49}, {}, {0, 0, 1});
  ASSERT_EQ(sphere.kind, ContactKind::point);
  EXPECT_EQ(kinds(sphere.points[0]), std::make_pair(F, F));
  EXPECT_NEAR(sphere.points[0].position.z, 0.995, 1e-15);
  const ContactSet3 capsule = on_table(*make_capsule3({-1, 0, 0}, {1, 0, 0}, 0.5), {0, 0, 1.49}, {}, {0, 0, 1});
  ASSERT_EQ(capsule.kind, ContactKind::segment);
  for (const auto& point : capsule.points) EXPECT_NEAR(point.separation, -0.01, 1e-15);
  // A cylinder lying: a segment; standing: the samples of its rim; a cone on its side and on its base
  const Shape3 cylinder = *make_cylinder3(1, 0.5), cone = *make_cone3(1, 0.5);
  EXPECT_EQ(on_table(cylinder, {0, 0, 1.49}, lie, {0, 0, 1}).kind, ContactKind::segment);
  const ContactSet3 standing = on_table(cylinder, {0, 0, 1.99}, {}, {0, 0, 1});
  ASSERT_EQ(standing.kind, ContactKind::polygon);
  EXPECT_EQ(standing.points.size(), std::size_t{kRimSamples});
  for (const auto& point : standing.points) EXPECT_NEAR(std::hypot(point.position.x, point.position.y), 0.5, 1e-15);
  EXPECT_EQ(on_table(cone, {0, 0, 1.99}, {}, {0, 0, 1}).points.size(), std::size_t{kRimSamples});
  const double slope = arc_tangent(0.5, 2.0);
  const ContactSet3 cone_side = on_table(cone, {0, 0, 0.99 + std::cos(slope) * 0.25},
                                         Quatd::from_axis_angle({0, 1, 0}, kPi / 2 + slope), {0, 0, 1});
  EXPECT_EQ(cone_side.kind, ContactKind::segment);
  // On a half-space
  const Shape3 ground = *make_halfspace3({0, 0, 1}, 1);
  EXPECT_EQ(contact_set3(ground, *make_box3({1, 1, 1}), at({0, 0, 1.99}), over(-0.01, {0, 0, 1})).points.size(), 4u);
  EXPECT_EQ(contact_set3(ground, cylinder, at({0, 0, 1.49}, lie), over(-0.01, {0, 0, 1})).kind, ContactKind::segment);
}

TEST(ContactSet3, DecidesForItself) {
  // A hull that is a box, a box, and a rounded box: the same contacts
  const Vec3d half{0.5, 0.4, 0.3};
  std::vector<Vec3d> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
  const Shape3 box = *make_box3(half), hull = *make_hull_shape3(corners), rounded = *make_hull_shape3(corners, 0.1);
  const Shape3 table = *make_box3({2, 2, 1});
  const Quatd turn = Quatd::from_axis_angle({0, 0, 1}, 0.4);
  const ContactSet3 of_box = contact_set3(table, box, at({0.3, 0.2, 1.29}, turn));
  const ContactSet3 of_hull = contact_set3(table, hull, at({0.3, 0.2, 1.29}, turn));
  const ContactSet3 of_rounded = contact_set3(table, rounded, at({0.3, 0.2, 1.39}, turn));
  for (const ContactSet3* set : {&of_box, &of_hull, &of_rounded}) {
    ASSERT_EQ(set->kind, ContactKind::polygon);
    EXPECT_EQ(set->points.size(), 4u);
    EXPECT_NEAR(set->normal.z, 1, 1e-12);
    for (const auto& point : set->points) EXPECT_NEAR(point.separation, -0.01, 1e-12);
  }
  // The other way round, and on a half-space
  const Placement3 below = make_placement(Pose3d{{0.3, 0.2, 1.29}, turn}, Pose3d{});
  EXPECT_EQ(contact_set3(hull, table, below).points.size(), 4u);
  EXPECT_EQ(contact_set3(*make_halfspace3({0, 0, 1}, 1), hull, at({0.3, 0.2, 1.29}, turn)).points.size(), 4u);
  // Random pairs of all sorts: never lost, never farther than the margin, as deep as decided
  const Shape3 all[] = {box,
                        hull,
                        rounded,
                        *make_sphere3(0.4),
                        *make_capsule3({0, 0, -0.5}, {0, 0, 0.5}, 0.2),
                        *make_cylinder3(0.5, 0.3),
                        *make_cone3(0.5, 0.4),
                        *make_ellipsoid3({0.3, 0.4, 0.5}),
                        *make_triangle3({-0.5, 0, 0}, {0.5, -0.4, 0}, {0.4, 0.5, 0.1}),
                        *make_segment3({-0.5, 0, 0}, {0.5, 0, 0.2})};
  Random random(campaign_seed(7));
  for (std::size_t k = 0; k < soak(4000); ++k) {
    const Shape3 &a = all[random.below(10)], &b = all[random.below(10)];
    const Quatd q =
        normalized(Quatd{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    const Placement3 place = at({random.uniform(-0.7, 0.7), random.uniform(-0.7, 0.7), random.uniform(-0.7, 0.7)}, q);
    const ContactSet3 set = contact_set3(a, b, place, 0.1);
    EXPECT_EQ(set.points.empty(), set.separation > 0.1);
    double least = 1;
    for (const auto& point : set.points) {
      least = std::min(least, point.separation);
      EXPECT_LE(point.separation, 0.1 + 1e-9);
      EXPECT_TRUE(is_finite(point.position));
    }
    if (!set.points.empty()) {
      EXPECT_NEAR(least, set.separation, 1e-5)
          << k << ' ' << static_cast<int>(a.kind()) << ' ' << static_cast<int>(b.kind());
    }
    EXPECT_LE(reduce(set).count, 4);
  }
}

TEST(Manifold3, KeepsTheDeepestPoint) {
  Random random(campaign_seed(2));
  for (int k = 0; k < 500; ++k) {
    ContactSet3 set;
    set.kind = ContactKind::polygon;
    set.normal = {0, 0, 1};
    const int count = 1 + static_cast<int>(random.below(12));
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * kPi * i / count;
      set.points.push_back({{std::cos(angle), 2 * std::sin(angle), 0},
                            random.uniform(-1, 0),
                            {F, 0},
                            {V, static_cast<std::uint32_t>(i)}});
    }
    const Manifold3 manifold = reduce(set);
    EXPECT_EQ(manifold.count, std::min(count, 4));
    double least = 0, kept = 0;
    for (const auto& point : set.points) least = std::min(least, point.separation);
    std::set<std::uint64_t> ids;
    for (int i = 0; i < manifold.count; ++i) {
      kept = std::min(kept, manifold.points[i].separation);
      ids.insert(manifold.points[i].id());
    }
    EXPECT_EQ(kept, least);
    EXPECT_EQ(static_cast<int>(ids.size()), manifold.count);
  }
}

TEST(Manifold3, IdsPersistWhileABoxSlidesAndTurns) {
  // Slowly over a larger box, resting a little deep, with the tilt of a real step
  const Vec3d table{5, 5, 1}, box{0.5, 0.4, 0.3};
  std::set<std::uint64_t> last;
  int changes = 0;
  for (int step = 0; step < 400; ++step) {
    const double s = step * 0.005, shake = 1e-4 * std::sin(step * 0.7);
    const Quatd q = normalized(Quatd::from_axis_angle({0, 0, 1}, s) * Quatd{1, shake, -shake, 0});
    const Manifold3 manifold = reduce(boxes3(table, box, at({s - 1, 0.3 * s, 1.299}, q), 0.01));
    ASSERT_EQ(manifold.count, 4) << step;
    EXPECT_GT(manifold.normal.z, 0.999);
    std::set<std::uint64_t> ids;
    for (int i = 0; i < manifold.count; ++i) ids.insert(manifold.points[i].id());
    changes += step > 0 && ids != last;
    last = ids;
  }
  EXPECT_EQ(changes, 0);
}

TEST(ContactSet2, EdgesCornersAndRounds) {
  const auto boxes = [](const Vec2d& ha, const Vec2d& hb, const Pose2d& pose, double margin = 0) {
    const Placement2 place = make_placement(pose);
    return contact_set2(*make_box2(ha), *make_box2(hb), place, box_box_distance2(ha, hb, place), margin);
  };
  const Vec2d square{1, 1};
  const ContactSet2 edges = boxes(square, square, {{0.5, 1.9}, {}});
  ASSERT_EQ(edges.kind, ContactKind::segment);
  EXPECT_NEAR(distance(edges.points[0].position, edges.points[1].position), 1.5, 1e-14);
  for (const auto& point : edges.points) {
    EXPECT_NEAR(point.separation, -0.1, 1e-15 * 4);
    EXPECT_NEAR(point.position.y, 0.95, 1e-15);
  }
  const ContactSet2 corner = boxes(square, square, {{0.2, 1 + std::sqrt(2.0)}, Rot2d::from_angle(kPi / 4)}, 1e-9);
  ASSERT_EQ(corner.kind, ContactKind::point);
  EXPECT_EQ(corner.points[0].feature_a, (Feature{E, 2}));
  EXPECT_EQ(corner.points[0].feature_b.kind, V);
  EXPECT_EQ(boxes(square, square, {{2, 2}, {}}).points.size(), 1u);
  EXPECT_EQ(boxes(square, square, {{2, 2.5}, {}}).kind, ContactKind::none);
  // A capsule on a half-plane, a circle on a box
  DistanceAnswer2 answer;
  answer.hit = true;
  answer.normal = {0, 1};
  answer.separation = -0.01;
  answer.point_a = {0, 0};
  answer.point_b = {0, -0.01};
  const Shape2 ground = *make_halfplane2({0, 1}, 0);
  Placement2 place;
  place.translation = {0, 0.49};
  const ContactSet2 capsule = contact_set2(ground, *make_capsule2({-1, 0}, {1, 0}, 0.5), place, answer);
  ASSERT_EQ(capsule.kind, ContactKind::segment);
  EXPECT_NEAR(capsule.points[0].separation, -0.01, 1e-15);
  EXPECT_EQ(contact_set2(ground, *make_circle2(0.5), place, answer).points[0].feature_b.kind, F);
  // Ids persist while a box slides and turns a little
  std::set<std::uint64_t> ids;
  for (int step = 0; step < 300; ++step) {
    const ContactSet2 set =
        boxes({5, 1}, {0.5, 0.5}, {{-2 + step * 0.01, 1.499}, Rot2d::from_angle(1e-4 * std::sin(step * 0.3))}, 0.01);
    const Manifold2 manifold = reduce(set);
    ASSERT_EQ(manifold.count, 2);
    for (int i = 0; i < 2; ++i) ids.insert(manifold.points[i].id());
  }
  EXPECT_EQ(ids.size(), 2u);
}

TEST(ContactSet2, DecidesForItself) {
  const std::vector<Vec2d> pentagon = {{0.5, 0}, {0.1, 0.5}, {-0.4, 0.3}, {-0.4, -0.3}, {0.1, -0.5}};
  const Shape2 all[] = {*make_box2({0.5, 0.4}),
                        *make_circle2(0.4),
                        *make_capsule2({-0.5, 0}, {0.5, 0}, 0.2),
                        *make_polygon2(pentagon),
                        *make_polygon2(pentagon, 0.1),
                        *make_segment2({-0.5, 0}, {0.5, 0.2})};
  Random random(campaign_seed(8));
  for (std::size_t k = 0; k < soak(4000); ++k) {
    const Shape2 &a = all[random.below(6)], &b = all[random.below(6)];
    const Pose2d pose{{random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8)},
                      Rot2d::from_angle(k % 3 == 0 ? 0 : random.uniform(-4, 4))};
    const ContactSet2 set = contact_set2(a, b, make_placement(pose), 0.1);
    EXPECT_EQ(set.points.empty(), set.separation > 0.1);
    double least = 1;
    for (const auto& point : set.points) {
      least = std::min(least, point.separation);
      EXPECT_LE(point.separation, 0.1 + 1e-9);
    }
    if (!set.points.empty()) {
      EXPECT_NEAR(least, set.separation, 1e-5) << k;
    }
    EXPECT_LE(set.points.size(), 2u);
  }
  EXPECT_EQ(contact_set2(*make_halfplane2({0, 1}, 0), all[0], make_placement(Pose2d{{0, 0.39}, {}})).points.size(), 2u);
}

TEST(SphereCapsule3, IsTheClosedFormMadeShort) {
  Random random(campaign_seed(9));
  for (std::size_t k = 0; k < soak(20000); ++k) {
    const double radius = random.uniform(0.1, 1), size = k % 5 == 0 ? 1e-6 : 1;
    const CapsuleShape3 capsule{{random.uniform(-1, 1) * size, random.uniform(-1, 1), 0},
                                {random.uniform(-1, 1) * size, random.uniform(-1, 1), random.uniform(-1, 1)},
                                random.uniform(0.1, 0.5)};
    const auto turn = [&] {
      const double w = random.uniform(-1, 1), x = random.uniform(-1, 1), y = random.uniform(-1, 1);
      return normalized(Quatd{w, x, y, random.uniform(-1, 1)});
    };
    const Pose3d a{{random.uniform(-9, 9), random.uniform(-9, 9), 0}, turn()};
    Pose3d b{a.position + Vec3d{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)}, turn()};
    if (k % 7 == 0) b.position = a.position - rotate(b.rotation, capsule.p);
    Placement3 place = make_placement(a, b);
    const Shape3 sphere = *make_sphere3(radius), rod = *make_capsule3(capsule.p, capsule.q, capsule.radius);
    if (k % 3 == 0) {
      const DistanceAnswer3 touch = primitive_distance3(sphere, rod, place);
      b.position -= rotate(a.rotation, touch.normal) * touch.separation;
      place = make_placement(a, b);
    }
    const DistanceAnswer3 plain = primitive_distance3(sphere, rod, place);
    const DistanceAnswer3 quick = sphere_capsule_distance3(radius, capsule, a, b);
    EXPECT_EQ(quick.hit, plain.hit);
    EXPECT_EQ(sphere_capsule_intersects3(radius, capsule, a, b), plain.hit);
    EXPECT_NEAR(quick.separation, plain.separation, 1e-14);
    if (plain.status == QueryStatus::converged) {
      EXPECT_LT(distance(quick.normal, plain.normal), 1e-11);
    }
    EXPECT_NEAR(dot(quick.point_b - quick.point_a, quick.normal), quick.separation, 1e-14);
    EXPECT_LE(quick.lower, plain.separation);
    EXPECT_GE(quick.upper, plain.separation);
  }
}

TEST(BoxBox2, DecidesAsIntegersDoAndMeasuresTheNearestCorners) {
  Random random(campaign_seed(3));
  for (std::size_t k = 0; k < soak(20000); ++k) {
    const Vec2d a{random.uniform(0.2, 1), random.uniform(0.2, 1)}, b{random.uniform(0.2, 1), random.uniform(0.2, 1)};
    Pose2d pose{{random.uniform(-2, 2), random.uniform(-2, 2)}, Rot2d::from_angle(random.uniform(-4, 4))};
    if (k % 4 == 0) pose.rotation = Rot2d::from_angle(std::ldexp(1.0, -static_cast<int>(random.below(60))));
    if (k % 16 == 0) pose.rotation = {};
    Placement2 place = make_placement(pose);
    if (k % 2 == 0)
      for (int i = 0; i < 3; ++i) {
        const DistanceAnswer2 touch = box_box_distance2(a, b, place);
        place.translation -= touch.normal * touch.separation;
      }
    const DistanceAnswer2 answer = box_box_distance2(a, b, place);
    EXPECT_EQ(answer.hit, box_box_intersects2_plain(a, b, place));
    EXPECT_EQ(answer.hit, box_box_intersects2(a, b, place));
    EXPECT_EQ(answer.separation > 0, !answer.hit);
    EXPECT_NEAR(distance(answer.point_a, answer.point_b), std::fabs(answer.separation), 4e-12);
    EXPECT_LT(max_abs(max(abs(answer.point_a) - a, Vec2d{})), 1e-12);
    EXPECT_LT(max_abs(max(abs(to_b(place, answer.point_b - place.translation)) - b, Vec2d{})), 1e-12);
    EXPECT_LE(answer.lower, answer.separation);
    EXPECT_GE(answer.upper, answer.separation);
    EXPECT_LT(answer.upper - answer.lower, 1e-12);
  }
}
