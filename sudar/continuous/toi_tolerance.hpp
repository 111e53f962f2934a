// What:    The tolerances of bodies on their way, as math/tolerance.hpp has them for what is at rest.
#pragma once

#include <sudar/math/tolerance.hpp>

namespace sudar {

// Rounding of a gap along a unit direction between two moving bodies, relative to their sizes and the offset of their
// origins. No unit. The sum of the rounding errors (rotation 12, two supports 6 each, the sums 8) is below 40 roundings.
// Too small: a body passes through another by rounding. Too large: only a coarser smallest tolerance.
inline constexpr double kMotionError = 64 * kRoundoff;

// Rounding of the angle of a turning body, relative to the angle. No unit. Too small: as above, after many turns.
inline constexpr double kAngleError = 8 * kRoundoff;

// How near counts as touching in a time of impact, relative to the sizes of both bodies: without curved cores, and with.
// No unit. Larger: impacts that much too early, and hits that are misses by that much. Smaller than what the narrow phase
// knows of distances near contact (about 1e-12 of boxes, 1e-9 of curved shapes): impacts that it cannot confirm.
inline constexpr double kImpactTolerance = 0x1p-36, kCurvedImpactTolerance = 0x1p-29;

// Size of a gap, relative to the bodies, below which the separating axes of moving bodies are computed in twice the
// precision, and the errors of the two ways. No unit. kFineGap smaller: grazing contacts decided by rounding; larger: only
// slower. The errors: as kSatError, and 2^10 units of twice the precision.
inline constexpr double kMovingFineGap = 0x1p-30, kMovingError = 64 * kRoundoff, kMovingFineError = 0x1p-94;

// Rounding of an offset or a velocity that was turned into the frame of a body, relative to its largest coordinate. No
// unit. A rotation takes at most 12 roundings. Too small: a graze after a long way is missed.
inline constexpr double kMovingTurnError = 16 * kRoundoff;

}  // namespace sudar
