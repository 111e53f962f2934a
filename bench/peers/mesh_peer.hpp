// What:    What another library does in the race of the meshes: the tree of one mesh, and two meshes against each other.
// Differs: Building trees is outside of the clock, except in the race of the builds and for peers without a relative
//          pose, which must move the second mesh and build its tree again.
#pragma once

#include <sudar/geom/mesh.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace sudar_bench {

class MeshPeer {
 public:
  virtual ~MeshPeer() = default;
  // The tree of one mesh, thrown away
  virtual void build(const sudar::Mesh& mesh) = 0;
  virtual void place(const sudar::Mesh& a, const sudar::Mesh& b, const sudar::Pose3d& a_from_b) = 0;
  virtual std::size_t all_pairs() = 0;
  virtual bool first_hit() = 0;
  virtual double distance() = 0;
};

// SUDAR_PEER_EMBREE: rtcCollide on boxes of triangles, every candidate pair tested with our exact test; no distance and
// no way to stop at the first hit
std::string embree_version();
std::unique_ptr<MeshPeer> make_embree_mesh();

// SUDAR_PEER_FCL: BVHModel of OBBRSS
std::string fcl_version();
std::unique_ptr<MeshPeer> make_fcl_mesh();

// SUDAR_PEER_CGAL_TRIANGLES: AABB_tree for the build only; pairs of triangles with its exact-predicates kernel
std::string cgal_triangles_version();
std::function<double()> cgal_tree_build(const sudar::Mesh& mesh);
std::function<double()> cgal_triangle_hits(std::span<const sudar::Triangle<3, double>> pairs);

// SUDAR_PEER_BULLET: the quantised tree of its GImpact shape, for the build only
std::string bullet_version();
std::function<double()> gimpact_build(const sudar::Mesh& mesh);

}  // namespace sudar_bench
