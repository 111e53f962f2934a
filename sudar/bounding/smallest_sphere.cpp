// What:    Smallest sphere of very many points: solve a sample, collect what lies outside, solve again.
// Source:  Gärtner, "Fast and robust smallest enclosing balls", 1999 (pivoting on the farthest point); Clarkson, "Las
//          Vegas algorithms for linear and integer programming when the dimension is small", 1995 (sampling).
// Differs: Gärtner solves the support and the new point by Welzl's recursion, we by trying its at most 15 support
//          sets and keeping the one that covers best, which needs no tolerance. Clarkson doubles weights; we keep
//          every point that was ever outside, so that there are at most D + 2 passes in exact arithmetic. The sample
//          is drawn with a fixed seed: the same points give the same sphere.
// Frame:   Invariant: the ball of the working set never shrinks and is never larger than the answer, up to rounding.
// Fails:   see sphere_fit.hpp. Stops when a pass brings no growth; the radius covers all points even then.
#include <sudar/bounding/sphere_fit.hpp>
#include <sudar/bounding/sphere_support.hpp>
#include <sudar/core/random.hpp>

#include <algorithm>
#include <vector>

namespace sudar {
namespace {

template <int D>
bool outside(const SupportedBall<D>& ball, double squared) {
  return squared > ball.radius2 * (1 + kSphereProgress);
}

// The first point of the farthest block whose squared distance is `far`
template <int D>
std::uint32_t find_farthest(std::span<const Vec<D, double>> points, const Vec<D, double>& c, double far,
                            std::span<const double> blocks) {
  const auto block = static_cast<std::size_t>(std::find(blocks.begin(), blocks.end(), far) - blocks.begin());
  std::size_t i = block * kPointScanBlock;
  while (i + 1 < points.size() && length_squared(points[i] - c) != far) ++i;
  return static_cast<std::uint32_t>(i);
}

// Pivot on the farthest point until none is outside. Returns the largest squared distance from the centre.
template <int D>
double solve(std::span<const Vec<D, double>> points, SupportedBall<D>& ball, std::vector<double>& blocks) {
  blocks.resize(std::max(blocks.size(), scan_blocks(points.size())));
  const std::span<double> used(blocks.data(), scan_blocks(points.size()));
  while (true) {
    const double far = farthest_by_block<D>(points, ball.center, used);
    if (!outside(ball, far)) return far;
    const std::uint32_t i = find_farthest<D>(points, ball.center, far, used);
    const SupportedBall<D> next = add_outside<D>(ball, points[i], i);
    if (!(next.radius2 > ball.radius2)) return far;
    ball = next;
  }
}

template <int D>
PickedCenter<D> pick_smallest(std::span<const Vec<D, double>> points) {
  using V = Vec<D, double>;
  std::vector<double> blocks(scan_blocks(points.size()));
  SupportedBall<D> ball;
  ball.points[0] = ball.center = points[0];
  ball.size = 1;

  // Few points: solve them all
  constexpr std::size_t kFew = 16384, kSamplesPerRoot = 4;
  if (points.size() <= kFew) {
    const double far = solve<D>(points, ball, blocks);
    return {ball.center, far};
  }

  // A sample of some √n points leaves some √n points outside on average
  std::vector<V> working;
  Random random(0x5eed);
  const auto samples = kSamplesPerRoot * static_cast<std::size_t>(std::sqrt(static_cast<double>(points.size())));
  for (std::size_t i = 0; i < samples; ++i) working.push_back(points[random.below(points.size())]);
  std::vector<double> working_blocks;
  double reached = -1;
  while (true) {
    solve<D>(working, ball, working_blocks);
    const double far = farthest_by_block<D>(points, ball.center, blocks);
    if (!outside(ball, far) || !(ball.radius2 > reached)) return {ball.center, far};
    reached = ball.radius2;
    // Take in whatever is outside, looking only into blocks that have such a point
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      if (!outside(ball, blocks[block])) continue;
      const std::size_t end = std::min(points.size(), (block + 1) * kPointScanBlock);
      for (std::size_t i = block * kPointScanBlock; i < end; ++i)
        if (outside(ball, length_squared(points[i] - ball.center))) working.push_back(points[i]);
    }
  }
}

}  // namespace

template <int D>
Result<Sphere<D, double>> smallest_sphere(std::span<const Vec<D, double>> all) noexcept {
  return guarded([&] {
    return fit_sphere<D>(
        all, [](std::span<const Vec<D, double>> points, const Aabb<D, double>&) { return pick_smallest<D>(points); });
  });
}

template Result<Sphere<2, double>> smallest_sphere<2>(std::span<const Vec2d>) noexcept;
template Result<Sphere<3, double>> smallest_sphere<3>(std::span<const Vec3d>) noexcept;

}  // namespace sudar
