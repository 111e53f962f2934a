// What:    See conservative_advancement.hpp.
#include <sudar/continuous/conservative_advancement.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>

#include <algorithm>

namespace sudar {

template <int D>
Impact<D> conservative_advancement(const MovingPair<D>& pair, const AnyShape<D>& a, const AnyShape<D>& b, double t_max,
                                   double tolerance, int max_iterations, TraceSink* trace) {
  const double radius_a = farthest_radius<D>(a), radius_b = farthest_radius<D>(b);
  const bool convex = a.is_convex() && b.is_convex();
  const double turning = (pair.turns_a() ? turn_rate(pair.motion_a().angular) * radius_a : 0) +
                         (pair.turns_b() ? turn_rate(pair.motion_b().angular) * radius_b : 0);
  const Vec<D, double> v = pair.velocity();
  Impact<D> out;
  for (; out.iterations < max_iterations; ++out.iterations) {
    const DistanceAnswer<D> x = distance(a, b, pair.at(out.t));
    out.normal = rotate(pair.rotation_a(out.t), x.normal);
    out.lower = x.lower;
    out.upper = x.upper;
    out.point = rotate(pair.rotation_a(out.t), (x.point_a + x.point_b) * 0.5);
    // The bound on how fast the gap closes: along the normal what moves, in any direction what turns
    double speed = closing_speed(pair, radius_a, radius_b);
    if (convex) {
      // The normal is rounded in each of its components, so what lies across it counts, too
      double projected = 0, size = 0;
      for (int i = 0; i < D; ++i) projected -= out.normal[i] * v[i], size += std::fabs(v[i]);
      speed = turning * kGrown + projected + kNormalError * size;
    }
    // Rounding of poses is not in the distance
    const double size = both_sizes(radius_a, radius_b) + std::fabs(x.separation);
    const double slack = kMotionError * size + kAngleError * turning * out.t;
    const double room = x.lower - slack, step = speed > 0 ? room / speed : t_max;
    if (trace != nullptr) {
      const Vec<D, double> on_a = rotate(pair.rotation_a(out.t), x.point_a),
                           on_b = rotate(pair.rotation_a(out.t), x.point_b);
      double numbers[kAdvanceNumbers<D>];
      for (int i = 0; i < D; ++i)
        numbers[i] = out.normal[i], numbers[D + 3 + i] = on_a[i], numbers[2 * D + 3 + i] = on_b[i];
      numbers[D] = x.lower, numbers[D + 1] = speed, numbers[D + 2] = step;
      trace->on_event({.step = "plane", .numbers = numbers, .value = out.t});
    }
    if (!x.hit && room > 0 && step * kShrunk >= t_max - out.t) {
      out.t = t_max;
      return out;
    }
    const double next = room > 0 ? add_down(out.t, step * kShrunk) : out.t;
    if (x.hit || !(x.lower > tolerance) || !(next > out.t)) {
      out.hit = true;
      return out;
    }
    out.t = next;
  }
  out.open = true;
  return out;
}

template Impact<2> conservative_advancement<2>(const MovingPair<2>&, const Shape2&, const Shape2&, double, double, int,
                                               TraceSink*);
template Impact<3> conservative_advancement<3>(const MovingPair<3>&, const Shape3&, const Shape3&, double, double, int,
                                               TraceSink*);

}  // namespace sudar
