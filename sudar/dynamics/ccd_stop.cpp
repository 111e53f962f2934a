// What:    Where a fast body stops at one thing in its way.
// Source:  continuous/time_of_impact.hpp for the first touch; Mirtich, "Impulse-based Dynamic Simulation of Rigid Body
//          Systems", 1996, for advancement by bounds of the closing speed.
// Differs: - A touch that ends with less overlap than a small part of the margin is the solver's: bodies slide. While it lasts,
//            and when the body touched at the start, it goes on by conservative advancement as long as it overlaps no more
//            than it did by that part: what it touches hides nothing behind it. What is deeper than two of these parts
//            stops no deeper than where it began, or else it would come through a wall little by little in many steps
//            (FastBody.DoesNotSinkIntoWhatTurns).
//          - The bound is that of A as B sees it, so B's own turn counts where A is and not at B's far ends: what rides on a
//            turntable is slow, and half-spaces may turn. The gap of convex bodies closes no faster than along its own
//            direction, so what slides comes no nearer. Bodies of parts are taken apart into the pairs of convex pieces that
//            may meet in the rest of the step, so that the same holds on meshes and height fields
//            (FastBody.SlidesFastOverParts).
//          - The work is bounded: all searches for touches of one question share kMostLooks distances. When they are used up,
//            or the body has grazed kMostGrazes times, it stops at the last place that is proven to be free. The few
//            halvings that look for the place where it stays are not counted.
// Frame:   The world's; ways are over [0, 1].
// Fails:   what time_of_impact says.
#include <sudar/continuous/slab_pairs.hpp>
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/dynamics/ccd_pass.hpp>
#include <sudar/dynamics/world_tolerance.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace sudar {

namespace {

// Of a point of a body on its way
template <int D>
Vec<D, double> point_velocity(const Pose<D, double>& start, const RigidMotion<D>& motion, double t,
                              const Vec<D, double>& point) {
  return motion.linear + tip_velocity(motion.angular, point - (start.position + motion.linear * t));
}

// How long from t on a gap takes at least to lose `room`; infinite when it does not. The gap is that along a direction, or
// one that may turn (null).
template <int D>
double time_to_close(const StopQuestion<D>& q, const Vec<D, double>* normal, double t, double room) {
  const Vec<D, double> relative = q.motion_a.linear - q.motion_b.linear;
  const Vec<D, double> offset = (q.start_a.position - q.start_b.position) + relative * t;
  // The velocity of A's origin as B sees it, and a bound of its change
  const Vec<D, double> seen = relative - tip_velocity(q.motion_b.angular, offset);
  const double turn_b = turn_rate(q.motion_b.angular), speed = length(relative);
  const double curve = turn_b * (turn_b * (length(offset) + speed) + 2 * speed);
  const double rate = (normal != nullptr ? dot(seen, *normal) : length(seen)) +
                      turn_rate(Angular<D>(q.motion_a.angular - q.motion_b.angular)) * q.radius_a;
  // curve / 2 · x² + rate · x = room
  const double sum = rate + std::sqrt(rate * rate + 2 * curve * room);
  // What is no number closes at once
  if (!(sum <= 0)) return sum > 0 ? 2 * room / sum : 0;
  return std::numeric_limits<double>::infinity();
}

// Pairs of convex pieces, as many as are worth looking at one by one
template <int D>
class GrazedPieces final : public SlabVisitor<D> {
 public:
  struct Pair {
    ShapeOf<D> a, b;
    Pose<D, double> pose_a, pose_b;
  };
  bool visit(const MovingPiece<D>& a, const MovingPiece<D>& b) override {
    if (pairs_.size() == kMostGrazedPieces) return false;
    pairs_.push_back({a.shape, b.shape, a.body_from_piece, b.body_from_piece});
    return true;
  }
  std::span<const Pair> pairs() const { return pairs_; }

