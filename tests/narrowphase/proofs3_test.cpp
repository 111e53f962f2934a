// What rounded arithmetic proves of triangles and boxes that nearly touch, where rounding and underflow decide. Oracles: rational
// clipping, integers (exact_gjk3), and that powers of two along the axes change no answer.
#include "tests/narrowphase/triangle_oracle.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/narrowphase/box_triangle.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/exact_gjk3.hpp>
#include <sudar/narrowphase/placed_triangles.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;
using sudar_test::random_rotation;
using sudar_test::Rational;
using sudar_test::soak;
using Tri3 = Triangle<3, double>;

constexpr double kFarOff = 512;

Vec3d scaled(const Vec3d& p, const int (&by)[3]) {
  return {std::ldexp(p.x, by[0]), std::ldexp(p.y, by[1]), std::ldexp(p.z, by[2])};
}
Tri3 scaled(const Tri3& t, const int (&by)[3]) { return {scaled(t.a, by), scaled(t.b, by), scaled(t.c, by)}; }

}  // namespace

// All signs of six corners stay, and every digit does: what underflows, overflows or leaves the grid of integers is seen
TEST(TriangleTriangle, PowersOfTwoAlongTheAxesChangeNoAnswer) {
  constexpr int kScales[][3] = {{0, 0, -30},       {-30, 0, 0},       {-357, -357, -357}, {140, -560, -560},
                                {-560, 140, -560}, {-560, -560, 140}, {500, -540, -540},  {-540, 500, -540},
                                {-540, -540, 500}, {340, 340, 340}};
  Random random(campaign_seed(71));
  std::size_t hits = 0;
  const std::size_t count = soak(2000);
  for (std::size_t k = 0; k < count; ++k) {
    // In one plane, z = x, but for a rounding of one corner; or anywhere
    const bool in_plane = k % 2 == 0;
    Vec3d p[6];
    for (Vec3d& q : p) {
      q = {random.uniform(1, 2), random.uniform(1, 2), random.uniform(1, 2)};
      if (in_plane) q.z = q.x;
    }
    if (in_plane && random.coin()) {
      Vec3d& q = p[random.below(6)];
      q.z = std::nextafter(q.z, random.coin() ? 0.0 : 4.0);
    }
    const Tri3 a{p[0], p[1], p[2]}, b{p[3], p[4], p[5]};
    const bool truth = intersects_exact(a, b);
    hits += truth;
    for (const auto& scale : kScales) {
      EXPECT_EQ(intersects_exact(scaled(a, scale), scaled(b, scale)), truth) << k << ' ' << scale[0] << ' ' << scale[1];
      EXPECT_EQ(static_cast<bool>(intersection_exact(scaled(a, scale), scaled(b, scale))), truth) << k;
    }
  }
  EXPECT_GT(hits, count / 10);
  EXPECT_LT(hits, count - count / 10);
}

// B's corners are far from its origin and come back by the placement, so that they are off by much more than differences of
// theirs are rounded. One corner of B on the plane of A, the others on one side of it. Oracle: rational clipping.
TEST(PlacedTriangles, ProofsHoldWhereRoundingDecides) {
  Random random(campaign_seed(72));
  std::size_t hits = 0;
  const std::size_t count = soak(600);
  for (std::size_t k = 0; k < count; ++k) {
    const Tri3 a{random_point<3>(random), random_point<3>(random), random_point<3>(random)};
    const Vec3d n = normalized(double_area(a));
    double u = random.uniform(0.1, 0.8), v = random.uniform(0.1, 0.9 - u);
    const Vec3d on = a.a + (a.b - a.a) * u + (a.c - a.a) * v;
    const auto above = [&] {
      const Vec3d way = random_point<3>(random);
      return way + n * (random.uniform(0.2, 1.0) - dot(way, n));
    };
    const Quatd turn = random_rotation(random);
    Placement3 at = make_placement(Pose3d{{}, turn});
    const auto back = [&](const Vec3d& way) { return rotate(conjugate(turn), way); };
    const Vec3d off = normalized(random_point<3>(random)) * kFarOff;
    Tri3 b{off, off + back(above()), off + back(above())};
    if (random.coin()) std::swap(b.b, b.c);
    at.translation = on - at.turn * off + random_point<3>(random) * (2 * kRoundoff * kFarOff);
    const bool truth = !sudar_test::common_set(sudar_test::rational(a), sudar_test::rational(b, at)).empty();
    EXPECT_EQ(intersects_exact(a, b, at), truth) << k;
    EXPECT_EQ(static_cast<bool>(intersection_exact(a, b, at)), truth) << k;
    hits += truth;
  }
  EXPECT_GT(hits, count / 10);
  EXPECT_LT(hits, count - count / 10);
}

