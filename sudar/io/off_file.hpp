// What:    OFF: a list of vertices and a list of faces, as text.
// Source:  Geomview manual, "OFF Files" (The Geometry Center, 1996).
// Differs: Colours, normals and texture coordinates are stepped over, whatever the header (COFF, NOFF, STOFF …) says about
//          them. The counts may stand in the line of the header, with or without a blank before them.
// Fails:   as mesh_file.hpp says; unsupported for the binary form and for other than three dimensions.
#pragma once

#include <sudar/io/mesh_file.hpp>

namespace sudar {

SUDAR_API Result<MeshFile> parse_off(std::span<const std::byte> bytes) noexcept;

}  // namespace sudar
