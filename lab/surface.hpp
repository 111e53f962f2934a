// What:    A surface to be drawn many times: triangles with normals, and the edges that a person would draw.
// Differs: Normals belong to corners of triangles, not to vertices: faces that meet at a sharp edge have a vertex each there.
#pragma once

#include <sudar/math/vec.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sudar::lab {

struct SurfaceVertex {
  BasicVec3<float> position, normal;
};

struct Surface {
  std::vector<SurfaceVertex> vertices;
  std::vector<std::uint32_t> triangles;  // three indices each
  std::vector<std::uint32_t> edges;      // two indices each
  bool faceted = true;                   // its edges are drawn on its faces as well
  // What is drawn in its place when it is small on the screen, or there are very many of it
  std::shared_ptr<const Surface> coarse;
};

// Those of size one that are only scaled and turned; made once for the whole program
enum class CommonSurface : std::uint8_t {
  sphere,      // radius 1
  box,         // half size 1
  tube,        // radius 1 around z, from z = -1 to 1, open
  hemisphere,  // radius 1, the half with z >= 0, open
  cylinder,    // as the tube, closed
  cone,        // apex at z = 1, base of radius 1 at z = -1
  disk,        // radius 1 in z = 0
  rectangle,   // half size 1 in z = 0
  half_disk,   // the half with x >= 0
};
inline constexpr int kCommonSurfaces = 9;
const std::shared_ptr<const Surface>& common_surface(CommonSurface which);

// Of triangles, with a normal for each corner: the mean over the faces around the vertex that are turned less than
// `smooth_degrees` against it. Edges are those that are sharper, and borders. Coplanar neighbours have no edge between them.
Surface surface_of(std::span<const Vec3d> vertices, std::span<const std::uint32_t> triangles, double smooth_degrees);

}  // namespace sudar::lab
