// What:    The answer of `sudar check robot.urdf` in the four forms of `sudar check`.
// Differs: A clash has the number of its state; every state has its nearest pair. docs/robots.md describes the fields.
#pragma once

#include "cli/check_report.hpp"
#include "cli/robot_check.hpp"

#include <string>
#include <vector>

namespace sudar_cli {

struct RobotReport {
  Robot robot;
  RobotStates states;
  CheckInput around;  // the surroundings
  std::string robot_file, joints_file, mode, baseline;
  std::vector<RobotBody> bodies;
  std::vector<SkippedPair> skipped;
  std::vector<IgnoreRule> rules;
  ClashLimits limits;
  RobotSearch search;
  std::vector<StateClash> resolved;  // of the baseline: gone
  std::vector<std::string> warnings;
  double load_ms = 0;
  unsigned threads = 1;
  bool interrupted = false;

  bool complete() const { return search.counts.complete && around.failures.empty() && !interrupted; }
  // Those that are gone last
  std::vector<const StateClash*> all_clashes() const;
  std::string id_of(const StateClash& x) const;
};

std::string robot_json_text(const RobotReport& report);
std::string robot_csv(const RobotReport& report);
std::string robot_text(const RobotReport& report);
std::string robot_html(const RobotReport& report);
// How much was looked at and what was found
std::string robot_summary(const RobotReport& report);

// `most` clashes with the two bodies where they are then, as parts of files
CheckReport placed_clashes(const RobotReport& report, const std::vector<const StateClash*>& order, std::size_t most);

}  // namespace sudar_cli
