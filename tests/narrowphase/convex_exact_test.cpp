// The yes/no of convex polytopes against a linear program in rational numbers.
#include "tests/support/counts.hpp"
#include "tests/support/exact_points.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/exact_gjk2.hpp>
#include <sudar/narrowphase/exact_gjk3.hpp>

#include <gtest/gtest.h>
#include <tests/support/exact.hpp>
#include <tests/support/soak.hpp>

#include <vector>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;
using sudar_test::random_points;
using sudar_test::random_rotation;
using sudar_test::Rational;

// Is there a convex combination of the columns' differences that is zero? Weights x of A's points and y of B's with
// Σ x a = Σ y b, Σ x = Σ y = 1, x, y >= 0: the first phase of the simplex method, by Bland's rule, which cannot cycle.
bool feasible(const std::vector<std::array<Rational, 3>>& a, const std::vector<std::array<Rational, 3>>& b,
              std::size_t dim) {
  const std::size_t rows = dim + 2, n = a.size() + b.size(), none = n + 1;
  std::vector<std::vector<Rational>> t(rows, std::vector<Rational>(n + 1));
  for (std::size_t j = 0; j < n; ++j) {
    const bool is_a = j < a.size();
    const auto& p = is_a ? a[j] : b[j - a.size()];
    for (std::size_t i = 0; i < dim; ++i) t[i][j] = is_a ? p[i] : Rational(-p[i]);
    t[dim][j] = is_a ? 1 : 0;
    t[dim + 1][j] = is_a ? 0 : 1;
  }
  t[dim][n] = t[dim + 1][n] = 1;
  std::vector<std::size_t> basis(rows, none);  // none: an artificial variable
  // Reduced costs of the sum of the artificial variables
  std::vector<Rational> cost(n + 1);
  for (std::size_t j = 0; j <= n; ++j)
    for (std::size_t i = 0; i < rows; ++i) cost[j] += t[i][j];
  for (;;) {
    std::size_t enter = 0;
    while (enter < n && cost[enter] <= 0) ++enter;
    if (enter == n) return cost[n] == 0;
    std::size_t leave = rows;
    for (std::size_t i = 0; i < rows; ++i) {
      if (t[i][enter] <= 0) continue;
      if (leave == rows) {
        leave = i;
        continue;
      }
      const Rational x = t[i][n] * t[leave][enter], y = t[leave][n] * t[i][enter];
      if (x < y || (x == y && basis[i] < basis[leave])) leave = i;
    }
    if (leave == rows) return false;
    const Rational pivot = t[leave][enter];
    for (auto& x : t[leave]) x /= pivot;
    for (std::size_t i = 0; i < rows; ++i) {
      if (i == leave || t[i][enter] == 0) continue;
      const Rational f = t[i][enter];
      for (std::size_t j = 0; j <= n; ++j) t[i][j] -= f * t[leave][j];
    }
    const Rational f = cost[enter];
    for (std::size_t j = 0; j <= n; ++j) cost[j] -= f * t[leave][j];
    basis[leave] = enter;
  }
}

std::array<Rational, 3> exact(const Vec3d& p) { return {Rational(p.x), Rational(p.y), Rational(p.z)}; }
std::array<Rational, 3> exact(const Placement3& at, const Vec3d& p) {
  std::array<Rational, 3> r;
  for (int i = 0; i < 3; ++i) {
    r[i] = Rational(at.translation[i]) + Rational(at.rest[i]);
    for (int j = 0; j < 3; ++j) r[i] += Rational(at.turn[j][i]) * Rational(p[j]);
  }
  return r;
}
bool oracle(const ConvexView3& a, const ConvexView3& b, const Placement3& at) {
  std::vector<std::array<Rational, 3>> pa, pb;
  for (std::uint32_t i = 0; i < a.count; ++i) pa.push_back(exact(a.vertex(i)));
  for (std::uint32_t i = 0; i < b.count; ++i) pb.push_back(exact(at, b.vertex(i)));
  return feasible(pa, pb, 3);
}

