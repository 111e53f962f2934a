// Which meshes are convex, and the depths of those that are only nearly so
#include "tests/narrowphase/bumpy_sphere.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/mesh_depth.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_pose;
using sudar_test::shifted;

Shape3 solid(const Mesh& mesh) { return *make_mesh_shape3(mesh.vertices, mesh.triangles, true); }
const TriangleMesh& mesh_of(const Shape3& shape) { return *shape.as<MeshShape3>().mesh; }

// What several closed meshes are when equal vertices are one
Mesh welded(const std::vector<Mesh>& parts) {
  Mesh out;
  for (const Mesh& part : parts)
    for (const MeshTriangle& t : part.triangles) {
      MeshTriangle here{};
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d& v = part.vertices[t[k]];
        const auto at = std::find(out.vertices.begin(), out.vertices.end(), v);
        here[k] = static_cast<std::uint32_t>(at - out.vertices.begin());
        if (at == out.vertices.end()) out.vertices.push_back(v);
      }
      out.triangles.push_back(here);
    }
  return out;
}

// Closed form: the way out of the one of two bodies that is met, not out of their hull
TEST(MeshConvexity, BodiesThatShareACornerAreTwo) {
  const Mesh cube = *box_mesh({0.5, 0.5, 0.5});
  const Mesh pair = welded({cube, *transformed(cube, Pose3d{{1, 1, 1}, {}})});
  ASSERT_EQ(pair.vertices.size(), 15u);
  const Shape3 body = solid(pair), box = *make_box3({0.5, 0.4, 0.4});
  EXPECT_FALSE(mesh_of(body).is_convex());
  EXPECT_NEAR(distance(body, box, shifted({1, 0, 0})).separation, 0, 1e-9);
  EXPECT_NEAR(contacts(body, box, shifted({1, 0, 0})).separation, 0, 1e-9);
  for (const double overlap : {1e-6, 1e-3, 0.1}) {
    const DistanceAnswer3 x = distance(body, box, shifted({1 - overlap, 0, 0}));
    EXPECT_NEAR(x.separation, -overlap, 1e-9);
    EXPECT_GE(x.upper, -overlap - 1e-12);
  }
  // Meshes against each other, and an hourglass
  const Shape3 block = solid(*box_mesh({0.5, 0.5, 0.5}));
  const DistanceAnswer3 x = distance(body, block, shifted({0.5, 0, 0.5}));
  EXPECT_TRUE(x.hit);
  EXPECT_GE(x.upper, -0.5 - 1e-9);
  const std::vector<Vec3d> corners = {{0, 0, 0},  {2, 0, 2},   {-1, 2, 2},  {-1, -2, 2},
                                      {2, 0, -2}, {-1, 2, -2}, {-1, -2, -2}};
  const std::vector<MeshTriangle> faces = {{1, 2, 3}, {0, 2, 1}, {0, 3, 2}, {0, 1, 3},
                                           {4, 6, 5}, {0, 4, 5}, {0, 5, 6}, {0, 6, 4}};
  const Shape3 glass = *make_mesh_shape3(corners, faces, true);
  EXPECT_FALSE(mesh_of(glass).is_convex());
  EXPECT_GE(distance(glass, *make_sphere3(0.5), shifted({0.707, 0, 0})).upper, -1e-3);
}

// Convex along every edge, and round its middle twice
TEST(MeshConvexity, AStarThatGoesRoundTwiceIsNone) {
  Mesh star;
  const auto corner = [](int i) {
    const double angle = 2 * kPi * (2 * i % 5) / 5;
    return Vec3d{2 * std::cos(angle), 2 * std::sin(angle), 0};
  };
  for (int i = 0; i < 5; ++i)
    for (const double z : {-0.5, 0.5}) star.vertices.push_back(corner(i) + Vec3d{0, 0, z});
  star.vertices.push_back({0, 0, -0.5});
  star.vertices.push_back({0, 0, 0.5});
  for (std::uint32_t i = 0; i < 5; ++i) {
    const std::uint32_t low = 2 * i, next = 2 * ((i + 1) % 5);
    star.triangles.push_back({low, next, next + 1});
    star.triangles.push_back({low, next + 1, low + 1});
    star.triangles.push_back({next, low, 10});
    star.triangles.push_back({low + 1, next + 1, 11});
  }
  const Shape3 body = solid(star);
  EXPECT_FALSE(mesh_of(body).is_convex());
  ASSERT_NE(mesh_of(body).hull(), nullptr);
  EXPECT_EQ(mesh_of(body).hull_excess(), std::numeric_limits<double>::infinity());
  // In a notch the way out is outward
  const Vec3d notch{0.9 * std::cos(kPi / 5), 0.9 * std::sin(kPi / 5), 0};
  EXPECT_GE(distance(body, *make_sphere3(0.2), shifted(notch)).upper, -0.4);
}

