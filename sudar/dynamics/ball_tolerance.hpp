// What:    The tolerances of balls, with their unit, who uses them and what breaks when they are wrong.
#pragma once

#include <sudar/math/tolerance.hpp>

#include <cstdint>

namespace sudar {

// How deep two balls, or a ball and a wall, may overlap at the start and still count as touching, relative to their sizes
// and coordinates. No unit. Used by EventBalls::make. Smaller: a state that was written out at rest is refused when it is
// read again. Larger: an overlap that no run would make is taken.
inline constexpr double kBallTouch = 0x1p-40;

// By how much a cell of the grid is wider than the largest ball in it. No unit. Used by EventBalls. Zero: a ball whose
// crossing was rounded late is met behind the cells that are searched. Larger: only more balls in a cell.
inline constexpr double kBallCellSlack = 0x1p-20;

// How long a contact of two balls takes, seconds: what meets again within it loses no more energy, and what lies on a floor
// hops with this period. The default of EventBalls, about a microsecond. Smaller: more events where balls come to rest.
// Larger: losses of balls that really meet that often are left out.
inline constexpr double kBallContactTime = 0x1p-20;

// The same as a share of the time that has passed, which it is never below: two roundings of it or more. No unit. Used
// by EventBalls. Smaller: time stands still where a ball lies. Larger: late hops are longer than they were asked for.
inline constexpr double kBallTimeShare = 0x1p-51;

// How many events, beside sixteen a ball, may follow each other while no time passes, before a run ends and says so.
// Used by EventBalls. Smaller: balls whose masses differ by fifteen powers of ten, and which meet that often, are cut
// off. Larger: a run that gets nowhere takes longer to say so.
inline constexpr std::uint64_t kMostEventsAtOnce = std::uint64_t{1} << 22;

// How many times the square of their reach the square of the distance of two balls may be for b² − v² c, which cancels,
// to say whether they meet: its rounding is this many times 2^-53 of what decides. No unit. Used by time_to_meet.
// Larger: small balls miss each other. Smaller: only slower.
inline constexpr double kBallNear = 0x1p20;
// The square of a relative speed below which balls that are small beside their distance do not meet, (m/s)²: it would
// take longer than 2^390 s. Used by time_to_meet. Smaller: products leave the range of double, and whether they meet is
// chance.
inline constexpr double kBallSlow = 0x1p-900;

// Largest speed of a ball at the start, metres a second, and largest acceleration, metres a second each second; least
// and largest mass, kilograms. Sizes and coordinates are those of shapes (kMaxShapeSize, kMinShapeSize). Used by the
// doors of EventBalls and SteppedBalls. Larger: what a light ball gets from heavy ones leaves, squared and times the
// square of a distance, the range of double.
inline constexpr double kFastestBall = 0x1p60, kHeaviestBall = 0x1p300, kLightestBall = 0x1p-300;

}  // namespace sudar
