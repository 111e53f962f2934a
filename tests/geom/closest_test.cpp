#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/closest.hpp>

#include <gtest/gtest.h>

#include <limits>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::soak;

namespace {

constexpr double kEps = std::numeric_limits<Real>::epsilon();

template <int D>
Vec<D> random_vec(Random& random, double reach) {
  Vec<D> v;
  for (int i = 0; i < D; ++i) v[i] = static_cast<Real>(random.uniform(-reach, reach));
  return v;
}
template <int D>
Vec<D, double> wide(const Vec<D>& v) {
  return vec_cast<double>(v);
}

// Smallest value of a convex function on [0, 1]
template <class F>
double ternary(F&& f) {
  double lo = 0, hi = 1;
  for (int i = 0; i < 90; ++i) {
    const double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
    (f(a) < f(b) ? hi : lo) = f(a) < f(b) ? b : a;
  }
  return std::min({f(lo), f(hi), f(0.0), f(1.0)});
}

// Distance by searching along the segment: shares nothing with the code under test
template <int D>
double searched_distance(const Segment<D>& s, const Vec<D, double>& p) {
  const Segment<D, double> w{wide<D>(s.a), wide<D>(s.b)};
  return ternary([&](double t) { return length(w.at(t) - p); });
}
template <int D>
double searched_distance(const Segment<D>& s, const Segment<D>& t) {
  const Segment<D, double> w{wide<D>(s.a), wide<D>(s.b)};
  return ternary([&](double x) { return searched_distance<D>(t, w.at(x)); });
}
template <int D>
double searched_distance(const Triangle<D>& t, const Vec<D>& p) {
  const Triangle<D, double> w{wide<D>(t.a), wide<D>(t.b), wide<D>(t.c)};
  return ternary([&](double u) {
    const Vec<D, double> from = lerp(w.a, w.b, u), to = lerp(w.a, w.c, u);
    return ternary([&](double v) { return length(lerp(from, to, v) - wide<D>(p)); });
  });
}

template <int D>
void check_segments(const Segment<D>& a, const Segment<D>& b, double expected, double size) {
  const ClosestSegments<D> c = closest_points(a, b);
  const double rounding = 8 * kEps * size;
  ASSERT_NEAR(std::sqrt(static_cast<double>(c.distance_squared)), expected, rounding);
  ASSERT_NEAR(distance(c.point_a, c.point_b), expected, rounding);
  ASSERT_TRUE(c.s >= 0 && c.s <= 1 && c.t >= 0 && c.t <= 1);
  ASSERT_NEAR(distance(a.at(c.s), c.point_a), 0, rounding);
  ASSERT_NEAR(distance(b.at(c.t), c.point_b), 0, rounding);
  const ClosestSegments<D> swapped = closest_points(b, a);
  ASSERT_NEAR(std::sqrt(static_cast<double>(swapped.distance_squared)), expected, rounding);
}

template <int D>
void check_triangle(const Triangle<D>& t, const Vec<D>& p, double size) {
  const ClosestOnTriangle<D> c = closest_point(t, p);
  const double expected = searched_distance<D>(t, p), rounding = 16 * kEps * size;
  ASSERT_NEAR(std::sqrt(static_cast<double>(c.distance_squared)), expected, rounding);
  ASSERT_NEAR(distance(c.point, p), expected, rounding);
  ASSERT_NEAR(distance(t.at(c.u, c.v), c.point), 0, rounding);
  ASSERT_TRUE(c.u >= -8 * kEps && c.v >= -8 * kEps && c.u + c.v <= 1 + 8 * kEps) << c.u << " " << c.v;
  // The feature is what the weights say
  const Real w[3] = {1 - c.u - c.v, c.u, c.v};
  const int f = static_cast<int>(c.feature);
  if (f < 3) {
    ASSERT_EQ(c.point, t[f]);
  } else if (f < 6) {
    ASSERT_NEAR(w[(f - 3 + 2) % 3], 0, 8 * kEps);
  }
}

template <int D>
void segments_of_dimension() {
  Random random(campaign_seed(61));
  for (std::size_t i = 0; i < soak(120); ++i) {
    const Segment<D> a{random_vec<D>(random, 2), random_vec<D>(random, 2)};
    Segment<D> b{random_vec<D>(random, 2), random_vec<D>(random, 2)};
    check_segments<D>(a, b, searched_distance<D>(a, b), 4);
    // Points and segments that share an end
    if (i % 4 == 0) b.b = b.a;
    if (i % 4 == 1) b.a = a.b;
    if (i % 4 == 2) b = {a.at(Real(0.25)), a.at(Real(0.75))};
    check_segments<D>(a, b, searched_distance<D>(a, b), 4);
    check_segments<D>({b.a, b.a}, {a.a, a.a}, distance(wide<D>(a.a), wide<D>(b.a)), 4);
    const ClosestOnSegment<D> c = closest_point(a, b.a);
    ASSERT_NEAR(std::sqrt(static_cast<double>(c.distance_squared)), searched_distance<D>(a, wide<D>(b.a)), 16 * kEps);
  }
}

template <int D>
void triangles_of_dimension() {
  Random random(campaign_seed(62));
  for (std::size_t i = 0; i < soak(50); ++i) {
    const Triangle<D> t{random_vec<D>(random, 1), random_vec<D>(random, 1), random_vec<D>(random, 1)};
    check_triangle<D>(t, random_vec<D>(random, 3), 3);
    check_triangle<D>(t, random_vec<D>(random, 1), 2);
    check_triangle<D>(t, t.a, 2);
    check_triangle<D>(t, lerp(t.b, t.c, Real(random.uniform(-0.5, 1.5))), 3);
    check_triangle<D>(t, t.at(Real(random.uniform(-1, 1)), Real(random.uniform(-1, 1))), 4);
  }
}

}  // namespace

