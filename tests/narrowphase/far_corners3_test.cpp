// Depths of hulls whose corners are many powers of ten apart. Oracle: the ways out across all triples of points of the difference.
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/narrowphase/convex_distance3.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace {

using namespace sudar;

// The least way out across any three points of the difference, in long doubles: never less than the depth
long double least_way_out(std::span<const Vec3d> p, std::span<const Vec3d> q, const Placement3& at) {
  using Wide = std::array<long double, 3>;
  std::vector<Wide> w;
  for (const Vec3d& u : p)
    for (const Vec3d& v : q) {
      Wide& x = w.emplace_back();
      for (int i = 0; i < 3; ++i) {
        long double turned = at.translation[i];
        for (int k = 0; k < 3; ++k) turned += static_cast<long double>(at.turn[k][i]) * v[k];
        x[static_cast<std::size_t>(i)] = u[i] - turned;
      }
    }
  long double least = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < j; ++k) {
        const auto from = [&](std::size_t to, std::size_t c) { return w[to][c] - w[i][c]; };
        const Wide n{from(j, 1) * from(k, 2) - from(j, 2) * from(k, 1),
                     from(j, 2) * from(k, 0) - from(j, 0) * from(k, 2),
                     from(j, 0) * from(k, 1) - from(j, 1) * from(k, 0)};
        const long double size = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (!(size > 0)) continue;
        long double up = 0, down = 0;
        for (const Wide& x : w) {
          const long double h = (n[0] * x[0] + n[1] * x[1] + n[2] * x[2]) / size;
          up = std::max(up, h), down = std::max(down, -h);
        }
        least = std::min({least, up, down});
      }
  return least;
}
// What is proven of a depth is no more than any way out
void expect_no_shorter_way(std::span<const Vec3d> p, std::span<const Vec3d> q, const Placement3& at,
                           std::size_t& hits) {
  const auto a = make_hull_shape3(p), b = make_hull_shape3(q);
  if (!a || !b) return;
  const DistanceAnswer3 x = convex_distance3(*a, *b, at);
  if (!x.hit) return;
  ++hits;
  EXPECT_LE(x.lower, x.separation);
  EXPECT_LE(x.separation, x.upper);
  EXPECT_NE(x.status, QueryStatus::max_iterations);
  // Long doubles have 64 bits, and no coordinate is larger than 2^60
  EXPECT_LE(-x.upper, static_cast<double>(least_way_out(p, q, at)) + 1);
}

TEST(ConvexDistance3, CornersFarApart) {
  std::size_t hits = 0;
  // Found by the fuzzer: the plane of a face with a sharp corner passed its far corners at a distance
  const Vec3d unit[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  constexpr double kNear = 0x1.28000000004p+27;
  const Vec3d far[] = {{kNear, kNear, kNear},
                       {kNear, -0x1.33ffffffffcp+27, -0x1.4p+28},
                       {-0x1.4p+28, -0x1.4p+28, -0x1.4p+28},
                       {0x1.b0e4ap+58, 0, 0},
                       {0, 0x1p+25, 0x1.fcp+27},
                       {-0x1.8395eep+46, kNear, kNear}};
  const Pose3d turned{{-0x1.bp+1, 0x1.3ffffffffffffp+0, 0x1.cp+0},
                      {0x1.5b3e4cc400f7fp-5, -0x1.5b3e4cc400f7fp-1, -0x1.5b3e4cc400f7fp-1, -0x1.1e79cc21b3ffcp-2}};
  expect_no_shorter_way(unit, far, make_placement(Pose3d{{-10, -10, -10}, {}}, turned), hits);
  EXPECT_EQ(hits, 1u);

  Random random(sudar_test::campaign_seed(18));
  const std::size_t count = sudar_test::soak(400);
  for (std::size_t k = 0; k < count; ++k) {
    // From a metre to 2^58 of them
    const auto points_of = [&](std::size_t corners, std::uint32_t most) {
      std::vector<Vec3d> points(corners);
      for (Vec3d& p : points)
        for (int i = 0; i < 3; ++i) p[i] = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(most + 1)));
      return points;
    };
    const std::vector<Vec3d> p = points_of(4, 0), q = points_of(4 + random.below(3), 58);
    expect_no_shorter_way(p, q, make_placement(Pose3d{{}, sudar_test::random_rotation(random)}), hits);
    ASSERT_FALSE(HasFailure()) << k;
  }
  EXPECT_GT(hits, count / 20);
}

}  // namespace
