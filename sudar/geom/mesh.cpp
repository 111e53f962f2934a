#include <sudar/geom/mesh.hpp>

namespace sudar {

namespace {

Result<void> check(std::span<const Vec3d> vertices, std::span<const MeshTriangle> triangles) {
  if (vertices.size() > kMaxMeshVertices)
    return Error{ErrorCode::too_large, kMaxMeshVertices, "more vertices than 32-bit indices reach"};
  if (triangles.size() > kMaxMeshTriangles)
    return Error{ErrorCode::too_large, kMaxMeshTriangles, "more triangles than 32-bit half-edges reach"};
  if (triangles.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "a mesh needs a triangle"};
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (!is_finite(vertices[i])) return Error{ErrorCode::non_finite, i, "vertex is NaN or infinite"};
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (std::uint32_t index : triangles[i])
      if (index >= vertices.size())
        return Error{ErrorCode::index_out_of_range, i, "triangle points past the last vertex"};
  return {};
}

}  // namespace

Result<Mesh> make_mesh(std::span<const Vec3d> vertices, std::span<const MeshTriangle> triangles) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (const Result<void> checked = check(vertices, triangles); !checked) return checked.error();
    return Mesh{{vertices.begin(), vertices.end()}, {triangles.begin(), triangles.end()}};
  });
}

Result<void> check_mesh(const Mesh& mesh) noexcept { return check(mesh.vertices, mesh.triangles); }

Result<Mesh> transformed(const Mesh& mesh, const Pose3d& pose) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (const Result<void> checked = check_mesh(mesh); !checked) return checked.error();
    Mesh moved = mesh;
    for (Vec3d& v : moved.vertices) v = transform(pose, v);
    if (const Result<void> checked = check_mesh(moved); !checked) return checked.error();
    return moved;
  });
}

Result<Mesh> flipped(const Mesh& mesh) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (const Result<void> checked = check_mesh(mesh); !checked) return checked.error();
    Mesh turned = mesh;
    for (MeshTriangle& t : turned.triangles) std::swap(t[1], t[2]);
    return turned;
  });
}

Result<Mesh> joined(const Mesh& a, const Mesh& b) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (const Result<void> checked = check_mesh(a); !checked) return checked.error();
    if (const Result<void> checked = check_mesh(b); !checked) return checked.error();
    if (a.vertices.size() + b.vertices.size() > kMaxMeshVertices ||
        a.triangles.size() + b.triangles.size() > kMaxMeshTriangles)
      return Error{ErrorCode::too_large, Error::kNoElement, "together more than 32-bit indices reach"};
    Mesh both = a;
    both.vertices.insert(both.vertices.end(), b.vertices.begin(), b.vertices.end());
    const auto shift = static_cast<std::uint32_t>(a.vertices.size());
    both.triangles.reserve(a.triangles.size() + b.triangles.size());
    for (const MeshTriangle& t : b.triangles) both.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
    return both;
  });
}

}  // namespace sudar
