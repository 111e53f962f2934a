// What:    Robots from URDF: links with their collision geometry, joints, where the links are for a state of the joints; rules
//          from SRDF; states from CSV.
// Source:  the XML formats of ROS, "urdf/XML" and "srdf".
// Differs: Joints are fixed, revolute, continuous and prismatic, with `mimic`; others are refused by name. Geometry is that of
//          <collision>: what is only seen is not checked. Meshes are searched for beside the file and in the folders
//          above it, package://NAME/… in a folder of that name there or without it; never elsewhere.
// Frame:   Metres, radians; the world is the frame of the root link.
// Fails:   throws RobotError with the file, the line where there is one, and one clear sentence.
#pragma once

#include "cli/name_pattern.hpp"
#include <sudar/geom/mesh.hpp>
#include <sudar/shapes/shape3.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sudar_cli {

struct RobotError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct RobotShape {
  sudar::Shape3 shape;
  sudar::Pose3d link_from_shape;
  sudar::Mesh surface;  // in the frame of the shape, to look at
  bool solid = true;
};

struct RobotLink {
  std::string name;
  std::vector<RobotShape> shapes;
  bool only_seen = false;  // it has a <visual> and no <collision>
};

enum class RobotJointKind : std::uint8_t { fixed, revolute, continuous, prismatic };

struct RobotJoint {
  std::string name;
  RobotJointKind kind = RobotJointKind::fixed;
  std::uint32_t parent = 0, child = 0;  // links
  sudar::Pose3d parent_from_joint;
  sudar::Vec3d axis{1, 0, 0};  // unit, in the joint's frame
  std::optional<double> lower, upper;
  std::optional<std::uint32_t> mimic;  // the joint that it follows
  double multiplier = 1, offset = 0;
};

struct Robot {
  std::string name;
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;
  std::vector<std::uint32_t> order;  // joints, those of a parent before those of its child
  std::vector<std::string> warnings;

  // Where each link is, for one value a joint (those that mimic or are fixed are not looked at)
  std::vector<sudar::Pose3d> poses(const std::vector<double>& values) const;
};

Robot read_robot(const std::string& path);
// The same of a text; `path` for messages, and for the meshes beside it
Robot parse_robot(std::string_view text, const std::string& path);

struct RobotStates {
  std::vector<std::string> names;           // of the states, where the file has a column `name` or `state`
  std::vector<std::vector<double>> values;  // a joint each, in the robot's order
  std::vector<std::string> warnings;
};
// One column a joint by its name; joints without a column stay at zero. NaN, words and unknown joints are refused.
// States that put a link beyond the reach of shapes are refused as well.
RobotStates read_states(const std::string& path, const Robot& robot);
RobotStates parse_states(const std::string& text, const std::string& path, const Robot& robot);

// <disable_collisions link1 link2 reason>; `path` for messages. Throws RuleError.
std::vector<IgnoreRule> read_srdf(std::string_view text, const std::string& path);

}  // namespace sudar_cli
