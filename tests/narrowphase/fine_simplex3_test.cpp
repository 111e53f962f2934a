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

// The points of A and B that make w, where `b` is any point of B
DifferencePoint3 corner(const Vec3d& w, const Vec3d& b = {}) { return {w, w + b, b, 0, 0}; }

RationalVector rational(const Vec3d& v) { return {Rational(v.x), Rational(v.y), Rational(v.z)}; }
// What the shapes' own points are apart
RationalVector exact_corner(const DifferencePoint3& c) {
  RationalVector out = rational(c.a);
  const RationalVector b = rational(c.turned_b);
  for (std::size_t k = 0; k < 3; ++k) out[k] -= b[k];
  return out;
}
// The squared length of what weights make of the corners
template <class Weight>
Rational square_of(std::span<const DifferencePoint3> corners, const Weight& weight) {
  RationalVector v{};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const RationalVector w = exact_corner(corners[i]);
    for (std::size_t k = 0; k < 3; ++k) v[k] += Rational(weight[i]) * w[k];
  }
  return dot_of(v, v);
}
// The least of a corner, an edge or the whole: the nearest point lies on one of them
Rational least_square(std::span<const DifferencePoint3> corners, bool& between) {
  const std::size_t count = corners.size();
  Rational least = square_of(corners, std::array<Rational, 3>{1, 0, 0});
  const auto consider = [&](const std::array<Rational, 3>& weight) {
    for (const Rational& one : weight)
      if (one < 0) return false;
    least = std::min(least, square_of(corners, weight));
    return true;
  };
  const auto edge_of = [&](std::size_t i, std::size_t j) {
    RationalVector out = exact_corner(corners[j]);
    const RationalVector from = exact_corner(corners[i]);
    for (std::size_t k = 0; k < 3; ++k) out[k] -= from[k];
    return out;
  };
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      std::array<Rational, 3> weight{};
      weight[i] = 1;
      consider(weight);
      const RationalVector e = edge_of(j, i);
      const Rational whole = dot_of(e, e);
      if (whole == 0) continue;
      const Rational t = -dot_of(e, exact_corner(corners[j])) / whole;
      weight[i] = t, weight[j] = 1 - t;
      between = consider(weight) || between;
    }
  if (count < 3) return least;
  const RationalVector w = exact_corner(corners[0]), e = edge_of(0, 1), f = edge_of(0, 2);
  const Rational g11 = dot_of(e, e), g12 = dot_of(e, f), g22 = dot_of(f, f), b1 = -dot_of(e, w), b2 = -dot_of(f, w);
  const Rational whole = g11 * g22 - g12 * g12;
  if (whole == 0) return least;
  const Rational s = (b1 * g22 - b2 * g12) / whole, t = (b2 * g11 - b1 * g12) / whole;
  between = consider({1 - s - t, s, t}) || between;
  return least;
}

// Triangles and segments past the origin, as long and as thin as one likes, of points of two shapes far from it
TEST(FineSimplex3, WeightsAreThoseOfRationals) {
  Random random(sudar_test::campaign_seed(303));
  std::size_t inside = 0;
  for (std::size_t n = 0; n < sudar_test::soak(4000); ++n) {
    const std::size_t count = 2 + random.below(2);
    const double length_of = std::ldexp(1.0, static_cast<int>(random.below(30)));
    const double width = std::ldexp(length_of, -static_cast<int>(random.below(28)));
    const double height = std::ldexp(width, -static_cast<int>(random.below(30)));
    const Quatd turn = sudar_test::random_rotation(random);
    DifferencePoint3 corners[3];
    for (DifferencePoint3& c : corners) {
      const Vec3d b = sudar_test::random_point<3>(random, n % 2 == 0 ? 0 : length_of);
      c = corner(rotate(turn, Vec3d{length_of * random.uniform(-1, 1), width * random.uniform(-1, 1), height}), b);
    }
    const std::span<const DifferencePoint3> used(corners, count);
    double weight[4];
    fine_weights3(used, weight);
    double sum = 0;
    for (const double one : weight) {
      EXPECT_GE(one, 0);
      sum += one;
    }
    EXPECT_NEAR(sum, 1, 1e-15);
    bool between = false;
    const Rational least = least_square(used, between);
    inside += between;
    EXPECT_LE(std::sqrt(double(square_of(used, weight))), std::sqrt(double(least)) * (1 + 1e-12) + 2e-15 * length_of)
        << count << " " << length_of << " " << width << " " << height;
  }
  EXPECT_GT(inside, sudar_test::soak(4000) / 4);
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