// Both far from the origin, moved along the normal until a few roundings decide. Oracle: integers, over the eight corners.
TEST(BoxTriangle, ProofsHoldWhereRoundingDecides) {
  Random random(campaign_seed(73));
  std::size_t hits = 0;
  const std::size_t count = soak(1200);
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3d off = normalized(random_point<3>(random)) * kFarOff;
    const Aabb3d box{off - abs(random_point<3>(random)) - Vec3d{0.1, 0.1, 0.1}, off + abs(random_point<3>(random))};
    std::vector<Vec3d> corners;
    for (int i = 0; i < 8; ++i)
      corners.push_back({i & 1 ? box.hi.x : box.lo.x, i & 2 ? box.hi.y : box.lo.y, i & 4 ? box.hi.z : box.lo.z});
    const Shape3 hull = *make_hull_shape3(corners);
    Vec3d t[3];
    for (Vec3d& p : t) p = off + random_point<3>(random) * 2;
    Placement3 at;
    for (int i = 0; i < 3; ++i) {
      const DistanceAnswer3 found = convex_distance3(hull, *make_triangle3(t[0], t[1], t[2]), at);
      for (Vec3d& p : t) p -= found.normal * found.separation;
    }
    const Vec3d nudge = random_point<3>(random) * (4 * kRoundoff * kFarOff);
    for (Vec3d& p : t) p += nudge;
    const Shape3 triangle = *make_triangle3(t[0], t[1], t[2]);
    const ConvexView3 a = make_view(hull), b = make_view(triangle);
    const bool truth = exact_gjk3(Difference3(a, b, at), {}, false).hit;
    EXPECT_EQ(intersects_exact(box, Tri3{t[0], t[1], t[2]}), truth) << k;
    hits += truth;
  }
  EXPECT_GT(hits, count / 10);
  EXPECT_LT(hits, count - count / 10);
}

// A point on a side of a box, where the sum of its place and the translation is rounded. Oracle: rational numbers.
TEST(Primitives3, APointOnASideIsDecidedBeyondRounding) {
  Random random(campaign_seed(74));
  std::size_t hits = 0;
  const std::size_t count = soak(1500);
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3d half{random.uniform(0.5, 2.0), random.uniform(0.5, 2.0), random.uniform(0.5, 2.0)},
        p = random_point<3>(random);
    const bool box_is_a = random.coin();
    Placement3 at;
    // The point in the box's frame is p + place, or p - place
    const double side = random.coin() ? half.x : -half.x, place = side - p.x;
    at.translation = box_is_a ? Vec3d{place, -p.y, -p.z} : Vec3d{-place, p.y, p.z};
    at.rest.x = random.coin() ? 0 : random.uniform(-1.0, 1.0) * 0x1p-56;
    const Rational moved = Rational(at.translation.x) + Rational(at.rest.x);
    const Rational x = box_is_a ? Rational(Rational(p.x) + moved) : Rational(Rational(p.x) - moved);
    const bool truth = x <= Rational(half.x) && -x <= Rational(half.x);
    const Shape3 box = *make_box3(half), point = *make_point3(p);
    const Shape3 &a = box_is_a ? box : point, &b = box_is_a ? point : box;
    EXPECT_EQ(intersects(a, b, at), truth) << k;
    EXPECT_EQ(distance(a, b, at).hit, truth) << k;
    hits += truth;
  }
  EXPECT_GT(hits, count / 10);
  EXPECT_LT(hits, count - count / 10);
}
