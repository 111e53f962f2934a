// What:    See query_case.hpp.
#include "lab/query_case.hpp"

#include "cli/json_depth.hpp"
#include "cli/shape_json.hpp"

namespace sudar::lab {

namespace {

using CaseJson = nlohmann::json;

// `take` reads the two members
template <class Pair, class Take>
std::optional<Pair> read_case(const std::string& text, int dim, std::string& why_not, Take&& take) {
  try {
    if (sudar_cli::nests_too_deep(text)) {
      why_not = "brackets are nested too deeply";
      return std::nullopt;
    }
    const CaseJson line = CaseJson::parse(text);
    if (!line.is_object()) {
      why_not = "a case is one JSON object, as sudar query reads it";
      return std::nullopt;
    }
    if (line.value("dim", CaseJson(3)) != dim) {
      why_not = dim == 2 ? "the case is not of the plane" : "the case is not of space";
      return std::nullopt;
    }
    Pair pair = take(sudar_cli::ShapeReader(false), sudar_cli::member(line, "a"), sudar_cli::member(line, "b"));
    if (!pair.a.is_convex() || !pair.b.is_convex() || !pair.a.is_bounded() || !pair.b.is_bounded()) {
      why_not = "both shapes must be convex and bounded";
      return std::nullopt;
    }
    return pair;
  } catch (const sudar_cli::QueryError& error) {
    why_not = error.what();
  } catch (const CaseJson::exception& error) {
    why_not = error.what();
  }
  return std::nullopt;
}

}  // namespace

std::optional<GivenPair2> read_case2(const std::string& text, std::string& why_not) {
  return read_case<GivenPair2>(
      text, 2, why_not, [](const sudar_cli::ShapeReader& reader, const CaseJson& a, const CaseJson& b) -> GivenPair2 {
        const auto place = [&](const CaseJson& object) {
          TurnedPlace2 at{reader.pose2(object).position, 0};
          if (const auto pose = object.find("pose"); pose != object.end() && pose->contains("angle"))
            at.angle = reader.number_at(*pose, "angle");
          return at;
        };
        return {reader.shape2(sudar_cli::member(a, "shape")), reader.shape2(sudar_cli::member(b, "shape")), place(a),
                place(b)};
      });
}

std::optional<GivenPair3> read_case3(const std::string& text, std::string& why_not) {
  return read_case<GivenPair3>(
      text, 3, why_not, [](const sudar_cli::ShapeReader& reader, const CaseJson& a, const CaseJson& b) -> GivenPair3 {
        return {reader.shape3(sudar_cli::member(a, "shape")), reader.shape3(sudar_cli::member(b, "shape")),
                reader.pose3(a), reader.pose3(b)};
      });
}

}  // namespace sudar::lab
