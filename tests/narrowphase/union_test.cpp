// Depths and contacts of bodies that are not convex: solid meshes, compounds, non-convex polygons
#include "tests/narrowphase/bumpy_sphere.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/geom/closest.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/depth_proof3.hpp>
#include <sudar/narrowphase/manifold.hpp>
#include <sudar/narrowphase/mesh_convex.hpp>
#include <sudar/narrowphase/mesh_depth.hpp>
#include <sudar/narrowphase/mesh_distance.hpp>
#include <sudar/narrowphase/part_contacts.hpp>
#include <sudar/narrowphase/piece_hull.hpp>
#include <sudar/narrowphase/primitives3.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

using namespace sudar;
using sudar_test::bumpy_sphere;
using sudar_test::campaign_seed;
using sudar_test::random_pose;
using sudar_test::shifted;

namespace {

Shape3 solid_shape(const Mesh& mesh) { return *make_mesh_shape3(mesh.vertices, mesh.triangles, true); }
Mesh moved_mesh(const Mesh& mesh, const Vec3d& by) { return *transformed(mesh, Pose3d{by, {}}); }

// Two legs and a bar across, open below: a body with a notch
Mesh gate() {
  return *joined(
      *joined(moved_mesh(*box_mesh({0.5, 1, 2}), {-2.5, 0, 0}), moved_mesh(*box_mesh({0.5, 1, 2}), {2.5, 0, 0})),
      moved_mesh(*box_mesh({3, 1, 0.5}), {0, 0, 2.5}));
}
std::vector<CompoundChild3> gate_children() {
  return {{*make_box3({0.5, 1, 2}), {{-2.5, 0, 0}, {}}},
          {*make_box3({0.5, 1, 2}), {{2.5, 0, 0}, {}}},
          {*make_box3({3, 1, 0.5}), {{0, 0, 2.5}, {}}}};
}

// The bracket, what the depth means, and witness points on both shapes
template <class S, int D>
void expect_depth(const S& a, const S& b, const Placement<D>& p, const DistanceAnswer<D>& x) {
  ASSERT_TRUE(x.hit);
  EXPECT_LE(x.lower, x.separation);
  EXPECT_GE(x.upper, x.separation);
  EXPECT_NEAR(length(x.normal), 1, 1e-12);
  EXPECT_NEAR(dot(x.point_b - x.point_a, x.normal), x.separation, 1e-8 * (1 + std::fabs(x.separation)));
  Placement<D> q = p;
  q.translation = p.translation - x.normal * (1.01 * x.separation);
  EXPECT_FALSE(intersects(a, b, q));
  q.translation = p.translation - x.normal * (0.99 * x.separation);
  EXPECT_TRUE(intersects(a, b, q));
  // Nothing shorter than the bracket says
  Random random(campaign_seed(7));
  for (int k = 0; k < 40; ++k) {
    Vec<D, double> d{};
    for (int i = 0; i < D; ++i) d[i] = random.uniform(-1, 1);
    q.translation = p.translation + normalized(d) * (-0.999 * x.upper);
    EXPECT_TRUE(intersects(a, b, q));
  }
}
double distance_to(const Shape3& shape, const Vec3d& p) {
  // To the surface: from a mesh by its triangles, from convex bodies by pushing the point out
  if (shape.kind() == ShapeKind3::mesh) {
    Vec3d nearest;
    return distance_to_surface(*shape.as<MeshShape3>().mesh, p, nearest);
  }
  return std::fabs(distance(shape, {}, Shape3(PointShape3{p}), {}).separation);
}

}  // namespace

