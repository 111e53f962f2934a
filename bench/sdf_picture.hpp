// What:    Pictures as SVG: a distance field with its levels and closest points; a robot's way among obstacles.
#pragma once

#include <string>

namespace sudar_bench {

// Lines of equal distance of a star joined with a disc from which a bar is cut; false when the file cannot be written
bool write_field_picture(const std::string& file);
// The shortest way of a robot, with the obstacles and what they become for its place
bool write_path_picture(const std::string& file);

}  // namespace sudar_bench
