#include "tests/narrowphase/bumpy_sphere.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/internal_edges.hpp>
#include <sudar/narrowphase/mesh_convex.hpp>
#include <sudar/narrowphase/mesh_depth.hpp>
#include <sudar/narrowphase/mesh_distance.hpp>
#include <sudar/shapes/compound3.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

using namespace sudar;
using sudar_test::bumpy_sphere;
using sudar_test::campaign_seed;
using sudar_test::random_pose;
using sudar_test::shifted;

namespace {

MeshShape3 shaped(const Mesh& mesh, bool solid = true) {
  return {*make_triangle_mesh(mesh.vertices, mesh.triangles), solid};
}
void expect_bracket(const DistanceAnswer3& x) {
  EXPECT_LE(x.lower, x.separation);
  EXPECT_GE(x.upper, x.separation);
  EXPECT_NEAR(length(x.normal), 1, 1e-9);
  EXPECT_NEAR(dot(x.point_b - x.point_a, x.normal), x.separation, 1e-9 * (1 + std::fabs(x.separation)));
}

// A square of cells in z = 0, two triangles each
Mesh flat_ground(std::uint32_t cells) {
  Mesh mesh;
  for (std::uint32_t j = 0; j <= cells; ++j)
    for (std::uint32_t i = 0; i <= cells; ++i) mesh.vertices.push_back({double(i), double(j), 0});
  for (std::uint32_t j = 0; j < cells; ++j)
    for (std::uint32_t i = 0; i < cells; ++i) {
      const std::uint32_t v = j * (cells + 1) + i;
      mesh.triangles.push_back({v, v + 1, v + cells + 2});
      mesh.triangles.push_back({v, v + cells + 2, v + cells + 1});
    }
  return mesh;
}

}  // namespace

// A hull that was given back is made again when it is asked for, from two threads at once as well, and answers are as before
TEST(MeshHull, ForgottenAndMadeAgain) {
  const MeshShape3 a = shaped(bumpy_sphere(10, 14, 0.2)), b = shaped(bumpy_sphere(12, 9, 0.2));
  const Placement3 placement = make_placement(Pose3d{{1.2, 0.3, -0.2}, {}});
  const DistanceAnswer3 before = mesh_depth(a, b, placement);
  ASSERT_TRUE(before.hit);
  const Shape3* kept = a.mesh->hull();
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(a.mesh->hull(), kept);
  for (int n = 0; n < 4; ++n) {
    for (const MeshShape3* shape : {&a, &b}) shape->mesh->forget_hull();
    const Shape3* seen[2] = {};
    std::thread other([&] { seen[0] = a.mesh->hull(); });
    seen[1] = a.mesh->hull();
    other.join();
    ASSERT_NE(seen[0], nullptr);
    EXPECT_EQ(seen[0], seen[1]);
    const DistanceAnswer3 again = mesh_depth(a, b, placement);
    EXPECT_EQ(again.separation, before.separation);
    EXPECT_EQ(again.normal, before.normal);
  }
}

// Oracle: the surfaces' distance, and the swapped question
TEST(MeshDistance, OfBodies) {
  Random random(campaign_seed(61));
  const MeshShape3 a = shaped(bumpy_sphere(10, 14, 0.2)), b = shaped(bumpy_sphere(12, 9, 0.2));
  for (int n = 0; n < 6; ++n) {
    Pose3d pose = random_pose(random, 1);
    pose.position = normalized(pose.position) * 2.6;
    const DistanceAnswer3 x = mesh_distance(a, b, make_placement(pose));
    ASSERT_FALSE(x.hit);
    EXPECT_GT(x.separation, 0);
    EXPECT_EQ(x.status, QueryStatus::converged);
    expect_bracket(x);
    EXPECT_NEAR(mesh_distance(b, a, make_placement(inverse(pose))).separation, x.separation, 1e-12);
  }
  // Surfaces that cross have no depth
  const DistanceAnswer3 crossing = mesh_distance({a.mesh, false}, {b.mesh, false}, shifted({1, 0, 0}));
  EXPECT_TRUE(crossing.hit);
  EXPECT_EQ(crossing.separation, 0);
  EXPECT_EQ(crossing.status, QueryStatus::degenerate);
}

