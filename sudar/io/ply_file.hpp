// What:    PLY: elements with properties that the header describes, as text or binary of either order of bytes.
// Source:  Turk, "The PLY Polygon File Format", 1994.
// Differs: Read are x, y, z of "vertex" and the list vertex_indices (or vertex_index) of "face"; all else is stepped over.
//          A row of a text file is a line. What follows the last element is refused.
// Fails:   as mesh_file.hpp says; in the body of a binary file by the byte, else by the line.
#pragma once

#include <sudar/io/mesh_file.hpp>

namespace sudar {

SUDAR_API Result<MeshFile> parse_ply(std::span<const std::byte> bytes) noexcept;
// Binary, little-endian, coordinates in double
SUDAR_API Result<void> write_ply(const std::string& path, const Mesh& mesh) noexcept;

}  // namespace sudar
