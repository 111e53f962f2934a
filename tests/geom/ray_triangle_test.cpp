// Rays against triangles. Oracle: rational arithmetic on a lattice, by another road (the crossing with the plane, then
// half-planes; edges one by one where ray and triangle are coplanar).
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/ray_triangle.hpp>
#include <sudar/math/sampling.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <optional>

namespace {

using sudar::Random;
using sudar::Ray;
using sudar::Triangle;
using sudar::Vec3d;
using sudar_test::campaign_seed;

struct IntVec {
  std::int64_t x, y, z;
  friend IntVec operator-(const IntVec& a, const IntVec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  bool zero() const { return x == 0 && y == 0 && z == 0; }
};
std::int64_t idot(const IntVec& a, const IntVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
IntVec icross(const IntVec& a, const IntVec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
IntVec times(const IntVec& a, std::int64_t s) { return {a.x * s, a.y * s, a.z * s}; }

// The first t at which the ray meets a segment
std::optional<double> meet_edge(const IntVec& o, const IntVec& d, const IntVec& p, const IntVec& q) {
  const IntVec e = q - p, w = p - o, n = icross(d, e);
  if (n.zero()) {
    if (!icross(w, d).zero()) return {};
    const std::int64_t s = idot(w, d), t = idot(q - o, d);
    if (s < 0 && t < 0) return {};
    if (s < 0 || t < 0) return 0.0;
    return static_cast<double>(std::min(s, t)) / static_cast<double>(idot(d, d));
  }
  if (idot(w, n) != 0) return {};
  const std::int64_t nn = idot(n, n), t = idot(icross(w, e), n), s = idot(icross(w, d), n);
  if (t < 0 || s < 0 || s > nn) return {};
  return static_cast<double>(t) / static_cast<double>(nn);
}

std::optional<double> lattice_hit(const IntVec& o, const IntVec& d, const IntVec (&v)[3]) {
  const IntVec n = icross(v[1] - v[0], v[2] - v[0]);
  std::int64_t advance = idot(n, d), height = idot(n, v[0] - o);
  if (advance != 0) {
    if (advance < 0) advance = -advance, height = -height;
    if (height < 0) return {};
    // The point of the plane, times `advance`
    for (int i = 0; i < 3; ++i) {
      const IntVec edge = v[(i + 1) % 3] - v[i], from = times(o - v[i], advance), along = times(d, height);
      const IntVec to{from.x + along.x, from.y + along.y, from.z + along.z};
      if (idot(n, icross(edge, to)) < 0) return {};
    }
    return static_cast<double>(height) / static_cast<double>(advance);
  }
  if (!n.zero()) {
    if (height != 0) return {};
    bool in = true;
    for (int i = 0; i < 3; ++i) in = in && idot(n, icross(v[(i + 1) % 3] - v[i], o - v[i])) >= 0;
    if (in) return 0.0;
  }
  std::optional<double> first;
  for (int i = 0; i < 3; ++i)
    if (const auto t = meet_edge(o, d, v[i], v[(i + 1) % 3]); t && (!first || *t < *first)) first = t;
  return first;
}

Vec3d scaled(const IntVec& v, double s, const Vec3d& shift) {
  return Vec3d{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)} * s + shift;
}

TEST(RayTriangle, ExactOnALattice) {
  Random random(campaign_seed(1));
  int hits = 0;
  for (std::size_t i = 0; i < sudar_test::soak(60000); ++i) {
    const auto pick = [&](std::int64_t range) {
      const auto one = [&] {
        return static_cast<std::int64_t>(random.below(2 * static_cast<std::uint64_t>(range) + 1)) - range;
      };
      return IntVec{one(), one(), one()};
    };
    const IntVec v[3] = {pick(2), pick(2), pick(2)}, o = pick(3);
    IntVec d = pick(2);
    if (d.zero()) d.x = 1;
    const auto expected = lattice_hit(o, d, v);
    // Powers of two, and far from the origin: the same decisions
    const double s = i % 3 == 0 ? 1 : i % 3 == 1 ? 0x1p-40 : 0x1p40;
    const Vec3d shift = i % 2 == 0 ? Vec3d{} : Vec3d{0x1p30, -0x1p31, 0x1p29} * s;
    const Ray<3, double> ray{scaled(o, s, shift), scaled(d, i % 5 == 0 ? 0x1p-60 * s : s, {})};
    const Triangle<3, double> t{scaled(v[0], s, shift), scaled(v[1], s, shift), scaled(v[2], s, shift)};
    const auto hit = intersect(ray, t);
    ASSERT_EQ(hit.hit, expected.has_value()) << i;
    if (!hit.hit) continue;
    ++hits;
    const double unit = i % 5 == 0 ? 0x1p60 : 1;
    ASSERT_NEAR(hit.t / unit, *expected, 1e-14 * (1 + *expected)) << i;
    const auto w = weights_at(ray, t, hit.t);
    ASSERT_TRUE(w.u >= 0 && w.v >= 0 && w.u + w.v <= 1 + 1e-15);
    ASSERT_LE(max_abs(t.at(w.u, w.v) - ray.at(hit.t)), 1e-14 * (s * 20 + max_abs(shift))) << i;
  }
  EXPECT_GT(hits, static_cast<int>(sudar_test::soak(1000)));
}

// A fan of thin triangles around a corner: a ray at the corner hits all, one beside it exactly one or two
TEST(RayTriangle, EveryRayMeetsAFan) {
  Random random(campaign_seed(2));
  for (std::size_t round = 0; round < sudar_test::soak(2000); ++round) {
    const Vec3d hub = sudar::unit_vector<3>(random) * 3.0, o = sudar::point_in_ball<3>(random);
    Vec3d rim[12], u, w;
    make_frame(normalized(hub), u, w);
    for (int i = 0; i < 12; ++i) {
      const auto turn = sudar::sin_cos(i * sudar::kPi / 6);
      rim[i] = hub + (u * turn.cos + w * turn.sin) * random.uniform(1.5, 3) + hub * random.uniform(-0.2, 0.2);
    }
    const Vec3d target = round % 2 == 0 ? hub : lerp(hub, rim[round % 12], random.uniform(0, 0.2));
    int hits = 0;
    for (int i = 0; i < 12; ++i)
      hits += sudar::intersect(Ray<3, double>{o, target - o}, Triangle<3, double>{hub, rim[i], rim[(i + 1) % 12]}).hit;
    ASSERT_GE(hits, 1) << round;
  }
}

TEST(RayTriangle, GrazingTimesAreRightToTheLastDigits) {
  // In the plane z = x · slope, seen along x from z = -h: t = (distance) exactly where the plane is met
  for (int e = 1; e < 60; ++e) {
    const double slope = std::ldexp(1.0, -e);
    const Triangle<3, double> t{{-4, -1, -4 * slope}, {4, -1, 4 * slope}, {0, 3, 0}};
    const auto hit = sudar::intersect(Ray<3, double>{{-8, 0, slope}, {1, 0, 0}}, t);
    ASSERT_TRUE(hit.hit) << e;
    EXPECT_NEAR(hit.t, 9, 1e-12) << e;
  }
}

}  // namespace