// The search that proves its answers, which the long campaigns use: the program above is plainer
bool second_oracle(const ConvexView3& a, const ConvexView3& b, const Placement3& at) {
  std::vector<Vec3d> pa, pb;
  for (std::uint32_t i = 0; i < a.count; ++i) pa.push_back(a.vertex(i));
  for (std::uint32_t i = 0; i < b.count; ++i) pb.push_back(b.vertex(i));
  const sudar_test::ExactPoints points = sudar_test::exact_points(pa, pb, at);
  return sudar_test::nearest(points.a, points.b).hit();
}

// Powers of two change no answer, down to where products of three lengths are nothing
TEST(ExactGjk3, TinyBodiesAreDecidedAsLargeOnes) {
  Random random(campaign_seed(43));
  const std::size_t count = sudar_test::soak(300);
  std::size_t hits = 0, cases = 0;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<Vec3d> points(4 + random.below(3));
    for (Vec3d& p : points)
      for (int i = 0; i < 3; ++i) p[i] = static_cast<double>(random.below(33)) - 16;
    // A point inside, a triangle, or on a face
    std::vector<Vec3d> other = {{}};
    if (k % 2 == 0) other = {{0, 0, 0}, {3, 1, 0}, {0, 2, 5}};
    Vec3d at;
    for (int i = 0; i < 3; ++i) at[i] = static_cast<double>(random.below(25)) - 12;
    for (const int exponent : {0, -200, -240, -300, -354, -358, -362, -500, -900}) {
      std::vector<Vec3d> small, small_other;
      for (const Vec3d& p : points) small.push_back(p * std::ldexp(1.0, exponent));
      for (const Vec3d& p : other) small_other.push_back(p * std::ldexp(1.0, exponent));
      const Result<Shape3> a = make_hull_shape3(small);
      const Result<Shape3> b =
          other.size() == 1 ? make_point3({}) : make_triangle3(small_other[0], small_other[1], small_other[2]);
      if (!a || !b) continue;
      Placement3 placed;
      placed.translation = at * std::ldexp(1.0, exponent);
      const ConvexView3 view_a = make_view(*a), view_b = make_view(*b);
      const bool truth = oracle(view_a, view_b, placed);
      ASSERT_EQ(convex_intersects3(view_a, view_b, placed), truth) << k << " " << exponent;
      ASSERT_EQ(convex_intersects3(view_b, view_a, inverse(placed)), truth) << k << " " << exponent;
      hits += truth, ++cases;
    }
  }
  EXPECT_GT(cases, count);
  EXPECT_GT(hits, cases / 20);
  sudar_test::count_cases("exact_yes_no", cases);
}

// Where volumes are a few of the smallest doubles: a point beside a face. Oracle: the same pair enlarged, by integers.
TEST(ExactGjk3, TinyPointsBesideAFace) {
  Random random(campaign_seed(44));
  for (std::size_t k = 0; k < sudar_test::soak(2000); ++k) {
    std::vector<Vec3d> points = random_points<3>(random, 4);
    const Vec3d beside = (points[0] + points[1] + points[2] * 2.0) * 0.25 + random_point<3>(random) * 0x1p-24;
    bool truth = false;
    for (const int exponent : {0, -350, -352, -354}) {
      std::vector<Vec3d> small;
      for (const Vec3d& p : points) small.push_back(p * std::ldexp(1.0, exponent));
      const Shape3 a = *make_hull_shape3(small), b = *make_point3({});
      Placement3 placed;
      placed.translation = beside * std::ldexp(1.0, exponent);
      const ConvexView3 view_a = make_view(a), view_b = make_view(b);
      if (exponent == 0) truth = exact_gjk3(Difference3(view_a, view_b, placed), {}, false).hit;
      ASSERT_EQ(convex_intersects3(view_a, view_b, placed), truth) << k << " " << exponent;
    }
  }
}

std::uint32_t pick(Random& random, std::uint32_t count) { return static_cast<std::uint32_t>(random.below(count)); }

struct Pair {
  Shape3 a, b;
  Placement3 at;
};

