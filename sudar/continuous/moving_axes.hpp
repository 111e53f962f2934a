// What:    One separating axis after another for bodies that move without turning: from when on and until when their
//          projections overlap, and with it the first and last time of contact.
// Source:  Eberly, "3D Game Engine Design", 2000, 6.5 (moving separating axes); seed A8.
// Differs: Each axis is looked at from one side at a time, g + s t <= 0, so the seed's three cases are one. A miss is proven,
//          rounding included; gaps that are small are computed again from all vertices in twice the precision, so
//          bodies that are only moved slide past each other at one rounding's distance and are free
//          (MovingSat.GrazingIsDecidedToTheLastBit).
// Frame:   A's.
// Fails:   never. A hit is one up to rounding: in twice the precision where A is not turned, and of the way and the place as
//          A sees them where it is.
#pragma once

#include <sudar/continuous/motion.hpp>
#include <sudar/continuous/toi_tolerance.hpp>
#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/sat_feature.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

template <int D>
struct MovingSatAnswer {
  bool hit = false;
  double first = 0;     // time of the first contact; 0 where they overlap already
  double first_lo = 0;  // no contact before, rounding included
  double last = 0;      // time of the last contact, not beyond t_max
  Vec<D, double>
      normal{};  // the axis that they meet on, unit, from A to B, in A's frame; zero where they overlap already
  SatFeature feature;
  SatKind last_kind = SatKind::none;  // of the axis that they part on
  int axes = 0;
};
using MovingSatAnswer2 = MovingSatAnswer<2>;
using MovingSatAnswer3 = MovingSatAnswer<3>;

// Trace steps: "side" (ids: kind, feature of A, feature of B; numbers: axis, gap at the start, how fast it grows; value: the
// time from which on, or until which, this side lets them meet), "separates" (the same, when they never meet in time).
template <int D, class View, class Trace = NoTrace>
class MovingAxes {
 public:
  using V = Vec<D, double>;

  MovingAxes(const View& a, const View& b, const MovingPair<D>& pair, double t_max, Trace trace = {})
      : a_(a), b_(b), place_(pair.at(0)), t_max_(t_max), trace_(trace) {
    const V v = rotate(conjugate(pair.start_a()), pair.velocity());
    for (int i = 0; i < D; ++i)
      velocity_[i] = pair.start_a() == Rot<D, double>{} ? pair.velocity(i) : DoubleDouble(v[i]);
    size_ = D * (a.size() + b.size() + max_abs(place_.translation));
    // In a turned frame the way and the place are rounded, however fine the sums about them are
    if (!(pair.start_a() == Rot<D, double>{})) {
      place_error_ = kMovingTurnError * D * max_abs(place_.translation);
      velocity_error_ = kMovingTurnError * D * max_abs(v);
    }
    last_ = last_hi_ = std::numeric_limits<double>::infinity();
  }
  const Placement<D>& place() const { return place_; }

  // One side of an axis of any length: B above A. False when it proves that they never meet in time.
  bool offer(const V& n, const SatFeature& feature) {
    double gap = 0, speed = 0;
    const bool may_meet = look_at(n, feature, gap, speed);
    if constexpr (Trace::kEnabled) {
      const std::uint32_t ids[] = {static_cast<std::uint32_t>(feature.kind), feature.a, feature.b};
      double numbers[D + 2];
      for (int i = 0; i < D; ++i) numbers[i] = n[i];
      numbers[D] = gap, numbers[D + 1] = speed;
      trace_({.step = may_meet ? "side" : "separates",
              .ids = ids,
              .numbers = numbers,
              .value = speed != 0 ? -gap / speed : 0});
    }
    return may_meet;
  }
  bool offer_both(const V& n, const SatFeature& feature) { return offer(n, feature) && offer(-n, feature); }

  MovingSatAnswer<D> miss() const {
    MovingSatAnswer<D> out;
    out.axes = axes_;
    return out;
  }
  MovingSatAnswer<D> meet() const {
    MovingSatAnswer<D> out;
    out.hit = true;
    // Where they part before they meet, but for rounding, they are as near as that at both times; later they need not be
    out.first = std::min(std::max(first_lo_, std::min(first_, last_)), t_max_);
    out.first_lo = std::min(first_lo_, out.first);
    out.last = std::max(out.first, std::min(last_, t_max_));
    out.normal = normalized(normal_);
    out.feature = feature_;
    out.last_kind = last_kind_;
    out.axes = axes_;
    return out;
  }

