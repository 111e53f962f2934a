#include "cli/shape_json.hpp"

#include <sudar/geom/mesh.hpp>
#include <sudar/geom/polygon.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace sudar_cli {

namespace {

using Json = ShapeReader::Json;
using sudar::Shape2;
using sudar::Shape3;
using sudar::Vec2d;
using sudar::Vec3d;

// Compounds in compounds, before the parser of shapes gives up; the library has a limit of its own
constexpr int kMaxNesting = 32;

std::string type_of(const Json& json) {
  const Json& type = member(json, "type");
  if (!type.is_string()) throw QueryError("bad_format", "'type' must be a string");
  return type.get<std::string>();
}

const Json& array_at(const Json& object, const char* key) {
  const Json& found = member(object, key);
  if (!found.is_array()) throw QueryError("bad_format", std::string("'") + key + "' must be an array");
  return found;
}

}  // namespace

const Json& member(const Json& object, const char* key) {
  if (!object.is_object()) throw QueryError("bad_format", std::string("expected an object with '") + key + "'");
  const auto found = object.find(key);
  if (found == object.end()) throw QueryError("bad_format", std::string("'") + key + "' is missing");
  return *found;
}

double ShapeReader::number(const Json& json, const std::string& what) const {
  if (!json.is_number()) throw QueryError("bad_format", "'" + what + "' must be a number");
  const double x = json.get<double>();
  if (!std::isfinite(x)) throw QueryError("non_finite", "'" + what + "' is not a finite number");
  if (!single_) return x;
  const float y = static_cast<float>(x);
  if (!std::isfinite(y)) throw QueryError("too_large", "'" + what + "' is beyond the range of float");
  return y;
}
double ShapeReader::number_at(const Json& object, const char* key) const { return number(member(object, key), key); }

Vec2d ShapeReader::vec2(const Json& json, const std::string& what) const {
  if (!json.is_array() || json.size() != 2) throw QueryError("bad_format", "'" + what + "' must be [x, y]");
  return {number(json[0], what), number(json[1], what)};
}
Vec3d ShapeReader::vec3(const Json& json, const std::string& what) const {
  if (!json.is_array() || json.size() != 3) throw QueryError("bad_format", "'" + what + "' must be [x, y, z]");
  return {number(json[0], what), number(json[1], what), number(json[2], what)};
}

sudar::Pose2d ShapeReader::pose2(const Json& object) const {
  sudar::Pose2d pose;
  const auto found = object.find("pose");
  if (found == object.end()) return pose;
  if (!found->is_object()) throw QueryError("bad_format", "'pose' must be an object");
  if (const auto p = found->find("position"); p != found->end()) pose.position = vec2(*p, "position");
  if (const auto a = found->find("angle"); a != found->end())
    pose.rotation = sudar::Rot2d::from_angle(number(*a, "angle"));
  return pose;
}
sudar::Pose3d ShapeReader::pose3(const Json& object) const {
  sudar::Pose3d pose;
  const auto found = object.find("pose");
  if (found == object.end()) return pose;
  if (!found->is_object()) throw QueryError("bad_format", "'pose' must be an object");
  if (const auto p = found->find("position"); p != found->end()) pose.position = vec3(*p, "position");
  if (const auto r = found->find("rotation"); r != found->end()) {
    if (!r->is_array() || r->size() != 4) throw QueryError("bad_format", "'rotation' must be [w, x, y, z]");
    const sudar::Quatd q{number((*r)[0], "rotation"), number((*r)[1], "rotation"), number((*r)[2], "rotation"),
                         number((*r)[3], "rotation")};
    if (q == sudar::Quatd{0, 0, 0, 0}) throw QueryError("degenerate", "'rotation' is a quaternion of length zero");
    pose.rotation = normalized(q);
  }
  return pose;
}

Shape2 ShapeReader::shape2(const Json& json) const { return shape2_at(json, 0); }
Shape3 ShapeReader::shape3(const Json& json) const { return shape3_at(json, 0); }

Shape2 ShapeReader::shape2_at(const Json& json, int depth) const {
  if (depth > kMaxNesting) throw QueryError("too_large", "compounds are nested too deeply");
  const std::string type = type_of(json);
  const auto radius_or_zero = [&] { return json.contains("radius") ? number_at(json, "radius") : 0.0; };
  if (type == "circle") return value_or_throw(sudar::make_circle2(number_at(json, "radius")), type);
  if (type == "box") return value_or_throw(sudar::make_box2(vec2(member(json, "half"), "half")), type);
  if (type == "point") return value_or_throw(sudar::make_point2(vec2(member(json, "p"), "p")), type);
  if (type == "segment")
    return value_or_throw(sudar::make_segment2(vec2(member(json, "p"), "p"), vec2(member(json, "q"), "q")), type);
  if (type == "capsule")
    return value_or_throw(
        sudar::make_capsule2(vec2(member(json, "p"), "p"), vec2(member(json, "q"), "q"), number_at(json, "radius")),
        type);
  if (type == "halfspace")
    return value_or_throw(sudar::make_halfplane2(vec2(member(json, "normal"), "normal"), number_at(json, "offset")),
                          type);
  if (type == "polygon") {
    std::vector<Vec2d> points;
    for (const Json& p : array_at(json, "points")) points.push_back(vec2(p, "points"));
    // A convex polygon in either sense, or one that is flat, is its hull; what is not must be simple
    const double radius = radius_or_zero();
    const std::vector<Vec2d> reversed(points.rbegin(), points.rend());
    const bool convex = sudar::is_convex(points) || sudar::is_convex(reversed);
    if (points.size() < 3 || convex || radius > 0) {
      if (points.size() >= 3 && !convex)
        throw QueryError("not_convex", "polygon: only a convex polygon can have a radius");
      return value_or_throw(sudar::make_polygon2(points, radius), type);
    }
    return value_or_throw(sudar::make_concave_polygon2(points), type);
  }
  if (type == "chain") {
    std::vector<Vec2d> points;
    for (const Json& p : array_at(json, "points")) points.push_back(vec2(p, "points"));
    return value_or_throw(sudar::make_chain2(points, json.value("closed", false)), type);
  }
  if (type == "compound") {
    std::vector<sudar::CompoundChild2> children;
    for (const Json& child : array_at(json, "children"))
      children.push_back({shape2_at(member(child, "shape"), depth + 1), pose2(child)});
    return value_or_throw(sudar::make_compound2(children), type);
  }
  throw QueryError("unsupported", "there is no shape '" + type + "' in 2D");
}

