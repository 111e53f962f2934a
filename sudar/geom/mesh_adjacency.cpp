#include <sudar/geom/mesh_adjacency.hpp>

#include <algorithm>

namespace sudar {

namespace {

bool names_a_vertex_twice(const MeshTriangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

struct Spoke {
  std::uint32_t hi, half_edge;

  friend auto operator<=>(const Spoke&, const Spoke&) = default;
};

}  // namespace

Result<MeshAdjacency> adjacency(const Mesh& mesh) noexcept {
  return guarded([&]() -> Result<MeshAdjacency> {
    if (const Result<void> checked = check_mesh(mesh); !checked) return checked.error();
    const auto half_edges = static_cast<std::uint32_t>(3 * mesh.triangles.size());

    // Bucket the half-edges by their lower vertex
    std::vector<std::uint32_t> bucket(mesh.vertices.size() + 1, 0);
    const auto for_each_half_edge = [&](auto&& visit) {
      for (std::uint32_t h = 0; h < half_edges; ++h) {
        if (names_a_vertex_twice(mesh.triangles[triangle_of(h)])) continue;
        const std::uint32_t a = origin_of(mesh, h), b = origin_of(mesh, next_half_edge(h));
        visit(h, std::min(a, b), std::max(a, b));
      }
    };
    for_each_half_edge([&](std::uint32_t, std::uint32_t lo, std::uint32_t) { ++bucket[lo + 1]; });
    for (std::size_t v = 0; v + 1 < bucket.size(); ++v) bucket[v + 1] += bucket[v];
    std::vector<Spoke> spokes(bucket.back());
    std::vector<std::uint32_t> cursor(bucket.begin(), bucket.end() - 1);
    for_each_half_edge([&](std::uint32_t h, std::uint32_t lo, std::uint32_t hi) { spokes[cursor[lo]++] = {hi, h}; });

    // In each bucket, sort by the upper vertex and cut into edges
    MeshAdjacency result;
    result.around.reserve(spokes.size());
    result.edges.reserve(spokes.size() / 2);
    result.twin.assign(half_edges, kNoIndex);
    result.edge_of.assign(half_edges, kNoIndex);
    for (std::uint32_t lo = 0; lo < mesh.vertices.size(); ++lo) {
      std::sort(spokes.begin() + bucket[lo], spokes.begin() + bucket[lo + 1]);
      for (std::uint32_t i = bucket[lo]; i < bucket[lo + 1]; ++i) {
        if (i == bucket[lo] || spokes[i].hi != spokes[i - 1].hi) result.edges.push_back({lo, spokes[i].hi, i, i});
        ++result.edges.back().end;
        result.edge_of[spokes[i].half_edge] = static_cast<std::uint32_t>(result.edges.size() - 1);
        result.around.push_back(spokes[i].half_edge);
      }
    }

    // Two half-edges that run against each other are twins
    for (const MeshEdge& edge : result.edges) {
      if (edge.count() != 2) continue;
      const std::uint32_t h = result.around[edge.first], g = result.around[edge.first + 1];
      if (origin_of(mesh, h) == origin_of(mesh, g)) continue;
      result.twin[h] = g;
      result.twin[g] = h;
    }
    return result;
  });
}

}  // namespace sudar
