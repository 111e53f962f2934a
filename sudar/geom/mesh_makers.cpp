#include <sudar/geom/mesh_adjacency.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/math/scalar.hpp>

#include <utility>

namespace sudar {

namespace {

bool is_size(double x) { return x > 0 && std::isfinite(x); }

Error bad_size() { return {ErrorCode::invalid_argument, Error::kNoElement, "a size must be positive and finite"}; }
Error bad_count() { return {ErrorCode::invalid_argument, Error::kNoElement, "too few segments for a body"}; }
Error too_fine() { return {ErrorCode::too_large, Error::kNoElement, "more triangles than kMaxMadeTriangles"}; }

// `count` unit directions around z
std::vector<Vec3d> circle(std::uint32_t count) {
  std::vector<Vec3d> directions;
  directions.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const SinCos angle = sin_cos(2 * kPi * i / count);
    directions.push_back({angle.cos, angle.sin, 0});
  }
  return directions;
}

// A pole over the ring that starts at `first`; seen from the pole the ring runs counterclockwise
void add_fan(Mesh& mesh, std::uint32_t pole, std::uint32_t first, std::uint32_t count, bool up) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t a = first + i, b = first + (i + 1) % count;
    mesh.triangles.push_back(up ? MeshTriangle{pole, a, b} : MeshTriangle{pole, b, a});
  }
}

// Between two rings of the same count, the lower one first
void add_band(Mesh& mesh, std::uint32_t lower, std::uint32_t upper, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t j = (i + 1) % count;
    mesh.triangles.push_back({lower + i, lower + j, upper + j});
    mesh.triangles.push_back({lower + i, upper + j, upper + i});
  }
}

Mesh icosahedron() {
  const double g = (1 + std::sqrt(5.0)) / 2;
  return {{{-1, g, 0},
           {1, g, 0},
           {-1, -g, 0},
           {1, -g, 0},
           {0, -1, g},
           {0, 1, g},
           {0, -1, -g},
           {0, 1, -g},
           {g, 0, -1},
           {g, 0, 1},
           {-g, 0, -1},
           {-g, 0, 1}},
          {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
           {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
           {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
}

// Every triangle into four, new vertices in the middle of the edges
Result<Mesh> cut_in_four(const Mesh& mesh) {
  const Result<MeshAdjacency> adj = adjacency(mesh);
  if (!adj) return adj.error();
  Mesh finer;
  finer.vertices = mesh.vertices;
  finer.triangles.reserve(4 * mesh.triangles.size());
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const MeshEdge& e : adj->edges) finer.vertices.push_back(normalized(mesh.vertices[e.lo] + mesh.vertices[e.hi]));
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const MeshTriangle& v = mesh.triangles[t];
    const MeshTriangle m = {first + adj->edge_of[3 * t], first + adj->edge_of[3 * t + 1],
                            first + adj->edge_of[3 * t + 2]};
    finer.triangles.push_back({v[0], m[0], m[2]});
    finer.triangles.push_back({v[1], m[1], m[0]});
    finer.triangles.push_back({v[2], m[2], m[1]});
    finer.triangles.push_back(m);
  }
  return finer;
}

}  // namespace

Result<Mesh> box_mesh(const Vec3d& h) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (!is_size(h.x) || !is_size(h.y) || !is_size(h.z)) return bad_size();
    // Corner i has +h where the bits of i are set
    Mesh mesh;
    for (int i = 0; i < 8; ++i) mesh.vertices.push_back({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
    mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return mesh;
  });
}

Result<Mesh> tetrahedron_mesh(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) noexcept {
  return guarded([&]() -> Result<Mesh> {
    Mesh mesh{{a, b, c, d}, {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}};
    if (const Result<void> checked = check_mesh(mesh); !checked) return checked.error();
    const int side = orient3d(a, b, c, d);
    if (side == 0) return Error{ErrorCode::degenerate, Error::kNoElement, "the four corners are coplanar"};
    // abc faces out when d lies behind it
    if (side > 0)
      for (MeshTriangle& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
  });
}

Result<Mesh> octahedron_mesh(double radius) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (!is_size(radius)) return bad_size();
    Mesh mesh;
    mesh.vertices = {{radius, 0, 0}, {0, radius, 0}, {-radius, 0, 0}, {0, -radius, 0}, {0, 0, radius}, {0, 0, -radius}};
    add_fan(mesh, 4, 0, 4, true);
    add_fan(mesh, 5, 0, 4, false);
    return mesh;
  });
}

