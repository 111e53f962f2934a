// What:    Two boxes in the plane: yes or no, distance or depth with witness points, from one decision.
// Source:  separating axes; the distance is that of the nearest of the eight corners to the other box.
// Differs: As box_box3.hpp: exact for the numbers of the placement as they are, by a filter and integers behind it.
// Frame:   A's. Boxes are centred at the origins of their frames. Distance and depth expect a turn that is a rotation
//          up to rounding; the decision takes any.
// Fails:   never.
#pragma once

#include <sudar/math/vec.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/placement.hpp>

namespace sudar {

// Closed sets: touching is a hit
SUDAR_API bool box_box_intersects2(const Vec2d& half_a, const Vec2d& half_b, const Placement2& a_from_b);
// The plain one: four signs in integers, no filter
SUDAR_API bool box_box_intersects2_plain(const Vec2d& half_a, const Vec2d& half_b, const Placement2& a_from_b);

// Distance of separated boxes, or minus the depth of overlapping ones, with the certificate of answer.hpp
SUDAR_API DistanceAnswer2 box_box_distance2(const Vec2d& half_a, const Vec2d& half_b, const Placement2& a_from_b);

}  // namespace sudar
