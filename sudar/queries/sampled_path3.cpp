#include <sudar/core/random.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/queries/sampled_path3.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar {

namespace {

struct WayNode {
  Vec3d place;
  std::uint32_t parent;
};

std::uint32_t nearest(const std::vector<WayNode>& tree, const Vec3d& p) {
  std::uint32_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < tree.size(); ++i)
    if (const double d = length_squared(tree[i].place - p); d < least) best = i, least = d;
  return best;
}

double length_of(const std::vector<Vec3d>& points) {
  double sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i) sum += distance(points[i - 1], points[i]);
  return sum;
}

}  // namespace

bool straight_way_is_free(const Shape3& robot, const Quatd& rotation, std::span<const PlacedShape3> obstacles,
                          const Vec3d& from, const Vec3d& to, double clearance, std::size_t* checks) noexcept {
  const double way = distance(from, to);
  const Aabb3d swept =
      expand(merge(bounding_box(robot, Pose3d{from, rotation}), bounding_box(robot, Pose3d{to, rotation})), clearance);
  for (const PlacedShape3& obstacle : obstacles) {
    if (!overlap(swept, bounding_box(obstacle.shape, obstacle.pose))) continue;
    for (double gone = 0;;) {
      const Vec3d place = gone < way ? lerp(from, to, gone / way) : to;
      const DistanceAnswer3 x = distance(robot, Pose3d{place, rotation}, obstacle.shape, obstacle.pose);
      if (checks != nullptr) ++*checks;
      if (x.hit || !(x.lower > clearance)) return false;
      if (!(gone < way)) break;
      // All of this step is at least half the clearance away
      gone += x.lower - clearance / 2;
    }
  }
  return true;
}

Result<Path3> find_path3(const Shape3& robot, const Quatd& rotation, std::span<const PlacedShape3> obstacles,
                         const Vec3d& start, const Vec3d& goal, const PathOptions3& options) noexcept {
  if (!is_finite(start) || !is_finite(goal) || !is_finite(options.bounds.lo) || !is_finite(options.bounds.hi) ||
      !std::isfinite(options.clearance) || !std::isfinite(options.step))
    return Error{ErrorCode::non_finite, Error::kNoElement, "a place or an option is NaN or infinite"};
  if (!robot.is_bounded()) return Error{ErrorCode::unsupported, Error::kNoElement, "the robot has no bounds"};
  if (!(options.clearance > 0) || !(options.step > 0) || !is_valid(options.bounds))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "clearance, step and bounds must be positive"};
  return guarded([&]() -> Result<Path3> {
    Path3 out;
    const auto free_way = [&](const Vec3d& a, const Vec3d& b) {
      return straight_way_is_free(robot, rotation, obstacles, a, b, options.clearance, &out.checks);
    };
    if (!free_way(start, start)) return Error{ErrorCode::invalid_argument, 0, "the start is not free"};
    if (!free_way(goal, goal)) return Error{ErrorCode::invalid_argument, 1, "the goal is not free"};

    // Two trees that grow towards each other in turn
    Random random(options.seed);
    std::vector<WayNode> trees[2] = {{{start, 0}}, {{goal, 0}}};
    bool met = free_way(start, goal);
    if (met) trees[0].push_back({goal, 0});
    for (int i = 0; i < options.max_iterations && !met; ++i) {
      ++out.iterations;
      std::vector<WayNode>&grown = trees[i % 2], &other = trees[1 - i % 2];
      Vec3d target;
      for (int k = 0; k < 3; ++k) target[k] = random.uniform(options.bounds.lo[k], options.bounds.hi[k]);
      const auto extend = [&](std::vector<WayNode>& tree, const Vec3d& to) {
        const std::uint32_t from = nearest(tree, to);
        const double d = distance(tree[from].place, to);
        const Vec3d next = d > options.step ? lerp(tree[from].place, to, options.step / d) : to;
        const bool proven = free_way(tree[from].place, next);
        if (options.trace != nullptr) {
          const std::uint32_t ids[] = {&tree == &trees[0] ? 0u : 1u, from};
          const Vec3d& p = tree[from].place;
          const double numbers[] = {p.x, p.y, p.z, next.x, next.y, next.z};
          options.trace->on_event({.step = proven ? "extend" : "blocked", .ids = ids, .numbers = numbers, .value = d});
        }
        if (!proven) return false;
        tree.push_back({next, from});
        return true;
      };
      if (!extend(grown, target)) continue;
      const Vec3d wanted = grown.back().place;
      while (extend(other, wanted))
        if (other.back().place == wanted) {
          met = true;
          if (options.trace != nullptr) options.trace->on_event({.step = "met", .numbers = {&wanted.x, 3}});
          break;
        }
    }
    if (!met) return out;
    const auto report_way = [&] {
      if (options.trace == nullptr) return;
      options.trace->on_event(
          {.step = "way", .numbers = {&out.points[0].x, 3 * out.points.size()}, .value = length_of(out.points)});
    };

    // Both branches, from start to goal
    out.found = true;
    const auto branch = [&](const std::vector<WayNode>& tree) {
      std::vector<Vec3d> points;
      for (std::uint32_t i = static_cast<std::uint32_t>(tree.size()) - 1;; i = tree[i].parent) {
        points.push_back(tree[i].place);
        if (i == 0) return points;
      }
    };
    out.points = branch(trees[0]);
    std::reverse(out.points.begin(), out.points.end());
    if (!(out.points.back() == goal)) {
      const std::vector<Vec3d> rest = branch(trees[1]);
      out.points.insert(out.points.end(), rest.begin() + 1, rest.end());
    }
    report_way();
    // Cut corners: between two places of the way, straight
    for (int i = 0; i < options.shortcuts && out.points.size() > 2; ++i) {
      const std::size_t a = random.below(out.points.size() - 1), b = random.below(out.points.size() - 1);
      const double s = random.uniform(), t = random.uniform();
      const auto [first, second] = std::minmax({std::pair(a, s), std::pair(b, t)});
      if (first.first == second.first) continue;
      const Vec3d p = lerp(out.points[first.first], out.points[first.first + 1], first.second);
      const Vec3d q = lerp(out.points[second.first], out.points[second.first + 1], second.second);
      if (!free_way(p, q)) continue;
      std::vector<Vec3d> cut(out.points.begin(), out.points.begin() + static_cast<std::ptrdiff_t>(first.first) + 1);
      cut.insert(cut.end(), {p, q});
      cut.insert(cut.end(), out.points.begin() + static_cast<std::ptrdiff_t>(second.first) + 1, out.points.end());
      // The ends of the cut are new places on old ways, so these are asked again
      if (!free_way(cut[first.first], p) || !free_way(q, cut[first.first + 3])) continue;
      if (!(length_of(cut) < length_of(out.points))) continue;
      out.points = std::move(cut);
      report_way();
    }
    out.length = length_of(out.points);
    return out;
  });
}

}  // namespace sudar
