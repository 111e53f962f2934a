// What:    Bodies that several exhibits show: outlines in the plane, and meshes with bumps, holes and arms.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/geom/mesh.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/math/vec.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sudar::lab {

// Counterclockwise
std::vector<Vec2d> star_outline();
std::vector<Vec2d> gear_outline();

// A ball whose surface goes up and down by so much of its radius; closed, without self-intersections
Result<Mesh> bumpy_ball(double radius, std::uint32_t slices, std::uint32_t stacks, double bumps);
// Boxes joined at their faces: two arms at a right angle, a cross of six arms, a table
Result<Mesh> angle_block();
Result<Mesh> table_block();
// A wavy disc in z = 0, open
Result<Mesh> wavy_sheet(double half, std::uint32_t cells, double height);

// The choices of exhibits that show one body, and the body of each: closed and oriented. Round ones have so many pieces
// around.
std::vector<std::string> solid_names();
Result<Mesh> solid_named(std::size_t index, std::uint32_t pieces = 48);

}  // namespace sudar::lab