// Closed form: a ball that lies deep in a solid of two blocks comes out the short way, and the normal points out
TEST(SolidContacts, PointOutOfTheSolid) {
  const Shape3 body = solid_shape(gate()), ball = *make_sphere3(0.4), box = *make_box3({0.3, 0.3, 0.3});
  Random random(campaign_seed(70));
  for (int n = 0; n < 60; ++n) {
    // In the bar, near its top; in a leg, near its outer side; wholly inside and sticking out
    const double depth = random.uniform(0.05, 0.45);
    const bool top = n % 2 == 0;
    const Vec3d at = top ? Vec3d{random.uniform(-1.5, 1.5), random.uniform(-0.1, 0.1), 3 - depth}
                         : Vec3d{-3 + depth, random.uniform(-0.1, 0.1), random.uniform(-1, 1)};
    for (const Shape3* shape : {&ball, &box}) {
      const DistanceAnswer3 x = distance(body, *shape, shifted(at));
      expect_depth<Shape3, 3>(body, *shape, shifted(at), x);
      const ContactSet3 set = contacts(body, *shape, shifted(at), 0.01);
      ASSERT_NE(set.kind, ContactKind::none);
      EXPECT_NEAR(dot(set.normal, top ? Vec3d{0, 0, 1} : Vec3d{-1, 0, 0}), 1, 1e-6) << n;
      EXPECT_NEAR(set.separation, x.separation, 1e-12);
      const double reach = shape == &ball ? 0.4 : 0.3;
      EXPECT_NEAR(set.separation, -(depth + reach), 1e-6);
      double least = 1;
      for (const auto& point : set.points) least = std::min(least, point.separation);
      EXPECT_NEAR(least, set.separation, 1e-6);
      EXPECT_EQ(set.points.size(), shape == &ball ? 1u : 4u);
      // Seen from the other side
      const ContactSet3 back = contacts(*shape, body, inverse(shifted(at)), 0.01);
      EXPECT_NEAR(dot(back.normal, set.normal), -1, 1e-6);
      // Triangle by triangle: none pulls in
      std::vector<TriangleContact> found;
      ASSERT_TRUE(mesh_convex_contacts(body.as<MeshShape3>(), *shape, shifted(at), 0.01, found));
      for (const TriangleContact& c : found) {
        const Vec3d face = normalized(double_area(body.as<MeshShape3>().mesh->triangle(c.triangle)));
        EXPECT_GE(dot(c.answer.normal, face), -1e-5);
      }
    }
  }
}

// Closed form: a ball, or a point, wholly inside comes out by the nearest face, and that is known for sure
TEST(SolidContacts, SmallBodiesInsideAreExact) {
  const Shape3 body = solid_shape(gate());
  for (const double radius : {0.1, 0.0}) {
    const Shape3 small = radius > 0 ? *make_sphere3(radius) : *make_point3({0, 0, 0});
    const DistanceAnswer3 x = distance(body, small, shifted({0.3, 0.1, 2.6}));
    EXPECT_TRUE(x.hit);
    EXPECT_NEAR(x.separation, -0.4 - radius, 1e-12);
    EXPECT_NEAR(x.normal.z, 1, 1e-9);
    EXPECT_EQ(x.status, QueryStatus::converged);
    EXPECT_LT(x.iterations, 20);
  }
}

// Closed forms: the way out of a union is that of the whole, not of its deepest part
TEST(UnionDepth, SeamsAreNoWayOut) {
  // One block in two halves: a box in the middle is 0.6 deep; the halves by themselves say less
  const std::vector<CompoundChild3> halves = {{*make_box3({1, 1, 0.5}), {{-1, 0, 0}, {}}},
                                              {*make_box3({1, 1, 0.5}), {{1, 0, 0}, {}}}};
  const Shape3 block = *make_compound3(halves), box = *make_box3({0.2, 0.2, 0.2});
  const DistanceAnswer3 x = distance(block, box, shifted({0.01, 0.05, 0.1}));
  expect_depth<Shape3, 3>(block, box, shifted({0.01, 0.05, 0.1}), x);
  EXPECT_NEAR(x.separation, -0.6, 1e-6);
  EXPECT_NEAR(x.normal.z, 1, 1e-6);
  const ContactSet3 set = contacts(block, box, shifted({0.01, 0.05, 0.1}));
  EXPECT_NEAR(set.separation, -0.6, 1e-6);
  EXPECT_EQ(set.points.size(), 4u);
  // The same in the plane
  const std::vector<CompoundChild2> pair = {{*make_box2({1, 0.5}), {{-1, 0}, {}}},
                                            {*make_box2({1, 0.5}), {{1, 0}, {}}}};
  const Shape2 bar = *make_compound2(pair), square = *make_box2({0.2, 0.2});
  const Placement2 p = make_placement(Pose2d{{0.01, 0.1}, {}});
  const DistanceAnswer2 y = distance(bar, square, p);
  expect_depth<Shape2, 2>(bar, square, p, y);
  EXPECT_NEAR(y.separation, -0.6, 1e-6);
  EXPECT_NEAR(contacts(bar, square, p).separation, -0.6, 1e-6);
  // A polygon with a notch, and a square in its seam
  const std::vector<Vec2d> comb = {{-2, -1}, {2, -1}, {2, 1}, {0.5, 1}, {0, 0}, {-0.5, 1}, {-2, 1}};
  const Shape2 polygon = *make_concave_polygon2(comb);
  for (const double at : {-1.2, -0.3, 0.0, 0.2, 0.9}) {
    const Placement2 q = make_placement(Pose2d{{at, -0.6}, Rot2d::from_angle(0.2)});
    const DistanceAnswer2 z = distance(polygon, square, q);
    expect_depth<Shape2, 2>(polygon, square, q, z);
    EXPECT_NEAR(contacts(polygon, square, q).separation, z.separation, 1e-9);
  }
}

