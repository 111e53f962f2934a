// The doors of a scene. Oracles: closed forms of spheres, boxes and half-spaces.
#include <sudar/scene/scene.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace sudar;

TEST(Scene, ABallFallsOnTheGroundAndLeavesIt) {
  auto scene = Scene<3>::make();
  ASSERT_TRUE(scene.ok());
  const auto ground = scene->add({*make_halfspace3({0, 0, 1}, 0), {}, {}, Motion::fixed, false, 7});
  const auto ball = scene->add({*make_sphere3(1), {{0, 0, 3}, {}}});
  ASSERT_TRUE(ground.ok() && ball.ok());
  ASSERT_TRUE(scene->update().ok());
  // The box of the ground is everywhere
  ASSERT_EQ(scene->pairs().size(), 1u);
  EXPECT_EQ(scene->events().pairs.begin.size(), 1u);
  EXPECT_TRUE(scene->contacts().empty());
  EXPECT_TRUE(scene->events().touching.begin.empty());

  ASSERT_TRUE(scene->set_pose(*ball, {{0, 0, 0.5}, {}}).ok());
  ASSERT_TRUE(scene->update().ok());
  ASSERT_EQ(scene->contacts().size(), 1u);
  const SceneContact<3>& contact = scene->contacts()[0];
  EXPECT_EQ(contact.a, ground->index);
  EXPECT_EQ(contact.b, ball->index);
  EXPECT_NEAR(contact.normal.z, 1, 1e-15);
  ASSERT_EQ(contact.count, 1u);
  EXPECT_NEAR(scene->points()[0].separation, -0.5, 1e-15);
  EXPECT_NEAR(scene->points()[0].position.z, -0.25, 1e-15);
  EXPECT_EQ(scene->points()[0].previous, kNoIndex);
  ASSERT_EQ(scene->events().touching.begin.size(), 1u);
  EXPECT_EQ(scene->events().touching.begin[0], (SceneEvent<3>{*ground, *ball}));

  ASSERT_TRUE(scene->set_pose(*ball, {{1, 0, 0.75}, {}}).ok());
  ASSERT_TRUE(scene->update().ok());
  ASSERT_EQ(scene->points().size(), 1u);
  EXPECT_EQ(scene->points()[0].previous, 0u);
  EXPECT_EQ(scene->events().touching.stay.size(), 1u);
  EXPECT_TRUE(scene->removed_points().empty());

  ASSERT_TRUE(scene->remove(*ball).ok());
  EXPECT_EQ(scene->remove(*ball).error().code, ErrorCode::unknown_id);
  ASSERT_TRUE(scene->update().ok());
  ASSERT_EQ(scene->events().touching.end.size(), 1u);
  EXPECT_EQ(scene->events().touching.end[0], (SceneEvent<3>{*ground, *ball}));
  ASSERT_EQ(scene->removed_points().size(), 1u);
  EXPECT_NEAR(scene->removed_points()[0].point.separation, -0.25, 1e-15);
  EXPECT_EQ((*scene)[ground->index].user, 7u);
}

}  // namespace
