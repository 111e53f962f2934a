// Memory that runs out at every point of what builds: hulls, meshes, shapes, fields, and readers of files. A typed error, no
// crash, no leak (the address sanitizer looks).
#include "tests/faults/failing_new.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temp_file.hpp"
#include <sudar/geom/delaunay2.hpp>
#include <sudar/geom/delaunay3.hpp>
#include <sudar/geom/hull2.hpp>
#include <sudar/geom/hull3.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/mesh_from_hull.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/mesh_simplify.hpp>
#include <sudar/geom/mesh_weld.hpp>
#include <sudar/geom/minkowski3.hpp>
#include <sudar/io/aabbs_file.hpp>
#include <sudar/io/file_bytes.hpp>
#include <sudar/io/mesh_file.hpp>
#include <sudar/io/npy.hpp>
#include <sudar/narrowphase/box_batch3.hpp>
#include <sudar/narrowphase/hull_batch3.hpp>
#include <sudar/sdf/mesh_field.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/convex_parts3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_parts.hpp>
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

#include <cstdio>

using namespace sudar;
using namespace sudar_test;

namespace {

template <class Attempt>
void fail_maker(const char* name, Attempt attempt, std::size_t stride = 1) {
  SCOPED_TRACE(name);
  EXPECT_GT(fail_everywhere(attempt, stride), 0u);
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

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
  // Many points
  const Mesh two_boxes = *joined(*box_mesh({1, 1, 1}), *transformed(*box_mesh({0.5, 0.5, 0.5}), {{3, 0, 0}, {}}));
  fail_maker(
      "convex_parts3", [&] { return convex_parts3(two_boxes); }, 31);
  fail_maker("make_height_field3", [&] { return make_height_field3(heights, 5, 4, {1, 1}); });
  fail_maker("make_polygon2", [&] { return make_polygon2(std::span(corners).first(3)); });
  fail_maker("convex_parts", [&] { return convex_parts(corners); });
  const FieldGrid3 grid{{-3, -3, -1}, 1.0, {7, 7, 3}};
  fail_maker("make_mesh_field", [&] { return make_mesh_field(torus, grid); });
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

TEST(AllocationFailure, ReadersOfFiles) {
  const Mesh cube = *box_mesh({1, 1, 1});
  const MeshPart parts[] = {{"one", cube}, {"two", cube}};
  for (const char* ending : {".ply", ".obj", ".stl"}) {
    const std::string path = temp_path(std::string("faults") + ending);
    fail_maker("save_mesh_file", [&] { return save_mesh_file(path, parts); });
    ASSERT_TRUE(save_mesh_file(path, parts).ok());
    fail_maker("load_mesh_file", [&] { return load_mesh_file(path); });
    std::remove(path.c_str());
  }
  fail_maker("ascii stl", [] {
    return parse_mesh_file(
        bytes_of("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                 "endloop\nendfacet\nendsolid a\n"),
        "a.stl");
  });
  fail_maker("off",
             [] { return parse_mesh_file(bytes_of("OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"), "a.off"); });
  fail_maker("ply", [] {
    return parse_mesh_file(
        bytes_of("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
                 "z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n"
                 "3 0 1 2\n"),
        "a.ply");
  });
  fail_maker("csv", [] { return parse_boxes_csv("0,0,1,1\n1,1,2,2\n"); });
  const std::string path = temp_path("faults.npy");
  const std::vector<double> values(12, 1.0);
  const std::size_t shape[] = {2, 6};
  fail_maker("write_npy", [&] { return write_npy(path, values, shape); });
  ASSERT_TRUE(write_npy(path, values, shape).ok());
  fail_maker("read_npy", [&] { return read_npy(path); });
  fail_maker("read_boxes", [&] { return read_boxes(path); });
  fail_maker("read_whole_file", [&] { return read_whole_file(path); });
  std::remove(path.c_str());
}
