// What:    A tree over the triangles of a mesh for rays: eight boxes a node, four triangles a leaf; the first hit, any hit
//          and all hits.
// Source:  Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007 (binned builds); Wald, Benthin,
//          Boulos, "Getting Rid of Packets", 2008 (wide nodes for single rays); Ize, "Robust BVH Ray Traversal", 2013.
// Differs: Beside MeshTree, which is built in a tenth of the time and has no triangles in its leaves: pairs of meshes want
//          that one, rays this one. Boxes are floats, rounded outward; the ray is rounded so that no box that it meets is
//          lost (RayTree.TheFirstHitIsThatOfAllTriangles). Triangles are doubles as given. The sides of their edges are
//          found for four at once; where one is not clear of rounding, the exact test decides (geom/ray_triangle.hpp):
//          a hit is a hit of the numbers as given, however far the mesh or the ray are from the origin, and no ray
//          leaks through an edge or a corner of a closed mesh (RayTree.NothingLeaksThroughEdgesAndCorners).
//          Of several triangles at the first time, that of the lowest number is told, whatever the order of the walk.
// Frame:   The mesh's. Nodes have a frame of their own: the middle of the mesh is the origin, its half the unit.
// Fails:   build throws bad_alloc, and so does all_hits; the doors that call them are guarded. The rays must be those that
//          check_ray accepts.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/core/arena.hpp>
#include <sudar/core/result.hpp>
#include <sudar/core/trace.hpp>
#include <sudar/geom/mesh.hpp>
#include <sudar/geom/ray.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace sudar {

// Largest coordinate of a ray's origin, and the range of the largest of its direction. Beyond them products of three
// coordinates leave the range of double.
inline constexpr double kMaxRayOrigin = 0x1p200, kMaxRayDirection = 0x1p200, kMinRayDirection = 0x1p-200;

// non_finite; degenerate: a zero direction; too_large: beyond the limits above; invalid_argument: max_t below zero or NaN
template <int D>
SUDAR_API Result<void> check_ray(const Ray<D, double>& ray, double max_t) noexcept;

struct RayTreeHit {
  double t;
  std::uint32_t triangle;

  friend bool operator==(const RayTreeHit&, const RayTreeHit&) = default;
  friend bool operator<(const RayTreeHit& a, const RayTreeHit& b) {
    return a.t != b.t ? a.t < b.t : a.triangle < b.triangle;
  }
};

class SUDAR_API RayTree {
 public:
  static constexpr std::uint32_t kWidth = 8, kLeafWidth = 4;
  static constexpr std::uint32_t kLeaf = std::uint32_t{1} << 31;  // a child that is a leaf
  static constexpr int kMaxDepth = 40;                            // levels of nodes

  // Boxes in columns. Those past the end are empty (lo > hi) and are never met.
  struct alignas(64) Node {
    float lo[3][kWidth], hi[3][kWidth];
    std::uint32_t child[kWidth];
  };
  // Corners in columns; lanes past the end have the number kNoIndex
  struct alignas(64) Leaf {
    double corner[3][3][kLeafWidth];  // of a, b, c; x, y, z; lane
    std::uint32_t triangle[kLeafWidth];

    Triangle<3, double> at(std::uint32_t lane) const {
      const auto point = [&](int k) { return Vec3d{corner[k][0][lane], corner[k][1][lane], corner[k][2][lane]}; };
      return {point(0), point(1), point(2)};
    }
  };

  // The mesh must be one that make_mesh accepts, with coordinates below kMaxShapeSize
  static RayTree build(const Mesh& mesh);

  const Node& node(std::uint32_t i) const { return nodes_[i]; }
  const Leaf& leaf(std::uint32_t i) const { return leaves_[i]; }
  std::size_t node_count() const { return nodes_.size(); }
  std::size_t leaf_count() const { return leaves_.size(); }
  const Aabb3d& bounds() const { return bounds_; }
  // tree = (mesh - origin) · scale, and how far rounding can move it
  const Vec3d& origin() const { return origin_; }
  double scale() const { return scale_; }
  double unit() const { return unit_; }  // 1 / scale; more than half of the mesh
  double far() const { return far_; }    // the largest coordinate of `origin`
  std::size_t bytes() const { return nodes_.size() * sizeof(Node) + leaves_.size() * sizeof(Leaf); }

 private:
  friend class RayTreeBuilder;

  // On huge pages when it is large: a ray jumps about in it
  Arena memory_;
  std::span<const Node> nodes_;  // the root first
  std::span<const Leaf> leaves_;
  Aabb3d bounds_{};
  Vec3d origin_{};
  double scale_ = 1, unit_ = 1, far_ = 0;
};

// The hit with the smallest t in [0, max_t], of equals the triangle with the smallest number. False: there is none.
// `corners`, when given, becomes that triangle: the tree has it at hand.
SUDAR_API bool closest_hit(const RayTree& tree, const Ray<3, double>& ray, double max_t, RayTreeHit& hit,
                           Triangle<3, double>* corners = nullptr) noexcept;
// Some hit in [0, max_t], the first that the walk comes upon
SUDAR_API bool any_hit(const RayTree& tree, const Ray<3, double>& ray, double max_t, RayTreeHit& hit) noexcept;
// Every triangle that the ray meets by max_t, in no order: one that is met in an edge is there beside its neighbour
SUDAR_API void all_hits(const RayTree& tree, const Ray<3, double>& ray, double max_t, std::vector<RayTreeHit>& hits);

// The plain twin: one box and one triangle at a time, in doubles, in the order of the nodes
SUDAR_API bool closest_hit_plain(const RayTree& tree, const Ray<3, double>& ray, double max_t,
                                 RayTreeHit& hit) noexcept;
// The same, step by step to a sink: "enter" and "pass" (ids: node, which of its boxes, its child; numbers: lo, hi in the
// mesh's frame), "hit" (ids: triangle; value: t) and "miss" (ids: triangle). Throws what the sink throws.
SUDAR_API bool closest_hit_plain(const RayTree& tree, const Ray<3, double>& ray, double max_t, RayTreeHit& hit,
                                 TraceSink& trace);

}  // namespace sudar