// Oracle: a block in one piece. A block in two halves, and one of triangles, is touched by corners, rims and round sides
// from overlaps that rounding can hardly tell to deep ones; the depth is that of the block, along a direction that means it.
// Over a seam the way out of one piece may be turned by about the overlap and as short, to rounding: that translation frees the
// body as well, but the plane across it is not quite one of the block.
TEST(UnionDepth, ABlockInPiecesIsABlock) {
  const std::vector<CompoundChild3> halves = {{*make_box3({0.4, 0.6, 0.5}), {{-0.4, 0, 0}, {}}},
                                              {*make_box3({0.4, 0.6, 0.5}), {{0.4, 0, 0}, {}}}};
  const Shape3 block = *make_box3({0.8, 0.6, 0.5}), parts = *make_compound3(halves);
  const Shape3 triangles = solid_shape(*box_mesh({0.8, 0.6, 0.5}));
  Random random(campaign_seed(74));
  std::vector<Vec3d> points;
  for (int i = 0; i < 20; ++i) points.push_back(unit_vector<3>(random) * 0.8);
  const Shape3 shapes[] = {*make_cone3(0.5, 0.4),     *make_cylinder3(0.4, 0.5),         *make_box3({0.3, 0.5, 0.6}),
                           *make_hull_shape3(points), *make_ellipsoid3({0.3, 0.5, 0.7}), *make_sphere3(0.6)};
  int hits = 0, turned = 0;
  for (int n = 0; n < 300; ++n) {
    const Shape3& shape = shapes[n % 6];
    const double overlap = n % 5 == 4 ? random.uniform(0.1, 0.6) : std::pow(10.0, random.uniform(-12, -3));
    Placement3 p = make_placement(Pose3d{{}, unit_quaternion(random)});
    // At a corner of the block, or on its top where the halves meet
    const bool corner = n % 2 == 0;
    const Vec3d d = corner ? unit_vector<3>(random) : Vec3d{0, 0, 1};
    const Vec3d place =
        corner ? support_point(block, d) : Vec3d{random.uniform(-1, 1) * overlap, random.uniform(-0.5, 0.5), 0.5};
    const auto lowest = [&](const Vec3d& along) {
      return transform(p, support_point(shape, to_b(p, -along))) + p.rest;
    };
    const auto width = [&](const Vec3d& along) { return dot(support_point(block, along) - lowest(along), along); };
    p.translation = place - d * overlap - lowest(d);
    const DistanceAnswer3 whole = distance(block, shape, p);
    const double depth = whole.hit ? -whole.separation : 0;
    for (const Shape3* body : {&parts, &triangles}) {
      const DistanceAnswer3 x = distance(*body, shape, p);
      if (!x.hit) continue;
      ++hits;
      EXPECT_NEAR(-x.separation, depth, 1e-8) << n << ' ' << overlap;
      Placement3 out = p;
      out.translation = p.translation + x.normal * (1e-12 - (1 + 1e-6) * x.separation);
      EXPECT_FALSE(intersects(block, shape, out)) << n << ' ' << overlap;
      EXPECT_LE(width(x.normal), depth + std::min(0.05, 1e-3 + 2 * overlap)) << n << ' ' << overlap;
      turned += width(x.normal) > depth + 1e-8 || std::fabs(width(x.normal) + x.separation) > 1e-8;
    }
  }
  EXPECT_GT(hits, 400);
  EXPECT_LE(turned, hits / 100);
}

