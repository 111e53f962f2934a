// What:    Spheres around points: from the mean point, from the box, Ritter's, the smallest one (fast, and Welzl's),
//          and the brute-force reference over support sets.
// Source:  Ritter, "An efficient bounding sphere", Graphics Gems, 1990. Welzl, "Smallest enclosing disks (balls and
//          ellipsoids)", 1991. Gärtner, "Fast and robust smallest enclosing balls", 1999. Seeds A12, D7.
// Differs: Whatever the method, the radius is measured at last from the rounded centre and rounded up, so every point
//          lies in the sphere exactly (SphereFit.ContainsEveryPointExactly). Ritter's sphere is shrunk to that
//          radius.
// Fails:   empty_input; non_finite with the index of the point; too_large when the radius is past the largest number,
//          for more than 2^32 - 1 points, or for more than kBruteForceSphereLimit points to the brute force.
#pragma once

#include <sudar/bounding/sphere.hpp>
#include <sudar/core/result.hpp>
#include <sudar/core/trace.hpp>

#include <span>

namespace sudar {

// Centre: the mean of the points. At most twice the smallest radius.
template <int D>
SUDAR_API Result<Sphere<D, double>> mean_sphere(std::span<const Vec<D, double>> points) noexcept;
// Centre: the centre of the box. At most sqrt(D) times the smallest radius.
template <int D>
SUDAR_API Result<Sphere<D, double>> box_sphere(std::span<const Vec<D, double>> points) noexcept;
// Two far points, then grown point by point; usually within a fifth of the smallest radius
template <int D>
SUDAR_API Result<Sphere<D, double>> ritter_sphere(std::span<const Vec<D, double>> points) noexcept;

// The smallest sphere. The radius is within 1e-14 of the smallest one, relative, plus the rounding of the centre's
// coordinates. For any number of points: a few SIMD passes over them.
template <int D>
SUDAR_API Result<Sphere<D, double>> smallest_sphere(std::span<const Vec<D, double>> points) noexcept;

// The same by Welzl's algorithm with move-to-front: the plain twin of smallest_sphere. Recursion is as deep as the
// sphere has support points, D + 1 at most. Events: "outside" (id of the point; value: how far its square is out),
// "ball" (ids of the points on it; numbers: centre, radius).
template <int D, class Trace = NoTrace>
SUDAR_API Result<Sphere<D, double>> welzl_sphere(std::span<const Vec<D, double>> points, Trace trace = {}) noexcept;

// The reference: every set of up to D + 1 points as support
inline constexpr std::size_t kBruteForceSphereLimit = 64;
template <int D>
SUDAR_API Result<Sphere<D, double>> brute_force_sphere(std::span<const Vec<D, double>> points) noexcept;

}  // namespace sudar