Result<Mesh> uv_sphere_mesh(double radius, std::uint32_t slices, std::uint32_t stacks) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (!is_size(radius)) return bad_size();
    if (slices < 3 || stacks < 2) return bad_count();
    if (std::uint64_t{slices} * (stacks - 1) > kMaxMadeTriangles / 2) return too_fine();
    const std::vector<Vec3d> around = circle(slices);
    Mesh mesh;
    mesh.vertices.push_back({0, 0, -radius});
    for (std::uint32_t s = 1; s < stacks; ++s) {
      const SinCos polar = sin_cos(kPi * s / stacks);
      for (const Vec3d& d : around)
        mesh.vertices.push_back({radius * polar.sin * d.x, radius * polar.sin * d.y, -radius * polar.cos});
    }
    mesh.vertices.push_back({0, 0, radius});
    const auto top = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
    add_fan(mesh, 0, 1, slices, false);
    for (std::uint32_t s = 1; s + 1 < stacks; ++s) add_band(mesh, 1 + (s - 1) * slices, 1 + s * slices, slices);
    add_fan(mesh, top, top - slices, slices, true);
    return mesh;
  });
}

Result<Mesh> icosphere_mesh(double radius, std::uint32_t subdivisions) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (!is_size(radius)) return bad_size();
    if (subdivisions > 15 || (std::size_t{20} << (2 * subdivisions)) > kMaxMadeTriangles) return too_fine();
    Mesh mesh = icosahedron();
    for (Vec3d& v : mesh.vertices) v = normalized(v);
    for (std::uint32_t i = 0; i < subdivisions; ++i) {
      Result<Mesh> finer = cut_in_four(mesh);
      if (!finer) return finer.error();
      mesh = std::move(*finer);
    }
    for (Vec3d& v : mesh.vertices) v *= radius;
    return mesh;
  });
}

Result<Mesh> torus_mesh(double major_radius, double minor_radius, std::uint32_t major_segments,
                        std::uint32_t minor_segments) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (!is_size(major_radius) || !is_size(minor_radius) || !(minor_radius < major_radius) ||
        !is_size(major_radius + minor_radius))
      return bad_size();
    if (major_segments < 3 || minor_segments < 3) return bad_count();
    if (std::uint64_t{major_segments} * minor_segments > kMaxMadeTriangles / 2) return too_fine();
    const std::vector<Vec3d> along = circle(major_segments), around = circle(minor_segments);
    Mesh mesh;
    for (const Vec3d& a : along)
      for (const Vec3d& m : around) {
        const double r = major_radius + minor_radius * m.x;
        mesh.vertices.push_back({r * a.x, r * a.y, minor_radius * m.y});
      }
    // Rings are cross sections: seen along the direction of travel each runs clockwise, so bands go from the next one
    for (std::uint32_t i = 0; i < major_segments; ++i)
      add_band(mesh, (i + 1) % major_segments * minor_segments, i * minor_segments, minor_segments);
    return mesh;
  });
}

Result<Mesh> cylinder_mesh(double radius, double half_height, std::uint32_t slices) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (!is_size(radius) || !is_size(half_height)) return bad_size();
    if (slices < 3) return bad_count();
    if (slices > kMaxMadeTriangles / 4) return too_fine();
    const std::vector<Vec3d> around = circle(slices);
    Mesh mesh;
    for (double z : {-half_height, half_height})
      for (const Vec3d& d : around) mesh.vertices.push_back({radius * d.x, radius * d.y, z});
    mesh.vertices.push_back({0, 0, -half_height});
    mesh.vertices.push_back({0, 0, half_height});
    add_band(mesh, 0, slices, slices);
    add_fan(mesh, 2 * slices, 0, slices, false);
    add_fan(mesh, 2 * slices + 1, slices, slices, true);
    return mesh;
  });
}

Result<Mesh> cone_mesh(double radius, double half_height, std::uint32_t slices) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (!is_size(radius) || !is_size(half_height)) return bad_size();
    if (slices < 3) return bad_count();
    if (slices > kMaxMadeTriangles / 2) return too_fine();
    Mesh mesh;
    for (const Vec3d& d : circle(slices)) mesh.vertices.push_back({radius * d.x, radius * d.y, -half_height});
    mesh.vertices.push_back({0, 0, -half_height});
    mesh.vertices.push_back({0, 0, half_height});
    add_fan(mesh, slices, 0, slices, false);
    add_fan(mesh, slices + 1, 0, slices, true);
    return mesh;
  });
}

}  // namespace sudar