// Oracle: search along both segments
TEST(Closest, SegmentsInThePlane) { segments_of_dimension<2>(); }
TEST(Closest, SegmentsInSpace) { segments_of_dimension<3>(); }
// Oracle: search in the triangle
TEST(Closest, TrianglesInThePlane) { triangles_of_dimension<2>(); }
TEST(Closest, TrianglesInSpace) { triangles_of_dimension<3>(); }

// Oracle: the same search, on angles from 0 through the rounding unit to its root and above
TEST(Closest, NearlyParallelSegments) {
  Random random(campaign_seed(63));
  for (std::size_t i = 0; i < soak(200); ++i) {
    const double angle = i % 20 == 0 ? 0 : std::pow(10.0, random.uniform(-17, -1));
    const double gap = i % 3 == 0 ? 0 : std::pow(10.0, random.uniform(-6, 0));
    const Vec3d d = normalized(wide<3>(random_vec<3>(random, 1)));
    Vec3d u, v;
    make_frame(d, u, v);
    const Vec3d e = d + u * angle;
    const double slide = random.uniform(-1.5, 1.5);
    const auto narrow = [](const Vec3d& p) { return vec_cast<Real>(p); };
    const Segment<3> a{narrow(d * -1.0), narrow(d)};
    const Segment<3> b{narrow(d * slide + v * gap - e), narrow(d * slide + v * gap + e * random.uniform(0.1, 1))};
    check_segments<3>(a, b, searched_distance<3>(a, b), 4);
  }
}

// Oracle: search; heights from nothing through the rounding unit to its root
TEST(Closest, SliversAndFlatTriangles) {
  Random random(campaign_seed(64));
  for (std::size_t i = 0; i < soak(120); ++i) {
    const double height = i % 10 == 0 ? 0 : std::pow(10.0, random.uniform(-17, -1));
    const Vec3d d = normalized(wide<3>(random_vec<3>(random, 1)));
    Vec3d u, v;
    make_frame(d, u, v);
    const auto narrow = [](const Vec3d& p) { return vec_cast<Real>(p); };
    Triangle<3> t{narrow(d * -1.0), narrow(d), narrow(d * random.uniform(-1.5, 1.5) + u * height)};
    if (i % 3 == 1) t = {t.c, t.a, t.b};
    if (i % 3 == 2) t = {t.b, t.a, t.c};
    const double away = i % 2 ? 1e-3 : 1;
    const Vec3d p =
        d * random.uniform(-1.5, 1.5) + u * random.uniform(-2, 2) * height + v * random.uniform(-away, away);
    check_triangle<3>(t, narrow(p), 4);
  }
  const Vec3 q{1, 2, 3};
  EXPECT_EQ(closest_point(Triangle<3>{q, q, q}, Vec3{1, 2, 5}).distance_squared, 4);
  EXPECT_EQ(closest_point(Triangle<3>{q, q, {1, 2, 9}}, Vec3{1, 2, 5}).distance_squared, 0);
}

