#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/queries/shape_cast.hpp>

namespace sudar {

template <int D>
Result<ShapeCastAnswer<D>> cast_shape(const ShapeOf<D>& moving, const Pose<D, double>& start,
                                      const Vec<D, double>& translation, const ShapeOf<D>& target,
                                      const Pose<D, double>& world_from_target, double max_t) noexcept {
  ToiOptions options;
  options.t_max = max_t;
  options.contacts = false;
  options.last = false;
  const auto x = time_of_impact(target, world_from_target, {}, moving, start, {translation, {}}, options);
  if (!x) return x.error();
  ShapeCastAnswer<D> out;
  out.hit = x->hit;
  out.status = x->status;
  out.tolerance = x->tolerance;
  if (!x->hit) return out;
  out.t = x->t_lo;
  out.t_hi = x->t_hi;
  out.point = x->point;
  out.normal = x->normal;
  return out;
}

template SUDAR_API Result<ShapeCastAnswer<2>> cast_shape<2>(const Shape2&, const Pose2d&, const Vec2d&, const Shape2&,
                                                            const Pose2d&, double) noexcept;
template SUDAR_API Result<ShapeCastAnswer<3>> cast_shape<3>(const Shape3&, const Pose3d&, const Vec3d&, const Shape3&,
                                                            const Pose3d&, double) noexcept;

}  // namespace sudar
