// What:    The first time at which two convex bodies on their way come within a tolerance of each other: steps that are
//          proven free, from one separating plane to the next.
// Source:  Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996 (conservative advancement); van den
//          Bergen, "Ray Casting against General Convex Objects with Application to Continuous Collision Detection", 2004:
//          without rotation the two are the same; seed A10.
// Differs: Nothing rests on the distance of witness points: the narrow phase names a direction, and how far the bodies may
//          go is proven for the planes across it (free_step.hpp). So no contact is passed, whatever the direction. Where its
//          rounding leaves no such plane, the proven distance and the speed of the bodies are the step.
//          What is nearer than the tolerance but proven free until the end is no hit.
// Frame:   A's and B's, pieces with poses in them; directions in the world's axes.
// Fails:   stops when the budget of distances is spent: `open` says that contact after `t` was not ruled out.
#pragma once

#include <sudar/continuous/free_step.hpp>
#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/part_placement.hpp>

namespace sudar {

// A convex piece of a body
template <int D>
struct MovingPiece {
  const AnyShape<D>& shape;
  Pose<D, double> body_from_piece{};
};

// Where the piece of B is as that of A sees it
template <int D>
Placement<D> placed_pieces(const MovingPair<D>& pair, const MovingPiece<D>& a, const MovingPiece<D>& b,
                           const MovingInstant<D>& at) {
  Placement<D> out = pair.at(at);
  if (!(b.body_from_piece == Pose<D, double>{})) out = to_child(out, b.body_from_piece);
  if (!(a.body_from_piece == Pose<D, double>{})) out = from_child(a.body_from_piece, out);
  return out;
}

template <int D>
struct Impact {
  bool hit = false;
  bool open = false;            // the budget ran out
  double t = 0;                 // proven free before; t_end for a miss
  double lower = 0, upper = 0;  // of the distance at t
  Vec<D, double> normal{};      // in the world's axes, from A to B
  Vec<D, double> point{};       // between the closest points at t; the world's axes, from A's origin
  int iterations = 0;
};

// Free before t_begin is taken for granted. `budget` counts distances and goes down. Trace steps: "plane" (numbers: normal;
// value: time), "impact" and "free" (value: time).
template <int D>
SUDAR_API Impact<D> search_impact(const MovingPair<D>& pair, const MovingPiece<D>& a, const MovingPiece<D>& b,
                                  double t_begin, double t_end, double tolerance, int& budget,
                                  TraceSink* trace = nullptr);

extern template SUDAR_API Impact<2> search_impact<2>(const MovingPair<2>&, const MovingPiece<2>&, const MovingPiece<2>&,
                                                     double, double, double, int&, TraceSink*);
extern template SUDAR_API Impact<3> search_impact<3>(const MovingPair<3>&, const MovingPiece<3>&, const MovingPiece<3>&,
                                                     double, double, double, int&, TraceSink*);

}  // namespace sudar