// Closed form: convex bodies, overlapping and one inside of the other
TEST(MeshDepth, ConvexBodiesAreExact) {
  const MeshShape3 a = shaped(*box_mesh({1, 2, 3})), b = shaped(*box_mesh({0.5, 0.5, 0.5}));
  const DistanceAnswer3 x = mesh_distance(a, b, shifted({1.2, 0.3, -0.4}));
  EXPECT_TRUE(x.hit);
  EXPECT_NEAR(x.separation, -0.3, 1e-9);
  EXPECT_NEAR(x.normal.x, 1, 1e-9);
  EXPECT_EQ(x.status, QueryStatus::converged);
  expect_bracket(x);
  const DistanceAnswer3 inside = mesh_distance(a, b, shifted({0.25, 0, 0}));
  EXPECT_NEAR(inside.separation, -1.25, 1e-9);
  EXPECT_NEAR(mesh_distance(b, a, shifted({-0.25, 0, 0})).separation, -1.25, 1e-9);
}

// Closed form: the gap between two blocks, which their hull fills; and what a depth means
TEST(MeshDepth, NonConvexBodies) {
  const Mesh left = *transformed(*box_mesh({1, 1, 1}), Pose3d{{-3, 0, 0}, {}});
  const Mesh right = *transformed(*box_mesh({1, 1, 1}), Pose3d{{3, 0, 0}, {}});
  const MeshShape3 a = shaped(*joined(left, right)), b = shaped(*box_mesh({1, 0.9, 0.9}));
  const Placement3 p = shifted({-1.1, 0, 0});
  const DistanceAnswer3 x = mesh_distance(a, b, p);
  EXPECT_TRUE(x.hit);
  EXPECT_NEAR(x.separation, -0.1, 1e-6);
  EXPECT_NEAR(x.normal.x, 1, 1e-6);
  EXPECT_LE(x.lower, -0.1);
  EXPECT_GE(x.upper, -0.1 - 1e-6);
  expect_bracket(x);

  Random random(campaign_seed(62));
  const MeshShape3 c = shaped(bumpy_sphere(14, 14, 0.3)), d = shaped(*torus_mesh(1, 0.3, 14, 8));
  int hits = 0;
  for (int n = 0; n < 8; ++n) {
    Placement3 q = make_placement(random_pose(random, 0.9));
    const DistanceAnswer3 y = mesh_distance(c, d, q);
    if (!y.hit) continue;
    ++hits;
    expect_bracket(y);
    EXPECT_LT(y.separation, 0);
    const Vec3d start = q.translation;
    q.translation = start - y.normal * (1.001 * y.separation);
    EXPECT_FALSE(intersects(c, d, q));
    q.translation = start - y.normal * (0.99 * y.separation);
    EXPECT_TRUE(intersects(c, d, q));
    // No shorter translation than the lower bound says
    for (int k = 0; k < 50; ++k) {
      q.translation = start + normalized(random_pose(random, 1).position) * (-0.999 * y.upper);
      EXPECT_TRUE(intersects(c, d, q));
    }
  }
  EXPECT_GT(hits, 3);
}

