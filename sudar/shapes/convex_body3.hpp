// What:    A convex polyhedron ready for queries: its hull with half-edges, its vertices as padded columns, and which
//          vertices are neighbours; three ways to its farthest vertex.
// Source:  seed A4 (extremes by a walk over neighbours), against the scan of all vertices.
// Differs: The hull is exact with coplanar triangles joined (geom/hull3.hpp). The scan is the one that ships: the walk
//          pays from some thousand vertices on, or when it starts where the last one ended and directions drift, and
//          then at any size (bench table a4_extremes).
// Frame:   The points'. Immutable, so any number of shapes and threads share one.
// Fails:   make: what quickhull3 says, and too_large for a coordinate beyond kMaxShapeSize, with the element.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/hull3.hpp>
#include <sudar/shapes/vertex_columns.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sudar {

class SUDAR_API ConvexBody3 {
 public:
  static Result<std::shared_ptr<const ConvexBody3>> make(std::span<const Vec3d> points) noexcept;

  ConvexBody3(const ConvexBody3&) = delete;
  ConvexBody3& operator=(const ConvexBody3&) = delete;

  const Hull3& hull() const { return hull_; }
  std::span<const Vec3d> vertices() const { return hull_.vertices; }
  std::uint32_t vertex_count() const { return hull_.vertex_count(); }

  // Columns of padded_count() numbers, aligned to 64 bytes; the last vertex repeats up to a multiple of sixteen
  const double* xs() const { return columns_.column(0); }
  const double* ys() const { return columns_.column(1); }
  const double* zs() const { return columns_.column(2); }
  const float* xs_f() const { return columns_.column_f(0); }
  const float* ys_f() const { return columns_.column_f(1); }
  const float* zs_f() const { return columns_.column_f(2); }
  std::uint32_t padded_count() const { return columns_.padded(); }

  // The vertices at the other end of v's edges, in ascending order
  std::span<const std::uint32_t> neighbours(std::uint32_t v) const {
    return std::span<const std::uint32_t>(neighbours_)
        .subspan(first_neighbour_[v], first_neighbour_[v + 1] - first_neighbour_[v]);
  }

  // A farthest vertex in the direction d of any length: the lowest index among the largest rounded products
  std::uint32_t support(const Vec3d& d) const { return farthest_vertex(xs(), ys(), zs(), padded_count(), d); }
  std::uint32_t support_plain(const Vec3d& d) const {
    return farthest_vertex_plain(xs(), ys(), zs(), padded_count(), d);
  }
  // From `start` to the best neighbour until none is better. Farthest up to the rounding of products. `steps`, when
  // given, counts the vertices that were passed.
  std::uint32_t support_climb(const Vec3d& d, std::uint32_t start = 0, std::uint32_t* steps = nullptr) const;

  double size() const { return size_; }     // the largest coordinate, without sign
  Vec3d center() const { return center_; }  // the mean of the vertices: inside, or on a flat body

 private:
  ConvexBody3() = default;

  Hull3 hull_;
  VertexColumns<3> columns_;
  std::vector<std::uint32_t> first_neighbour_, neighbours_;
  double size_ = 0;
  Vec3d center_{};
};

}  // namespace sudar
