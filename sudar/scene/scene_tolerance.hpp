// What:    The tolerances of the scene, as math/tolerance.hpp has those of the rooms below.
#pragma once

#include <sudar/math/tolerance.hpp>

namespace sudar {

// Separation of the deepest point below which the exact decision is asked whether two convex shapes touch, relative to
// the coordinates in A's frame. No unit. Used by scene/scene_update. Below some hundred roundings: shapes that only just
// touch may be told as apart. Larger: only time.
inline constexpr double kTouchDoubt = 0x1p-30;

}  // namespace sudar
