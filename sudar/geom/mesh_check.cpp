#include <sudar/geom/disjoint_sets.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/projection.hpp>

#include <algorithm>

namespace sudar {

namespace {

void note(MeshFault& fault, std::uint32_t element) {
  ++fault.count;
  fault.first = std::min(fault.first, element);
}

// As many triangles up the edge as down; at a border one may be left over
bool pairs_up(const Mesh& mesh, const MeshAdjacency& adj, const MeshEdge& edge) {
  std::uint32_t up = 0;
  for (std::uint32_t i = edge.first; i < edge.end; ++i)
    if (origin_of(mesh, adj.around[i]) == edge.lo) ++up;
  const std::uint32_t down = edge.count() - up;
  return (up > down ? up - down : down - up) == edge.count() % 2;
}

void check_edges(const Mesh& mesh, const MeshAdjacency& adj, MeshReport& report) {
  for (std::uint32_t e = 0; e < adj.edges.size(); ++e) {
    const MeshEdge& edge = adj.edges[e];
    if (edge.count() % 2 == 1) note(report.open_edges, e);
    if (!pairs_up(mesh, adj, edge)) note(report.turned_edges, e);
    if (edge.count() > 2) note(report.non_manifold_edges, e);
  }
}

// Corners of triangles that share an edge belong to the same fan around both of its ends
void check_vertices(const Mesh& mesh, const MeshAdjacency& adj, MeshReport& report) {
  const auto corners = static_cast<std::uint32_t>(adj.twin.size());
  DisjointSets fans(corners);
  for (const MeshEdge& edge : adj.edges) {
    std::uint32_t at_lo = kNoIndex, at_hi = kNoIndex;
    for (std::uint32_t i = edge.first; i < edge.end; ++i) {
      const std::uint32_t h = adj.around[i], g = next_half_edge(h);
      const bool up = origin_of(mesh, h) == edge.lo;
      if (at_lo != kNoIndex) fans.join(at_lo, up ? h : g);
      if (at_hi != kNoIndex) fans.join(at_hi, up ? g : h);
      at_lo = up ? h : g;
      at_hi = up ? g : h;
    }
  }
  std::vector<std::uint32_t> fan_count(mesh.vertices.size(), 0);
  for (std::uint32_t c = 0; c < corners; ++c)
    if (adj.edge_of[c] != kNoIndex && fans.find(c) == c) ++fan_count[origin_of(mesh, c)];
  for (std::uint32_t v = 0; v < fan_count.size(); ++v) {
    if (fan_count[v] == 0) continue;
    ++report.vertices;
    if (fan_count[v] > 1) note(report.pinched_vertices, v);
  }
}

void check_triangles(const Mesh& mesh, const MeshAdjacency& adj, MeshReport& report) {
  struct Named {
    MeshTriangle sorted;
    std::uint32_t triangle;
    auto operator<=>(const Named&) const = default;
  };
  std::vector<Named> named;
  named.reserve(mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    MeshTriangle sorted = mesh.triangles[t];
    std::sort(sorted.begin(), sorted.end());
    named.push_back({sorted, t});
    if (adj.edge_of[3 * t] == kNoIndex) {
      note(report.repeated_index_triangles, t);
      note(report.degenerate_triangles, t);
      continue;
    }
    ++report.triangles;
    const Triangle<3, double> c = mesh.corners(t);
    if (collinear(c.a, c.b, c.c)) note(report.degenerate_triangles, t);
  }
  std::sort(named.begin(), named.end());
  for (std::size_t i = 1; i < named.size(); ++i)
    if (named[i].sorted == named[i - 1].sorted) note(report.duplicate_triangles, named[i].triangle);
}

void count_components(const Mesh& mesh, const MeshAdjacency& adj, MeshReport& report) {
  DisjointSets sets(static_cast<std::uint32_t>(mesh.vertices.size()));
  std::uint32_t joins = 0;
  for (const MeshEdge& edge : adj.edges)
    if (sets.join(edge.lo, edge.hi)) ++joins;
  report.components = report.vertices - joins;
}

void find_unused(const Mesh& mesh, MeshReport& report) {
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const MeshTriangle& t : mesh.triangles)
    for (std::uint32_t v : t) used[v] = true;
  for (std::uint32_t v = 0; v < used.size(); ++v)
    if (!used[v]) note(report.unused_vertices, v);
}

}  // namespace

Result<MeshReport> check_surface(const Mesh& mesh) noexcept {
  const Result<MeshAdjacency> adj = adjacency(mesh);
  if (!adj) return adj.error();
  return check_surface(mesh, *adj);
}

Result<MeshReport> check_surface(const Mesh& mesh, const MeshAdjacency& adj) noexcept {
  return guarded([&]() -> Result<MeshReport> {
    if (const Result<void> checked = check_mesh(mesh); !checked) return checked.error();
    if (adj.twin.size() != 3 * mesh.triangles.size())
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "the adjacency belongs to another mesh"};
    MeshReport report;
    report.edges = static_cast<std::uint32_t>(adj.edges.size());
    check_edges(mesh, adj, report);
    check_vertices(mesh, adj, report);
    check_triangles(mesh, adj, report);
    count_components(mesh, adj, report);
    find_unused(mesh, report);
    report.euler_characteristic = std::int64_t{report.vertices} - report.edges + report.triangles;
    return report;
  });
}

Result<void> check_solid(const Mesh& mesh) noexcept {
  const Result<MeshAdjacency> adj = adjacency(mesh);
  if (!adj) return adj.error();
  if (adj->edges.empty()) return Error{ErrorCode::not_closed, 0, "no triangle has three different vertices"};
  for (const MeshEdge& edge : adj->edges) {
    const std::size_t triangle = triangle_of(adj->around[edge.first]);
    if (edge.count() % 2 == 1) return Error{ErrorCode::not_closed, triangle, "the mesh has a border here"};
    if (!pairs_up(mesh, *adj, edge)) return Error{ErrorCode::not_oriented, triangle, "a neighbour is turned over"};
  }
  return {};
}

}  // namespace sudar
