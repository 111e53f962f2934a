// What:    A point, segment, triangle, box or hull, and what is one of these grown by a radius (sphere, capsule, rounded
//          hull), as one polyhedron: vertices, half-edges, faces with planes, farthest vertex. Nothing is allocated.
// Differs: The numbering is Hull3's throughout, so that separating axes and clipping know one structure. A box has a
//          constant table of half-edges, and its corners lie in the view.
// Frame:   The shape's. Box: bit i of a vertex index is the side on axis i; face 2 i + s is the low (s = 0) or high side
//          on axis i. Triangle: face 0 sees its corners counterclockwise, face 1 is the back; half-edge i runs from
//          corner i to the next. Segment: half-edges 0 and 1 without a face.
// Fails:   never; shapes of other kinds: see is_polytope.
#pragma once

#include <sudar/geom/hull3.hpp>
#include <sudar/shapes/convex_body3.hpp>
#include <sudar/shapes/shape3.hpp>

#include <array>
#include <span>

namespace sudar {

// Point, segment, triangle, sphere, capsule, box and hull
SUDAR_API bool is_polytope(const Shape3& shape);

class SUDAR_API PolytopeView3 {
 public:
  static constexpr std::uint32_t kNoFace = 0xffffffffu;

  // The shape must outlive the view
  explicit PolytopeView3(const Shape3& shape);
  PolytopeView3(const PolytopeView3&) = delete;
  PolytopeView3& operator=(const PolytopeView3&) = delete;

  std::span<const Vec3d> vertices() const { return vertices_; }
  std::span<const HalfEdge> edges() const { return edges_; }
  std::span<const Plane<3, double>> planes() const { return planes_; }
  std::uint32_t face_count() const { return static_cast<std::uint32_t>(face_edge_.size()); }
  std::uint32_t first_edge(std::uint32_t face) const { return face_edge_[face]; }
  std::uint32_t face_degree(std::uint32_t face) const {
    const std::size_t end = face + 1 < face_edge_.size() ? face_edge_[face + 1] : edges_.size();
    return static_cast<std::uint32_t>(end - face_edge_[face]);
  }
  std::uint32_t destination(std::uint32_t edge) const { return edges_[edges_[edge].twin].origin; }
  Vec3d edge_vector(std::uint32_t edge) const { return vertices_[destination(edge)] - vertices_[edges_[edge].origin]; }
  // The one of two half-edges that names the edge as a feature
  std::uint32_t edge_name(std::uint32_t edge) const { return edge < edges_[edge].twin ? edge : edges_[edge].twin; }
  bool names_edge(std::uint32_t edge) const { return edge < edges_[edge].twin; }

  // A farthest vertex; any among equals
  std::uint32_t support(const Vec3d& d) const;

  int dimension() const { return dimension_; }  // as Hull3's
  double radius() const { return radius_; }     // the shape is everything within this distance
  double size() const { return size_; }         // the largest coordinate, without sign

 private:
  std::span<const Vec3d> vertices_;
  std::span<const HalfEdge> edges_;
  std::span<const std::uint32_t> face_edge_;
  std::span<const Plane<3, double>> planes_;
  const ConvexBody3* body_ = nullptr;
  bool is_box_ = false;
  int dimension_ = 0;
  double radius_ = 0, size_ = 0;
  std::array<Vec3d, 8> own_vertices_{};
  std::array<Plane<3, double>, 6> own_planes_{};
};

}  // namespace sudar