Shape3 random_degenerate_shape(Random& random) {
  const auto snap = [&](Vec3d p) {
    for (int i = 0; i < 3; ++i) p[i] = std::round(p[i] * 4) / 4;
    return p;
  };
  const bool grid = random.below(2) == 0;
  const auto point = [&] { return grid ? snap(random_point<3>(random)) : random_point<3>(random); };
  for (;;) {
    Result<Shape3> shape = [&]() -> Result<Shape3> {
      switch (pick(random, 7)) {
        case 0:
          return make_point3(point());
        case 1:
          return make_segment3(point(), point());
        case 2:
          return make_triangle3(point(), point(), point());
        case 3:
        case 4:
          return make_box3(abs(point()));
        default: {
          // Bodies, and flat ones
          std::vector<Vec3d> points(3 + pick(random, 10));
          const bool flat = random.below(3) == 0;
          for (Vec3d& p : points) {
            p = point();
            if (flat) p.z = p.x + p.y;
          }
          return make_hull_shape3(points);
        }
      }
    }();
    if (shape) return *shape;
  }
}

// Random places, and places that bring two vertices together, up to some steps of rounding
Pair random_pair(Random& random) {
  Pair pair{random_degenerate_shape(random), random_degenerate_shape(random), {}};
  const ConvexView3 a = make_view(pair.a), b = make_view(pair.b);
  Pose3d pose;
  if (random.below(2) == 0) pose.rotation = random_rotation(random);
  pose.position = random_point<3>(random) * 1.5;
  pair.at = make_placement(pose);
  if (random.below(3) != 0) {
    // A vertex or the middle of two, on another of the same kind
    const auto spot = [&](const ConvexView3& v) {
      const Vec3d p = v.vertex(pick(random, v.count)), q = v.vertex(pick(random, v.count));
      return (p + q) * 0.5;
    };
    const Vec3d pa = spot(a), pb = spot(b);
    pair.at.translation = {};
    pair.at.translation = pa - transform(pair.at, pb);
    for (int i = 0; i < 3; ++i)
      for (int steps = static_cast<int>(pick(random, 5)); steps > 2; --steps)
        pair.at.translation[i] = std::nextafter(pair.at.translation[i], random.coin() ? 2.0 : -2.0);
    // Or by less than that: what only the rest can hold
    if (random.below(4) == 0) pair.at.rest = pair.at.translation * (random.below(2) == 0 ? 0x1p-60 : -0x1p-60);
  }
  // Far apart in size
  if (random.below(8) == 0) pair.at.translation = pair.at.translation * 0x1p30;
  return pair;
}

TEST(ExactGjk3, AgreesWithTheLinearProgram) {
  Random random(campaign_seed(41));
  std::size_t hits = 0, unclear = 0;
  const std::size_t count = sudar_test::soak(4000);
  for (std::size_t k = 0; k < count; ++k) {
    const Pair pair = random_pair(random);
    const ConvexView3 a = make_view(pair.a), b = make_view(pair.b);
    const Difference3 difference(a, b, pair.at);
    const bool truth = oracle(a, b, pair.at);
    ASSERT_EQ(second_oracle(a, b, pair.at), truth) << k;
    const ExactGjk3 decided = exact_gjk3(difference, {}, false);
    ASSERT_EQ(decided.hit, truth) << k;
    const ExactGjk3 measured = exact_gjk3(difference, {}, true);
    ASSERT_EQ(measured.hit, truth) << k;
    if (!truth) {
      // Not below the smallest double
      const Vec3d t = abs(pair.at.translation);
      const bool subnormal = std::fmin(std::fmin(t.x, t.y), t.z) < 1e-300;
      ASSERT_TRUE(measured.distance > 0 || subnormal) << k;
    }
    ASSERT_EQ(convex_intersects3(a, b, pair.at), truth) << k;
    const DistanceAnswer3 answer = convex_distance3(a, b, pair.at);
    ASSERT_EQ(answer.hit, truth) << k;
    ASSERT_EQ(answer.separation > 0, !truth) << k;
    // What the rounded loop proves is true
    for (const GjkGoal goal : {GjkGoal::decide, GjkGoal::measure}) {
      const Gjk3 g = gjk3(difference, goal);
      if (g.outcome == GjkOutcome::unclear) {
        ++unclear;
      } else {
        ASSERT_EQ(g.outcome == GjkOutcome::hit, truth) << k;
      }
      if (truth) continue;
      ASSERT_LE(g.lower, measured.distance) << k;
      if (goal == GjkGoal::measure) {
        ASSERT_NEAR(g.distance, measured.distance, 1e-14 * difference.reach) << k;
      }
    }
    // Nor does a plane of the last time part what touches, nor a cache of shapes with more vertices name any
    for (const double sign : {1.0, -1.0}) {
      GjkCache3 cache;
      cache.axis = answer.normal * sign;
      const Gjk3 g = gjk3(difference, GjkGoal::decide, 0, &cache);
      ASSERT_TRUE(g.outcome == GjkOutcome::unclear || (g.outcome == GjkOutcome::hit) == truth) << k;
      cache.count = 1;
      (sign > 0 ? cache.a : cache.b)[0] = 1u << 30;
      ASSERT_EQ(convex_intersects3(a, b, pair.at, &cache), truth) << k;
    }
    hits += truth;
  }
  EXPECT_GT(hits, count / 4);
  EXPECT_GT(count - hits, count / 4);
  RecordProperty("unclear", static_cast<int>(unclear));
  sudar_test::count_cases("exact_yes_no", count);
}

