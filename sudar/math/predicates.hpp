// What:    Exact signs of the four geometric predicates, for any finite doubles.
// Source:  Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997.
// Differs: The source is exact while no product over- or underflows. Here a last stage in exact integer arithmetic
// takes
//          over when the exponents leave that range, so the sign is right for every finite input
//          (Predicates.ExtremeExponents).
// Fails:   never; NaN or infinity in the input is the caller's bug (doors check for it).
#pragma once

#include <sudar/math/vec.hpp>

namespace sudar::inline SUDAR_ABI {

// Each returns -1, 0 or +1.

// +1 when a, b, c turn counterclockwise, 0 when they are collinear
SUDAR_API int orient2d(const Vec2d& a, const Vec2d& b, const Vec2d& c) noexcept;
// +1 when d lies on the side of plane (a, b, c) from which a, b, c are seen counterclockwise, i.e. where the normal
// (b - a) × (c - a) points to; 0 when the four are coplanar
SUDAR_API int orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) noexcept;
// For counterclockwise a, b, c: +1 when d lies inside of their circle, 0 on it
SUDAR_API int incircle(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d) noexcept;
// For orient3d(a, b, c, d) > 0: +1 when e lies inside of their sphere, 0 on it
SUDAR_API int insphere(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, const Vec3d& e) noexcept;

}  // namespace sudar::inline SUDAR_ABI
