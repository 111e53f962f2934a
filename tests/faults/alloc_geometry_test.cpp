// Memory that runs out at every point of what builds: hulls, meshes, shapes, volumes, pieces. A typed error, no crash, no leak
// (the address sanitizer looks).
#include "tests/faults/failing_new.hpp"
#include "tests/support/random.hpp"
#include <sudar/bounding/hull_volume.hpp>
#include <sudar/bounding/obb_fit.hpp>
#include <sudar/bounding/round_fit.hpp>
#include <sudar/bounding/sphere_fit.hpp>
#include <sudar/bounding/tightness.hpp>
#include <sudar/geom/delaunay2.hpp>
#include <sudar/geom/delaunay3.hpp>
#include <sudar/geom/delaunay_neighbours.hpp>
#include <sudar/geom/fracture.hpp>
#include <sudar/geom/hull2.hpp>
#include <sudar/geom/hull3.hpp>
#include <sudar/geom/mass2.hpp>
#include <sudar/geom/mass3.hpp>
#include <sudar/geom/mesh_adjacency.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/mesh_from_hull.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/mesh_simplify.hpp>
#include <sudar/geom/mesh_weld.hpp>
#include <sudar/geom/minkowski2.hpp>
#include <sudar/geom/minkowski3.hpp>
#include <sudar/geom/polygon.hpp>
#include <sudar/geom/voronoi2.hpp>
#include <sudar/geom/voronoi_regions.hpp>
#include <sudar/narrowphase/box_batch3.hpp>
#include <sudar/narrowphase/hull_batch3.hpp>
#include <sudar/narrowphase/sphere_capsule_batch3.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/convex_parts3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_parts.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using namespace sudar_test;

namespace {

template <class Attempt>
void fail_maker(const char* name, Attempt attempt, std::size_t most = kEveryPoint) {
  SCOPED_TRACE(name);
  EXPECT_GT(fail_everywhere(attempt, most), 0u);
}

}  // namespace

TEST(AllocationFailure, HullsAndTriangulations) {
  Random random(2);
  const auto solid = random_points<3>(random, 24);
  const auto flat = random_points<2>(random, 24);
  const auto few = random_points<3>(random, 6);
  fail_maker("quickhull3", [&] { return quickhull3<>(solid); });
  fail_maker("quickhull3, merged", [&] { return quickhull3<>(solid, {.merge_coplanar = true}); });
  fail_maker("incremental_hull3", [&] { return incremental_hull3<>(solid); });
  fail_maker("convex_hull2", [&] { return convex_hull2<>(flat); });
  fail_maker("delaunay2", [&] { return delaunay2<>(flat); });
  fail_maker("delaunay3", [&] { return delaunay3<>(few); });
  fail_maker("minkowski_sum", [&] { return minkowski_sum(few, few); });
  const Hull3 hull = *quickhull3<>(solid);
  fail_maker("to_mesh", [&] { return to_mesh(hull); });
  fail_maker("validate", [&] { return validate(hull, solid); });
}

TEST(AllocationFailure, MeshesAndShapes) {
  Random random(3);
  const Mesh torus = *torus_mesh(2, 0.5, 6, 4);
  const auto points = random_points<3>(random, 16);
  const std::vector<Vec2d> corners = {{0, 0}, {3, 0}, {3, 3}, {2, 1}, {1, 1}, {0, 3}};
  std::vector<double> heights(20, 1.0);
  const std::vector<CompoundChild3> children = {{*make_sphere3(1), {}}, {*make_box3({1, 1, 1}), {{1, 0, 0}, {}}}};
  fail_maker("torus_mesh", [] { return torus_mesh(2, 0.5, 6, 4); });
  fail_maker("icosphere_mesh", [] { return icosphere_mesh(1, 1); });
  fail_maker("make_mesh", [&] { return make_mesh(torus.vertices, torus.triangles); });
  fail_maker("check_surface", [&] { return check_surface(torus); });
  fail_maker("check_solid", [&] { return check_solid(torus); });
  fail_maker("weld", [&] { return weld(torus); });
  fail_maker("weld within", [&] { return weld(torus, 0.125); });
  fail_maker("simplified", [&] { return simplified(torus, 30); });
  fail_maker("make_hull_shape3", [&] { return make_hull_shape3(points); });
  fail_maker("make_mesh_shape3", [&] { return make_mesh_shape3(torus.vertices, torus.triangles, true); });
  fail_maker("make_compound3", [&] { return make_compound3(children); });
  // Thousands of points: some are drawn
  const Mesh two_boxes = *joined(*box_mesh({1, 1, 1}), *transformed(*box_mesh({0.5, 0.5, 0.5}), {{3, 0, 0}, {}}));
  fail_maker(
      "convex_parts3", [&] { return convex_parts3(two_boxes); }, 60);
  const ConvexParts3 parts = *convex_parts3(two_boxes);
  fail_maker("make_compound3 of parts", [&] { return make_compound3(parts); });
  fail_maker("make_height_field3", [&] { return make_height_field3(heights, 5, 4, {1, 1}); });
  fail_maker("make_polygon2", [&] { return make_polygon2(std::span(corners).first(3)); });
  fail_maker("convex_parts", [&] { return convex_parts(corners); });
  const std::vector<CompoundChild2> flat = {{*make_circle2(1), {}}, {*make_box2({1, 1}), {{1, 0}, {}}}};
  fail_maker("make_compound2", [&] { return make_compound2(flat); });
  fail_maker("make_chain2", [&] { return make_chain2(corners, true); });
  fail_maker("make_concave_polygon2", [&] { return make_concave_polygon2(corners); });
  fail_maker("triangulate", [&] { return triangulate(corners); });
  fail_maker("coarse_parts", [&] { return coarse_parts(corners, 2); });
  fail_maker("make_triangle_mesh", [&] { return make_triangle_mesh(torus.vertices, torus.triangles); });
  fail_maker("adjacency", [&] { return adjacency(torus); });
  fail_maker("transformed", [&] { return transformed(torus, {}); });
  fail_maker("flipped", [&] { return flipped(torus); });
  fail_maker("joined", [&] { return joined(torus, torus); });
  fail_everywhere([&] { return mass_properties(torus); });
  fail_everywhere([&] { return mass_properties_of_solid(torus); });
  fail_everywhere([&] { return mass_properties(corners); });
}

