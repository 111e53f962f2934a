#include "cli/robot_file.hpp"

#include "cli/gltf_file.hpp"
#include "cli/xml_file.hpp"
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/mesh_weld.hpp>
#include <sudar/io/double_text.hpp>
#include <sudar/io/file_bytes.hpp>
#include <sudar/io/mesh_file.hpp>
#include <sudar/io/text_scan.hpp>
#include <sudar/math/pose_check.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>

namespace sudar_cli {

namespace {

using sudar::Pose3d;
using sudar::Quatd;
using sudar::Vec3d;

// Pairs of links are listed, and every state has a number for every joint: memory stays within a few hundred megabytes
constexpr std::size_t kMostLinks = 1000, kMostStates = 1'000'000, kMostStateNumbers = 50'000'000;
// Around what is round, in the pictures
constexpr std::uint32_t kSlices = 32;

constexpr std::string_view kXmlBlanks = " \t\r\n";

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kXmlBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kXmlBlanks) - first + 1);
}
std::string_view take_word(std::string_view& rest) {
  rest = without_blanks(rest);
  const std::string_view word = rest.substr(0, rest.find_first_of(kXmlBlanks));
  rest.remove_prefix(word.size());
  return word;
}
bool read_finite(std::string_view word, double& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, fault] = sudar::read_double(word, value);
  return fault == std::errc{} && end == word.data() + word.size() && std::isfinite(value);
}

// A link that is put where no shape may be (math/pose_check.hpp): too far away, or at no place at all
std::optional<std::uint32_t> out_of_reach(const Robot& robot, const std::vector<double>& values) {
  const std::vector<Pose3d> poses = robot.poses(values);
  for (std::uint32_t i = 0; i < poses.size(); ++i)
    if (!sudar::checked_pose<3>(poses[i], i)) return i;
  return std::nullopt;
}
constexpr const char* kTooFar = " is too far from the root: the joints put it beyond 1e18 m";

class UrdfReader {
 public:
  explicit UrdfReader(const std::string& path) : path_(path) {}

  Robot read(std::string_view text) {
    XmlElement root;
    try {
      root = parse_xml(text);
    } catch (const XmlError& error) {
      throw RobotError(path_ + ": " + error.what());
    }
    if (root.name != "robot") fail(root, "it is no robot: the root is <" + root.name + ">");
    if (const std::string* name = root.attribute("name")) robot_.name = *name;
    for (const XmlElement& element : root.children)
      if (element.name == "link") add_link(element);
    if (robot_.links.empty()) fail(root, "the robot has no link");
    for (const XmlElement& element : root.children)
      if (element.name == "joint") name_joint(element);
    for (const XmlElement& element : root.children)
      if (element.name == "joint") add_joint(element);
    sort_joints(root);
    if (const auto link = out_of_reach(robot_, std::vector<double>(robot_.joints.size(), 0)))
      fail(root, "link " + robot_.links[*link].name + kTooFar);
    return std::move(robot_);
  }

