// What:    The distance field of polygons in the plane: any closed chains of vertices, with holes and overlaps.
// Source:  the nearest edge by a tree; signs by exact winding numbers of columns of samples (column_winding.hpp); seed B12.
// Frame:   The polygons', metres. A polygon is counterclockwise around its inside, a hole clockwise; by parity, either way.
// Fails:   empty_input (no vertex), non_finite and too_large with the vertex, counted through all polygons; too_large also for
//          more than kMaxCrossings crossings of edges and columns of samples; errors of check_grid and of the band. Open chains are shapes without an inside (shape_field.hpp).
#pragma once

#include <sudar/sdf/field_build.hpp>

#include <span>
#include <vector>

namespace sudar {

// The last vertex of each polygon is joined to the first
SUDAR_API Result<DistanceField2> make_polygon_field(std::span<const std::vector<Vec2d>> polygons,
                                                    const FieldGrid2& grid, const FieldOptions& options = {}) noexcept;
// The plain version: every sample against every edge
SUDAR_API Result<DistanceField2> make_polygon_field_plain(std::span<const std::vector<Vec2d>> polygons,
                                                          const FieldGrid2& grid,
                                                          const FieldOptions& options = {}) noexcept;

}  // namespace sudar
