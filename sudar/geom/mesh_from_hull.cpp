#include <sudar/geom/mesh_from_hull.hpp>

namespace sudar {

Result<Mesh> to_mesh(const Hull3& hull) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (hull.dimension < 3) return Error{ErrorCode::degenerate, Error::kNoElement, "the hull has no volume"};
    Mesh mesh;
    mesh.vertices = hull.vertices;
    for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
      const std::uint32_t first = hull.face_edge[f], degree = hull.face_degree(f);
      if (first > hull.edges.size() || degree > hull.edges.size() - first)
        return Error{ErrorCode::index_out_of_range, f, "face points past the last edge"};
      for (std::uint32_t i = 2; i < degree; ++i)
        mesh.triangles.push_back({hull.face_vertex(f, 0), hull.face_vertex(f, i - 1), hull.face_vertex(f, i)});
    }
    if (const Result<void> checked = check_mesh(mesh); !checked) return checked.error();
    return mesh;
  });
}

}  // namespace sudar
