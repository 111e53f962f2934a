#include "tests/narrowphase/bumpy_sphere.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/geom/mass3.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/mesh_simplify.hpp>
#include <sudar/geom/mesh_weld.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/level_error.hpp>
#include <sudar/narrowphase/levels.hpp>
#include <sudar/narrowphase/mesh_depth.hpp>

#include <gtest/gtest.h>

#include <algorithm>

using namespace sudar;
using sudar_test::bumpy_sphere;
using sudar_test::campaign_seed;
using sudar_test::random_pose;

namespace {

std::shared_ptr<const DetailLevels> levels_of(const Mesh& mesh, bool solid = true) {
  return *DetailLevels::make(mesh.vertices, mesh.triangles, solid);
}

}  // namespace

// Closed, oriented, of the same kind, and as small as asked for
TEST(Simplify, KeepsTheSurfaceClosedAndOfItsKind) {
  for (const Mesh& mesh : {bumpy_sphere(30, 30, 0.2), *torus_mesh(2, 0.7, 40, 24), *icosphere_mesh(1, 3)}) {
    const auto before = *check_surface(mesh);
    for (const std::size_t most : {mesh.triangles.size() / 2, mesh.triangles.size() / 8, std::size_t{60}}) {
      const Mesh small = *simplified(mesh, most);
      EXPECT_LE(small.triangles.size(), most);
      const auto after = *check_surface(small);
      EXPECT_TRUE(after.solid() && after.manifold());
      EXPECT_EQ(after.genus(), before.genus());
      EXPECT_EQ(after.components, before.components);
      EXPECT_FALSE(after.unused_vertices);
    }
  }
  // A cube of many triangles is a cube of twelve
  const Mesh box = *box_mesh({1, 2, 3});
  EXPECT_EQ(simplified(box, 4)->triangles.size() >= 4, true);
  EXPECT_EQ(*simplified(box, 12), box);
  // What is not closed has no simpler form
  Mesh open = box;
  open.triangles.pop_back();
  EXPECT_EQ(simplified(open, 4).error().code, ErrorCode::not_closed);
  EXPECT_FALSE(simplified({}, 4).ok());
}

// Two cubes that share a corner are two bodies: neither is drawn together to a triangle that is there twice
TEST(Simplify, TetrahedraThatShareACornerStay) {
  const Mesh cube = *box_mesh({1, 1, 1});
  const Mesh two = weld(*joined(cube, *transformed(cube, {{2, 2, 2}, {}})))->mesh;
  ASSERT_EQ(two.vertices.size(), 15u);
  const Mesh small = *simplified(two, 4);
  EXPECT_EQ(small.triangles.size(), 8u);
  const auto report = *check_surface(small);
  EXPECT_TRUE(report.solid());
  EXPECT_FALSE(report.duplicate_triangles);
  const auto mass = mass_properties(small);
  ASSERT_TRUE(mass.ok());
  EXPECT_GT(mass->mass, 0.5);
}

// At every size that a double has, up to the limit that the header names
TEST(Simplify, HoldsAtEverySize) {
  for (const double radius : {0x1p-1000, 0x1p-1022, 0x1p-1030, 0x1p-1060, 1e-310, 1e300, kMaxSimplified}) {
    const auto small = simplified(*icosphere_mesh(radius, 3), 60);
    ASSERT_TRUE(small.ok()) << radius;
    EXPECT_LE(small->triangles.size(), 60u) << radius;
    for (const Vec3d& v : small->vertices) ASSERT_TRUE(is_finite(v) && max_abs(v) <= 2 * radius) << radius;
    EXPECT_TRUE(check_surface(*small)->closed()) << radius;
  }
  for (const double radius : {1e308, 1.7e308})
    EXPECT_EQ(simplified(*icosphere_mesh(radius, 1), 20).error().code, ErrorCode::too_large);
  Mesh far = *box_mesh({1, 1, 1});
  far.vertices[3].y = 2 * kMaxSimplified;
  EXPECT_EQ(simplified(far, 20).error(), (Error{ErrorCode::too_large, 3}));
}

// Closed form: concentric boxes, and a hull over a notch. Oracle: sampled points.
TEST(LevelError, IsABoundAndNearTheTruth) {
  const auto made = [](const Mesh& mesh) { return *make_triangle_mesh(mesh.vertices, mesh.triangles); };
  const auto inner = made(*box_mesh({1, 1, 1})), outer = made(*box_mesh({1.5, 1.25, 1}));
  EXPECT_NEAR(surface_error(*inner, *outer, 1e-3), 0.5, 2e-3);
  EXPECT_NEAR(surface_error(*outer, *inner, 1e-3), std::sqrt(0.25 + 0.0625), 2e-3);
  EXPECT_GE(surface_error(*outer, *inner, 1e-3), std::sqrt(0.25 + 0.0625));
  // Two blocks and the gap between them: half of it
  const Mesh two = *joined(*transformed(*box_mesh({1, 1, 1}), Pose3d{{-3, 0, 0}, {}}),
                           *transformed(*box_mesh({1, 1, 1}), Pose3d{{3, 0, 0}, {}}));
  const MeshShape3 blocks{made(two), true};
  const double gap = hull_error(*blocks.mesh->hull(), blocks, 1e-2);
  EXPECT_GE(gap, 2);
  EXPECT_LE(gap, 2.03);
}

