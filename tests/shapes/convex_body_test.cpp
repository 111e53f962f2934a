// What:    Convex bodies: the three ways to the farthest vertex. Oracles: the scalar scan, and the exact sign of the
//          difference of products over brute force within its rounding.
#include "tests/support/instruction_sets.hpp"
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/convex_body3.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

std::vector<Vec3d> on_sphere(Random& random, int count, double size = 1) {
  std::vector<Vec3d> points;
  for (int i = 0; i < count; ++i) points.push_back(unit_vector<3>(random) * size);
  return points;
}
std::vector<Vec2d> on_circle(int count, double size = 1) {
  std::vector<Vec2d> points;
  for (int i = 0; i < count; ++i) {
    const SinCos sc = sin_cos(6.283185307179586 * i / count);
    points.push_back({size * sc.cos, size * sc.sin});
  }
  return points;
}

// How far v falls short of the farthest, in roundings of the size of the products
double shortfall(const ConvexBody3& body, std::uint32_t v, const Vec3d& d) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Vec3d& p : body.vertices()) most = std::max(most, dot(p, d));
  return (most - dot(body.vertices()[v], d)) / (body.size() * length(d) * std::numeric_limits<double>::epsilon());
}
double shortfall(const ConvexBody2& body, std::uint32_t v, const Vec2d& d) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Vec2d& p : body.vertices()) most = std::max(most, dot(p, d));
  return (most - dot(body.vertices()[v], d)) / (body.size() * length(d) * std::numeric_limits<double>::epsilon());
}

}  // namespace

TEST_SIMD(ConvexBody3, SupportIsThePlainScansVertexForVertex) {
  Random random(campaign_seed(1));
  for (const int count : {1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 33, 64, 100, 257}) {
    const auto body = *ConvexBody3::make(on_sphere(random, count, 3));
    ASSERT_EQ(body->vertex_count(), static_cast<std::uint32_t>(count));
    EXPECT_EQ(body->padded_count() % 16, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(body->xs()) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(body->ys_f()) % 64, 0u);
    for (int i = 0; i < 200; ++i) {
      const Vec3d d = unit_vector<3>(random) * random.uniform(0.01, 100);
      const std::uint32_t want = body->support_plain(d);
      ASSERT_LT(want, body->vertex_count());
      EXPECT_EQ(body->support(d), want);
      std::uint32_t steps = 0;
      const std::uint32_t start = static_cast<std::uint32_t>(random.below(body->vertex_count()));
      EXPECT_LE(shortfall(*body, body->support_climb(d, start, &steps), d), 8) << count;
      EXPECT_LE(steps, body->vertex_count());
      const BasicVec3<float> f = vec_cast<float>(d);
      EXPECT_EQ(farthest_vertex(body->xs_f(), body->ys_f(), body->zs_f(), body->padded_count(), f),
                farthest_vertex_plain(body->xs_f(), body->ys_f(), body->zs_f(), body->padded_count(), f));
    }
  }
}

TEST(ConvexBody3, TiesGoToTheLowestIndex) {
  std::vector<Vec3d> cube;
  for (int i = 0; i < 8; ++i) cube.push_back({i & 1 ? 1. : -1., i & 2 ? 1. : -1., i & 4 ? 1. : -1.});
  const auto body = *ConvexBody3::make(cube);
  EXPECT_EQ(body->hull().face_count(), 6u);
  for (const Vec3d& d : {Vec3d{1, 0, 0}, Vec3d{0, -1, 0}, Vec3d{0, 0, 0}, Vec3d{0, 1, 1}, Vec3d{-1, -1, 0}}) {
    EXPECT_EQ(body->support(d), body->support_plain(d));
    EXPECT_EQ(dot(body->vertices()[body->support_climb(d, 5)], d), dot(body->vertices()[body->support(d)], d));
  }
  EXPECT_EQ(body->neighbours(0).size(), 3u);
  EXPECT_EQ(body->size(), 1);
  EXPECT_EQ(body->center(), Vec3d{});
}

TEST(ConvexBody3, FlatBodiesAndHostileDirections) {
  const auto point = *ConvexBody3::make(std::vector<Vec3d>{{1, 2, 3}, {1, 2, 3}});
  EXPECT_EQ(point->hull().dimension, 0);
  EXPECT_EQ(point->support_climb({1, 1, 1}), 0u);
  EXPECT_TRUE(point->neighbours(0).empty());
  const auto segment = *ConvexBody3::make(std::vector<Vec3d>{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}});
  EXPECT_EQ(segment->vertex_count(), 2u);
  EXPECT_EQ(segment->vertices()[segment->support_climb({1, 0, 0}, 0)], (Vec3d{2, 2, 2}));
  EXPECT_EQ(segment->vertices()[segment->support_climb({-1, 0, 0}, 1)], (Vec3d{0, 0, 0}));
  const auto square = *ConvexBody3::make(std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
  EXPECT_EQ(square->hull().dimension, 2);
  EXPECT_EQ(square->vertices()[square->support_climb({1, 1, 7}, 0)], (Vec3d{1, 1, 0}));

  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const Vec3d& d : {Vec3d{nan, 0, 0}, Vec3d{0, nan, nan}, Vec3d{inf, 0, 0}, Vec3d{inf, -inf, inf}}) {
    EXPECT_LT(square->support(d), 4u);
    EXPECT_LT(square->support_plain(d), 4u);
    EXPECT_LT(square->support_climb(d), 4u);
  }
}

