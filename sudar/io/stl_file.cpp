#include <sudar/io/file_bytes.hpp>
#include <sudar/io/little_endian.hpp>
#include <sudar/io/stl_file.hpp>
#include <sudar/io/text_scan.hpp>
#include <sudar/io/vertex_merger.hpp>

#include <cmath>
#include <limits>

namespace sudar {

namespace {

using detail::append_bytes;
using detail::read_bytes;

constexpr std::size_t kStlCount = 80;     // where the number of triangles is
constexpr std::size_t kStlStart = 84;     // where they begin
constexpr std::size_t kStlTriangle = 50;  // bytes of one: normal, three corners, two spare bytes

constexpr Error stl_error(const char* reason, std::size_t place, ErrorCode code = ErrorCode::bad_format) {
  return {code, place, reason};
}

Result<MeshFile> parse_binary_stl(std::string_view bytes) {
  if (bytes.size() < kStlStart) return stl_error("byte: the file ends before its first triangle", bytes.size());
  const std::uint64_t count = read_bytes<std::uint32_t>(bytes, kStlCount);
  const std::uint64_t there = (bytes.size() - kStlStart) / kStlTriangle;
  if (there < count) return stl_error("byte: the file ends before the last of the triangles it counts", bytes.size());
  if (bytes.size() != kStlStart + count * kStlTriangle)
    return stl_error("byte: the file goes on after the last of the triangles it counts",
                     static_cast<std::size_t>(kStlStart + count * kStlTriangle));
  if (count == 0) return stl_error("there is no triangle in the file", Error::kNoElement, ErrorCode::empty_input);
  if (count > kMaxMeshTriangles)
    return stl_error("more triangles than 32-bit half-edges reach", Error::kNoElement, ErrorCode::too_large);
  MeshFile file;
  file.format = MeshFormat::stl;
  Mesh& mesh = file.parts.emplace_back().mesh;
  mesh.triangles.reserve(static_cast<std::size_t>(count));
  VertexMerger merger;
  for (std::size_t t = 0; t < count; ++t) {
    MeshTriangle triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = kStlStart + t * kStlTriangle + 12 * (k + 1);
      const Vec3d p{read_bytes<float>(bytes, at), read_bytes<float>(bytes, at + 4), read_bytes<float>(bytes, at + 8)};
      if (!is_finite(p)) return stl_error("byte: a corner is NaN or infinite", at, ErrorCode::non_finite);
      triangle[k] = merger.number_of(p);
    }
    mesh.triangles.push_back(triangle);
  }
  mesh.vertices = merger.take();
  return file;
}

// solid NAME, facets, endsolid NAME; and again
class StlTextParser {
 public:
  explicit StlTextParser(std::string_view text) : words_(text) {}

  Result<MeshFile> parse() {
    MeshFile file;
    file.format = MeshFormat::stl;
    for (std::string_view word = words_.next(); !word.empty(); word = words_.next()) {
      if (!detail::equals_any_case(word, "solid")) return fail("line: here 'solid' should stand");
      MeshPart part;
      part.name = words_.rest_of_line().substr(0, kMaxPartName);
      if (const auto read = solid(part.mesh); !read) return read.error();
      if (!part.mesh.triangles.empty()) file.parts.push_back(std::move(part));
    }
    if (file.parts.empty())
      return stl_error("there is no triangle in the file", Error::kNoElement, ErrorCode::empty_input);
    return file;
  }

 private:
  Error fail(const char* reason, ErrorCode code = ErrorCode::bad_format) const {
    return stl_error(reason, words_.line(), code);
  }
  bool take(std::string_view wanted) { return detail::equals_any_case(words_.next(), wanted); }

