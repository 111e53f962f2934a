// What:    Capsules and cylinders around points.
// Source:  Eberly, "Geometric Tools for Computer Graphics", 2003, 13.12 (axis from the points, then shrink); seed B4.
// Differs: The axis is tried along each axis of the principal and of the smallest box, and the smallest result is
//          kept. For one direction the answer is the best there is: the smallest circle of the shadow gives line and
//          radius, and the ends move inward as far as the points allow. The best direction of all is not searched
//          for. A capsule is never larger than the smallest sphere.
// Frame:   Every point is in the capsule or cylinder as contains() computes it
//          (RoundFit.CapsuleAndCylinderContainTheirPoints).
// Fails:   empty_input; non_finite with the index of the point; too_large when a size is past the largest number.
#pragma once

#include <sudar/bounding/capsule.hpp>
#include <sudar/bounding/cylinder.hpp>

#include <span>

namespace sudar {

template <int D>
SUDAR_API Result<Capsule<D, double>> bounding_capsule(std::span<const Vec<D, double>> points) noexcept;
SUDAR_API Result<Cylinder<double>> bounding_cylinder(std::span<const Vec3d> points) noexcept;

}  // namespace sudar
