// What:    STL: triangles by their corners, as text or binary; the parts of a text file are its solids.
// Source:  3D Systems, "SLA Format", 1988, as it is used: 80 bytes, a little-endian count, 50 bytes a triangle.
// Differs: A file is binary when its size is what its count says, whatever it begins with: many binary files begin with
//          "solid" as well. Corners at equal places become one vertex: the format cannot say that they are one. Normals and
//          the two spare bytes of a triangle are not looked at, as nobody keeps them right.
// Fails:   as mesh_file.hpp says.
#pragma once

#include <sudar/io/mesh_file.hpp>

namespace sudar {

// The size is that of a header and as many triangles as it counts
SUDAR_API bool is_binary_stl(std::span<const std::byte> bytes) noexcept;

SUDAR_API Result<MeshFile> parse_stl(std::span<const std::byte> bytes) noexcept;
// Binary: coordinates become float. Errors: those of check_mesh; too_large with the vertex beyond float; io_failure
SUDAR_API Result<void> write_stl(const std::string& path, const Mesh& mesh) noexcept;

}  // namespace sudar