// Oracle: a rounded hull. Balls of one size have a hull of points: its depth is exact, and no direction is searched for.
template <int D>
void check_balls_of_one_size(const AnyShape<D>& box, Random& random) {
  constexpr auto kRounded = [](const std::vector<Vec<D, double>>& points, double radius) {
    if constexpr (D == 2)
      return *make_polygon2(points, radius);
    else
      return *make_hull_shape3(points, radius);
  };
  constexpr auto kBall = [](double radius) {
    if constexpr (D == 2)
      return *make_circle2(radius);
    else
      return *make_sphere3(radius);
  };
  int hits = 0;
  for (int n = 0; n < 60; ++n) {
    const double radius = random.uniform(0.05, 0.5);
    std::vector<Vec<D, double>> points(1 + static_cast<std::size_t>(n % 6));
    PieceHull<D> balls, other;
    other.add(box, Placement<D>{});
    Pose<D, double> pose;
    pose.position = unit_vector<D>(random) * random.uniform(0.0, 1.0);
    for (Vec<D, double>& p : points) {
      p = unit_vector<D>(random) * random.uniform(0.0, 0.5);
      balls.add(kBall(radius), make_placement(Pose<D, double>{transform(pose, p), {}}));
    }
    const DistanceAnswer<D> x = hull_depth(other, balls),
                            y = distance(box, kRounded(points, radius), make_placement(pose));
    if (!y.hit) continue;
    ++hits;
    EXPECT_EQ(x.status, QueryStatus::converged) << n;
    EXPECT_LE(x.iterations, 200) << n;
    EXPECT_NEAR(x.separation, y.separation, 1e-9) << n;
    EXPECT_NEAR(-overlap_along(other, balls, x.normal), x.separation, 1e-9) << n;
  }
  EXPECT_GT(hits, 40);
}

TEST(UnionDepth, BallsOfOneSizeHaveAHullOfPoints) {
  Random random(campaign_seed(75));
  check_balls_of_one_size<2>(*make_box2({1, 0.7}), random);
  check_balls_of_one_size<3>(*make_box3({1, 0.7, 0.4}), random);
}

// Oracle: the piece by itself. As the only one of a compound it has the same way out, of a box and of a mesh.
TEST(UnionDepth, OneRoundPieceIsThatPiece) {
  const Shape3 pieces[] = {*make_sphere3(0.6), *make_capsule3({-0.5, 0, 0}, {0.5, 0, 0}, 0.3)};
  const Shape3 bodies[] = {*make_box3({0.8, 0.6, 0.5}), solid_shape(gate()), solid_shape(bumpy_sphere(12, 12, 0.3))};
  Random random(campaign_seed(76));
  int hits = 0;
  for (int n = 0; n < 60; ++n) {
    const Shape3 &piece = pieces[n % 2], &body = bodies[n % 3];
    const Pose3d inner = random_pose(random, 1), outer = random_pose(random, 1.5);
    const CompoundChild3 child{piece, inner};
    const Shape3 compound = *make_compound3({&child, 1});
    const DistanceAnswer3 x = distance(body, compound, make_placement(outer)),
                          y = distance(body, piece, make_placement(outer * inner));
    ASSERT_EQ(x.hit, y.hit) << n;
    EXPECT_NEAR(x.separation, y.separation, 1e-6) << n;
    EXPECT_LE(std::max(x.lower, y.lower), std::min(x.upper, y.upper) + 1e-9) << n;
    hits += x.hit;
  }
  EXPECT_GT(hits, 15);
}

// Balls of many sizes are round in every direction: a way to try is looked for in few directions. Closed form: how far balls
// reach along a direction.
TEST(UnionDepth, HullsOfBallsAreSearchedForAWhileOnly) {
  struct Ball {
    Vec3d at;
    double radius;
  };
  std::vector<Ball> first, second;
  PieceHull<3> balls, others;
  const auto add = [](std::vector<Ball>& list, PieceHull<3>& hull, const Vec3d& at, double radius) {
    list.push_back({at, radius});
    hull.add(*make_sphere3(radius), make_placement(Pose3d{at, {}}));
  };
  for (int i = 0; i < 4; ++i) {
    const double at = 0.3 * i;
    add(first, balls, {at, 0.2 * at, 0}, 0.5 + 0.1 * i);
    add(second, others, {0.1, at, -0.3 * at}, 0.8 - 0.1 * i);
  }
  const auto reach = [](const std::vector<Ball>& list, const Vec3d& along) {
    double most = -std::numeric_limits<double>::infinity();
    for (const Ball& ball : list) most = std::max(most, dot(ball.at, along) + ball.radius);
    return most;
  };
  const DistanceAnswer3 x = hull_depth(balls, others);
  ASSERT_TRUE(x.hit);
  EXPECT_LE(x.iterations, kRoughDirections + 2000);
  // No direction of many is a shorter way out by much
  Random random(campaign_seed(77));
  double least = std::numeric_limits<double>::infinity();
  for (int n = 0; n < 20000; ++n) {
    const Vec3d along = unit_vector<3>(random);
    const double width = reach(first, along) + reach(second, -along);
    ASSERT_NEAR(overlap_along(balls, others, along), width, 1e-12);
    least = std::min(least, width);
  }
  EXPECT_LE(-x.separation, least + 1e-9);
}

