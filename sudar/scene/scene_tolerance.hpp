// What:    The tolerances of the scene, as math/tolerance.hpp has those of the rooms below.
#pragma once

#include <sudar/math/tolerance.hpp>

namespace sudar {

// How far the squared length of a rotation may be from 1 to be taken as it is. No unit. Used by scene/pose_check. Zero:
// poses that are taken out and put back change in their last bit with every turn. Much larger: boxes are too small for
// their shapes, beyond kPoseSlack.
inline constexpr double kUnitRotation = 8 * kRoundoff;

}  // namespace sudar
