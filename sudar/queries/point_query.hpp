// What:    A point and a shape: inside, on the border or outside, how far, and the closest point of the surface.
// Source:  closed forms and GJK of the narrow phase; meshes by branch and bound over their tree (Quinlan, 1994), the sign
//          by the winding number (geom/point_in_mesh.hpp); seeds B1, D4.
// Differs: Where a mesh has no inside, because it is open, the answer is an error that says where, never a guess.
//          What is on the border is at distance 0. Chains, surfaces and terrains have no inside. A polygon decides exactly; a
//          compound by its children, and where children meet, nearer to its border than kBorderDepth, the point is on it.
// Frame:   The world's, or the mesh's. `distance` is negative inside of solids.
// Fails:   non_finite and too_large (a point or a position beyond 2^100 metres), degenerate (a rotation of length zero);
//          signed_distance: not_closed with a triangle at the hole. A batch names the point.
#pragma once

#include <sudar/core/parallel.hpp>
#include <sudar/core/result.hpp>
#include <sudar/geom/closest.hpp>
#include <sudar/geom/containment.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <span>

namespace sudar {

template <int D>
using ShapeOf = std::conditional_t<D == 2, Shape2, Shape3>;

template <int D>
struct PointAnswer {
  Containment where = Containment::outside;
  double distance = 0;
  Vec<D, double> point{};             // of the surface, closest
  Vec<D, double> normal{};            // unit, out of the shape
  std::uint32_t triangle = kNoIndex;  // of a mesh
  QueryStatus status = QueryStatus::converged;

  bool inside() const { return where != Containment::outside; }  // closed: the border is inside
};
using PointAnswer2 = PointAnswer<2>;
using PointAnswer3 = PointAnswer<3>;

template <int D>
SUDAR_API Result<PointAnswer<D>> locate_point(const ShapeOf<D>& shape, const Pose<D, double>& world_from_shape,
                                              const Vec<D, double>& p) noexcept;
template <int D>
SUDAR_API Result<void> locate_points(const ShapeOf<D>& shape, const Pose<D, double>& world_from_shape,
                                     std::span<const Vec<D, double>> points, std::span<PointAnswer<D>> answers,
                                     Executor& executor = serial_executor()) noexcept;

// Of the surface, without a sign, for points that the queries above accept
struct MeshPoint {
  double distance = 0;
  Vec3d point{};
  std::uint32_t triangle = kNoIndex;  // kNoIndex: nothing within max_distance
  double u = 0, v = 0;
  TriangleFeature feature = TriangleFeature::face;
};
SUDAR_API MeshPoint closest_on_mesh(const TriangleMesh& mesh, const Vec3d& p,
                                    double max_distance = std::numeric_limits<double>::infinity()) noexcept;
// With the sign of the body that the mesh bounds, whether or not it is used as a solid
SUDAR_API Result<PointAnswer3> signed_distance(const TriangleMesh& mesh, const Vec3d& p) noexcept;

}  // namespace sudar
