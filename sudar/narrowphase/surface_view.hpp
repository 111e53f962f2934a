// What:    One view of the two kinds of surfaces, meshes and height fields: triangles near a box, nearest triangles, and who
//          lies across an edge.
// Frame:   The surface's.
#pragma once

#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <optional>

namespace sudar {

struct MeshSurface {
  const TriangleMesh& mesh;

  const Aabb3d& bounds() const { return mesh.bounds(); }
  Triangle<3, double> triangle(std::uint32_t t) const { return mesh.triangle(t); }
  template <class F>
  void overlapping(const Aabb3d& box, F&& visit) const {
    for_each_overlap(mesh.tree(), box, visit);
  }
  template <class Bound, class F>
  void nearer(Bound&& bound, double& best, F&& visit) const {
    for_each_nearer(mesh.tree(), bound, best, visit);
  }
  std::optional<Vec3d> opposite(std::uint32_t t, int k) const {
    const std::uint32_t twin = mesh.twin(3 * t + static_cast<std::uint32_t>(k));
    if (twin == kNoIndex) return std::nullopt;
    return mesh.mesh().vertices[origin_of(mesh.mesh(), previous_half_edge(twin))];
  }
};
struct FieldSurface {
  const HeightField& field;

  Aabb3d bounds() const { return field.bounds(); }
  Triangle<3, double> triangle(std::uint32_t t) const { return field.triangle(t); }
  template <class F>
  void overlapping(const Aabb3d& box, F&& visit) const {
    field.for_each_overlap(box, visit);
  }
  template <class Bound, class F>
  void nearer(Bound&& bound, double& best, F&& visit) const {
    field.for_each_nearer(bound, best, visit);
  }
  std::optional<Vec3d> opposite(std::uint32_t t, int k) const {
    const std::uint32_t cell = t / 2, i = cell % (field.columns() - 1), j = cell / (field.columns() - 1);
    // Across the diagonal is the other half of the cell; across the sides, the near half of the next cell
    if (t % 2 == 0) {
      if (k == 2) return field.vertex(i, j + 1);
      if (k == 0) return j == 0 ? std::nullopt : std::optional(field.vertex(i, j - 1));
      return i + 2 >= field.columns() ? std::nullopt : std::optional(field.vertex(i + 2, j + 1));
    }
    if (k == 0) return field.vertex(i + 1, j);
    if (k == 1) return j + 2 >= field.rows() ? std::nullopt : std::optional(field.vertex(i + 1, j + 2));
    return i == 0 ? std::nullopt : std::optional(field.vertex(i - 1, j));
  }
};

}  // namespace sudar
