// Shapes that move along a line. Oracles: a moving sphere meets a body where a ray meets the body grown by its radius; closed
// forms; the plain loop over a set.
#include "tests/queries/query_shapes.hpp"
#include "tests/support/hard_case.hpp"
#include "tests/support/seed.hpp"
#include <sudar/queries/ray2.hpp>
#include <sudar/queries/shape_set.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;

TEST(ShapeCast, AMovingSphereIsARayAtTheGrownBody) {
  Random random(campaign_seed(51));
  std::vector<Vec3d> cloud;
  for (int i = 0; i < 12; ++i) cloud.push_back(point_in_ball<3>(random));
  const double radius = 0.3;
  const Shape3 hull = *make_hull_shape3(cloud), grown = *make_hull_shape3(cloud, radius), ball = *make_sphere3(radius);
  int hits = 0;
  for (std::size_t i = 0; i < sudar_test::soak(150); ++i) {
    const Vec3d from = unit_vector<3>(random) * 3.0, to = point_in_ball<3>(random) * 1.5;
    const RayAnswer3 ray = *cast_ray(grown, {from, to - from}, 2);
    const auto x = cast_shape<3>(ball, {from, {}}, to - from, hull, {}, 2);
    ASSERT_TRUE(x.ok());
    // A miss by less than the tolerance may be a hit
    if (x->hit != ray.hit) {
      ASSERT_TRUE(x->hit) << i;
      continue;
    }
    if (!ray.hit) continue;
    ++hits;
    // Never later; how much sooner depends on how steeply it closes
    ASSERT_LE(x->t, ray.t + 1e-12) << i;
    const double closing = -dot(ray.normal, to - from);
    ASSERT_GE(x->t, ray.t - 2 * x->tolerance / std::max(closing, 1e-3) - 1e-9) << i;
    ASSERT_GT(dot(x->normal, ray.normal), 0.99) << i;
  }
  EXPECT_GT(hits, static_cast<int>(sudar_test::soak(40)));
}

TEST(ShapeCast, ClosedForms) {
  const auto x = cast_shape<3>(*make_box3({1, 1, 1}), {{-5, 0.5, 0}, {}}, {2, 0, 0}, *make_box3({1, 1, 1}), {}, 4);
  ASSERT_TRUE(x.ok());
  EXPECT_TRUE(x->hit);
  EXPECT_NEAR(x->t, 1.5, 1e-9);
  EXPECT_NEAR(x->normal.x, -1, 1e-9);
  // Too short, past it, and already there
  EXPECT_FALSE(cast_shape<3>(*make_sphere3(1), {{-5, 0, 0}, {}}, {1, 0, 0}, *make_sphere3(1), {}, 2)->hit);
  EXPECT_FALSE(cast_shape<2>(*make_circle2(1),
                             {{
                                  -5,
                                  3,
                              },
                              {}},
                             {1, 0}, *make_box2({1, 1}), {}, 9)
                   ->hit);
  EXPECT_EQ(cast_shape<2>(*make_circle2(1), {{0, 0.5}, {}}, {1, 0}, *make_box2({1, 1}), {})->t, 0);
  EXPECT_FALSE(cast_shape<2>(*make_circle2(1), {{std::nan(""), 0}, {}}, {1, 0}, *make_box2({1, 1}), {}).ok());
  EXPECT_FALSE(cast_shape<2>(*make_circle2(1), {}, {1, 0}, *make_box2({1, 1}), {}, -1).ok());
}

