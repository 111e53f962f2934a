// What:    Where products of lengths become too small to prove anything: the rounding bounds of the narrow phase are
//          relative, and near the end of the range of double a product is off by a fixed amount instead.
#pragma once

namespace sudar {

// Added to the bound of every product that proves a sign. In m² or m³. Products that underflow are off by 2^-1074, times
// coordinates of at most 2^60 once they are multiplied again. Much smaller: a difference in position of 5e-324 parts two
// cubes. Larger: only more exact arithmetic, for shapes smaller than its cube root.
inline constexpr double kLeastProof = 0x1p-700;

// The shortest direction that is searched, by its largest coordinate; below it another one serves as well. Metres. Smaller:
// squares of directions underflow, and bounds that are divided by them are infinite.
inline constexpr double kLeastDirection = 0x1p-400;

}  // namespace sudar
