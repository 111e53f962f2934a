// What:    The oracles of the tests for signs of predicates and for pairs of triangles, in rational arithmetic: in a file of its own,
//          because that is slow to compile and is not always there.
#pragma once

#include <sudar/geom/triangle.hpp>

#include <span>

namespace sudar_bench {

bool has_rational_oracle();
// Points of a simplex, or of a sphere and one more: as orient2d, orient3d, incircle and insphere take them
int rational_orientation(std::span<const sudar::Vec2d> p);
int rational_orientation(std::span<const sudar::Vec3d> p);
int rational_side_of_ball(std::span<const sudar::Vec2d> p);
int rational_side_of_ball(std::span<const sudar::Vec3d> p);
// The second one must not be flat
bool rational_triangles_meet(const sudar::Triangle<3, double>& a, const sudar::Triangle<3, double>& b);

}  // namespace sudar_bench