 private:
  [[noreturn]] void fail(const XmlElement& at, const std::string& message) const {
    throw RobotError(path_ + ": line " + std::to_string(at.line) + ": " + message);
  }
  const std::string& needed(const XmlElement& element, const char* key) const {
    const std::string* value = element.attribute(key);
    if (value == nullptr || value->empty()) fail(element, "<" + element.name + "> has no '" + key + "'");
    return *value;
  }
  // So many numbers, with blanks between them
  std::vector<double> numbers(const XmlElement& element, const char* key, std::size_t count) const {
    std::string_view rest = needed(element, key);
    std::vector<double> out;
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
      double value = 0;
      if (!read_finite(word, value)) fail(element, "'" + std::string(word) + "' in '" + key + "' is no finite number");
      out.push_back(value);
      if (out.size() > count) break;
    }
    if (out.size() != count)
      fail(element,
           std::string("'") + key + "' must have " + std::to_string(count) + (count == 1 ? " number" : " numbers"));
    return out;
  }
  Vec3d vector(const XmlElement& element, const char* key, const Vec3d& otherwise) const {
    if (element.attribute(key) == nullptr) return otherwise;
    const auto x = numbers(element, key, 3);
    return {x[0], x[1], x[2]};
  }
  Pose3d origin(const XmlElement& element) const {
    Pose3d pose;
    if (const XmlElement* at = element.child("origin")) {
      pose.position = vector(*at, "xyz", {});
      const Vec3d rpy = vector(*at, "rpy", {});
      // About the fixed axes x, y, z, one after another
      pose.rotation = Quatd::from_axis_angle({0, 0, 1}, rpy.z) * Quatd::from_axis_angle({0, 1, 0}, rpy.y) *
                      Quatd::from_axis_angle({1, 0, 0}, rpy.x);
    }
    return pose;
  }

  void add_link(const XmlElement& element) {
    RobotLink link;
    link.name = needed(element, "name");
    if (!links_.emplace(link.name, static_cast<std::uint32_t>(robot_.links.size())).second)
      fail(element, "there are two links '" + link.name + "'");
    if (robot_.links.size() >= kMostLinks) fail(element, "there are too many links");
    for (const XmlElement& part : element.children)
      if (part.name == "collision") add_shape(part, link);
    link.only_seen = link.shapes.empty() && element.child("visual") != nullptr;
    if (link.only_seen)
      robot_.warnings.push_back("link " + link.name + " has a <visual> and no <collision>: it is not checked");
    robot_.links.push_back(std::move(link));
  }

  template <class T>
  T made(sudar::Result<T> result, const XmlElement& at) const {
    if (!result) fail(at, result.error().message());
    return *std::move(result);
  }

  void add_shape(const XmlElement& collision, RobotLink& link) {
    const XmlElement* geometry = collision.child("geometry");
    if (geometry == nullptr || geometry->children.empty()) fail(collision, "<collision> has no <geometry>");
    const XmlElement& kind = geometry->children.front();
    const Pose3d pose = origin(collision);
    if (!sudar::checked_pose<3>(pose, 0)) fail(collision, "the origin of <collision> is too far from its link");
    if (kind.name == "box") {
      const auto size = numbers(kind, "size", 3);
      const Vec3d half = Vec3d{size[0], size[1], size[2]} * 0.5;
      link.shapes.push_back({made(sudar::make_box3(half), kind), pose, made(sudar::box_mesh(half), kind)});
    } else if (kind.name == "sphere") {
      const double radius = numbers(kind, "radius", 1)[0];
      link.shapes.push_back({made(sudar::make_sphere3(radius), kind), pose,
                             made(sudar::uv_sphere_mesh(radius, kSlices, kSlices / 2), kind)});
    } else if (kind.name == "cylinder") {
      const double radius = numbers(kind, "radius", 1)[0], half = numbers(kind, "length", 1)[0] / 2;
      link.shapes.push_back({made(sudar::make_cylinder3(half, radius), kind), pose,
                             made(sudar::cylinder_mesh(radius, half, kSlices), kind)});
    } else if (kind.name == "mesh") {
      add_mesh(kind, pose, link);
    } else {
      fail(kind, "there is no geometry <" + kind.name + ">: box, sphere, cylinder and mesh are read");
    }
  }

  void add_mesh(const XmlElement& element, const Pose3d& pose, RobotLink& link) {
    const std::string place = find(element, needed(element, "filename"));
    const Vec3d scale = vector(element, "scale", {1, 1, 1});
    if (scale.x == 0 || scale.y == 0 || scale.z == 0) fail(element, "the scale of a mesh is zero");
    auto parts = load_model(place);
    if (!parts) fail(element, sudar::mesh_file_message(place, parts.error()));
    sudar::Mesh mesh = made(sudar::join_parts(*parts), element);
    for (Vec3d& v : mesh.vertices)
      for (int k = 0; k < 3; ++k) v[k] *= scale[k];
    if (scale.x * scale.y * scale.z < 0)
      for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
    mesh = made(sudar::weld(mesh), element).mesh;
    auto body = made(sudar::TriangleMesh::make(mesh), element);
    const bool solid = body->is_closed() && body->is_oriented();
    if (!solid)
      robot_.warnings.push_back("a mesh of link " + link.name + " (" + place +
                                ") is not watertight: it has no depth, and what it holds is not seen");
    // A convex body is answered sooner as the hull that it is
    if (solid && body->is_convex())
      link.shapes.push_back({made(sudar::make_hull_shape3(mesh.vertices), element), pose, std::move(mesh)});
    else
      link.shapes.push_back({sudar::Shape3(sudar::MeshShape3{std::move(body), solid}), pose, std::move(mesh), solid});
  }

  // The file that a mesh names
  std::string find(const XmlElement& element, const std::string& name) const {
    namespace fs = std::filesystem;
    std::string rest = name, package;
    bool in_package = false;
    for (const std::string_view scheme : {"package://", "model://"})
      if (name.starts_with(scheme)) {
        rest = name.substr(scheme.size());
        package = rest.substr(0, rest.find('/'));
        in_package = true;
      }
    if (name.starts_with("file://")) rest = name.substr(7);
    if (!in_package && rest.find("://") != std::string::npos) fail(element, "'" + name + "' is no place of a file");
    std::error_code ignored;
    if (!in_package && fs::path(rest).is_absolute()) return rest;
    const std::string inside = in_package && rest.size() > package.size() ? rest.substr(package.size() + 1) : rest;
    fs::path folder = fs::absolute(path_, ignored).parent_path();
    constexpr int kMostFolders = 16;
    for (int i = 0; i < kMostFolders; ++i) {
      for (const fs::path& place : {folder / rest, folder / inside})
        if (fs::is_regular_file(place, ignored)) return place.lexically_normal().string();
      if (!in_package || folder == folder.parent_path()) break;
      folder = folder.parent_path();
    }
    fail(element, "the mesh " + name + " is not there");
  }

  void name_joint(const XmlElement& element) {
    const std::string& name = needed(element, "name");
    if (!joints_.emplace(name, static_cast<std::uint32_t>(joints_.size())).second)
      fail(element, "there are two joints '" + name + "'");
  }

  void add_joint(const XmlElement& element) {
    RobotJoint joint;
    joint.name = needed(element, "name");
    const std::string& kind = needed(element, "type");
    if (kind == "fixed")
      joint.kind = RobotJointKind::fixed;
    else if (kind == "revolute")
      joint.kind = RobotJointKind::revolute;
    else if (kind == "continuous")
      joint.kind = RobotJointKind::continuous;
    else if (kind == "prismatic")
      joint.kind = RobotJointKind::prismatic;
    else
      fail(element, "joint " + joint.name + " is of the type '" + kind +
                        "', which is not supported: fixed, revolute, continuous and prismatic are");
    const auto end = [&](const char* key) {
      const XmlElement* side = element.child(key);
      if (side == nullptr) fail(element, "joint " + joint.name + " has no <" + key + ">");
      const auto found = links_.find(needed(*side, "link"));
      if (found == links_.end()) fail(*side, "there is no link '" + needed(*side, "link") + "'");
      return found->second;
    };
    joint.parent = end("parent"), joint.child = end("child");
    joint.parent_from_joint = origin(element);
    if (const XmlElement* axis = element.child("axis")) {
      joint.axis = normalized(vector(*axis, "xyz", {1, 0, 0}));
      if (joint.axis == Vec3d{} && joint.kind != RobotJointKind::fixed) fail(*axis, "an axis has no length");
    }
    if (const XmlElement* limit = element.child("limit");
        limit != nullptr && joint.kind != RobotJointKind::continuous) {
      if (limit->attribute("lower") != nullptr) joint.lower = numbers(*limit, "lower", 1)[0];
      if (limit->attribute("upper") != nullptr) joint.upper = numbers(*limit, "upper", 1)[0];
    }
    if (const XmlElement* mimic = element.child("mimic")) {
      const auto found = joints_.find(needed(*mimic, "joint"));
      if (found == joints_.end()) fail(*mimic, "there is no joint '" + needed(*mimic, "joint") + "'");
      joint.mimic = found->second;
      if (mimic->attribute("multiplier") != nullptr) joint.multiplier = numbers(*mimic, "multiplier", 1)[0];
      if (mimic->attribute("offset") != nullptr) joint.offset = numbers(*mimic, "offset", 1)[0];
    }
    robot_.joints.push_back(std::move(joint));
  }

  // A tree: every link but one is the child of one joint
  void sort_joints(const XmlElement& root) {
    const std::size_t n = robot_.links.size();
    std::vector<std::uint32_t> parent_joint(n, sudar::kNoIndex);
    std::vector<std::vector<std::uint32_t>> below(n);
    for (std::uint32_t j = 0; j < robot_.joints.size(); ++j) {
      const RobotJoint& joint = robot_.joints[j];
      if (parent_joint[joint.child] != sudar::kNoIndex)
        fail(root, "link " + robot_.links[joint.child].name + " is the child of two joints");
      parent_joint[joint.child] = j;
      below[joint.parent].push_back(j);
      if (joint.mimic && (robot_.joints[*joint.mimic].mimic || *joint.mimic == j))
        fail(root, "joint " + joint.name + " mimics a joint that mimics");
    }
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < n; ++i)
      if (parent_joint[i] == sudar::kNoIndex) open.push_back(i);
    if (open.size() != 1)
      fail(root, open.empty() ? "the joints go in a circle"
                              : "there is more than one root: " + robot_.links[open[0]].name + ", " +
                                    robot_.links[open[1]].name);
    while (!open.empty()) {
      const std::uint32_t link = open.back();
      open.pop_back();
      for (const std::uint32_t j : below[link]) {
        robot_.order.push_back(j);
        open.push_back(robot_.joints[j].child);
      }
    }
    if (robot_.order.size() != robot_.joints.size()) fail(root, "the joints go in a circle");
  }

  std::string path_;
  Robot robot_;
  std::map<std::string, std::uint32_t> links_, joints_;
};

}  // namespace

