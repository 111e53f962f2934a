#include "cli/robot_check.hpp"

#include <sudar/geom/disjoint_sets.hpp>
#include <sudar/narrowphase/collide3.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>

namespace sudar_cli {

namespace {

using sudar::Pose3d;
using sudar::Vec3d;

// Lower bound of the distance of what is in two boxes
double gap_of(const sudar::Aabb3d& a, const sudar::Aabb3d& b) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double gap = std::max({a.lo[k] - b.hi[k], b.lo[k] - a.hi[k], 0.0});
    sum += gap * gap;
  }
  return std::sqrt(sum) * (1 - 4 * std::numeric_limits<double>::epsilon());
}

// One body at one pose
struct PlacedBody {
  std::vector<Pose3d> poses;  // of its shapes
  std::vector<sudar::Aabb3d> boxes;
  sudar::Aabb3d box = sudar::Aabb3d::empty();
};

struct NearShapes {
  sudar::DistanceAnswer3 answer;
  bool unknown = false;  // surfaces that are not solid meet: there is no depth
};
// The two shapes of two bodies that are nearest, or deepest in each other. Nothing nearer than `best`: nothing.
std::optional<NearShapes> nearest_shapes(const RobotBody& a, const PlacedBody& at_a, const RobotBody& b,
                                         const PlacedBody& at_b, double best) {
  std::optional<NearShapes> out;
  for (std::size_t i = 0; i < a.shapes.size(); ++i)
    for (std::size_t j = 0; j < b.shapes.size(); ++j) {
      // Boxes that meet may hold shapes of any depth
      const double gap = gap_of(at_a.boxes[i], at_b.boxes[j]);
      if (gap > 0 && gap >= best) continue;
      NearShapes near{distance(a.shapes[i].shape, at_a.poses[i], b.shapes[j].shape, at_b.poses[j])};
      near.unknown = near.answer.hit && !(a.shapes[i].solid && b.shapes[j].solid);
      if (out && near.answer.separation >= out->answer.separation && !(near.unknown && !out->answer.hit)) continue;
      if (!near.answer.hit && near.answer.separation >= best) continue;
      best = std::min(best, near.answer.separation);
      out = near;
    }
  return out;
}

}  // namespace

std::vector<SkippedPair> joined_pairs(const Robot& robot, const std::vector<RobotBody>& bodies) {
  const std::size_t links = robot.links.size();
  std::vector<std::uint32_t> body_of(links, sudar::kNoIndex);
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].link) body_of[*bodies[i].link] = i;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> reasons;
  const auto add = [&](std::uint32_t p, std::uint32_t q, const std::string& reason) {
    const std::uint32_t a = body_of[p], b = body_of[q];
    if (a != sudar::kNoIndex && b != sudar::kNoIndex && a != b)
      reasons.try_emplace({std::min(a, b), std::max(a, b)}, reason);
  };
  std::vector<std::vector<std::uint32_t>> around(links);  // links across a joint
  for (const RobotJoint& joint : robot.joints) {
    add(joint.parent, joint.child, "adjacent: joined by " + joint.name);
    around[joint.parent].push_back(joint.child);
    around[joint.child].push_back(joint.parent);
  }
  // Through links without geometry; from each link, so that a chain of them is passed as well
  for (std::uint32_t start = 0; start < links; ++start) {
    if (body_of[start] == sudar::kNoIndex) continue;
    struct Step {
      std::uint32_t link, from, through;
    };
    std::vector<Step> open;
    for (const std::uint32_t next : around[start])
      if (body_of[next] == sudar::kNoIndex) open.push_back({next, start, next});
    while (!open.empty()) {
      const Step step = open.back();
      open.pop_back();
      for (const std::uint32_t next : around[step.link]) {
        if (next == step.from) continue;
        if (body_of[next] == sudar::kNoIndex)
          open.push_back({next, step.link, step.through});
        else
          add(start, next, "adjacent: joined through " + robot.links[step.through].name + ", which has no geometry");
      }
    }
  }
  // Links that only fixed joints part
  sudar::DisjointSets rigid(static_cast<std::uint32_t>(links));
  for (const RobotJoint& joint : robot.joints)
    if (joint.kind == RobotJointKind::fixed) rigid.join(joint.parent, joint.child);
  for (std::uint32_t p = 0; p < links; ++p)
    for (std::uint32_t q = p + 1; q < links; ++q)
      if (body_of[p] != sudar::kNoIndex && body_of[q] != sudar::kNoIndex && rigid.find(p) == rigid.find(q))
        add(p, q, "they never move against each other: only fixed joints between them");
  std::vector<SkippedPair> out;
  for (const auto& [pair, reason] : reasons) out.push_back({pair.first, pair.second, reason});
  return out;
}

std::vector<Pose3d> body_poses(const Robot& robot, const std::vector<RobotBody>& bodies,
                               const std::vector<double>& values) {
  const std::vector<Pose3d> links = robot.poses(values);
  std::vector<Pose3d> out;
  for (const RobotBody& body : bodies) out.push_back(body.link ? links[*body.link] : Pose3d{});
  return out;
}

