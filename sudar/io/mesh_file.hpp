// What:    Mesh files: STL (ASCII and binary), OBJ, PLY (ASCII and both binaries), OFF. One door to read them, one to write.
// Differs: Coordinates in double, as the file has them. Faces with more than three corners become triangles
//          (polygon_soup.hpp). Nothing in a file is trusted: a count must be backed by bytes before memory is asked for, so
//          that memory is bounded by a small multiple of the file's size; nothing recurses.
//          Readers of their own and no loader library: the formats are small, and a hostile file meets only code that is
//          tested against such files, names the place and knows the errors of the house.
// Frame:   The file's own, in the file's units.
// Fails:   io_failure, unsupported (a format or a kind of data without a reader), bad_format, non_finite, index_out_of_range,
//          empty_input (no triangle), too_large, out_of_memory. The element is the line, counted from 1, when the reason
//          begins with "line: ", and the offset of the byte, counted from 0, when it begins with "byte: ".
#pragma once

#include <sudar/geom/mesh.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sudar {

enum class MeshFormat : std::uint8_t { stl, obj, ply, off };

struct MeshPart {
  std::string name;  // as the file has it; may be empty, and two parts may share one
  Mesh mesh;         // with a triangle at least
};

struct MeshFile {
  MeshFormat format = MeshFormat::stl;
  std::vector<MeshPart> parts;  // in the order in which they first appear; one at least
};

// Bytes of a name that are kept
inline constexpr std::size_t kMaxPartName = 256;

// By what the file begins with, and by the ending of its name where that does not decide (OBJ)
SUDAR_API Result<MeshFile> load_mesh_file(const std::string& path) noexcept;
// The same from memory
SUDAR_API Result<MeshFile> parse_mesh_file(std::span<const std::byte> bytes, std::string_view name) noexcept;

// By the ending of the name: .ply (binary, double), .obj or .stl (binary, float). Parts have names in OBJ only; the others
// hold all parts as one mesh. The file is there whole or not at all.
// Errors: those of check_mesh for a part; unsupported for another ending; io_failure
SUDAR_API Result<void> save_mesh_file(const std::string& path, std::span<const MeshPart> parts) noexcept;

// All parts as one mesh, their triangles in order. Nothing is welded.
SUDAR_API Result<Mesh> join_parts(std::span<const MeshPart> parts) noexcept;
// Vertices at equal places become one, the first of them; triangles keep their numbers, those that lose a corner, too
SUDAR_API Result<Mesh> merge_equal_vertices(const Mesh& mesh) noexcept;

// "gear.obj: line 12: the face names a vertex that is not there"
SUDAR_API std::string mesh_file_message(std::string_view path, const Error& error);

}  // namespace sudar
