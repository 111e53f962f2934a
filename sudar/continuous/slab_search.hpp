// What:    The first impact of two bodies made of parts: compounds, meshes, height fields, chains, polygons that are not
//          convex.
// Source:  Redon, Kheddar, Coquillart, "Fast Continuous Collision Detection between Rigid Bodies", 2002 (trees over time
//          slabs); seeds A10, A16.
// Differs: Only the pieces that may touch in a slab are searched (impact_search.hpp); the trees of the shapes find them
//          (slab_pairs.hpp). Slabs with many such pairs are cut in two, the first half first, while that can make them
//          fewer. In a short slab they are searched one by one; the first impact makes the slab end there, and what comes
//          before it is often free as a whole, so plates that meet flat cost one pair. Against a half-space there
//          are no pieces: only the body's hull counts, by its support function.
// Frame:   The world's axes.
// Fails:   `open` when the budget is spent: free before t, nothing known after. Throws bad_alloc.
#pragma once

#include <sudar/continuous/impact_search.hpp>

namespace sudar {

// How many numbers the step of a slab has
inline constexpr std::size_t kSlabNumbers = 1;

// The bodies do not touch at t = 0 (a solid that holds the other one counts as touching): from there on, what touches
// first touches with its surface. Trace steps: "slab" (free; numbers: its end; value: its start), "impact" (numbers: normal;
// value: time); against a half-space those of search_impact.
template <int D>
SUDAR_API Impact<D> slab_search(const MovingPair<D>& pair, const AnyShape<D>& a, const AnyShape<D>& b, double t_max,
                                double tolerance, int& budget, TraceSink* trace = nullptr);

extern template SUDAR_API Impact<2> slab_search<2>(const MovingPair<2>&, const Shape2&, const Shape2&, double, double,
                                                   int&, TraceSink*);
extern template SUDAR_API Impact<3> slab_search<3>(const MovingPair<3>&, const Shape3&, const Shape3&, double, double,
                                                   int&, TraceSink*);

}  // namespace sudar
