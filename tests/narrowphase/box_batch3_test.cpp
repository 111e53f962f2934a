// Many pairs of boxes, and of spheres and capsules, at once. Oracle: the single query, pair by pair.
#include "tests/support/instruction_sets.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/box_batch3.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/exact_gjk3.hpp>
#include <sudar/narrowphase/hull_batch3.hpp>
#include <sudar/narrowphase/sphere_capsule3.hpp>
#include <sudar/narrowphase/sphere_capsule_batch3.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using namespace sudar;
using sudar_test::soak;

TEST_SIMD(BoxBatch3, AnswersAreThoseOfSingleQueries) {
  Random random(1);
  for (const double world : {3.0, 30.0, 1e6}) {
    for (int turns = 0; turns < 3; ++turns) {
      std::vector<Vec3d> halves;
      std::vector<Pose3d> poses;
      const Vec3d far{world > 1e5 ? 1e6 : 0, 0, 0};
      const double reach = world > 1e5 ? 3 : world;
      for (int i = 0; i < 200; ++i) {
        halves.push_back({random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.3, 1)});
        Quatd q{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        if (turns == 1) q = {1, 1e-9 * q.x, 1e-7 * q.y, 1e-5 * q.z};
        if (turns == 2) q = {};
        poses.push_back(
            {far + Vec3d{random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-2, 2)},
             normalized(q)});
        // Some that touch exactly, or almost
        if (i % 10 == 9) {
          poses[i] = poses[i - 1];
          halves[i] = halves[i - 1];
          poses[i].position += rotate(poses[i].rotation, Vec3d{2 * halves[i].x, 0, 0});
        }
      }
      BoxBatch3 batch;
      ASSERT_TRUE(batch.build(halves, poses).ok());
      std::vector<BoxPair> pairs;
      for (std::uint32_t i = 0; i < 200; ++i)
        for (std::uint32_t j = i + 1; j < 200; j += static_cast<std::uint32_t>(1 + random.below(3)))
          pairs.push_back({i, j});
      std::vector<std::uint8_t> plain(pairs.size()), lanes(pairs.size()), doubles(pairs.size()), scalar(pairs.size());
      batch.intersects_plain(pairs, plain);
      const std::size_t unclear = batch.intersects(pairs, lanes), same = batch.intersects_scalar(pairs, scalar);
      const std::size_t left = batch.intersects_double(pairs, doubles);
      if (turns == 0) {
        EXPECT_LE(left, unclear);
      }
      std::vector<BoxDepth3> depths(pairs.size());
      batch.depths(pairs, depths);
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const auto [i, j] = pairs[k];
        const BoxDepth3 one = box_box_depth3(halves[i], halves[j], make_placement(poses[i], poses[j]));
        EXPECT_EQ(depths[k].hit, one.hit);
        if (!one.hit) continue;
        EXPECT_NEAR(depths[k].depth, one.depth, world > 1e5 ? 1e-9 : 1e-13);
        EXPECT_LE(depths[k].lower, one.depth);
        EXPECT_GE(depths[k].upper, one.depth);
        EXPECT_NEAR(length(depths[k].normal), 1, 1e-14);
      }
      EXPECT_EQ(lanes, plain);
      EXPECT_EQ(scalar, plain);
      EXPECT_EQ(doubles, plain);
      if (!sudar_test::on_vectors()) continue;
      EXPECT_EQ(unclear, same);
      if (turns == 0 && world < 10) {
        EXPECT_LT(unclear, pairs.size() / 50);
      }
    }
  }
}