// Closed form: a needle that just pokes into a seam, of bodies whose hull is far above that place. Each piece by itself has
// a way out that is shorter, into the other.
TEST(UnionDepth, ShallowContactsAreLocal) {
  // Turned, so that no direction that is tried first is the right one
  const Quatd turn = Quatd::from_axis_angle(normalized(Vec3d{1, 2, 3}), 0.7);
  const auto place = [&](const Vec3d& at) { return Pose3d{rotate(turn, at), turn}; };
  const std::vector<CompoundChild3> children = {{*make_box3({1, 1, 0.5}), place({-1, 0, 0})},
                                                {*make_box3({1, 1, 0.5}), place({1, 0, 0})},
                                                {*make_box3({0.2, 1, 3}), place({2.2, 0, 0})}};
  const Shape3 parts = *make_compound3(children), body = solid_shape(*transformed(gate(), place({})));
  for (const double depth : {1e-2, 1e-4, 1e-7, 1e-9}) {
    const Vec3d half{0.1 * depth, 0.1 * depth, 0.2};
    for (const Shape3& needle : {*make_box3(half), solid_shape(*box_mesh(half))}) {
      const auto expect = [&](const Shape3& whole, const Vec3d& at, double side) {
        const Pose3d pose = place(at + Vec3d{0, 0, side * (0.2 - depth)});
        const DistanceAnswer3 x = distance(whole, needle, make_placement(pose));
        ASSERT_TRUE(x.hit);
        EXPECT_NEAR(x.separation, -depth, 1e-6 * depth + 1e-13) << at.z << ' ' << side;
        EXPECT_NEAR(dot(x.normal, rotate(turn, Vec3d{0, 0, side})), 1, 1e-6);
      };
      expect(parts, {0, 0.1, 0.5}, 1);
      // On the diagonal of the bar's top, and under the bar
      expect(body, {0, 0, 3}, 1);
      expect(body, {0, 0, 2}, -1);
    }
  }
}

// Oracle: the same body as a solid mesh, as a compound, and as both against each other
TEST(UnionDepth, MeshesAndCompoundsAgree) {
  const Shape3 mesh = solid_shape(gate()), parts = *make_compound3(gate_children());
  const Shape3 shapes[] = {*make_box3({0.6, 0.5, 0.4}), *make_sphere3(0.7), *make_capsule3({-1, 0, 0}, {1, 0, 0}, 0.3)};
  Random random(campaign_seed(71));
  int hits = 0, open = 0;
  for (int n = 0; n < static_cast<int>(sudar_test::soak(24)); ++n) {
    Pose3d pose = random_pose(random, 2.8);
    pose.position.y *= 0.3;
    const Placement3 p = make_placement(pose);
    const Shape3& shape = shapes[n % 3];
    const DistanceAnswer3 x = distance(mesh, shape, p), y = distance(parts, shape, p);
    ASSERT_EQ(x.hit, y.hit) << n;
    if (!x.hit) {
      EXPECT_NEAR(x.separation, y.separation, 1e-9);
      continue;
    }
    ++hits;
    expect_depth<Shape3, 3>(mesh, shape, p, x);
    expect_depth<Shape3, 3>(parts, shape, p, y);
    // Once in a thousand the search ends with a way that is not the shortest, and says so
    if (std::fabs(x.separation - y.separation) > 2e-2 * -x.separation) {
      ++open;
      EXPECT_NE((x.separation < y.separation ? x : y).status, QueryStatus::converged) << n;
    }
    EXPECT_LE(x.lower, y.upper + 1e-9);
    EXPECT_LE(y.lower, x.upper + 1e-9);
    EXPECT_LT(distance_to(mesh, x.point_a), 1e-6);
    EXPECT_LT(std::fabs(distance(shape, {}, Shape3(PointShape3{transform(inverse(pose), x.point_b)}), {}).separation),
              1e-6);
  }
  EXPECT_GT(hits, static_cast<int>(sudar_test::soak(24) / 3));
  EXPECT_LE(open, 1 + hits / 100);
}

