// What:    The operations of `sudar query` that have files of their own.
// Fails:   throws QueryError with a code and one clear line; nothing else.
#pragma once

#include "cli/shape_json.hpp"
#include <sudar/narrowphase/contact.hpp>

namespace sudar_cli {

inline const char* contact_kind_name(sudar::ContactKind kind) {
  static constexpr const char* kNames[] = {"none", "point", "segment", "polygon"};
  return kNames[static_cast<std::size_t>(kind)];
}

// The time of impact of two moving bodies, D = 2 or 3. `single` rounds what comes out to float.
template <int D>
nlohmann::ordered_json query_toi(const ShapeReader& reader, const nlohmann::json& line, bool single);

extern template nlohmann::ordered_json query_toi<2>(const ShapeReader&, const nlohmann::json&, bool);
extern template nlohmann::ordered_json query_toi<3>(const ShapeReader&, const nlohmann::json&, bool);

// Linearly moving vertices: ccd_vertex_face, ccd_edge_edge, and ccd_point_edge in the plane
nlohmann::ordered_json query_ccd(const std::string& op, const ShapeReader& reader, const nlohmann::json& line,
                                 bool single);

}  // namespace sudar_cli
