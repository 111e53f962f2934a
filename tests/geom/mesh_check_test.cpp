#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/mesh_makers.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

MeshReport report_of(const Mesh& mesh) { return *check_surface(mesh); }

// Triangles without a thought about positions: corner i is put on the moment curve, where no four points are coplanar
Mesh abstract(std::vector<MeshTriangle> triangles) {
  std::uint32_t last = 0;
  for (const MeshTriangle& t : triangles) last = std::max({last, t[0], t[1], t[2]});
  Mesh mesh;
  for (double i = 0; i <= last; ++i) mesh.vertices.push_back({i, i * i, i * i * i});
  mesh.triangles = std::move(triangles);
  return mesh;
}

const std::vector<MeshTriangle> kTetrahedron = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

}  // namespace

// Oracle: a map from the two vertices to the triangles
TEST(MeshAdjacency, ListsTheTrianglesOfEveryEdge) {
  Random random(campaign_seed(11));
  for (int round = 0; round < 50; ++round) {
    std::vector<MeshTriangle> triangles;
    for (int i = 0; i < 60; ++i) {
      MeshTriangle t;
      for (std::uint32_t& v : t) v = static_cast<std::uint32_t>(random.below(12));
      triangles.push_back(t);
    }
    const Mesh mesh = abstract(triangles);
    const MeshAdjacency adj = *adjacency(mesh);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> expected;
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
      const MeshTriangle& v = triangles[t];
      if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
      for (std::uint32_t k = 0; k < 3; ++k) expected[std::minmax(v[k], v[(k + 1) % 3])].push_back(3 * t + k);
    }
    ASSERT_EQ(adj.edges.size(), expected.size());
    std::size_t i = 0;
    for (const auto& [ends, half_edges] : expected) {
      const MeshEdge& e = adj.edges[i];
      EXPECT_EQ(std::make_pair(e.lo, e.hi), ends);
      EXPECT_EQ(std::vector<std::uint32_t>(adj.around.begin() + e.first, adj.around.begin() + e.end), half_edges);
      for (std::uint32_t h : half_edges) EXPECT_EQ(adj.edge_of[h], i);
      ++i;
    }
    for (std::uint32_t h = 0; h < adj.twin.size(); ++h) {
      if (adj.twin[h] == kNoIndex) continue;
      EXPECT_EQ(adj.twin[adj.twin[h]], h);
      EXPECT_EQ(origin_of(mesh, h), origin_of(mesh, next_half_edge(adj.twin[h])));
      EXPECT_EQ(origin_of(mesh, adj.twin[h]), origin_of(mesh, next_half_edge(h)));
    }
  }
}

TEST(MeshAdjacency, WalksAroundAVertexByTwins) {
  const Mesh mesh = *icosphere_mesh(1, 2);
  const MeshAdjacency adj = *adjacency(mesh);
  std::vector<std::uint32_t> degree(mesh.vertices.size(), 0);
  for (const MeshTriangle& t : mesh.triangles)
    for (std::uint32_t v : t) ++degree[v];
  for (std::uint32_t h = 0; h < adj.twin.size(); ++h) {
    EXPECT_EQ(next_half_edge(previous_half_edge(h)), h);
    std::uint32_t steps = 0, g = h;
    do {
      g = adj.twin[previous_half_edge(g)];
      ASSERT_EQ(origin_of(mesh, g), origin_of(mesh, h));
      ++steps;
    } while (g != h && steps < 10);
    EXPECT_EQ(steps, degree[origin_of(mesh, h)]);
  }
}

TEST(MeshCheck, ATetrahedronIsASolidSphere) {
  const MeshReport r = report_of(abstract(kTetrahedron));
  EXPECT_TRUE(r.closed() && r.oriented() && r.manifold() && r.solid());
  EXPECT_EQ(r.vertices, 4u);
  EXPECT_EQ(r.edges, 6u);
  EXPECT_EQ(r.components, 1u);
  EXPECT_EQ(r.euler_characteristic, 2);
  EXPECT_EQ(r.genus(), 0);
  EXPECT_FALSE(r.degenerate_triangles || r.duplicate_triangles || r.unused_vertices);
}

TEST(MeshCheck, AHoleIsFoundAtItsFirstEdge) {
  const Mesh mesh = abstract({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}});
  const MeshReport r = report_of(mesh);
  EXPECT_FALSE(r.closed());
  EXPECT_TRUE(r.oriented());
  EXPECT_TRUE(r.manifold());
  EXPECT_EQ(r.open_edges.count, 3u);
  // Edges in order: 01 02 03 12 13 23; the missing face was 2 0 3
  EXPECT_EQ(r.open_edges.first, 1u);
  EXPECT_EQ(r.euler_characteristic, 1);
}

