// What:    The tolerances of the tree for rays, with their unit, who uses them and what breaks when they are wrong; those of
//          the other rooms are in math/tolerance.hpp. Lengths are in the tree's units: the mesh reaches from -1 to 1.
#pragma once

#include <sudar/math/tolerance.hpp>

namespace sudar {

// By how much boxes of the tree exceed their triangles, beyond rounding. Tree's units. Used by ray_tree and ray_tree_walk.
// Zero: a ray along the side of a flat box, whose slab it neither enters nor leaves, misses what is in it. Larger: boxes
// that are looked into for nothing.
inline constexpr double kRayBoxHair = 0x1p-40;

// How much earlier a walk starts than where the ray is two units before the middle. Relative to the way there, no unit.
// Smaller than the roundings of that product: a start within the mesh. Larger: only coordinates with less precision.
inline constexpr double kRayStartLess = 0x1p-40;

// How much later than a time the entry of a box may be computed to be, absolute in the tree's units and relative to the
// time: the roundings of float in a slab, a dozen at most, with room. Used by TreeRay::limit_of. Smaller: the nearest hit is
// passed over for one as near. Larger: boxes that are looked into for nothing.
inline constexpr double kRayLimit = 0x1p-20;

// Rounding of a coordinate to float, twice, and of the product with an inverse direction, six times. Relative, no unit. Used
// by ray_tree_walk. Smaller: rays that pass beside the box of what they meet. Larger: boxes that are looked into for nothing.
inline constexpr float kRayFloat = 0x1p-22f, kRaySlab = 0x1p-21f;

}  // namespace sudar
