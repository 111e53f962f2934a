// What:    The tolerances of the queries, as math/tolerance.hpp has those of the rooms below.
#pragma once

#include <sudar/math/tolerance.hpp>

#include <cstddef>

namespace sudar {

// Distance from a shape at which a ray or a moving shape that steps towards it has arrived, relative to the coordinates.
// No unit. Used by queries/convex_ray and shape_cast. Below about 16 roundings: steps on noise. Larger: hits that much
// early.
inline constexpr double kRayTouch = 64 * kRoundoff;

// Discriminant of a ray and a ball below which twice the precision decides, relative to the terms it is the difference of;
// and how near to the ball the origin is then, relative to the square of the radius. No unit. Used by ray_span. Below about
// 2^-50: grazing rays that rounding lets through. Larger: only slower.
inline constexpr double kRayClear = 0x1p-20;

// Squares of double areas of triangles whose root and quotient lose nothing to the ends of the range of double. Metres to
// the fourth. Used by ray3. Wider: normals that are zero, infinite or not of unit length. Narrower: only slower.
inline constexpr double kLeastNormalSquare = 0x1p-900, kMostNormalSquare = 0x1p900;

// By how much boxes in the store of a set of shapes exceed the shapes, relative to the coordinates: two roundings of float,
// which the store has, and those of the questions. No unit. Used by question_box. Smaller: shapes that touch a question and
// whose boxes do not. Larger: shapes that are asked for nothing.
inline constexpr double kQuestionHair = 0x1p-22;

// By how much the box of a moving shape grows, relative to its size: more than the tolerance of a time of impact, within
// which shapes count as touching. No unit. Used by shape casts against sets. Smaller: touches that are missed because boxes
// only pass each other. Larger: shapes that are asked for nothing.
inline constexpr double kCastHair = 0x1p-20;

// By how much times and distances of boxes are taken back before what comes later is dropped: their own roundings, a few
// hundred at most. Relative, no unit. Used by sets of shapes. Smaller: the first hit or the nearest shape is passed over for
// one as near. Larger: shapes that are asked for nothing.
inline constexpr double kBoxLess = 0x1p-40;

// Largest coordinate of a point that is asked about, and of the position of what is asked. Metres. Used by point queries and
// sets of shapes. Larger: squares of distances leave the range of double, and boxes that of float. Smaller: places that are
// refused for nothing.
inline constexpr double kMaxPlace = 0x1p100;

// Depth of a point in a compound from which it counts as inside whatever its children say, relative to the largest coordinate
// of the compound: the depth of a union is rounded up by some tens of roundings. No unit. Used by point queries. Smaller:
// points on the border that are inside. Larger: points that near to the border, where two children meet, that are on it.
inline constexpr double kBorderDepth = 0x1p-40;

// Largest coordinate of places and corners among which ways are looked for, and of sets that are eroded. Metres. Used by
// shortest_path2 and free_space2. Larger: squares of lengths leave the range of double, or sums of a few coordinates do.
inline constexpr double kMaxWay = 0x1p500, kMaxEroded = 0x1p1000;

// Rounding of a place on a straight way, relative to the largest coordinate of its ends, twice and as a length: the errors of
// the difference, of the share of the way and of the sum are below 32 roundings. No unit. Used by sampled_path3, which proves
// no way with a clearance below it. Smaller: steps of a proof that end beyond a wall. Larger: ways that are not proven.
inline constexpr double kWayRounding = 64 * kRoundoff;

// Distances to one obstacle after which a straight way counts as not free, and places after which trees of ways grow no
// more. Used by sampled_path3. Larger: searches that take minutes with a clearance or a step that is far too small. Smaller:
// long ways beside an obstacle that are not found.
inline constexpr std::size_t kMostWayChecks = std::size_t{1} << 22, kMostWayNodes = std::size_t{1} << 20;

}  // namespace sudar
