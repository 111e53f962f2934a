// What:    The operation `toi` of `sudar query`: when two moving bodies touch first, and how.
#include "cli/query_ops.hpp"
#include <sudar/continuous/time_of_impact.hpp>

#include <algorithm>
#include <string>

namespace sudar_cli {

namespace {

using Json = nlohmann::json;
using Out = nlohmann::ordered_json;

sudar::Vec2d vector_of(const ShapeReader& reader, const Json& json, const std::string& what, sudar::Vec2d*) {
  return reader.vec2(json, what);
}
sudar::Vec3d vector_of(const ShapeReader& reader, const Json& json, const std::string& what, sudar::Vec3d*) {
  return reader.vec3(json, what);
}
// In the plane a number, or a list of one
double angular_of(const ShapeReader& reader, const Json& json, const std::string& what, double*) {
  return reader.number(json.is_array() && json.size() == 1 ? json[0] : json, what);
}
sudar::Vec3d angular_of(const ShapeReader& reader, const Json& json, const std::string& what, sudar::Vec3d*) {
  return reader.vec3(json, what);
}
void read_body(const ShapeReader& reader, const Json& object, std::optional<sudar::Shape2>& shape,
               sudar::Pose2d& pose) {
  shape = reader.shape2(member(object, "shape"));
  pose = reader.pose2(object);
}
void read_body(const ShapeReader& reader, const Json& object, std::optional<sudar::Shape3>& shape,
               sudar::Pose3d& pose) {
  shape = reader.shape3(member(object, "shape"));
  pose = reader.pose3(object);
}

template <int D>
struct Body {
  std::optional<sudar::AnyShape<D>> shape;
  sudar::Pose<D, double> pose;
  sudar::RigidMotion<D> motion;
};
template <int D>
Body<D> body_of(const ShapeReader& reader, const Json& line, const char* name, const std::string& motion) {
  Body<D> out;
  read_body(reader, member(line, name), out.shape, out.pose);
  const auto it = line.find(motion);
  if (it == line.end()) return out;
  if (!it->is_object()) throw QueryError("bad_format", "'" + motion + "' must be an object");
  if (const auto linear = it->find("linear"); linear != it->end())
    out.motion.linear = vector_of(reader, *linear, motion + ".linear", static_cast<sudar::Vec<D, double>*>(nullptr));
  if (const auto angular = it->find("angular"); angular != it->end())
    out.motion.angular = angular_of(reader, *angular, motion + ".angular", static_cast<sudar::Angular<D>*>(nullptr));
  return out;
}

sudar::ToiMethod method_of(const Json& line) {
  const Json name = line.value("method", Json("auto"));
  if (name == "auto") return sudar::ToiMethod::automatic;
  if (name == "moving_sat") return sudar::ToiMethod::moving_sat;
  if (name == "conservative") return sudar::ToiMethod::conservative;
  if (name == "halving") return sudar::ToiMethod::halving;
  throw QueryError("bad_format", "'method' must be auto, moving_sat, conservative or halving");
}

}  // namespace

template <int D>
Out query_toi(const ShapeReader& reader, const Json& line, bool single) {
  const Body<D> a = body_of<D>(reader, line, "a", "motion_a"), b = body_of<D>(reader, line, "b", "motion_b");
  sudar::ToiOptions options;
  options.method = method_of(line);
  if (line.contains("t_max")) options.t_max = reader.number_at(line, "t_max");
  if (line.contains("tolerance")) options.tolerance = reader.number_at(line, "tolerance");
  const auto x =
      value_or_throw(sudar::time_of_impact(*a.shape, a.pose, a.motion, *b.shape, b.pose, b.motion, options), "toi");
  // Bounds go outward
  const auto rounded = [&](double v) { return single ? static_cast<double>(static_cast<float>(v)) : v; };
  const auto down = [&](double v) { return single ? static_cast<double>(sudar::float_down(v)) : v; };
  const auto up = [&](double v) { return single ? static_cast<double>(sudar::float_up(v)) : v; };
  const auto vector = [&](const sudar::Vec<D, double>& v) {
    Out out = Out::array();
    for (int i = 0; i < D; ++i) out.push_back(rounded(v[i]));
    return out;
  };
  Out out = {{"hit", x.hit}};
  if (x.hit) {
    out["t"] = rounded(x.t_hi < options.t_max ? x.t_hi : x.t_lo);
    if (x.t_last.has_value()) out["t_last"] = rounded(*x.t_last);
    out["point"] = vector(x.point);
    out["normal"] = vector(x.normal);
    out["kind"] = contact_kind_name(x.kind);
    out["t_lower"] = down(x.t_lo);
    out["t_upper"] = up(x.t_hi);
    out["separation"] = rounded(x.separation);
  }
  // One for both times
  out["tolerance"] = up(std::max(x.tolerance, x.tolerance_last));
  out["status"] = x.status == sudar::QueryStatus::converged ? "converged" : "max_iterations";
  out["iterations"] = x.iterations;
  return out;
}

template Out query_toi<2>(const ShapeReader&, const Json&, bool);
template Out query_toi<3>(const ShapeReader&, const Json&, bool);

}  // namespace sudar_cli
