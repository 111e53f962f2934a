// The oracle of the exact campaigns against plainer ones: Carathéodory's theorem in integers for yes and no, the least distance over
// all pairs of features in rational numbers, closed forms.
#include "tests/geom/integer_hull.hpp"
#include "tests/support/exact_points.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace {

using namespace sudar;
using sudar_test::exact_points;
using sudar_test::ExactPoints;
using sudar_test::Int128;
using sudar_test::nearest;
using sudar_test::Rational;
using FeaturePoint = sudar_test::Point<Rational>;

Rational least(const Rational& x, const Rational& y) { return x < y ? x : y; }
FeaturePoint along(const FeaturePoint& p, const FeaturePoint& d, const Rational& t) {
  return {Rational(p[0] + d[0] * t), Rational(p[1] + d[1] * t), Rational(p[2] + d[2] * t)};
}
Rational square_between(const FeaturePoint& p, const FeaturePoint& q) {
  const FeaturePoint d = sudar_test::minus3(p, q);
  return sudar_test::dot3(d, d);
}
// Clamped along the segment
Rational vertex_edge(const FeaturePoint& x, const FeaturePoint& p, const FeaturePoint& q) {
  const FeaturePoint d = sudar_test::minus3(q, p);
  const Rational whole = sudar_test::dot3(d, d);
  if (whole == 0) return square_between(x, p);
  Rational t = sudar_test::dot3(sudar_test::minus3(x, p), d) / whole;
  t = t < 0 ? Rational(0) : t > 1 ? Rational(1) : t;
  return square_between(x, along(p, d, t));
}
// Over the inside of the face only
std::optional<Rational> vertex_face(const FeaturePoint& x, const FeaturePoint (&t)[3]) {
  const FeaturePoint n = sudar_test::cross3(sudar_test::minus3(t[1], t[0]), sudar_test::minus3(t[2], t[0]));
  const Rational whole = sudar_test::dot3(n, n);
  if (whole == 0) return {};
  for (int i = 0; i < 3; ++i) {
    const FeaturePoint side = sudar_test::cross3(n, sudar_test::minus3(t[(i + 1) % 3], t[i]));
    if (sudar_test::dot3(side, sudar_test::minus3(x, t[i])) < 0) return {};
  }
  const Rational height = sudar_test::dot3(n, sudar_test::minus3(x, t[0]));
  return Rational(height * height / whole);
}
// Where the lines come nearest, when that is on both
std::optional<Rational> edge_edge(const FeaturePoint& p, const FeaturePoint& q, const FeaturePoint& r,
                                  const FeaturePoint& s) {
  const FeaturePoint d = sudar_test::minus3(q, p), e = sudar_test::minus3(s, r), w = sudar_test::minus3(p, r);
  const Rational dd = sudar_test::dot3(d, d), de = sudar_test::dot3(d, e), ee = sudar_test::dot3(e, e),
                 dw = sudar_test::dot3(d, w), ew = sudar_test::dot3(e, w), whole = dd * ee - de * de;
  if (whole == 0) return {};
  const Rational x = (de * ew - ee * dw) / whole, y = (dd * ew - de * dw) / whole;
  if (x < 0 || x > 1 || y < 0 || y > 1) return {};
  return square_between(along(p, d, x), along(r, e, y));
}
// An edge through a face: vertices on both sides, and the crossing inside
bool edge_crosses_face(const FeaturePoint& p, const FeaturePoint& q, const FeaturePoint (&t)[3]) {
  const FeaturePoint n = sudar_test::cross3(sudar_test::minus3(t[1], t[0]), sudar_test::minus3(t[2], t[0]));
  const Rational f = sudar_test::dot3(n, sudar_test::minus3(p, t[0])),
                 g = sudar_test::dot3(n, sudar_test::minus3(q, t[0]));
  if (!((f < 0 && g > 0) || (f > 0 && g < 0))) return false;
  const FeaturePoint x = along(p, sudar_test::minus3(q, p), Rational(f / (f - g)));
  return vertex_face(x, t).has_value();
}