  // Up to and with the line of its end
  Result<void> solid(Mesh& mesh) {
    VertexMerger merger;
    for (;;) {
      const std::string_view word = words_.next();
      if (word.empty()) return fail("line: the file ends inside a solid");
      if (detail::equals_any_case(word, "endsolid")) break;
      if (!detail::equals_any_case(word, "facet")) return fail("line: here 'facet' or 'endsolid' should stand");
      if (mesh.triangles.size() >= kMaxMeshTriangles)
        return fail("line: more triangles than 32-bit half-edges reach", ErrorCode::too_large);
      if (const auto read = facet(merger, mesh); !read) return read.error();
    }
    words_.rest_of_line();
    mesh.vertices = merger.take();
    return {};
  }

  Result<void> facet(VertexMerger& merger, Mesh& mesh) {
    if (!take("normal")) return fail("line: a facet must begin with its normal");
    for (int k = 0; k < 3; ++k)
      if (double number = 0; !detail::parse_number(words_.next(), number))
        return fail("line: the normal has no three numbers");
    if (!take("outer") || !take("loop")) return fail("line: a facet must have an outer loop");
    MeshTriangle triangle{};
    for (std::uint32_t& corner : triangle) {
      if (!take("vertex")) return fail("line: a loop must have three vertices");
      Vec3d p{};
      for (int k = 0; k < 3; ++k)
        if (!detail::parse_number(words_.next(), p[k])) return fail("line: the vertex has no three numbers");
      if (!is_finite(p)) return fail("line: the vertex is NaN or infinite", ErrorCode::non_finite);
      corner = merger.number_of(p);
    }
    if (!take("endloop")) return fail("line: a loop must end after three vertices");
    if (!take("endfacet")) return fail("line: a facet must end after its loop");
    mesh.triangles.push_back(triangle);
    return {};
  }

  detail::WordReader words_;
};

}  // namespace

bool is_binary_stl(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < kStlStart) return false;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return bytes.size() == kStlStart + std::uint64_t{read_bytes<std::uint32_t>(text, kStlCount)} * kStlTriangle;
}

Result<MeshFile> parse_stl(std::span<const std::byte> bytes) noexcept {
  return guarded([&]() -> Result<MeshFile> {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (is_binary_stl(bytes)) return parse_binary_stl(text);
    if (detail::equals_any_case(detail::WordReader(text).next(), "solid")) {
      // A binary file that was cut or grew has zeros, or other bytes that no text has, soon after its start
      if (text.substr(0, 2 * kStlStart).find('\0') == std::string_view::npos) return StlTextParser(text).parse();
    }
    return parse_binary_stl(text);
  });
}

Result<void> write_stl(const std::string& path, const Mesh& mesh) noexcept {
  return guarded([&]() -> Result<void> {
    if (const auto good = check_mesh(mesh); !good) return good.error();
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
      if (max_abs(mesh.vertices[i]) > double{std::numeric_limits<float>::max()})
        return stl_error("the vertex is beyond the range of float", i, ErrorCode::too_large);
    std::string out = "binary STL";  // must not begin with "solid"
    out.resize(kStlCount, ' ');
    out.reserve(kStlStart + kStlTriangle * mesh.triangles.size());
    append_bytes(out, static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const MeshTriangle& t : mesh.triangles) {
      Vec3d p[3];
      for (int k = 0; k < 3; ++k)
        for (int axis = 0; axis < 3; ++axis)
          p[k][axis] = static_cast<float>(mesh.vertices[t[static_cast<std::size_t>(k)]][axis]);
      // Products of differences of floats stay far inside double
      Vec3d normal = cross(p[1] - p[0], p[2] - p[0]);
      const double size = max_abs(normal);
      if (size > 0) normal = normalized(normal * (1 / size));
      for (int axis = 0; axis < 3; ++axis) append_bytes(out, static_cast<float>(normal[axis]));
      for (const Vec3d& corner : p)
        for (int axis = 0; axis < 3; ++axis) append_bytes(out, static_cast<float>(corner[axis]));
      append_bytes(out, std::uint16_t{0});
    }
    return write_whole_file(path, out);
  });
}

}  // namespace sudar