Shape3 ShapeReader::shape3_at(const Json& json, int depth) const {
  if (depth > kMaxNesting) throw QueryError("too_large", "compounds are nested too deeply");
  const std::string type = type_of(json);
  const auto at = [&](const char* key) { return number_at(json, key); };
  const auto vec = [&](const char* key) { return vec3(member(json, key), key); };
  if (type == "sphere") return value_or_throw(sudar::make_sphere3(at("radius")), type);
  if (type == "box") return value_or_throw(sudar::make_box3(vec("half")), type);
  if (type == "point") return value_or_throw(sudar::make_point3(vec("p")), type);
  if (type == "segment") return value_or_throw(sudar::make_segment3(vec("p"), vec("q")), type);
  if (type == "capsule") return value_or_throw(sudar::make_capsule3(vec("p"), vec("q"), at("radius")), type);
  if (type == "cylinder") return value_or_throw(sudar::make_cylinder3(at("half_height"), at("radius")), type);
  if (type == "cone") return value_or_throw(sudar::make_cone3(at("half_height"), at("radius")), type);
  if (type == "ellipsoid") return value_or_throw(sudar::make_ellipsoid3(vec("radii")), type);
  if (type == "halfspace") return value_or_throw(sudar::make_halfspace3(vec("normal"), at("offset")), type);
  if (type == "hull" || type == "triangle") {
    std::vector<Vec3d> points;
    for (const Json& p : array_at(json, "points")) points.push_back(vec3(p, "points"));
    if (type == "hull")
      return value_or_throw(sudar::make_hull_shape3(points, json.contains("radius") ? at("radius") : 0.0), type);
    if (points.size() != 3) throw QueryError("bad_format", "a triangle has three points");
    auto triangle = sudar::make_triangle3(points[0], points[1], points[2]);
    // Corners on one line span a segment or a point, which have answers too
    if (!triangle && triangle.error().code == sudar::ErrorCode::degenerate) triangle = sudar::make_hull_shape3(points);
    return value_or_throw(std::move(triangle), type);
  }
  if (type == "mesh") return mesh(json);
  if (type == "heightfield") return height_field(json);
  if (type == "compound") {
    std::vector<sudar::CompoundChild3> children;
    for (const Json& child : array_at(json, "children"))
      children.push_back({shape3_at(member(child, "shape"), depth + 1), pose3(child)});
    return value_or_throw(sudar::make_compound3(children), type);
  }
  throw QueryError("unsupported", "there is no shape '" + type + "' in 3D");
}

Shape3 ShapeReader::mesh(const Json& json) const {
  const auto solid_at = json.find("solid");
  if (solid_at != json.end() && !solid_at->is_boolean())
    throw QueryError("bad_format", "'solid' must be true or false");
  const bool solid = solid_at != json.end() && solid_at->get<bool>();
  if (const auto file = json.find("file"); file != json.end()) {
    if (!file->is_string()) throw QueryError("bad_format", "'file' must be a string");
    if (json.contains("vertices") || json.contains("triangles"))
      throw QueryError("bad_format", "a mesh has either a 'file' or 'vertices' and 'triangles'");
    return files_->shape(file->get<std::string>(), solid_at != json.end() ? std::optional(solid) : std::nullopt,
                         single_);
  }
  std::vector<Vec3d> vertices;
  std::vector<sudar::MeshTriangle> triangles;
  for (const Json& v : array_at(json, "vertices")) vertices.push_back(vec3(v, "vertices"));
  for (const Json& t : array_at(json, "triangles")) {
    if (!t.is_array() || t.size() != 3) throw QueryError("bad_format", "'triangles' must hold [i, j, k]");
    sudar::MeshTriangle triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      if (!t[k].is_number_integer()) throw QueryError("bad_format", "an index of 'triangles' must be an integer");
      const auto index = t[k].is_number_unsigned() ? t[k].get<std::uint64_t>() : std::uint64_t{sudar::kNoIndex};
      triangle[k] = index < sudar::kNoIndex ? static_cast<std::uint32_t>(index) : sudar::kNoIndex;
    }
    triangles.push_back(triangle);
  }
  return value_or_throw(sudar::make_mesh_shape3(vertices, triangles, solid), "mesh");
}

Shape3 ShapeReader::height_field(const Json& json) const {
  const Json& rows = array_at(json, "heights");
  std::vector<double> heights;
  std::size_t columns = 0;
  for (const Json& row : rows) {
    if (!row.is_array()) throw QueryError("bad_format", "'heights' must be an array of rows");
    if (&row == &rows.front()) columns = row.size();
    if (row.size() != columns) throw QueryError("bad_format", "the rows of 'heights' differ in length");
    for (const Json& h : row) heights.push_back(number(h, "heights"));
  }
  return value_or_throw(
      sudar::make_height_field3(heights, static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(rows.size()),
                                vec2(member(json, "spacing"), "spacing")),
      "heightfield");
}

}  // namespace sudar_cli
