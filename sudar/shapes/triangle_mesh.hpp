// What:    A triangle mesh as a shape: the mesh, its tree of boxes, who touches whom, and what kind of body it bounds.
// Source:  seeds B4, D4.
// Differs: Immutable and shared, from any thread. Vertices and triangles keep the numbers they came with.
// Frame:   The mesh's own, metres.
// Fails:   make: empty_input, too_large (counts, or a coordinate beyond kMaxShapeSize with the vertex), non_finite with the
//          vertex, index_out_of_range with the triangle; a solid also not_closed and not_oriented with the triangle.
//          Triangles without area are fine.
#pragma once

#include <sudar/geom/containment.hpp>
#include <sudar/geom/mesh_adjacency.hpp>
#include <sudar/shapes/mesh_tree.hpp>
#include <sudar/shapes/shape3.hpp>

#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace sudar {

class RayTree;  // shapes/ray_tree.hpp

class SUDAR_API TriangleMesh {
 public:
  static Result<std::shared_ptr<const TriangleMesh>> make(Mesh mesh) noexcept;

  const Mesh& mesh() const { return mesh_; }
  const MeshTree& tree() const { return tree_; }
  std::uint32_t triangle_count() const { return static_cast<std::uint32_t>(mesh_.triangles.size()); }
  Triangle<3, double> triangle(std::uint32_t t) const { return mesh_.corners(t); }
  const Aabb3d& bounds() const { return tree_.bounds(); }

  // Half-edge 3 t + k runs from corner k of triangle t; its twin, or kNoIndex (mesh_adjacency.hpp)
  std::uint32_t twin(std::uint32_t half_edge) const { return twin_[half_edge]; }
  // Every edge has as many triangles on one side as on the other: it bounds a body
  bool is_closed() const { return closed_; }
  // Closed, and the triangles at every edge pair up in opposite directions
  bool is_oriented() const { return oriented_; }
  // Closed and the hull of its vertices, exactly
  bool is_convex() const { return convex_; }

  // One vertex of every part, where parts are connected by shared vertices
  std::span<const std::uint32_t> part_vertices() const { return part_vertices_; }

  // The hull of the vertices as a shape, made when first asked for; nothing when memory ran out
  const Shape3* hull() const noexcept {
    const Shape3* ready = hull_ready_.load(std::memory_order_acquire);
    return ready != nullptr ? ready : make_hull();
  }
  // Once hull() has been asked for, and infinity before: along any direction it is at most this much deeper than the solid.
  // Zero for a convex one, little where rounding has folded faces, infinity for others.
  double hull_excess() const { return hull_excess_; }
  // Gives its memory back, often more than that of the mesh itself, until it is asked for again. Nobody else may use the
  // hull, or be in a query of this mesh, meanwhile.
  void forget_hull() const noexcept;

  // The tree for rays, made when first asked for; nothing when memory ran out
  const RayTree* ray_tree() const noexcept {
    const RayTree* ready = ray_tree_ready_.load(std::memory_order_acquire);
    return ready != nullptr ? ready : make_ray_tree();
  }

  // Exact, along a ray through the tree: by the winding number, so that the parts of a body may overlap, or by parity when
  // the triangles do not all face one way. Of a mesh that is not closed only `boundary` means anything.
  Containment locate(const Vec3d& p) const noexcept;

  TriangleMesh(const TriangleMesh&) = delete;
  TriangleMesh& operator=(const TriangleMesh&) = delete;

 private:
  TriangleMesh() = default;
  const Shape3* make_hull() const noexcept;
  const RayTree* make_ray_tree() const noexcept;

  Mesh mesh_;
  MeshTree tree_;
  std::vector<std::uint32_t> twin_, part_vertices_;
  bool closed_ = false, oriented_ = false, convex_ = false;
  mutable std::mutex hull_mutex_;
  mutable std::optional<Shape3> hull_;
  mutable double hull_excess_ = std::numeric_limits<double>::infinity();
  mutable bool no_hull_ = false;  // it was asked for, and memory ran out
  mutable std::atomic<const Shape3*> hull_ready_{nullptr};
  mutable std::once_flag ray_once_;
  mutable std::shared_ptr<const RayTree> ray_tree_;
  mutable std::atomic<const RayTree*> ray_tree_ready_{nullptr};  // sooner than asking the flag
};

SUDAR_API Result<std::shared_ptr<const TriangleMesh>> make_triangle_mesh(
    std::span<const Vec3d> vertices, std::span<const MeshTriangle> triangles) noexcept;
// The surface of a terrain as a mesh, triangle by triangle; for pairs that only meshes have
SUDAR_API Result<std::shared_ptr<const TriangleMesh>> make_triangle_mesh(const HeightField& field) noexcept;
// `solid`: the body that the surface bounds
SUDAR_API Result<Shape3> make_mesh_shape3(std::span<const Vec3d> vertices, std::span<const MeshTriangle> triangles,
                                          bool solid) noexcept;

}  // namespace sudar
