#include <sudar/core/random.hpp>
#include <sudar/math/pose_check.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/queries/query_tolerance.hpp>
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

bool in_reach(const Vec3d& place) { return is_finite(place) && max_abs(place) <= kMaxShapeSize; }

// Yes or no is all that is asked of a place: how deep it is would be a search
bool meets_some(const Shape3& robot, const Pose3d& pose, std::span<const PlacedShape3> obstacles) {
  const Aabb3d box = bounding_box(robot, pose);
  return std::any_of(obstacles.begin(), obstacles.end(), [&](const PlacedShape3& obstacle) {
    return overlap(box, bounding_box(obstacle.shape, obstacle.pose)) &&
           intersects(robot, pose, obstacle.shape, obstacle.pose);
  });
}

// Rotation and poses are checked, and at the start nothing meets: it would be right, and slow. Distances of bodies that are not
// convex may ask for memory: bad_alloc comes through.
bool is_free_way(const Shape3& robot, const Quatd& rotation, std::span<const PlacedShape3> obstacles, const Vec3d& from,
                 const Vec3d& to, double clearance, std::size_t* checks) {
  // Places are rounded, and what is proven of one must hold for those beside it
  if (!(clearance > kWayRounding * std::max(max_abs(from), max_abs(to)))) return false;
  const double way = distance(from, to);
  const Aabb3d swept =
      expand(merge(bounding_box(robot, Pose3d{from, rotation}), bounding_box(robot, Pose3d{to, rotation})), clearance);
  for (const PlacedShape3& obstacle : obstacles) {
    if (!overlap(swept, bounding_box(obstacle.shape, obstacle.pose))) continue;
    double gone = 0;
    for (std::size_t asked = 0;;) {
      const Vec3d place = gone < way ? lerp(from, to, gone / way) : to;
      const DistanceAnswer3 x = distance(robot, Pose3d{place, rotation}, obstacle.shape, obstacle.pose);
      if (checks != nullptr) ++*checks;
      if (x.hit || !(x.lower > clearance)) return false;
      if (!(gone < way)) break;
      if (++asked == kMostWayChecks) return false;
      // All of this step is at least half the clearance away
      gone += x.lower - clearance / 2;
    }
  }
  return true;
}

// Obstacles whose poses are as they should be: themselves, or copies of all of them in `kept`
Result<std::span<const PlacedShape3>> checked_obstacles(std::span<const PlacedShape3> obstacles,
                                                        std::vector<PlacedShape3>& kept) {
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    if (is_plain_pose<3>(obstacles[i].pose)) continue;
    const auto pose = checked_pose<3>(obstacles[i].pose, i);
    if (!pose) return pose.error();
    if (kept.empty()) kept.assign(obstacles.begin(), obstacles.end());
    kept[i].pose = *pose;
  }
  return kept.empty() ? obstacles : std::span<const PlacedShape3>(kept);
}

}  // namespace

bool straight_way_is_free(const Shape3& robot, const Quatd& rotation, std::span<const PlacedShape3> obstacles,
                          const Vec3d& from, const Vec3d& to, double clearance, std::size_t* checks) noexcept {
  if (!in_reach(from) || !in_reach(to) || !std::isfinite(clearance)) return false;
  const auto unit = checked_rotation(rotation, Error::kNoElement);
  if (!unit) return false;
  const auto answer = guarded([&]() -> Result<bool> {
    std::vector<PlacedShape3> kept;
    const auto placed = checked_obstacles(obstacles, kept);
    if (!placed) return placed.error();
    return !meets_some(robot, {from, *unit}, *placed) &&
           is_free_way(robot, *unit, *placed, from, to, clearance, checks);
  });
  return answer.ok() && *answer;
}

Result<Path3> find_path3(const Shape3& robot, const Quatd& rotation, std::span<const PlacedShape3> obstacles,
                         const Vec3d& start, const Vec3d& goal, const PathOptions3& options) noexcept {
  if (!is_finite(start) || !is_finite(goal) || !is_finite(options.bounds.lo) || !is_finite(options.bounds.hi) ||
      !std::isfinite(options.clearance) || !std::isfinite(options.step))
    return Error{ErrorCode::non_finite, Error::kNoElement, "a place or an option is NaN or infinite"};
  if (!robot.is_bounded()) return Error{ErrorCode::unsupported, Error::kNoElement, "the robot has no bounds"};
  if (!(options.clearance > 0) || !(options.step > 0) || !is_valid(options.bounds))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "clearance, step and bounds must be positive"};
  for (const Vec3d& place : {start, goal, options.bounds.lo, options.bounds.hi})
    if (!in_reach(place)) return Error{ErrorCode::too_large, Error::kNoElement, "a place is too far from the origin"};
  const double farthest = std::max(max_abs(start), max_abs(goal));
  if (!(options.clearance > kWayRounding * farthest) || !(options.step > kWayRounding * farthest))
    return Error{ErrorCode::invalid_argument, Error::kNoElement,
                 "clearance or step are lost in the rounding of places"};
  const auto unit = checked_rotation(rotation, Error::kNoElement);
  if (!unit) return unit.error();
  return guarded([&]() -> Result<Path3> {
    std::vector<PlacedShape3> kept;
    const auto placed = checked_obstacles(obstacles, kept);
    if (!placed) return placed.error();
    Path3 out;
    const auto free_way = [&](const Vec3d& a, const Vec3d& b) {
      return is_free_way(robot, *unit, *placed, a, b, options.clearance, &out.checks);
    };
    if (meets_some(robot, {start, *unit}, *placed) || !free_way(start, start))
      return Error{ErrorCode::invalid_argument, 0, "the start is not free"};
    if (meets_some(robot, {goal, *unit}, *placed) || !free_way(goal, goal))
      return Error{ErrorCode::invalid_argument, 1, "the goal is not free"};

    // Two trees that grow towards each other in turn
    Random random(options.seed);
    std::vector<WayNode> trees[2] = {{{start, 0}}, {{goal, 0}}};
    bool met = free_way(start, goal);
    if (met) trees[0].push_back({goal, 0});
    const auto may_grow = [&] { return trees[0].size() + trees[1].size() < kMostWayNodes; };
    for (int i = 0; i < options.max_iterations && !met && may_grow(); ++i) {
      ++out.iterations;
      std::vector<WayNode>&grown = trees[i % 2], &other = trees[1 - i % 2];
      Vec3d target;
      for (int k = 0; k < 3; ++k) target[k] = random.uniform(options.bounds.lo[k], options.bounds.hi[k]);
      const auto extend = [&](std::vector<WayNode>& tree, std::uint32_t from, const Vec3d& to) {
        const double d = distance(tree[from].place, to);
        const Vec3d next = d > options.step ? lerp(tree[from].place, to, options.step / d) : to;
        // A step that rounding loses leads nowhere
        const bool moves = !(d > options.step) || !(next == tree[from].place);
        const bool proven = moves && free_way(tree[from].place, next);
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
      if (!extend(grown, nearest(grown, target), target)) continue;
      const Vec3d wanted = grown.back().place;
      for (std::uint32_t from = nearest(other, wanted); may_grow() && extend(other, from, wanted);) {
        if (other.back().place == wanted) {
          met = true;
          if (options.trace != nullptr) options.trace->on_event({.step = "met", .numbers = {&wanted.x, 3}});
          break;
        }
        // Nearer than what was nearest; if not, the next step would be this one again
        const Vec3d &last = other.back().place, &before = other[from].place;
        if (!(length_squared(last - wanted) < length_squared(before - wanted))) break;
        from = static_cast<std::uint32_t>(other.size()) - 1;
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
