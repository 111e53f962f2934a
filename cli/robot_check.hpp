// What:    A robot in many states against itself and its surroundings: who clashes, and which two come nearest.
// Source:  pairs that are never looked at: links that a joint joins, as in the allowed-collision matrices of motion planners.
// Differs: Every pair that is left out has a reason. The nearest pair of a state is exact: pairs are taken by the distance of
//          their boxes, and the search ends where no box is nearer than the best so far.
// Frame:   The root link's, metres.
// Threads: states on all threads of the executor; the answer does not depend on their number.
#pragma once

#include "cli/check_input.hpp"
#include "cli/clash_search.hpp"
#include "cli/robot_file.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sudar_cli {

// A link with geometry, or a part of the surroundings
struct RobotBody {
  std::string name;
  std::optional<std::uint32_t> link;
  std::uint32_t part = 0;  // of the surroundings
  std::vector<RobotShape> shapes;
  bool solid = true;
};

struct RobotPair {
  std::uint32_t a, b;  // bodies, a < b
};
struct SkippedPair {
  std::uint32_t a, b;
  std::string reason;
};

struct StateClash {
  std::uint32_t state = 0;
  Clash clash;  // its a and b are bodies
};
struct StateResult {
  bool done = false;
  std::uint32_t clashes = 0;
  std::optional<std::uint32_t> a, b;  // the nearest pair; nothing when there is no pair at all
  double distance = 0;                // negative: a depth
  sudar::Vec3d point_a{}, point_b{};
};

struct RobotSearch {
  std::vector<StateClash> clashes;  // by state, a, b, type
  std::vector<StateResult> states;
  ClashCounts counts;
  std::vector<std::string> limits;
  double narrow_ms = 0;
};

// Links that a joint joins, that are joined through links without geometry, or that never move against each other; with
// the reason
std::vector<SkippedPair> joined_pairs(const Robot& robot, const std::vector<RobotBody>& bodies);

class RobotRun {
 public:
  RobotRun(const Robot& robot, const RobotStates& states, const std::vector<RobotBody>& bodies,
           std::vector<RobotPair> pairs, const ClashLimits& limits, ClashControl& control);
  void run(sudar::Executor& executor);
  RobotSearch result() const;

 private:
  const Robot& robot_;
  const RobotStates& states_;
  const std::vector<RobotBody>& bodies_;
  std::vector<RobotPair> pairs_;
  ClashLimits limits_;
  ClashControl& control_;
  mutable std::mutex mutex_;  // guards what follows
  RobotSearch found_;
};

// The bodies of one state, in the order of the bodies
std::vector<sudar::Pose3d> body_poses(const Robot& robot, const std::vector<RobotBody>& bodies,
                                      const std::vector<double>& values);

}  // namespace sudar_cli
