// What:    See time_of_impact.hpp.
#include <sudar/continuous/conservative_advancement.hpp>
#include <sudar/continuous/interval_halving.hpp>
#include <sudar/continuous/moving_sat.hpp>
#include <sudar/continuous/round_impact.hpp>
#include <sudar/continuous/slab_search.hpp>
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {

// Times that are counted in seconds. Shorter and longer ones are counted in units of about t_max, a power of two of seconds, so
// that products of two speeds, and of speeds and times, are in range wherever they matter.
// No time at all is none in any unit: then in one in which the speeds, which nothing bounds, are about 1.
constexpr double kLongTime = 0x1p64, kMostSpeed = 0x1p256;
int exponent_of_time(double t_max, double fastest) {
  if (t_max == 0) return fastest > kMostSpeed ? -std::ilogb(fastest) : 0;
  return t_max > kLongTime || t_max < 1 / kLongTime ? std::ilogb(t_max) : 0;
}
// The largest number in a motion
template <int D>
double fastest_of(const RigidMotion<D>& motion) {
  if constexpr (D == 2)
    return std::max(max_abs(motion.linear), std::fabs(motion.angular));
  else
    return std::max(max_abs(motion.linear), max_abs(motion.angular));
}
template <int D>
void count_in(int exponent, RigidMotion<D>& motion) {
  const auto scale = [exponent](double& x) { x = std::ldexp(x, exponent); };
  for (int i = 0; i < D; ++i) scale(motion.linear[i]);
  if constexpr (D == 2)
    scale(motion.angular);
  else
    for (int i = 0; i < D; ++i) scale(motion.angular[i]);
}
// Back to seconds, where the smallest doubles may round; the first of them down
template <int D>
void count_in_seconds(int exponent, double t_max, ToiAnswer<D>& x) {
  const auto seconds = [=](double t) { return std::min(std::ldexp(t, exponent), t_max); };
  const double lo = seconds(x.t_lo);
  x.t_hi = seconds(x.t_hi);
  x.t_lo = std::ldexp(lo, -exponent) > x.t_lo ? std::nextafter(lo, 0) : lo;
  if (x.t_last) x.t_last = seconds(*x.t_last);
}

// Steps whose times are counted in units of 2^exponent seconds, told in seconds. By whatever method the first time is found, the
// steps of the search for the last one come after it: what the numbers of a step are is told by how many there are.
template <int D>
class InSeconds final : public TraceSink {
 public:
  InSeconds(TraceSink& sink, int exponent) : sink_(sink), exponent_(exponent) {}
  void on_event(const TraceEvent& event) override {
    double numbers[kMostNumbers];
    const std::size_t count = std::min(event.numbers.size(), kMostNumbers);
    std::copy_n(event.numbers.begin(), count, numbers);
    // A normal, which is all that other steps have, is in no unit
    if (count == kAdvanceNumbers<D>)
      numbers[D + 1] = std::ldexp(numbers[D + 1], -exponent_), numbers[D + 2] = seconds(numbers[D + 2]);
    else if (count == kHalvingNumbers || count == kSlabNumbers)
      numbers[0] = seconds(numbers[0]);
    sink_.on_event({event.step, event.ids, {numbers, count}, seconds(event.value)});
  }

 private:
  static constexpr std::size_t kMostNumbers = kAdvanceNumbers<D>;
  static_assert(kHalvingNumbers != D && kSlabNumbers != D && kHalvingNumbers < kMostNumbers);
  double seconds(double t) const { return std::ldexp(t, exponent_); }
  TraceSink& sink_;
  int exponent_;
};

// Axes up to which separating axes of moving polytopes beat the search for an impact
constexpr std::size_t kMaxMovingAxes = 160;

bool is_round(const Shape2& shape, double& radius) {
  if (shape.kind() != ShapeKind2::circle) return false;
  radius = shape.as<CircleShape2>().radius;
  return true;
}
bool is_round(const Shape3& shape, double& radius) {
  if (shape.kind() != ShapeKind3::sphere) return false;
  radius = shape.as<SphereShape3>().radius;
  return true;
}
bool is_box(const Shape2& shape) { return shape.kind() == ShapeKind2::box; }
bool is_box(const Shape3& shape) { return shape.kind() == ShapeKind3::box; }
// Distances of what is curved are known less well
bool is_curved(const Shape2& shape) {
  if (shape.kind() != ShapeKind2::compound) return shape.kind() == ShapeKind2::custom;
  const auto children = shape.as<CompoundShape2>().parts->children();
  return std::any_of(children.begin(), children.end(), [](const auto& child) { return is_curved(child.shape); });
}
bool is_curved(const Shape3& shape) {
  switch (shape.kind()) {
    case ShapeKind3::cylinder:
    case ShapeKind3::cone:
    case ShapeKind3::ellipsoid:
    case ShapeKind3::custom:
      return true;
    case ShapeKind3::compound: {
      const auto children = shape.as<CompoundShape3>().parts->children();
      return std::any_of(children.begin(), children.end(), [](const auto& child) { return is_curved(child.shape); });
    }
    default:
      return false;
  }
}

template <int D>
class Query {
 public:
  using S = AnyShape<D>;
  using P = Pose<D, double>;

  Query(const S& a, const P& world_from_a, const RigidMotion<D>& motion_a, const S& b, const P& world_from_b,
        const RigidMotion<D>& motion_b, const ToiOptions& options)
      : a_(a),
        b_(b),
        world_from_a_(world_from_a),
        world_from_b_(world_from_b),
        motion_a_(motion_a),
        options_(options),
        pair_(world_from_a, motion_a, world_from_b, motion_b) {
    out_.t_lo = out_.t_hi = options.t_max;
    const double radius_a = farthest_radius<D>(a), radius_b = farthest_radius<D>(b);
    size_ = both_sizes(radius_a, radius_b);
    // A half-space that turns does so about its origin, with the other one's whole way as the arm
    const double arm = size_ + any_length(pair_.offset(0)) + pair_.speed() * options.t_max;
    turning_ = (pair_.turns_a() ? pair_.rate_a() * (a.is_bounded() ? radius_a : arm) : 0) +
               (pair_.turns_b() ? pair_.rate_b() * (b.is_bounded() ? radius_b : arm) : 0);
    const double least =
        kToleranceOfMotion * kMotionError * size_ + kToleranceOfAngle * kAngleError * turning_ * options.t_max;
    const bool curved = is_curved(a) || is_curved(b);
    const double wanted =
        options.tolerance > 0 ? options.tolerance : (curved ? kCurvedImpactTolerance : kImpactTolerance) * size_;
    out_.tolerance = std::max(wanted, least);
  }

  Result<ToiAnswer<D>> answer() {
    find();
    out_.tolerance_last = out_.t_last ? std::max(out_.tolerance_last, out_.tolerance) : 0;
    return std::move(out_);
  }

 private:
  void find() {
    // At rest at the start: the one decision of the narrow phase
    if (intersects(a_, world_from_a_, b_, world_from_b_)) {
      hit_at(0, 0);
      take_rounding(out_.separation, out_.t_lo, out_.t_lo);
      if (!pair_.still())
        find_last();
      else if (options_.last)
        out_.t_last = options_.t_max;
      return;
    }
    if (pair_.still() || options_.t_max == 0) return;
    switch (options_.method) {
      case ToiMethod::automatic:
        if (!by_formula() && !by_axes(kMaxMovingAxes)) by_search(), find_last();
        break;
      case ToiMethod::moving_sat:
        if (!by_axes(static_cast<std::size_t>(-1))) by_search(), find_last();
        break;
      case ToiMethod::conservative:
        take(conservative_advancement<D>(pair_, a_, b_, options_.t_max, out_.tolerance, options_.max_iterations,
                                         options_.trace));
        find_last();
        break;
      case ToiMethod::halving:
        take(interval_halving<D>(pair_, a_, b_, options_.t_max, out_.tolerance, options_.max_iterations,
                                 options_.trace));
        find_last();
        break;
    }
  }

  bool by_formula() {
    double radius_a, radius_b;
    if (!is_round(a_, radius_a) || !is_round(b_, radius_b)) return false;
    const RoundImpact x = round_impact<D>(pair_, radius_a, radius_b, options_.t_max);
    if (!x.hit) return true;
    hit_at(x.first * kShrunk, out_.tolerance);
    take_rounding(out_.separation, out_.t_lo, out_.t_lo);
    out_.t_hi = x.first;
    take_last(x);
    return true;
  }
  bool by_axes(std::size_t limit) {
    if (pair_.turns() || !fits_moving_sat(a_) || !fits_moving_sat(b_) || moving_sat_axes(a_, b_) > limit) return false;
    const MovingSatAnswer<D> x = moving_sat(a_, b_, pair_, options_.t_max);
    out_.iterations = x.axes;
    if (!x.hit) return true;
    out_.normal = rotate(pair_.start_a(), x.normal);
    // Far starts round: what is left to go at the proven time
    const double left = pair_.speed() * (x.first - x.first_lo);
    hit_at(x.first_lo, out_.tolerance + std::min(left, 2 * rounding_at(x.first_lo, x.first_lo)));
    take_rounding(out_.separation, out_.t_lo, out_.t_lo);
    // The axis of two edges that are nearly parallel is rounded, and another one separates them for longer
    if (out_.separation > 2 * out_.tolerance) {
      begin_again();
      return false;
    }
    // Gaps that are rounding along all axes may be more than that between sharp corners: then the proven time is the best there is
    if (out_.separation + left <= 2 * out_.tolerance || is_near_at(x.first)) out_.t_hi = x.first;
    take_last(x);
    return true;
  }
  // The axis that they part on is looked at as well. Those of boxes are exact but for what turns them, and the time is but for
  // long ways
  void take_last(const MovingSatAnswer<D>& x) {
    if (!options_.last || out_.status != QueryStatus::converged) return;
    const bool is_side = is_box(a_) && is_box(b_) &&
                         (x.last_kind == SatKind::face_a || x.last_kind == SatKind::face_b) &&
                         kToleranceOfTime * pair_.speed() * x.last <= out_.tolerance;
    if (x.last >= out_.t_hi && (is_side || is_last(x.last, x.last))) {
      out_.t_last = x.last;
    } else {
      search_back();
    }
  }
  void take_last(const RoundImpact& x) {
    if (!options_.last) return;
    // A graze that the formula has for a miss is one of a moment
    out_.t_last = x.hit ? std::max(out_.t_hi, x.last) : out_.t_hi;
    if (kToleranceOfTime * pair_.speed() * *out_.t_last > out_.tolerance) is_last(*out_.t_last, *out_.t_last);
  }
  bool is_near_at(double t) {
    const double apart = distance(a_, b_, pair_.at(t)).separation;
    take_rounding(apart, t, t);
    return apart <= 2 * out_.tolerance;
  }
  // Whether the bodies are near at what is told for the last time. Rounding tells it late or early: apart or in each other by as
  // much, and on a way along a side by a rounding of the clock, of which a gap shows nothing.
  bool is_last(double t, double clock) {
    const double apart = distance(a_, b_, pair_.at(t)).separation;
    const bool leave = t < options_.t_max;
    out_.tolerance_last =
        std::max(with_rounding(leave ? std::fabs(apart) : apart, t, clock), leave ? kRoundoff * pair_.speed() * t : 0);
    return apart <= 2 * out_.tolerance_last;
  }
  void begin_again() {
    const double tolerance = out_.tolerance;
    out_ = {};
    out_.tolerance = tolerance;
    out_.t_lo = out_.t_hi = options_.t_max;
  }
  Impact<D> search(const MovingPair<D>& pair) {
    int budget = options_.max_iterations;
    if (a_.is_convex() && b_.is_convex())
      return search_impact<D>(pair, {a_}, {b_}, 0, options_.t_max, out_.tolerance, budget, options_.trace);
    return slab_search<D>(pair, a_, b_, options_.t_max, out_.tolerance, budget, options_.trace);
  }
  void by_search() { take(search(pair_)); }

  // Where rounding leaves the bodies farther apart than the tolerance at a time of contact, that is the tolerance: places far
  // from A's origin are rounded, and so is the time of a fast body, relative to what the clock has shown
  double with_rounding(double apart, double t, double clock) const {
    if (!(apart > 2 * out_.tolerance) || !(apart <= 2 * rounding_at(t, clock))) return out_.tolerance;
    // The gap itself is known up to rounding
    return 0.5 * (apart + kMotionError * (size_ + any_length(pair_.offset(t))));
  }
  void take_rounding(double apart, double t, double clock) { out_.tolerance = with_rounding(apart, t, clock); }
  double rounding_at(double t, double clock) const {
    return kToleranceOfMotion * kMotionError * (size_ + any_length(pair_.offset(t))) +
           kToleranceOfAngle * kAngleError * turning_ * clock + kToleranceOfTime * (pair_.speed() + turning_) * clock;
  }

  void take(const Impact<D>& x) {
    out_.iterations = x.iterations;
    if (!x.hit && !x.open) return;
    out_.normal = x.normal;
    hit_at(x.t, x.upper, x.open ? nullptr : &x);
    if (!x.open) take_rounding(x.upper, x.t, x.t);
    if (!x.open && x.upper <= 2 * out_.tolerance) return;
    out_.status = QueryStatus::max_iterations;
    out_.t_hi = options_.t_max;
  }

  // By a formula or by axes, or as the first contact of the motion backwards. What turns has none, but balls.
  void find_last() {
    if (!options_.last || !out_.hit || out_.status != QueryStatus::converged) return;
    double radius_a, radius_b;
    if (is_round(a_, radius_a) && is_round(b_, radius_b)) {
      take_last(round_impact<D>(pair_, radius_a, radius_b, options_.t_max));
      return;
    }
    if (pair_.turns()) return;
    if (fits_moving_sat(a_) && fits_moving_sat(b_) && moving_sat_axes(a_, b_) <= kMaxMovingAxes) {
      take_last(moving_sat(a_, b_, pair_, options_.t_max));
      return;
    }
    search_back();
  }
  // The motion backwards, from its end
  void search_back() {
    out_.t_last.reset();
    out_.tolerance_last = 0;
    if (out_.status != QueryStatus::converged) return;
    if (intersects(a_, b_, pair_.at(options_.t_max))) {
      out_.t_last = options_.t_max;
      return;
    }
    const Impact<D> x = search(pair_.backwards_from(options_.t_max));
    if (x.open) return;
    const double t = std::max(out_.t_hi, options_.t_max - x.t);
    // A graze that the way back is proven to miss is one of a moment
    if (!x.hit)
      out_.t_last = out_.t_hi;
    else if (is_last(t, options_.t_max))
      out_.t_last = t;
  }

  // What is there at the time of impact, the bodies in their places
  void hit_at(double t, double upper, const Impact<D>* known = nullptr) {
    out_.hit = true;
    out_.t_lo = out_.t_hi = t;
    const P pose_a = pose_at(world_from_a_, motion_a_, t);
    if (!options_.contacts && known != nullptr) {
      out_.kind = ContactKind::point;
      out_.point = pose_a.position + known->point;
      out_.separation = upper;
      return;
    }
    const Placement<D> place = pair_.at(t);
    if (options_.contacts) {
      const double margin = std::max(0.0, upper) + 2 * out_.tolerance;
      out_.contacts = placed(contacts(a_, b_, place, margin), pose_a);
      out_.kind = out_.contacts.kind;
    }
    if (out_.kind != ContactKind::none) {
      const double share = 1.0 / static_cast<double>(out_.contacts.points.size());
      out_.point = {};
      for (const ContactPoint<D>& p : out_.contacts.points) out_.point += p.position * share;
      out_.normal = out_.contacts.normal;
      out_.separation = out_.contacts.separation;
      return;
    }
    // Two half-spaces that overlap have no contacts; curved shapes may be farther apart than the margin
    const DistanceAnswer<D> x = placed(distance(a_, b_, place), pose_a);
    out_.kind = ContactKind::point;
    out_.point = (x.point_a + x.point_b) * 0.5;
    out_.separation = x.separation;
    if (out_.normal == Vec<D, double>{}) out_.normal = x.normal;
  }

  const S &a_, &b_;
  P world_from_a_, world_from_b_;
  RigidMotion<D> motion_a_;
  const ToiOptions& options_;
  MovingPair<D> pair_;
  double size_ = 0, turning_ = 0;  // metres; and how fast turning moves a point, metres a second
  ToiAnswer<D> out_;
};

template <int D>
Result<ToiAnswer<D>> answer(const AnyShape<D>& a, Pose<D, double> world_from_a, RigidMotion<D> motion_a,
                            const AnyShape<D>& b, Pose<D, double> world_from_b, RigidMotion<D> motion_b,
                            ToiOptions options) noexcept {
  return guarded([&]() -> Result<ToiAnswer<D>> {
    if (const auto check = check_motion<D>(world_from_a, motion_a, options.t_max, 0); !check) return check.error();
    if (const auto check = check_motion<D>(world_from_b, motion_b, options.t_max, 1); !check) return check.error();
    if (!(options.tolerance >= 0) || !std::isfinite(options.tolerance))
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "tolerance must be finite and not negative"};
    if (options.max_iterations < 1)
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "at least one iteration is needed"};
    if (!a.is_bounded() && !b.is_bounded())
      return Error{ErrorCode::unsupported, Error::kNoElement, "two half-spaces have no time of impact"};
    world_from_a.rotation = normalized(world_from_a.rotation);
    world_from_b.rotation = normalized(world_from_b.rotation);
    if (options.method == ToiMethod::moving_sat &&
        MovingPair<D>(world_from_a, motion_a, world_from_b, motion_b).turns())
      return Error{ErrorCode::unsupported, Error::kNoElement, "moving_sat is for bodies that do not turn"};
    const auto swings = [](const AnyShape<D>& shape, const RigidMotion<D>& motion) {
      return !shape.is_bounded() && turn_rate(motion.angular) > 0;
    };
    if ((options.method == ToiMethod::conservative || options.method == ToiMethod::halving) &&
        (swings(a, motion_a) || swings(b, motion_b)))
      return Error{ErrorCode::unsupported, Error::kNoElement, "nothing bounds the speed of a half-space that turns"};
    const int exponent = exponent_of_time(options.t_max, std::max(fastest_of<D>(motion_a), fastest_of<D>(motion_b)));
    const double t_max = options.t_max;
    if (exponent != 0) {
      count_in<D>(exponent, motion_a), count_in<D>(exponent, motion_b);
      options.t_max = std::ldexp(t_max, -exponent);
    }
    std::optional<InSeconds<D>> in_seconds;
    if (exponent != 0 && options.trace != nullptr) options.trace = &in_seconds.emplace(*options.trace, exponent);
    auto out = Query<D>(a, world_from_a, motion_a, b, world_from_b, motion_b, options).answer();
    if (exponent != 0 && out) count_in_seconds<D>(exponent, t_max, *out);
    return out;
  });
}

}  // namespace

Result<ToiAnswer2> time_of_impact(const Shape2& a, const Pose2d& world_from_a, const Motion2& motion_a, const Shape2& b,
                                  const Pose2d& world_from_b, const Motion2& motion_b,
                                  const ToiOptions& options) noexcept {
  return answer<2>(a, world_from_a, motion_a, b, world_from_b, motion_b, options);
}
Result<ToiAnswer3> time_of_impact(const Shape3& a, const Pose3d& world_from_a, const Motion3& motion_a, const Shape3& b,
                                  const Pose3d& world_from_b, const Motion3& motion_b,
                                  const ToiOptions& options) noexcept {
  return answer<3>(a, world_from_a, motion_a, b, world_from_b, motion_b, options);
}

}  // namespace sudar
