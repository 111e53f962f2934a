// What:    The Voronoi diagram of sites in the plane: the points nearest to each site, bounded or not, and clipped.
// Source:  the dual of Delaunay's triangulation (Delaunay, "Sur la sphère vide", 1934); delaunay2.hpp.
// Differs: Cocircular sites share one Voronoi vertex: which triangles merge is decided by the exact incircle, so there
//          are no edges of length zero. Vertices are circumcentres rounded from exact values when plain doubles could
//          be off by more than a few units of rounding of the circle's radius (Voronoi2.VerticesAgainstRationals).
// Frame:   The caller's. Indices of sites are those of the input; a duplicate site has an empty cell.
// Fails:   as delaunay2; degenerate with a site when a vertex lies beyond the range of double.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/convex_clip.hpp>
#include <sudar/geom/delaunay2.hpp>
#include <sudar/math/vec.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

struct Voronoi2 {
  // The border of a cell, counterclockwise, is a loop of vertices when bounded. Otherwise it comes from infinity along
  // -first_ray to the first vertex, follows the vertices and leaves the last one along last_ray; with no vertex
  // (collinear sites) it is one or two full bisectors, and the rays point along them.
  struct Cell {
    std::uint32_t vertex_begin = 0, vertex_end = 0;        // in cell_vertices
    std::uint32_t neighbour_begin = 0, neighbour_end = 0;  // in cell_neighbours, along the border in the same order
    bool bounded = false;
    Vec2d first_ray{}, last_ray{};  // unit vectors, towards infinity
  };

  int dimension = 0;                         // of the sites, as in Delaunay2
  std::vector<Vec2d> vertices;               // where three or more cells meet
  std::vector<std::uint32_t> cell_vertices;  // indices of vertices
  std::vector<std::uint32_t>
      cell_neighbours;                  // sites across each edge (edge i runs from vertex i to vertex i + 1) or ray
  std::vector<Cell> cells;              // one for each site
  std::vector<std::uint32_t> first_of;  // for each site, the first one at the same place

  std::span<const std::uint32_t> vertices_of(std::size_t site) const {
    return {cell_vertices.data() + cells[site].vertex_begin, cell_vertices.data() + cells[site].vertex_end};
  }
  std::span<const std::uint32_t> neighbours_of(std::size_t site) const {
    return {cell_neighbours.data() + cells[site].neighbour_begin, cell_neighbours.data() + cells[site].neighbour_end};
  }
};

SUDAR_API Result<Voronoi2> voronoi2(std::span<const Vec2d> sites);
// The same from a triangulation that exists already; it must be of these sites
SUDAR_API Result<Voronoi2> voronoi2(std::span<const Vec2d> sites, const Delaunay2& delaunay);

// The part of every cell inside of a convex polygon (counterclockwise), empty where they don't meet. Edges are labelled
// with the site across, or as skin with the edge of the polygon. Errors as make_clip_polygon.
SUDAR_API Result<std::vector<ClipPolygon>> clipped_cells(const Voronoi2& diagram, std::span<const Vec2d> sites,
                                                         std::span<const Vec2d> polygon);

// Centre of the circle through three points that are not collinear. Not finite when it lies beyond the range of double.
SUDAR_API Vec2d circumcenter(const Vec2d& a, const Vec2d& b, const Vec2d& c) noexcept;

}  // namespace sudar
