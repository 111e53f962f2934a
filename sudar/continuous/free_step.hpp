// What:    How long a plane surely stays between two convex bodies on their way: one that keeps its direction, or one that
//          turns along with a body.
// Source:  Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996 (distance over speed); Zhang, Redon,
//          Lee, Kim, "Continuous Collision Detection for Articulated Models using Taylor Models and Temporal Culling",
//          2007 (bounds of higher order).
// Differs: Three bounds are proven and the longest step counts. By speed, with turning taken across the plane only. For any
//          number of turns, by the bodies of revolution. And of second order, for a plane with an angular velocity of its
//          own: seen from a body, its normal m moves by s m' and at most K s² / 2, so the body's reach h(m) along it is at most
//          h(m + s m') + K s² |p| / 2. h is convex, so the gap of first order is concave in s, and what is positive
//          at both ends of a step is positive between (FreeStep.IsProven). A plane that turns with the face it
//          touches closes at the true speed of the contact: the search for an impact then converges like
//          Newton's method, where a plane of fixed direction would wait for the far end of the face.
// Frame:   Directions in the world's axes.
// Fails:   never. Every bound includes rounding; where nothing is proven the step is zero.
#pragma once

#include <sudar/continuous/moving_convex.hpp>

namespace sudar {

// Until when, from `at` on and not beyond t_end, some plane that has the unit normal n (from A to B) at that time surely
// lies between the two. at.t when none does at that time. `guess`, where given, is an angular velocity of the plane that is
// tried as well as none and those of the bodies. A turning half-space as A keeps its plane: n is its normal.
template <int D>
SUDAR_API double free_until(const MovingPair<D>& pair, const MovingConvex<D>& a, const MovingConvex<D>& b,
                            const MovingInstant<D>& at, const Vec<D, double>& n, double t_end,
                            const Angular<D>* guess = nullptr);

// The same by a distance at that time which is proven, in any direction: at.t where rounding leaves nothing of it, and for a
// half-space, which has its plane
template <int D>
SUDAR_API double free_by_distance(const MovingPair<D>& pair, const MovingConvex<D>& a, const MovingConvex<D>& b,
                                  const MovingInstant<D>& at, double distance, double t_end);

extern template SUDAR_API double free_by_distance<2>(const MovingPair<2>&, const MovingConvex<2>&,
                                                     const MovingConvex<2>&, const MovingInstant<2>&, double, double);
extern template SUDAR_API double free_by_distance<3>(const MovingPair<3>&, const MovingConvex<3>&,
                                                     const MovingConvex<3>&, const MovingInstant<3>&, double, double);
extern template SUDAR_API double free_until<2>(const MovingPair<2>&, const MovingConvex<2>&, const MovingConvex<2>&,
                                               const MovingInstant<2>&, const Vec2d&, double, const double*);
extern template SUDAR_API double free_until<3>(const MovingPair<3>&, const MovingConvex<3>&, const MovingConvex<3>&,
                                               const MovingInstant<3>&, const Vec3d&, double, const Vec3d*);

}  // namespace sudar
