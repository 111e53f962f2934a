// Distance and depth of convex shapes: against the explicit difference, closed forms, and properties.
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/math/sampling.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/epa3.hpp>
#include <sudar/narrowphase/minkowski_check3.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <vector>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;
using sudar_test::random_rotation;

Shape3 random_round_hull(Random& random, std::size_t count, double radius = 0) {
  std::vector<Vec3d> points(count);
  for (Vec3d& p : points) p = unit_vector<3>(random);
  return *make_hull_shape3(points, radius);
}
Shape3 random_shape(Random& random, bool curved) {
  const auto size = [&] { return random.uniform(0.2, 1.0); };
  switch (random.below(curved ? 11 : 7)) {
    case 0:
      return *make_point3(random_point<3>(random));
    case 1:
      return *make_segment3(random_point<3>(random), random_point<3>(random));
    case 2:
      return *make_triangle3(random_point<3>(random), random_point<3>(random), random_point<3>(random));
    case 3:
      return *make_box3({size(), size(), size()});
    case 4:
      return random_round_hull(random, 5 + random.below(random.below(8) == 0 ? 90 : 30));
    case 5:
      return *make_capsule3(random_point<3>(random), random_point<3>(random), size());
    case 6:
      return random_round_hull(random, 4 + random.below(10), size() / 4);
    case 7:
      return *make_sphere3(size());
    case 8:
      return *make_cylinder3(size(), size());
    case 9:
      return *make_cone3(size(), size());
    default:
      return *make_ellipsoid3({size(), size(), size()});
  }
}
Placement3 random_place(Random& random, double reach) {
  return make_placement<3>(Pose3d{random_point<3>(random) * reach, random_rotation(random)});
}

// How far a point of A's frame is outside of a shape at a place, by many supporting planes
double outside(const ConvexView3& view, const Vec3d& p, Random& random) {
  double worst = -1;
  for (int i = 0; i < 40; ++i) {
    const Vec3d d = unit_vector<3>(random);
    worst = std::max(worst, dot(d, p - support(view, d).p) - view.radius);
  }
  return worst;
}
Vec3d to_local(const Placement3& at, const Vec3d& p) { return to_b(at, p - at.translation); }

void expect_certificate(const DistanceAnswer3& r, const Shape3& a, const Shape3& b, const Placement3& at, double tol,
                        Random& random) {
  EXPECT_LE(r.lower, r.separation);
  EXPECT_LE(r.separation, r.upper);
  EXPECT_LE(r.upper - r.lower, tol);
  EXPECT_EQ(r.hit, !(r.separation > 0));
  EXPECT_NEAR(length(r.normal), 1, 1e-12);
  EXPECT_NEAR(dot(r.point_b - r.point_a, r.normal), r.separation, tol);
  EXPECT_LE(outside(make_view(a), r.point_a, random), tol);
  EXPECT_LE(outside(make_view(b), to_local(at, r.point_b), random), tol);
  // The certificate's plane: everything of A behind it, everything of B in front
  const double depth_a = dot(r.normal, r.point_a),
               h = dot(r.normal, support(make_view(a), r.normal).p) + make_view(a).radius;
  EXPECT_NEAR(depth_a, h, tol);
}

TEST(ConvexDistance3, PolytopesAgreeWithTheExplicitDifference) {
  Random random(campaign_seed(7));
  for (std::size_t k = 0; k < sudar_test::soak(1500); ++k) {
    const Shape3 a = random_shape(random, false), b = random_shape(random, false);
    const Placement3 at = random_place(random, 1.5);
    const ConvexView3 va = make_view(a), vb = make_view(b);
    const Difference3 difference(va, vb, at);
    const DistanceAnswer3 r = convex_distance3(a, b, at);
    expect_certificate(r, a, b, at, 1e-13, random);
    EXPECT_EQ(r.hit, convex_intersects3(a, b, at)) << k;
    const MinkowskiCheck3 check = *minkowski_check3(difference);
    EXPECT_NEAR(r.separation + va.radius + vb.radius, check.separation, 1e-13) << k;
    if (va.radius + vb.radius == 0) {
      EXPECT_EQ(r.hit, check.hit) << k;
    }
    ASSERT_FALSE(HasFailure()) << k;
  }
}