TEST_SIMD(BoxBatch3, DistancesAreThoseOfSingleQueries) {
  Random random(4);
  for (const double world : {2.0, 20.0, 1e5}) {
    std::vector<Vec3d> halves;
    std::vector<Pose3d> poses;
    for (int i = 0; i < 80; ++i) {
      halves.push_back({random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.3, 1)});
      const Quatd q{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
      const double x = random.uniform(-world, world), y = random.uniform(-world, world);
      // Some in line, some not turned at all
      poses.push_back({{x, y, random.uniform(-2, 2)}, i % 5 == 0 ? Quatd{} : normalized(q)});
    }
    BoxBatch3 batch;
    ASSERT_TRUE(batch.build(halves, poses).ok());
    std::vector<BoxPair> pairs;
    for (std::uint32_t i = 0; i < 80; ++i)
      for (std::uint32_t j = 0; j < 80; ++j) pairs.push_back({i, j});
    std::vector<DistanceAnswer3> answers(pairs.size());
    const std::size_t left = batch.distances(pairs, answers);
    if (world < 10 && sudar_test::on_vectors()) {
      EXPECT_LT(left, pairs.size() / 4);
    }
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto [i, j] = pairs[k];
      const DistanceAnswer3 one = box_box_distance3(halves[i], halves[j], make_placement(poses[i], poses[j]));
      ASSERT_EQ(answers[k].hit, one.hit);
      ASSERT_NEAR(answers[k].separation, one.separation, 1e-10 * (world + 1));
      ASSERT_LE(answers[k].lower, one.upper);
      ASSERT_GE(answers[k].upper, one.lower);
      ASSERT_NEAR(length(answers[k].normal), 1, 1e-12);
      ASSERT_NEAR(dot(answers[k].point_b - answers[k].point_a, answers[k].normal), answers[k].separation,
                  1e-10 * (world + 1));
    }
  }
}

TEST(BoxBatch3, RefusesWhatIsNoBox) {
  BoxBatch3 batch;
  const std::vector<Pose3d> poses(2);
  EXPECT_EQ(batch.build(std::vector<Vec3d>{{1, 1, 1}}, poses).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(batch.build(std::vector<Vec3d>{{1, 1, 1}, {1, 0, 1}}, poses).error(),
            (Error{ErrorCode::degenerate, 1, ""}));
  EXPECT_EQ(batch.build(std::vector<Vec3d>{{1, 1, std::nan("")}, {1, 1, 1}}, poses).error(),
            (Error{ErrorCode::non_finite, 0, ""}));
  ASSERT_TRUE(batch.build({}, {}).ok());
  EXPECT_EQ(batch.intersects({}, {}), 0u);
}

TEST_SIMD(SphereCapsuleBatch3, AnswersAreThoseOfSingleQueries) {
  Random random(2);
  const auto turn = [&] {
    const double w = random.uniform(-1, 1), x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    return normalized(Quatd{w, x, y, random.uniform(-1, 1)});
  };
  const auto vec = [&](double reach) {
    const double x = random.uniform(-reach, reach), y = random.uniform(-reach, reach);
    return Vec3d{x, y, random.uniform(-reach, reach)};
  };
  std::vector<SphereShape3> spheres;
  std::vector<CapsuleShape3> capsules;
  std::vector<Pose3d> at_spheres, at_capsules;
  for (int i = 0; i < 100; ++i) {
    spheres.push_back({random.uniform(0.2, 1)});
    capsules.push_back({vec(1), i % 10 == 0 ? Vec3d{} : vec(1), random.uniform(0.2, 0.5)});
    if (i % 10 == 0) capsules.back().q = capsules.back().p;
    at_capsules.push_back({vec(3), turn()});
    at_spheres.push_back({vec(3), turn()});
    // On the axis, and touching
    if (i % 7 == 0) at_spheres.back().position = transform(at_capsules.back(), capsules.back().p);
    if (i % 7 == 1)
      at_spheres.back().position = transform(at_capsules.back(), capsules.back().p) +
                                   Vec3d{0, 0, spheres.back().radius + capsules.back().radius};
  }
  SphereCapsuleBatch3 batch;
  ASSERT_TRUE(batch.build(spheres, at_spheres, capsules, at_capsules).ok());
  std::vector<SphereCapsuleBatch3::Pair> pairs;
  for (std::uint32_t i = 0; i < 100; ++i)
    for (std::uint32_t j = 0; j < 100; ++j) pairs.push_back({i, j});
  std::vector<double> lanes(pairs.size()), scalar(pairs.size());
  std::vector<std::uint8_t> hits(pairs.size());
  const std::size_t left = batch.distances(pairs, lanes), left_scalar = batch.distances_scalar(pairs, scalar);
  batch.intersects(pairs, hits);
  std::vector<float> narrow(pairs.size()), narrow_scalar(pairs.size());
  std::vector<DistanceAnswer3> answers(pairs.size());
  const std::size_t narrow_left = batch.distances_float(pairs, narrow);
  const std::size_t narrow_left_scalar = batch.distances_float_scalar(pairs, narrow_scalar);
  if (sudar_test::on_vectors()) {
    EXPECT_EQ(left, left_scalar);
    EXPECT_EQ(lanes, scalar);
    EXPECT_EQ(narrow_left, narrow_left_scalar);
    EXPECT_EQ(narrow, narrow_scalar);
  }
  batch.distances(pairs, answers);
  std::vector<std::uint8_t> narrow_hits(pairs.size());
  batch.intersects_float(pairs, narrow_hits);
  EXPECT_EQ(narrow_hits, hits);
  EXPECT_LT(batch.float_error(), 1e-4);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [i, j] = pairs[k];
    const DistanceAnswer3 whole =
        placed(sphere_capsule_distance3(spheres[i].radius, capsules[j], at_spheres[i], at_capsules[j]), at_spheres[i]);
    EXPECT_EQ(answers[k].hit, whole.hit);
    EXPECT_NEAR(answers[k].separation, whole.separation, 1e-14);
    EXPECT_LT(distance(answers[k].point_a, whole.point_a), 1e-12);
    EXPECT_LT(distance(answers[k].point_b, whole.point_b), 1e-12);
    EXPECT_NEAR(static_cast<double>(narrow[k]), whole.separation, batch.float_error());
    const DistanceAnswer3 one = sphere_capsule_distance3(spheres[i].radius, capsules[j], at_spheres[i], at_capsules[j]);
    EXPECT_NEAR(lanes[k], one.separation, 1e-14);
    EXPECT_EQ(hits[k] != 0, one.hit);
  }
  EXPECT_EQ(batch.build(spheres, {}, capsules, at_capsules).error().code, ErrorCode::invalid_argument);
  spheres[3].radius = 0;
  EXPECT_EQ(batch.build(spheres, at_spheres, capsules, at_capsules).error(), (Error{ErrorCode::degenerate, 3, ""}));
}