// A prism over a dart, whose one reflex edge lies behind a triangle without area
TEST(MeshConvexity, TrianglesWithoutAreaHideNothing) {
  Mesh dart;
  for (const double z : {0.0, 1.0})
    for (const Vec3d& p : {Vec3d{-1, -1, 0}, Vec3d{2, 0, 0}, Vec3d{-1, 1, 0}, Vec3d{0, 0, 0}})
      dart.vertices.push_back(p + Vec3d{0, 0, z});
  dart.vertices.push_back({0, 0, 0.5});
  dart.triangles = {{0, 3, 1}, {1, 3, 2}, {4, 5, 7}, {5, 6, 7},   // below and above
                    {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},   // outside
                    {2, 3, 7}, {2, 7, 6},                         // the notch
                    {3, 0, 8}, {8, 0, 4}, {8, 4, 7}, {3, 8, 7}};  // the last is a line
  const Shape3 body = solid(dart);
  ASSERT_TRUE(mesh_of(body).is_closed() && mesh_of(body).is_oriented());
  EXPECT_FALSE(mesh_of(body).is_convex());
  ASSERT_NE(mesh_of(body).hull(), nullptr);
  EXPECT_EQ(mesh_of(body).hull_excess(), std::numeric_limits<double>::infinity());
  EXPECT_FALSE(distance(body, *make_sphere3(0.2), shifted({-0.8, 0, 0.5})).hit);
}

// Oracle: the same bodies unturned. Turned boxes and prisms are folded by a last digit, of doubles or of floats, and their
// depths are still known.
TEST(MeshConvexity, FacesFoldedByRoundingHaveDepths) {
  Random random(campaign_seed(81));
  const Mesh one = *box_mesh({1, 1, 1}), two = *box_mesh({1, 1.1, 0.85});
  int folded = 0, hits = 0;
  for (int n = 0; n < 200; ++n) {
    const Pose3d turn{random_pose(random, 1).position * 3, unit_quaternion(random)};
    const Vec3d by = sudar_test::random_point<3>(random, -1.2, 1.2);
    Mesh a = *transformed(one, turn), b = *transformed(*transformed(two, Pose3d{by, {}}), turn);
    const bool floats = n % 2 == 1;
    if (floats)
      for (Mesh* mesh : {&a, &b})
        for (Vec3d& v : mesh->vertices) v = vec_cast<double>(vec_cast<float>(v));
    const Shape3 body_a = solid(a), body_b = solid(b);
    folded += !mesh_of(body_a).is_convex();
    // What is not convex is less than its hull, by however little
    ASSERT_NE(mesh_of(body_a).hull(), nullptr);
    EXPECT_EQ(mesh_of(body_a).hull_excess() > 0, !mesh_of(body_a).is_convex()) << n;
    const DistanceAnswer3 whole = distance(*make_box3({1, 1, 1}), *make_box3({1, 1.1, 0.85}), shifted(by));
    if (!whole.hit || whole.separation > -1e-3) continue;
    ++hits;
    const double room = floats ? 1e-5 : 1e-12;
    for (const DistanceAnswer3& x :
         {distance(body_a, body_b, Placement3{}), distance(body_a, *mesh_of(body_b).hull(), Placement3{})}) {
      EXPECT_NEAR(x.separation, whole.separation, 2 * room) << n;
      EXPECT_LE(x.upper - x.lower, room) << n;
      EXPECT_LE(x.lower, whole.separation + room) << n;
      EXPECT_GE(x.upper, whole.separation - room) << n;
    }
  }
  EXPECT_GT(folded, 100);
  EXPECT_GT(hits, 50);
}

