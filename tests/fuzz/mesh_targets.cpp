// Mesh files: what is read is a mesh that every other function may rely on, whatever the bytes were.
#include "tests/fuzz/target.hpp"
#include <sudar/geom/mesh_check.hpp>
#include <sudar/io/obj_file.hpp>
#include <sudar/io/off_file.hpp>
#include <sudar/io/ply_file.hpp>
#include <sudar/io/stl_file.hpp>

namespace sudar_fuzz {

namespace {

// Triangles that a byte of a file can make, at most: a face of n corners in n bytes or more has n - 2
constexpr std::size_t kTrianglesPerByte = 1;

void look_at(const sudar::Result<sudar::MeshFile>& file, std::size_t bytes) {
  if (!file) {
    promise(file.error().reason != nullptr && *file.error().reason != '\0', "an error says why");
    return;
  }
  promise(!file->parts.empty(), "a file has a part");
  std::size_t triangles = 0;
  for (const sudar::MeshPart& part : file->parts) {
    promise(sudar::check_mesh(part.mesh).ok(), "what is read is a mesh");
    promise(part.name.size() <= 2 * sudar::kMaxPartName + 1, "names are bounded");
    triangles += part.mesh.triangles.size();
  }
  promise(triangles <= kTrianglesPerByte * bytes, "triangles are backed by bytes");
  const auto joined = sudar::join_parts(file->parts);
  promise(joined.ok() && joined->triangles.size() == triangles, "parts join");
  promise(sudar::merge_equal_vertices(*joined).ok(), "vertices merge");
  promise(sudar::check_surface(*joined).ok(), "every mesh has a report");
}

void look_by_name(FuzzBytes bytes, std::string_view name) {
  const auto all = std::as_bytes(bytes);
  look_at(sudar::parse_mesh_file(all, name), bytes.size());
}

}  // namespace

void fuzz_stl(FuzzBytes bytes) {
  look_at(sudar::parse_stl(std::as_bytes(bytes)), bytes.size());
  look_by_name(bytes, "a.stl");
}
void fuzz_obj(FuzzBytes bytes) { look_at(sudar::parse_obj(std::as_bytes(bytes)), bytes.size()); }
void fuzz_ply(FuzzBytes bytes) { look_at(sudar::parse_ply(std::as_bytes(bytes)), bytes.size()); }
void fuzz_off(FuzzBytes bytes) {
  look_at(sudar::parse_off(std::as_bytes(bytes)), bytes.size());
  look_by_name(bytes, "a.off");
}

}  // namespace sudar_fuzz