TEST(MeshCheck, ATurnedTriangleIsFound) {
  std::vector<MeshTriangle> faces = kTetrahedron;
  std::swap(faces[2][0], faces[2][1]);
  const MeshReport r = report_of(abstract(faces));
  EXPECT_TRUE(r.closed());
  EXPECT_FALSE(r.oriented());
  EXPECT_EQ(r.turned_edges, (MeshFault{3, 3}));
  EXPECT_TRUE(r.manifold());
}

TEST(MeshCheck, AMoebiusStripCannotBeOriented) {
  const MeshReport r = report_of(abstract({{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 0, 4}, {4, 0, 1}}));
  EXPECT_FALSE(r.oriented());
  EXPECT_FALSE(r.closed());
  EXPECT_EQ(r.euler_characteristic, 0);
}

TEST(MeshCheck, AnEdgeWithThreeTrianglesIsNotManifold) {
  const MeshReport r = report_of(abstract({{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}));
  EXPECT_EQ(r.non_manifold_edges, (MeshFault{1, 0}));
  EXPECT_TRUE(r.oriented());
  EXPECT_FALSE(r.manifold());
}

TEST(MeshCheck, TwoBodiesThatShareAnEdgeAreSolidButNotManifold) {
  const MeshReport r =
      report_of(abstract({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {0, 4, 1}, {0, 1, 5}, {1, 4, 5}, {4, 0, 5}}));
  EXPECT_TRUE(r.solid());
  EXPECT_EQ(r.non_manifold_edges, (MeshFault{1, 0}));
  EXPECT_FALSE(r.pinched_vertices);
}

TEST(MeshCheck, APinchedVertexIsFound) {
  // Two tetrahedra that share vertex 3
  const MeshReport r =
      report_of(abstract({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {4, 6, 5}, {4, 5, 3}, {5, 6, 3}, {6, 4, 3}}));
  EXPECT_EQ(r.pinched_vertices, (MeshFault{1, 3}));
  EXPECT_TRUE(r.solid());
  EXPECT_FALSE(r.manifold());
  EXPECT_EQ(r.components, 1u);
  EXPECT_EQ(r.euler_characteristic, 3);
}

TEST(MeshCheck, CountsComponentsAndUnusedVertices) {
  Mesh both = *joined(*box_mesh({1, 1, 1}), *torus_mesh(2, 0.5, 8, 6));
  both.vertices.insert(both.vertices.begin() + 8, Vec3d{9, 9, 9});
  for (MeshTriangle& t : both.triangles)
    for (std::uint32_t& v : t)
      if (v >= 8) ++v;
  const MeshReport r = report_of(both);
  EXPECT_EQ(r.components, 2u);
  EXPECT_EQ(r.unused_vertices, (MeshFault{1, 8}));
  EXPECT_EQ(r.euler_characteristic, 2 + 0);
  EXPECT_EQ(r.genus(), 1);
}

// Oracle: exact by construction. Areas of 1e-300 are not zero; collinear points that rounding makes look bent are.
TEST(MeshCheck, DegenerateIsExactlyZeroArea) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {0.1, 0.1, 0.1}, {0.3, 0.3, 0.3}, {1e-200, 0, 0}, {0, 1e-200, 0}, {0.1, 0.1, 0.1}};
  mesh.triangles = {{0, 1, 2}, {0, 3, 4}, {0, 0, 1}, {0, 1, 5}, {0, 1, 3}};
  const MeshReport r = report_of(mesh);
  EXPECT_EQ(r.degenerate_triangles, (MeshFault{3, 0}));
  EXPECT_EQ(r.repeated_index_triangles, (MeshFault{1, 2}));
  mesh.vertices[2].x = 0.1 + 0.2;  // not 0.3
  EXPECT_EQ(report_of(mesh).degenerate_triangles, (MeshFault{2, 2}));
}

TEST(MeshCheck, DuplicatesInAnyOrderAreFound) {
  const MeshReport r = report_of(abstract({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {3, 1, 0}, {1, 2, 3}}));
  EXPECT_EQ(r.duplicate_triangles, (MeshFault{2, 4}));
}

TEST(MeshCheck, AMeshOfCollapsedTrianglesIsNotClosed) {
  const MeshReport r = report_of(abstract({{0, 0, 1}, {1, 1, 1}}));
  EXPECT_FALSE(r.closed());
  EXPECT_EQ(r.triangles, 0u);
  EXPECT_EQ(r.components, 0u);
}

TEST(MeshCheck, RefusesWhatIsNotAMesh) {
  EXPECT_EQ(check_surface(Mesh{}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(adjacency(Mesh{{}, {{0, 1, 2}}}).error(), (Error{ErrorCode::index_out_of_range, 0}));
  const Mesh mesh = *box_mesh({1, 1, 1});
  EXPECT_EQ(check_surface(mesh, MeshAdjacency{}).error().code, ErrorCode::invalid_argument);
}
