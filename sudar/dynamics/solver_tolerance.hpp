// What:    The tolerances of the solver, as math/tolerance.hpp has them for geometry.
#pragma once

namespace sudar {

// Half of the turn in one substep, radians, below which sine and cosine are summed by their series. At the bound, the first
// term left out is below one rounding of double. Larger: rotations drift by that term. Smaller: only slower.
inline constexpr double kSeriesTurn = 0x1p-3;

// The most hertz of a contact, per substep a second. No unit. A quarter: pyramids of twenty rows tremble at 0.3 m/s; a sixth,
// with four substeps: a tower of twenty cubes buckles, because its contacts are too soft.
inline constexpr double kStiffestContact = 0.2;
// The same of the locked part of a joint. Larger: chains tremble. Smaller: they stretch.
inline constexpr double kStiffestJoint = 0.25;

}  // namespace sudar
