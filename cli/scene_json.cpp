#include "cli/scene_json.hpp"

#include "cli/json_text.hpp"
#include <sudar/dynamics/shape_mass.hpp>

#include <initializer_list>
#include <string_view>

namespace sudar_cli {

namespace {

using Json = nlohmann::json;

void check_keys(const Json& object, const std::string& what, std::initializer_list<std::string_view> known) {
  if (!object.is_object()) throw QueryError("bad_format", what + " must be an object");
  for (const auto& item : object.items()) {
    bool found = false;
    for (const std::string_view key : known) found = found || key == item.key();
    if (!found) throw QueryError("bad_format", what + " has an unknown key '" + item.key() + "'");
  }
}

const Json& list_at(const Json& object, const char* key) {
  static const Json kNothing = Json::array();
  const auto found = object.find(key);
  if (found == object.end()) return kNothing;
  if (!found->is_array()) throw QueryError("bad_format", std::string("'") + key + "' must be an array");
  return *found;
}

bool flag_at(const Json& object, const char* key, bool otherwise) {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  if (!found->is_boolean()) throw QueryError("bad_format", std::string("'") + key + "' must be true or false");
  return found->get<bool>();
}

std::string word_at(const Json& object, const char* key, const std::string& otherwise) {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  if (!found->is_string()) throw QueryError("bad_format", std::string("'") + key + "' must be a string");
  return found->get<std::string>();
}

std::uint64_t whole_number(const Json& json, const std::string& what, std::uint64_t most) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > most)
    throw QueryError("bad_format", what + " must be a whole number from 0 to " + std::to_string(most));
  return json.get<std::uint64_t>();
}

// What the two dimensions read differently
template <int D>
struct Reader;
template <>
struct Reader<2> {
  ShapeReader shapes{false};
  sudar::Shape2 shape(const Json& json) const { return shapes.shape2(json); }
  sudar::Pose2d pose(const Json& object) const { return shapes.pose2(object); }
  sudar::Vec2d vector(const Json& json, const std::string& what) const { return shapes.vec2(json, what); }
  double turn(const Json& json, const std::string& what) const { return shapes.number(json, what); }
};
template <>
struct Reader<3> {
  ShapeReader shapes{false};
  sudar::Shape3 shape(const Json& json) const { return shapes.shape3(json); }
  sudar::Pose3d pose(const Json& object) const { return shapes.pose3(object); }
  sudar::Vec3d vector(const Json& json, const std::string& what) const { return shapes.vec3(json, what); }
  sudar::Vec3d turn(const Json& json, const std::string& what) const { return shapes.vec3(json, what); }
};

template <int D>
sudar::BodySpec<D> read_world_body(const Reader<D>& read, const Json& json, const std::string& what) {
  check_keys(json, what, {"name",          "shape",       "pose",           "kind",
                          "density",       "mass",        "velocity",       "angular_velocity",
                          "friction",      "restitution", "linear_damping", "angular_damping",
                          "gravity_scale", "bullet",      "sensor",         "fixed_rotation",
                          "can_sleep",     "layer",       "mask",           "group",
                          "user"});
  sudar::BodySpec<D> body{.shape = read.shape(member(json, "shape"))};
  body.pose = read.pose(json);
  const std::string kind = word_at(json, "kind", "dynamic");
  if (kind == "fixed")
    body.kind = sudar::BodyKind::fixed;
  else if (kind == "kinematic")
    body.kind = sudar::BodyKind::kinematic;
  else if (kind != "dynamic")
    throw QueryError("bad_format", "'kind' must be fixed, kinematic or dynamic, not '" + kind + "'");
  const auto number = [&](const char* key, double& value) {
    if (json.contains(key)) value = read.shapes.number_at(json, key);
  };
  number("density", body.density);
  if (json.contains("mass")) {
    // As much denser as it is heavier
    if (json.contains("density")) throw QueryError("bad_format", "a body has either 'mass' or 'density'");
    body.density = read.shapes.number_at(json, "mass") / value_or_throw(sudar::mass_of(body.shape, 1), what).mass;
  }
  number("friction", body.material.friction);
  number("restitution", body.material.restitution);
  number("linear_damping", body.linear_damping);
  number("angular_damping", body.angular_damping);
  number("gravity_scale", body.gravity_scale);
  if (json.contains("velocity")) body.velocity = read.vector(json["velocity"], "velocity");
  if (json.contains("angular_velocity"))
    body.angular_velocity = read.turn(json["angular_velocity"], "angular_velocity");
  body.bullet = flag_at(json, "bullet", false);
  body.sensor = flag_at(json, "sensor", false);
  body.fixed_rotation = flag_at(json, "fixed_rotation", false);
  body.can_sleep = flag_at(json, "can_sleep", true);
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const auto bits = [&](const char* key, std::uint32_t& value) {
    if (json.contains(key))
      value = static_cast<std::uint32_t>(whole_number(json[key], std::string("'") + key + "'", kMost));
  };
  bits("layer", body.filter.layer);
  bits("mask", body.filter.mask);
  bits("group", body.filter.group);
  if (json.contains("user"))
    body.user = whole_number(json["user"], "'user'", std::numeric_limits<std::uint64_t>::max());
  return body;
}

