#include "cli/query_ray.hpp"

#include <sudar/queries/ray2.hpp>
#include <sudar/queries/ray3.hpp>

#include <limits>

namespace sudar_cli {

template <int D>
nlohmann::ordered_json answer_ray(const ShapeReader& reader, const nlohmann::json& line, bool single) {
  using Out = nlohmann::ordered_json;
  const auto vector_at = [&](const char* key) {
    if constexpr (D == 2)
      return reader.vec2(member(line, key), key);
    else
      return reader.vec3(member(line, key), key);
  };
  const nlohmann::json& a = member(line, "a");
  const sudar::Ray<D, double> ray{vector_at("origin"), vector_at("direction")};
  const double max_t = line.contains("max") ? reader.number_at(line, "max") : std::numeric_limits<double>::infinity();
  const sudar::RayAnswer<D> x = value_or_throw(
      [&] {
        if constexpr (D == 2)
          return cast_ray(reader.shape2(member(a, "shape")), reader.pose2(a), ray, max_t);
        else
          return cast_ray(reader.shape3(member(a, "shape")), reader.pose3(a), ray, max_t);
      }(),
      "ray");
  if (!x.hit) return {{"hit", false}};
  const auto rounded = [single](double value) {
    return single ? static_cast<double>(static_cast<float>(value)) : value;
  };
  const auto vector = [&](const sudar::Vec<D, double>& v) {
    Out out = Out::array();
    for (int i = 0; i < D; ++i) out.push_back(rounded(v[i]));
    return out;
  };
  Out out = {{"hit", true}, {"t", rounded(x.t)}, {"point", vector(x.point)}, {"normal", vector(x.normal)}};
  // Of meshes, height fields and triangles; of chains and polygons the edge
  if (x.triangle != sudar::kNoIndex) {
    out["u"] = rounded(x.u);
    if constexpr (D == 3) out["v"] = rounded(x.v);
    out[D == 3 ? "triangle" : "edge"] = x.triangle;
  }
  if (x.child != sudar::kNoIndex) out["child"] = x.child;
  if (x.inside) out["inside"] = true;
  return out;
}

template nlohmann::ordered_json answer_ray<2>(const ShapeReader&, const nlohmann::json&, bool);
template nlohmann::ordered_json answer_ray<3>(const ShapeReader&, const nlohmann::json&, bool);

}  // namespace sudar_cli
