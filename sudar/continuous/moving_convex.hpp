// What:    A convex body on its way, as seen along directions: how far it reaches, how fast that changes while it turns,
//          and how far it can reach in any turn. And how long a plane of fixed direction surely stays between two of them.
// Source:  Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996, ch. 2; Zhang, Redon, Lee, Kim,
//          "Continuous Collision Detection for Articulated Models using Taylor Models and Temporal Culling", 2007 (bounds
//          of higher order).
// Differs: Mirtich divides the distance by a bound of the speed. Here three bounds are proven for the same plane and the
//          longest step counts: that one, with the speed of turning taken across the plane only; one for any number of
//          turns, from the body of revolution around the axis; and one of second order: as the body turns, its reach h(m)
//          along the direction m it sees is at most h(m + s m') + K s² / 2. h is convex, so the gap along m + s m' is concave
//          in s, and what is positive at both ends of a step is positive between (FreeStep.IsProven).
//          The last makes the search for a contact converge like Newton's method.
// Frame:   Directions in the world's axes; a piece of a body has a pose in it.
// Fails:   never. Every bound includes rounding; where nothing is proven the step is zero.
#pragma once

#include <sudar/continuous/motion.hpp>
#include <sudar/continuous/toi_tolerance.hpp>
#include <sudar/math/outward.hpp>
#include <sudar/narrowphase/convex_view2.hpp>
#include <sudar/narrowphase/convex_view3.hpp>

#include <array>

namespace sudar {

template <int D>
class SUDAR_API MovingConvex {
 public:
  using V = Vec<D, double>;
  using View = std::conditional_t<D == 2, ConvexView2, ConvexView3>;

  // The shape is convex, may be a half-space, and must outlive this
  MovingConvex(const AnyShape<D>& shape, const Pose<D, double>& body_from_piece, const Rot<D, double>& start,
               const Angular<D>& angular);

  bool is_flat() const { return flat_; }       // a half-space: it has one direction only,
  const V& flat_normal() const { return p_; }  // this one
  bool is_curved() const { return !flat_ && view_.count == 0; }
  bool turns() const { return rate_ > 0; }
  double radius() const { return view_.radius; }
  double size() const { return size_; }        // no coordinate is larger, radius included
  double turning() const { return turning_; }  // no point of the core is farther from the axis

  // How far the core reaches along a direction of any length, in the body's axes
  double reach(const V& m) const {
    if (flat_) return offset_;
    if (whole_) return dot(m, support(view_, m).p);
    const V m_piece = rotate(conjugate(pose_.rotation), m);
    return dot(m, pose_.position) + dot(m_piece, support(view_, m_piece).p);
  }
  // How far it reaches in any turn about its axis, along a unit direction along which it reaches this far now
  double reach_of_turns(const V& m, double reach_now) const;
  // Bounds of the first and second derivative of the reach along a unit direction while the body turns
  double reach_rate(const V& m) const;
  double reach_curvature(const V& m) const { return rate_ * reach_rate(m); }

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

// Until when a plane square to the unit direction n, carried along as it likes but never turned, surely lies between the
// two, from t on and not beyond t_end. t itself when it does not lie between them at t. A turning half-space as A keeps its
// plane: n is its normal at t.
template <int D>
SUDAR_API double free_until(const MovingPair<D>& pair, const MovingConvex<D>& a, const MovingConvex<D>& b,
                            const Vec<D, double>& n, double t, double t_end);

extern template class MovingConvex<2>;
extern template class MovingConvex<3>;
extern template SUDAR_API double free_until<2>(const MovingPair<2>&, const MovingConvex<2>&, const MovingConvex<2>&,
                                               const Vec2d&, double, double);
extern template SUDAR_API double free_until<3>(const MovingPair<3>&, const MovingConvex<3>&, const MovingConvex<3>&,
                                               const Vec3d&, double, double);

}  // namespace sudar
