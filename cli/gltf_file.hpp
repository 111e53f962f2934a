// What:    glTF 2.0 and GLB files as parts: every node with a mesh is one, named as the node, moved as the nodes say.
// Source:  Khronos, "glTF 2.0 Specification".
// Differs: Read here, and not by a loader library: of the format, geometry is all that is needed, and a file that lies about
//          its sizes meets only checks that are tested against such files. JSON is nlohmann's. Buffers may be the chunk of a
//          GLB, base64 in the file, or files beside it, which must lie in its folder or below.
//          Numbers are floats in the file and double here; strips and fans become triangles; points and lines are skipped.
// Frame:   Metres, as the format says; y is up, as it is there.
// Fails:   io_failure, bad_format, index_out_of_range, non_finite, empty_input, too_large (more triangles or vertices
//          than gltf_limit, which bounds what a small file can ask for by using one mesh many times; JSON of more values than
//          kMostGltfValues or deeper than kMostGltfDepth), unsupported (compressed meshes, instances by extension, version 1).
#pragma once

#include <sudar/io/mesh_file.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sudar_cli {

// Of triangles and of vertices that a file of so many bytes may have; a caller may allow more
constexpr std::size_t gltf_limit(std::size_t bytes) { return (std::size_t{1} << 20) + bytes; }
inline constexpr std::size_t kMostGltfValues = 8'000'000, kMostGltfDepth = 64;

// Buffers that are files lie in `folder` or below
sudar::Result<std::vector<sudar::MeshPart>> parse_gltf(std::string_view bytes, const std::string& folder,
                                                       std::size_t most_triangles = 0);

// Any mesh file: glTF by its ending or first bytes, everything else through sudar::parse_mesh_file. `most_triangles`: in place
// of gltf_limit, where that is less.
sudar::Result<std::vector<sudar::MeshPart>> load_model(const std::string& path, std::size_t most_triangles = 0);

}  // namespace sudar_cli