sudar::JointDrive read_drive(const ShapeReader& shapes, const Json& json, const std::string& what) {
  check_keys(json, what, {"lower", "upper", "spring_hertz", "spring_damping", "rest", "motor_speed", "motor_force"});
  sudar::JointDrive drive;
  const auto number = [&](const char* key, double& value) {
    if (json.contains(key)) value = shapes.number_at(json, key);
  };
  number("lower", drive.lower);
  number("upper", drive.upper);
  number("spring_hertz", drive.spring_hertz);
  number("spring_damping", drive.spring_damping);
  number("rest", drive.rest);
  number("motor_speed", drive.motor_speed);
  number("motor_force", drive.motor_force);
  return drive;
}

sudar::JointKind joint_kind(const std::string& name) {
  constexpr std::pair<std::string_view, sudar::JointKind> kKinds[] = {
      {"distance", sudar::JointKind::distance}, {"ball", sudar::JointKind::ball},
      {"revolute", sudar::JointKind::revolute}, {"prismatic", sudar::JointKind::prismatic},
      {"weld", sudar::JointKind::weld},         {"wheel", sudar::JointKind::wheel}};
  std::string names;
  for (const auto& [key, kind] : kKinds) {
    if (key == name) return kind;
    names += ' ' + std::string(key);
  }
  throw QueryError("bad_format", "there is no joint '" + name + "'; there are:" + names);
}

template <int D>
void add_joint(const Reader<D>& read, const Json& json, const std::string& what, sudar::World<D>& world,
               const std::vector<sudar::BodyId<D>>& bodies) {
  check_keys(json, what, {"kind", "a", "b", "pose", "anchor_a", "anchor_b", "collide", "slide", "hinge", "cone"});
  const auto body = [&](const char* key) {
    const std::uint64_t index = whole_number(member(json, key), std::string("'") + key + "'", sudar::kNoIndex);
    if (index >= bodies.size()) throw QueryError("index_out_of_range", std::string("'") + key + "' is no body");
    return bodies[index];
  };
  const sudar::BodyId<D> a = body("a"), b = body("b");
  const sudar::JointKind kind = joint_kind(word_at(json, "kind", "ball"));
  auto joint = kind == sudar::JointKind::distance
                   ? world.make_distance_joint(a, b, read.vector(member(json, "anchor_a"), "anchor_a"),
                                               read.vector(member(json, "anchor_b"), "anchor_b"))
                   : world.make_joint(kind, a, b, read.pose(json));
  sudar::JointOf<D> made = value_or_throw(std::move(joint), what);
  // What a joint of this kind would not look at is a mistake
  using sudar::JointKind;
  const auto only = [&](const char* key, bool fits) {
    if (json.contains(key) && !fits)
      throw QueryError("bad_format", std::string("a joint of this kind has no '") + key + "'");
  };
  const bool apart = kind == JointKind::distance, pin = kind == JointKind::ball;
  only("pose", !apart);
  only("anchor_a", apart);
  only("anchor_b", apart);
  only("slide", apart || kind == JointKind::prismatic || kind == JointKind::wheel);
  only("hinge", kind == JointKind::revolute || kind == JointKind::wheel || (D == 2 && pin));
  only("cone", D == 3 && pin);
  if (json.contains("slide")) made.slide = read_drive(read.shapes, json["slide"], what + ": 'slide'");
  if (json.contains("hinge")) made.hinge = read_drive(read.shapes, json["hinge"], what + ": 'hinge'");
  if constexpr (D == 3)
    if (json.contains("cone")) made.cone = read.shapes.number_at(json, "cone");
  value_or_throw(world.add_joint(a, b, made, flag_at(json, "collide", false)), what);
}

}  // namespace