 private:
  std::vector<Pair> pairs_;
};

// How deep a body that touches may be: on its way, and where it stays
struct Depths {
  double way = 0, rest = 0;
};
// What begins deep may be deeper on its way, which bulges where the other one turns, than where it ends, and sinks no more
// than two grazes; deeper than that rounding is let pass. `least`: the room without which it does not move at all.
template <int D>
Depths depths_of(const StopQuestion<D>& q, double separation, double graze, double least) {
  if (-separation <= graze - least) return {graze, graze};
  const double share = q.thickness_a > 0 ? graze : 0;
  return {std::max(graze + 2 * share, 2 * least - separation),
          std::max(graze + share, kRestRounding * graze - separation)};
}

// Between a place where a body may stay and one where it may not: the last found by halving where it may
template <class DepthAt>
double last_stay(double stay, double beyond, double rest, const DepthAt& depth_at) {
  constexpr int kHalvings = 6;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (stay + beyond) / 2;
    (depth_at(middle) <= rest ? stay : beyond) = middle;
  }
  return stay;
}

// From t on, when the first of the pieces that may meet overlap by more than a graze, or by more than the deepest of them does
// at t. Nothing when they are too many.
template <int D>
std::optional<StopAnswer> stop_of_pieces(const StopQuestion<D>& q, double t, double t_max, double graze, double least,
                                         int& looks) {
  const MovingPair<D> pair(q.start_a, q.motion_a, q.start_b, q.motion_b);
  GrazedPieces<D> near;
  constexpr std::int64_t kTestsOfLook = 64;
  const SlabWalk walk = for_each_slab_pair<D>({pair, t, t_max}, q.a, q.b, kTestsOfLook * looks, near);
  looks -= static_cast<int>(walk.tests / kTestsOfLook);
  if (!walk.finished) return std::nullopt;
  const auto gap_of = [&](const auto& piece, const MovingInstant<D>& at) {
    return distance(piece.a, piece.b, placed_pieces(pair, {piece.a, piece.pose_a}, {piece.b, piece.pose_b}, at));
  };
  const auto depth_of = [&](const auto& piece, double when) { return -gap_of(piece, pair.instant(when)).separation; };
  double deepest = 0;
  for (const auto& piece : near.pairs()) {
    if (looks-- <= 0) return StopAnswer{t, true};
    deepest = std::max(deepest, depth_of(piece, t));
  }
  const Depths depths = depths_of(q, -deepest, graze, least);
  const bool sinks = depths.way > depths.rest;
  double stop = kNoStop;
  for (const auto& piece : near.pairs()) {
    double stay = t;  // the last place where they are not too deep
    for (double now = t;;) {
      // Those that come after it are known to be free until t only
      if (looks-- <= 0) return StopAnswer{t, sinks};
      const MovingInstant<D> at = pair.instant(now);
      const DistanceAnswer<D> gap = gap_of(piece, at);
      if (-gap.separation <= depths.rest) stay = now;
      const double room = gap.separation + depths.way;
      if (!(room >= least)) {
        if (sinks && stay < now) stay = last_stay(stay, now, depths.rest, [&](double x) { return depth_of(piece, x); });
        stop = std::min(stop, stay);
        break;
      }
      const Vec<D, double> normal = rotate(at.rotation_a, rotate(piece.pose_a.rotation, gap.normal));
      const double step = time_to_close<D>(q, length_squared(normal) > 0 ? &normal : nullptr, now, room);
      if (!(step < std::min(stop, t_max) - now)) break;
      now += step;
    }
  }
  // Nor may any of them be too deep where all stop
  const auto depth_of_all = [&](double when) {
    double depth = -std::numeric_limits<double>::infinity();
    for (const auto& piece : near.pairs())
      if (!(depth > depths.rest)) depth = std::max(depth, depth_of(piece, when));
    return depth;
  };
  const double end = std::min(stop, t_max);
  if (sinks && depth_of_all(end) > depths.rest) stop = last_stay(t, end, depths.rest, depth_of_all);
  return StopAnswer{stop, sinks};
}

}  // namespace

