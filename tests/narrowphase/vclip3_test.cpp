// Closest features by Voronoi regions against the distance of GJK.
#include "tests/narrowphase/bodies.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/vclip3.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;
using sudar_test::random_polytope;

TEST(VClip3, FindsTheDistanceOfGjk) {
  Random random(campaign_seed(31));
  std::size_t unclear = 0, wrong = 0, count = sudar_test::soak(1500), steps_cold = 0, steps_warm = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Shape3 a = random_polytope(random, 43), b = random_polytope(random, 43);
    const VClipBody3 body_a(a), body_b(b);
    Placement3 at = make_placement<3>(
        Pose3d{random_point<3>(random) * 2.0, normalized(Quatd{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0),
                                                               random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)})});
    const DistanceAnswer3 r = convex_distance3(a, b, at);
    const VClip3 c = vclip3(body_a, body_b, at);
    if (c.outcome == VClipOutcome::unclear) ++unclear;
    if (c.outcome == VClipOutcome::apart && !r.hit) {
      ASSERT_NEAR(c.distance, r.separation, 1e-12) << k;
      ASSERT_NEAR(distance(c.point_a, c.point_b), r.separation, 1e-12) << k;
    }
    if (c.outcome != VClipOutcome::unclear && std::fabs(r.separation) > 1e-12 &&
        (c.outcome == VClipOutcome::overlap) != r.hit)
      ++wrong;
    // The same features, or ones next to them, a little later
    at.translation += random_point<3>(random) * 0.01;
    const VClip3 warm = vclip3(body_a, body_b, at, c.a, c.b), cold = vclip3(body_a, body_b, at);
    if (warm.outcome == VClipOutcome::apart && cold.outcome == VClipOutcome::apart) {
      ASSERT_NEAR(warm.distance, cold.distance, 1e-12) << k;
      steps_cold += static_cast<std::size_t>(cold.steps);
      steps_warm += static_cast<std::size_t>(warm.steps);
    }
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_LE(unclear, count / 100);
  EXPECT_LT(2 * steps_warm, steps_cold);
}

TEST(VClip3, NamesTheFeatures) {
  const Shape3 box = *make_box3({1, 1, 1});
  const VClipBody3 body(box);
  // A corner over a face, crossing edges, corner to corner
  VClip3 c = vclip3(body, VClipBody3(*make_point3({0.3, 0.2, 3})), {});
  EXPECT_EQ(c.outcome, VClipOutcome::apart);
  EXPECT_EQ(c.a, (Feature{FeatureKind::face, 5}));
  EXPECT_EQ(c.b, (Feature{FeatureKind::vertex, 0}));
  EXPECT_DOUBLE_EQ(c.distance, 2);
  c = vclip3(body, VClipBody3(*make_segment3({2, 3, 0.5}, {3, 2, -0.5})), {});
  EXPECT_EQ(c.a.kind, FeatureKind::edge);
  EXPECT_EQ(c.b.kind, FeatureKind::edge);
  c = vclip3(body, body, make_placement<3>(Pose3d{{3, 3, 3}, {}}));
  EXPECT_EQ(c.a, (Feature{FeatureKind::vertex, 7}));
  EXPECT_EQ(c.b, (Feature{FeatureKind::vertex, 0}));
  EXPECT_DOUBLE_EQ(c.distance, std::sqrt(3.0));
  // Inside
  c = vclip3(body, VClipBody3(*make_point3({0.3, 0.2, 0.1})), {});
  EXPECT_EQ(c.outcome, VClipOutcome::overlap);
}

// Bodies of few sides in everyday places: edges that are parallel to faces from the inside, and faces tilted by 1e-9. By
// the distance of GJK.
TEST(VClip3, IsNotLedAstrayByParallelFaces) {
  const auto ball = [](std::uint32_t slices, std::uint32_t stacks) {
    return *make_hull_shape3(uv_sphere_mesh(1, slices, stacks)->vertices);
  };
  const auto prism = [](std::uint32_t sides) { return *make_hull_shape3(cylinder_mesh(1, 0.5, sides)->vertices); };
  struct Case {
    Shape3 a, b;
    Pose3d a_from_b;
  };
  const double h = std::sqrt(0.5);
  std::vector<Case> cases = {{*make_box3({2, 2, 0.01}), ball(5, 3), {{-1.5, 1.5, -0.5}, {}}},
                             {ball(4, 3), prism(12), {{0, 0.5, -0.5}, {}}},
                             {prism(4), prism(8), {{-1.5, 0.5, -1.5}, {1, 0, 5e-10, 0}}}};
  for (std::uint32_t n = 3; n <= 8; ++n)
    for (const Vec3d& at : {Vec3d{0.5, 0, 0}, {0, 0.5, 0.5}, {1.5, 0.5, -1}, {2, -2, 0.25}})
      for (const Quatd& turn : {Quatd{}, Quatd{h, h, 0, 0}, Quatd{h, 0, h, 0}, Quatd{1, 0, 5e-10, 0}})
        cases.push_back({prism(n), ball(n, 3), {at, turn}}), cases.push_back({ball(n, 2), ball(5, 3), {at, turn}});
  std::size_t unclear = 0;
  for (const Case& x : cases) {
    const Placement3 at = make_placement<3>(x.a_from_b);
    const DistanceAnswer3 r = convex_distance3(x.a, x.b, at);
    const VClip3 c = vclip3(VClipBody3(x.a), VClipBody3(x.b), at);
    if (std::fabs(r.separation) < 1e-9) continue;
    unclear += c.outcome == VClipOutcome::unclear;
    if (c.outcome == VClipOutcome::unclear) continue;
    EXPECT_EQ(c.outcome == VClipOutcome::overlap, r.hit) << r.separation;
    EXPECT_NEAR(c.distance, std::max(0.0, r.separation), 1e-13);
  }
  EXPECT_LE(unclear, cases.size() / 50);
}

}  // namespace