TEST(ConvexDistance3, CurvedShapesCloseTheirBounds) {
  Random random(campaign_seed(8));
  const std::size_t count = sudar_test::soak(1500);
  for (std::size_t k = 0; k < count; ++k) {
    const Shape3 a = random_shape(random, true), b = random_shape(random, true);
    const Placement3 at = random_place(random, 1.5);
    const DistanceAnswer3 r = convex_distance3(a, b, at);
    EXPECT_NE(r.status, QueryStatus::max_iterations);
    expect_certificate(r, a, b, at, 1e-9, random);
    EXPECT_EQ(r.hit, convex_intersects3(a, b, at));
    ASSERT_FALSE(HasFailure()) << k << " " << to_string(a.kind()) << " " << to_string(b.kind()) << " " << r.separation;
  }
}

TEST(ConvexDistance3, SwapMotionAndScale) {
  Random random(campaign_seed(9));
  for (std::size_t k = 0; k < sudar_test::soak(400); ++k) {
    const bool curved = random.coin();
    const double tol = curved ? 2e-9 : 1e-13;
    const Shape3 a = random_shape(random, curved), b = random_shape(random, curved);
    const Pose3d pa{random_point<3>(random), random_rotation(random)},
        pb{random_point<3>(random), random_rotation(random)};
    const DistanceAnswer3 r = convex_distance3(a, b, make_placement<3>(pa, pb));
    const DistanceAnswer3 back = convex_distance3(b, a, make_placement<3>(pb, pa));
    EXPECT_NEAR(r.separation, back.separation, tol);
    EXPECT_EQ(r.hit, back.hit);
    const Pose3d move{random_point<3>(random) * 4.0, random_rotation(random)};
    EXPECT_NEAR(r.separation, convex_distance3(a, b, make_placement<3>(move * pa, move * pb)).separation, 2 * tol);

    // Power-of-two scaling changes no bit
    const auto grow = [](const Shape3& s, double by) {
      if (s.kind() == ShapeKind3::box) return *make_box3(s.as<BoxShape3>().half * by);
      if (s.kind() == ShapeKind3::cylinder)
        return *make_cylinder3(s.as<CylinderShape3>().half_height * by, s.as<CylinderShape3>().radius * by);
      std::vector<Vec3d> points;
      const ConvexView3 view = make_view(s);
      for (std::uint32_t i = 0; i < view.count; ++i) points.push_back(view.vertex(i) * by);
      return *make_hull_shape3(points, view.radius * by);
    };
    if (!curved) {
      Placement3 at = make_placement<3>(pa, pb), far = at;
      far.translation = at.translation * 0x1p20;
      const DistanceAnswer3 one = convex_distance3(grow(a, 1), grow(b, 1), at);
      const DistanceAnswer3 big = convex_distance3(grow(a, 0x1p20), grow(b, 0x1p20), far);
      EXPECT_EQ(one.separation * 0x1p20, big.separation);
      EXPECT_EQ(one.normal, big.normal);
    }
    ASSERT_FALSE(HasFailure()) << k << " " << to_string(a.kind()) << " " << to_string(b.kind());
  }
}

TEST(ConvexDistance3, TheDepthSeparatesAndLessDoesNot) {
  Random random(campaign_seed(10));
  for (std::size_t k = 0; k < sudar_test::soak(600); ++k) {
    const Shape3 a = random_shape(random, true), b = random_shape(random, true);
    Placement3 at = random_place(random, 0.7);
    const DistanceAnswer3 r = convex_distance3(a, b, at);
    if (!(r.separation < -1e-6)) continue;
    const Vec3d t = at.translation;
    at.translation = t - r.normal * (1.01 * r.separation);
    EXPECT_FALSE(convex_intersects3(a, b, at));
    // In no direction less is enough
    for (int i = 0; i < 10; ++i) {
      at.translation = t - (i == 0 ? r.normal : unit_vector<3>(random)) * (0.99 * r.separation);
      EXPECT_TRUE(convex_intersects3(a, b, at));
    }
    ASSERT_FALSE(HasFailure()) << k << " " << to_string(a.kind()) << " " << to_string(b.kind());
  }
}

TEST(ConvexDistance3, ABoxIsItsHull) {
  Random random(campaign_seed(11));
  for (std::size_t k = 0; k < sudar_test::soak(400); ++k) {
    const Shape3 a = *make_box3({random.uniform(0.1, 1.0), random.uniform(0.1, 1.0), random.uniform(0.1, 1.0)});
    std::vector<Vec3d> corners;
    for (std::uint32_t i = 0; i < 8; ++i) corners.push_back(make_view(a).vertex(i));
    const Shape3 hull = *make_hull_shape3(corners), b = random_shape(random, false);
    const Placement3 at = random_place(random, 1.5);
    const DistanceAnswer3 x = convex_distance3(a, b, at), y = convex_distance3(hull, b, at);
    ASSERT_EQ(x.hit, y.hit);
    ASSERT_NEAR(x.separation, y.separation, 1e-14);
  }
}

