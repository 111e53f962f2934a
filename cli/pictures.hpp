// What:    The pictures of the tour as inline SVG: a scene with its overlaps, and charts of times.
#pragma once

#include "cli/tour.hpp"

#include <string>

namespace sudar_cli {

// 2D from above, 3D in parallel projection; boxes that overlap another one are coloured
std::string scene_picture(const Snapshot& snapshot, const std::string& label);
// One bar an algorithm
std::string bar_chart(const TourStop& stop);
// One row a scene, one dot an algorithm, on a logarithmic axis
std::string overview_chart(const Tour& tour);

// The class that gives the colour of algorithm i
std::string series_style(std::size_t i);
inline constexpr std::size_t kSeriesCount = 8;

}  // namespace sudar_cli