// Two dimensions
Shape2 random_shape2(Random& random) {
  const bool grid = random.coin();
  const auto point = [&] {
    const Vec2d p = random_point<2>(random);
    return grid ? Vec2d{std::round(p.x * 4) / 4, std::round(p.y * 4) / 4} : p;
  };
  for (;;) {
    Result<Shape2> shape = [&]() -> Result<Shape2> {
      switch (pick(random, 5)) {
        case 0:
          return make_point2(point());
        case 1:
          return make_segment2(point(), point());
        case 2:
          return make_box2(abs(point()));
        default: {
          std::vector<Vec2d> points(3 + pick(random, 12));
          for (Vec2d& p : points) p = point();
          return make_polygon2(points);
        }
      }
    }();
    if (shape) return *shape;
  }
}
std::array<Rational, 3> exact(const Placement2& at, const Vec2d& p) {
  const Rational x(p.x), y(p.y);
  return {Rational(at.translation.x) + Rational(at.rest.x) + Rational(at.turn.x.x) * x + Rational(at.turn.y.x) * y,
          Rational(at.translation.y) + Rational(at.rest.y) + Rational(at.turn.x.y) * x + Rational(at.turn.y.y) * y, 0};
}

TEST(ExactGjk2, AgreesWithTheLinearProgram) {
  Random random(campaign_seed(42));
  std::size_t hits = 0;
  const std::size_t count = sudar_test::soak(4000);
  for (std::size_t k = 0; k < count; ++k) {
    const Shape2 sa = random_shape2(random), sb = random_shape2(random);
    const ConvexView2 a = make_view(sa), b = make_view(sb);
    Pose2d pose{random_point<2>(random) * 1.5, {}};
    if (random.coin()) pose.rotation = Rot2d::from_angle(random.uniform(-4.0, 4.0));
    Placement2 at = make_placement<2>(pose);
    if (random.below(3) != 0) {
      const auto spot = [&](const ConvexView2& v) {
        return (v.vertex(pick(random, v.count)) + v.vertex(pick(random, v.count))) * 0.5;
      };
      at.translation = {};
      at.translation = spot(a) - transform(at, spot(b));
      for (int i = 0; i < 2; ++i)
        for (int steps = static_cast<int>(pick(random, 5)); steps > 2; --steps)
          at.translation[i] = std::nextafter(at.translation[i], random.coin() ? 2.0 : -2.0);
      if (random.below(4) == 0) at.rest = at.translation * (random.coin() ? 0x1p-60 : -0x1p-60);
    }
    std::vector<std::array<Rational, 3>> pa, pb;
    for (std::uint32_t i = 0; i < a.count; ++i) pa.push_back({Rational(a.vertex(i).x), Rational(a.vertex(i).y), 0});
    for (std::uint32_t i = 0; i < b.count; ++i) pb.push_back(exact(at, b.vertex(i)));
    const bool truth = feasible(pa, pb, 2);
    const Difference2 difference(a, b, at);
    ASSERT_EQ(exact_gjk2(difference, {}, false).hit, truth) << k;
    const ExactGjk2 measured = exact_gjk2(difference, {}, true);
    ASSERT_EQ(measured.hit, truth) << k;
    ASSERT_EQ(convex_intersects2(a, b, at), truth) << k;
    const DistanceAnswer2 answer = convex_distance2(a, b, at);
    ASSERT_EQ(answer.hit, truth) << k;
    ASSERT_EQ(answer.separation > 0, !truth) << k;
    if (!truth) {
      ASSERT_NEAR(answer.separation, measured.distance, 1e-14 * difference.reach + std::numeric_limits<double>::min())
          << k;
      ASSERT_LE(answer.lower, measured.distance * (1 + 1e-15)) << k;
    }
    hits += truth;
  }
  EXPECT_GT(hits, count / 4);
  EXPECT_GT(count - hits, count / 4);
  sudar_test::count_cases("exact_yes_no", count);
}