TEST(Gjk3, WarmStartsNeverChangeTheAnswer) {
  Random random(campaign_seed(12));
  for (std::size_t k = 0; k < sudar_test::soak(200); ++k) {
    const Shape3 a = random_shape(random, true), b = random_shape(random, true);
    Placement3 at = random_place(random, 1.5);
    GjkCache3 cache, decided;
    for (int step = 0; step < 8; ++step) {
      const DistanceAnswer3 cold = convex_distance3(a, b, at), warm = convex_distance3(a, b, at, &cache);
      ASSERT_EQ(cold.hit, warm.hit) << k;
      ASSERT_NEAR(cold.separation, warm.separation, 1e-9) << k;
      ASSERT_EQ(convex_intersects3(a, b, at, &decided), cold.hit) << k;
      // Drift, now and then a jump that leaves a useless simplex behind
      at = step == 5 ? random_place(random, 1.5) : at;
      at.translation += random_point<3>(random) * 0.02;
    }
  }
}

TEST(Gjk3, ThePlainFormAgreesWhereItIsClear) {
  Random random(campaign_seed(13));
  // Its products of products lose the direction of a few
  std::size_t wrong = 0, count = sudar_test::soak(1000);
  for (std::size_t k = 0; k < count; ++k) {
    const Shape3 a = random_round_hull(random, 8 + random.below(20)),
                 b = random_round_hull(random, 8 + random.below(20));
    const Placement3 at = random_place(random, 1.8);
    const ConvexView3 va = make_view(a), vb = make_view(b);
    const DistanceAnswer3 r = convex_distance3(a, b, at);
    if (std::fabs(r.separation) > 1e-9 && gjk_plain3(Difference3(va, vb, at)) != r.hit) ++wrong;
  }
  EXPECT_LE(wrong, count / 1000);
}

// Hulls that meet within a third of their size: three corners and the centre say so most often. Oracle: the distance.
TEST(Gjk3, FirstLookOfADecision) {
  Random random(campaign_seed(14));
  std::size_t meet = 0, at_once = 0;
  for (std::size_t k = 0; k < sudar_test::soak(600); ++k) {
    const Shape3 a = random_round_hull(random, 16), b = random_round_hull(random, 16);
    Placement3 at = random_place(random, 3);
    const DistanceAnswer3 r = convex_distance3(a, b, at);
    const double gap = random.uniform(-0.3, 0.3);
    at.translation += r.normal * (gap - r.separation);
    const ConvexView3 va = make_view(a), vb = make_view(b);
    const Difference3 difference(va, vb, at);
    const GjkCache3 nothing;
    const Gjk3 g = gjk3(difference, GjkGoal::decide), kept = gjk3(difference, GjkGoal::decide, 0, &nothing);
    const bool hit = convex_distance3(a, b, at).hit;
    ASSERT_EQ(g.outcome, hit ? GjkOutcome::hit : GjkOutcome::apart) << k;
    ASSERT_EQ(kept.outcome, g.outcome) << k;
    meet += hit;
    if (!hit || g.iterations > 3) continue;
    ++at_once;
    // Whoever keeps the simplex gets a corner in the place of the centre
    EXPECT_EQ(g.count, 3) << k;
    EXPECT_EQ(kept.count, 4) << k;
  }
  EXPECT_GT(2 * at_once, meet);
}

TEST(Gjk3, TinyGaps) {
  // Faces, edges and corners that are apart by less and less, and a body of a millionth of the other's size
  for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15}) {
    for (const double size : {1.0, 1e-3, 1e-6}) {
      const Shape3 a = *make_box3({1, 1, 1}), b = *make_box3({size, size, size});
      const auto apart = [&](const Pose3d& pose, double true_gap, const Vec3d& normal) {
        const DistanceAnswer3 r = convex_distance3(a, b, make_placement<3>({}, pose));
        EXPECT_FALSE(r.hit);
        EXPECT_NEAR(r.separation, true_gap, 4e-16) << gap << " " << size;
        EXPECT_NEAR(dot(r.normal, normal), 1, 1e-9) << gap << " " << size;
      };
      const double x = 1 + size + gap;
      apart({{x, 0.3, 0.2}, {}}, (x - size) - 1, {1, 0, 0});
    }
  }
}