// Overlapping, apart and touching hulls of several sizes; cubes that share faces leave the lanes nothing to prove
TEST_SIMD(HullBatch3, AnswersAreThoseOfSingleQueries) {
  Random random(9);
  const auto vec = [&](double reach) {
    const double x = random.uniform(-reach, reach), y = random.uniform(-reach, reach);
    return Vec3d{x, y, random.uniform(-reach, reach)};
  };
  const auto turn = [&] {
    const double w = random.uniform(-1, 1), x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    return normalized(Quatd{w, x, y, random.uniform(-1, 1)});
  };
  std::vector<Vec3d> cube;
  for (int i = 0; i < 8; ++i) cube.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  std::vector<Shape3> hulls;
  std::vector<Pose3d> poses;
  for (int i = 0; i < 60; ++i) {
    const std::size_t count = i % 3 == 0 ? 16 : i % 3 == 1 ? 64 : 5 + random.below(200);
    std::vector<Vec3d> points;
    while (points.size() < count) points.push_back(i % 2 == 0 ? normalized(vec(1)) : vec(1));
    hulls.push_back(*make_hull_shape3(i % 5 == 0 ? cube : points));
    poses.push_back({vec(2), turn()});
    // On a grid, not turned: faces, edges and corners meet exactly
    if (i % 5 == 0) poses.back() = {{2.0 * (i % 2), 2.0 * (i % 3) - 2, 1.0 * (i % 4) - 2}, {}};
  }
  HullBatch3 batch;
  ASSERT_TRUE(batch.build(hulls, poses).ok());
  std::vector<HullBatch3::Pair> pairs;
  for (std::uint32_t i = 0; i < 60; ++i)
    for (std::uint32_t j = 0; j < 60; ++j) pairs.push_back({i, j});
  std::vector<std::uint8_t> hits(pairs.size()), doubles(pairs.size()), plain(pairs.size());
  const std::size_t left = batch.intersects(pairs, hits);
  batch.intersects_double(pairs, doubles);
  batch.intersects_scalar(pairs, plain);
  EXPECT_EQ(hits, plain);
  EXPECT_EQ(doubles, plain);
  if (sudar_test::on_vectors()) {
    EXPECT_LT(left, pairs.size() / 5);
  }
  std::vector<DistanceAnswer3> lanes(pairs.size()), wide(pairs.size()), one(pairs.size());
  batch.distances(pairs, lanes);
  batch.distances_double(pairs, wide);
  batch.distances_scalar(pairs, one);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    SCOPED_TRACE(k);
    for (const DistanceAnswer3* x : {&lanes[k], &wide[k]}) {
      EXPECT_EQ(x->hit, plain[k] != 0);
      EXPECT_NEAR(x->separation, one[k].separation, 1e-12);
      EXPECT_LE(x->lower, one[k].upper);
      EXPECT_GE(x->upper, one[k].lower);
      EXPECT_NEAR(length(x->normal), 1, 1e-12);
      EXPECT_EQ(x->status == QueryStatus::max_iterations, one[k].status == QueryStatus::max_iterations);
    }
  }
  // One side alone: the same decision, and the same number on the side that was asked for
  std::vector<DistanceAnswer3> side(pairs.size());
  using Query = void (HullBatch3::*)(std::span<const HullBatch3::Pair>, std::span<DistanceAnswer3>) const noexcept;
  for (const Query query : {&HullBatch3::gaps, &HullBatch3::gaps_double, &HullBatch3::gaps_scalar}) {
    (batch.*query)(pairs, side);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      SCOPED_TRACE(k);
      EXPECT_EQ(side[k].hit, one[k].hit);
      EXPECT_NEAR(std::max(0.0, side[k].separation), std::max(0.0, one[k].separation), 1e-12);
      EXPECT_LE(side[k].lower, one[k].upper);
      EXPECT_GE(side[k].upper, one[k].lower);
    }
  }
  for (const Query query : {&HullBatch3::depths, &HullBatch3::depths_double, &HullBatch3::depths_scalar}) {
    (batch.*query)(pairs, side);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      SCOPED_TRACE(k);
      EXPECT_EQ(side[k].hit, one[k].hit);
      EXPECT_NEAR(std::min(0.0, side[k].separation), std::min(0.0, one[k].separation), 1e-12);
      EXPECT_NEAR(length(side[k].normal), 1, 1e-12);
      EXPECT_LE(side[k].lower, one[k].upper);
      EXPECT_GE(side[k].upper, one[k].lower);
    }
  }
  // Out of the range of float
  for (Pose3d& pose : poses) pose.position = pose.position * 1e30;
  ASSERT_TRUE(batch.build(hulls, poses).ok());
  batch.intersects(pairs, hits);
  batch.intersects_scalar(pairs, plain);
  EXPECT_EQ(hits, plain);

  EXPECT_EQ(batch.build(hulls, {}).error().code, ErrorCode::invalid_argument);
  hulls[3] = *make_sphere3(1);
  EXPECT_EQ(batch.build(hulls, poses).error(), (Error{ErrorCode::invalid_argument, 3, ""}));
}