std::vector<Pose3d> Robot::poses(const std::vector<double>& values) const {
  std::vector<Pose3d> out(links.size());
  for (const std::uint32_t j : order) {
    const RobotJoint& joint = joints[j];
    const double value = joint.mimic ? joint.multiplier * values[*joint.mimic] + joint.offset : values[j];
    Pose3d moved;
    if (joint.kind == RobotJointKind::prismatic)
      moved.position = joint.axis * value;
    else if (joint.kind != RobotJointKind::fixed)
      moved.rotation = Quatd::from_axis_angle(joint.axis, value);
    Pose3d pose = out[joint.parent] * joint.parent_from_joint * moved;
    pose.rotation = normalized(pose.rotation);
    out[joint.child] = pose;
  }
  return out;
}

Robot parse_robot(std::string_view text, const std::string& path) { return UrdfReader(path).read(text); }

Robot read_robot(const std::string& path) {
  const auto text = sudar::read_whole_file(path);
  if (!text) throw RobotError(sudar::mesh_file_message(path, text.error()));
  return parse_robot(*text, path);
}

RobotStates read_states(const std::string& path, const Robot& robot) {
  const auto text = sudar::read_whole_file(path);
  if (!text) throw RobotError(sudar::mesh_file_message(path, text.error()));
  return parse_states(*text, path, robot);
}

