// What:    The tolerances of the queries, as math/tolerance.hpp has those of the rooms below.
#pragma once

#include <sudar/math/tolerance.hpp>

namespace sudar {

// Distance from a shape at which a ray or a moving shape that steps towards it has arrived, relative to the coordinates.
// No unit. Used by queries/convex_ray and shape_cast. Below about 16 roundings: steps on noise. Larger: hits that much
// early.
inline constexpr double kRayTouch = 64 * kRoundoff;

}  // namespace sudar
