// The depths of round bodies where a whole line of directions is equally good, or two that cross
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/depth_descent3.hpp>
#include <sudar/narrowphase/depth_proof3.hpp>
#include <sudar/narrowphase/difference3.hpp>
#include <sudar/narrowphase/support_ring.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

template <class Size>
Shape3 round_body(Random& random, Size size) {
  const double r = size();
  switch (random.below(4)) {
    case 0:
      return *make_cone3(size(), r);
    case 1:
      return *make_cylinder3(size(), r);
    case 2:
      return *make_ellipsoid3({r, r, size()});
    default:
      return *make_ellipsoid3({r, size(), size()});
  }
}
Shape3 round_body(Random& random) {
  constexpr double kSizes[] = {0.25, 0.5, 1, 1, 1, 2, 3};
  return round_body(random, [&] { return kSizes[random.below(std::size(kSizes))]; });
}
Shape3 any_body(Random& random) {
  if (random.below(3) != 0) return round_body(random);
  if (random.coin()) return *make_box3({0.5, 1, 1});
  return *make_capsule3({0, 0, -1}, {0, 0.5, 1}, 0.5);
}
Quatd lattice_rotation(Random& random) {
  Vec3d axis{};
  axis[static_cast<int>(random.below(3))] = 1;
  const auto half = [&] { return random.coin() ? 0.5 : -0.5; };
  return random.coin() ? Quatd{half(), half(), half(), half()}
                       : Quatd::from_axis_angle(axis, 0.25 * kPi * static_cast<double>(random.below(8)));
}

// No supporting plane of the difference is nearer than the proven depth, in directions near the answer's and anywhere
void expect_proven(const Shape3& a, const Shape3& b, const Placement3& placement, const std::string& what,
                   bool always = true) {
  const DistanceAnswer3 x = convex_distance3(a, b, placement);
  const bool converged = x.status == QueryStatus::converged;
  EXPECT_TRUE(converged || !always) << what << ": " << x.iterations << " iterations";
  EXPECT_LE(x.lower, x.separation) << what;
  EXPECT_GE(x.upper, x.separation) << what;
  if (!(x.separation < 0)) return;
  const ConvexView3 view_a = make_view(a), view_b = make_view(b);
  const Difference3 difference(view_a, view_b, placement);
  const double scale = view_a.size + view_b.size, radii = view_a.radius + view_b.radius;
  EXPECT_TRUE(x.upper - x.lower <= 2e-10 * scale || !converged) << what;
  Random random(campaign_seed(17));
  for (int i = 0; i < 300; ++i) {
    Vec3d n{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (i % 3 != 0) n = x.normal + n * std::pow(10.0, random.uniform(-7, -0.5));
    n = normalized(n);
    EXPECT_GE(dot(n, difference.least(-n).w) + radii, -x.upper - 1e-12 * scale) << what << ", direction " << i;
  }
}

}  // namespace

// Oracle: the support function itself. Below it everywhere, and near it by the bend.
TEST(SupportRing, LinesAreBelowTheSupport) {
  Random random(campaign_seed(302));
  for (std::size_t k = 0; k < sudar_test::soak(2000); ++k) {
    const SupportRing ring{std::pow(10.0, random.uniform(-3, 3)),
                           k % 3 == 0 ? 0 : std::pow(10.0, random.uniform(-3, 3))};
    const double size = std::max(ring.radius, ring.height), x = random.uniform(-1, 1);
    const double to = std::min(1.0, x + std::pow(10.0, random.uniform(-7, 0.3)));
    const auto support = [&](double c) {
      return std::hypot(ring.radius * std::sqrt((1 - c) * (1 + c)), ring.height * c);
    };
    const auto line = ring.below(x, to);
    if (!line) {
      EXPECT_LT(std::max(support(x), support(to)), 0x1p-9 * size);
      continue;
    }
    const double rounding = 16 * kRoundoff * (size + std::fabs(line->slope) + std::fabs(line->at_zero));
    double widest = 0, least = size;
    for (int i = 0; i <= 64; ++i) {
      const double c = std::min(to, x + (to - x) * i / 64);
      const double gap = support(c) - (line->at_zero + line->slope * c);
      EXPECT_GE(gap, -rounding) << k << " at " << c;
      widest = std::max(widest, gap);
      least = std::min(least, support(c));
    }
    // Where the support changes little from end to end, the bend tells how much
    if (2 * least > std::max(support(x), support(to)) && to - x < 0.1) {
      EXPECT_LE(widest, 8 * line->bend * (to - x) * (to - x) + rounding) << k;
    }
  }
}