// The square of a distance against that of a radius
TEST(ConvexExact, RadiiAreDecidedAsRationalNumbersDo) {
  Random random(campaign_seed(3));
  for (std::size_t k = 0; k < sudar_test::soak(300); ++k) {
    const Vec3d way{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
    double radius = length(way);
    for (int i = static_cast<int>(random.below(7)) - 3; i != 0; i += i < 0 ? 1 : -1)
      radius = std::nextafter(radius, i < 0 ? 0.0 : 10.0);
    Rational square = 0;
    for (int i = 0; i < 3; ++i) square += Rational(way[i]) * Rational(way[i]);
    const bool hit = square <= Rational(radius) * Rational(radius);
    Placement3 at;
    at.translation = way;
    const Shape3 ball = *make_sphere3(radius), dot3 = *make_point3({}),
                 hull = *make_hull_shape3(std::vector<Vec3d>{{}});
    EXPECT_EQ(intersects(ball, dot3, at), hit);
    EXPECT_EQ(distance(ball, dot3, at).hit, hit);
    EXPECT_EQ(intersects(ball, hull, at), hit);
    EXPECT_EQ(distance(ball, hull, at).hit, hit);
  }
}

// Against rational numbers: a vertex on the plane up to single roundings, in both orders
TEST(ConvexExact, HalfSpacesDecidePolytopesExactly) {
  Random random(campaign_seed(11));
  const auto rational = [](const Vec3d& v) {
    return std::array<Rational, 3>{Rational(v.x), Rational(v.y), Rational(v.z)};
  };
  std::size_t close = 0;
  const std::size_t count = sudar_test::soak(1500);
  for (std::size_t k = 0; k < count; ++k) {
    const double radius = k % 3 == 0 ? 0.25 : 0;
    const Shape3 hull = *make_hull_shape3(random_points<3>(random, 6), radius);
    const Vec3d given = random_point<3>(random);
    Placement3 at = make_placement<3>({random_point<3>(random), random_rotation(random)});
    const bool plane_is_a = k % 2 == 0;
    // An offset that makes it touch, up to a few roundings
    Shape3 plane = *make_halfspace3(given, 0);
    const DistanceAnswer3 apart = plane_is_a ? distance(plane, hull, at) : distance(hull, plane, at);
    double offset = apart.separation;
    for (int i = static_cast<int>(random.below(9)) - 4; i != 0; i += i < 0 ? 1 : -1)
      offset = std::nextafter(offset, i < 0 ? -10.0 : 10.0);
    const Vec3d n = plane.as<HalfSpaceShape3>().normal;
    plane = Shape3(HalfSpaceShape3{n, offset});

    const auto rn = rational(n), t = rational(at.translation);
    const std::array<std::array<Rational, 3>, 3> column = {rational(at.turn.x), rational(at.turn.y),
                                                           rational(at.turn.z)};
    std::array<Rational, 3> m = rn;
    Rational level = Rational(offset);
    if (!plane_is_a) {
      Rational det = 0;
      m = {};
      for (std::size_t j = 0; j < 3; ++j) {
        const auto &u = column[(j + 1) % 3], &v = column[(j + 2) % 3];
        const std::array<Rational, 3> c = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                           u[0] * v[1] - u[1] * v[0]};
        for (std::size_t i = 0; i < 3; ++i) {
          m[i] += c[i] * rn[j];
          if (j == 0) det += c[i] * column[0][i];
        }
      }
      level *= det;
    }
    bool hit = false;
    for (const Vec3d& v : hull.as<HullShape3>().body->vertices()) {
      const auto x = rational(v);
      Rational gap = -level, square = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        Rational p = plane_is_a ? t[i] : Rational(x[i] - t[i]);
        for (std::size_t j = 0; j < 3 && plane_is_a; ++j) p += column[j][i] * x[j];
        gap += m[i] * p;
        square += m[i] * m[i];
      }
      hit = hit || gap <= 0 || gap * gap <= Rational(radius) * Rational(radius) * square;
    }
    const Shape3 &a = plane_is_a ? plane : hull, &b = plane_is_a ? hull : plane;
    ASSERT_EQ(intersects(a, b, at), hit) << k;
    const DistanceAnswer3 x = distance(a, b, at);
    ASSERT_EQ(x.hit, hit) << k;
    ASSERT_EQ(x.separation > 0, !hit) << k;
    close += std::fabs(x.separation) < 1e-15 ? 1 : 0;
  }
  EXPECT_GT(close, count / 15);
  sudar_test::count_cases("exact_yes_no", count);
}
TEST(ConvexExact, HalfPlanesDecidePolygonsExactly) {
  Random random(campaign_seed(12));
  for (std::size_t k = 0; k < sudar_test::soak(600); ++k) {
    const std::vector<Vec2d> points = {{random.uniform(-1, 1), random.uniform(-1, 0)},
                                       {random.uniform(0, 1), random.uniform(0, 1)},
                                       {random.uniform(-1, 0), random.uniform(0, 1)}};
    const Result<Shape2> made = make_polygon2(points);
    if (!made.ok()) continue;
    const bool plane_is_a = k % 2 == 0;
    const Placement2 at =
        make_placement<2>({{random.uniform(-1, 1), random.uniform(-1, 1)}, Rot2d::from_angle(random.uniform(-3, 3))});
    Shape2 plane = *make_halfplane2({random.uniform(0.1, 1), random.uniform(-1, 1)}, 0);
    const double offset = (plane_is_a ? distance(plane, *made, at) : distance(*made, plane, at)).separation;
    const Vec2d n = plane.as<HalfPlaneShape2>().normal;
    plane = Shape2(HalfPlaneShape2{n, offset});
    const Rational c = at.turn.x.x, s = at.turn.x.y, c2 = at.turn.y.y, s2 = at.turn.y.x, det = c * c2 - s * s2;
    bool hit = false;
    for (const Vec2d& v : points) {
      const Rational x = v.x, y = v.y, tx = at.translation.x, ty = at.translation.y;
      Rational gap;
      if (plane_is_a)
        gap = Rational(n.x) * (c * x + s2 * y + tx) + Rational(n.y) * (s * x + c2 * y + ty) - Rational(offset);
      else
        gap = Rational(n.x) * (c2 * (x - tx) - s2 * (y - ty)) + Rational(n.y) * (c * (y - ty) - s * (x - tx)) -
              Rational(offset) * det;
      hit = hit || gap <= 0;
    }
    const Shape2 &a = plane_is_a ? plane : *made, &b = plane_is_a ? *made : plane;
    ASSERT_EQ(intersects(a, b, at), hit) << k;
    ASSERT_EQ(distance(a, b, at).hit, hit) << k;
  }
}

}  // namespace