SceneFile read_scene_file(const std::string& text) {
  SceneFile file;
  if (const auto fault = fault_of_json(text)) throw QueryError(fault->code, fault->message);
  try {
    file.json = Json::parse(text);
  } catch (const Json::exception& error) {
    throw QueryError("bad_format", std::string("not JSON: ") + error.what());
  }
  check_keys(file.json, "the scene",
             {"schema", "name", "dim", "dt", "gravity", "broadphase", "substeps", "margin", "sleeping", "continuous",
              "builtin", "bodies", "joints"});
  if (word_at(file.json, "schema", "") != "sudar/scene-1")
    throw QueryError("bad_format", "'schema' must be \"sudar/scene-1\"");
  const ShapeReader shapes(false);
  if (file.json.contains("dt")) file.dt = shapes.number_at(file.json, "dt");
  if (file.json.contains("broadphase")) file.broadphase = word_at(file.json, "broadphase", "");
  file.builtin = word_at(file.json, "builtin", "");
  if (!file.builtin.empty()) {
    if (file.json.contains("bodies") || file.json.contains("joints"))
      throw QueryError("bad_format", "a scene has either 'builtin' or 'bodies'");
    return file;
  }
  file.dim = static_cast<int>(whole_number(member(file.json, "dim"), "'dim'", 3));
  if (file.dim != 2 && file.dim != 3) throw QueryError("bad_format", "'dim' must be 2 or 3");
  member(file.json, "bodies");
  return file;
}

template <int D>
sudar::WorldOptions<D> file_options(const SceneFile& file, sudar::WorldOptions<D> options) {
  const Reader<D> read;
  const Json& json = file.json;
  if (json.contains("gravity")) options.gravity = read.vector(json["gravity"], "gravity");
  if (json.contains("substeps"))
    options.substeps = static_cast<int>(whole_number(json["substeps"], "'substeps'", 1000));
  if (json.contains("margin")) options.margin = read.shapes.number_at(json, "margin");
  options.sleeping = flag_at(json, "sleeping", options.sleeping);
  options.continuous = flag_at(json, "continuous", options.continuous);
  return options;
}

template <int D>
void check_options_kept(const SceneFile& file, const sudar::WorldOptions<D>& kept) {
  const sudar::WorldOptions<D> asked = file_options<D>(file, kept);
  const auto expect = [&](bool same, const char* key) {
    if (!same)
      throw QueryError("bad_format", std::string("'") + key + "': the scene '" + file.builtin + "' has its own");
  };
  expect(asked.gravity == kept.gravity, "gravity");
  expect(asked.substeps == kept.substeps, "substeps");
  expect(asked.margin == kept.margin, "margin");
  expect(asked.sleeping == kept.sleeping, "sleeping");
  expect(asked.continuous == kept.continuous, "continuous");
}

template <int D>
sudar::World<D> make_world(const SceneFile& file, sudar::WorldOptions<D> given) {
  const Reader<D> read;
  const Json& json = file.json;
  const sudar::WorldOptions<D> options = file_options<D>(file, given);
  sudar::World<D> world = value_or_throw(sudar::World<D>::make(options), "the scene");
  const auto place = [](const char* list, std::size_t i) { return std::string(list) + '[' + std::to_string(i) + ']'; };
  // Whatever is wrong is said with the place where it stands
  const auto at = [](const std::string& what, auto&& body) {
    try {
      return body();
    } catch (const QueryError& error) {
      const std::string message = error.what();
      throw QueryError(error.code(), message.starts_with(what) ? message : what + ": " + message);
    }
  };
  std::vector<sudar::BodyId<D>> bodies;
  for (const Json& body : list_at(json, "bodies")) {
    const std::string what = place("bodies", bodies.size());
    bodies.push_back(
        at(what, [&] { return value_or_throw(world.add_body(read_world_body<D>(read, body, what)), what); }));
  }
  std::size_t joints = 0;
  for (const Json& joint : list_at(json, "joints")) {
    const std::string what = place("joints", joints++);
    at(what, [&] { add_joint<D>(read, joint, what, world, bodies); });
  }
  return world;
}

template sudar::WorldOptions<2> file_options(const SceneFile&, sudar::WorldOptions<2>);
template sudar::WorldOptions<3> file_options(const SceneFile&, sudar::WorldOptions<3>);
template void check_options_kept(const SceneFile&, const sudar::WorldOptions<2>&);
template void check_options_kept(const SceneFile&, const sudar::WorldOptions<3>&);
template sudar::World<2> make_world(const SceneFile&, sudar::WorldOptions<2>);
template sudar::World<3> make_world(const SceneFile&, sudar::WorldOptions<3>);

}  // namespace sudar_cli