// Oracle: a box as a convex shape is the box as a mesh
TEST(MeshConvex, ABoxOfTrianglesIsABox) {
  Random random(campaign_seed(63));
  const Vec3d half{1, 0.6, 0.8};
  const Shape3 box = *make_box3(half);
  const MeshShape3 mesh = shaped(*box_mesh(half));
  const Vec3d points[5] = {{0, 0, 0}, {0.7, 0, 0}, {0, 0.8, 0.1}, {0.1, 0.2, 0.9}, {-0.3, -0.4, 0.2}};
  const Shape3 shapes[] = {*make_sphere3(0.5), *make_box3({0.3, 0.4, 0.5}),
                           *make_capsule3({0, 0, -0.5}, {0, 0, 0.5}, 0.3), *make_hull_shape3(points),
                           *make_cylinder3(0.5, 0.3)};
  int hits = 0, misses = 0;
  for (int n = 0; n < 60; ++n)
    for (const Shape3& shape : shapes) {
      const Placement3 p = make_placement(random_pose(random, 2));
      const DistanceAnswer3 expected = convex_distance3(box, shape, p), seen = mesh_convex_distance(mesh, shape, p);
      ASSERT_EQ(seen.hit, expected.hit);
      ASSERT_EQ(intersects(mesh, shape, p), expected.hit);
      ++(expected.hit ? hits : misses);
      EXPECT_NEAR(seen.separation, expected.separation, 1e-7) << to_string(shape.kind());
      expect_bracket(seen);
    }
  EXPECT_GT(hits, 50);
  EXPECT_GT(misses, 50);
  // Inside of a solid, and inside of a shell
  EXPECT_TRUE(intersects(mesh, *make_sphere3(0.1), shifted({0, 0, 0})));
  EXPECT_FALSE(intersects({mesh.mesh, false}, *make_sphere3(0.1), shifted({0, 0, 0})));
  EXPECT_EQ(mesh_convex_distance(mesh, Shape3(mesh), Placement3{}).status, QueryStatus::unsupported);
}

