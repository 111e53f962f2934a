// What:    See query_text.hpp.
#include "lab/query_text.hpp"

#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/convex_body3.hpp>

#include <charconv>
#include <span>

namespace sudar::lab {

namespace {

template <class Points>
std::string json_list(const Points& points) {
  std::string text = "[";
  for (std::size_t i = 0; i < std::size(points); ++i) text += (i == 0 ? "" : ",") + json_text(points[i]);
  return text + "]";
}
std::string typed(std::string_view type, const std::string& members) {
  return "{\"type\":\"" + std::string(type) + "\"," + members + "}";
}
template <class V>
std::string two_ends(const V& p, const V& q) {
  return "\"p\":" + json_text(p) + ",\"q\":" + json_text(q);
}
std::string rounding(double radius) { return radius > 0 ? ",\"radius\":" + json_text(radius) : std::string(); }
std::string round_bar(double half_height, double radius) {
  return "\"half_height\":" + json_text(half_height) + ",\"radius\":" + json_text(radius);
}

std::string whole_query(std::string_view op, int dim, const std::string& a, const std::string& b,
                        std::string_view more) {
  return "{\"op\":\"" + std::string(op) + "\",\"dim\":" + std::to_string(dim) + ",\"a\":" + a + ",\"b\":" + b +
         std::string(more) + "}";
}

}  // namespace

std::string json_text(double value) {
  char text[40];
  const auto [end, status] = std::to_chars(text, text + sizeof text, value);
  return status == std::errc() ? std::string(text, end) : std::string("null");
}
std::string json_text(const Vec2d& v) { return "[" + json_text(v.x) + "," + json_text(v.y) + "]"; }
std::string json_text(const Vec3d& v) {
  return "[" + json_text(v.x) + "," + json_text(v.y) + "," + json_text(v.z) + "]";
}

std::string json_text(const Shape2& shape) {
  switch (shape.kind()) {
    case ShapeKind2::point:
      return typed("point", "\"p\":" + json_text(shape.as<PointShape2>().p));
    case ShapeKind2::segment:
      return typed("segment", two_ends(shape.as<SegmentShape2>().p, shape.as<SegmentShape2>().q));
    case ShapeKind2::circle:
      return typed("circle", "\"radius\":" + json_text(shape.as<CircleShape2>().radius));
    case ShapeKind2::capsule: {
      const auto& s = shape.as<CapsuleShape2>();
      return typed("capsule", two_ends(s.p, s.q) + ",\"radius\":" + json_text(s.radius));
    }
    case ShapeKind2::box:
      return typed("box", "\"half\":" + json_text(shape.as<BoxShape2>().half));
    case ShapeKind2::polygon: {
      const auto& s = shape.as<PolygonShape2>();
      return typed("polygon", "\"points\":" + json_list(s.body->vertices()) + rounding(s.radius));
    }
    case ShapeKind2::halfplane: {
      const auto& s = shape.as<HalfPlaneShape2>();
      return typed("halfspace", "\"normal\":" + json_text(s.normal) + ",\"offset\":" + json_text(s.offset));
    }
    default:
      return "null";
  }
}

std::string json_text(const Shape3& shape) {
  switch (shape.kind()) {
    case ShapeKind3::point:
      return typed("point", "\"p\":" + json_text(shape.as<PointShape3>().p));
    case ShapeKind3::segment:
      return typed("segment", two_ends(shape.as<SegmentShape3>().p, shape.as<SegmentShape3>().q));
    case ShapeKind3::triangle:
      return typed("triangle", "\"points\":" + json_list(std::span<const Vec3d>(shape.as<TriangleShape3>().v)));
    case ShapeKind3::sphere:
      return typed("sphere", "\"radius\":" + json_text(shape.as<SphereShape3>().radius));
    case ShapeKind3::capsule: {
      const auto& s = shape.as<CapsuleShape3>();
      return typed("capsule", two_ends(s.p, s.q) + ",\"radius\":" + json_text(s.radius));
    }
    case ShapeKind3::box:
      return typed("box", "\"half\":" + json_text(shape.as<BoxShape3>().half));
    case ShapeKind3::cylinder: {
      const auto& s = shape.as<CylinderShape3>();
      return typed("cylinder", round_bar(s.half_height, s.radius));
    }
    case ShapeKind3::cone: {
      const auto& s = shape.as<ConeShape3>();
      return typed("cone", round_bar(s.half_height, s.radius));
    }
    case ShapeKind3::ellipsoid:
      return typed("ellipsoid", "\"radii\":" + json_text(shape.as<EllipsoidShape3>().radii));
    case ShapeKind3::hull: {
      const auto& s = shape.as<HullShape3>();
      return typed("hull", "\"points\":" + json_list(s.body->vertices()) + rounding(s.radius));
    }
    case ShapeKind3::halfspace: {
      const auto& s = shape.as<HalfSpaceShape3>();
      return typed("halfspace", "\"normal\":" + json_text(s.normal) + ",\"offset\":" + json_text(s.offset));
    }
    default:
      return "null";
  }
}

std::string query_text(std::string_view op, const Shape2& a, const TurnedPlace2& at_a, const Shape2& b,
                       const TurnedPlace2& at_b, std::string_view more) {
  const auto placed = [](const Shape2& shape, const TurnedPlace2& at) {
    return "{\"shape\":" + json_text(shape) + ",\"pose\":{\"position\":" + json_text(at.position) +
           (at.angle == 0 ? std::string() : ",\"angle\":" + json_text(at.angle)) + "}}";
  };
  return whole_query(op, 2, placed(a, at_a), placed(b, at_b), more);
}

std::string query_text(std::string_view op, const Shape3& a, const Pose3d& pose_a, const Shape3& b,
                       const Pose3d& pose_b, std::string_view more) {
  const auto placed = [](const Shape3& shape, const Pose3d& pose) {
    const Quatd& q = pose.rotation;
    return "{\"shape\":" + json_text(shape) + ",\"pose\":{\"position\":" + json_text(pose.position) +
           ",\"rotation\":[" + json_text(q.w) + "," + json_text(q.x) + "," + json_text(q.y) + "," + json_text(q.z) +
           "]}}";
  };
  return whole_query(op, 3, placed(a, pose_a), placed(b, pose_b), more);
}

Quatd settled(const Quatd& q) {
  Quatd r = normalized(q);
  // Two or three rounds; the end of the loop is for quaternions that rounding sends around in a ring
  for (int i = 0; i < 16 && !(normalized(r) == r); ++i) r = normalized(r);
  return r;
}

}  // namespace sudar::lab
