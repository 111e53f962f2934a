// What:    Where a fast body stops at one thing in its way.
// Source:  continuous/time_of_impact.hpp for the first touch; Mirtich, "Impulse-based Dynamic Simulation of Rigid Body
//          Systems", 1996, for advancement by bounds of the closing speed.
// Differs: - A touch that ends with less overlap than a small part of the margin is the solver's: bodies slide. While it lasts,
//            and when the body touched at the start, it goes on by conservative advancement as long as it overlaps no more
//            than it did by that part: what it touches hides nothing behind it.
//          - The bound is that of A as B sees it, so B's own turn counts where A is and not at B's far ends: what rides on a
//            turntable is slow, and half-spaces may turn. The gap of convex bodies closes no faster than along its own
//            direction, so what slides comes no nearer. Bodies of parts are taken apart into the pairs of convex pieces that
//            may meet in the rest of the step, so that the same holds on meshes and height fields
//            (FastBody.SlidesFastOverParts).
//          - The work is bounded: all searches for touches of one question share kMostLooks distances. When they are used up,
//            or the body has grazed kMostGrazes times, it stops at the last place that is proven to be free.
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
  return sum > 0 ? 2 * room / sum : std::numeric_limits<double>::infinity();
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

// From t on, when the first of the pieces that may meet overlap by more than is allowed, or by more than they do at t; in
// [t, t_max], or kNoStop. Nothing when they are too many.
template <int D>
std::optional<double> stop_of_pieces(const StopQuestion<D>& q, double t, double t_max, double allowed, double least,
                                     int& looks) {
  const MovingPair<D> pair(q.start_a, q.motion_a, q.start_b, q.motion_b);
  GrazedPieces<D> near;
  constexpr std::int64_t kTestsOfLook = 64;
  const SlabWalk walk = for_each_slab_pair<D>({pair, t, t_max}, q.a, q.b, kTestsOfLook * looks, near);
  looks -= static_cast<int>(walk.tests / kTestsOfLook);
  if (!walk.finished) return std::nullopt;
  double stop = kNoStop;
  for (const auto& piece : near.pairs()) {
    const MovingPiece<D> a{piece.a, piece.pose_a}, b{piece.b, piece.pose_b};
    double own = allowed;
    for (double now = t;;) {
      // Those that come after it are known to be free until t only
      if (looks-- <= 0) return t;
      const MovingInstant<D> at = pair.instant(now);
      const DistanceAnswer<D> gap = distance(a.shape, b.shape, placed_pieces(pair, a, b, at));
      if (now == t) own = std::max(own, 2 * least - gap.separation);
      const double room = gap.separation + own;
      if (room < least) {
        stop = std::min(stop, now);
        break;
      }
      const Vec<D, double> normal = rotate(at.rotation_a, rotate(a.body_from_piece.rotation, gap.normal));
      const double step = time_to_close<D>(q, length_squared(normal) > 0 ? &normal : nullptr, now, room);
      if (!(step < std::min(stop, t_max) - now)) break;
      now += step;
    }
  }
  return stop;
}

}  // namespace

template <int D>
Result<double> stop_at(const StopQuestion<D>& q, double t_max) {
  const double graze = kGrazeShare * (q.thickness_a > 0 ? std::min(q.margin, q.thickness_a) : q.margin * kGrazeShare);
  // Below this there is no room left to go on
  const double least = graze * kGrazeShare;
  const auto gap_at = [&](double t) {
    return distance(q.a, pose_at<D>(q.start_a, q.motion_a, t), q.b, pose_at<D>(q.start_b, q.motion_b, t));
  };
  const bool in_parts = !q.a.is_convex() || !q.b.is_convex();

  double t = 0, allowed = 0;
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
    if (!hit->hit) return kNoStop;
    const double t_hit = t + hit->t_lo;
    const double approach = dot(point_velocity<D>(a_now, q.motion_a, hit->t_lo, hit->point) -
                                    point_velocity<D>(b_now, q.motion_b, hit->t_lo, hit->point),
                                hit->normal);
    if (t_hit > 0 && approach * (1 - t_hit) > graze) return t_hit;
    looks -= hit->iterations;
    if (looks <= 0) return t_hit;

    // It touches without going in, or touched when it began: on as far as it overlaps no more than it did, until it is
    // free again, and by more than what the search takes for a touch: of bodies whose sizes are many powers of ten apart
    // that is more than the graze
    t = t_hit;
    DistanceAnswer<D> gap = gap_at(t);
    allowed = std::max({allowed, graze, least - gap.separation});
    // What is deep inside already, or has no thickness, is not to overlap other pieces as far
    if (in_parts && q.thickness_a > 0 && allowed <= q.margin && q.a.is_bounded() && q.b.is_bounded())
      if (const auto stop = stop_of_pieces(q, t, t_max, allowed, least, looks)) return *stop;
    const double clear = std::max(graze, 2 * hit->tolerance);
    for (; gap.separation <= clear; ++k) {
      const double room = gap.separation + allowed;
      if (room < least || k >= kMostGrazes) return t;
      const bool along = !in_parts && length_squared(gap.normal) > 0;
      const double step = time_to_close<D>(q, along ? &gap.normal : nullptr, t, room);
      if (!(step < t_max - t)) return kNoStop;
      t += step;
      gap = gap_at(t);
    }
  }
  return t;
}

template Result<double> stop_at<2>(const StopQuestion<2>&, double);
template Result<double> stop_at<3>(const StopQuestion<3>&, double);

}  // namespace sudar
