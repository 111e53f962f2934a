// What:    Wavefront OBJ: vertices, faces, objects and groups. A part is what an object and a group have in common.
// Source:  Alias|Wavefront, "Object Files (.obj)", Advanced Visualizer manual, appendix B1.
// Differs: A part is named after its object, after its group when there is no object, and "object/group" when there are
//          both and they differ; the group "default" is none. Lines, points, materials and smoothing are skipped. Curves
//          and surfaces that only a formula describes are refused, not lost.
// Fails:   as mesh_file.hpp says. A face may name vertices that come later.
#pragma once

#include <sudar/io/mesh_file.hpp>

namespace sudar {

SUDAR_API Result<MeshFile> parse_obj(std::span<const std::byte> bytes) noexcept;
// One object a part, numbers that read back as the same doubles; a name that cannot stand in a line is mended
SUDAR_API Result<void> write_obj(const std::string& path, std::span<const MeshPart> parts) noexcept;

}  // namespace sudar
