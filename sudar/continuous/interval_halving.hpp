// What:    The time of impact by halving: an interval in which the bodies cannot move as far as they are apart is free;
//          any other is cut in two, the first half first.
// Source:  seed A10, algorithm 4.1 (after Ericson, "Real-Time Collision Detection", 2005, 5.5).
// Differs: The seed compares the motion with the distance at the start and with that at the end. To touch in between and
//          come apart again, the bodies must use up both, so their sum is compared. Distances are the certified lower
//          bounds. The recursion is a loop with a stack of ends, and it ends by length (what may move in the
//          interval is within the tolerance), not by time.
// Frame:   The world's axes.
// Fails:   `open` when the iterations ran out: free before t, nothing known after.
#pragma once

#include <sudar/continuous/impact_search.hpp>

namespace sudar {

// How many numbers a step of the trace has
inline constexpr std::size_t kHalvingNumbers = 5;

// Trace steps, each with an interval (value: its start; numbers: its end, the distances at both, how far the bodies may move
// in it, how many ends wait): "free", "halve", "impact" (not cut any more).
template <int D>
SUDAR_API Impact<D> interval_halving(const MovingPair<D>& pair, const AnyShape<D>& a, const AnyShape<D>& b,
                                     double t_max, double tolerance, int max_iterations, TraceSink* trace = nullptr);

extern template SUDAR_API Impact<2> interval_halving<2>(const MovingPair<2>&, const Shape2&, const Shape2&, double,
                                                        double, int, TraceSink*);
extern template SUDAR_API Impact<3> interval_halving<3>(const MovingPair<3>&, const Shape3&, const Shape3&, double,
                                                        double, int, TraceSink*);

}  // namespace sudar
