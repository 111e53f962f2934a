// What:    Rotating calipers on a convex polygon: for every edge the farthest vertices ahead, opposite and behind.
//          Internal to the room.
// Source:  Toussaint, "Solving geometric problems with the rotating calipers", 1983.
// Differs: Which vertex is farther is the exact sign of a product of differences, so the three never stop too early
//          (ObbFit.CalipersFindTheVerticesBruteForceFinds). The areas are compared in doubles.
#pragma once

#include <sudar/math/predicates.hpp>

#include <cstdint>
#include <span>

namespace sudar {

struct CaliperStop {
  std::uint32_t edge, ahead, opposite, behind;  // places in the polygon; the edge starts at `edge`
  double area;                                  // of the rectangle on that edge
  Vec2d direction;                              // unit vector along the edge
};

// Calls visit(stop) for every edge of a strictly convex counterclockwise polygon of at least 3 vertices
template <class Visit>
void rotate_calipers(std::span<const Vec2d> polygon, Visit&& visit) {
  const std::size_t n = polygon.size();
  const auto at = [&](std::size_t i) -> const Vec2d& { return polygon[i % n]; };
  std::size_t ahead = 1, opposite = 1, behind = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2d &a = at(i), &b = at(i + 1);
    // Each goes on while the next vertex is farther; none is ever passed by the one before it
    if (ahead < i + 1) ahead = i + 1;
    while (dot_sign(a, b, at(ahead), at(ahead + 1)) > 0) ++ahead;
    if (opposite < ahead) opposite = ahead;
    while (cross_sign(a, b, at(opposite), at(opposite + 1)) > 0) ++opposite;
    if (behind < opposite) behind = opposite;
    while (dot_sign(a, b, at(behind), at(behind + 1)) < 0) ++behind;
    const Vec2d direction = normalized(b - a);
    const double width = dot(direction, at(ahead) - at(behind)), height = cross(direction, at(opposite) - a);
    visit(CaliperStop{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(ahead % n),
                      static_cast<std::uint32_t>(opposite % n), static_cast<std::uint32_t>(behind % n), width * height,
                      direction});
  }
}

}  // namespace sudar
