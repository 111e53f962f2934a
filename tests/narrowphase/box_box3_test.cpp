// Two boxes in space. Oracles: rational arithmetic for the decision, all pairs of features for the distance, all axes
// in long double for the depth, closed forms.
#include "tests/support/counts.hpp"
#include "tests/support/exact.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/geom/closest.hpp>
#include <sudar/narrowphase/box_axes3.hpp>
#include <sudar/narrowphase/box_box3.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;
using sudar_test::random_rotation;
using sudar_test::Rational;
using sudar_test::soak;

namespace {

struct BoxCase {
  Vec3d a, b;
  Placement3 place;
};
// Of all sorts: any turn, small turns, quarter turns, no turn; sizes alike or a thousandfold apart
BoxCase random_case(Random& random) {
  BoxCase c;
  c.a = random_point<3>(random, 0.2, 1.5);
  c.b = random_point<3>(random, 0.2, 1.5) * (random.below(8) == 0 ? 1e-3 : 1.0);
  Pose3d pose;
  switch (random.below(6)) {
    case 0:
      break;
    case 1: {
      const double s = std::ldexp(1.0, -static_cast<int>(random.below(60)));
      pose.rotation =
          normalized(Quatd{1, s * random.uniform(-1, 1), s * random.uniform(-1, 1), s * random.uniform(-1, 1)});
      break;
    }
    case 2:
      pose.rotation = Quatd::from_axis_angle({0, 0, 1}, random.uniform(-3, 3));
      break;
    case 3: {
      const Quatd quarter{std::sqrt(0.5), std::sqrt(0.5), 0, 0}, third{0.5, 0.5, 0.5, 0.5};
      pose.rotation = random.coin() ? quarter : third;
      break;
    }
    default:
      pose.rotation = random_rotation(random);
  }
  pose.position = random_point<3>(random, -2, 2);
  c.place = make_placement(pose);
  return c;
}

// All fifteen normals of the zonotope as cross products of pairs of generators, nothing shared with the library
bool rational_hit(const BoxCase& c) {
  std::array<std::array<Rational, 3>, 6> g;
  std::array<Rational, 3> t;
  for (int i = 0; i < 3; ++i) {
    t[i] = Rational(c.place.translation[i]) + Rational(c.place.rest[i]);
    for (int j = 0; j < 3; ++j) {
      g[j][i] = i == j ? Rational(c.a[i]) : Rational(0);
      g[3 + j][i] = Rational(c.place.turn[j][i]) * Rational(c.b[j]);
    }
  }
  for (int p = 0; p < 6; ++p)
    for (int q = p + 1; q < 6; ++q) {
      std::array<Rational, 3> n;
      for (int i = 0; i < 3; ++i) n[i] = g[p][(i + 1) % 3] * g[q][(i + 2) % 3] - g[p][(i + 2) % 3] * g[q][(i + 1) % 3];
      const auto along = [&n](const std::array<Rational, 3>& v) -> Rational {
        return abs(Rational(n[0] * v[0] + n[1] * v[1] + n[2] * v[2]));
      };
      Rational gap = along(t);
      for (const auto& v : g) gap -= along(v);
      if (gap > 0) return false;
    }
  return true;
}

// Move B along the normal so that the two touch up to rounding
void make_touch(BoxCase& c) {
  for (int k = 0; k < 3; ++k) {
    const DistanceAnswer3 answer = box_box_distance3(c.a, c.b, c.place);
    c.place.translation -= answer.normal * answer.separation;
  }
}

std::array<Vec3d, 8> corners(const Vec3d& half, const Placement3& place) {
  std::array<Vec3d, 8> out;
  for (int k = 0; k < 8; ++k)
    out[k] = transform(place, Vec3d{k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
  return out;
}
double corner_to_box(const Vec3d& p, const Vec3d& half) { return distance(p, closest_point_in_box(-half, half, p)); }

// Every corner with the other box, every edge with every edge
double brute_distance(const BoxCase& c) {
  const auto ca = corners(c.a, {}), cb = corners(c.b, c.place);
  double best = 1e300;
  for (const Vec3d& p : cb) best = std::min(best, corner_to_box(p, c.a));
  for (const Vec3d& p : ca) best = std::min(best, corner_to_box(to_b(c.place, p - c.place.translation), c.b));
  for (int p = 0; p < 8; ++p)
    for (int i = 0; i < 3; ++i)
      for (int q = 0; q < 8; ++q)
        for (int j = 0; j < 3; ++j) {
          if (p >> i & 1 || q >> j & 1) continue;
          const Segment<3, double> ea{ca[p], ca[p | 1 << i]}, eb{cb[q], cb[q | 1 << j]};
          best = std::min(best, std::sqrt(closest_points(ea, eb).distance_squared));
        }
  return best;
}

// Least overlap over all axes that are not parallel
double brute_depth(const BoxCase& c) {
  using Long = long double;
  Long g[6][3], t[3];
  for (int i = 0; i < 3; ++i) {
    t[i] = c.place.translation[i];
    for (int j = 0; j < 3; ++j) {
      g[j][i] = i == j ? Long(c.a[i]) : Long(0);
      g[3 + j][i] = Long(c.place.turn[j][i]) * Long(c.b[j]);
    }
  }
  Long best = 1e300L;
  for (int p = 0; p < 6; ++p)
    for (int q = p + 1; q < 6; ++q) {
      Long n[3], square = 0, size_p = 0, size_q = 0;
      for (int i = 0; i < 3; ++i) {
        n[i] = g[p][(i + 1) % 3] * g[q][(i + 2) % 3] - g[p][(i + 2) % 3] * g[q][(i + 1) % 3];
        square += n[i] * n[i], size_p += g[p][i] * g[p][i], size_q += g[q][i] * g[q][i];
      }
      if (square <= size_p * size_q * 1e-28L) continue;
      const auto along = [&n](const Long* v) { return std::fabs(n[0] * v[0] + n[1] * v[1] + n[2] * v[2]); };
      Long reach = -along(t);
      for (const auto& v : g) reach += along(v);
      best = std::min(best, reach / std::sqrt(square));
    }
  return static_cast<double>(best);
}

double scale_of(const BoxCase& c) { return max_abs(c.a) + max_abs(c.b) + max_abs(c.place.translation); }

}  // namespace

TEST_SIMD(BoxAxes3, VectorAndScalarGiveTheSameBits) {
  Random random(campaign_seed(1));
  for (std::size_t k = 0; k < soak(20000); ++k) {
    BoxCase c = random_case(random);
    if (k % 4 == 0) make_touch(c);
    EXPECT_EQ(box_sign3(c.a, c.b, c.place), box_sign3_plain(c.a, c.b, c.place));
    EXPECT_EQ(box_scan3(c.a, c.b, c.place), box_scan3_plain(c.a, c.b, c.place));
    Mat3d sides = c.place.turn;
    for (int i = 0; i < 3; ++i) sides[i] *= c.b[i];
    EXPECT_EQ(nearest_corner3(c.place.translation, sides, c.a), nearest_corner3_plain(c.place.translation, sides, c.a));
  }
}

TEST(BoxBox3, DecidesAsRationalsDo) {
  Random random(campaign_seed(2));
  const std::size_t count = soak(1500);
  for (std::size_t k = 0; k < count; ++k) {
    BoxCase c = random_case(random);
    if (k % 8 != 0) make_touch(c);
    // A ladder of single steps around the touch
    const int axis = static_cast<int>(random.below(3));
    double& t = c.place.translation[axis];
    for (int step = 0; step < 3; ++step) {
      const bool truth = rational_hit(c);
      EXPECT_EQ(box_box_intersects3(c.a, c.b, c.place), truth) << k;
      EXPECT_EQ(box_box_intersects3_plain(c.a, c.b, c.place), truth) << k;
      EXPECT_EQ(box_box_distance3(c.a, c.b, c.place).hit, truth) << k;
      t = std::nextafter(t, step == 1 ? -1e300 : 1e300);
    }
  }
  sudar_test::count_cases("exact_yes_no", 3 * count);
}

TEST(BoxBox3, FilterAgreesWithIntegers) {
  Random random(campaign_seed(3));
  for (std::size_t k = 0; k < soak(20000); ++k) {
    BoxCase c = random_case(random);
    if (k % 2 == 0) make_touch(c);
    if (k % 4 == 0)
      c.place.translation *= 1 + random.uniform(-1, 1) * std::ldexp(1.0, -static_cast<int>(random.below(50)));
    EXPECT_EQ(box_box_intersects3(c.a, c.b, c.place), box_box_intersects3_plain(c.a, c.b, c.place)) << k;
  }
}

TEST(BoxBox3, FarFromTheOriginAndInThinStacks) {
  // Not turned: decided as given, to the last bit
  const Vec3d half{0.5, 0.5, 0.5};
  Pose3d a, b;
  a.position = {0x1p40, 3, 5};
  b.position = {0x1p40 + 1, 3, 5};
  EXPECT_TRUE(box_box_intersects3(half, half, make_placement(a, b)));
  b.position.x = std::nextafter(b.position.x, 1e300);
  EXPECT_FALSE(box_box_intersects3(half, half, make_placement(a, b)));
  // One unit on the left side, and what the difference of positions rounds away
  a.position = {1, 0, 0};
  b.position = {-0x1p-60, 0, 0};
  EXPECT_FALSE(box_box_intersects3(half, half, make_placement(a, b)));
  b.position = {0x1p-60, 0, 0};
  EXPECT_TRUE(box_box_intersects3(half, half, make_placement(a, b)));
  EXPECT_FALSE(box_box_distance3(half, half, make_placement(Pose3d{{1, 0, 0}, {}}, Pose3d{{-0x1p-60, 0, 0}, {}})).hit);
}

TEST(BoxBox3, ClosedForms) {
  const Vec3d cube{1, 1, 1};
  Pose3d pose;
  pose.position = {5, 0, 0};
  DistanceAnswer3 face = box_box_distance3(cube, cube, make_placement(pose));
  EXPECT_FALSE(face.hit);
  EXPECT_EQ(face.separation, 3);
  EXPECT_EQ(face.normal, (Vec3d{1, 0, 0}));
  pose.position = {3, 4, 5};
  EXPECT_DOUBLE_EQ(box_box_distance3(cube, cube, make_placement(pose)).separation, std::sqrt(1 + 4 + 9));
  pose.position = {0, 1.5, 0.25};
  const DistanceAnswer3 deep = box_box_distance3(cube, cube, make_placement(pose));
  EXPECT_TRUE(deep.hit);
  EXPECT_EQ(deep.separation, -0.5);
  EXPECT_EQ(deep.normal, (Vec3d{0, 1, 0}));
  // Two edges that cross at a right angle: A's along y, B's along x
  Vec3d flat_a{1, 4, 1}, flat_b{4, 1, 1};
  Pose3d world_a, world_b;
  world_a.rotation = Quatd::from_axis_angle({0, 1, 0}, 3.14159265358979323846 / 4);
  world_b.rotation = Quatd::from_axis_angle({1, 0, 0}, 3.14159265358979323846 / 4);
  for (const double z : {4.0, 2 * std::sqrt(2.0) - 0.1}) {
    world_b.position = {0, 0, z};
    const DistanceAnswer3 edges = box_box_distance3(flat_a, flat_b, make_placement(world_a, world_b));
    EXPECT_EQ(edges.hit, z < 3);
    EXPECT_NEAR(edges.separation, z - 2 * std::sqrt(2.0), 1e-14);
    EXPECT_NEAR(rotate(world_a.rotation, edges.normal).z, 1, 1e-14);
  }
}

TEST(BoxBox3, PlanksThatCross) {
  // No corner of either is over the other
  const Vec3d plank{3, 0.5, 0.1};
  for (const double angle : {0.3, 1.0, 1.5707963267948966}) {
    for (const double z : {0.5, 0.15}) {
      const Pose3d pose{{0.1, -0.2, z}, Quatd::from_axis_angle({0, 0, 1}, angle)};
      const DistanceAnswer3 answer = box_box_distance3(plank, plank, make_placement(pose));
      EXPECT_NEAR(answer.separation, z - 0.2, 1e-15);
      EXPECT_NEAR(answer.normal.z, 1, 1e-15);
      EXPECT_NEAR(distance(answer.point_a, answer.point_b), std::fabs(z - 0.2), 1e-14);
      EXPECT_EQ(answer.status, QueryStatus::converged);
      // A hair out of parallel
      for (const double tilt : {1e-15, 1e-13, 1e-11, 1e-8}) {
        const BoxCase c{plank, plank,
                        make_placement(Pose3d{pose.position, normalized(pose.rotation * Quatd{1, tilt, tilt / 3, 0})})};
        const DistanceAnswer3 near = box_box_distance3(c.a, c.b, c.place);
        EXPECT_NEAR(near.separation, near.hit ? -brute_depth(c) : brute_distance(c), 1e-12) << tilt;
        EXPECT_EQ(near.status, QueryStatus::converged);
      }
    }
  }
}

TEST(BoxBox3, DistanceIsThatOfTheNearestFeatures) {
  Random random(campaign_seed(4));
  double worst = 0, widest = 0;
  for (std::size_t k = 0; k < soak(3000); ++k) {
    BoxCase c = random_case(random);
    if (k % 3 == 0) {
      make_touch(c);
      c.place.translation *= 1 + std::ldexp(random.uniform(0, 1), -static_cast<int>(random.below(40)));
    }
    const DistanceAnswer3 answer = box_box_distance3(c.a, c.b, c.place);
    if (answer.hit) continue;
    const double truth = brute_distance(c), scale = scale_of(c);
    worst = std::max(worst, std::fabs(answer.separation - truth) / scale);
    widest = std::max(widest, (answer.upper - answer.lower) / scale);
    EXPECT_GT(answer.separation, 0);
    EXPECT_LE(answer.lower, truth + 1e-15 * scale);
    EXPECT_GE(answer.upper, truth - 1e-15 * scale);
    EXPECT_EQ(answer.status, QueryStatus::converged);
    EXPECT_LE(corner_to_box(answer.point_a, c.a), 1e-14 * scale);
    EXPECT_LE(corner_to_box(to_b(c.place, answer.point_b - c.place.translation), c.b), 1e-14 * scale);
    EXPECT_NEAR(dot(answer.point_b - answer.point_a, answer.normal), answer.separation, 1e-12 * scale);
    EXPECT_NEAR(length(answer.normal), 1, 1e-15 * 8);
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(widest, 1e-11);
}

// A corner of each is the nearest, to rounding, and only the normal of one proves it
TEST(BoxBox3, SpecksOverTheEndsOfLongEdges) {
  Random random(campaign_seed(7));
  for (std::size_t n = 0; n < soak(20000); ++n) {
    const double speck = std::ldexp(1.0, -static_cast<int>(random.below(60)));
    const Vec3d a = random_point<3>(random, 1, 2) * speck, b{1 + random.uniform(), 1 + 9 * random.uniform(), 10};
    Pose3d at_a, at_b;
    for (int i = 0; i < 3; ++i) {
      const double ends[] = {b[i], -b[i], b[i] + speck * (random.uniform() - 0.5), 20 * (random.uniform() - 0.5)};
      at_a.position[i] = ends[random.below(4)];
    }
    at_a.rotation = random_rotation(random);
    if (random.below(2) == 0) {
      at_b.rotation = random_rotation(random);
      at_a.position = rotate(at_b.rotation, at_a.position);
    }
    for (const DistanceAnswer3& x :
         {box_box_distance3(a, b, make_placement(at_a, at_b)), box_box_distance3(b, a, make_placement(at_b, at_a))}) {
      ASSERT_EQ(x.status, QueryStatus::converged) << n << ' ' << speck;
      ASSERT_LE(x.lower, x.separation);
      ASSERT_LE(x.separation, x.upper);
    }
  }
}

TEST(BoxBox3, DepthIsTheLeastOverAllAxes) {
  Random random(campaign_seed(5));
  double worst = 0;
  for (std::size_t k = 0; k < soak(20000); ++k) {
    BoxCase c = random_case(random);
    if (k % 3 == 0) {
      make_touch(c);
      c.place.translation *= 1 - std::ldexp(random.uniform(0, 1), -static_cast<int>(random.below(40)));
    }
    const DistanceAnswer3 answer = box_box_distance3(c.a, c.b, c.place);
    if (!answer.hit) continue;
    const double truth = -brute_depth(c), scale = scale_of(c);
    worst = std::max(worst, std::fabs(answer.separation - truth) / scale);
    EXPECT_LE(answer.separation, 0);
    EXPECT_LE(answer.lower, truth + 1e-15 * scale);
    EXPECT_GE(answer.upper, truth - 1e-15 * scale);
    // Witness points on the surfaces, apart by the depth
    EXPECT_LE(corner_to_box(answer.point_a, c.a), 1e-11 * scale);
    EXPECT_LE(corner_to_box(to_b(c.place, answer.point_b - c.place.translation), c.b), 1e-11 * scale);
    EXPECT_NEAR(dot(answer.point_b - answer.point_a, answer.normal), answer.separation, 1e-11 * scale);
    EXPECT_NEAR(distance(answer.point_b, answer.point_a), -answer.separation, 1e-11 * scale);
    // B moved out by a little more than the depth is free, by a little less is not
    if (answer.separation > -1e-9) continue;
    Placement3 out = c.place, in = c.place;
    out.translation -= answer.normal * (1.01 * answer.separation);
    in.translation -= answer.normal * (0.99 * answer.separation);
    EXPECT_FALSE(box_box_intersects3(c.a, c.b, out));
    EXPECT_TRUE(box_box_intersects3(c.a, c.b, in));
  }
  EXPECT_LT(worst, 1e-12);
}

TEST(BoxBox3, SwapAndScaleChangeNothing) {
  Random random(campaign_seed(6));
  for (std::size_t k = 0; k < soak(3000); ++k) {
    const Vec3d a = random_point<3>(random, 0.2, 1.5), b = random_point<3>(random, 0.2, 1.5);
    const Pose3d pa{random_point<3>(random, -1, 1), random_rotation(random)},
        pb{random_point<3>(random, -2, 2), random_rotation(random)};
    const DistanceAnswer3 one = placed(box_box_distance3(a, b, make_placement(pa, pb)), pa);
    const DistanceAnswer3 two = swapped(placed(box_box_distance3(b, a, make_placement(pb, pa)), pb));
    EXPECT_EQ(one.hit, two.hit);
    EXPECT_NEAR(one.separation, two.separation, 1e-14 * 8);
    // A power of two is no rounding at all
    BoxCase c{a, b, make_placement(pa, pb)}, d = c;
    const double s = std::ldexp(1.0, static_cast<int>(random.below(100)) - 50);
    d.a *= s, d.b *= s, d.place.translation *= s, d.place.rest *= s;
    const DistanceAnswer3 small = box_box_distance3(c.a, c.b, c.place), large = box_box_distance3(d.a, d.b, d.place);
    EXPECT_EQ(small.hit, large.hit);
    const BoxDepth3 depth = box_box_depth3(c.a, c.b, c.place);
    EXPECT_EQ(depth.hit, small.hit);
    if (depth.hit) {
      EXPECT_EQ(depth.depth, -small.separation);
      EXPECT_EQ(depth.normal, small.normal);
    }
    EXPECT_EQ(small.separation * s, large.separation);
    EXPECT_EQ(small.normal, large.normal);
  }
}
