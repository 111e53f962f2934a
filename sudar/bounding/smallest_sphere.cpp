// What:    Smallest sphere of very many points: solve a sample, collect what lies outside, solve again.
// Source:  Gärtner, "Fast and robust smallest enclosing balls", 1999 (pivoting on the farthest point); Clarkson, "Las
//          Vegas algorithms for linear and integer programming when the dimension is small", 1995 (sampling).
// Differs: Gärtner solves the support and the new point by Welzl's recursion, we by trying its at most 15 support
//          sets and keeping the one that covers best, which needs no tolerance. Clarkson doubles weights; we keep
//          every point that was ever outside, so that there are at most D + 2 passes in exact arithmetic. The sample
//          is drawn with a fixed seed: the same points give the same sphere.
//          Near right angles a sphere grows by less than rounding while its centre moves by much more (half of the
//          digits). Pivoting would end or go round in circles there, so from then on no point that was farthest is
//          dropped again (SmallestSphere.NearlyRightTriangles).
// Frame:   Invariant: the ball of the working set never shrinks and is never larger than the answer, up to rounding.
// Fails:   see sphere_fit.hpp. Stops after some passes without growth and without a better centre; the best one is kept,
//          and the radius covers all points even then.
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

// Smallest sphere around points and one more that lies outside of the sphere around them: it is on the boundary
template <int D>
SupportedBall<D> with_outside(std::span<const Vec<D, double>> kept, const Vec<D, double>& p) {
  SupportedBall<D> best, next;
  best.radius2 = std::numeric_limits<double>::infinity();
  next.points[0] = p;
  const auto visit = [&](const auto& self, int size, std::size_t first) -> void {
    next.size = size;
    if (circumcenter<D>(next.points.data(), size, next.center)) {
      next.radius2 = std::fmax(length_squared(p - next.center), farthest_squared<D>(kept, next.center));
      if (next.radius2 < best.radius2) best = next;
    }
    for (std::size_t i = first; i < kept.size() && size <= D; ++i) {
      next.points[static_cast<std::size_t>(size)] = kept[i];
      self(self, size + 1, i + 1);
    }
  };
  visit(visit, 1, 0);
  return best;
}

// As solve, from a ball that grows no more by its own support and one point
template <int D>
double settle(std::span<const Vec<D, double>> points, SupportedBall<D>& ball, std::span<double> blocks) {
  // Sets of D + 1 of them are tried: more would take milliseconds
  constexpr std::size_t kMostKept = 24;
  std::vector<Vec<D, double>> kept(ball.points.begin(), ball.points.begin() + ball.size);
  SupportedBall<D> best;
  double covered = std::numeric_limits<double>::infinity();
  while (true) {
    const double far = farthest_by_block<D>(points, ball.center, blocks);
    if (far < covered) best = ball, covered = far;
    if (!outside(ball, far) || kept.size() == kMostKept) break;
    const Vec<D, double> p = points[find_farthest<D>(points, ball.center, far, blocks)];
    ball = with_outside<D>(kept, p);
    kept.push_back(p);
  }
  ball = best;
  return covered;
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
    if (!(next.radius2 > ball.radius2)) return settle<D>(points, ball, used);
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
  PickedCenter<D> best{{}, std::numeric_limits<double>::infinity()};
  int idle = 0;
  while (true) {
    solve<D>(working, ball, working_blocks);
    const double far = farthest_by_block<D>(points, ball.center, blocks);
    if (!outside(ball, far)) return {ball.center, far};
    idle = far < best.covered || ball.radius2 > reached ? 0 : idle + 1;
    if (far < best.covered) best = {ball.center, far};
    if (idle > D) return best;
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
