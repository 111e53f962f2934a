#include <sudar/geom/polygon.hpp>
#include <sudar/io/polygon_soup.hpp>
#include <sudar/shapes/polygon_parts.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sudar::detail {

namespace {

// Steps of cutting faces that are not convex, of which a face with n corners takes n²: a second or so, and as many more
// for every corner as faces of that size take
constexpr std::uint64_t kCutWork = std::uint64_t{1} << 27, kCutWorkPerCorner = 64;

void fan(std::span<const std::uint32_t> corners, std::vector<MeshTriangle>& out) {
  for (std::size_t i = 2; i < corners.size(); ++i) out.push_back({corners[0], corners[i - 1], corners[i]});
}

// Twice the vector area over the square of the size, from the first corner; zero when there is none
Vec3d face_normal(std::span<const Vec3d> vertices, std::span<const std::uint32_t> corners) {
  // Quartered, so that differences of the largest doubles stay finite
  const Vec3d origin = vertices[corners[0]] * 0.25;
  double size = 0;
  for (const std::uint32_t c : corners) size = std::max(size, max_abs(vertices[c] * 0.25 - origin));
  Vec3d sum{};
  if (size == 0) return sum;
  const auto at = [&](std::size_t i) {
    const Vec3d d = vertices[corners[i]] * 0.25 - origin;
    return Vec3d{d.x / size, d.y / size, d.z / size};
  };
  Vec3d before = at(1);
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const Vec3d p = at(i);
    sum = sum + cross(before, p);
    before = p;
  }
  return sum;
}

}  // namespace

bool cut_polygon(std::span<const Vec3d> vertices, std::span<const std::uint32_t> corners,
                 std::vector<MeshTriangle>& out, std::uint64_t& steps) {
  if (corners.size() == 3) {
    fan(corners, out);
    return true;
  }
  // Onto the plane of the two axes that see most of it, so that it runs counterclockwise there
  const Vec3d normal = face_normal(vertices, corners);
  const int axis = std::fabs(normal.x) >= std::fabs(normal.y) && std::fabs(normal.x) >= std::fabs(normal.z) ? 0
                   : std::fabs(normal.y) >= std::fabs(normal.z)                                             ? 1
                                                                                                            : 2;
  const int u = normal[axis] < 0 ? (axis + 2) % 3 : (axis + 1) % 3, v = 3 - axis - u;
  std::vector<Vec2d> flat;
  flat.reserve(corners.size());
  for (const std::uint32_t c : corners) flat.push_back({vertices[c][u], vertices[c][v]});
  if (normal[axis] == 0 || is_convex(flat)) {
    fan(corners, out);
    return true;
  }
  const std::uint64_t cost = std::uint64_t{corners.size()} * corners.size();
  if (cost > steps) return false;
  steps -= cost;
  const auto parts = triangulate(flat);
  if (!parts) {
    // Not simple, or seen edge on
    fan(corners, out);
    return true;
  }
  for (const IndexLoop& t : *parts) out.push_back({corners[t[0]], corners[t[1]], corners[t[2]]});
  return true;
}

void PolygonSoup::begin_part(std::uint32_t part) {
  if (!runs_.empty() && runs_.back().first_face == sizes_.size()) runs_.pop_back();
  if (runs_.empty() || runs_.back().part != part) runs_.push_back({sizes_.size(), part});
}

void PolygonSoup::add_corner(std::uint32_t vertex, std::size_t place) {
  if (vertex > largest_ || corners_.empty()) {
    largest_ = vertex;
    place_of_largest_ = place;
  }
  corners_.push_back(vertex);
}

void PolygonSoup::end_face() {
  too_many_ = too_many_ || corners_.size() - open_ > kMaxMeshTriangles;
  sizes_.push_back(static_cast<std::uint32_t>(corners_.size() - open_));
  open_ = corners_.size();
}

Result<void> PolygonSoup::cut_faces(std::vector<MeshTriangle>& triangles, std::vector<Run>& triangle_runs) const {
  triangles.reserve(corners_.size() - 2 * sizes_.size());
  std::uint64_t steps = kCutWork + kCutWorkPerCorner * corners_.size();
  std::size_t at = 0, run = 0;
  for (std::size_t face = 0; face < sizes_.size(); ++face) {
    if (run < runs_.size() && runs_[run].first_face == face)
      triangle_runs.push_back({triangles.size(), runs_[run++].part});
    if (!cut_polygon(vertices, std::span(corners_).subspan(at, sizes_[face]), triangles, steps))
      return Error{ErrorCode::too_large, Error::kNoElement, "faces that are not convex have too many corners"};
    at += sizes_[face];
  }
  return {};
}

Result<MeshFile> PolygonSoup::finish(MeshFormat format, std::span<const std::string> names, const char* past_the_end) {
  if (vertices.size() > kMaxMeshVertices)
    return Error{ErrorCode::too_large, Error::kNoElement, "more vertices than 32-bit indices reach"};
  if (sizes_.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "there is no triangle in the file"};
  if (largest_ >= vertices.size()) return Error{ErrorCode::index_out_of_range, place_of_largest_, past_the_end};
  // A face of n corners has n - 2 triangles
  if (too_many_ || corners_.size() - 2 * sizes_.size() > kMaxMeshTriangles)
    return Error{ErrorCode::too_large, Error::kNoElement, "more triangles than 32-bit half-edges reach"};

  std::vector<MeshTriangle> triangles;
  std::vector<Run> runs;
  if (const auto cut = cut_faces(triangles, runs); !cut) return cut.error();
  corners_ = {};
  sizes_ = {};
  runs_ = {};

  MeshFile file;
  file.format = format;
  const bool one = std::all_of(runs.begin(), runs.end(), [&](const Run& r) { return r.part == runs[0].part; });
  if (one) {
    file.parts.push_back({names[runs[0].part], {std::move(vertices), std::move(triangles)}});
    return file;
  }

  // The triangles of each part together, parts in the order in which they first have one
  std::vector<std::uint32_t> part_of_name(names.size(), kNoIndex);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    std::uint32_t& part = part_of_name[runs[r].part];
    if (part == kNoIndex) {
      part = static_cast<std::uint32_t>(file.parts.size());
      file.parts.push_back({names[runs[r].part], {}});
    }
    const std::size_t end = r + 1 < runs.size() ? runs[r + 1].first_face : triangles.size();
    std::vector<MeshTriangle>& to = file.parts[part].mesh.triangles;
    for (std::size_t t = runs[r].first_face; t < end; ++t) to.push_back(triangles[t]);
  }
  triangles = {};

  // And the vertices each part uses, in their order
  std::vector<std::uint32_t> used, local(vertices.size());
  for (MeshPart& part : file.parts) {
    used.clear();
    for (const MeshTriangle& t : part.mesh.triangles) used.insert(used.end(), t.begin(), t.end());
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    part.mesh.vertices.reserve(used.size());
    for (std::uint32_t i = 0; i < used.size(); ++i) {
      local[used[i]] = i;
      part.mesh.vertices.push_back(vertices[used[i]]);
    }
    for (MeshTriangle& t : part.mesh.triangles)
      for (std::uint32_t& c : t) c = local[c];
  }
  vertices = {};
  return file;
}

}  // namespace sudar::detail
