// Sets of placed shapes. Oracle: the plain loop over all shapes with the queries of one shape.
#include "tests/queries/query_shapes.hpp"
#include "tests/support/seed.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/queries/shape_set.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;

template <int D>
Pose<D, double> random_pose(Random& random) {
  if constexpr (D == 2)
    return {point_in_ball<2>(random) * 8.0, unit_rotation(random)};
  else
    return {point_in_ball<3>(random) * 6.0, unit_quaternion(random)};
}

template <int D>
std::vector<PlacedShape<D>> random_set(std::uint64_t seed, std::size_t count) {
  Random random(campaign_seed(seed));
  std::vector<ShapeOf<D>> kinds;
  if constexpr (D == 2)
    kinds = sudar_test::shapes2();
  else
    kinds = sudar_test::shapes3();
  std::vector<PlacedShape<D>> out;
  for (std::size_t i = 0; i < count; ++i) {
    Filter filter;
    filter.layer = 1u << (i % 3);
    out.push_back({kinds[i % kinds.size()], random_pose<D>(random), filter});
  }
  // The ground
  if constexpr (D == 2)
    out.push_back({*make_halfplane2({0, 1}, -9), {}, {}});
  else
    out.push_back({*make_halfspace3({0, 0, 1}, -7), {}, {}});
  return out;
}

template <int D>
void compare_sets() {
  std::vector<PlacedShape<D>> shapes = random_set<D>(41, 40);
  for (const BroadphaseEntry& entry : broadphases()) {
    SCOPED_TRACE(std::string(entry.name));
    auto set = ShapeSet<D>::make(shapes, entry.name);
    ASSERT_TRUE(set.ok());
    Random random(campaign_seed(42));
    std::vector<SetRayHit<D>> hits;
    std::vector<std::uint32_t> ids;
    std::vector<SetNear<D>> near;
    for (std::size_t i = 0; i < sudar_test::soak(6); ++i) {
      QueryFilter filter;
      if (i % 2 == 0) filter.mask = 3;
      const auto seen = [&](std::uint32_t id) { return filter.passes(shapes[id].filter, id); };
      const Ray<D, double> ray{point_in_ball<D>(random) * 8.0, unit_vector<D>(random)};
      const double max_t = i % 3 == 0 ? 5.0 : kEndless;
      std::vector<std::pair<double, std::uint32_t>> expected;
      for (std::uint32_t id = 0; id < shapes.size(); ++id)
        if (const auto x = cast_ray(shapes[id].shape, shapes[id].pose, ray, max_t); seen(id) && x->hit)
          expected.push_back({x->t, id});
      std::sort(expected.begin(), expected.end());
      ASSERT_TRUE(set->cast_ray_all(ray, max_t, hits, filter).ok());
      ASSERT_EQ(hits.size(), expected.size());
      for (std::size_t k = 0; k < hits.size(); ++k) ASSERT_EQ(std::pair(hits[k].answer.t, hits[k].id), expected[k]);
      const auto first = set->cast_ray(ray, max_t, filter);
      ASSERT_TRUE(first.ok());
      ASSERT_EQ(first->id, expected.empty() ? kNoIndex : expected[0].second);
      ASSERT_EQ(*set->ray_meets(ray, max_t, filter), !expected.empty());

      const PlacedShape<D>& probe = shapes[i % shapes.size()];
      const Pose<D, double> pose = random_pose<D>(random);
      std::vector<std::uint32_t> overlaps, holders;
      const Vec<D, double> p = point_in_ball<D>(random) * 6.0;
      std::vector<std::pair<double, std::uint32_t>> distances;
      for (std::uint32_t id = 0; id < shapes.size(); ++id) {
        if (!seen(id)) continue;
        if (intersects(shapes[id].shape, shapes[id].pose, probe.shape, pose)) overlaps.push_back(id);
        const auto x = locate_point<D>(shapes[id].shape, shapes[id].pose, p);
        if (x->inside()) holders.push_back(id);
        distances.push_back({x->distance, id});
      }
      ASSERT_TRUE(set->overlapping(probe.shape, pose, ids, filter).ok());
      ASSERT_EQ(ids, overlaps);
      ASSERT_TRUE(set->containing(p, ids, filter).ok());
      ASSERT_EQ(ids, holders);
      std::sort(distances.begin(), distances.end());
      const std::size_t count = 1 + i % 5;
      ASSERT_TRUE(set->nearest(p, count, near, filter).ok());
      ASSERT_EQ(near.size(), std::min(count, distances.size()));
      for (std::size_t k = 0; k < near.size(); ++k)
        ASSERT_EQ(std::pair(near[k].answer.distance, near[k].id), distances[k]);
    }
  }
}

TEST(ShapeSet, EveryBroadPhaseGivesTheAnswersOfThePlainLoop2) { compare_sets<2>(); }
TEST(ShapeSet, EveryBroadPhaseGivesTheAnswersOfThePlainLoop3) { compare_sets<3>(); }

