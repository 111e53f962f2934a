// What:    Distances of the samples of a brick to a triangle, a row of eight at a time: what a mesh is scattered with.
// Source:  seed B12; a triangle is looked at by the samples of its surroundings (Jones, Bærentzen, Šrámek, "3D Distance
//          Fields: A Survey of Techniques and Applications", 2006), not by a search from every sample.
// Frame:   The grid's. The plain twin gives the same bits.
#pragma once

#include <sudar/core/config.hpp>
#include <sudar/sdf/field_grid.hpp>
#include <sudar/sdf/triangle_frame.hpp>

namespace sudar {

struct alignas(64) BrickRows {
  double x[kBrickSide], y[kBrickSide], z[kBrickSide];  // coordinates of the samples
  double squared[kBrickSamples<3>];                    // least square of a distance so far
};

// Lowers what the triangle is nearer to. Samples that are farther from its box than `reach` may be passed over.
SUDAR_API void lower_rows(const TriangleFrame& triangle, double reach, BrickRows& rows) noexcept;
SUDAR_API void lower_rows_plain(const TriangleFrame& triangle, double reach, BrickRows& rows) noexcept;

}  // namespace sudar