TEST(DepthProof3, RoundBodiesOnALattice) {
  Random random(campaign_seed(301));
  constexpr double kOff[] = {0, 0, 0, 1e-16, 1e-13, 1e-10, 1e-8, 1e-6, 1e-3};
  for (std::size_t k = 0; k < sudar_test::soak(3000); ++k) {
    const Shape3 a = round_body(random), b = any_body(random);
    Pose3d pose{{}, lattice_rotation(random)};
    const double off = kOff[random.below(std::size(kOff))];
    for (int i = 0; i < 3; ++i)
      pose.position[i] = 0.5 * (static_cast<double>(random.below(7)) - 3) + off * random.uniform(-1, 1);
    expect_proven(a, b, make_placement<3>(pose), std::to_string(k));
  }
}

// Two cones nearly in line: the rim of one is level across the side of the other, so that a whole ring of directions is as good
// but for the square of the tilt
TEST(DepthProof3, ARingThatASmallTiltDoesNotChange) {
  const Pose3d pose{{9.2367808703558597e-12, 5.8689940967303839e-16, 0},
                    {0.99999999999421552, 3.4013262849178601e-06, 0, 0}};
  expect_proven(*make_cone3(0.5, 1), *make_cone3(2, 2), make_placement<3>(pose), "cones");
}

// In line with a cone, an ellipsoid whose two thin radii differ by little
TEST(DepthProof3, EllipsoidsThatAreNearlyOfRevolution) {
  expect_proven(*make_ellipsoid3({0.016409721155070726, 0.016401367241230962, 2.3967500722597848}),
                *make_cone3(41.147309488856365, 20.897484825691656), make_placement<3>(Pose3d{{0, 0, -6e-11}, {}}),
                "needle");
}

