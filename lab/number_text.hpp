// What:    Numbers as people read them: four digits, and what rounding left as a power of ten.
#pragma once

#include <sudar/math/vec.hpp>

#include <cstddef>
#include <string>

namespace sudar::lab {

// "0.125"
std::string num(double value);
std::string num(const Vec2d& v);
std::string num(const Vec3d& v);
inline std::string num(std::size_t count) { return std::to_string(count); }

}  // namespace sudar::lab
