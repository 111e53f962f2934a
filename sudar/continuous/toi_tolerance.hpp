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

// Bounds after a few products and sums of numbers that are not negative: times this they are one still. No unit. The first
// two are for up to 16 roundings, the third for up to 64. Too near to one: a step that is a rounding too long.
inline constexpr double kGrown = 1 + 16 * kRoundoff, kShrunk = 1 - 16 * kRoundoff, kGrownMuch = 1 + 64 * kRoundoff;

// Rounding of a scalar product of up to three terms, relative to the sum of their sizes. No unit. Too small: as above.
inline constexpr double kDotError = 8 * kRoundoff;

// Rounding of the components of a unit vector that was computed and turned. No unit. Too small: the speed along a normal is
// too low by that much of the speed.
inline constexpr double kNormalError = 16 * kRoundoff;

// Rounding errors of which a tolerance is a multiple at least: of the places, and of the angles; and the rounding of a time
// of impact, relative to it, that a tolerance must bear. No unit. Smaller: a search ends at rounding before it is within its
// tolerance, and calls that unfinished.
inline constexpr double kToleranceOfMotion = 32, kToleranceOfAngle = 16, kToleranceOfTime = 256 * kRoundoff;

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
