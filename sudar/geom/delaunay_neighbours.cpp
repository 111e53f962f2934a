// What:    Edges of all simplices, sorted, see the header.
#include <sudar/geom/delaunay_neighbours.hpp>

#include <algorithm>

namespace sudar {
namespace {

// Every directed edge as one number
template <class Simplices>
void add_edges(const Simplices& simplices, std::vector<std::uint64_t>& edges) {
  for (const auto& simplex : simplices)
    for (const std::uint32_t a : simplex)
      for (const std::uint32_t b : simplex)
        if (a != b) edges.push_back(std::uint64_t{a} << 32 | b);
}

Result<DelaunayNeighbours> make_lists(std::vector<std::uint64_t> edges, std::size_t points) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  if (edges.size() > 0xffffffffu)
    return Error{ErrorCode::too_large, Error::kNoElement, "more edges than indices allow"};
  DelaunayNeighbours out;
  out.start.assign(points + 1, 0);
  out.neighbours.reserve(edges.size());
  for (const std::uint64_t edge : edges) {
    ++out.start[(edge >> 32) + 1];
    out.neighbours.push_back(static_cast<std::uint32_t>(edge));
  }
  for (std::size_t i = 1; i < out.start.size(); ++i) out.start[i] += out.start[i - 1];
  return out;
}

}  // namespace

Result<DelaunayNeighbours> delaunay_neighbours(const Delaunay2& delaunay) noexcept {
  return guarded([&]() -> Result<DelaunayNeighbours> {
    std::vector<std::uint64_t> edges;
    add_edges(delaunay.triangles, edges);
    add_edges(delaunay.edges, edges);
    return make_lists(std::move(edges), delaunay.first_of.size());
  });
}

Result<DelaunayNeighbours> delaunay_neighbours(const Delaunay3& delaunay) noexcept {
  return guarded([&]() -> Result<DelaunayNeighbours> {
    std::vector<std::uint64_t> edges;
    add_edges(delaunay.tetrahedra, edges);
    add_edges(delaunay.triangles, edges);
    add_edges(delaunay.edges, edges);
    return make_lists(std::move(edges), delaunay.first_of.size());
  });
}

}  // namespace sudar
