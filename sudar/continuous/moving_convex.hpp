// What:    A convex body on its way, as seen along directions: how far it reaches, how fast that changes while it turns,
//          and how far it can reach in any turn.
// Source:  Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996, ch. 2.
// Differs: Turning counts only across the direction, and any number of turns is bounded by the body of revolution around
//          the axis: every vertex on its circle.
// Frame:   The body's axes; a piece of a body has a pose in it.
// Fails:   never.
#pragma once

#include <sudar/continuous/motion.hpp>
#include <sudar/continuous/toi_tolerance.hpp>
#include <sudar/narrowphase/convex_view2.hpp>
#include <sudar/narrowphase/convex_view3.hpp>

#include <array>

namespace sudar {

template <int D>
class SUDAR_API MovingConvex {
 public:
  using V = Vec<D, double>;
  using View = std::conditional_t<D == 2, ConvexView2, ConvexView3>;

  // The shape is convex, may be a half-space, and must outlive this. `measure`: farthest() is wanted though nothing turns.
  MovingConvex(const AnyShape<D>& shape, const Pose<D, double>& body_from_piece, const Rot<D, double>& start,
               const Angular<D>& angular, bool measure = true);

  bool is_flat() const { return flat_; }       // a half-space: it has one direction only,
  const V& flat_normal() const { return p_; }  // this one
  bool is_curved() const { return !flat_ && view_.count == 0; }
  bool turns() const { return rate_ > 0; }
  double radius() const { return view_.radius; }
  double size() const { return size_; }          // no coordinate is larger, radius included
  double turning() const { return turning_; }    // no point of the core is farther from the axis
  double farthest() const { return farthest_; }  // or from the body's origin

  // How far the core reaches along a direction of any length, in the body's axes
  double reach(const V& m) const {
    if (flat_) return offset_;
    if (whole_) return dot(m, support(view_, m).p);
    const V m_piece = rotate(conjugate(pose_.rotation), m);
    return dot(m, pose_.position) + dot(m_piece, support(view_, m_piece).p);
  }
  // How far it reaches in any turn about its axis, along a unit direction along which it reaches this far now
  double reach_of_turns(const V& m, double reach_now) const;
  // Bound of the derivative of the reach along a unit direction while the body turns. That of the second is this times
  // the angular velocity.
  double reach_rate(const V& m) const;

 private:
  static constexpr int kMaxRings = 32;
  struct Ring {
    double along, across;  // place on the axis and distance from it
  };

  View view_{};
  Pose<D, double> pose_{};
  bool whole_ = true, flat_ = false, ringed_ = false;
  V p_{};
  double offset_ = 0;
  Angular<D> axis_{};
  double rate_ = 0, size_ = 0, turning_ = 0, farthest_ = 0;
  std::array<Ring, kMaxRings> rings_;
  int ring_count_ = 0;
};

extern template class MovingConvex<2>;
extern template class MovingConvex<3>;

}  // namespace sudar