TEST(ShapeSet, FollowsWhatMoves) {
  auto set = ShapeSet<3>::make(std::vector<PlacedShape<3>>{{*make_sphere3(1), {{0, 0, 10}, {}}, {}}});
  ASSERT_TRUE(set.ok());
  const Ray<3, double> up{{0, 0, 0}, {0, 0, 1}};
  EXPECT_EQ(set->cast_ray(up, kEndless)->answer.t, 9);
  ASSERT_TRUE(set->move(0, {{0, 0, 5}, {}}).ok());
  EXPECT_EQ(set->cast_ray(up, kEndless)->answer.t, 4);
  EXPECT_EQ(set->cast_ray(up, 3)->id, kNoIndex);
  EXPECT_EQ(set->move(3, {}).error().code, ErrorCode::unknown_id);
  EXPECT_EQ(set->move(0, {{std::nan(""), 0, 0}, {}}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(set->cast_ray({{0, 0, 0}, {0, 0, 0}}, 1).error().code, ErrorCode::degenerate);
  EXPECT_EQ(ShapeSet<3>::make({}, "no such thing").error().code, ErrorCode::unknown_id);
}

// Whether or not a box is met
TEST(ShapeSet, RefusesPlacesAndPosesThatAreNone) {
  const Shape3 ball = *make_sphere3(1);
  const double nan = std::nan(""), infinity = kEndless;
  const auto made = [&](const Pose3d& pose) {
    return ShapeSet<3>::make(std::vector<PlacedShape<3>>{{ball, {}, {}}, {ball, pose, {}}});
  };
  EXPECT_EQ(made({{}, {nan, 0, 0, 0}}).error(), (Error{ErrorCode::non_finite, 1}));
  EXPECT_EQ(made({{0, 0, infinity}, {}}).error(), (Error{ErrorCode::non_finite, 1}));
  EXPECT_EQ(made({{}, {0, 0, 0, 0}}).error(), (Error{ErrorCode::degenerate, 1}));
  EXPECT_EQ(made({{1e31, 0, 0}, {}}).error(), (Error{ErrorCode::too_large, 1}));
  auto set = made({{9, 0, 0}, {2, 0, 0, 0}});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ((*set)[1].pose.rotation, Quatd{});
  EXPECT_EQ(set->move(0, {{}, {0, nan, 0, 0}}).error(), (Error{ErrorCode::non_finite, 0}));
  EXPECT_EQ(set->move(0, {{0, 1e200, 0}, {}}).error(), (Error{ErrorCode::too_large, 0}));
  std::vector<std::uint32_t> ids;
  std::vector<SetNear<3>> near;
  for (const Vec3d& p : {Vec3d{1e160, 2e160, 0}, Vec3d{1.79e308, -1.79e308, 0}, Vec3d{0, 0, -1.3e30}}) {
    EXPECT_EQ(set->nearest(p, 1, near).error().code, ErrorCode::too_large);
    EXPECT_EQ(set->containing(p, ids).error().code, ErrorCode::too_large);
    EXPECT_EQ(set->overlapping(ball, {p, {}}, ids).error().code, ErrorCode::too_large);
    EXPECT_EQ(set->cast_shape(ball, {p, {}}, {1, 0, 0}).error().code, ErrorCode::too_large);
    EXPECT_EQ(set->cast_shape(ball, {{0, 50, 0}, {}}, p * 2.0, 0.5).ok(), false);
  }
  EXPECT_EQ(set->nearest({nan, 0, 0}, 1, near).error().code, ErrorCode::non_finite);
  const Pose3d twisted{{0, 50, 0}, {nan, 0, 0, 0}}, flat{{0, 50, 0}, {0, 0, 0, 0}};
  EXPECT_EQ(set->overlapping(ball, twisted, ids).error().code, ErrorCode::non_finite);
  EXPECT_EQ(set->overlapping(ball, flat, ids).error().code, ErrorCode::degenerate);
  EXPECT_EQ(set->cast_shape(ball, twisted, {1, 0, 0}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(set->cast_shape(ball, flat, {1, 0, 0}).error().code, ErrorCode::degenerate);
  EXPECT_EQ(set->cast_shape(ball, {{0, 50, 0}, {}}, {1, 0, 0}, -1).error().code, ErrorCode::invalid_argument);
  // What is as far as it may be has an answer
  ASSERT_TRUE(set->nearest({-0x1p100, 0, 0}, 1, near).ok());
  EXPECT_NEAR(near.at(0).answer.distance / 0x1p100, 1, 1e-12);
}

TEST(ShapeSet, BatchesOfRaysGiveTheSame) {
  const auto shapes = random_set<3>(43, 60);
  auto set = ShapeSet<3>::make(shapes, "bvh_top_down");
  ASSERT_TRUE(set.ok());
  Random random(campaign_seed(44));
  std::vector<Ray<3, double>> rays;
  for (int i = 0; i < 500; ++i) rays.push_back({point_in_ball<3>(random) * 8.0, unit_vector<3>(random)});
  std::vector<SetRayHit<3>> hits(rays.size());
  ASSERT_TRUE(set->cast_rays(rays, kEndless, hits, default_executor()).ok());
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const auto x = set->cast_ray(rays[i], kEndless);
    ASSERT_EQ(hits[i].id, x->id);
    ASSERT_EQ(hits[i].answer.t, x->answer.t);
  }
  rays[5].origin.x = std::nan("");
  EXPECT_EQ(set->cast_rays(rays, kEndless, hits).error(), (Error{ErrorCode::non_finite, 5}));
}

}  // namespace
