// What:    Which points share an edge of a Delaunay triangulation, as lists: the sites whose Voronoi cells can touch.
// Fails:   too_large when there are more than 2^32 - 1 directed edges, out_of_memory.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/delaunay2.hpp>
#include <sudar/geom/delaunay3.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

// The neighbours of a point, ascending; a duplicate has none
struct DelaunayNeighbours {
  std::vector<std::uint32_t> start, neighbours;

  std::span<const std::uint32_t> of(std::size_t point) const {
    return {neighbours.data() + start[point], neighbours.data() + start[point + 1]};
  }
};

SUDAR_API Result<DelaunayNeighbours> delaunay_neighbours(const Delaunay2& delaunay) noexcept;
SUDAR_API Result<DelaunayNeighbours> delaunay_neighbours(const Delaunay3& delaunay) noexcept;

}  // namespace sudar
