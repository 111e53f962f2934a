#include "cli/query_line.hpp"

#include "cli/json_text.hpp"
#include "cli/query_ops.hpp"
#include "cli/query_ray.hpp"
#include <sudar/math/outward.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/queries/point_query.hpp>

namespace sudar_cli {

namespace {

using Json = nlohmann::json;
using Out = nlohmann::ordered_json;

const char* name_of(sudar::QueryStatus status) {
  switch (status) {
    case sudar::QueryStatus::converged:
      return "converged";
    case sudar::QueryStatus::max_iterations:
      return "max_iterations";
    case sudar::QueryStatus::degenerate:
      return "degenerate";
    case sudar::QueryStatus::unsupported:
      return "unsupported";
  }
  return "";
}
const char* name_of(sudar::FeatureKind kind) {
  switch (kind) {
    case sudar::FeatureKind::vertex:
      return "vertex";
    case sudar::FeatureKind::edge:
      return "edge";
    case sudar::FeatureKind::face:
    case sudar::FeatureKind::inside:
      return "face";
  }
  return "";
}

// One shape of a line with its pose
template <int D>
struct Placed {
  std::conditional_t<D == 2, sudar::Shape2, sudar::Shape3> shape;
  sudar::Pose<D, double> pose;
};

// Answers the operations in one dimension
template <int D>
class Query {
 public:
  Query(const ShapeReader& reader, bool single, bool trace) : reader_(reader), single_(single), trace_(trace) {}

  Out answer(const std::string& op, const Json& line) const {
    if (op == "intersects") {
      const Placed<D> a = placed(line, "a"), b = placed(line, "b");
      return {{"hit", sudar::intersects(a.shape, a.pose, b.shape, b.pose)}};
    }
    if (op == "distance") return distance(line);
    if (op == "contacts") return contacts(line);
    if (op == "inside") return inside(line);
    if (op == "toi") return query_toi<D>(reader_, line, single_);
    if (op.starts_with("ccd_")) return query_ccd(op, reader_, line, single_);
    if (op == "ray") return answer_ray<D>(reader_, line, single_);
    throw QueryError("unsupported", "there is no operation '" + op + "'");
  }

 private:
  Placed<D> placed(const Json& line, const char* key) const {
    const Json& object = member(line, key);
    if constexpr (D == 2)
      return {reader_.shape2(member(object, "shape")), reader_.pose2(object)};
    else
      return {reader_.shape3(member(object, "shape")), reader_.pose3(object)};
  }
  double rounded(double x) const { return single_ ? static_cast<double>(static_cast<float>(x)) : x; }
  // Bounds go outward
  double rounded_down(double x) const { return single_ ? static_cast<double>(sudar::float_down(x)) : x; }
  double rounded_up(double x) const { return single_ ? static_cast<double>(sudar::float_up(x)) : x; }
  Out vector(const sudar::Vec<D, double>& v) const {
    Out out = Out::array();
    for (int i = 0; i < D; ++i) out.push_back(rounded(v[i]));
    return out;
  }

  Out distance(const Json& line) const {
    const Placed<D> a = placed(line, "a"), b = placed(line, "b");
    const sudar::DistanceAnswer<D> x = sudar::distance(a.shape, a.pose, b.shape, b.pose);
    if (x.status == sudar::QueryStatus::unsupported)
      throw QueryError("unsupported", "these two shapes have no finite distance or depth");
    Out out = {{"separation", rounded(x.separation)}, {"point_a", vector(x.point_a)}, {"point_b", vector(x.point_b)},
               {"normal", vector(x.normal)},          {"status", name_of(x.status)},  {"iterations", x.iterations},
               {"lower", rounded_down(x.lower)},      {"upper", rounded_up(x.upper)}};
    if (trace_) out["trace"] = trace_of(a, b);
    return out;
  }

  // What GJK and EPA did, step by step. Other methods have no steps.
  static Out trace_of(const Placed<D>& a, const Placed<D>& b) {
    Out out = Out::array();
    if (!a.shape.is_convex() || !b.shape.is_convex() || !a.shape.is_bounded() || !b.shape.is_bounded()) return out;
    sudar::TraceLog log;
    const auto placement = sudar::make_placement<D>(a.pose, b.pose);
    if constexpr (D == 2)
      sudar::convex_distance2(a.shape, b.shape, placement, nullptr, sudar::TraceTo{&log});
    else
      sudar::convex_distance3(a.shape, b.shape, placement, nullptr, sudar::TraceTo{&log});
    for (const auto& entry : log.entries())
      out.push_back({{"step", entry.step}, {"ids", entry.ids}, {"numbers", entry.numbers}, {"value", entry.value}});
    return out;
  }