TEST(Epa3, BoxesOnBoxes) {
  const Shape3 a = *make_box3({0.5, 0.5, 0.5});
  // Touching faces, edges and corners; coincident boxes; one inside of the other, faces flush
  for (const double x : {1.0, 0.75, 0.5, 0.25, 0.0}) {
    const DistanceAnswer3 r = convex_distance3(a, a, make_placement<3>({}, Pose3d{{x, 0, 0}, {}}));
    EXPECT_TRUE(r.hit);
    EXPECT_EQ(r.separation, -(1 - x)) << x;
    EXPECT_EQ(length(r.normal), 1);
    if (x > 0) {
      EXPECT_EQ(r.normal, (Vec3d{1, 0, 0}));
    }
  }
  for (const Vec3d& corner : {Vec3d{1, 1, 0}, Vec3d{1, 1, 1}, Vec3d{-1, 1, -1}, Vec3d{0, 0, 1}}) {
    const DistanceAnswer3 r = convex_distance3(a, a, make_placement<3>({}, Pose3d{corner, {}}));
    EXPECT_TRUE(r.hit);
    EXPECT_EQ(r.separation, 0);
    // A rounding step apart is apart by that much
    Vec3d beyond = corner;
    for (int i = 0; i < 3; ++i)
      if (corner[i] != 0) beyond[i] = std::nextafter(corner[i], 2 * corner[i]);
    const DistanceAnswer3 s = convex_distance3(a, a, make_placement<3>({}, Pose3d{beyond, {}}));
    EXPECT_FALSE(s.hit);
    EXPECT_GT(s.separation, 0);
    EXPECT_NEAR(s.separation, 0x1p-52 * length(corner), 0x1p-80);
  }
}

