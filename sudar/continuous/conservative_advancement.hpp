// What:    The time of impact by advancing as far as the distance allows: distance over a bound of the closing speed, again
//          and again. The plain form, for any two shapes the narrow phase knows; search_impact is the fast one.
// Source:  seed A10 (velocity projected on the vector between the closest points); Mirtich, "Impulse-based Dynamic
//          Simulation of Rigid Body Systems", 1996.
// Differs: The distance is the certified lower bound, not that of the witness points. The velocity is projected on the
//          normal only for convex pairs, where a plane across it proves that nothing else comes nearer.
// Frame:   The world's axes.
// Fails:   `open` when the iterations ran out: free before t, nothing known after. Grazing contacts need many.
#pragma once

#include <sudar/continuous/impact_search.hpp>

namespace sudar {

// How many numbers a step of the trace has
template <int D>
inline constexpr std::size_t kAdvanceNumbers = 3 * D + 3;

// Trace step: "plane" (numbers: normal, certified distance, bound of the closing speed, how far the bodies may go in
// seconds, then the closest points of A and B in the world's axes from A's origin; value: time).
template <int D>
SUDAR_API Impact<D> conservative_advancement(const MovingPair<D>& pair, const AnyShape<D>& a, const AnyShape<D>& b,
                                             double t_max, double tolerance, int max_iterations,
                                             TraceSink* trace = nullptr);

extern template SUDAR_API Impact<2> conservative_advancement<2>(const MovingPair<2>&, const Shape2&, const Shape2&,
                                                                double, double, int, TraceSink*);
extern template SUDAR_API Impact<3> conservative_advancement<3>(const MovingPair<3>&, const Shape3&, const Shape3&,
                                                                double, double, int, TraceSink*);

}  // namespace sudar
