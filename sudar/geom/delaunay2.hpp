// What:    The Delaunay triangulation of points of the plane: no point lies strictly inside of a triangle's circle.
// Source:  see delaunay2_engine.hpp (incremental insertion with a cavity) and spatial_order.hpp (the order).
// Differs: Every decision is an exact sign, so cocircular grids, duplicates, collinear points and any finite
//          coordinates give a valid answer. Of several valid ones the order of insertion chooses, which depends on the
//          input alone.
// Frame:   The caller's. Indices are those of the input; only the first of equal points is used.
// Fails:   empty_input, non_finite (with the element), too_large (more than 2^29 points), out_of_memory.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/core/trace.hpp>
#include <sudar/math/vec.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

struct Delaunay2 {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // 2: `triangles`, `neighbours` and `hull` hold the answer.
  // 1: all points are collinear; `edges` joins each to the next, `hull` holds them in order along the line.
  // 0: all points are equal; `hull` holds the first.
  int dimension = 0;
  std::vector<std::array<std::uint32_t, 3>> triangles;   // counterclockwise
  std::vector<std::array<std::uint32_t, 3>> neighbours;  // across the edge opposite to each corner; kNone on the hull
  std::vector<std::array<std::uint32_t, 2>> edges;       // in dimension 1 only
  std::vector<std::uint32_t> hull;                       // counterclockwise, with the points on the hull's edges
  std::vector<std::uint32_t> first_of;                   // for each point, the first one at the same place
};

// Trace: "insert" ids {point}, then "remove" and "add" with ids {a, b, c} for every triangle of the cavity;
// "duplicate" ids {point, first}
template <class Trace = NoTrace>
SUDAR_API Result<Delaunay2> delaunay2(std::span<const Vec2d> points, Trace trace = {});

extern template SUDAR_API Result<Delaunay2> delaunay2<NoTrace>(std::span<const Vec2d>, NoTrace);
extern template SUDAR_API Result<Delaunay2> delaunay2<TraceTo>(std::span<const Vec2d>, TraceTo);

}  // namespace sudar
