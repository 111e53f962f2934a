// What:    The tolerances of the solver, as math/tolerance.hpp has them for geometry.
#pragma once

namespace sudar {

// Half of the turn in one substep, radians, below which sine and cosine are summed by their series. At the bound, the first
// term left out is below one rounding of double. Larger: rotations drift by that term. Smaller: only slower.
inline constexpr double kSeriesTurn = 0x1p-3;

}  // namespace sudar
