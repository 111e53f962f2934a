// What:    See query_case.hpp.
#include "lab/query_case.hpp"

#include "cli/json_text.hpp"
#include "cli/shape_json.hpp"
#include "lab/box_script.hpp"

#include <algorithm>

namespace sudar::lab {

namespace {

using CaseJson = nlohmann::json;
using sudar_cli::member;
using sudar_cli::ShapeReader;

// What a script of boxes does in place of an operation
constexpr std::string_view kScriptOp = "script of boxes";

// What shows a line of an operation, in the plane or in space
std::span<const std::string_view> exhibits_of(std::string_view op, int dim) {
  static constexpr std::string_view kPair2[] = {"gjk2", "epa2", "contacts2", "sat2"};
  static constexpr std::string_view kPair3[] = {"gjk3", "epa3", "contacts3", "sat3", "vclip"};
  static constexpr std::string_view kContacts2[] = {"contacts2", "gjk2", "epa2", "sat2"};
  static constexpr std::string_view kContacts3[] = {"contacts3", "gjk3", "epa3", "sat3", "vclip"};
  static constexpr std::string_view kMotion2[] = {"time_of_impact2"}, kMotion3[] = {"time_of_impact"};
  static constexpr std::string_view kRay2[] = {"ray_bundle2"}, kRay3[] = {"ray_bundle"};
  static constexpr std::string_view kPointEdge[] = {"point_edge"}, kScript[] = {"box_script"};
  static constexpr std::string_view kVertexFace[] = {"vertex_face"}, kEdgeEdge[] = {"edge_edge"};
  if (op == "distance" || op == "intersects") {
    if (dim == 2) return kPair2;
    return kPair3;
  }
  if (op == "contacts") {
    if (dim == 2) return kContacts2;
    return kContacts3;
  }
  if (op == "toi") {
    if (dim == 2) return kMotion2;
    return kMotion3;
  }
  if (op == "ray") {
    if (dim == 2) return kRay2;
    return kRay3;
  }
  if (op == kScriptOp) return kScript;
  if (op == "ccd_point_edge") return kPointEdge;
  if (op == "ccd_vertex_face") return kVertexFace;
  if (op == "ccd_edge_edge") return kEdgeEdge;
  return {};
}

// `fits` says which operations an exhibit shows, `take` reads the members of the line; it says why it does not
template <class Given, class Fits, class Take>
std::optional<Given> read_line(const std::string& text, std::string& why_not, Fits&& fits, Take&& take) {
  try {
    if (script_dimension(text) != 0) {
      why_not = shown_elsewhere(case_line(text));
      return std::nullopt;
    }
    if (const auto fault = sudar_cli::fault_of_json(text)) {
      why_not = fault->message;
      return std::nullopt;
    }
    const CaseJson line = CaseJson::parse(text);
    if (!line.is_object()) {
      why_not = "a case is one JSON object, as sudar query reads it";
      return std::nullopt;
    }
    if (const CaseLine told = case_line(text); !fits(told)) {
      why_not = shown_elsewhere(told);
      return std::nullopt;
    }
    return take(ShapeReader(false), line);
  } catch (const sudar_cli::QueryError& error) {
    why_not = error.what();
  } catch (const CaseJson::exception& error) {
    why_not = error.what();
  }
  return std::nullopt;
}

// A line with two bodies, whatever is asked of them
template <class Pair, class Take>
std::optional<Pair> read_pair(const std::string& text, int dim, std::string& why_not, Take&& take) {
  const auto fits = [&](const CaseLine& line) {
    return line.dim != dim || line.op == "distance" || line.op == "intersects" || line.op == "contacts" ||
           line.op == "toi";
  };
  return read_line<Pair>(text, why_not, fits,
                         [&](const ShapeReader& reader, const CaseJson& line) -> std::optional<Pair> {
                           if (line.value("dim", CaseJson(3)) != dim) {
                             why_not = dim == 2 ? "the case is not of the plane" : "the case is not of space";
                             return std::nullopt;
                           }
                           Pair pair = take(reader, member(line, "a"), member(line, "b"));
                           if (!pair.a.is_convex() || !pair.b.is_convex())
                             why_not = "both shapes must be convex";
                           else if (!pair.a.is_bounded() && !pair.b.is_bounded())
                             why_not = "one of the shapes must be bounded";
                           else
                             return pair;
                           return std::nullopt;
                         });
}

TurnedPlace2 take_place(const ShapeReader& reader, const CaseJson& object) {
  TurnedPlace2 at{reader.pose2(object).position, 0};
  if (const auto pose = object.find("pose"); pose != object.end() && pose->contains("angle"))
    at.angle = reader.number_at(*pose, "angle");
  return at;
}
GivenPair2 take_pair2(const ShapeReader& reader, const CaseJson& a, const CaseJson& b) {
  return {reader.shape2(member(a, "shape")), reader.shape2(member(b, "shape")), take_place(reader, a),
          take_place(reader, b)};
}
GivenPair3 take_pair3(const ShapeReader& reader, const CaseJson& a, const CaseJson& b) {
  return {reader.shape3(member(a, "shape")), reader.shape3(member(b, "shape")), reader.pose3(a), reader.pose3(b)};
}

void take_vector(const ShapeReader& reader, const CaseJson& json, const char* name, Vec2d& out) {
  out = reader.vec2(json, name);
}
void take_vector(const ShapeReader& reader, const CaseJson& json, const char* name, Vec3d& out) {
  out = reader.vec3(json, name);
}
// Of the plane: a number, or a list of one
void take_vector(const ShapeReader& reader, const CaseJson& json, const char* name, double& out) {
  out = reader.number(json.is_array() && json.size() == 1 ? json[0] : json, name);
}
template <int D>
RigidMotion<D> take_motion(const ShapeReader& reader, const CaseJson& line, const char* name) {
  RigidMotion<D> motion;
  const auto found = line.find(name);
  if (found == line.end()) return motion;
  if (!found->is_object()) throw sudar_cli::QueryError("bad_format", std::string(name) + " must be an object");
  if (const auto linear = found->find("linear"); linear != found->end())
    take_vector(reader, *linear, "linear", motion.linear);
  if (const auto angular = found->find("angular"); angular != found->end())
    take_vector(reader, *angular, "angular", motion.angular);
  return motion;
}

template <class V, std::size_t N>
void take_points(const ShapeReader& reader, const CaseJson& line, const char* name, std::array<V, N>& out) {
  const CaseJson& list = member(line, name);
  if (!list.is_array() || list.size() != N)
    throw sudar_cli::QueryError("bad_format", std::string(name) + " must hold " + std::to_string(N) + " points");
  for (std::size_t i = 0; i < N; ++i) take_vector(reader, list[i], "point", out[i]);
}
template <class Given, class Fits>
std::optional<Given> read_points(const std::string& text, std::string& why_not, Fits&& fits) {
  return read_line<Given>(text, why_not, fits,
                          [&](const ShapeReader& reader, const CaseJson& line) -> std::optional<Given> {
                            if (line.contains("min_separation")) {
                              why_not = "this exhibit knows no minimum separation";
                              return std::nullopt;
                            }
                            Given given;
                            take_points(reader, line, "t0", given.start);
                            take_points(reader, line, "t1", given.end);
                            return given;
                          });
}

}  // namespace

std::string CaseLine::told() const {
  return (op.empty() ? std::string("no line of sudar query") : op + (dim == 2 ? " in the plane" : " in space")) + ", " +
         (exhibits.empty() ? std::string("not shown") : std::string(exhibits.front()));
}

CaseLine case_line(std::string text) {
  CaseLine line;
  line.text = std::move(text);
  if (const int dim = script_dimension(line.text); dim != 0) {
    line.op = kScriptOp, line.dim = dim;
    line.exhibits = exhibits_of(line.op, dim);
    return line;
  }
  if (sudar_cli::fault_of_json(line.text)) return line;
  const CaseJson json = CaseJson::parse(line.text, nullptr, false);
  if (!json.is_object()) return line;
  // Two bodies and no operation: hard cases are kept so
  line.op = json.contains("op") && json["op"].is_string() ? json["op"].get<std::string>() : "distance";
  if (const auto dim = json.find("dim"); dim != json.end() && dim->is_number_integer()) line.dim = dim->get<int>();
  line.exhibits = exhibits_of(line.op, line.dim);
  return line;
}

std::string shown_elsewhere(const CaseLine& line) {
  if (line.op.empty()) return "it is no JSON object, as sudar query reads it";
  if (line.op == kScriptOp) return "a script of boxes is shown by " + std::string(line.exhibits.front());
  const std::string what = "a line of '" + line.op + "'" + (line.dim == 2 ? " in the plane" : "");
  return line.exhibits.empty() ? "no exhibit shows " + what + "; sudar query answers it"
                               : what + " is shown by " + std::string(line.exhibits.front());
}

std::optional<GivenPair2> read_case2(const std::string& text, std::string& why_not) {
  return read_pair<GivenPair2>(text, 2, why_not, take_pair2);
}

std::optional<GivenPair3> read_case3(const std::string& text, std::string& why_not) {
  return read_pair<GivenPair3>(text, 3, why_not, take_pair3);
}

std::optional<GivenMotion2> read_motion_case2(const std::string& text, std::string& why_not) {
  const auto fits = [](const CaseLine& line) { return line.op == "toi" && line.dim == 2; };
  return read_line<GivenMotion2>(
      text, why_not, fits, [&](const ShapeReader& reader, const CaseJson& line) -> std::optional<GivenMotion2> {
        GivenMotion2 given{take_pair2(reader, member(line, "a"), member(line, "b")),
                           take_motion<2>(reader, line, "motion_a"), take_motion<2>(reader, line, "motion_b")};
        if (line.contains("t_max")) given.t_max = reader.number_at(line, "t_max");
        if (line.contains("tolerance")) given.tolerance = reader.number_at(line, "tolerance");
        given.method = line.value("method", given.method);
        static constexpr std::string_view kMethods[] = {"auto", "moving_sat", "conservative", "halving"};
        if (!(given.t_max > 0))
          why_not = "'t_max' must be more than nothing";
        else if (std::find(std::begin(kMethods), std::end(kMethods), given.method) == std::end(kMethods))
          why_not = "'method' must be auto, moving_sat, conservative or halving";
        else
          return given;
        return std::nullopt;
      });
}

std::optional<GivenMotion3> read_motion_case3(const std::string& text, std::string& why_not) {
  const auto fits = [](const CaseLine& line) { return line.op == "toi" && line.dim == 3; };
  return read_line<GivenMotion3>(
      text, why_not, fits, [&](const ShapeReader& reader, const CaseJson& line) -> std::optional<GivenMotion3> {
        GivenMotion3 given{take_pair3(reader, member(line, "a"), member(line, "b")),
                           take_motion<3>(reader, line, "motion_a"), take_motion<3>(reader, line, "motion_b"), 1};
        if (line.contains("t_max")) given.t_max = reader.number_at(line, "t_max");
        if (given.t_max > 0) return given;
        why_not = "'t_max' must be more than nothing";
        return std::nullopt;
      });
}

std::optional<GivenPoints> read_points_case(const std::string& text, bool edges, std::string& why_not) {
  return read_points<GivenPoints>(
      text, why_not, [&](const CaseLine& line) { return line.op == (edges ? "ccd_edge_edge" : "ccd_vertex_face"); });
}
std::optional<GivenPointEdge> read_point_edge_case(const std::string& text, std::string& why_not) {
  return read_points<GivenPointEdge>(text, why_not, [](const CaseLine& line) { return line.op == "ccd_point_edge"; });
}

std::optional<GivenRay2> read_ray_case2(const std::string& text, std::string& why_not) {
  const auto fits = [](const CaseLine& line) { return line.op == "ray" && line.dim == 2; };
  return read_line<GivenRay2>(
      text, why_not, fits, [&](const ShapeReader& reader, const CaseJson& line) -> std::optional<GivenRay2> {
        const CaseJson& a = member(line, "a");
        GivenRay2 given{
            reader.shape2(member(a, "shape")),
            take_place(reader, a),
            {reader.vec2(member(line, "origin"), "origin"), reader.vec2(member(line, "direction"), "direction")}};
        if (line.contains("max")) given.max_t = reader.number_at(line, "max");
        return given;
      });
}
std::optional<GivenRay3> read_ray_case3(const std::string& text, std::string& why_not) {
  const auto fits = [](const CaseLine& line) { return line.op == "ray" && line.dim == 3; };
  return read_line<GivenRay3>(
      text, why_not, fits, [&](const ShapeReader& reader, const CaseJson& line) -> std::optional<GivenRay3> {
        const CaseJson& a = member(line, "a");
        GivenRay3 given{
            reader.shape3(member(a, "shape")),
            reader.pose3(a),
            {reader.vec3(member(line, "origin"), "origin"), reader.vec3(member(line, "direction"), "direction")}};
        if (line.contains("max")) given.max_t = reader.number_at(line, "max");
        return given;
      });
}

}  // namespace sudar::lab