 private:
  bool look_at(const V& n, const SatFeature& feature, double& gap, double& speed) {
    ++axes_;
    DoubleDouble s;
    double s_size = 0, n_size = 0;
    for (int i = 0; i < D; ++i) {
      s += velocity_[i] * n[i];
      s_size += std::fabs(velocity_[i].hi * n[i]);
      n_size = std::max(n_size, std::fabs(n[i]));
    }
    // The gap at the start: plain, then with care
    const V n_b = to_b(place_, n);
    DoubleDouble g = dot(n, place_.translation) + dot(n, place_.rest) +
                     (dot(n_b, b_.vertices()[b_.support(-n_b)]) - dot(n, a_.vertices()[a_.support(n)]));
    double g_error = (kMovingError * size_ + place_error_) * n_size;
    const double s_error = kMovingFineError * s_size + velocity_error_ * n_size;
    const double near = kMovingFineGap * (size_ * n_size + s_size * t_max_);
    if (std::fabs(g.hi) <= near || std::fabs(g.hi + s.hi * t_max_) <= near) {
      g = fine_gap(n);
      g_error = (kMovingFineError * size_ + place_error_) * n_size;
    }
    gap = static_cast<double>(g);
    speed = static_cast<double>(s);
    const double end = static_cast<double>(g + s * t_max_);
    // Apart at both ends of the time, and so all the way
    const double end_error = g_error + 2 * (s_error + kMovingFineError * s_size) * t_max_;
    if (gap > g_error && end > end_error) return false;
    if (std::fabs(speed) <= s_error) return !(gap > g_error + 2 * s_error * t_max_);
    if (speed < 0) {
      const double t = gap / -speed;
      first_lo_ = std::max(first_lo_, (gap - g_error) / (s_error - speed) * kShrunk);
      if (t > first_) first_ = t, normal_ = n, feature_ = feature;
    } else {
      if (const double t = -gap / speed; t < last_) last_ = t, last_kind_ = feature.kind;
      const double later = g_error - gap;
      last_hi_ = std::min(last_hi_, later > 0 ? later / (speed - s_error) * kGrown : later / (speed + s_error));
    }
    return !(first_lo_ > t_max_ || first_lo_ > last_hi_ || last_hi_ < 0);
  }
  DoubleDouble fine_gap(const V& n) const {
    // n as B sees it, and the offset along it, literally as the placement says
    DoubleDouble n_b[D], offset;
    for (int i = 0; i < D; ++i) {
      offset += DoubleDouble(two_product(n[i], place_.translation[i])) + two_product(n[i], place_.rest[i]);
      n_b[i] = n[i];
    }
    if (place_.turned)
      for (int j = 0; j < D; ++j) {
        V unit{};
        unit[j] = 1;
        const V column = place_.turn * unit;
        n_b[j] = DoubleDouble();
        for (int i = 0; i < D; ++i) n_b[j] += two_product(n[i], column[i]);
      }
    DoubleDouble top, bottom;
    bool any = false;
    for (const V& p : a_.vertices()) {
      DoubleDouble h;
      for (int i = 0; i < D; ++i) h += two_product(n[i], p[i]);
      if (!any || static_cast<double>(h - top) > 0) top = h;
      any = true;
    }
    any = false;
    for (const V& p : b_.vertices()) {
      DoubleDouble h;
      for (int i = 0; i < D; ++i) h += n_b[i] * p[i];
      if (!any || static_cast<double>(h - bottom) < 0) bottom = h;
      any = true;
    }
    return offset + bottom - top;
  }

  const View &a_, &b_;
  Placement<D> place_;
  DoubleDouble velocity_[D];
  double t_max_, size_ = 0, place_error_ = 0, velocity_error_ = 0;
  double first_ = 0, first_lo_ = 0, last_ = 0, last_hi_ = 0;
  V normal_{};
  SatFeature feature_;
  SatKind last_kind_ = SatKind::none;
  int axes_ = 0;
  [[no_unique_address]] Trace trace_;
};

}  // namespace sudar
