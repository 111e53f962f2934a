// What:    The tolerances of the world, as math/tolerance.hpp has those of the rooms below.
#pragma once

#include <sudar/math/tolerance.hpp>

namespace sudar {

// Where a world ends: metres, metres and radians a second. Bodies beyond are taken out like those that are not finite. Used
// by the step. Larger: squares of speeds and inertias leave the range of double inside of the solver.
inline constexpr double kWorldEnd = 0x1p60, kFastestBody = 0x1p40;

// The share of what a body is thick that it may move in a step without being followed along its way. No unit. Used by
// ccd_pass. Above 1: its centre can pass a wall. Smaller: only slower.
inline constexpr double kFastShare = 0.5;

// Overlap that a fast body's way may end with before it is stopped, as a share of the margin of contacts and of what the
// body is thick. No unit. Used by ccd_pass. Zero: what slides fast over a floor is stopped by every rounding error.
// Larger: overlaps that the solver then pushes apart.
inline constexpr double kGrazeShare = 0.25;

// How many places a body that touches something on its way may be looked at before it stops where it is. Used by ccd_pass.
// Smaller: what slides faster than this many times the overlap above in a step loses time. Larger: only slower.
inline constexpr int kMostGrazes = 256;

}  // namespace sudar
