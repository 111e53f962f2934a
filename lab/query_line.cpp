#include "lab/query_line.hpp"

#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <cmath>

namespace sudar::lab {

namespace {

template <class V>
std::string point_list(std::span<const V> points) {
  std::string out = "[";
  for (const V& p : points) out += (out.size() > 1 ? "," : "") + json_text(p);
  return out + "]";
}

template <class Children, class Place>
std::string compound_text(const Children& children, const Place& place) {
  std::string out;
  for (const auto& child : children) out += (out.empty() ? "" : ",") + body_text(child.shape, place(child.pose));
  return "{\"type\":\"compound\",\"children\":[" + out + "]}";
}

std::string shape_text(const Shape2& shape) {
  if (shape.kind() == ShapeKind2::compound)
    return compound_text(shape.as<CompoundShape2>().parts->children(), [](const Pose2d& pose) {
      return TurnedPlace2{pose.position, std::atan2(pose.rotation.s, pose.rotation.c)};
    });
  if (shape.kind() == ShapeKind2::chain) {
    const PolygonSet& set = *shape.as<ChainShape2>().set;
    return "{\"type\":\"chain\",\"points\":" + point_list(set.vertices()) + (set.closed() ? ",\"closed\":true}" : "}");
  }
  if (shape.kind() != ShapeKind2::concave_polygon) return json_text(shape);
  return "{\"type\":\"polygon\",\"points\":" + point_list(shape.as<ConcavePolygonShape2>().set->vertices()) + "}";
}

std::string mesh_text(const MeshShape3& s) {
  std::string triangles;
  for (const MeshTriangle& t : s.mesh->mesh().triangles)
    triangles += (triangles.empty() ? "[" : ",[") + std::to_string(t[0]) + "," + std::to_string(t[1]) + "," +
                 std::to_string(t[2]) + "]";
  return "{\"type\":\"mesh\",\"vertices\":" + point_list(std::span<const Vec3d>(s.mesh->mesh().vertices)) +
         ",\"triangles\":[" + triangles + "],\"solid\":" + (s.solid ? "true" : "false") + "}";
}

std::string height_field_text(const HeightField& field) {
  std::string rows;
  for (std::uint32_t j = 0; j < field.rows(); ++j) {
    std::string row;
    for (std::uint32_t i = 0; i < field.columns(); ++i) row += (i == 0 ? "" : ",") + json_text(field.vertex(i, j).z);
    rows += (j == 0 ? "[" : ",[") + row + "]";
  }
  return "{\"type\":\"heightfield\",\"heights\":[" + rows + "],\"spacing\":" + json_text(field.spacing()) + "}";
}

std::string shape_text(const Shape3& shape) {
  switch (shape.kind()) {
    case ShapeKind3::mesh:
      return mesh_text(shape.as<MeshShape3>());
    case ShapeKind3::height_field:
      return height_field_text(*shape.as<HeightFieldShape3>().field);
    case ShapeKind3::compound:
      return compound_text(shape.as<CompoundShape3>().parts->children(), [](const Pose3d& pose) { return pose; });
    default:
      return json_text(shape);
  }
}

}  // namespace

std::string json_text(std::span<const Vec2d> points) { return point_list(points); }
std::string json_text(std::span<const Vec3d> points) { return point_list(points); }
std::string json_text(const Motion2& motion) {
  return "{\"linear\":" + json_text(motion.linear) + ",\"angular\":" + json_text(motion.angular) + "}";
}
std::string json_text(const Motion3& motion) {
  return "{\"linear\":" + json_text(motion.linear) + ",\"angular\":" + json_text(motion.angular) + "}";
}

std::string body_text(const Shape2& shape, const TurnedPlace2& at) {
  return "{\"shape\":" + shape_text(shape) + ",\"pose\":{\"position\":" + json_text(at.position) +
         ",\"angle\":" + json_text(at.angle) + "}}";
}
std::string body_text(const Shape3& shape, const Pose3d& pose) {
  const Quatd& q = pose.rotation;
  return "{\"shape\":" + shape_text(shape) + ",\"pose\":{\"position\":" + json_text(pose.position) + ",\"rotation\":[" +
         json_text(q.w) + "," + json_text(q.x) + "," + json_text(q.y) + "," + json_text(q.z) + "]}}";
}

std::string query_line(std::string_view op, int dim, std::string_view rest) {
  return "{\"id\":1,\"op\":\"" + std::string(op) + "\",\"dim\":" + std::to_string(dim) + "," + std::string(rest) + "}";
}

}  // namespace sudar::lab
