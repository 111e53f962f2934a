// The ray tree. Oracle: the exact test of every triangle.
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/ray_triangle.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/shapes/ray_tree.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>
#include <tests/support/instruction_sets.hpp>
#include <tests/support/soak.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

namespace {

using sudar::Mesh;
using sudar::Random;
using sudar::RayTree;
using sudar::RayTreeHit;
using sudar::Vec3d;
using sudar_test::campaign_seed;
using MeshRay = sudar::Ray<3, double>;

constexpr double kNoEnd = std::numeric_limits<double>::infinity();

std::vector<RayTreeHit> brute_hits(const Mesh& mesh, const MeshRay& ray, double max_t) {
  std::vector<RayTreeHit> out;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    if (const auto x = intersect(ray, mesh.corners(t)); x.hit && x.t <= max_t) out.push_back({x.t, t});
  std::sort(out.begin(), out.end());
  return out;
}

// Triangles of very different sizes, thin ones, flat ones, doubles of each other
Mesh soup(std::uint64_t seed, std::uint32_t count) {
  Random random(campaign_seed(seed));
  Mesh mesh;
  for (std::uint32_t i = 0; i < count; ++i) {
    const double size = std::ldexp(1.0, -static_cast<int>(random.below(12)));
    const Vec3d at = sudar::point_in_ball<3>(random);
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(at + sudar::point_in_ball<3>(random) * size);
    if (i % 10 == 0) mesh.vertices[first + 2] = lerp(mesh.vertices[first], mesh.vertices[first + 1], 0.5);
    if (i % 10 == 1) mesh.vertices[first + 2] = mesh.vertices[first + 1];
    mesh.triangles.push_back({first, first + 1, first + 2});
    if (i % 16 == 0) mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

MeshRay random_ray(Random& random, const Mesh& mesh, std::size_t i) {
  const auto& vertex = mesh.vertices[random.below(mesh.vertices.size())];
  const auto t = mesh.corners(random.below(mesh.triangles.size()));
  const Vec3d from = sudar::point_in_ball<3>(random) * (i % 4 == 0 ? 100.0 : 2.0);
  const Vec3d to = i % 3 == 0 ? vertex : i % 3 == 1 ? lerp(t.a, t.b, 0.5) : sudar::point_in_ball<3>(random);
  MeshRay ray{from, to - from};
  if (i % 7 == 0) {
    // Along an axis, from straight above a vertex
    ray = {vertex, {}};
    ray.direction[static_cast<int>(i / 7 % 3)] = i % 2 == 0 ? 3 : -0.25;
    ray.origin = ray.origin - ray.direction * 2.0;
  }
  if (i % 7 == 1) ray.direction[static_cast<int>(i / 7 % 3)] = 0;
  if (ray.direction == Vec3d{}) ray.direction.x = 1;
  return ray;
}

TEST_SIMD(RayTree, TheFirstHitIsThatOfAllTriangles) {
  const Mesh sphere = *sudar::icosphere_mesh(1, 3);
  const Mesh meshes[] = {soup(1, 500), soup(2, 7), soup(3, 1), sphere, *sudar::box_mesh({1, 0.5, 0.25})};
  std::vector<RayTreeHit> found;
  for (const Mesh& base : meshes)
    for (const double scale : {1.0, 0x1p-50, 0x1p50})
      for (const double shift : {0.0, 1000.0}) {
        Mesh mesh = base;
        for (Vec3d& v : mesh.vertices) v = (v + Vec3d{shift, 2 * shift, -shift}) * scale;
        const RayTree tree = RayTree::build(mesh);
        Random random(campaign_seed(4));
        for (std::size_t i = 0; i < sudar_test::soak(60); ++i) {
          MeshRay ray = random_ray(random, base, i);
          ray.origin = (ray.origin + Vec3d{shift, 2 * shift, -shift}) * scale;
          ray.direction = ray.direction * scale;
          const double max_t = i % 5 == 0 ? 1.0 : kNoEnd;
          const std::vector<RayTreeHit> all = brute_hits(mesh, ray, max_t);
          RayTreeHit hit;
          ASSERT_EQ(closest_hit(tree, ray, max_t, hit), !all.empty()) << i;
          if (!all.empty()) {
            ASSERT_EQ(hit, all.front()) << i;
          }
          ASSERT_EQ(closest_hit_plain(tree, ray, max_t, hit), !all.empty());
          if (!all.empty()) {
            ASSERT_EQ(hit, all.front());
          }
          ASSERT_EQ(any_hit(tree, ray, max_t, hit), !all.empty());
          if (!all.empty()) {
            ASSERT_TRUE(std::binary_search(all.begin(), all.end(), hit));
          }
          all_hits(tree, ray, max_t, found);
          std::sort(found.begin(), found.end());
          ASSERT_EQ(found, all);
        }
      }
}

TEST(RayTree, RaysFromVeryFarAwayHit) {
  const Mesh mesh = *sudar::icosphere_mesh(1, 2);
  const RayTree tree = RayTree::build(mesh);
  Random random(campaign_seed(5));
  for (std::size_t i = 0; i < sudar_test::soak(300); ++i) {
    const double far = std::ldexp(1.0, static_cast<int>(random.below(60)));
    MeshRay ray{sudar::unit_vector<3>(random) * far, {}};
    ray.direction =
        (sudar::point_in_ball<3>(random) - ray.origin) * std::ldexp(1.0, static_cast<int>(random.below(40)) - 20);
    const std::vector<RayTreeHit> all = brute_hits(mesh, ray, kNoEnd);
    RayTreeHit hit;
    ASSERT_EQ(closest_hit(tree, ray, kNoEnd, hit), !all.empty()) << i << ' ' << far;
    if (!all.empty()) {
      ASSERT_EQ(hit, all.front()) << i << ' ' << far;
    }
  }
}

// From the inside of a closed mesh every ray hits, wherever it is aimed at. Exactly at corners and edges: on a lattice.
TEST_SIMD(RayTree, NothingLeaksThroughEdgesAndCorners) {
  Mesh lattice = *sudar::icosphere_mesh(1, 3);
  for (Vec3d& v : lattice.vertices)
    for (int k = 0; k < 3; ++k) v[k] = std::round(v[k] * 64);
  Mesh bumpy = *sudar::uv_sphere_mesh(1, 40, 40);
  for (Vec3d& v : bumpy.vertices) v = v * (1 + 0.3 * v.x * v.y);
  const Mesh meshes[] = {*sudar::box_mesh({1, 1, 1}), lattice, bumpy, *transformed(bumpy, {{1e6, -3e5, 2e6}, {}})};
  std::size_t leaks = 0, rays = 0;
  for (const Mesh& mesh : meshes) {
    const RayTree tree = RayTree::build(mesh);
    const Vec3d middle = center(tree.bounds());
    const double reach = max_abs(tree.bounds().hi - middle) / 4;
    Random random(campaign_seed(6));
    for (std::size_t i = 0; i < sudar_test::soak(2500); ++i) {
      const auto t = mesh.corners(random.below(mesh.triangles.size()));
      const auto k = static_cast<int>(random.below(3));
      const Vec3d target = i % 2 == 0 ? t[k] : lerp(t[k], t[(k + 1) % 3], static_cast<double>(random.below(9)) / 8);
      Vec3d from = middle;
      if (i % 3 == 1)
        for (int a = 0; a < 3; ++a) from[a] += std::round(random.uniform(-1, 1) * reach);
      if (i % 3 == 2) from = from + sudar::point_in_ball<3>(random) * reach;
      RayTreeHit hit;
      leaks += !closest_hit(tree, {from, target - from}, kNoEnd, hit);
      ++rays;
    }
  }
  EXPECT_EQ(leaks, 0u) << rays;
}

TEST(RayTree, RefusesWhatIsNoRay) {
  using sudar::ErrorCode;
  const double inf = kNoEnd, nan = std::nan("");
  const auto code = [](const MeshRay& ray, double max_t = 1) { return check_ray(ray, max_t).error().code; };
  EXPECT_EQ(code({{0, 0, 0}, {0, 0, 0}}), ErrorCode::degenerate);
  EXPECT_EQ(code({{nan, 0, 0}, {1, 0, 0}}), ErrorCode::non_finite);
  EXPECT_EQ(code({{0, 0, 0}, {1, inf, 0}}), ErrorCode::non_finite);
  EXPECT_EQ(code({{0, 0, 0}, {1, 0, 0}}, -1), ErrorCode::invalid_argument);
  EXPECT_EQ(code({{0, 0, 0}, {1, 0, 0}}, nan), ErrorCode::non_finite);
  EXPECT_EQ(code({{0x1p300, 0, 0}, {1, 0, 0}}), ErrorCode::too_large);
  EXPECT_EQ(code({{0, 0, 0}, {0x1p-300, 0, 0}}), ErrorCode::too_large);
  EXPECT_TRUE(check_ray(MeshRay{{0, 0, 0}, {1, 0, 0}}, inf).ok());
}

TEST(RayTree, HeapsOfEqualTrianglesAndLongRowsStayShallow) {
  Mesh heap;
  heap.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  heap.triangles.assign(3000, {0, 1, 2});
  Mesh row;
  for (std::uint32_t i = 0; i < 200; ++i) {
    const double x = std::ldexp(1.0, -static_cast<int>(i) / 2);
    for (const Vec3d& v : {Vec3d{x, 0, 0}, Vec3d{x, 1, 0}, Vec3d{x, 0, 1}}) row.vertices.push_back(v);
    row.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  for (const Mesh* mesh : {&heap, &row}) {
    const RayTree tree = RayTree::build(*mesh);
    const MeshRay ray{{-1, 0.25, 0.25}, {1, 0, 0}}, down{{0.25, 0.25, 1}, {0, 0, -1}};
    for (const MeshRay& r : {ray, down}) {
      std::vector<RayTreeHit> found;
      all_hits(tree, r, kNoEnd, found);
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, brute_hits(*mesh, r, kNoEnd));
    }
  }
}

// However they were split: the same leaves with every standard library
TEST(RayTree, TrianglesOfALeafGoByNumber) {
  for (const std::uint64_t seed : {21u, 22u, 23u}) {
    const RayTree tree = RayTree::build(soup(seed, 500));
    for (std::uint32_t i = 0; i < tree.leaf_count(); ++i) {
      const auto& triangle = tree.leaf(i).triangle;
      EXPECT_TRUE(std::is_sorted(triangle, triangle + RayTree::kLeafWidth)) << "leaf " << i;
    }
  }
}

// What a mesh makes when it is first asked is made once, whoever asks, and seen whole by all. Oracle: one thread.
TEST(TriangleMesh, ThreadsThatAskFirstTogetherSeeOneTreeAndOneHull) {
  const MeshRay ray{{-3, 0.1, 0.2}, {1, 0, 0}};
  const auto alone = *sudar::TriangleMesh::make(*sudar::icosphere_mesh(1, 2));
  RayTreeHit first;
  ASSERT_TRUE(closest_hit(*alone->ray_tree(), ray, kNoEnd, first));
  for (int turn = 0; turn < 10; ++turn) {
    const auto mesh = *sudar::TriangleMesh::make(*sudar::icosphere_mesh(1, 2));
    const RayTree* trees[4] = {};
    const sudar::Shape3* hulls[4] = {};
    std::atomic<int> ready{0}, right{0};
    const auto ask = [&](int k) {
      ++ready;
      while (ready < 4) std::this_thread::yield();
      const auto copy = mesh;
      hulls[k] = k % 2 == 0 ? copy->hull() : nullptr;
      trees[k] = copy->ray_tree();
      if (k % 2 != 0) hulls[k] = copy->hull();
      if (trees[k] == nullptr || hulls[k] == nullptr) return;
      RayTreeHit hit;
      if (closest_hit(*trees[k], ray, kNoEnd, hit) && hit == first &&
          bounding_box(*hulls[k]) == bounding_box(*alone->hull()))
        ++right;
    };
    {
      std::vector<std::jthread> threads;
      for (int k = 0; k < 4; ++k) threads.emplace_back(ask, k);
    }
    EXPECT_EQ(right, 4);
    for (int k = 1; k < 4; ++k) {
      EXPECT_EQ(trees[k], trees[0]);
      EXPECT_EQ(hulls[k], hulls[0]);
    }
  }
}

}  // namespace
