// What:    A shape that moves along a line without turning: when it first touches another one, and where.
// Source:  continuous/time_of_impact.hpp; seeds A8, A9.
// Differs: As a ray, it has a length: t runs from 0 to max_t in units of the translation. What turns as well asks
//          time_of_impact itself.
// Frame:   The world's. The normal points from the shape that stands to the one that moves.
// Fails:   what time_of_impact says: non_finite, invalid_argument (max_t negative), too_large, unsupported (two
//          half-spaces). When its work runs out, hit is true and status max_iterations: before t nothing touches.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/queries/point_query.hpp>

namespace sudar {

template <int D>
struct ShapeCastAnswer {
  bool hit = false;
  double t = 0;          // proven: nothing touches before; 0 when they touch at the start
  double t_hi = 0;       // by then they are within the tolerance
  double tolerance = 0;  // what counts as touching, metres
  Vec<D, double> point{}, normal{};
  QueryStatus status = QueryStatus::converged;
};
using ShapeCastAnswer2 = ShapeCastAnswer<2>;
using ShapeCastAnswer3 = ShapeCastAnswer<3>;

template <int D>
SUDAR_API Result<ShapeCastAnswer<D>> cast_shape(const ShapeOf<D>& moving, const Pose<D, double>& start,
                                                const Vec<D, double>& translation, const ShapeOf<D>& target,
                                                const Pose<D, double>& world_from_target, double max_t = 1) noexcept;

}  // namespace sudar