RobotRun::RobotRun(const Robot& robot, const RobotStates& states, const std::vector<RobotBody>& bodies,
                   std::vector<RobotPair> pairs, const ClashLimits& limits, ClashControl& control)
    : robot_(robot), states_(states), bodies_(bodies), pairs_(std::move(pairs)), limits_(limits), control_(control) {
  const std::uint64_t n = bodies.size();
  found_.counts.objects = n;
  found_.counts.pairs = n * (n > 0 ? n - 1 : 0) / 2;
  found_.states.resize(states.values.size());
}

void RobotRun::run(sudar::Executor& executor) {
  const auto start = std::chrono::steady_clock::now();
  control_.done = 0;
  control_.total = states_.values.size();
  std::atomic<bool> full{false};
  sudar::parallel_for(executor, states_.values.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t state = begin; state < end; ++state) {
      if (control_.stop.load(std::memory_order_relaxed) || full) return;
      const std::vector<Pose3d> poses = body_poses(robot_, bodies_, states_.values[state]);
      std::vector<PlacedBody> placed(bodies_.size());
      for (std::size_t i = 0; i < bodies_.size(); ++i)
        for (const RobotShape& shape : bodies_[i].shapes) {
          const Pose3d pose = poses[i] * shape.link_from_shape;
          placed[i].poses.push_back(pose);
          placed[i].boxes.push_back(bounding_box(shape.shape, pose));
          placed[i].box = merge(placed[i].box, placed[i].boxes.back());
        }
      // Nearer boxes first
      struct Candidate {
        double gap;
        RobotPair pair;
      };
      std::vector<Candidate> near;
      near.reserve(pairs_.size());
      for (const RobotPair& pair : pairs_) near.push_back({gap_of(placed[pair.a].box, placed[pair.b].box), pair});
      std::sort(near.begin(), near.end(), [](const Candidate& x, const Candidate& y) {
        return x.gap != y.gap ? x.gap < y.gap : x.pair.a != y.pair.a ? x.pair.a < y.pair.a : x.pair.b < y.pair.b;
      });
      StateResult result;
      result.done = true;
      result.distance = std::numeric_limits<double>::infinity();
      std::vector<StateClash> clashes;
      std::uint64_t candidates = 0, tested = 0;
      for (const Candidate& candidate : near) {
        const auto [a, b] = candidate.pair;
        const bool may_clash = candidate.gap <= limits_.reach();
        candidates += may_clash;
        if (!may_clash && candidate.gap >= result.distance) break;
        ++tested;
        const auto found = nearest_shapes(bodies_[a], placed[a], bodies_[b], placed[b],
                                          std::max(result.distance, std::nextafter(limits_.reach(), HUGE_VAL)));
        if (!found) continue;
        const sudar::DistanceAnswer3& x = found->answer;
        const double s = x.separation;
        if (s < result.distance) {
          result.distance = s;
          result.a = a, result.b = b;
          result.point_a = x.point_a, result.point_b = x.point_b;
        }
        StateClash clash;
        clash.state = static_cast<std::uint32_t>(state);
        clash.clash.a = a, clash.clash.b = b;
        clash.clash.direction = x.normal;
        clash.clash.point = (x.point_a + x.point_b) * 0.5;
        clash.clash.bounds = merge(merge(sudar::Aabb3d::empty(), x.point_a), x.point_b);
        const auto add = [&](ClashType type) {
          if (!limits_.types.has(type)) return;
          clash.clash.type = type;
          clashes.push_back(clash);
        };
        if (found->unknown) {
          clash.clash.unknown = (bodies_[a].solid ? bodies_[b].name : bodies_[a].name) + " is open";
          add(ClashType::hard);
        } else if (x.hit && -s > limits_.tolerance) {
          clash.clash.depth = -s;
          clash.clash.depth_lower = std::clamp(-x.upper, 0.0, -s);
          add(ClashType::hard);
        } else {
          clash.clash.distance = s;
          // What touches is told once
          if (s <= limits_.tolerance && limits_.types.has(ClashType::touch))
            add(ClashType::touch);
          else if (s > 0 && s < limits_.clearance)
            add(ClashType::clearance);
        }
      }
      result.clashes = static_cast<std::uint32_t>(clashes.size());
      const std::lock_guard lock(mutex_);
      found_.counts.candidate_pairs += candidates;
      found_.counts.tested_pairs += tested;
      found_.states[state] = result;
      found_.clashes.insert(found_.clashes.end(), clashes.begin(), clashes.end());
      if (found_.clashes.size() >= kMostClashes && !full.exchange(true))
        found_.limits.push_back("the search ended at " + std::to_string(kMostClashes) + " clashes");
      control_.done.fetch_add(1, std::memory_order_relaxed);
    }
  });
  const std::lock_guard lock(mutex_);
  found_.narrow_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

RobotSearch RobotRun::result() const {
  const std::lock_guard lock(mutex_);
  RobotSearch out = found_;
  out.counts.complete = out.limits.empty() &&
                        std::all_of(out.states.begin(), out.states.end(), [](const StateResult& x) { return x.done; });
  std::sort(out.clashes.begin(), out.clashes.end(), [](const StateClash& x, const StateClash& y) {
    if (x.state != y.state) return x.state < y.state;
    return x.clash.a != y.clash.a   ? x.clash.a < y.clash.a
           : x.clash.b != y.clash.b ? x.clash.b < y.clash.b
                                    : x.clash.type < y.clash.type;
  });
  return out;
}

}  // namespace sudar_cli