// Oracle: the full meshes. Every level's bounds hold the truth, and finer levels are no worse in the end.
TEST(Levels, BoundsHoldTheFullAnswer) {
  Random random(campaign_seed(80));
  const auto a = levels_of(bumpy_sphere(36, 36, 0.2)), b = levels_of(*torus_mesh(1, 0.35, 40, 24));
  ASSERT_GE(a->levels().size(), 6u);
  for (const auto& body : {a, b}) {
    EXPECT_EQ(body->levels().back().kind, DetailKind::full);
    EXPECT_EQ(body->levels().back().excess, 0);
    bool simplified_seen = false;
    for (const DetailLevel& level : body->levels()) {
      EXPECT_TRUE(std::isfinite(level.excess) && std::isfinite(level.missing));
      simplified_seen = simplified_seen || level.kind == DetailKind::simplified;
    }
    EXPECT_TRUE(simplified_seen);
  }
  int apart = 0, meet = 0, coarse = 0;
  for (int n = 0; n < 24; ++n) {
    Pose3d pose = random_pose(random, 1);
    pose.position = pose.position * (n % 3 == 0 ? 0.8 : 3);
    const Placement3 p = make_placement(pose);
    const Shape3 x(a->body()), y(b->body());
    const bool hit = intersects(x, y, p);
    const double truth = hit ? 0 : distance(x, y, p).separation;
    ++(hit ? meet : apart);
    for (std::size_t i = 0; i < a->levels().size(); ++i)
      for (std::size_t j = 0; j < b->levels().size(); ++j) {
        const LevelAnswer s = level_distance(*a, i, *b, j, p);
        EXPECT_LE(s.lower, truth * (1 + 1e-12)) << i << ' ' << j << ' ' << n;
        EXPECT_GE(s.upper, truth * (1 - 1e-12)) << i << ' ' << j << ' ' << n;
        if (s.verdict == LevelVerdict::apart) {
          EXPECT_FALSE(hit) << i << ' ' << j;
        }
        if (s.verdict == LevelVerdict::meet) {
          EXPECT_TRUE(hit) << i << ' ' << j;
        }
      }
    const LevelAnswer exact = distance_within(*a, *b, p, 0), rough = distance_within(*a, *b, p, 0.3);
    EXPECT_NEAR(exact.upper, truth, 1e-9);
    EXPECT_EQ(exact.verdict, hit ? LevelVerdict::meet : LevelVerdict::apart);
    EXPECT_LE(rough.lower, truth + 1e-12);
    EXPECT_GE(rough.upper, truth - 1e-12);
    if (!hit) {
      EXPECT_LE(rough.upper - rough.lower, 0.3);
    }
    const LevelAnswer decided = decide_by_level(*a, *b, p);
    EXPECT_EQ(decided.verdict, hit ? LevelVerdict::meet : LevelVerdict::apart);
    coarse += decided.level_a < 3;
    EXPECT_LE(decide_by_level(*a, *b, p, 2).level_a, 2u);
  }
  EXPECT_GT(apart, 4);
  EXPECT_GT(meet, 4);
  EXPECT_GT(coarse, 2);
}

// A small body wholly inside of a solid is found by every level that says anything; in a shell it is apart
TEST(Levels, WhatASolidHoldsMeets) {
  const Mesh big = bumpy_sphere(30, 30, 0.1), small = bumpy_sphere(12, 12, 0);
  Mesh tiny = small;
  for (Vec3d& v : tiny.vertices) v = v * 0.05;
  const auto solid = levels_of(big), shell = levels_of(big, false), ball = levels_of(tiny);
  const Placement3 p = make_placement(Pose3d{{0.1, 0.2, 0.1}, {}});
  EXPECT_EQ(decide_by_level(*solid, *ball, p).verdict, LevelVerdict::meet);
  EXPECT_EQ(decide_by_level(*shell, *ball, p).verdict, LevelVerdict::apart);
  for (std::size_t i = 0; i < solid->levels().size(); ++i) {
    EXPECT_NE(level_distance(*solid, i, *ball, i, p).verdict, LevelVerdict::apart);
    EXPECT_NE(level_distance(*shell, i, *ball, i, p).verdict, LevelVerdict::meet);
  }
}

// Flat, open and tiny meshes have levels, too
TEST(Levels, DegenerateMeshes) {
  const Vec3d v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  const MeshTriangle one[1] = {{0, 1, 2}}, two[2] = {{0, 1, 2}, {1, 3, 2}}, bad[1] = {{0, 1, 9}};
  for (const std::span<const MeshTriangle> t :
       {std::span<const MeshTriangle>(one), std::span<const MeshTriangle>(two)}) {
    const auto flat = *DetailLevels::make(v, t, false);
    const Placement3 p = make_placement(Pose3d{{0.1, 0.1, 2}, {}});
    EXPECT_NEAR(distance_within(*flat, *flat, p, 0).upper, 2, 1e-9);
    for (std::size_t i = 0; i < flat->levels().size(); ++i) {
      EXPECT_LE(level_distance(*flat, i, *flat, i, p).lower, 2 + 1e-12);
      EXPECT_GE(level_distance(*flat, i, *flat, i, p).upper, 2 - 1e-12);
    }
  }
  EXPECT_EQ(DetailLevels::make(v, bad, false).error().code, ErrorCode::index_out_of_range);
  EXPECT_EQ(DetailLevels::make(v, one, true).error().code, ErrorCode::not_closed);
}
