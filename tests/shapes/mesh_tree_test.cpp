// The trees of a mesh: whatever its size is. Oracle: the boxes of all triangles.
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/ray_triangle.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/shapes/mesh_tree.hpp>
#include <sudar/shapes/ray_tree.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

namespace {

using namespace sudar;

TEST(MeshTree, MeshesOfAnySizeHaveTrees) {
  Random random(sudar_test::campaign_seed(82));
  const Mesh torus = *torus_mesh(2, 1, 16, 16);
  for (const double size : {1e-300, 1e-45, 1e-44, 1e-41, 1e-40, 1e-39, 1e-38, 1e-37, 1e-36, 1e-30, 1.0, 1e15}) {
    Mesh mesh = torus;
    for (Vec3d& v : mesh.vertices) v = v * size;
    const auto made = TriangleMesh::make(mesh);
    ASSERT_TRUE(made) << size;
    const RayTree rays = RayTree::build(mesh);
    for (int n = 0; n < 50; ++n) {
      const Vec3d p = point_in_ball<3>(random) * (3 * size);
      const Aabb3d box{p - Vec3d{size, size, size} * 0.2, p + Vec3d{size, size, size} * 0.2};
      std::set<std::uint32_t> met;
      for_each_overlap((*made)->tree(), box, [&](std::uint32_t t) {
        met.insert(t);
        return true;
      });
      const Ray<3, double> ray{p, point_in_ball<3>(random) * size - p};
      bool hit = false;
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        hit = hit || intersect(ray, mesh.corners(t)).hit;
        const Triangle<3, double> corners = mesh.corners(t);
        const Aabb3d of{min(min(corners.a, corners.b), corners.c), max(max(corners.a, corners.b), corners.c)};
        if (overlap(of, box)) {
          EXPECT_TRUE(met.contains(t)) << size << ' ' << t;
        }
      }
      RayTreeHit first;
      EXPECT_EQ(closest_hit(rays, ray, std::numeric_limits<double>::infinity(), first), hit) << size;
    }
  }
}

}  // namespace