// Gaps and depths from a thousandth down to below the rounding of float: what lanes prove must hold. Oracle: integers.
TEST_SIMD(HullBatch3, NearlyTouchingIsDecidedAsByIntegers) {
  Random random(10);
  const auto unit = [&] {
    for (;;) {
      const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
      const Vec3d p{x, y, random.uniform(-1, 1)};
      if (const double l = length(p); l > 0.1 && l < 1) return p / l;
    }
  };
  std::vector<Shape3> hulls;
  std::vector<Pose3d> poses;
  std::vector<HullBatch3::Pair> pairs;
  std::vector<std::uint8_t> truth;
  const std::size_t count = soak(1500);
  for (std::size_t i = 0; i < count; ++i) {
    // Some are flat, some a thousand times smaller than the other
    const double size = i % 4 == 3 ? 1e-3 : 1, height = i % 5 == 4 ? 1e-4 : 1;
    for (const double scale : {1.0, size}) {
      std::vector<Vec3d> points(8 + random.below(16));
      for (Vec3d& p : points) p = mul(unit(), Vec3d{scale, scale, scale * height});
      hulls.push_back(*make_hull_shape3(points));
    }
    Pose3d a{unit() * 3.0, normalized(Quatd{1, unit().x, unit().y, unit().z})};
    Pose3d b{a.position + unit() * 2.0, normalized(Quatd{1, unit().x, unit().y, unit().z})};
    const Shape3 &hull_a = hulls[2 * i], &hull_b = hulls[2 * i + 1];
    const DistanceAnswer3 at = convex_distance3(hull_a, hull_b, make_placement(a, b));
    // From plain to see to less than the rounding of double
    const double gap = std::ldexp(i % 2 == 0 ? 1.0 : -1.0, -10 - static_cast<int>(i / 2 % 48));
    b.position += rotate(a.rotation, at.normal) * (gap - at.separation);
    poses.insert(poses.end(), {a, b});
    pairs.push_back({static_cast<std::uint32_t>(2 * i), static_cast<std::uint32_t>(2 * i + 1)});
    const Placement3 placed = make_placement(a, b);
    const ConvexView3 view_a = make_view(hull_a), view_b = make_view(hull_b);
    truth.push_back(exact_gjk3(Difference3(view_a, view_b, placed), {}, false).hit ? 1 : 0);
  }
  HullBatch3 batch;
  ASSERT_TRUE(batch.build(hulls, poses).ok());
  std::vector<std::uint8_t> hits(count);
  batch.intersects(pairs, hits);
  EXPECT_EQ(hits, truth);
  batch.intersects_double(pairs, hits);
  EXPECT_EQ(hits, truth);
  batch.intersects_scalar(pairs, hits);
  EXPECT_EQ(hits, truth);
}

