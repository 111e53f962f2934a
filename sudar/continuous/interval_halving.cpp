// What:    See interval_halving.hpp.
#include <sudar/continuous/interval_halving.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>

#include <algorithm>

namespace sudar {

namespace {

// Times are halved until they are neighbours at the latest
constexpr int kMaxHalvings = 64;

}  // namespace

template <int D>
Impact<D> interval_halving(const MovingPair<D>& pair, const AnyShape<D>& a, const AnyShape<D>& b, double t_max,
                           double tolerance, int max_iterations, TraceSink* trace) {
  const double radius_a = farthest_radius<D>(a), radius_b = farthest_radius<D>(b);
  const double speed = closing_speed(pair, radius_a, radius_b);
  Impact<D> out;
  // Distance at a time, less the rounding of poses
  const auto room_at = [&](double t, DistanceAnswer<D>& x) {
    ++out.iterations;
    x = distance(a, b, pair.at(t));
    const double size = both_sizes(radius_a, radius_b) + std::fabs(x.separation);
    return x.hit ? 0.0 : x.lower - kMotionError * size - kAngleError * speed * t;
  };
  struct End {
    double t, room;
  } ends[kMaxHalvings];
  int open_ends = 0;
  DistanceAnswer<D> x, ignored;
  double room = room_at(0, x);
  ends[open_ends++] = {t_max, room_at(t_max, ignored)};
  // Invariant: free before out.t, where the distance is `room` or more; the ends wait, the next one on top
  while (open_ends > 0) {
    const End end = ends[open_ends - 1];
    const auto report = [&](std::string_view step) {
      if (trace == nullptr) return;
      const double numbers[kHalvingNumbers] = {end.t, room, end.room, speed * (end.t - out.t),
                                               static_cast<double>(open_ends)};
      trace->on_event({.step = step, .numbers = numbers, .value = out.t});
    };
    if (room + end.room > 0 && room > 0 && room + end.room > speed * (end.t - out.t)) {
      // Free until the end; an end that touches is a start that touches
      report("free");
      out.t = end.t;
      room = end.room;
      --open_ends;
      continue;
    }
    out.normal = rotate(pair.rotation_a(out.t), x.normal);
    const double middle = out.t + 0.5 * (end.t - out.t);
    const bool at_end = !(middle > out.t && middle < end.t) || open_ends == kMaxHalvings;
    if (!(room > 0) || speed * (end.t - out.t) <= tolerance || at_end) {
      report("impact");
      out.hit = true;
      break;
    }
    if (out.iterations >= max_iterations) {
      out.open = true;
      break;
    }
    report("halve");
    ends[open_ends++] = {middle, room_at(middle, ignored)};
  }
  // What is closest where the search ended
  room_at(out.t, x);
  out.normal = rotate(pair.rotation_a(out.t), x.normal);
  out.lower = x.lower;
  out.upper = x.upper;
  out.point = rotate(pair.rotation_a(out.t), (x.point_a + x.point_b) * 0.5);
  out.hit = out.hit || x.hit;
  return out;
}

template Impact<2> interval_halving<2>(const MovingPair<2>&, const Shape2&, const Shape2&, double, double, int,
                                       TraceSink*);
template Impact<3> interval_halving<3>(const MovingPair<3>&, const Shape3&, const Shape3&, double, double, int,
                                       TraceSink*);

}  // namespace sudar
