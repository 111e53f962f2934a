// Many pairs of boxes at once. Oracle: the single query, pair by pair.
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/box_batch3.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using namespace sudar;
using sudar_test::soak;

TEST(BoxBatch3, AnswersAreThoseOfSingleQueries) {
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
      EXPECT_EQ(lanes, plain);
      EXPECT_EQ(scalar, plain);
      EXPECT_EQ(doubles, plain);
      EXPECT_EQ(unclear, same);
      if (turns == 0 && world < 10) {
        EXPECT_LT(unclear, pairs.size() / 50);
      }
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