RobotStates parse_states(const std::string& whole, const std::string& path, const Robot& robot) {
  const std::string text(sudar::detail::without_byte_order_mark(whole));
  const auto fail = [&](std::size_t line, const std::string& message) {
    throw RobotError(path + ": line " + std::to_string(line) + ": " + message);
  };
  const auto cells = [](std::string_view line) {
    std::vector<std::string> out;
    for (std::size_t at = 0;;) {
      // A comma in quotes parts nothing
      std::size_t comma = line.npos;
      bool quoted = false;
      for (std::size_t i = at; i < line.size() && comma == line.npos; ++i) {
        if (line[i] == '"') quoted = !quoted;
        if (line[i] == ',' && !quoted) comma = i;
      }
      std::string_view cell = without_blanks(line.substr(at, comma == line.npos ? comma : comma - at));
      if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
      out.emplace_back(cell);
      if (comma == line.npos) return out;
      at = comma + 1;
    }
  };
  RobotStates states;
  std::istringstream lines(text);
  std::string line;
  std::size_t number_of_line = 0;
  constexpr std::uint32_t kName = sudar::kNoIndex;
  std::vector<std::uint32_t> columns;
  while (std::getline(lines, line)) {
    ++number_of_line;
    if (without_blanks(line).empty() || without_blanks(line).starts_with('#')) continue;
    const auto row = cells(line);
    if (columns.empty()) {
      // The heads
      std::vector<bool> there(robot.joints.size());
      for (const std::string& head : row) {
        const auto joint =
            std::find_if(robot.joints.begin(), robot.joints.end(), [&](const RobotJoint& x) { return x.name == head; });
        if (joint == robot.joints.end()) {
          if (head != "name" && head != "state") fail(number_of_line, "the robot has no joint '" + head + "'");
          columns.push_back(kName);
          continue;
        }
        const auto number = static_cast<std::uint32_t>(joint - robot.joints.begin());
        if (there[number]) fail(number_of_line, "joint '" + head + "' is there twice");
        if (joint->mimic || joint->kind == RobotJointKind::fixed)
          fail(number_of_line, "joint '" + head + "' is " + (joint->mimic ? "moved by another" : "fixed"));
        there[number] = true;
        columns.push_back(number);
      }
      for (std::size_t j = 0; j < there.size(); ++j)
        if (!there[j] && !robot.joints[j].mimic && robot.joints[j].kind != RobotJointKind::fixed)
          states.warnings.push_back("joint " + robot.joints[j].name + " has no column in " + path +
                                    ": it stays at zero");
      continue;
    }
    if (row.size() != columns.size())
      fail(number_of_line,
           std::to_string(row.size()) + " cells where the first line has " + std::to_string(columns.size()));
    if (states.values.size() >= kMostStates || states.values.size() * robot.joints.size() >= kMostStateNumbers)
      fail(number_of_line, "there are too many states");
    std::vector<double> values(robot.joints.size(), 0);
    std::string name;
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (columns[k] == kName) {
        name = row[k].substr(0, sudar::kMaxPartName);
        continue;
      }
      double& value = values[columns[k]];
      const RobotJoint& joint = robot.joints[columns[k]];
      if (!read_finite(row[k], value))
        fail(number_of_line, "joint '" + joint.name + "': '" + row[k] + "' is no finite number");
      if ((joint.lower && value < *joint.lower) || (joint.upper && value > *joint.upper))
        if (states.warnings.size() < 100)
          states.warnings.push_back("state " + std::to_string(states.values.size()) + " moves joint " + joint.name +
                                    " past its limit");
    }
    if (const auto link = out_of_reach(robot, values))
      fail(number_of_line, "link " + robot.links[*link].name + kTooFar);
    states.names.push_back(std::move(name));
    states.values.push_back(std::move(values));
  }
  if (states.values.empty()) throw RobotError(path + ": there is no state in it");
  return states;
}

std::vector<IgnoreRule> read_srdf(std::string_view text, const std::string& path) {
  XmlElement root;
  try {
    root = parse_xml(text);
  } catch (const XmlError& error) {
    throw RuleError(path + ": " + error.what());
  }
  if (root.name != "robot") throw RuleError(path + ": it is no SRDF: the root is <" + root.name + ">");
  std::vector<IgnoreRule> rules;
  for (const XmlElement& element : root.children) {
    if (element.name != "disable_collisions") continue;
    const std::string *a = element.attribute("link1"), *b = element.attribute("link2");
    if (a == nullptr || b == nullptr || a->empty() || b->empty())
      throw RuleError(path + ": line " + std::to_string(element.line) + ": <disable_collisions> needs link1 and link2");
    IgnoreRule rule;
    rule.first = *a, rule.second = *b;
    if (const std::string* reason = element.attribute("reason")) rule.reason = *reason;
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace sudar_cli
