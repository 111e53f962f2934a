// What:    The operation `ray` of `sudar query`.
#pragma once

#include "cli/shape_json.hpp"

#include <nlohmann/json.hpp>

namespace sudar_cli {

// `single`: numbers that go out are rounded to float. Throws QueryError.
template <int D>
nlohmann::ordered_json answer_ray(const ShapeReader& reader, const nlohmann::json& line, bool single);

}  // namespace sudar_cli