// Tilted by anything from an ulp to a tenth, and as thin as a hundredth of a hundred; much thinner ones may end at the limit,
// but what is said of them holds
TEST(DepthProof3, ThinBodiesAndSmallTilts) {
  Random random(campaign_seed(304));
  for (std::size_t k = 0; k < sudar_test::soak(2000); ++k) {
    const bool thin = k % 4 == 3;
    const auto size = [&] { return std::pow(10.0, random.uniform(thin ? -6 : -2, thin ? 6 : 2)); };
    const auto body = [&] { return round_body(random, size); };
    const Shape3 a = body(), b = random.below(4) == 0 ? *make_box3({size(), size(), size()}) : body();
    Vec3d axis{};
    axis[static_cast<int>(random.below(3))] = 1;
    Pose3d pose{{}, Quatd::from_axis_angle(axis, 0.5 * kPi * static_cast<double>(random.below(4)))};
    const Vec3d about = normalized(Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    pose.rotation = pose.rotation * Quatd::from_axis_angle(about, std::pow(10.0, random.uniform(-16, -1)));
    const double reach = std::min(make_view(a).size, make_view(b).size);
    for (int i = 0; i < 3; ++i)
      if (random.coin()) pose.position[i] = reach * random.uniform(-1, 1) * std::pow(10.0, -16 * random.uniform());
    expect_proven(a, b, make_placement<3>(pose), std::to_string(k), !thin);
  }
}

// The middle of either base lies on the other's rim: two lines of directions with the depth of a radius cross each other, and
// beside their crossing the depth grows with the fourth power only
TEST(DepthProof3, RimsThroughEachOthersMiddle) {
  const auto standing = Quatd::from_axis_angle({1, 0, 0}, 0.5 * kPi);  // its axis is -y
  constexpr double kOff[] = {0, 1e-16, -1e-11, 1e-6, 0, -1e-16, 1e-13, 1e-9, -1e-4}, kHeight[] = {1, 0.5, 2};
  // A few of them each time, others with another seed
  const std::size_t first = sudar_test::campaign_seed(0) % (std::size(kOff) * std::size(kHeight));
  for (std::size_t n = 0; n < sudar_test::soak(2); ++n) {
    const std::size_t k = first + n;
    const double h = kHeight[k / std::size(kOff) % std::size(kHeight)], off = kOff[k % std::size(kOff)];
    const Shape3 cone = *make_cone3(h, 1), cylinder = *make_cylinder3(h, 1), coin = *make_ellipsoid3({1, 1, 0.25});
    const auto at = [&](double x, double y, double z) { return make_placement<3>(Pose3d{{x, y, z}, standing}); };
    const std::string what = std::to_string(h) + ", place " + std::to_string(k);
    // A's base is at -h, B's at +h before it is moved
    expect_proven(cone, cone, at(1 + off, -h, -h), "cones " + what);
    expect_proven(cylinder, cylinder, at(1, -h + off, -h), "cylinders " + what);
    expect_proven(cone, cylinder, at(1, -h, -h + off), "cone and cylinder " + what);
    expect_proven(cylinder, coin, at(1 + off, off, h), "cylinder and coin " + what);
    expect_proven(coin, coin, at(1 + off, off, 0), "coins " + what);
    const DistanceAnswer3 x = convex_distance3(cone, cone, at(1 + off, -h, -h));
    EXPECT_NEAR(x.separation, -1, 2 * std::fabs(off) + 1e-9) << what;
  }
}

// A speck of three different radii on a cone's axis: the ring of directions is as good as equal, but cuts through the axis know
// of the speck's size only (found by a campaign)
TEST(DepthProof3, ASpeckOnTheAxis) {
  const Shape3 cone = *make_cone3(0.39425742626190186, 0.6887190937995911),
               speck = *make_ellipsoid3({6.187602593854535e-06, 4.644586169888498e-06, 3.671826561912894e-05});
  expect_proven(cone, speck, make_placement<3>(Pose3d{}), "in a cone");
}

// Needles whose polytopes have slivers: a plane is nearer than these once proved, by up to a fifth of the depth
TEST(DepthProof3, SliversProveNothing) {
  struct Case {
    Shape3 a, b;
    Quatd turn;
    Vec3d place, nearer;  // the direction of that plane
  };
  const Case cases[] = {{*make_ellipsoid3({0.00014080879715016714, 0.00014080879715016714, 6.3650725847139674e-06}),
                         *make_ellipsoid3({0.00042204393250272259, 72623.818840310618, 6.7963643655327728e-06}),
                         {-0.37196469182921105, 0.48079788765198511, 0.76644727117616285, -0.20744695651757067},
                         {},
                         {0.76923131497494202, -0.038215182037156799, 0.63782660960780602}},
                        {*make_cylinder3(1.8306841828622862e-06, 3.2388756407285701e-06),
                         *make_ellipsoid3({9.188445406508969e-05, 9.188445406508969e-05, 456483.62114093441}),
                         {0.99499183902527932, -0.057570732900594605, -0.048526213675957275, -0.065742357522805092},
                         {0, 9.5302540801947318e-08, 0},
                         {-0.92878801008013734, -0.3686047276881439, -0.038514764147378325}},
                        {*make_cone3(0.00022796503215328134, 1.4866369211815237e-06),
                         *make_ellipsoid3({0.0062829250399004492, 1.0289162612012894e-05, 743534.95854947658}),
                         {-0.42727293119349052, -0.66221717878370912, 0.61548666371449934, 0.0090783909732169432},
                         {},
                         {-0.80743414551175208, 0.12284118232723584, 0.57702698774507377}}};
  for (const Case& c : cases) {
    const Placement3 placement = make_placement<3>(Pose3d{}, Pose3d{c.place, c.turn});
    const DistanceAnswer3 x = convex_distance3(c.a, c.b, placement);
    const ConvexView3 view_a = make_view(c.a), view_b = make_view(c.b);
    const Difference3 difference(view_a, view_b, placement);
    const Vec3d n = normalized(c.nearer);
    EXPECT_GE(dot(n, difference.least(-n).w) + 8 * difference.point_error, -x.upper);
  }
}

// A proof that holds finds the depth, whatever plane it begins from: nothing that is nearer may be passed over
TEST(DepthProof3, FindsTheDepthFromAnyPlane) {
  Random random(campaign_seed(303));
  for (std::size_t k = 0; k < sudar_test::soak(600); ++k) {
    const Shape3 a = round_body(random), b = any_body(random);
    Pose3d pose{{}, k % 2 == 0 ? lattice_rotation(random) : sudar_test::random_pose(random, 1).rotation};
    for (int i = 0; i < 3; ++i)
      pose.position[i] = k % 3 == 0 ? random.uniform(-1, 1) : 0.5 * (static_cast<double>(random.below(5)) - 2);
    const Placement3 placement = make_placement<3>(pose);
    const DistanceAnswer3 x = convex_distance3(a, b, placement);
    if (!(x.separation < 0)) continue;
    const ConvexView3 view_a = make_view(a), view_b = make_view(b);
    const Difference3 difference(view_a, view_b, placement);
    const double known = dot(x.normal, difference.least(-x.normal).w), tolerance = 1e-10 * (view_a.size + view_b.size);
    if (!(known > tolerance)) continue;
    const Vec3d n = normalized(Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    const DepthProof3 proof = prove_depth3(difference, n, dot(n, difference.least(-n).w), tolerance);
    EXPECT_TRUE(proof.proven) << k << ": " << proof.asked << " directions";
    EXPECT_LE(proof.depth, known + 1.01 * tolerance) << k;
    EXPECT_GE(proof.depth, known - 1.01 * tolerance) << k;
    EXPECT_NEAR(dot(proof.normal, difference.least(-proof.normal).w), proof.depth, 1e-12) << k;
  }
}

// Bodies nearly in line have a ring of nearly equal depths; begun from any of them, a proof ends with the least. Oracle: a
// descent from planes all around the axis.
TEST(DepthProof3, NothingInARingIsPassedOver) {
  Random random(campaign_seed(305));
  const auto power = [&](double from, double to) { return std::pow(10.0, random.uniform(from, to)); };
  int rings = 0;
  for (std::size_t k = 0; k < sudar_test::soak(200); ++k) {
    const auto body = [&](std::uint64_t kind) {
      const double r = random.uniform(0.3, 1), h = random.uniform(0.8, 3);
      if (kind == 0) return *make_cylinder3(h, r);
      if (kind == 1) return *make_cone3(h, r);
      if (kind == 2) return *make_segment3({0.1, 0, -h}, {0.1, 0, h});
      return *make_ellipsoid3({r, kind == 3 ? r : r * (1 + power(-8.5, -6)), h});
    };
    constexpr std::uint64_t kKinds[] = {0, 0, 1, 3, 4, 4, 2};
    Shape3 a = body(kKinds[random.below(7)]), b = body(kKinds[random.below(7)]);
    // The rim of one is level across the side of the other
    if (k % 4 == 0) a = *make_cone3(0.5, 1), b = *make_cone3(2, 2);
    if (random.coin()) std::swap(a, b);
    const Quatd about = Quatd::from_axis_angle({0, 0, 1}, random.uniform(0, 2 * kPi));
    Pose3d pose{{}, about * Quatd::from_axis_angle({1, 0, 0}, power(-7, -3.5) + (random.below(3) == 0 ? kPi : 0))};
    if (random.coin()) {
      const Quatd turn = Quatd::from_axis_angle({0, 0, 1}, random.uniform(0, 2 * kPi));
      pose.position = rotate(turn, Vec3d{power(-8, -3.5), 0, random.uniform(-0.2, 0.2)});
    }
    const Placement3 placement = make_placement<3>(pose);
    const ConvexView3 view_a = make_view(a), view_b = make_view(b);
    const Difference3 difference(view_a, view_b, placement);
    const double tolerance = 1e-10 * (view_a.size + view_b.size);
    const auto height = [&](const Vec3d& n) { return dot(n, difference.least(-n).w); };
    Vec3d n = convex_distance3(a, b, placement).normal;
    double least = height(n), most = least;
    const Quatd step = Quatd::from_axis_angle({0, 0, 1}, 2 * kPi / 32);
    Vec3d worst = n;
    for (int i = 0; i < 32; ++i, n = rotate(step, n)) {
      Vec3d lowest = n;
      double depth = height(n);
      if (depth > most) most = depth, worst = n;
      descend3(difference, 4 * difference.point_error, lowest, depth);
      least = std::min(least, height(normalized(lowest)));
    }
    if (!(least > tolerance)) continue;
    rings += most < least * (1 + 1e-3);
    for (const Vec3d& from : {n, worst}) {
      const DepthProof3 proof = prove_depth3(difference, from, height(from), tolerance);
      EXPECT_TRUE(proof.proven) << k << ": " << proof.asked << " directions";
      EXPECT_LE(proof.depth, least + 1.01 * tolerance) << k;
    }
  }
  EXPECT_GT(rings, static_cast<int>(sudar_test::soak(200) / 4));
}

// Whatever tolerance it is asked for: a rough proof concludes from few directions, so that what it takes for granted between them
// is put to the test. Oracle: heights and descents all around both axes.
TEST(DepthProof3, RoughProofsHold) {
  Random random(campaign_seed(306));
  const auto power = [&](double from, double to) { return std::pow(10.0, random.uniform(from, to)); };
  const auto sign = [&] { return random.coin() ? 1.0 : -1.0; };
  const auto size = [&] { return random.coin() ? power(-1.5, 1.5) : random.coin() ? power(-0.3, 0.3) : 1.0; };
  const auto body = [&](std::uint64_t kind) -> Shape3 {
    const double h = size(), r = size();
    if (kind == 0) return *make_cone3(h, r);
    if (kind == 1) return *make_cylinder3(h, r);
    if (kind == 2) return *make_ellipsoid3({r, r, h});
    if (kind == 3) return *make_ellipsoid3({r, r * (1 + sign() * power(-14, -1)), h});
    if (kind == 4) return *make_ellipsoid3({h, h * (1 + sign() * power(-14, -1)), h * (1 + sign() * power(-14, -1))});
    const double off = power(-12, -1);
    return *make_segment3({off * h, 0, -0.4 * h}, {-off * r, off * h, h});
  };
  std::size_t proven = 0;
  for (std::size_t k = 0; k < sudar_test::soak(1500); ++k) {
    const Shape3 a = body(random.below(6)), b = body(random.below(5));
    const ConvexView3 view_a = make_view(a), view_b = make_view(b);
    const double scale = view_a.size + view_b.size, small = std::min(view_a.size, view_b.size);
    Vec3d about{};
    about[static_cast<int>(random.below(2))] = 1;
    if (random.coin())
      about = normalized(Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.1, 0.1)});
    const double tilt = (random.below(8) == 0 ? 0 : power(-12, -0.5)) + (random.below(4) == 0 ? kPi : 0);
    Pose3d pose{{}, Quatd::from_axis_angle(about, tilt)};
    const double off = random.below(5) == 0 ? 0 : small * power(-14, -0.5);
    pose.position = {off * random.uniform(-1, 1), random.below(3) == 0 ? 0 : off * random.uniform(-1, 1),
                     random.coin() ? 0 : small * random.uniform(-1, 1)};
    const Placement3 placement = make_placement<3>(pose);
    const Difference3 difference(view_a, view_b, placement);
    double least = scale;
    Vec3d lowest{0, 0, 1};
    const auto look = [&](const Vec3d& direction) {
      const Vec3d n = normalized(direction);
      const double height = dot(n, difference.least(-n).w);
      if (height < least) least = height, lowest = n;
      return height;
    };
    const auto descend = [&](Vec3d n) {
      n = normalized(n);
      double height = look(n);
      descend3(difference, 4 * difference.point_error, n, height);
      look(n);
    };
    const auto anywhere = [&] { return Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; };
    for (int i = 0; i < 16; ++i) look(anywhere());
    descend(lowest);
    // Begun from the highest plane of the ring that the lowest one is on
    Vec3d from = lowest;
    double most = least;
    const Vec3d axes[] = {{0, 0, 1}, rotate(pose.rotation, Vec3d{0, 0, 1})};
    for (const Vec3d& axis : axes) {
      const Quatd step = Quatd::from_axis_angle(axis, 2 * kPi / 24);
      Vec3d n = lowest;
      for (int i = 0; i < 24; ++i, n = rotate(step, n)) {
        if (const double height = look(n); height > most) most = height, from = normalized(n);
        for (int j = 0; j < 2; ++j) look(n + axis * (sign() * power(-8, 0)));
        if (i % 6 == 0) descend(n);
      }
      look(axis), look(-axis);
    }
    // And with a tolerance that is a part of what the ring differs by, or any
    const double tolerance = k % 3 == 0 ? scale * power(-10, -1.5) : (most - least) * power(-3, -0.02) + 1e-12 * scale;
    if (!(least > tolerance)) continue;
    const DepthProof3 proof = prove_depth3(difference, from, dot(from, difference.least(-from).w), tolerance);
    if (!proof.proven) continue;
    ++proven;
    for (double reach = 0.05; reach > 1e-9; reach *= 0.5) look(lowest + anywhere() * reach);
    EXPECT_LE(proof.depth - tolerance, least + 8 * difference.point_error) << k;
  }
  EXPECT_GT(proven, sudar_test::soak(1500) / 4);
}
