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

// What the numbers of a joint end at: places of frames, lengths, what a spring rests at, and limits on the side where
// they are in the way, metres and radians; hertz; ratios to critical damping. A world's own frames end at kWorldEnd,
// which is less: what stands is given to the solver with frames in the world. Used by check of joints. Larger: squares
// and products of these with others leave the range of double, and every body that hangs on the joint is lost.
inline constexpr double kJointEnd = 0x1p64, kMostHertz = 0x1p30, kMostDampingRatio = 0x1p30;

// The most friction that a contact is solved with; more than it is taken for it. No unit. Used by the solver. Larger: its
// product with an impulse is infinite, and that with the radius of a single point, zero, is NaN. Smaller: what was to hold slides.
inline constexpr double kMostFriction = 0x1p512;

// How far the squared length of a joint's rotation may be from 1 to be taken as it is. No unit. Used by prepare_joint3.
// Zero: turns of bodies change axes in their last bits. Larger: axes as much too long, and impulses with them.
inline constexpr double kJointUnit = 0x1p-40;

}  // namespace sudar
