// What:    Points to look at algorithms on: by number, seed and kind, in the plane and in space.
#pragma once

#include "lab/parameter.hpp"
#include <sudar/math/vec.hpp>

#include <span>
#include <string>
#include <vector>

namespace sudar::lab {

// "points", "seed", "cloud": appended
void add_cloud_parameters(std::vector<Parameter>& parameters, double points, double most,
                          std::string_view cloud = "disc");

// disc (a ball in space), square (a cube), circle (on it, up to rounding), grid, clusters
std::vector<Vec2d> cloud2(std::span<const Parameter> parameters);
std::vector<Vec3d> cloud3(std::span<const Parameter> parameters);

}  // namespace sudar::lab
