// What:    A half-space or half-plane as the piece of it that is beside something: it has no end, the picture has.
// Frame:   The box is what is to be seen beside it; the piece is twice as large.
#pragma once

#include "lab/draw_list.hpp"
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>

#include <string>

namespace sudar::lab {

void draw_half_space(DrawList& list, const HalfSpaceShape3& half, const Pose3d& pose, const Aabb3d& beside, Ink ink,
                     float alpha, const std::string& name = {});
void draw_half_plane(DrawList& list, const HalfPlaneShape2& half, const Pose2d& pose, const Aabb2d& beside, Ink ink,
                     float alpha, const std::string& name = {});

}  // namespace sudar::lab
