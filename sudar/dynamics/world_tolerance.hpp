// What:    The tolerances of the world, as math/tolerance.hpp has those of the rooms below.
#pragma once

#include <sudar/math/tolerance.hpp>

#include <cstddef>

namespace sudar {

// Where a world ends: metres, metres a second, radians a second. Bodies beyond are taken out like those that are not finite.
// Used by the step. Larger: squares of speeds and inertias leave the range of double inside of the solver, and turns of a
// step that of continuous detection.
inline constexpr double kWorldEnd = 0x1p60, kFastestBody = 0x1p40, kFastestTurn = 0x1p24;

// How much longer a step than the one before may be for impulses to grow with it. No unit. Used by the step. Larger: what a
// blow gave in a short step is given many times over in a long one. Smaller: stacks begin cold where steps grow.
inline constexpr double kMostWarmStart = 2;

// The depth from which on contacts harden, as a share of the margin; they are rigid at twice this. No unit. Used by the step.
// Larger: boxes at the bottom of a pile of a thousand overlap by more than a hundredth of their size. Smaller: the pile
// trembles and does not fall asleep.
inline constexpr double kFirmShare = 0.2;

// How many times the speed of sleep a body may have for a moment that hardly moves from its place. No unit. Used by the
// step. One: piles in which somebody trembles stay awake. Much larger: what swings fast and not far falls asleep.
inline constexpr double kTrembleSpeed = 4;

// Cosine of the angle up to which two normals are of the same direction, so that impulses go from one to the other. Used by
// contact_cache. Smaller: in a corner, what a floor carried goes to a wall.
inline constexpr double kSameSideDirection = 0.9;

// Separation at the end of a step, as a share of the margin, below which two bodies that came together have met. Used by the
// step. Smaller: what was stopped exactly at a surface is told by rounding. Larger: near misses are hits.
inline constexpr double kMetShare = 0x1p-10;

// The share of what a body is thick that it may move in a step without being followed along its way. No unit. Used by
// ccd_pass. Above 1: its centre can pass a wall. Smaller: only slower.
inline constexpr double kFastShare = 0.5;

// Overlap that a fast body's way may end with before it is stopped, as a share of the margin of contacts and of what the
// body is thick. No unit. Used by ccd_pass. Zero: what slides fast over a floor is stopped by every rounding error.
// Larger: overlaps that the solver then pushes apart.
inline constexpr double kGrazeShare = 0.25;

// How much deeper a body may end than it began where it is deep already, as a share of the overlap above. No unit. Used by
// ccd_pass. Zero: what slides at one depth is stopped by every rounding error. Larger: it sinks in fewer than a million steps.
inline constexpr double kRestRounding = 0x1p-20;

// How often a body that is stopped asks again about what it overlaps there. Used by ccd_pass. Zero: between two obstacles it
// may sink into one a little in every step. Larger: only slower.
inline constexpr int kMostStopRounds = 4;

// How many things that move may carry a body in one step, one after the other. Used by ccd_pass. One: what is stopped while it
// is carried is left behind, and its carrier goes through it. Larger: only slower.
inline constexpr int kMostLegs = 4;

// How many places a body that touches something on its way may be looked at before it stops where it is. Used by ccd_pass.
// Smaller: what slides faster than this many times the overlap above in a step loses time. Larger: only slower.
inline constexpr int kMostGrazes = 256;

// How many distances the search for the touches of two bodies in a step may ask for; see kMostGrazes. Used by ccd_pass.
// Larger: seconds where sizes and speeds lie many powers of ten apart and distances need exact arithmetic.
inline constexpr int kMostLooks = 16384;

// How many pairs of convex pieces of two bodies that graze each other are followed one by one. Used by ccd_pass. Smaller: what
// slides fast over fine meshes loses time. Larger: only slower.
inline constexpr std::size_t kMostGrazedPieces = 512;

}  // namespace sudar