TEST(AllocationFailure, VolumesAndPieces) {
  Random random(4);
  const auto solid = random_points<3>(random, 16);
  const auto flat = random_points<2>(random, 16);
  const auto few = std::span(solid).first(6);
  const std::vector<Vec2d> square = {{-2, -2}, {2, -2}, {2, 2}, {-2, 2}};
  fail_everywhere([&] { return smallest_rectangle(flat); }, 30);
  fail_everywhere([&] { return brute_force_rectangle(flat); }, 30);
  fail_everywhere([&] { return principal_box(solid); }, 30);
  fail_everywhere([&] { return smallest_box(few); }, 4);
  fail_everywhere([&] { return bounding_capsule<3>(few); }, 4);
  fail_everywhere([&] { return bounding_capsule<2>(flat); }, 10);
  fail_everywhere([&] { return bounding_cylinder(few); }, 4);
  fail_everywhere([&] { return smallest_sphere<3>(solid); });
  fail_everywhere([&] { return welzl_sphere<2>(flat); });
  fail_maker(
      "compare_volumes", [&] { return compare_volumes<3>(few); }, 4);
  const Hull3 hull = *quickhull3<>(solid);
  fail_maker("transform", [&] { return transform(Pose3d{}, hull); });
  const Delaunay2 delaunay = *delaunay2<>(flat);
  fail_maker("delaunay_neighbours", [&] { return delaunay_neighbours(delaunay); });
  fail_maker("voronoi2", [&] { return voronoi2(flat); });
  fail_maker("fracture2", [&] { return fracture2(square, flat); });
  fail_maker(
      "fracture3", [&] { return fracture3(hull, std::span(solid).first(5)); }, 60);
  fail_maker("make_voronoi_regions 2", [&] { return make_voronoi_regions(square); });
  fail_maker("make_voronoi_regions 3", [&] { return make_voronoi_regions(hull); });
  fail_maker("minkowski_sum 2", [&] { return minkowski_sum(square, square); });
  fail_maker("minkowski_difference", [&] { return minkowski_difference(few, few); });
  fail_everywhere([&] { return find_crossing(square); });
  fail_maker("make_simple_polygon", [&] { return make_simple_polygon(square); });
}

// A batch for which memory runs out answers as before
TEST(AllocationFailure, BatchesStayAsTheyWere) {
  const std::vector<Vec3d> sides(40, {1, 1, 1});
  std::vector<Pose3d> poses(40);
  poses[1].position = {1.5, 0, 0};
  const auto few = [](const auto& all) { return std::span(all).first(2); };
  const auto boxes = [&] {
    BoxBatch3 batch;
    EXPECT_TRUE(batch.build(few(sides), few(poses)).ok());
    return batch;
  };
  EXPECT_GT(fail_everywhere(
                boxes, [&](BoxBatch3& batch) { return batch.build(sides, poses); },
                [](const BoxBatch3& batch) {
                  ASSERT_EQ(batch.size(), 2u);
                  const BoxPair pair{0, 1};
                  std::uint8_t hit = 0;
                  batch.intersects({&pair, 1}, {&hit, 1});
                  EXPECT_EQ(hit, 1);
                }),
            0u);
  Random random(3);
  const std::vector<Shape3> all(40, *make_hull_shape3(random_points<3>(random, 8)));
  const auto hulls = [&] {
    HullBatch3 batch;
    EXPECT_TRUE(batch.build(few(all), few(poses)).ok());
    return batch;
  };
  EXPECT_GT(fail_everywhere(
                hulls, [&](HullBatch3& batch) { return batch.build(all, poses); },
                [](const HullBatch3& batch) { EXPECT_EQ(batch.size(), 2u); }),
            0u);
}
