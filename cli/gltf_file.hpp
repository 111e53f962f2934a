// What:    glTF 2.0 and GLB files as parts: every node with a mesh is one, named as the node, moved as the nodes say.
// Source:  Khronos, "glTF 2.0 Specification".
// Differs: Read here, and not by a loader library: of the format, geometry is all that is needed, and a file that lies about
//          its sizes meets only checks that are tested against such files. JSON is nlohmann's. Buffers may be the chunk of a
//          GLB, base64 in the file, or files beside it, which must lie in its folder or below.
//          Numbers are floats in the file and double here; strips and fans become triangles; points and lines are skipped.
// Frame:   Metres, as the format says; y is up, as it is there.
// Fails:   io_failure, bad_format, index_out_of_range, non_finite, empty_input, too_large (more triangles or vertices
//          than gltf_limit, which bounds what a small file can ask for by using one mesh many times), unsupported (compressed meshes, version 1).
#pragma once

#include <sudar/io/mesh_file.hpp>

#include <string>
#include <vector>

namespace sudar_cli {

// Of triangles and of vertices that a file of so many bytes may have
constexpr std::size_t gltf_limit(std::size_t bytes) {
  constexpr std::size_t kFree = std::size_t{1} << 20, kMost = std::size_t{1} << 28;
  return bytes < (kMost - kFree) / 16 ? kFree + 16 * bytes : kMost;
}

sudar::Result<std::vector<sudar::MeshPart>> load_gltf(const std::string& path);

// Any mesh file: glTF by its ending or first bytes, everything else through sudar::load_mesh_file
sudar::Result<std::vector<sudar::MeshPart>> load_model(const std::string& path);

}  // namespace sudar_cli
