#include "cli/mesh_shelf.hpp"

#include "cli/gltf_file.hpp"
#include "cli/shape_json.hpp"
#include <sudar/geom/mesh_check.hpp>
#include <sudar/io/mesh_file.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <cmath>

namespace sudar_cli {

namespace {

constexpr std::size_t kKept = 10'000'000;

// The index of a vertex that float cannot hold, or the number of them
std::size_t round_to_float(std::vector<sudar::Vec3d>& vertices) {
  for (std::size_t i = 0; i < vertices.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const float x = static_cast<float>(vertices[i][axis]);
      if (!std::isfinite(x)) return i;
      vertices[i][axis] = x;
    }
  return vertices.size();
}

}  // namespace

MeshShelf::Entry MeshShelf::read(const std::string& path, std::optional<bool> solid, bool single,
                                 std::size_t& triangles) {
  const auto failed = [&](const sudar::Error& error) { return Entry{error, mesh_file_message(path, error)}; };
  auto parts = load_model(path);
  if (!parts) return failed(parts.error());
  auto mesh =
      parts->size() == 1 ? sudar::Result<sudar::Mesh>(std::move(parts->front().mesh)) : sudar::join_parts(*parts);
  if (mesh && single)
    if (const std::size_t bad = round_to_float(mesh->vertices); bad < mesh->vertices.size())
      return failed({sudar::ErrorCode::too_large, bad, "the vertex is beyond the range of float"});
  // Files often list a vertex again for each face or normal; what bounds a body is where the surface is
  if (!mesh) return failed(mesh.error());
  if (solid.value_or(true)) {
    auto body = sudar::merge_equal_vertices(*mesh);
    if (!solid) solid = body && check_solid(*body).ok();
    if (*solid) mesh = std::move(body);
    if (!mesh) return failed(mesh.error());
  }
  auto shape = sudar::make_mesh_shape3(mesh->vertices, mesh->triangles, *solid);
  if (!shape) return failed(shape.error());
  triangles = mesh->triangles.size();
  return {std::move(shape), {}};
}

sudar::Shape3 MeshShelf::shape(const std::string& path, std::optional<bool> solid, bool single) {
  const std::lock_guard lock(mutex_);
  const std::tuple key(path, solid, single);
  auto found = entries_.find(key);
  if (found == entries_.end()) {
    std::size_t triangles = 0;
    Entry entry = read(path, solid, single, triangles);
    if (triangles_ + triangles > kKept) {
      entries_.clear();
      triangles_ = 0;
    }
    triangles_ += triangles;
    found = entries_.emplace(key, std::move(entry)).first;
  }
  const Entry& entry = found->second;
  if (!entry.shape) throw QueryError(std::string(to_string(entry.shape.error().code)), "mesh: " + entry.message);
  return *entry.shape;
}

}  // namespace sudar_cli