  Out contacts(const Json& line) const {
    const Placed<D> a = placed(line, "a"), b = placed(line, "b");
    const double margin = line.contains("margin") ? reader_.number_at(line, "margin") : 0.0;
    if (margin < 0) throw QueryError("invalid_argument", "'margin' must not be negative");
    const sudar::ContactSet<D> set = sudar::contacts(a.shape, a.pose, b.shape, b.pose, margin);
    if (set.status == sudar::QueryStatus::unsupported)
      throw QueryError("unsupported", "these two shapes have no contact set");
    Out points = Out::array();
    for (const auto& point : set.points)
      points.push_back({{"position", vector(point.position)},
                        {"separation", rounded(point.separation)},
                        {"feature_a", {{"kind", name_of(point.feature_a.kind)}, {"index", point.feature_a.index}}},
                        {"feature_b", {{"kind", name_of(point.feature_b.kind)}, {"index", point.feature_b.index}}}});
    return {{"kind", contact_kind_name(set.kind)},
            {"normal", vector(set.normal)},
            {"separation", rounded(set.separation)},
            {"points", points}};
  }

  Out inside(const Json& line) const {
    const Placed<D> a = placed(line, "a");
    sudar::Vec<D, double> p;
    if constexpr (D == 2)
      p = reader_.vec2(member(line, "point"), "point");
    else
      p = reader_.vec3(member(line, "point"), "point");
    const sudar::PointAnswer<D> x = value_or_throw(sudar::locate_point<D>(a.shape, a.pose, p), "point");
    return {{"inside", x.inside()}, {"distance", rounded(x.distance)}};
  }

  const ShapeReader& reader_;
  bool single_, trace_;
};

// The id of a line that is no JSON, where it stands before the place that is not. Python writes NaN for a number that is none.
Out id_of_broken(const std::string& text) {
  Out id;
  bool named = false;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth == 1 && event == Json::parse_event_t::key) named = parsed == "id";
    if (depth == 1 && event == Json::parse_event_t::value && named) id = parsed;
    return true;
  };
  [[maybe_unused]] const Json discarded = fault_of_json(text) ? Json() : Json::parse(text, watch, false);
  return id;
}

// What the parser says, without its number and its line, which is always the first
struct BrokenLine {
  std::string code, message;
};
BrokenLine explain_broken(const std::string& text, const Json::exception& error) {
  if (const auto* parse = dynamic_cast<const Json::parse_error*>(&error); parse != nullptr && parse->byte > 0) {
    const std::string column = " (column " + std::to_string(parse->byte) + ")";
    // The last character that was read, or, as "na" might have been null, the one before it
    for (const std::size_t back : {1, 2})
      for (const char* word : {"NaN", "nan", "Inf", "inf"})
        if (parse->byte >= back && parse->byte - back < text.size() &&
            std::string_view(text).substr(parse->byte - back).starts_with(word))
          return {"non_finite", "a NaN or an infinity is no number" + column};
    return {"bad_format", "it is no JSON" + column};
  }
  std::string message = error.what();
  if (const std::size_t end = message.find("] "); end != std::string::npos) message = message.substr(end + 2);
  constexpr int kNumberOverflow = 406;
  return {error.id == kNumberOverflow ? "non_finite" : "bad_format", message};
}

}  // namespace

LineAnswer answer_line(const std::string& text, std::size_t number, const LineOptions& options,
                       const ShapeReader& reader) {
  Out out;
  const auto refused = [&](const std::string& code, const std::string& message) {
    if (!out.contains("id")) out["id"] = nullptr;
    out["error"] = {{"code", code}, {"message", message}, {"line", number}};
  };
  try {
    if (const auto fault = fault_of_json(text)) throw QueryError(fault->code, fault->message);
    const Json line = Json::parse(text);
    if (!line.is_object()) throw QueryError("bad_format", "a line must hold one JSON object");
    if (const auto id = line.find("id"); id != line.end()) out["id"] = *id;
    const Json& op = member(line, "op");
    if (!op.is_string()) throw QueryError("bad_format", "'op' must be a string");
    // Without "dim", three
    const Json dim = line.value("dim", Json(3));
    if (dim != 2 && dim != 3) throw QueryError("bad_format", "'dim' must be 2 or 3");
    const Out answer = dim == 2 ? Query<2>(reader, options.single, options.trace).answer(op.get<std::string>(), line)
                                : Query<3>(reader, options.single, options.trace).answer(op.get<std::string>(), line);
    out.update(answer);
    return {std::move(out), true};
  } catch (const QueryError& error) {
    refused(error.code(), error.what());
  } catch (const Json::exception& error) {
    const BrokenLine broken = explain_broken(text, error);
    if (!out.contains("id")) out["id"] = id_of_broken(text);
    refused(broken.code, broken.message);
  } catch (const std::bad_alloc&) {
    refused("out_of_memory", "memory is exhausted");
  }
  return {std::move(out), false};
}

}  // namespace sudar_cli