// Closed form: in the notch of two slanted walls the shortest way is square to neither axis nor to any first guess
TEST(UnionDepth, FindsTheShortestWayNearItsGuess) {
  // A wall whose normal no candidate has: its own plane is the way out
  for (const double angle : {0.11, 0.37, 0.61, 0.83}) {
    const Quatd turn = Quatd::from_axis_angle(normalized(Vec3d{0.3, 1, 0.2}), angle);
    const Mesh slab = *transformed(*box_mesh({3, 3, 0.5}), Pose3d{{}, turn});
    const Mesh knob = moved_mesh(*box_mesh({0.1, 0.1, 0.1}), {20, 0, 0});
    const Shape3 body = solid_shape(*joined(slab, knob)), other = solid_shape(bumpy_sphere(12, 12, 0));
    const Vec3d n = rotate(turn, Vec3d{0, 0, 1});
    // How far the ball of triangles reaches down the normal
    double reach = 0;
    for (const Vec3d& v : other.as<MeshShape3>().mesh->mesh().vertices) reach = std::max(reach, -dot(v, n));
    const Placement3 p = shifted(n * 0.1);
    const DistanceAnswer3 x = distance(body, other, p);
    expect_depth<Shape3, 3>(body, other, p, x);
    EXPECT_NEAR(x.separation, -(0.5 - 0.1 + reach), 1e-6) << angle;
  }
}

// Witness points of depths: on both surfaces, and as far apart along the normal as the depth
TEST(MeshDepth, WitnessPointsAreOnBothBodies) {
  Random random(campaign_seed(72));
  const Shape3 a = solid_shape(bumpy_sphere(12, 12, 0.3)), b = solid_shape(*torus_mesh(1, 0.3, 12, 8));
  int hits = 0;
  for (int n = 0; n < 8; ++n) {
    const Pose3d pose = random_pose(random, 1.2);
    const DistanceAnswer3 x = distance(a, b, make_placement(pose));
    if (!x.hit) continue;
    ++hits;
    expect_depth<Shape3, 3>(a, b, make_placement(pose), x);
    EXPECT_LT(distance_to(a, x.point_a), 1e-9);
    EXPECT_LT(distance_to(b, transform(inverse(pose), x.point_b)), 1e-9);
    const ContactSet3 set = contacts(a, b, make_placement(pose));
    EXPECT_EQ(set.separation, x.separation);
    EXPECT_FALSE(set.points.empty());
  }
  EXPECT_GT(hits, 3);
}

// Winding: parts that overlap or hold each other are one body; a part that faces inward is a hole
TEST(SolidMesh, PartsMayOverlap) {
  const Mesh two = *joined(*box_mesh({1, 1, 1}), moved_mesh(*box_mesh({1, 1, 1}), {1, 0.2, 0.1}));
  const Mesh nested = *joined(*box_mesh({2, 2, 2}), *box_mesh({1, 1, 1}));
  const Mesh hollow = *joined(*box_mesh({2, 2, 2}), *flipped(*box_mesh({1, 1, 1})));
  const Shape3 dot_shape = *make_sphere3(0.05);
  EXPECT_TRUE(intersects(solid_shape(two), dot_shape, shifted({0.5, 0.1, 0.1})));
  EXPECT_TRUE(intersects(solid_shape(nested), dot_shape, shifted({0.1, 0.2, 0.3})));
  EXPECT_FALSE(intersects(solid_shape(hollow), dot_shape, shifted({0.1, 0.2, 0.3})));
  EXPECT_TRUE(intersects(solid_shape(hollow), dot_shape, shifted({1.5, 0.2, 0.3})));
  EXPECT_FALSE(intersects(solid_shape(two), dot_shape, shifted({-0.5, 1.15, 0.1})));
  EXPECT_TRUE(intersects(solid_shape(two), solid_shape(*box_mesh({0.05, 0.05, 0.05})), shifted({0.5, 0.1, 0.1})));
}

