// What:    The operations ccd_vertex_face, ccd_edge_edge and ccd_point_edge of `sudar query`: when linearly moving vertices
//          meet first.
#include "cli/query_ops.hpp"
#include <sudar/continuous/primitive_impact.hpp>
#include <sudar/math/scalar.hpp>

namespace sudar_cli {

namespace {

using Json = nlohmann::json;

template <std::size_t N, class Read>
auto points(const Json& line, const char* key, Read&& read) {
  const Json& list = member(line, key);
  if (!list.is_array() || list.size() != N)
    throw QueryError("bad_format", "'" + std::string(key) + "' must hold " + std::to_string(N) + " points");
  std::array<decltype(read(list[0])), N> out;
  for (std::size_t i = 0; i < N; ++i) out[i] = read(list[i]);
  return out;
}

}  // namespace

nlohmann::ordered_json query_ccd(const std::string& op, const ShapeReader& reader, const Json& line, bool single) {
  if (op != "ccd_vertex_face" && op != "ccd_edge_edge" && op != "ccd_point_edge")
    throw QueryError("unsupported", "there is no operation '" + op + "'");
  sudar::ImpactOptions options;
  if (line.contains("min_separation")) options.min_separation = reader.number_at(line, "min_separation");
  if (options.min_separation < 0) throw QueryError("invalid_argument", "'min_separation' must not be negative");
  const sudar::PrimitiveImpact x = [&] {
    if (op == "ccd_point_edge") {
      const auto read = [&](const Json& p) { return reader.vec2(p, "point"); };
      return value_or_throw(sudar::point_edge_impact(points<3>(line, "t0", read), points<3>(line, "t1", read), options),
                            op);
    }
    const auto read = [&](const Json& p) { return reader.vec3(p, "point"); };
    const auto start = points<4>(line, "t0", read), end = points<4>(line, "t1", read);
    return value_or_throw(op == "ccd_edge_edge" ? sudar::edge_edge_impact(start, end, options)
                                                : sudar::vertex_face_impact(start, end, options),
                          op);
  }();
  if (!x.hit) return {{"hit", false}, {"t", nullptr}, {"t_lower", nullptr}};
  const auto rounded = [single](double t) { return single ? static_cast<double>(static_cast<float>(t)) : t; };
  const double lower = single ? static_cast<double>(sudar::float_down(x.t_lower)) : x.t_lower;
  return {{"hit", true}, {"t", rounded(x.t)}, {"t_lower", lower}};
}

}  // namespace sudar_cli
