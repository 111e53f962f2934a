#include "tests/support/numbers.hpp"
#include <sudar/geom/mesh.hpp>

#include <gtest/gtest.h>

#include <limits>

using namespace sudar;
using sudar_test::kInf;
using sudar_test::kNaN;

namespace {

const std::vector<Vec3d> kCorners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const std::vector<MeshTriangle> kFaces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

}  // namespace

TEST(Mesh, KeepsWhatItIsGiven) {
  const Result<Mesh> mesh = make_mesh(kCorners, kFaces);
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(mesh->vertices, kCorners);
  EXPECT_EQ(mesh->triangles, kFaces);
  EXPECT_EQ(mesh->corners(1).c, kCorners[3]);
}

TEST(Mesh, NamesTheBadVertex) {
  for (double bad : {kNaN, kInf, -kInf}) {
    std::vector<Vec3d> corners = kCorners;
    corners[2].y = bad;
    EXPECT_EQ(make_mesh(corners, kFaces).error(), (Error{ErrorCode::non_finite, 2}));
  }
}

TEST(Mesh, NamesTheBadTriangle) {
  std::vector<MeshTriangle> faces = kFaces;
  faces[3][1] = 4;
  EXPECT_EQ(make_mesh(kCorners, faces).error(), (Error{ErrorCode::index_out_of_range, 3}));
  faces[3][1] = 0xffffffffu;
  EXPECT_EQ(make_mesh(kCorners, faces).error(), (Error{ErrorCode::index_out_of_range, 3}));
  EXPECT_EQ(make_mesh({}, kFaces).error(), (Error{ErrorCode::index_out_of_range, 0}));
}

TEST(Mesh, RefusesNothingAndTooMuch) {
  EXPECT_EQ(make_mesh(kCorners, {}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(make_mesh({}, {}).error().code, ErrorCode::empty_input);
  // The counts are looked at before the memory behind them
  const std::span<const Vec3d> many_vertices(kCorners.data(), kMaxMeshVertices + 1);
  EXPECT_EQ(make_mesh(many_vertices, kFaces).error().code, ErrorCode::too_large);
  const std::span<const MeshTriangle> many_triangles(kFaces.data(), kMaxMeshTriangles + 1);
  EXPECT_EQ(make_mesh(kCorners, many_triangles).error().code, ErrorCode::too_large);
}

TEST(Mesh, MovesFlipsAndJoins) {
  const Mesh mesh = *make_mesh(kCorners, kFaces);
  const Mesh moved = *transformed(mesh, {{1, 2, 3}, {}});
  EXPECT_EQ(moved.vertices[3], (Vec3d{1, 2, 4}));
  EXPECT_EQ(transformed(mesh, {{kNaN, 0, 0}, {}}).error(), (Error{ErrorCode::non_finite, 0}));
  EXPECT_EQ(*flipped(*flipped(mesh)), mesh);
  const Mesh both = *joined(mesh, moved);
  EXPECT_EQ(both.triangles.size(), 8u);
  EXPECT_EQ(both.corners(5).c, moved.corners(1).c);
}

TEST(Mesh, ABrokenMeshIsRefusedEverywhere) {
  Mesh broken = *make_mesh(kCorners, kFaces);
  broken.triangles[1][0] = 99;
  const Error expected{ErrorCode::index_out_of_range, 1};
  EXPECT_EQ(check_mesh(broken).error(), expected);
  EXPECT_EQ(transformed(broken, {}).error(), expected);
  EXPECT_EQ(flipped(broken).error(), expected);
  EXPECT_EQ(joined(broken, broken).error(), expected);
}
