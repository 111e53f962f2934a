// What:    Polygons and polyhedra that move with constant velocities and do not turn: do they meet in [0, t_max], from
//          when on and until when. Point, segment, triangle, box, polygon and hull, without a radius.
// Source:  seeds A8, A9; moving_axes.hpp.
// Frame:   A's at the start. The bodies at the first time are those of pose_at; time_of_impact.hpp has their contact set.
// Fails:   never, for shapes that fits_moving_sat accepts and motions that check_motion does.
#pragma once

#include <sudar/continuous/moving_axes.hpp>
#include <sudar/narrowphase/polytope_view2.hpp>
#include <sudar/narrowphase/polytope_view3.hpp>

namespace sudar {

// A polytope without a radius
SUDAR_API bool fits_moving_sat(const Shape2& shape);
SUDAR_API bool fits_moving_sat(const Shape3& shape);

// Angular velocities are not looked at
SUDAR_API MovingSatAnswer2 moving_sat(const Shape2& a, const Shape2& b, const MovingPair2& pair, double t_max);
SUDAR_API MovingSatAnswer3 moving_sat(const Shape3& a, const Shape3& b, const MovingPair3& pair, double t_max);
// The same, axis by axis to a sink (moving_axes.hpp)
SUDAR_API MovingSatAnswer2 moving_sat(const Shape2& a, const Shape2& b, const MovingPair2& pair, double t_max,
                                      TraceSink& trace);
SUDAR_API MovingSatAnswer3 moving_sat(const Shape3& a, const Shape3& b, const MovingPair3& pair, double t_max,
                                      TraceSink& trace);

// Axes that the test would look at, to choose between it and the search for an impact
SUDAR_API std::size_t moving_sat_axes(const Shape2& a, const Shape2& b);
SUDAR_API std::size_t moving_sat_axes(const Shape3& a, const Shape3& b);

}  // namespace sudar