template <int D>
Result<StopAnswer> stop_at(const StopQuestion<D>& q, double t_max) {
  const double graze = kGrazeShare * (q.thickness_a > 0 ? std::min(q.margin, q.thickness_a) : q.margin * kGrazeShare);
  // Below this there is no room left to go on
  const double least = graze * kGrazeShare;
  const auto gap_at = [&](double t) {
    return distance(q.a, pose_at<D>(q.start_a, q.motion_a, t), q.b, pose_at<D>(q.start_b, q.motion_b, t));
  };
  const bool in_parts = !q.a.is_convex() || !q.b.is_convex();

  double t = 0;
  bool sinks = false;
  int looks = kMostLooks;
  for (int k = 0; k < kMostGrazes; ++k) {
    // The next touch from here on
    ToiOptions options;
    options.t_max = t_max - t;
    options.max_iterations = looks;
    options.contacts = false;
    options.last = false;
    const Pose<D, double> a_now = pose_at<D>(q.start_a, q.motion_a, t), b_now = pose_at<D>(q.start_b, q.motion_b, t);
    const auto hit = time_of_impact(q.a, a_now, q.motion_a, q.b, b_now, q.motion_b, options);
    if (!hit) return hit.error();
    if (!hit->hit) return StopAnswer{kNoStop, sinks};
    const double t_hit = t + hit->t_lo;
    const double approach = dot(point_velocity<D>(a_now, q.motion_a, hit->t_lo, hit->point) -
                                    point_velocity<D>(b_now, q.motion_b, hit->t_lo, hit->point),
                                hit->normal);
    if (t_hit > 0 && approach * (1 - t_hit) > graze) return StopAnswer{t_hit, sinks};
    looks -= hit->iterations;
    if (looks <= 0) return StopAnswer{t_hit, sinks};

    // It touches without going in, or touched when it began: on as far as it overlaps no more than it did, until it is
    // free again, and by more than what the search takes for a touch: of bodies whose sizes are many powers of ten apart
    // that is more than the graze
    t = t_hit;
    DistanceAnswer<D> gap = gap_at(t);
    const Depths depths = depths_of(q, gap.separation, graze, least);
    sinks = sinks || depths.way > depths.rest;
    // What is deep inside already, or has no thickness, is not to overlap other pieces as far
    if (in_parts && depths.rest <= std::min(q.margin, q.thickness_a) && q.a.is_bounded() && q.b.is_bounded())
      if (const auto stop = stop_of_pieces(q, t, t_max, graze, least, looks))
        return StopAnswer{stop->t, sinks || stop->sinks};
    const double clear = std::max(graze, 2 * hit->tolerance);
    double stay = t;  // the last place where it is not too deep
    const auto stay_before = [&](double end) {
      if (stay < end && depths.way > depths.rest)
        stay = last_stay(stay, end, depths.rest, [&](double x) { return -gap_at(x).separation; });
      return StopAnswer{stay, sinks};
    };
    for (; gap.separation <= clear; ++k) {
      if (-gap.separation <= depths.rest) stay = t;
      const double room = gap.separation + depths.way;
      if (!(room >= least) || k >= kMostGrazes) return stay_before(t);
      const bool along = !in_parts && length_squared(gap.normal) > 0;
      const double step = time_to_close<D>(q, along ? &gap.normal : nullptr, t, room);
      if (!(step < t_max - t)) {
        const bool too_deep = depths.way > depths.rest && -gap_at(t_max).separation > depths.rest;
        return too_deep ? stay_before(t_max) : StopAnswer{kNoStop, sinks};
      }
      t += step;
      gap = gap_at(t);
    }
  }
  return StopAnswer{t, sinks};
}

template Result<StopAnswer> stop_at<2>(const StopQuestion<2>&, double);
template Result<StopAnswer> stop_at<3>(const StopQuestion<3>&, double);

}  // namespace sudar
