#include "tests/regress/read_case.hpp"

#include "cli/shape_json.hpp"
#include "tests/support/pair_promise.hpp"

#include <fstream>

namespace sudar_test {

namespace {

using sudar_cli::member;
using LineJson = nlohmann::json;

template <int D>
ShapeCase<D> placed_at(const sudar_cli::ShapeReader& reader, const LineJson& line, const char* name) {
  const LineJson& body = member(line, name);
  if constexpr (D == 2) {
    sudar::lab::TurnedPlace2 at{reader.pose2(body).position, 0};
    if (const auto pose = body.find("pose"); pose != body.end() && pose->contains("angle"))
      at.angle = reader.number_at(*pose, "angle");
    return {reader.shape2(member(body, "shape")), at, {}};
  } else {
    return {reader.shape3(member(body, "shape")), reader.pose3(body), {}};
  }
}
template <int D>
sudar::Vec<D, double> vector_in(const sudar_cli::ShapeReader& reader, const LineJson& json) {
  if constexpr (D == 2)
    return reader.vec2(json, "vector");
  else
    return reader.vec3(json, "vector");
}
template <int D>
sudar::RigidMotion<D> motion_in(const sudar_cli::ShapeReader& reader, const LineJson& line, const char* name) {
  sudar::RigidMotion<D> out;
  const auto at = line.find(name);
  if (at == line.end()) return out;
  if (const auto linear = at->find("linear"); linear != at->end()) out.linear = vector_in<D>(reader, *linear);
  if (const auto angular = at->find("angular"); angular != at->end()) {
    if constexpr (D == 2)
      out.angular = reader.number(*angular, "angular");
    else
      out.angular = reader.vec3(*angular, "angular");
  }
  return out;
}
template <int D, std::size_t N>
std::array<sudar::Vec<D, double>, N> points_in(const sudar_cli::ShapeReader& reader, const LineJson& line,
                                               const char* name) {
  const LineJson& list = member(line, name);
  if (!list.is_array() || list.size() != N) throw sudar_cli::QueryError("bad_format", std::string(name) + " is short");
  std::array<sudar::Vec<D, double>, N> out;
  for (std::size_t i = 0; i < N; ++i) out[i] = vector_in<D>(reader, list[i]);
  return out;
}

// {"expect":{"hit":true}}
std::optional<bool> expected_hit(const LineJson& line) {
  const auto expect = line.find("expect");
  if (expect == line.end() || !expect->contains("hit")) return std::nullopt;
  return expect->at("hit").template get<bool>();
}

template <int D>
AnyCase read_bodies(const sudar_cli::ShapeReader& reader, const LineJson& line, const std::string& op) {
  const double endless = std::numeric_limits<double>::infinity();
  if (op == "ray")
    return RayCase<D>{placed_at<D>(reader, line, "a"),
                      {vector_in<D>(reader, member(line, "origin")), vector_in<D>(reader, member(line, "direction"))},
                      line.contains("max") ? reader.number_at(line, "max") : endless,
                      expected_hit(line)};
  if (op == "toi") {
    MotionCase<D> c{placed_at<D>(reader, line, "a"),
                    placed_at<D>(reader, line, "b"),
                    motion_in<D>(reader, line, "motion_a"),
                    motion_in<D>(reader, line, "motion_b"),
                    line.contains("t_max") ? reader.number_at(line, "t_max") : 1,
                    {},
                    line.value("loose", false)};
    if (line.contains("meets_at")) c.meets_at = reader.number_at(line, "meets_at");
    return c;
  }
  if (op == "distance" || op == "intersects" || op == "contacts" || op.empty())
    return PlacedPair<D>{placed_at<D>(reader, line, "a"), placed_at<D>(reader, line, "b"), expected_hit(line)};
  return "no promises are known of the operation '" + op + "'";
}

// What is broken of a case, by its kind
template <class Case>
std::string broken_of(const Case& c) {
  return broken_promise(c);
}
template <int D>
std::string broken_of(const PlacedPair<D>& c) {
  if (!c.a.shape.is_convex() || !c.b.shape.is_convex()) return "no promises are known of bodies that are not convex";
  if (c.expected && intersects(c.a.shape, c.a.pose(), c.b.shape, c.b.pose()) != *c.expected)
    return "they meet or not otherwise than is known";
  PromiseTally unheard;
  return broken_promise<D>(c.a.shape, c.a.pose(), c.b.shape, c.b.pose(), true, unheard);
}
template <int D>
std::string broken_of(const MotionCase<D>& c) {
  const std::string wrong = broken_promise(c);
  return wrong.empty() && !c.loose ? broken_exactly(c) : wrong;
}
std::string broken_of(const std::string& wrong) { return wrong; }
std::string broken_of(const ImpactCase& c) {
  ImpactTally unheard;
  return broken_promise(c, unheard);
}
std::string broken_of(const PointEdgeCase& c) {
  ImpactTally unheard;
  return broken_promise(c, unheard);
}

}  // namespace

AnyCase read_case_line(const std::string& text) {
  try {
    const LineJson line = LineJson::parse(text);
    const sudar_cli::ShapeReader reader(false);
    const std::string op = line.value("op", std::string());
    if (line.contains("min_separation")) return "no promises are known of a minimum separation";
    if (op == "ccd_vertex_face" || op == "ccd_edge_edge")
      return ImpactCase{
          {op == "ccd_edge_edge", points_in<3, 4>(reader, line, "t0"), points_in<3, 4>(reader, line, "t1")},
          line.value("loose", false)};
    if (op == "ccd_point_edge")
      return PointEdgeCase{points_in<2, 3>(reader, line, "t0"), points_in<2, 3>(reader, line, "t1")};
    const int dim = line.value("dim", 3);
    if (dim != 2 && dim != 3) return "there is no such dimension";
    return dim == 2 ? read_bodies<2>(reader, line, op) : read_bodies<3>(reader, line, op);
  } catch (const sudar_cli::QueryError& error) {
    return std::string("the line is refused: ") + error.what();
  } catch (const LineJson::exception& error) {
    return std::string("the line is refused: ") + error.what();
  }
}

std::string broken_promise_of_line(const std::string& line) {
  return std::visit([](const auto& c) { return broken_of(c); }, read_case_line(line));
}

std::vector<std::string> lines_of_file(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line);
  return lines;
}

}  // namespace sudar_test
