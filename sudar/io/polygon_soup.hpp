// What:    Vertices and faces with any number of corners, as files list them, and the meshes of their parts.
// Differs: A face whose projection along its normal (the vector area) is convex becomes a fan, as every reader does it; one
//          that is simple is cut along diagonals inside it, decided exactly (shapes/polygon_parts.hpp); any other is a fan
//          as well, since no triangulation is right. A part has the vertices it uses, in their order; the only part of a
//          file has all.
// Fails:   index_out_of_range with the place of the face; empty_input; too_large past 32-bit indices, or for faces that are
//          not convex and have so many corners that cutting them takes more than kCutWork steps, beyond what pays for
//          faces of ordinary size.
#pragma once

#include <sudar/io/mesh_file.hpp>

#include <span>
#include <string>
#include <vector>

namespace sudar::detail {

class PolygonSoup {
 public:
  std::vector<Vec3d> vertices;

  // Faces from here on belong to this part, which the caller numbers
  void begin_part(std::uint32_t part);
  // Adds a corner to the face that is being listed; `place` is its line or byte
  void add_corner(std::uint32_t vertex, std::size_t place);
  void end_face();

  std::size_t corner_count() const { return corners_.size(); }

  // One mesh for every part that has a face, under the names given by number. `past_the_end` is the reason when a corner
  // is not there. Leaves nothing behind.
  Result<MeshFile> finish(MeshFormat format, std::span<const std::string> names, const char* past_the_end);

 private:
  struct Run {
    std::size_t first_face;
    std::uint32_t part;
  };

  Result<void> cut_faces(std::vector<MeshTriangle>& triangles, std::vector<Run>& triangle_runs) const;

  std::vector<std::uint32_t> corners_, sizes_;  // of all faces, one after the other
  std::vector<Run> runs_;
  std::size_t open_ = 0;  // where the face that is being listed begins
  std::uint32_t largest_ = 0;
  std::size_t place_of_largest_ = 0;
  bool too_many_ = false;  // corners of one face
};

// Appends n - 2 triangles that cover the polygon; `steps` is what it may still cost and did cost less. False when that is
// not enough.
bool cut_polygon(std::span<const Vec3d> vertices, std::span<const std::uint32_t> corners,
                 std::vector<MeshTriangle>& out, std::uint64_t& steps);

}  // namespace sudar::detail
