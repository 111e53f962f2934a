// What:    Pictures of a distance field as SVG: its levels, the body and its closest points.
#pragma once

#include <string>

namespace sudar_bench {

// A cut through the field of a torus that a ball was taken from, with lines of equal distance; false when the file cannot be written
bool write_field_picture(const std::string& file);

}  // namespace sudar_bench