// Closed form: a needle in a dent is as deep as the dent leaves it, and no bound says more
TEST(MeshConvexity, DentsAreNoPartOfTheBody) {
  Mesh cube = *box_mesh({1, 1, 1});
  // The top is a fan around its middle
  Mesh dented;
  dented.vertices = cube.vertices;
  std::array<std::uint32_t, 4> top{};
  std::size_t count = 0;
  for (std::uint32_t v = 0; v < 8; ++v)
    if (cube.vertices[v].z > 0) top[count++] = v;
  const auto angle = [&](std::uint32_t v) { return std::atan2(cube.vertices[v].y, cube.vertices[v].x); };
  std::sort(top.begin(), top.end(), [&](std::uint32_t x, std::uint32_t y) { return angle(x) < angle(y); });
  for (const MeshTriangle& t : cube.triangles)
    if (!(cube.vertices[t[0]].z > 0 && cube.vertices[t[1]].z > 0 && cube.vertices[t[2]].z > 0))
      dented.triangles.push_back(t);
  for (std::uint32_t k = 0; k < 4; ++k) dented.triangles.push_back({top[k], top[(k + 1) % 4], 8});
  dented.vertices.push_back({0, 0, 1});
  EXPECT_TRUE(mesh_of(solid(dented)).is_convex());
  for (const double dent : {1e-3, 1e-5, 1e-8, 1e-12}) {
    dented.vertices[8].z = 1 - dent;
    const Shape3 body = solid(dented);
    ASSERT_TRUE(mesh_of(body).is_closed() && mesh_of(body).is_oriented());
    EXPECT_FALSE(mesh_of(body).is_convex());
    ASSERT_NE(mesh_of(body).hull(), nullptr);
    EXPECT_GE(mesh_of(body).hull_excess(), dent);
    EXPECT_LE(mesh_of(body).hull_excess(), 4 * dent + 1e-13);
    const Shape3 needle = *make_segment3({0, 0, 0}, {0, 0, 3});
    for (const double deep : {0.5, 2.0, 100.0}) {
      const DistanceAnswer3 x = distance(body, needle, shifted({0, 0, 1 - dent - deep * dent}));
      ASSERT_TRUE(x.hit);
      EXPECT_GE(x.upper, -deep * dent * (1 + 1e-9) - 1e-15) << dent << ' ' << deep;
      EXPECT_NEAR(x.separation, -deep * dent, 1e-6 * deep * dent + 1e-13) << dent << ' ' << deep;
    }
  }
}

// The excess grows as plates get thinner, and no faster
TEST(MeshConvexity, FoldedPlatesAreNearlyConvex) {
  Random random(campaign_seed(82));
  int folded = 0;
  for (const double flat : {1.0, 1e-2, 1e-4, 1e-6})
    for (int n = 0; n < 50; ++n) {
      Mesh plate = *transformed(*box_mesh({1, 1, flat}), Pose3d{{}, unit_quaternion(random)});
      const bool floats = n % 2 == 1 && flat >= 1e-4;
      if (floats)
        for (Vec3d& v : plate.vertices) v = vec_cast<double>(vec_cast<float>(v));
      const Shape3 body = solid(plate);
      // Nothing is said before the hull is there
      if (!mesh_of(body).is_convex()) {
        EXPECT_EQ(mesh_of(body).hull_excess(), std::numeric_limits<double>::infinity());
        ++folded;
      }
      ASSERT_NE(mesh_of(body).hull(), nullptr);
      EXPECT_LE(mesh_of(body).hull_excess(), (floats ? 1e-6 : 1e-13) / flat) << flat << ' ' << floats;
    }
  EXPECT_GT(folded, 100);
}

// Plates of any thickness, far away and tiny: what is convex is found to be
TEST(MeshConvexity, BoxesOfAnySizeAreConvex) {
  for (const double size : {1e-100, 1e-9, 1.0, 1e9, 1e15})
    for (const double flat : {1.0, 1e-6, 1e-12}) {
      const Shape3 box = solid(*box_mesh({size, size, size * flat}));
      EXPECT_TRUE(mesh_of(box).is_convex()) << size << ' ' << flat;
      ASSERT_NE(mesh_of(box).hull(), nullptr);
      EXPECT_EQ(mesh_of(box).hull_excess(), 0);
    }
  EXPECT_TRUE(mesh_of(solid(*transformed(*box_mesh({1, 1, 1}), Pose3d{{1e6, 2e6, -1e6}, {}}))).is_convex());
  EXPECT_TRUE(mesh_of(solid(*flipped(*icosphere_mesh(1, 3)))).is_convex());
}

}  // namespace
