// What:    What a ray meets: the answer of every ray query.
// Frame:   The world's, or the shape's where no pose is given. t is in units of the ray's direction, at least 0.
#pragma once

#include <sudar/geom/mesh.hpp>
#include <sudar/geom/ray.hpp>
#include <sudar/narrowphase/answer.hpp>

#include <cstdint>

namespace sudar {

template <int D>
struct RayAnswer {
  bool hit = false;
  // It starts inside of a solid, not on its surface: t is 0, the point is the origin, the normal is against the ray
  bool inside = false;
  double t = 0;
  Vec<D, double> point{};
  Vec<D, double> normal{};  // unit; out of solids, and of surfaces on the side that the ray comes from
  // Of meshes, height fields and triangles: which triangle, and the weights of its second and third corner there. Of
  // chains and polygons: which edge, and how far along it (u).
  std::uint32_t triangle = kNoIndex;
  double u = 0, v = 0;
  std::uint32_t child = kNoIndex;  // of compounds: which child, the outermost when they are nested
  // max_iterations: a shape that only its support function is known of came closer than rounding could settle
  QueryStatus status = QueryStatus::converged;
};
using RayAnswer2 = RayAnswer<2>;
using RayAnswer3 = RayAnswer<3>;

}  // namespace sudar
