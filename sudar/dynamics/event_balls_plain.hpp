// What:    The plain version of event_balls.hpp: at each event, the times of all pairs and all walls anew, the least of them,
//          and everything moved on to it. Quadratic in the balls for each collision; the reference of the fast one.
// Source:  Seed C7, taken literally.
// Fails:   as EventBalls::run, but where time stands still the limit that was given is the only one; the input is taken
//          as checked (EventBalls::make does). The guard knows the collisions of this call only.
#pragma once

#include <sudar/dynamics/event_balls.hpp>

namespace sudar {

// From time 0 to `time`; the balls are moved there
template <int D>
SUDAR_API Result<EventStop> run_events_plain(std::vector<Ball<D>>& balls, const EventBallsOptions<D>& options,
                                             double time, std::uint64_t limit,
                                             std::vector<BallEvent>* log = nullptr) noexcept;

}  // namespace sudar
