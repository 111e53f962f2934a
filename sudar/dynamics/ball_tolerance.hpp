// What:    The tolerances of balls, with their unit, who uses them and what breaks when they are wrong.
#pragma once

#include <sudar/math/tolerance.hpp>

namespace sudar {

// How deep two balls, or a ball and a wall, may overlap at the start and still count as touching, relative to their sizes
// and coordinates. No unit. Used by EventBalls::make. Smaller: a state that was written out at rest is refused when it is
// read again. Larger: an overlap that no run would make is taken.
inline constexpr double kBallTouch = 0x1p-40;

// By how much a cell of the grid is wider than the largest ball in it. No unit. Used by EventBalls. Zero: a ball whose
// crossing was rounded late is met behind the cells that are searched. Larger: only more balls in a cell.
inline constexpr double kBallCellSlack = 0x1p-20;

// How long a contact of two balls takes, seconds: what meets again within it loses no more energy, and what lies on a floor
// hops with this period. The default of EventBalls, about a microsecond. Smaller: more events where balls come to rest.
// Larger: losses of balls that really meet that often are left out.
inline constexpr double kBallContactTime = 0x1p-20;

}  // namespace sudar
