// What:    See number_text.hpp.
#include "lab/number_text.hpp"

#include <cmath>
#include <cstdio>

namespace sudar::lab {

std::string num(double value) {
  char text[32];
  // A rounding error is no number to put on a projector, but it is to be seen that it is not zero
  std::snprintf(text, sizeof text, value != 0 && std::fabs(value) < 1e-4 ? "%.1e" : "%.4g", value);
  return text;
}
std::string num(const Vec2d& v) { return "(" + num(v.x) + ", " + num(v.y) + ")"; }
std::string num(const Vec3d& v) { return "(" + num(v.x) + ", " + num(v.y) + ", " + num(v.z) + ")"; }

}  // namespace sudar::lab
