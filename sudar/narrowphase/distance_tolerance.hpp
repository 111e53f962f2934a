// What:    The tolerance of distances of polytopes: when bounds count as closed.
#pragma once

namespace sudar {

// Errors of a point of the difference (difference3.hpp), and roundings of the distance, that the bounds of GJK may be apart. No
// unit. Used by convex_distance2|3: bounds farther apart are left to exact arithmetic. Smaller than about 16: rounding alone
// opens them, and every distance is exact and slow. Larger: distances off by that many roundings of the larger shape.
inline constexpr double kOpenErrors = 64;

}  // namespace sudar
