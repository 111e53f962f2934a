// What:    Lines of `sudar query` with one body, with motions, and with points, beside those of query_text.hpp.
#pragma once

#include "lab/query_text.hpp"
#include <sudar/continuous/motion.hpp>

#include <span>
#include <string>
#include <string_view>

namespace sudar::lab {

std::string json_text(std::span<const Vec2d> points);
std::string json_text(std::span<const Vec3d> points);
// {"linear":…,"angular":…}
std::string json_text(const Motion2& motion);
std::string json_text(const Motion3& motion);
// {"shape":…,"pose":…}
std::string body_text(const Shape2& shape, const TurnedPlace2& at);
std::string body_text(const Shape3& shape, const Pose3d& pose);

// {"id":1,"op":…,"dim":…,rest}
std::string query_line(std::string_view op, int dim, std::string_view rest);

}  // namespace sudar::lab
