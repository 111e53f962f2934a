// The oracle of exact depths against a plainer one: the least over every direction that is square to three corners of the difference
// (two in the plane), closed forms.
#include "tests/support/depth_oracle.hpp"

#include "tests/support/exact_points.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using sudar_test::cross3;
using sudar_test::deepest;
using sudar_test::deepest_in_plane;
using sudar_test::dot3;
using sudar_test::Int128;
using sudar_test::Nearest;
using sudar_test::nearest;
using LatticePoint = sudar_test::Point<Int128>;
using LatticePoints = sudar_test::Points<Int128>;

LatticePoints difference_of(const LatticePoints& a, const LatticePoints& b) {
  LatticePoints out;
  for (const LatticePoint& p : a)
    for (const LatticePoint& q : b) out.push_back(sudar_test::minus3(p, q));
  return out;
}

// A fraction: the square of a depth
struct Square {
  Int128 over = 0, under = 0;
};
void look(const LatticePoints& w, const LatticePoint& normal, Square& best) {
  const Int128 own = dot3(normal, normal);
  if (own == 0) return;
  Int128 level = dot3(normal, w[0]);
  for (const LatticePoint& p : w) level = std::max(level, dot3(normal, p));
  if (best.under == 0 || level * level * best.under < best.over * own) best = {level * level, own};
}
Square least_over_planes(const LatticePoints& w, bool flat) {
  Square best;
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const LatticePoint d = sudar_test::minus3(w[i], w[j]);
      const auto both = [&](const LatticePoint& n) {
        look(w, n, best);
        look(w, {-n[0], -n[1], -n[2]}, best);
      };
      if (flat) both({d[1], -d[0], 0});
      for (std::size_t k = 0; k < j && !flat; ++k) both(cross3(d, sudar_test::minus3(w[k], w[j])));
    }
  return best;
}
bool same(const Nearest<Int128>& x, const Square& truth) {
  if (truth.under == 0 || truth.over == 0) return x.level == 0;
  return x.level * x.level * truth.under == truth.over * dot3(x.v, x.v);
}

TEST(DepthOracle, IsTheLeastOverAllPlanes) {
  sudar::Random random(sudar_test::campaign_seed(333));
  const std::size_t count = sudar_test::soak(400);
  std::size_t met = 0, deep = 0;
  for (std::size_t n = 0; met < count; ++n) {
    const bool flat = n % 2 == 0;
    LatticePoints points[2];
    const std::uint64_t reach = 1 + random.below(5);
    for (LatticePoints& side : points)
      for (std::uint64_t k = 1 + random.below(6); k > 0; --k) {
        LatticePoint p{};
        for (std::size_t i = 0; i < (flat ? 2 : 3); ++i)
          p[i] = static_cast<std::int64_t>(random.below(2 * reach + 1)) - static_cast<std::int64_t>(reach);
        side.push_back(p);
      }
    if (!nearest(points[0], points[1]).hit()) continue;
    const Square truth = least_over_planes(difference_of(points[0], points[1]), flat);
    const Nearest<Int128> x = flat ? deepest_in_plane(points[0], points[1]) : deepest(points[0], points[1]);
    ASSERT_TRUE(same(x, truth)) << n;
    ++met, deep += x.level > 0;
  }
  EXPECT_GT(4 * deep, count);
  EXPECT_LT(deep, count);
}

TEST(DepthOracle, ClosedForms) {
  const std::vector<sudar::Vec3d> cube = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                          {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
  const auto square = [&](const sudar::Vec3d& move) {
    sudar::Placement3 at;
    at.translation = move;
    const auto points = sudar_test::exact_points(cube, cube, at);
    return points.square(deepest(points.a, points.b));
  };
  EXPECT_EQ(square({}), 4);
  EXPECT_EQ(square({0.5, 1.25, 0}), sudar_test::Rational(9, 16));
  EXPECT_EQ(square({0, 0, -1.5}), sudar_test::Rational(1, 4));
  EXPECT_EQ(square({2, 2, 2}), 0);
  EXPECT_THROW(square({2.5, 0, 0}), std::logic_error);
}

}  // namespace
