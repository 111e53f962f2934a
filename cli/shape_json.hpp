// What:    Shapes and poses from JSON, as `sudar query` and scene files write them.
// Fails:   throws QueryError with a code and one clear line; nothing else.
#pragma once

#include "cli/mesh_shelf.hpp"
#include <sudar/core/result.hpp>
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>

#include <nlohmann/json.hpp>

#include <memory>
#include <stdexcept>
#include <string>

namespace sudar_cli {

class QueryError : public std::runtime_error {
 public:
  QueryError(std::string code, const std::string& message) : std::runtime_error(message), code_(std::move(code)) {}
  const std::string& code() const { return code_; }

 private:
  std::string code_;
};

// The value of a Result, or its error thrown with the name of what was being made
template <class T>
T value_or_throw(sudar::Result<T> result, const std::string& what) {
  if (!result) throw QueryError(std::string(to_string(result.error().code)), what + ": " + result.error().message());
  return *std::move(result);
}

// Reads numbers as doubles, or as the nearest floats. A reader and its copies read each mesh file once.
class ShapeReader {
 public:
  using Json = nlohmann::json;
  explicit ShapeReader(bool single_precision) : single_(single_precision), files_(std::make_shared<MeshShelf>()) {}

  double number(const Json& json, const std::string& what) const;
  double number_at(const Json& object, const char* key) const;
  sudar::Vec2d vec2(const Json& json, const std::string& what) const;
  sudar::Vec3d vec3(const Json& json, const std::string& what) const;

  sudar::Shape2 shape2(const Json& json) const;
  sudar::Shape3 shape3(const Json& json) const;
  // Absent parts are zero and no rotation; a quaternion is brought to unit length
  sudar::Pose2d pose2(const Json& object) const;
  sudar::Pose3d pose3(const Json& object) const;

 private:
  sudar::Shape2 shape2_at(const Json& json, int depth) const;
  sudar::Shape3 shape3_at(const Json& json, int depth) const;
  sudar::Shape3 mesh(const Json& json) const;
  sudar::Shape3 height_field(const Json& json) const;

  bool single_;
  std::shared_ptr<MeshShelf> files_;
};

// The member, or an error that names it
const nlohmann::json& member(const nlohmann::json& object, const char* key);

}  // namespace sudar_cli