// Vertex–face, edge–edge, vertex–edge of two triangles
Rational least_over_features(const FeaturePoint (&a)[3], const FeaturePoint (&b)[3]) {
  Rational best = square_between(a[0], b[0]);
  for (int i = 0; i < 3; ++i)
    for (const auto* way : {&a, &b}) {
      const FeaturePoint(&from)[3] = *way, (&to)[3] = way == &a ? b : a;
      if (const auto x = vertex_face(from[i], to)) best = least(best, *x);
      if (edge_crosses_face(from[i], from[(i + 1) % 3], to)) return 0;
      for (int j = 0; j < 3; ++j) best = least(best, vertex_edge(from[i], to[j], to[(j + 1) % 3]));
    }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (const auto x = edge_edge(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3])) best = least(best, *x);
  return best;
}

TEST(NearestOracle, DecidesAsCaratheodoryDoes) {
  Random random(sudar_test::campaign_seed(331));
  const std::size_t count = sudar_test::soak(2000);
  std::size_t hits = 0;
  for (std::size_t n = 0; n < count; ++n) {
    std::vector<sudar_test::Int3> ints[2];
    sudar_test::Points<Int128> points[2];
    const std::uint64_t reach = 1 + random.below(5);
    for (int side = 0; side < 2; ++side)
      for (std::uint64_t k = 1 + random.below(4); k > 0; --k) {
        sudar_test::Int3 p;
        for (int i = 0; i < 3; ++i)
          p[i] = static_cast<std::int64_t>(random.below(2 * reach + 1)) + (side == 0 ? 0 : static_cast<int>(n % 3));
        ints[side].push_back(p);
        points[side].push_back({p.x, p.y, p.z});
      }
    const bool truth = sudar_test::hulls_meet(ints[0], ints[1]);
    ASSERT_EQ(nearest(points[0], points[1]).hit(), truth) << n;
    hits += truth;
  }
  EXPECT_GT(hits, count / 16);
  EXPECT_LT(hits, count - count / 16);
}

TEST(NearestOracle, MeasuresTheLeastOverAllFeatures) {
  Random random(sudar_test::campaign_seed(332));
  for (std::size_t n = 0; n < sudar_test::soak(500); ++n) {
    std::vector<Vec3d> corners[2];
    FeaturePoint t[2][3];
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < 3; ++i) {
        Vec3d p = sudar_test::random_point<3>(random);
        // On a lattice, and far apart in size
        if (n % 2 == 0)
          for (int k = 0; k < 3; ++k) p[k] = std::round(3 * p[k]);
        if (n % 5 == 0 && side == 1) p *= 0x1p-30;
        corners[side].push_back(p);
        t[side][i] = {Rational(p.x), Rational(p.y), Rational(p.z)};
      }
    const ExactPoints points = exact_points(corners[0], corners[1]);
    ASSERT_EQ(points.square(nearest(points.a, points.b)), least_over_features(t[0], t[1])) << n;
  }
}

TEST(NearestOracle, ClosedForms) {
  const std::vector<Vec3d> cube = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                   {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
  const auto square = [&](const Vec3d& move, const Vec3d& rest = {}) {
    Placement3 at;
    at.translation = move, at.rest = rest;
    const ExactPoints points = exact_points(cube, cube, at);
    return points.square(nearest(points.a, points.b));
  };
  EXPECT_EQ(square({3, 0.5, 0.25}), 1);
  EXPECT_EQ(square({3, 4, 0}), 5);
  EXPECT_EQ(square({3, 4, 5}), 14);
  EXPECT_EQ(square({2, 0, 0}), 0);
  EXPECT_EQ(square({2, 0, 0}, {0x1p-80, 0, 0}), Rational(0x1p-160));
  EXPECT_EQ(square({0.5, 0, 1e-300}), 0);
  // A turn that is no rotation is taken as it is
  Placement3 turned;
  turned.turned = true;
  turned.turn = {{0, 2, 0}, {-2, 0, 0}, {0, 0, 2}};
  turned.translation = {0, 0, 4};
  const ExactPoints points = exact_points(cube, cube, turned);
  EXPECT_EQ(points.square(nearest(points.a, points.b)), 1);
}

}  // namespace
