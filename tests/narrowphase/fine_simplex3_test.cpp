// Witness points on slivers of the difference. Oracle: the normal equations in rational arithmetic.
#include "tests/support/exact.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/fine_simplex3.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <span>

namespace {

using namespace sudar;
using sudar_test::Rational;

using RationalVector = std::array<Rational, 3>;
Rational dot_of(const RationalVector& p, const RationalVector& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; }

DifferencePoint3 corner(const Vec3d& w) { return {w, w, {}, 0, 0}; }

// The squared length of what weights make of the corners
Rational square_of(std::span<const DifferencePoint3> corners, const Rational (&weight)[3]) {
  RationalVector v{};
  for (std::size_t i = 0; i < corners.size(); ++i)
    for (int k = 0; k < 3; ++k) v[static_cast<std::size_t>(k)] += weight[i] * Rational(corners[i].w[k]);
  return dot_of(v, v);
}
Rational square_of(std::span<const DifferencePoint3> corners, const double (&weight)[4]) {
  return square_of(corners, {Rational(weight[0]), Rational(weight[1]), Rational(weight[2])});
}
// The least squared length on the line or the plane through the corners, and whether it is between them
bool least_square(std::span<const DifferencePoint3> corners, Rational& least) {
  const auto vector = [](const Vec3d& v) { return RationalVector{Rational(v.x), Rational(v.y), Rational(v.z)}; };
  const RationalVector w = vector(corners[0].w);
  RationalVector e[2]{};
  for (std::size_t i = 1; i < corners.size(); ++i) {
    e[i - 1] = vector(corners[i].w);
    for (std::size_t k = 0; k < 3; ++k) e[i - 1][k] -= w[k];
  }
  const Rational g11 = dot_of(e[0], e[0]), b1 = -dot_of(e[0], w);
  if (corners.size() == 2) {
    if (g11 == 0) return false;
    const Rational t = b1 / g11;
    least = square_of(corners, {1 - t, t, 0});
    return t > 0 && t < 1;
  }
  const Rational g12 = dot_of(e[0], e[1]), g22 = dot_of(e[1], e[1]), b2 = -dot_of(e[1], w);
  const Rational whole = g11 * g22 - g12 * g12;
  if (whole == 0) return false;
  const Rational s = (b1 * g22 - b2 * g12) / whole, t = (b2 * g11 - b1 * g12) / whole;
  least = square_of(corners, {1 - s - t, s, t});
  return s > 0 && t > 0 && s + t < 1;
}

// Triangles and segments past the origin, as long and as thin as one likes
TEST(FineSimplex3, WeightsAreThoseOfRationals) {
  Random random(sudar_test::campaign_seed(303));
  std::size_t between = 0;
  for (std::size_t n = 0; n < sudar_test::soak(4000); ++n) {
    const std::size_t count = 2 + random.below(2);
    const double length_of = std::ldexp(1.0, static_cast<int>(random.below(30)));
    const double width = std::ldexp(length_of, -static_cast<int>(random.below(28)));
    const double height = std::ldexp(width, -static_cast<int>(random.below(30)));
    const Quatd turn = sudar_test::random_rotation(random);
    DifferencePoint3 corners[3];
    for (DifferencePoint3& c : corners)
      c = corner(rotate(turn, Vec3d{length_of * random.uniform(-1, 1), width * random.uniform(-1, 1), height}));
    const std::span<const DifferencePoint3> used(corners, count);
    double weight[4];
    fine_weights3(used, weight);
    double sum = 0;
    for (const double one : weight) {
      EXPECT_GE(one, 0);
      sum += one;
    }
    EXPECT_NEAR(sum, 1, 1e-15);
    const Rational made = square_of(used, weight);
    // No corner is nearer, nor the middle of an edge
    for (std::size_t i = 0; i < count; ++i) {
      double other[4] = {};
      other[i] = 1;
      EXPECT_LE(std::sqrt(double(made)), std::sqrt(double(square_of(used, other))) * (1 + 1e-12) + 1e-15 * length_of);
    }
    Rational least;
    if (!least_square(used, least)) continue;
    ++between;
    EXPECT_LE(std::sqrt(double(made)), std::sqrt(double(least)) * (1 + 1e-12) + 1e-15 * length_of)
        << count << " " << length_of << " " << width << " " << height;
  }
  EXPECT_GT(between, sudar_test::soak(4000) / 20);
}

TEST(FineSimplex3, FlatOnes) {
  double weight[4];
  const DifferencePoint3 point[] = {corner({1, 2, 3})};
  fine_weights3(point, weight);
  EXPECT_EQ(weight[0], 1);
  // All in one place, and on a line past the origin
  const DifferencePoint3 same[] = {point[0], point[0], point[0]};
  fine_weights3(same, weight);
  EXPECT_EQ(weight[0] + weight[1] + weight[2], 1);
  const DifferencePoint3 line[] = {corner({-1, 1, 0}), corner({7, 1, 0}), corner({3, 1, 0})};
  fine_weights3(line, weight);
  EXPECT_EQ(length(weighed(line, weight)), 1);
}

// What a campaign found: the points of round bodies were off along them by up to a ten-millionth of their length, so that
// a gap of 2e-6 had 22 as its upper bound
TEST(ConvexDistance3, WitnessesOnSlivers) {
  struct Found {
    Shape3 a;
    Pose3d at_a;
    Shape3 b;
    Pose3d at_b;
    double size;
  };
  const Found found[] = {
      {*make_cone3(0.001953125, 0.125),
       {{}, {-0.31047533172474767, -0.029853146037699334, 0.8792878059120225, 0.35995390321051013}},
       *make_cone3(1.75, 0.013241441920399666),
       {{0.3301796615123749, 0.5, 0.22180476784706116},
        {-0.1338697360962058, -0.4946166111526043, -0.623358489503908, -0.5906415963110385}},
       1.75},
      {*make_segment3({0, 0, 0}, {0, 0, 1}),
       {{}, {0.6438805841296094, 0.4656074294831986, -0.5760744534236114, 0.19174394150441557}},
       *make_cone3(440380739, 2675.75),
       {{0, 1073741824, 0}, {}},
       440380739},
      {*make_ellipsoid3({1, 1.25, 1}),
       {},
       *make_cone3(70459537, 4577),
       {{0, 2580, 1}, {-0.300249708831277, 0.6453284802917771, -0.7017936404733705, 0.02978172362662166}},
       70459537},
      {*make_cone3(1, 0.5),
       {{}, {0.31441770265064045, 0.4264505238261852, -0.7592148004946154, 0.377987229543786}},
       *make_cone3(544342016, 41313281.65502215),
       {{-134217728, 1, -1}, {}},
       544342016},
  };
  for (const Found& x : found) {
    const Motion3 coming{(x.at_a.position - x.at_b.position) * 2.0, {}};
    const auto impact = time_of_impact(x.a, x.at_a, {}, x.b, x.at_b, coming, {.last = false});
    ASSERT_TRUE(impact.ok() && impact->hit);
    EXPECT_EQ(impact->status, QueryStatus::converged);
    const DistanceAnswer3 gap = distance(x.a, x.at_a, x.b, pose_at(x.at_b, coming, impact->t_lo));
    EXPECT_LE(gap.upper - gap.lower, 1e-12 * x.size);
    EXPECT_LE(distance(gap.point_a, gap.point_b), gap.upper);
  }
}

}  // namespace