// Oracle: the distance of the two edges' lines with eleven bits more. Edges that cross at angles from 1/16 to 2^-16, at
// heights down to 1e-9.
TEST(TriangleDistance, NearlyParallelEdges) {
  using V = std::array<long double, 3>;
  const auto wide = [](const Vec3d& p) { return V{p.x, p.y, p.z}; };
  const auto minus = [](const V& p, const V& q) { return V{p[0] - q[0], p[1] - q[1], p[2] - q[2]}; };
  const auto product = [](const V& p, const V& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; };
  const auto normal_of = [](const V& p, const V& q) {
    return V{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
  };
  Random random(campaign_seed(73));
  const auto one = [&] { return random.uniform(-1, 1); };
  for (int k = 4; k <= 16; ++k)
    for (const double h : {1e-3, 1e-6, 1e-9})
      for (int n = 0; n < 20; ++n) {
        const Vec3d p{one(), one(), one()}, d = normalized(Vec3d{one(), one(), one()});
        const Vec3d u = normalized(cross(d, Vec3d{one(), one(), one()})), up = cross(d, u);
        const Vec3d e = d + u * std::ldexp(1.0, -k), middle = p + d * 0.4 + up * h;
        const Triangle<3, double> a{p, p + d, p + d * 0.5 - up}, b{middle - e * 0.6, middle + e * 0.4, middle + up};
        const V r = minus(wide(b.a), wide(a.a)),
                m = normal_of(minus(wide(a.b), wide(a.a)), minus(wide(b.b), wide(b.a)));
        const long double expected = std::fabs(product(r, m)) / std::sqrt(product(m, m));
        const TriangleDistance x = closest_points(a, b);
        EXPECT_NEAR(std::sqrt(x.squared), static_cast<double>(expected), 1e-14) << k << ' ' << h;
      }
}

// Children, triangles and edges have names of their own, which stay while a body slides
TEST(ContactFeatures, DifferentPiecesHaveDifferentNames) {
  const std::vector<CompoundChild3> children = {{*make_box3({0.5, 0.5, 0.5}), {{-1, 0, 0}, {}}},
                                                {*make_box3({0.5, 0.5, 0.5}), {{1, 0, 0}, {}}}};
  const Shape3 table = *make_compound3(children), board = *make_box3({2, 0.4, 0.1});
  const auto ids = [&](const Shape3& a, const Shape3& b, const Vec3d& at) {
    std::vector<CompoundChild3> none;
    const DistanceAnswer3 x = distance(a, b, shifted(at));
    std::set<std::uint64_t> out;
    std::size_t count = 0;
    for (const ContactSet3& set : contact_patches<3>(a, b, shifted(at), x, 0.01))
      for (const auto& point : set.points) out.insert(point.id()), ++count;
    EXPECT_EQ(out.size(), count);
    return out;
  };
  const auto first = ids(table, board, {0.01, 0, 0.59});
  EXPECT_EQ(first.size(), 4u);
  EXPECT_EQ(ids(table, board, {0.02, 0, 0.59}), first);
  EXPECT_EQ(ids(board, table, {0.02, 0, -0.59}).size(), 4u);
  const Shape3 gates = solid_shape(gate());
  EXPECT_EQ(ids(gates, *make_box3({0.3, 0.3, 0.3}), {0.4, 0.1, 3.29}),
            ids(gates, *make_box3({0.3, 0.3, 0.3}), {0.41, 0.1, 3.29}));
  // In the plane
  const std::vector<Vec2d> steps = {{-3, 0}, {-1, 0}, {1, 0}, {3, 0}};
  const Shape2 chain = *make_chain2(steps), square = *make_box2({1.5, 0.5});
  const ContactSet2 set = contacts(chain, square, make_placement(Pose2d{{0, 0.49}, {}}));
  ASSERT_EQ(set.points.size(), 2u);
  EXPECT_NE(set.points[0].id(), set.points[1].id());
  EXPECT_NE(set.points[0].feature_a, set.points[1].feature_a);
}

// A floor of triangles with a dent: the outline would leave the deepest point out
TEST(ContactSets, TheDeepestPointStays) {
  ContactSet3 set;
  set.normal = {0, 0, 1};
  for (const Vec3d& p : {Vec3d{-1, -1, 0}, Vec3d{1, -1, 0}, Vec3d{1, 1, 0}, Vec3d{-1, 1, 0}, Vec3d{0.1, 0.2, 0}})
    set.points.push_back({p, p.x == 0.1 ? -0.5 : -0.1, {}, {}});
  keep_outline(set);
  EXPECT_EQ(set.points.size(), 5u);
  EXPECT_EQ(set.points.back().separation, -0.5);
  EXPECT_EQ(reduce(set).points[0].separation, -0.5);
  ContactSet2 flat;
  flat.normal = {0, 1};
  for (const double x : {-1.0, 0.25, 1.0}) flat.points.push_back({{x, 0}, x == 0.25 ? -0.5 : -0.1, {}, {}});
  keep_outline(flat);
  EXPECT_EQ(reduce(flat).points[0].separation, -0.5);
}

// Mesh on mesh: a box of triangles stands on its four corners
TEST(MeshContacts, MeshOnMeshHasAPolygon) {
  const Shape3 floor = solid_shape(*box_mesh({3, 3, 0.5})), box = solid_shape(*box_mesh({0.5, 0.4, 0.3}));
  const ContactSet3 set = contacts(floor, box, shifted({0.1, 0.2, 0.79}));
  EXPECT_EQ(set.kind, ContactKind::polygon);
  EXPECT_EQ(set.points.size(), 4u);
  EXPECT_NEAR(set.normal.z, 1, 1e-9);
  EXPECT_NEAR(set.separation, -0.01, 1e-9);
  // Both legs of a gate stand on the floor; and between two walls there are two patches
  const Shape3 gates = solid_shape(gate());
  const ContactSet3 legs = contacts(floor, gates, shifted({0, 0, 2.49}));
  Aabb3d spread = Aabb3d::empty();
  for (const auto& point : legs.points) spread = merge(spread, point.position);
  EXPECT_NEAR(spread.hi.x - spread.lo.x, 6, 1e-6);
  const Shape3 wide = solid_shape(*box_mesh({2.01, 0.5, 0.5}));
  const Placement3 p = shifted({0, 0, 0.5});
  const auto patches = contact_patches<3>(gates, wide, p, distance(gates, wide, p), 0.05);
  ASSERT_GE(patches.size(), 1u);
}

// Correcting a normal at an internal edge leaves the depth as it was
TEST(InternalEdges, CorrectionKeepsTheDepth) {
  Mesh ground;
  for (int j = 0; j <= 4; ++j)
    for (int i = 0; i <= 4; ++i) ground.vertices.push_back({double(i), double(j), 0});
  for (std::uint32_t j = 0; j < 4; ++j)
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t v = j * 5 + i;
      ground.triangles.push_back({v, v + 1, v + 6});
      ground.triangles.push_back({v, v + 6, v + 5});
    }
  const MeshShape3 mesh{*make_triangle_mesh(ground.vertices, ground.triangles), false};
  std::vector<TriangleContact> found;
  const Shape3 ball = *make_sphere3(0.5);
  ASSERT_TRUE(mesh_convex_contacts(*mesh.mesh, ball, shifted({1.9, 1.6, 0.35}), 0.0, found));
  std::size_t turned = 0;
  for (const TriangleContact& c : found) {
    const Triangle<3, double> t = mesh.mesh->triangle(c.triangle);
    const double alone = distance(Shape3(TriangleShape3{{t.a, t.b, t.c}}), ball, shifted({1.9, 1.6, 0.35})).separation;
    EXPECT_NEAR(c.answer.separation, alone, 1e-12);
    turned += c.feature != TriangleFeature::face;
    EXPECT_NEAR(c.answer.normal.z, 1, 1e-9);
  }
  EXPECT_GT(turned, 0u);
}

