// What:    Shapes and poses as `sudar query` reads them: what "copy as test case" copies. Numbers are written with as many
//          digits as give the same double back.
// Fails:   never; shapes without a form in the format (support functions) are written as null, which the reader refuses.
#pragma once

#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>

#include <string>
#include <string_view>

namespace sudar::lab {

std::string json_text(double value);
std::string json_text(const Vec2d& v);
std::string json_text(const Vec3d& v);
std::string json_text(const Shape2& shape);
std::string json_text(const Shape3& shape);

// The angle is written as it is given: the reader makes the rotation of it
struct TurnedPlace2 {
  Vec2d position{};
  double angle = 0;

  Pose2d pose() const { return {position, angle == 0 ? Rot2d{} : Rot2d::from_angle(angle)}; }
};

// {"op":…,"dim":…,"a":…,"b":…} and what `more` adds (",\"margin\":0.1")
std::string query_text(std::string_view op, const Shape2& a, const TurnedPlace2& at_a, const Shape2& b,
                       const TurnedPlace2& at_b, std::string_view more = {});
std::string query_text(std::string_view op, const Shape3& a, const Pose3d& pose_a, const Shape3& b,
                       const Pose3d& pose_b, std::string_view more = {});

// The reader brings quaternions to unit length; one of these stays as it is then
Quatd settled(const Quatd& q);

}  // namespace sudar::lab
