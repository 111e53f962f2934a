// What:    See substeps.hpp.
#include <sudar/continuous/substeps.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>

#include <algorithm>

namespace sudar {

template <int D>
Impact<D> substeps(const MovingPair<D>& pair, const AnyShape<D>& a, const AnyShape<D>& b, double t_max, int steps,
                   SubstepKind kind) {
  const double radius_a = farthest_radius<D>(a), radius_b = farthest_radius<D>(b);
  const double speed = closing_speed(pair, radius_a, radius_b), size = both_sizes(radius_a, radius_b);
  const int count = std::max(1, steps);
  const double step = t_max / count;
  Impact<D> out;
  for (int k = 0; k <= count; ++k, ++out.iterations) {
    out.t = k == count ? t_max : k * step;
    if (kind == SubstepKind::discrete) {
      out.hit = intersects(a, b, pair.at(out.t));
    } else if (k < count) {
      const double middle = out.t + 0.5 * step;
      const DistanceAnswer<D> x = distance(a, b, pair.at(middle));
      const double slack = kMotionError * (size + std::fabs(x.separation)) + kAngleError * speed * middle;
      out.hit = x.hit || !(x.lower - slack > 0.5 * speed * step * kGrown);
      out.lower = x.lower;
      out.upper = x.upper + 0.5 * speed * step;
      out.normal = rotate(pair.rotation_a(middle), x.normal);
    }
    if (out.hit) return out;
  }
  return out;
}

template Impact<2> substeps<2>(const MovingPair<2>&, const Shape2&, const Shape2&, double, int, SubstepKind);
template Impact<3> substeps<3>(const MovingPair<3>&, const Shape3&, const Shape3&, double, int, SubstepKind);

}  // namespace sudar
