#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mass3.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/mesh_from_hull.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/point_in_mesh.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using sudar_test::campaign_seed;

TEST(MeshFromHull, IsASolidThatHoldsItsPoints) {
  Random random(campaign_seed(81));
  for (bool merge : {false, true})
    for (int round = 0; round < 10; ++round) {
      std::vector<Vec3d> points(200);
      // A coarse lattice, so that there are faces with many corners
      for (Vec3d& p : points)
        for (int i = 0; i < 3; ++i) p[i] = static_cast<double>(random.below(7));
      const Mesh mesh = *to_mesh(*quickhull3(points, {.merge_coplanar = merge}));
      const MeshReport report = *check_surface(mesh);
      EXPECT_TRUE(report.solid() && report.manifold());
      EXPECT_EQ(report.euler_characteristic, 2);
      EXPECT_FALSE(report.degenerate_triangles);
      for (const Vec3d& p : points) {
        ASSERT_NE(locate_in_convex(mesh, p), Containment::outside);
        ASSERT_EQ(locate_in_convex(mesh, p), locate(mesh, p));
      }
      EXPECT_GT(mass_properties(mesh)->mass, 100);
    }
}

// Oracle: closed form
TEST(MeshFromHull, BoxKeepsItsMass) {
  const Mesh box = *box_mesh({1, 2, 3});
  for (bool merge : {false, true})
    EXPECT_EQ(mass_properties(*to_mesh(*quickhull3(box.vertices, {.merge_coplanar = merge})))->mass, 48);
}

TEST(MeshFromHull, RefusesFlatHulls) {
  const std::vector<Vec3d> flat = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  EXPECT_EQ(to_mesh(*quickhull3(flat)).error().code, ErrorCode::degenerate);
  EXPECT_EQ(to_mesh(Hull3{}).error().code, ErrorCode::degenerate);
  Hull3 broken = *quickhull3(box_mesh({1, 1, 1})->vertices);
  broken.face_edge[3] = 1u << 30;
  EXPECT_FALSE(to_mesh(broken).ok());
}