// Oracle: closed form, one point for every region
TEST(Closest, EveryRegionOfATriangle) {
  const Triangle<3> t{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  struct Case {
    Vec3 p, point;
    TriangleFeature feature;
  };
  const Case cases[] = {
      {{1, 1, 5}, {1, 1, 0}, TriangleFeature::face},      {{-1, -1, 1}, {0, 0, 0}, TriangleFeature::vertex_a},
      {{6, -1, 0}, {4, 0, 0}, TriangleFeature::vertex_b}, {{-1, 7, -2}, {0, 4, 0}, TriangleFeature::vertex_c},
      {{1, -3, 2}, {1, 0, 0}, TriangleFeature::edge_ab},  {{4, 4, 1}, {2, 2, 0}, TriangleFeature::edge_bc},
      {{-2, 1, 0}, {0, 1, 0}, TriangleFeature::edge_ca}};
  for (const Case& c : cases) {
    const ClosestOnTriangle<3> got = closest_point(t, c.p);
    EXPECT_EQ(got.feature, c.feature);
    EXPECT_NEAR(distance(got.point, c.point), 0, 4 * kEps);
    EXPECT_NEAR(got.distance_squared, length_squared(c.p - c.point), 32 * kEps);
  }
}

// The distance never jumps when the point crosses from one region to the next
TEST(Closest, RegionsMeetWithoutAJump) {
  const Triangle<3> t{{0, 0, 0}, {3, Real(0.2), 0}, {1, 2, Real(0.5)}};
  Random random(campaign_seed(65));
  for (std::size_t i = 0; i < soak(300); ++i) {
    const Vec3 from = random_vec<3>(random, 5), to = random_vec<3>(random, 5);
    double before = 0;
    for (int k = 0; k <= 500; ++k) {
      const double d = std::sqrt(static_cast<double>(closest_point(t, lerp(from, to, Real(k) / 500)).distance_squared));
      if (k > 0) {
        ASSERT_LT(std::fabs(d - before), distance(from, to) / 500 + 64 * kEps);
      }
      before = d;
    }
  }
}

TEST(Closest, PointInABox) {
  const Vec3 lo{-1, -2, -3}, hi{1, 2, 3};
  EXPECT_EQ(closest_point_in_box(lo, hi, Vec3{0, 1, 2}), (Vec3{0, 1, 2}));
  EXPECT_EQ(closest_point_in_box(lo, hi, Vec3{5, -7, 2}), (Vec3{1, -2, 2}));
  EXPECT_EQ(closest_point_in_box(Vec2{0, 0}, Vec2{1, 1}, Vec2{-1, Real(0.5)}), (Vec2{0, Real(0.5)}));
}

// A length whose square underflows counts as none; NaN is not taken for an answer
TEST(Closest, SegmentsTooShortToMeasure) {
  const Real tiny = std::numeric_limits<Real>::min() * 4;
  const ClosestOnSegment<3> c = closest_point(Segment<3>{{0, 0, 0}, {tiny, 0, 0}}, Vec3{1, 0, 0});
  EXPECT_EQ(c.point, (Vec3{0, 0, 0}));
  EXPECT_EQ(c.t, 0);
  EXPECT_EQ(c.distance_squared, 1);
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_TRUE(std::isnan(closest_point(Segment<3>{{0, 0, 0}, {nan, 0, 0}}, Vec3{0, 0, 0}).distance_squared));
}

TEST(Closest, EndsAreHitExactly) {
  Random random(campaign_seed(66));
  for (int i = 0; i < 1000; ++i) {
    const Segment<3> s{random_vec<3>(random, 1e4), random_vec<3>(random, 1e4)};
    const Vec3 d = s.b - s.a;
    EXPECT_EQ(closest_point(s, s.b + d).point, s.b);
    EXPECT_EQ(closest_point(s, s.a - d).point, s.a);
    EXPECT_EQ(closest_point(s, s.b).point, s.b);
    EXPECT_EQ(closest_point(s, s.a).point, s.a);
  }
}