// The way is none, however long the translation: they touch at the start
TEST(ShapeCast, NoWayAtAll) {
  const double most = 1.79e308;
  for (const Vec3d& along : {Vec3d{most, 0, 0}, Vec3d{-most, most, most}, Vec3d{1e305, 0, -1}})
    for (const Shape3& target : {*make_sphere3(1.5), *make_box3({1, 1, 1}), *make_cylinder3(1, 1)}) {
      const auto still = cast_shape<3>(*make_sphere3(1), {{0.5, 0, 0}, {}}, {}, target, {}, 0);
      const auto x = cast_shape<3>(*make_sphere3(1), {{0.5, 0, 0}, {}}, along, target, {}, 0);
      ASSERT_TRUE(x.ok() && x->hit);
      EXPECT_EQ(x->t, 0);
      EXPECT_EQ(x->normal, still->normal);
      EXPECT_EQ(x->point, still->point);
      EXPECT_FALSE(cast_shape<3>(*make_sphere3(1), {{5, 0, 0}, {}}, along, target, {}, 0)->hit);
      EXPECT_EQ(cast_shape<3>(*make_sphere3(1), {}, along, target, {}, 1).error().code, ErrorCode::too_large);
    }
  const auto x = cast_shape<2>(*make_circle2(1), {{0.5, 0}, {}}, {most, most}, *make_box2({1, 1}), {}, 0);
  ASSERT_TRUE(x.ok() && x->hit);
  EXPECT_TRUE(is_finite(x->point) && is_finite(x->normal));
}

// 2D-02: a point falls past the end of a plank of 0.4 mm, 5.9 mm beside it
TEST(ShapeCast, HardCase) {
  sudar_test::HardCases cases;
  cases.put("2D-02");
  const auto corners = cases.numbers("2D-02", "vertices"), at = cases.numbers("2D-02", "pos"),
             way = cases.numbers("2D-02", "b_translation");
  std::vector<Vec2d> plank;
  for (std::size_t i = 0; i < corners.size(); i += 2) plank.push_back({corners[i], corners[i + 1]});
  const Shape2 polygon = *make_polygon2(plank), point = *make_point2({});
  const Pose2d start{{at[0], at[1]}, {}};
  const Vec2d along{way[0], way[1]};
  const auto falls = cast_shape<2>(point, start, along, polygon, {}),
             rises = cast_shape<2>(polygon, {}, -along, point, start);
  ASSERT_TRUE(falls.ok() && rises.ok());
  EXPECT_FALSE(falls->hit);
  EXPECT_FALSE(rises->hit);
  EXPECT_FALSE(cast_ray(polygon, {start.position, along}, 1)->hit);
  // Seven millimetres nearer it meets the end, at x = 0.499 …
  const auto nearer = cast_shape<2>(point, {start.position - Vec2d{0.007, 0}, {}}, along, polygon, {});
  ASSERT_TRUE(nearer.ok() && nearer->hit);
  EXPECT_NEAR(nearer->t, 0.0033 / 0.5, nearer->tolerance / 0.5 + 1e-12);
}

TEST(ShapeCast, SetsGiveTheAnswersOfThePlainLoop) {
  Random random(campaign_seed(52));
  std::vector<PlacedShape<3>> shapes;
  const std::vector<Shape3> kinds = sudar_test::convex_shapes3();
  for (std::size_t i = 0; i < 30; ++i)
    shapes.push_back({kinds[i % kinds.size()], {point_in_ball<3>(random) * 5.0, unit_quaternion(random)}, {}});
  for (const char* name : {"brute_force", "dynamic_tree", "grid"}) {
    auto set = ShapeSet<3>::make(shapes, name);
    ASSERT_TRUE(set.ok());
    Random draw(campaign_seed(53));
    std::vector<SetCastHit<3>> hits;
    for (std::size_t i = 0; i < sudar_test::soak(5); ++i) {
      const Shape3& probe = kinds[1 + i % 6];
      const Pose3d start{point_in_ball<3>(draw) * 6.0, unit_quaternion(draw)};
      const Vec3d way = point_in_ball<3>(draw) * 8.0;
      std::vector<std::pair<double, std::uint32_t>> expected;
      for (std::uint32_t id = 0; id < shapes.size(); ++id)
        if (const auto x = cast_shape<3>(probe, start, way, shapes[id].shape, shapes[id].pose); x->hit)
          expected.push_back({x->t, id});
      std::sort(expected.begin(), expected.end());
      ASSERT_TRUE(set->cast_shape_all(probe, start, way, 1, hits).ok());
      ASSERT_EQ(hits.size(), expected.size());
      for (std::size_t k = 0; k < hits.size(); ++k) ASSERT_EQ(std::pair(hits[k].answer.t, hits[k].id), expected[k]);
      ASSERT_EQ(set->cast_shape(probe, start, way)->id, expected.empty() ? kNoIndex : expected[0].second);
    }
  }
}

}  // namespace