TEST(Epa3, FlatSets) {
  // Crossing segments, triangles in one plane, a triangle through a triangle, points
  const Shape3 x = *make_segment3({-1, 0, 0}, {1, 0, 0}), y = *make_segment3({0, -1, 0}, {0, 1, 0});
  DistanceAnswer3 r = convex_distance3(x, y, {});
  EXPECT_TRUE(r.hit);
  EXPECT_EQ(r.separation, 0);
  EXPECT_EQ(r.status, QueryStatus::degenerate);
  EXPECT_NEAR(std::fabs(r.normal.z), 1, 1e-15);
  const Shape3 t = *make_triangle3({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  r = convex_distance3(t, t, {});
  EXPECT_TRUE(r.hit);
  EXPECT_NEAR(r.separation, 0, 1e-15);
  const Shape3 capsule = *make_capsule3({-1, 0, 0}, {1, 0, 0}, 0.25),
               other = *make_capsule3({0, -1, 0}, {0, 1, 0}, 0.25);
  r = convex_distance3(capsule, other, {});
  EXPECT_NEAR(r.separation, -0.5, 1e-14);
  EXPECT_NEAR(std::fabs(r.normal.z), 1, 1e-15);
  const Shape3 sphere = *make_sphere3(2);
  r = convex_distance3(sphere, sphere, {});
  EXPECT_TRUE(r.hit);
  EXPECT_NEAR(r.separation, -4, 1e-15);
  EXPECT_EQ(r.status, QueryStatus::degenerate);
}

TEST(ConvexDistance3, FarAwayAndHuge) {
  const Shape3 a = *make_box3({1, 2, 3}), b = *make_sphere3(1);
  for (const double far : {1e20, 1e100, 1e300, 1e308}) {
    const DistanceAnswer3 r = convex_distance3(a, b, make_placement<3>(Pose3d{{far, 0, 0}, {}}));
    EXPECT_FALSE(r.hit);
    EXPECT_NEAR(r.separation / far, 1, 1e-14);
    EXPECT_TRUE(is_finite(r.normal) && is_finite(r.point_a));
  }
  const Shape3 huge = *make_box3({0x1p60, 0x1p60, 0x1p60}), tiny = *make_box3({0x1p-60, 0x1p-60, 0x1p-60});
  EXPECT_TRUE(convex_distance3(huge, tiny, {}).hit);
  EXPECT_TRUE(convex_distance3(huge, tiny, make_placement<3>(Pose3d{{0x1p60, 0, 0}, {}})).hit);
  EXPECT_FALSE(convex_distance3(huge, tiny, make_placement<3>(Pose3d{{0x1.0000000000001p60, 0, 0}, {}})).hit);
}

TEST(ConvexDistance3, ClosedForms) {
  Random random(campaign_seed(14));
  for (int k = 0; k < 200; ++k) {
    const double ra = random.uniform(0.1, 1.0), rb = random.uniform(0.1, 1.0);
    const Vec3d p = random_point<3>(random) * 2.0;
    const Pose3d pose{p, random_rotation(random)};
    const double spheres = convex_distance3(*make_sphere3(ra), *make_sphere3(rb), make_placement<3>(pose)).separation;
    EXPECT_NEAR(spheres, length(p) - ra - rb, 1e-15 * 4);
    // An ellipsoid with equal radii, a point in a box, a sphere over a cylinder's cap
    const double ball =
        convex_distance3(*make_ellipsoid3({ra, ra, ra}), *make_sphere3(rb), make_placement<3>(pose)).separation;
    EXPECT_NEAR(ball, length(p) - ra - rb, 1e-9);
    const Vec3d q = random_point<3>(random);
    const double inside = convex_distance3(*make_box3({1, 1, 1}), *make_point3(q), {}).separation;
    EXPECT_NEAR(inside, max_abs(q) - 1, 1e-15);
    const double cap = convex_distance3(*make_cylinder3(ra, 1.0), *make_sphere3(rb),
                                        make_placement<3>(Pose3d{{q.x / 2, q.y / 2, ra + 0.1}, {}}))
                           .separation;
    EXPECT_NEAR(cap, 0.1 - rb, 1e-12);
  }
}

TEST(ConvexDistance3, RoundBodiesInLine) {
  // A ring of directions is equally good: the depth is right, its proof from below stays behind and the status says so
  const auto depth = [](const Shape3& a, const Shape3& b, double z) {
    const DistanceAnswer3 r = convex_distance3(a, b, make_placement<3>(Pose3d{{0, 0, z}, {}}));
    EXPECT_TRUE(r.hit);
    EXPECT_LE(r.lower, r.separation);
    EXPECT_LE(r.separation, r.upper);
    EXPECT_LE(r.upper - r.lower, 0.01);
    EXPECT_NEAR(dot(r.point_b - r.point_a, r.normal), r.separation, 0.01);
    return -r.separation;
  };
  for (const double z : {0.0, 0.1, 0.3}) {
    EXPECT_NEAR(depth(*make_cylinder3(1, 0.5), *make_sphere3(0.25), z), 0.75, 1e-9);
    EXPECT_NEAR(depth(*make_cylinder3(1, 0.5), *make_cylinder3(0.8, 0.25), z), 0.75, 1e-9);
    EXPECT_NEAR(depth(*make_ellipsoid3({0.3, 0.3, 1}), *make_sphere3(0.25), 0), 0.55, 1e-9);
    // Across the slope of the cone, whose normal has the slope 1 : 2
    EXPECT_NEAR(depth(*make_cone3(1, 1), *make_sphere3(0.25), z), (1 - z) / std::sqrt(5.0) + 0.25, 1e-9);
  }
}

// Overlaps far below what EPA calls found: poses in which GJK stops early, so that the sign was left open or taken from
// where it had stopped
TEST(ConvexDistance3, CurvedPairsThatNearlyTouch) {
  struct Case {
    Shape3 a, b;
    Placement3 at;
    double depth;  // by a search in 80 bits
  };
  const auto place = [](const BasicMat3<double>& turn, const Vec3d& translation) {
    Placement3 at;
    at.turn = turn;
    at.translation = translation;
    at.turned = true;
    return at;
  };
  const Case cases[] = {
      {*make_segment3({0.12253705096413924, 0.36502432539727669, -0.53001187586521004},
                      {0.49105163293579029, 0.54838998342820733, 0.62805708459201026}),
       *make_cylinder3(0.57072894068744207, 0.79401957472760398),
       place({{-0.73517246551273141, -0.67330515720156614, 0.078623223272173359},
              {0.42355441699750457, -0.54680829205001213, -0.7222204286692897},
              {0.52926656969228247, -0.49765535969295338, 0.68717977354913562}},
             {0.88799361899152451, 0.93575882740142069, 1.4334023814661065}),
       5.57186e-12},
      {*make_segment3({-0.66901739070930122, 0.05426172427368877, 0.16656120849642247},
                      {0.24430346635933672, -0.34495524661436089, -0.66041438971271371}),
       *make_cylinder3(0.62059817430877473, 0.35826729144426206),
       place({{0.44218016082352429, 0.8965137545351709, 0.027199141591847775},
              {-0.40700997479941331, 0.22758443250670246, -0.88461754814969784},
              {-0.79926190062323321, 0.38009000777428142, 0.46552336160743157}},
             {0.54480488496821733, -0.62906124037307598, -1.2456302533443671}),
       1.33385e-06},
      {*make_box3({0.63472180770420461, 0.45254727991116928, 0.77899521239800307}),
       *make_cylinder3(0.5449240969502368, 0.5974097814768029),
       place({{-0.91258534113773426, -0.39294850589817648, -0.11304630402147557},
              {-0.36816179042303349, 0.66938207726704313, 0.6452786457850318},
              {-0.17789010993596988, 0.63049116278188155, -0.75553689680975844}},
             {0.97113090391136425, 1.1562621001974518, 0.56579321865213328}),
       1.72775e-12},
      {*make_triangle3({0.025968838846559188, 0.52798969105564197, -0.37240615023710139},
                       {0.17242894135445128, -0.35519156436144955, 0.56995908789216465},
                       {0.26298258550734988, 0.6953174294632205, -0.62100819000669727}),
       *make_cylinder3(0.66244775990672389, 0.44190109327514426),
       place({{-0.030451368367778953, 0.045268973525490752, -0.99851060795590874},
              {-0.85188963444885402, 0.52136572992242769, 0.049616795352502352},
              {0.5228353133474517, 0.8521317361173697, 0.022687869412301387}},
             {-0.49873257917603447, -0.72649078088804575, 0.78395141492942033}),
       -1.40941e-11},
  };
  for (const Case& c : cases) {
    const DistanceAnswer3 r = convex_distance3(c.a, c.b, c.at);
    EXPECT_EQ(r.hit, c.depth > 0) << c.depth;
    EXPECT_EQ(r.hit, convex_intersects3(c.a, c.b, c.at)) << c.depth;
    EXPECT_NEAR(r.separation, -c.depth, 1e-10);
    EXPECT_LE(r.lower, -c.depth + 1e-14 + 1e-5 * std::fabs(c.depth));
    EXPECT_GE(r.upper, -c.depth - 1e-14 - 1e-5 * std::fabs(c.depth));
    EXPECT_LE(r.upper - r.lower, 4e-10);
  }
}

// Depths with many directions nearly as good as the best
TEST(ConvexDistance3, DepthsInFlatValleys) {
  const Shape3 a = *make_ellipsoid3({0.46752266852092139, 0.7144770524859374, 0.52698584763561707});
  const Shape3 b = *make_ellipsoid3({0.78347497964201329, 0.45319501155767394, 0.37256107656653786});
  Placement3 at;
  at.turn = {{-0.45146090488344681, -0.48965675441176815, -0.74593519438403799},
             {-0.89129970999714569, 0.28686267380861952, 0.35113335548531077},
             {0.042046145136306501, 0.82337480483331704, -0.56593820550027685}};
  at.translation = {-0.21716195208720912, -0.54605622601235748, -0.42909569076040188};
  at.turned = true;
  const DistanceAnswer3 r = convex_distance3(a, b, at);
  EXPECT_TRUE(r.hit);
  // No direction near the normal is shorter
  const ConvexView3 va = make_view(a), vb = make_view(b);
  const Difference3 difference(va, vb, at);
  Random random(campaign_seed(5));
  double least = -r.separation;
  Vec3d n = r.normal;
  for (double step = 0.1; step > 1e-7; step /= 2)
    for (int k = 0; k < 30; ++k) {
      const Vec3d to = normalized(n + random_point<3>(random) * step);
      const double width = dot(to, difference.least(-to).w);
      if (width < least) least = width, n = to;
    }
  EXPECT_NEAR(-r.separation, least, 5e-10);
}

// A segment that begins over the rim of a cylinder and goes along it: its corner is nearest, and the plane a kink away
TEST(ConvexDistance3, CornersOverTheRim) {
  const Shape3 cylinder = *make_cylinder3(1, 1);
  Random random(campaign_seed(9));
  for (std::size_t k = 0; k < sudar_test::soak(400); ++k) {
    const double angle = k == 0 ? 0.5 * kPi : random.uniform(-kPi, kPi), up = k == 0 ? 1 : random.uniform(0.1, 3),
                 out = k == 0 ? 1 : random.uniform(0.1, 3), size = k == 0 ? 2 : random.uniform(0.5, 4);
    const Vec3d radial{std::cos(angle), std::sin(angle), 0}, aside{radial.y, -radial.x, 0};
    const Vec3d corner = radial * (1 + out) + Vec3d{0, 0, 1 + up};
    const Shape3 segment =
        *make_segment3(corner, corner + (aside + radial * random.uniform(0, k % 2 == 0 ? 0 : 0.01)) * size);
    const DistanceAnswer3 x = convex_distance3(cylinder, segment, make_placement<3>(Pose3d{}));
    EXPECT_EQ(x.status, QueryStatus::converged) << k << " " << x.upper - x.lower;
    EXPECT_NEAR(x.separation, std::hypot(up, out), 1e-9) << k;
  }
}

// A corner on the axis has half of a ring of directions that are all equally good, and one near to it nearly so
TEST(ConvexDistance3, CornersOnTheAxisOfRoundBodies) {
  Random random(campaign_seed(8));
  constexpr double kOff[] = {0, 5e-324, 1e-300, 1e-16, 1e-13, 1e-11, 1e-10, 1e-9, 1e-8, 1e-6, 1e-3};
  for (std::size_t k = 0; k < sudar_test::soak(40); ++k) {
    const double h = random.uniform(0.2, 2), r = random.uniform(0.2, 2), z = random.uniform(-0.5, 0.5) * h;
    const double angle = random.uniform(-kPi, kPi), off = kOff[random.below(std::size(kOff))];
    const Vec3d out{std::cos(angle), std::sin(angle), 0}, aside{-out.y, out.x, 0};
    const Vec3d corner = Vec3d{0, 0, z} + (random.coin() ? out : -out) * off * random.coin() + aside * off;
    const Shape3 cylinder = *make_cylinder3(h, r), cone = *make_cone3(h, r), egg = *make_ellipsoid3({r, r, r + h});
    const Vec3d end = corner + out * 3;
    const Shape3 segment = *make_segment3(corner, end), pin = *make_capsule3(corner, end, 0.1),
                 wedge = *make_triangle3(corner, end + aside, end - aside);
    const double slanted = (r * (h - z)) / std::sqrt(4 * h * h + r * r);
    const auto expect = [&](const Shape3& body, const Shape3& other, double depth) {
      const DistanceAnswer3 x = convex_distance3(body, other, make_placement<3>(Pose3d{}));
      EXPECT_EQ(x.status, QueryStatus::converged) << k << " off by " << off;
      EXPECT_NEAR(-x.separation, depth, 1e-9 + 4 * off) << k << " off by " << off;
      EXPECT_LE(x.upper - x.lower, 1e-9 * (h + r + 4)) << k << " off by " << off;
    };
    for (const Shape3* other : {&segment, &wedge}) {
      expect(cylinder, *other, std::min(r, h - std::fabs(z)));
      expect(cone, *other, std::min(h + z, slanted));
    }
    expect(cylinder, pin, std::min(r, h - std::fabs(z)) + 0.1);
    expect(egg, *make_segment3({0, 0, 0}, out * 9), r);
  }
}

// In line, the difference set is one of revolution, and its profile a polygon: the depth is the distance of its nearest edge.
// A ring of directions is equally good then, which a polytope of points never proves.
TEST(ConvexDistance3, ConesInsideOfCylinders) {
  Random random(campaign_seed(6));
  for (std::size_t k = 0; k < sudar_test::soak(60); ++k) {
    const double h = random.uniform(0.05, 1), r = random.uniform(0.05, 1), z = random.uniform(-1, 1);
    const double half = h + std::fabs(z) + random.uniform(0.1, 4), radius = r + random.uniform(0.01, 1);
    const Shape3 cylinder = *make_cylinder3(half, radius), cone = *make_cone3(h, r);
    const double side = std::sqrt(4 * h * h + r * r);
    const double depth = std::min({radius + r, half + h - std::fabs(z), (2 * h * radius + (half + h + z) * r) / side});
    const DistanceAnswer3 x = convex_distance3(cylinder, cone, make_placement<3>(Pose3d{{0, 0, z}, {}}));
    EXPECT_EQ(x.status, QueryStatus::converged) << k;
    EXPECT_NEAR(-x.separation, depth, 1e-12) << k;
    EXPECT_LE(x.upper - x.lower, 1e-9) << k;
    // Capsules and cylinders have rings as well
    const Shape3 pin = *make_capsule3({0, 0, -h}, {0, 0, h}, r), rod = *make_cylinder3(h, r);
    for (const Shape3* other : {&pin, &rod}) {
      const double end = other == &pin ? h + r : h;
      const DistanceAnswer3 y = convex_distance3(cylinder, *other, make_placement<3>(Pose3d{{0, 0, z}, {}}));
      EXPECT_EQ(y.status, QueryStatus::converged) << k;
      EXPECT_NEAR(-y.separation, std::min(radius + r, half + end - std::fabs(z)), 1e-12) << k;
    }
    ASSERT_FALSE(HasFailure()) << half << " " << radius << " " << h << " " << r << " " << z;
  }
}

// The same nearly in line: no tilt and no offset, however small, ends the search at its limit
TEST(ConvexDistance3, NearlyInLine) {
  const Shape3 cylinder = *make_cylinder3(3, 1);
  const Shape3 others[] = {*make_cone3(0.5, 0.25), *make_cylinder3(0.5, 0.25), *make_ellipsoid3({0.25, 0.25, 0.5}),
                           *make_capsule3({0, 0, -0.5}, {0, 0, 0.5}, 0.25)};
  for (const Shape3& other : others)
    for (const double off : {0.0, 0x1p-53, 1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2})
      for (const int how : {1, 2, 3}) {
        const double tilt = (how & 1) != 0 ? off : 0, side = (how & 2) != 0 ? off : 0;
        const Pose3d pose{{side, 0.5 * side, 0}, normalized(Quatd{1, 0.3 * tilt, -0.4 * tilt, 0})};
        const DistanceAnswer3 x = convex_distance3(cylinder, other, make_placement<3>(pose));
        EXPECT_EQ(x.status, QueryStatus::converged) << to_string(other.kind()) << " " << off << " " << how;
        EXPECT_LE(x.upper - x.lower, 1e-9);
        EXPECT_NEAR(-x.separation, 1.25, 2 * off + 1e-12) << to_string(other.kind()) << " " << off << " " << how;
      }
}

// What a campaign found: a rim and a lid equally far, thin bodies along an axis, a corner on an axis, a ball as an ellipsoid
TEST(ConvexDistance3, RingsThatACampaignFound) {
  struct Found {
    Shape3 a, b;
    Pose3d pose;
    double depth;
  };
  const Quatd turned =
      normalized(Quatd{-0.5541123288512929, 0.5079193510066325, 0.6078618835429481, -0.2558933184427004});
  const Found found[] = {
      {*make_cylinder3(1.25, 1.25), *make_cylinder3(1.25, 1.25), {{5e-5, 0, 1e-4}, {}}, 2.5 - 1e-4},
      {*make_cone3(1, 1), *make_box3({2e-5, 1e-5, 1}), {}, 2 / std::sqrt(5.0)},
      {*make_cone3(2, 1), *make_cone3(1, 1), {{0, 0, 2}, turned}, 1 / std::sqrt(5.0)},
      {*make_ellipsoid3({1, 1, 1}), *make_cone3(1, 1), {}, 1 + 1 / std::sqrt(5.0)},
      {*make_cone3(0.125, 1), *make_cylinder3(0.125, 1e-7), {{0, -1e-7, 0}, {}}, 0.5 / std::sqrt(4.25)},
  };
  for (const Found& each : found) {
    const DistanceAnswer3 x = convex_distance3(each.a, each.b, make_placement<3>(each.pose));
    EXPECT_EQ(x.status, QueryStatus::converged) << &each - found;
    EXPECT_LE(x.upper - x.lower, 1e-9) << &each - found;
    EXPECT_NEAR(-x.separation, each.depth, 5e-5) << &each - found;
  }
}

// Balls that are none by little: all directions are nearly equally good
TEST(ConvexDistance3, EllipsoidsThatAreNearlyBalls) {
  Random random(campaign_seed(16));
  for (const double off : {0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 1e-1}) {
    const auto ellipsoid = [&](double size) {
      return *make_ellipsoid3({size, size * (1 - off), size * (1 + 0.5 * off)});
    };
    const Shape3 a = ellipsoid(1), b = ellipsoid(0.5);
    for (const double side : {0.0, 1e-9, 1e-3, 0.25}) {
      const Pose3d pose{{0, side, 0}, random_rotation(random)};
      const DistanceAnswer3 x = convex_distance3(a, b, make_placement<3>(pose));
      EXPECT_EQ(x.status, QueryStatus::converged) << off << " " << side;
      EXPECT_NEAR(-x.separation, 1.5 - side, 2 * off + 1e-9) << off << " " << side;
      EXPECT_LE(x.upper - x.lower, 1e-9) << off << " " << side;
    }
  }
}

TEST(ConvexDistance3, TraceTellsTheStory) {
  TraceLog log;
  const Shape3 a = *make_box3({1, 1, 1}), b = *make_box3({1, 1, 1});
  convex_distance3(a, b, make_placement<3>(Pose3d{{1.5, 0.1, 0.2}, {}}), nullptr, TraceTo{&log});
  ASSERT_FALSE(log.entries().empty());
  EXPECT_EQ(log.entries().front().step, "start");
  EXPECT_EQ(log.entries().back().step, "done");
  EXPECT_NEAR(log.entries().back().value, 0.5, 1e-15);
}

}  // namespace
