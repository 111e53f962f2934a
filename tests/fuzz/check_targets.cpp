// What `sudar check` reads besides meshes: robots with their states, rules, older results. Whatever the text, it is taken or
// refused with one clear line, and what is taken can be worked with.
#include "cli/check_baseline.hpp"
#include "cli/name_pattern.hpp"
#include "cli/robot_file.hpp"
#include "tests/fuzz/target.hpp"
#include <sudar/narrowphase/collide3.hpp>

#include <cmath>
#include <string>

namespace sudar_fuzz {

namespace {

constexpr std::size_t kMostStatesAtOnce = 3, kMostShapesAtOnce = 8;

std::string text_of(FuzzBytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

struct PlacedShape {
  const sudar::Shape3* shape;
  sudar::Pose3d pose;
};

void look_at_state(const sudar_cli::Robot& robot, const std::vector<double>& values) {
  std::vector<PlacedShape> placed;
  const auto poses = robot.poses(values);
  promise(poses.size() == robot.links.size(), "every link has a place");
  for (std::size_t i = 0; i < poses.size(); ++i) {
    promise(is_finite(poses[i].position) && max_abs(poses[i].position) <= sudar::kMaxShapeSize,
            "links are within the reach of shapes");
    for (const sudar_cli::RobotShape& shape : robot.links[i].shapes)
      if (placed.size() < kMostShapesAtOnce) placed.push_back({&shape.shape, poses[i] * shape.link_from_shape});
  }
  for (const PlacedShape& a : placed)
    for (const PlacedShape& b : placed)
      promise(std::isfinite(distance(*a.shape, a.pose, *b.shape, b.pose).separation), "distances are finite");
}

}  // namespace

// A robot, and after a zero its states
void fuzz_robot(FuzzBytes bytes) {
  const std::string text = text_of(bytes);
  const std::size_t end = std::min(text.find('\0'), text.size());
  try {
    // No file lies there
    const sudar_cli::Robot robot = sudar_cli::parse_robot(std::string_view(text).substr(0, end), "/nowhere/a.urdf");
    promise(robot.order.size() == robot.joints.size() && robot.links.size() == robot.joints.size() + 1,
            "the joints are a tree");
    look_at_state(robot, std::vector<double>(robot.joints.size(), 0));
    if (end == text.size()) return;
    const auto states = sudar_cli::parse_states(text.substr(end + 1), "a.csv", robot);
    promise(states.names.size() == states.values.size() && !states.values.empty(), "every state has a name");
    for (std::size_t i = 0; i < states.values.size() && i < kMostStatesAtOnce; ++i) {
      promise(states.values[i].size() == robot.joints.size(), "every joint has a value");
      look_at_state(robot, states.values[i]);
    }
  } catch (const sudar_cli::RobotError& error) {
    promise(*error.what() != '\0', "an error says why");
  }
}

// Rules, or an SRDF; each is put to names as the rules themselves have them
void fuzz_rules(FuzzBytes bytes) {
  try {
    const auto rules = sudar_cli::parse_rules(text_of(bytes), "rules.txt");
    sudar_cli::PairRules::Names names = {{"bolt1", "bolt1.stl"}, {"plate"}};
    for (std::size_t i = 0; i < rules.size() && i < kMostShapesAtOnce; ++i) {
      promise(!rules[i].first.empty(), "a rule has a pattern");
      promise(sudar_cli::matches(rules[i].first, rules[i].first), "a pattern has itself");
      names.push_back({rules[i].first});
      names.push_back({rules[i].second});
    }
    sudar_cli::PairRules pairs(rules, names, "", "b*");
    for (std::uint32_t a = 0; a < names.size(); ++a)
      for (std::uint32_t b = 0; b < names.size(); ++b) {
        promise(pairs.rule_of(a, b) == pairs.rule_of(b, a), "the order of two parts is no matter");
        const bool would = pairs.would_want(a, b);
        promise(pairs.wanted(a, b) == would, "asking changes nothing");
      }
    (void)pairs.unmatched_rules();
  } catch (const sudar_cli::RuleError& error) {
    promise(*error.what() != '\0', "an error says why");
  }
}

void fuzz_baseline(FuzzBytes bytes) {
  if (fuzz_bench_files(bytes)) return;
  try {
    for (const auto& clash : sudar_cli::parse_baseline(text_of(bytes), "old.json"))
      promise(!clash.id.empty() && !clash.a.empty() && !clash.b.empty(), "a clash has its names");
  } catch (const sudar_cli::RuleError& error) {
    promise(*error.what() != '\0', "an error says why");
  }
}

}  // namespace sudar_fuzz