// The centre of a hull with many vertices is a long sum: all its roundings go the same way here, and it lies as far beside
// the flat hull as another one that is parallel to it
TEST_SIMD(HullBatch3, TheRoundingOfALongSumIsNoProof) {
  constexpr int kVertices = 24576;
  const double pi = 3.14159265358979323846, one = 0x1p35, small = 0x1p-20;
  std::vector<Vec3d> ring;
  for (int i = 0; i < kVertices; ++i) {
    const double angle = 2 * pi * (i + 0.5) / kVertices;
    double x = std::round((0.5 + 0.499 * std::cos(angle)) * one);
    x -= std::fmod(x - 1, 3);
    ring.push_back({x / one, 1 - x / one, std::round(0.499 * std::sin(angle) * one) / one});
  }
  const std::vector<Vec3d> diamond = {{small, -small, 0}, {-small, small, 0}, {0, 0, small}, {0, 0, -small}};
  const std::vector<Shape3> hulls = {*make_hull_shape3(ring), *make_hull_shape3(diamond)};
  const Vec3d center = make_view(hulls[0]).center();
  const double off = center.x + center.y - 1;
  ASSERT_LT(off, -1e-13);
  for (const double share : {0.2, 0.35, 0.5, 0.65, 0.8}) {
    const double step = std::round(off * (1 - share) / 2 * 0x1p53) * 0x1p-53;
    const std::vector<Pose3d> poses = {{}, {center - Vec3d{step, step, 0}, {}}};
    HullBatch3 batch;
    ASSERT_TRUE(batch.build(hulls, poses).ok());
    const std::vector<HullBatch3::Pair> pairs = {{0, 1}, {1, 0}};
    std::vector<std::uint8_t> hits(2, 1);
    batch.intersects_double(pairs, hits);
    EXPECT_EQ(hits, std::vector<std::uint8_t>(2, 0)) << share;
    batch.intersects(pairs, hits);
    EXPECT_EQ(hits, std::vector<std::uint8_t>(2, 0)) << share;
  }
}

TEST(HullBatch3, RefusesPosesWithoutATurn) {
  const std::vector<Vec3d> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Shape3> hulls = {*make_hull_shape3(corners)};
  HullBatch3 batch;
  EXPECT_EQ(batch.build(hulls, std::vector<Pose3d>{{{}, Quatd{0, 0, 0, 0}}}).error().code, ErrorCode::degenerate);
}
