// Many pairs of boxes, and of spheres and capsules, at once. Oracle: the single query, pair by pair.
#include "tests/support/instruction_sets.hpp"
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/box_batch3.hpp>
#include <sudar/narrowphase/sphere_capsule3.hpp>
#include <sudar/narrowphase/sphere_capsule_batch3.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;

TEST_SIMD(BoxBatch3, AnswersAreThoseOfSingleQueries) {
  Random random(campaign_seed(1));
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
      std::vector<float> narrow(pairs.size());
      const std::size_t narrow_left = batch.depths_float(pairs, narrow);
      if (turns == 0 && world < 10 && sudar_test::on_vectors()) {
        EXPECT_LT(narrow_left, pairs.size() / 10);
      }
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const auto [i, j] = pairs[k];
        const BoxDepth3 one = box_box_depth3(halves[i], halves[j], make_placement(poses[i], poses[j]));
        EXPECT_EQ(depths[k].hit, one.hit);
        EXPECT_NEAR(static_cast<double>(narrow[k]), one.hit ? one.depth : 0, world > 10 ? 1e-4 : 1e-5);
        EXPECT_GE(narrow[k], 0);
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

// Far from the origin an edge pair that is less deep than every face by a millionth is found as well
TEST_SIMD(BoxBatch3, DepthsFarFromTheOriginAreTheLeast) {
  const Vec3d halves[] = {{0.88234647046169434, 0.52722072381539453, 0.98914633406193575},
                          {0.42582002124723173, 0.89846042168328188, 0.54403687832685876}};
  const Pose3d poses[] = {{{999997.96014213876, 2.1567477906360271, -0.7238293497917736},
                           {-0.25169236239535414, -0.488212672569655, -0.49180512210112648, 0.67559385945206518}},
                          {{999999.02409274701, 1.3777826657074845, 0.77791707348464678},
                           {0.69065360429124567, 0.60366356513336217, 0.33088579910584859, 0.22159080973739501}}};
  BoxBatch3 batch;
  ASSERT_TRUE(batch.build(halves, poses).ok());
  const BoxPair pairs[] = {{0, 1}};
  BoxDepth3 depths[1];
  batch.depths(pairs, depths);
  EXPECT_NEAR(depths[0].depth, 0.034007076614253104, 1e-9);
}

TEST_SIMD(BoxBatch3, DistancesAreThoseOfSingleQueries) {
  Random random(campaign_seed(4));
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
  Random random(campaign_seed(2));
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
