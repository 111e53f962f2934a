// What:    The tolerances of the scene, as math/tolerance.hpp has those of the rooms below.
#pragma once

#include <sudar/math/tolerance.hpp>

namespace sudar {

// How far the squared length of a rotation may be from 1 to be taken as it is. No unit. Used by scene/pose_check. Zero:
// poses that are taken out and put back change in their last bit with every turn. Much larger: boxes are too small for
// their shapes, beyond kPoseSlack.
inline constexpr double kUnitRotation = 8 * kRoundoff;

// Separation of the deepest point below which the exact decision is asked whether two convex shapes touch, relative to
// the coordinates in A's frame. No unit. Used by scene/scene_update. Below some hundred roundings: shapes that only just
// touch may be told as apart. Larger: only time.
inline constexpr double kTouchDoubt = 0x1p-30;

}  // namespace sudar
