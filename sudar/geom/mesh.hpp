// What:    Indexed triangle mesh: positions in double and triples of indices. The ground for hulls, mass, point tests,
//          files and scenes.
// Frame:   The mesh's own, metres. A triangle is counterclockwise seen from outside.
// Fails:   make_mesh checks what every other function relies on: finite positions and indices in range. It does not ask
//          for a closed or manifold surface; mesh_check.hpp reports that.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/triangle.hpp>
#include <sudar/math/pose.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace sudar {

using MeshTriangle = std::array<std::uint32_t, 3>;

struct Mesh {
  std::vector<Vec3d> vertices;
  std::vector<MeshTriangle> triangles;

  Triangle<3, double> corners(std::size_t triangle) const {
    const MeshTriangle& t = triangles[triangle];
    return {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
  }
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

// Indices of vertices, and of the three half-edges of every triangle, fit 32 bits with one value to spare for "none"
inline constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::size_t kMaxMeshVertices = kNoIndex;
inline constexpr std::size_t kMaxMeshTriangles = kNoIndex / 3;

// Errors: empty_input (no triangle), too_large, non_finite with the vertex, index_out_of_range with the triangle
SUDAR_API Result<Mesh> make_mesh(std::span<const Vec3d> vertices, std::span<const MeshTriangle> triangles) noexcept;
// The checks of make_mesh on a mesh that is already there
SUDAR_API Result<void> check_mesh(const Mesh& mesh) noexcept;

// Every vertex moved by the pose. Errors: those of check_mesh; non_finite with the vertex that left the range of double
SUDAR_API Result<Mesh> transformed(const Mesh& mesh, const Pose3d& pose) noexcept;
// The same surface with its other side out
SUDAR_API Result<Mesh> flipped(const Mesh& mesh) noexcept;
// Both meshes as one, the triangles of `a` first. Nothing is welded.
SUDAR_API Result<Mesh> joined(const Mesh& a, const Mesh& b) noexcept;

}  // namespace sudar