TEST(ConvexBody3, ClimbsOverEdgesFarShorterThanTheBody) {
  // A body with a cluster of vertices one rounding apart in the way of the walk
  Random random(campaign_seed(3));
  for (int round = 0; round < 50; ++round) {
    std::vector<Vec3d> points = on_sphere(random, 20);
    const Vec3d at = points[0];
    for (int i = 0; i < 10; ++i) points.push_back(at + on_sphere(random, 1, 4e-16)[0]);
    const auto body = *ConvexBody3::make(points);
    for (int i = 0; i < 50; ++i) {
      const Vec3d d = unit_vector<3>(random);
      const std::uint32_t start = static_cast<std::uint32_t>(random.below(body->vertex_count()));
      EXPECT_LE(shortfall(*body, body->support_climb(d, start), d), 64);
    }
  }
}

TEST(ConvexBody3, RefusesWhatIsNotAnInput) {
  EXPECT_EQ(ConvexBody3::make({}).error().code, ErrorCode::empty_input);
  const std::vector<Vec3d> bad = {{0, 0, 0}, {1, std::numeric_limits<double>::quiet_NaN(), 0}};
  EXPECT_EQ(ConvexBody3::make(bad).error(), (Error{ErrorCode::non_finite, 1}));
  const std::vector<Vec3d> far = {{0, 0, 0}, {1, 0, 0}, {0, 0x1p61, 0}};
  EXPECT_EQ(ConvexBody3::make(far).error(), (Error{ErrorCode::too_large, 2}));
}

TEST_SIMD(ConvexBody2, SupportIsThePlainScansVertexForVertex) {
  Random random(campaign_seed(2));
  for (const int count : {1, 2, 3, 4, 5, 15, 16, 17, 33, 64, 257, 1000}) {
    const auto body = *ConvexBody2::make(on_circle(count, 2));
    ASSERT_EQ(body->vertex_count(), static_cast<std::uint32_t>(count));
    for (int i = 0; i < 300; ++i) {
      Vec2d d{random.uniform(-1, 1), random.uniform(-1, 1)};
      if (i < 8) d = Vec2d{i % 4 == 0 ? 1. : i % 4 == 2 ? -1. : 0., i % 4 == 1 ? 1. : i % 4 == 3 ? -1. : 0.};
      const std::uint32_t want = body->support_plain(d);
      EXPECT_EQ(body->support(d), want);
      EXPECT_LE(shortfall(*body, body->support_bisect(d), d), 4) << count << ' ' << d.x << ' ' << d.y;
      const std::uint32_t start = static_cast<std::uint32_t>(random.below(body->vertex_count()));
      EXPECT_LE(shortfall(*body, body->support_climb(d, start), d), 4);
      const BasicVec2<float> f = vec_cast<float>(d);
      EXPECT_EQ(farthest_vertex(body->xs_f(), body->ys_f(), body->padded_count(), f),
                farthest_vertex_plain(body->xs_f(), body->ys_f(), body->padded_count(), f));
    }
  }
}

TEST(ConvexBody2, BisectsHullsOfRandomAndGridPoints) {
  Random random(campaign_seed(4));
  for (int round = 0; round < 200; ++round) {
    std::vector<Vec2d> points;
    const int count = 1 + static_cast<int>(random.below(40));
    for (int i = 0; i < count; ++i)
      points.push_back(round % 2 == 0 ? Vec2d{random.uniform(-1, 1), random.uniform(-1, 1)}
                                      : Vec2d{double(random.below(7)), double(random.below(7))});
    const auto body = *ConvexBody2::make(points);
    for (int x = -3; x <= 3; ++x)
      for (int y = -3; y <= 3; ++y) {
        if (x == 0 && y == 0) continue;
        const Vec2d d{double(x), double(y)};
        EXPECT_LE(shortfall(*body, body->support_bisect(d), d), 4);
        EXPECT_LE(shortfall(*body, body->support_climb(d, 0), d), 4);
      }
  }
}

TEST(ConvexBody2, NormalsPointOut) {
  const auto body = *ConvexBody2::make(on_circle(7, 5));
  ASSERT_EQ(body->normals().size(), 7u);
  for (std::uint32_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(length(body->normals()[i]), 1, 1e-15);
    EXPECT_GT(dot(body->normals()[i], body->vertices()[i] - body->center()), 0);
  }
  EXPECT_EQ(body->dimension(), 2);
  const auto segment = *ConvexBody2::make(std::vector<Vec2d>{{0, 0}, {2, 0}});
  EXPECT_EQ(segment->dimension(), 1);
  EXPECT_EQ(segment->normals()[0], -segment->normals()[1]);
}

TEST(ConvexBody2, RefusesWhatIsNotAnInput) {
  EXPECT_EQ(ConvexBody2::make({}).error().code, ErrorCode::empty_input);
  const std::vector<Vec2d> bad = {{0, 0}, {1, std::numeric_limits<double>::infinity()}};
  EXPECT_EQ(ConvexBody2::make(bad).error(), (Error{ErrorCode::non_finite, 1}));
  const std::vector<Vec2d> far = {{0, 0}, {1, 0}, {0, -0x1p61}};
  EXPECT_EQ(ConvexBody2::make(far).error(), (Error{ErrorCode::too_large, 2}));
}