// Found by the fuzzer: one corner is so far away that the triangle and the ellipsoid meet up to rounding, and their boxes do not
TEST(MeshConvex, WhatItsBoxIsBesideIsNotMet) {
  Mesh mesh;
  mesh.vertices = {{-0x1.7fffffff8p+1, -0x1.3cp+3, -1}, {0, -0x1.8p-23, 0x1.909004p+49}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  const MeshShape3 shape = shaped(mesh, false);
  const Shape3 ellipsoid = *make_ellipsoid3({5.875, 9.875, 8});
  const Placement3 beside = make_placement(Pose3d{}, Pose3d{{0, 11.875, 0}, {}});
  EXPECT_FALSE(intersects(shape, ellipsoid, beside));
  const DistanceAnswer3 x = mesh_convex_distance(shape, ellipsoid, beside);
  EXPECT_FALSE(x.hit);
  // A corner at y = 1 and the ellipsoid's lowest point at y = 2
  EXPECT_LE(x.lower, 1);
  EXPECT_GE(x.upper, 1);
  EXPECT_NEAR(x.separation, 1, 1e-12);
  EXPECT_NEAR(dot(x.point_b - x.point_a, x.normal), x.separation, 1e-12);
  // Beside and above: the corner is nearest, farther away than the boxes are from each other
  const DistanceAnswer3 y =
      mesh_convex_distance(shape, ellipsoid, make_placement(Pose3d{}, Pose3d{{7, 11.875, 0}, {}}));
  EXPECT_FALSE(y.hit);
  const DistanceAnswer3 corner =
      convex_distance3(*make_point3({0, 1, 0}), ellipsoid, make_placement(Pose3d{}, Pose3d{{7, 11.875, 0}, {}}));
  EXPECT_LE(y.lower, corner.upper);
  EXPECT_GE(y.upper, corner.lower);
  EXPECT_NEAR(dot(y.point_b - y.point_a, y.normal), y.separation, 1e-12);
}

// Closed form
TEST(MeshConvex, HalfSpaces) {
  const MeshShape3 mesh = shaped(*box_mesh({1, 2, 3}));
  const Shape3 ground = *make_halfspace3({0, 0, 1}, -4);
  const DistanceAnswer3 x = mesh_convex_distance(mesh, ground, Placement3{});
  EXPECT_FALSE(x.hit);
  EXPECT_NEAR(x.separation, 1, 1e-12);
  EXPECT_NEAR(x.normal.z, -1, 1e-12);
  const DistanceAnswer3 y = mesh_convex_distance(mesh, ground, shifted({0, 0, 1.5}));
  EXPECT_TRUE(y.hit);
  EXPECT_NEAR(y.separation, -0.5, 1e-12);
  EXPECT_TRUE(intersects(mesh, ground, shifted({0, 0, 1})));
  EXPECT_FALSE(intersects(mesh, ground, shifted({0, 0, 0.99})));
}

// Closed form: a non-convex solid; the sphere in the gap of two blocks, deeper in one of them
TEST(MeshConvex, DepthInANonConvexSolid) {
  const Mesh left = *transformed(*box_mesh({1, 1, 1}), Pose3d{{-3, 0, 0}, {}});
  const Mesh right = *transformed(*box_mesh({1, 1, 1}), Pose3d{{3, 0, 0}, {}});
  const MeshShape3 a = shaped(*joined(left, right));
  const DistanceAnswer3 x = mesh_convex_distance(a, *make_sphere3(0.5), shifted({-1.8, 0.1, 0}));
  EXPECT_TRUE(x.hit);
  EXPECT_NEAR(x.separation, -0.3, 1e-6);
  EXPECT_NEAR(x.normal.x, 1, 1e-6);
  const DistanceAnswer3 apart = mesh_convex_distance(a, *make_sphere3(0.5), shifted({-1, 0.1, 0}));
  EXPECT_NEAR(apart.separation, 0.5, 1e-9);
}

// Every contact with flat ground points up, wherever the body stands; also on a terrain. Without the correction the
// spheres that are not over a triangle's inside have slanted normals.
TEST(InternalEdges, FlatGroundHasOneNormal) {
  const MeshShape3 ground = shaped(flat_ground(6), false);
  const std::vector<double> heights(49, 0.0);
  const auto field = *HeightField::make(heights, 7, 7, {1, 1});
  std::vector<TriangleContact> contacts;
  Random random(campaign_seed(64));
  std::size_t seen = 0;
  for (int n = 0; n < 100; ++n) {
    const bool on_edge = n % 2 == 0;
    const Vec3d at{on_edge ? 3 : random.uniform(1.5, 4.5), random.uniform(1.5, 4.5), 0.49};
    for (const Shape3& body : {*make_sphere3(0.5), *make_box3({0.3, 0.4, 0.5})})
      for (const bool terrain : {false, true}) {
        ASSERT_TRUE(terrain ? mesh_convex_contacts(*field, body, shifted(at), 0.01, contacts)
                            : mesh_convex_contacts(*ground.mesh, body, shifted(at), 0.01, contacts));
        ASSERT_FALSE(contacts.empty());
        for (const TriangleContact& c : contacts) {
          ++seen;
          EXPECT_NEAR(c.answer.normal.z, 1, 1e-9) << n;
        }
      }
  }
  EXPECT_GT(seen, 400u);
}

// A ridge keeps its slanted normals, up to those of its faces; a valley has none
TEST(InternalEdges, RidgesAndValleys) {
  const Triangle<3, double> t{{0, 0, 0}, {0, 1, 0}, {-1, 0, -1}};
  const Vec3d face = normalized(double_area(t)), down{1, 0.5, -1};
  ASSERT_GT(face.z, 0);
  const Vec3d other = normalized(cross(Vec3d{0, -1, 0}, down - Vec3d{0, 1, 0}));
  ASSERT_GT(other.z, 0);
  EXPECT_EQ(normal_at_edge(t, 0, down, {0, 0, 1}), (Vec3d{0, 0, 1}));
  EXPECT_NEAR(distance(normal_at_edge(t, 0, down, normalized(Vec3d{-1, 0, 0.1})), face), 0, 1e-12);
  EXPECT_NEAR(distance(normal_at_edge(t, 0, down, normalized(Vec3d{1, 0, 0.1})), other), 0, 1e-12);
  // The other side of the surface sees a valley
  EXPECT_NEAR(distance(normal_at_edge(t, 0, down, {0, 0, -1}), -face), 0, 1e-12);
}

// Everything in one place: the way out is shorter than any double, and has a direction
TEST(MeshConvex, APointOfAMesh) {
  const Vec3d points[3] = {};
  const MeshTriangle triangle[] = {{0, 1, 2}};
  const Shape3 mesh = *make_mesh_shape3(points, triangle, false), point = *make_point3({0, 0, 0});
  const Pose3d poses[] = {{}, {{-10, -10, -10}, {-0.5, -0.5, -0.5, -0.5}}};
  for (const Pose3d& pose : poses)
    for (const bool first : {false, true}) {
      const DistanceAnswer3 x = first ? distance(mesh, pose, point, pose) : distance(point, pose, mesh, pose);
      EXPECT_TRUE(x.hit);
      EXPECT_EQ(x.separation, 0);
      EXPECT_NEAR(length(x.normal), 1, 1e-15);
      EXPECT_TRUE(is_finite(x.point_a) && is_finite(x.point_b));
    }
}

// Flat and tiny meshes get answers, whatever they are asked
TEST(MeshConvex, DegenerateMeshes) {
  Random random(campaign_seed(65));
  const Shape3 shapes[] = {*make_sphere3(0.5), *make_box3({0.3, 0.4, 0.5}), *make_point3({0, 0, 0}),
                           *make_halfspace3({0, 1, 1}, 0.25)};
  std::vector<TriangleContact> contacts;
  for (int n = 0; n < 60; ++n) {
    Mesh mesh;
    for (int i = 0; i < 5; ++i)
      mesh.vertices.push_back(
          {double(random.below(3)), double(random.below(2)), n % 2 == 0 ? 0 : double(random.below(2))});
    for (std::uint64_t i = 0; i <= random.below(5); ++i) {
      const auto one = [&] { return static_cast<std::uint32_t>(random.below(5)); };
      mesh.triangles.push_back({one(), one(), one()});
    }
    const auto m = *make_triangle_mesh(mesh.vertices, mesh.triangles);
    for (const Shape3& shape : shapes)
      for (const bool is_solid : {false, true}) {
        if (is_solid && !m->is_closed()) continue;
        const Placement3 p = make_placement(random_pose(random, 1.5));
        const DistanceAnswer3 x = mesh_convex_distance({m, is_solid}, shape, p);
        EXPECT_TRUE(is_finite(x.normal) && is_finite(x.point_a) && is_finite(x.point_b));
        EXPECT_EQ(x.hit, intersects(MeshShape3{m, is_solid}, shape, p));
        EXPECT_EQ(x.separation > 0, !x.hit);
        if (shape.is_bounded()) {
          EXPECT_TRUE(mesh_convex_contacts(*m, shape, p, 0.1, contacts));
        }
      }
    const DistanceAnswer3 y = mesh_distance({m, false}, {m, false}, make_placement(random_pose(random, 2)));
    EXPECT_TRUE(is_finite(y.normal) && std::isfinite(y.separation));
  }
}

// Two cubes that share a corner, one of them deep in a box, the other beside it: it slides along an edge of the box all the
// way out, and touches there when the first one is free
TEST(MeshDepth, WitnessesAreAsDeepAsTheBodiesWhereSidesSlide) {
  const Mesh cube = *box_mesh({0.5, 0.5, 0.5}), box = *box_mesh({1, 1, 1});
  const Mesh two = *joined(*transformed(cube, {{0.5, 0.5, 0.5}, {}}), *transformed(cube, {{1.5, 1.5, 1.5}, {}}));
  const Shape3 a = *make_mesh_shape3(box.vertices, box.triangles, true);
  const Shape3 b = *make_mesh_shape3(two.vertices, two.triangles, true);
  const CompoundChild3 cubes[] = {{*make_box3({0.5, 0.5, 0.5}), {{0.5, 0.5, 0.5}, {}}},
                                  {*make_box3({0.5, 0.5, 0.5}), {{1.5, 1.5, 1.5}, {}}}};
  for (const Shape3& body : {b, *make_compound3(cubes)}) {
    const DistanceAnswer3 x = distance(a, {}, body, {{-1.5, 0, 0}, {0, 1, 0, 0}});
    ASSERT_TRUE(x.hit);
    EXPECT_NEAR(x.separation, -0.5, 1e-9);
    EXPECT_NEAR(dot(x.point_b - x.point_a, x.normal), x.separation, 1e-9);
  }
}
