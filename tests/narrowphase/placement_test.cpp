// What:    The relative pose of a query, and answers seen from the other side. Oracle: poses, and exact sums.
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/contact.hpp>
#include <sudar/narrowphase/placement.hpp>

#include <gtest/gtest.h>

using namespace sudar;

TEST(Placement, AgreesWithTheRelativePose) {
  const Pose3d a{{1, -2, 3}, Quatd::from_axis_angle(normalized(Vec3d{1, 2, 3}), 0.7)};
  const Pose3d b{{-4, 1, 0.5}, Quatd::from_axis_angle(normalized(Vec3d{-1, 1, 1}), 2.1)};
  const Placement3 at = make_placement(a, b);
  const Pose3d want = relative(a, b);
  for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{1, 2, 3}, Vec3d{-5, 0.25, 7}}) {
    EXPECT_LT(distance(transform(at, p), transform(want, p)), 1e-14);
    EXPECT_LT(distance(to_b(at, p), rotate(conjugate(want.rotation), p)), 1e-14);
  }
  EXPECT_TRUE(at.turned);
}

TEST(Placement, KeepsWhatRoundingTakesFarFromTheOrigin) {
  const Pose3d a{{1e6, 0, 0}, {}}, b{{1, 1e-12, 0}, {}};
  const Placement3 at = make_placement(a, b);
  EXPECT_FALSE(at.turned);
  const Pose3d tiny_b{{1e-11, 0, 0}, {}};
  const Placement3 small = make_placement(a, tiny_b);
  EXPECT_EQ(small.translation.x, -1e6);
  EXPECT_EQ(small.rest.x, 1e-11);
  EXPECT_EQ(at.rest.y, 0);
}

TEST(Placement, TwoBodiesTurnedAlikeAreNotTurnedAgainstEachOther) {
  const Rot2d r = Rot2d::from_angle(0.3);
  const Placement2 at = make_placement(Pose2d{{1, 1}, r}, Pose2d{{2, 3}, r});
  EXPECT_FALSE(at.turned);
  EXPECT_LT(distance(transform(at, Vec2d{}), rotate(conjugate(r), Vec2d{1, 2})), 1e-15);
}

TEST(Answer, SwapsAndMoves) {
  DistanceAnswer2 x;
  x.separation = 1, x.lower = 1, x.upper = 1;
  x.point_a = {1, 0}, x.point_b = {2, 0}, x.normal = {1, 0};
  const DistanceAnswer2 y = swapped(x);
  EXPECT_EQ(y.point_a, x.point_b);
  EXPECT_EQ(y.normal, (Vec2d{-1, 0}));
  const DistanceAnswer2 z = placed(x, Pose2d{{5, 5}, Rot2d{0, 1}});
  EXPECT_EQ(z.point_a, (Vec2d{5, 6}));
  EXPECT_EQ(z.normal, (Vec2d{0, 1}));
  EXPECT_EQ(dot(z.point_b - z.point_a, z.normal), z.separation);
}

TEST(Contact, IdsTellFeaturesApart) {
  ContactPoint<3> a, b;
  a.feature_a = {FeatureKind::edge, 3}, a.feature_b = {FeatureKind::face, 1};
  b = a;
  EXPECT_EQ(a.id(), b.id());
  b.feature_a.kind = FeatureKind::face;
  EXPECT_NE(a.id(), b.id());
  b = a;
  b.feature_b.index = 2;
  EXPECT_NE(a.id(), b.id());
}
