#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/disjoint_sets.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/mesh_weld.hpp>

#include <gtest/gtest.h>

#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

// Each triangle with three vertices of its own, as a file without indices gives it
Mesh soup(const Mesh& mesh) {
  Mesh loose;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::uint32_t v : mesh.triangles[t]) loose.vertices.push_back(mesh.vertices[v]);
    loose.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return loose;
}

// Plain twin: every pair of vertices
std::vector<std::uint32_t> groups_by_all_pairs(const Mesh& mesh, double tolerance) {
  const auto n = static_cast<std::uint32_t>(mesh.vertices.size());
  DisjointSets sets(n);
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < i; ++j) {
      const Vec3d d = mesh.vertices[i] - mesh.vertices[j];
      if (d == Vec3d{} || (tolerance > 0 && length_squared(d / tolerance) <= 1)) sets.join(i, j);
    }
  std::vector<std::uint32_t> group(n);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < n; ++i) group[i] = sets.find(i) == i ? count++ : group[sets.find(i)];
  return group;
}

Mesh scattered(Random& random, std::uint32_t count, double size, double spread, std::uint32_t clumps) {
  Mesh mesh;
  for (std::uint32_t i = 0; i < count; ++i) {
    Random centre(random.below(clumps) + 77);
    Vec3d v{centre.uniform(-size, size), centre.uniform(-size, size), centre.uniform(-size, size)};
    for (int k = 0; k < 3; ++k) v[k] += random.uniform(-spread, spread);
    mesh.vertices.push_back(v);
  }
  // One triangle per clump at least has three different corners; that is all welding needs to succeed
  for (std::uint32_t i = 0; i + 2 < count; ++i) mesh.triangles.push_back({i, i + 1, i + 2});
  return mesh;
}

}  // namespace

TEST(MeshWeld, ASoupBecomesTheMeshAgain) {
  for (const Mesh& mesh : {*box_mesh({1, 2, 3}), *icosphere_mesh(1, 3), *torus_mesh(3, 1, 30, 20)})
    for (double tolerance : {0.0, 1e-9}) {
      const Welded welded = *weld(soup(mesh), tolerance);
      EXPECT_EQ(welded.mesh.vertices.size(), mesh.vertices.size());
      EXPECT_EQ(welded.mesh.triangles.size(), mesh.triangles.size());
      const MeshReport r = *check_surface(welded.mesh);
      EXPECT_TRUE(r.solid() && r.manifold());
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        EXPECT_EQ(welded.triangle_from[t], t);
        EXPECT_EQ(welded.mesh.corners(t), mesh.corners(t));
      }
    }
}

TEST(MeshWeld, SignedZerosAreOnePlace) {
  const Mesh mesh{{{0.0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, 0, -0.0}, {0, 0, 1}}, {{0, 1, 2}, {3, 2, 4}}};
  EXPECT_EQ(weld(mesh)->vertex_map, (std::vector<std::uint32_t>{0, 1, 2, 0, 3}));
}

// Oracle: all pairs
TEST(MeshWeld, GroupsEqualThoseOfAllPairs) {
  Random random(campaign_seed(5));
  for (int round = 0; round < 60; ++round) {
    const double size = round % 3 == 0 ? 1 : round % 3 == 1 ? 1e6 : 1e-6;
    const double tolerance = size * (round % 4 == 0 ? 1e-3 : round % 4 == 1 ? 0.05 : round % 4 == 2 ? 0.3 : 1e-12);
    const Mesh mesh = scattered(random, 300, size, tolerance * random.uniform(0.1, 3), 150);
    const Result<Welded> welded = weld(mesh, tolerance);
    const std::vector<std::uint32_t> expected = groups_by_all_pairs(mesh, tolerance);
    if (!welded) {
      EXPECT_EQ(welded.error().code, ErrorCode::degenerate);
      continue;
    }
    EXPECT_EQ(welded->vertex_map, expected) << round;
  }
}

TEST(MeshWeld, ChainsBecomeOneVertexAtTheLowest) {
  Mesh mesh;
  for (int i = 0; i < 100; ++i) mesh.vertices.push_back({0.9 * i, 0, 0});
  mesh.vertices.push_back({0, 50, 0});
  mesh.vertices.push_back({0, 0, 50});
  mesh.triangles = {{99, 100, 101}, {0, 50, 100}};
  const Welded welded = *weld(mesh, 1.0);
  EXPECT_EQ(welded.mesh.vertices, (std::vector<Vec3d>{{0, 0, 0}, {0, 50, 0}, {0, 0, 50}}));
  EXPECT_EQ(welded.triangle_from, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(weld(mesh, 0.85)->mesh.vertices.size(), 102u);
}

TEST(MeshWeld, TheOrderOfTheVerticesDoesNotMatter) {
  Random random(campaign_seed(8));
  const Mesh mesh = scattered(random, 400, 1, 0.02, 100);
  Mesh reversed;
  reversed.vertices.assign(mesh.vertices.rbegin(), mesh.vertices.rend());
  for (MeshTriangle t : mesh.triangles) {
    for (std::uint32_t& v : t) v = 399 - v;
    reversed.triangles.push_back(t);
  }
  const Welded a = *weld(mesh, 0.01), b = *weld(reversed, 0.01);
  for (std::uint32_t i = 0; i < 400; ++i)
    for (std::uint32_t j = 0; j < i; ++j)
      ASSERT_EQ(a.vertex_map[i] == a.vertex_map[j], b.vertex_map[399 - i] == b.vertex_map[399 - j]);
}

TEST(MeshWeld, ExtremeCoordinatesAndTolerances) {
  const double huge = 1.7e308, tiny = 5e-324;
  const Mesh mesh{{{huge, -huge, 0}, {-huge, huge, 0}, {huge, -huge, 1}, {0, 0, tiny}, {0, 0, 0}, {1, 1, 1}},
                  {{0, 1, 2}, {3, 4, 5}, {0, 1, 5}}};
  EXPECT_EQ(weld(mesh, 0)->mesh.vertices.size(), 6u);
  EXPECT_EQ(weld(mesh, tiny)->mesh.vertices.size(), 5u);
  EXPECT_EQ(weld(mesh, 1)->mesh.vertices.size(), 4u);
  EXPECT_EQ(weld(mesh, 2)->mesh.vertices.size(), 3u);
  EXPECT_EQ(weld(mesh, 1.7e308)->mesh.vertices.size(), 3u);
}

// A tolerance far above the size of the mesh must not cost all pairs: 200 000 vertices in one clump
TEST(MeshWeld, OneClumpIsFast) {
  Random random(3);
  Mesh mesh = scattered(random, 200000, 1, 0.5, 1000);
  mesh.vertices.push_back({1e4, 0, 0});
  mesh.vertices.push_back({0, 1e4, 0});
  mesh.triangles.push_back({0, 200000, 200001});
  EXPECT_EQ(weld(mesh, 100)->mesh.vertices.size(), 3u);
}

TEST(MeshWeld, RefusesNonsense) {
  const Mesh mesh = *box_mesh({1, 1, 1});
  for (double bad : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(weld(mesh, bad).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(weld(Mesh{}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(weld(mesh, 100).error().code, ErrorCode::degenerate);
}
