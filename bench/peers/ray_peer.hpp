// What:    What another library does in the race of the rays: the first hit of each of many rays on one mesh.
#pragma once

#include <sudar/geom/mesh.hpp>
#include <sudar/geom/ray.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace sudar_bench {

// The triangle that each ray meets first, or kNoIndex
class RayPeer {
 public:
  virtual ~RayPeer() = default;
  // Outside of the clock; vertices and rays are floats in doubles
  virtual void build(const sudar::Mesh& mesh) = 0;
  virtual void load(std::span<const sudar::Ray<3, double>> rays) = 0;
  virtual void cast(std::span<std::uint32_t> triangles) = 0;
};

// SUDAR_PEER_EMBREE: rtcIntersect1; `robust` asks for its watertight tests
std::string embree_version();
std::unique_ptr<RayPeer> make_embree_rays(bool robust);

// SUDAR_PEER_BULLET: btBvhTriangleMeshShape, performRaycast
std::string bullet_version();
std::unique_ptr<RayPeer> make_bullet_rays();

// SUDAR_PEER_CGAL_RAYS: AABB_tree, first_intersected_primitive
std::string cgal_rays_version();
std::unique_ptr<RayPeer> make_cgal_rays();

}  // namespace sudar_bench