// A half-space far from the low vertex of a mesh with a high one: the bounds hold what rounding moved
TEST(MeshConvex, HalfSpaceBoundsHoldAllVertices) {
  Mesh mesh = *tetrahedron_mesh({1e-3, 0, 0}, {1e9, 3e8, 1e9}, {0, 1e9, 7e8}, {-1e9, 1, 1e9});
  const Shape3 body = *make_mesh_shape3(mesh.vertices, mesh.triangles, false);
  const DistanceAnswer3 x = distance(body, *make_halfspace3({0.36, 0.48, 0.8}, -1), Placement3{});
  EXPECT_GT(x.upper - x.lower, 1e9 * kRoundoff);
}

// Contacts and distance are one decision: sign and depth of every table pair, touching and far, are the same
TEST(Collide, ContactsAgreeWithDistances) {
  const std::vector<Vec2d> comb = {{-1, -1}, {1, -1}, {1, 1}, {0.3, 1}, {0, 0}, {-0.3, 1}, {-1, 1}};
  const std::vector<Shape3> shapes = {*make_sphere3(0.7),
                                      *make_box3({1, 0.5, 0.75}),
                                      *make_cylinder3(0.5, 1),
                                      *make_cone3(1, 0.75),
                                      solid_shape(gate()),
                                      *make_compound3(gate_children()),
                                      solid_shape(bumpy_sphere(8, 8, 0.2))};
  const Quatd turn = Quatd::from_axis_angle(normalized(Vec3d{1, 2, 3}), 0.7);
  for (const Shape3& a : shapes)
    for (const Shape3& b : shapes)
      for (const double far : {0.3, 1.2, 2.9, 9.0}) {
        const Placement3 p = make_placement(Pose3d{{0.1, 0.2, far}, turn});
        const DistanceAnswer3 x = distance(a, b, p);
        const ContactSet3 set = contacts(a, b, p, 0.1);
        EXPECT_EQ(set.separation, x.separation);
        EXPECT_EQ(set.kind != ContactKind::none, x.separation <= 0.1);
        if (set.kind == ContactKind::none) continue;
        double least = 1e300;
        for (const auto& point : set.points) least = std::min(least, point.separation);
        EXPECT_NEAR(least, x.separation, 1e-5 * (1 + std::fabs(x.separation)))
            << to_string(a.kind()) << ' ' << to_string(b.kind()) << ' ' << far;
        EXPECT_GT(dot(set.normal, x.normal), 1 - 1e-6);
      }
}
