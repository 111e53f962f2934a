#include <sudar/io/file_bytes.hpp>
#include <sudar/io/mesh_file.hpp>
#include <sudar/io/obj_file.hpp>
#include <sudar/io/off_file.hpp>
#include <sudar/io/ply_file.hpp>
#include <sudar/io/stl_file.hpp>
#include <sudar/io/text_scan.hpp>
#include <sudar/io/vertex_merger.hpp>

#include <optional>

namespace sudar {

namespace {

std::string_view ending_of(std::string_view name) {
  const std::size_t slash = name.find_last_of("/\\"), dot = name.rfind('.');
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash)) return {};
  return name.substr(dot + 1);
}

std::optional<MeshFormat> format_of_ending(std::string_view name) {
  const std::string_view ending = ending_of(name);
  if (detail::equals_any_case(ending, "stl")) return MeshFormat::stl;
  if (detail::equals_any_case(ending, "obj")) return MeshFormat::obj;
  if (detail::equals_any_case(ending, "ply")) return MeshFormat::ply;
  if (detail::equals_any_case(ending, "off")) return MeshFormat::off;
  return std::nullopt;
}

// What the first word says; OBJ has no such word
std::optional<MeshFormat> format_of_start(std::string_view text) {
  detail::LineReader lines(text.substr(0, kMaxPartName));
  std::string_view line;
  while (lines.next(line) && (detail::trimmed(line).empty() || detail::trimmed(line).starts_with('#'))) continue;
  const std::string_view word = detail::take_word(line);
  if (word == "ply" && detail::trimmed(line).empty()) return MeshFormat::ply;
  if (word.ends_with("OFF") || word.starts_with("OFF")) return MeshFormat::off;
  if (detail::equals_any_case(word, "solid")) return MeshFormat::stl;
  return std::nullopt;
}

constexpr Error unknown_format{ErrorCode::unsupported, Error::kNoElement,
                               "it is none of STL, OBJ, PLY and OFF by its start and by its ending"};

}  // namespace

Result<MeshFile> parse_mesh_file(std::span<const std::byte> bytes, std::string_view name) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "the file is empty"};
  if (text.starts_with("glTF") || detail::equals_any_case(ending_of(name), "gltf"))
    return Error{ErrorCode::unsupported, Error::kNoElement,
                 "it is glTF, which the command line reads and this reader does not"};
  // A binary STL file may start with anything, but no other file has its size by chance; then what the file starts with
  // counts for more than its name
  if (is_binary_stl(bytes)) return parse_stl(bytes);
  const std::optional<MeshFormat> start = format_of_start(text), format = start ? start : format_of_ending(name);
  if (!format) return unknown_format;
  switch (*format) {
    case MeshFormat::stl:
      return parse_stl(bytes);
    case MeshFormat::obj:
      return parse_obj(bytes);
    case MeshFormat::ply:
      return parse_ply(bytes);
    case MeshFormat::off:
      return parse_off(bytes);
  }
  return unknown_format;
}

Result<MeshFile> load_mesh_file(const std::string& path) noexcept {
  const Result<std::string> bytes = read_whole_file(path);
  if (!bytes) return bytes.error();
  return parse_mesh_file(std::as_bytes(std::span(*bytes)), path);
}

Result<void> save_mesh_file(const std::string& path, std::span<const MeshPart> parts) noexcept {
  const std::optional<MeshFormat> format = format_of_ending(path);
  if (format == MeshFormat::obj) return write_obj(path, parts);
  if (format != MeshFormat::ply && format != MeshFormat::stl)
    return Error{ErrorCode::unsupported, Error::kNoElement, "the name of a mesh file must end in .ply, .obj or .stl"};
  const Result<Mesh> mesh = join_parts(parts);
  if (!mesh) return mesh.error();
  return *format == MeshFormat::ply ? write_ply(path, *mesh) : write_stl(path, *mesh);
}

Result<Mesh> join_parts(std::span<const MeshPart> parts) noexcept {
  return guarded([&]() -> Result<Mesh> {
    std::size_t vertices = 0, triangles = 0;
    for (const MeshPart& part : parts) {
      if (const auto good = check_mesh(part.mesh); !good) return good.error();
      vertices += part.mesh.vertices.size();
      triangles += part.mesh.triangles.size();
    }
    if (triangles == 0) return Error{ErrorCode::empty_input, Error::kNoElement, "a mesh needs a triangle"};
    if (vertices > kMaxMeshVertices || triangles > kMaxMeshTriangles)
      return Error{ErrorCode::too_large, Error::kNoElement, "together more than 32-bit indices reach"};
    Mesh all;
    all.vertices.reserve(vertices);
    all.triangles.reserve(triangles);
    for (const MeshPart& part : parts) {
      const auto shift = static_cast<std::uint32_t>(all.vertices.size());
      all.vertices.insert(all.vertices.end(), part.mesh.vertices.begin(), part.mesh.vertices.end());
      for (const MeshTriangle& t : part.mesh.triangles)
        all.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
    }
    return all;
  });
}

Result<Mesh> merge_equal_vertices(const Mesh& mesh) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (const auto good = check_mesh(mesh); !good) return good.error();
    VertexMerger merger;
    std::vector<std::uint32_t> number;
    number.reserve(mesh.vertices.size());
    for (const Vec3d& v : mesh.vertices) number.push_back(merger.number_of(v));
    Mesh merged{merger.take(), mesh.triangles};
    for (MeshTriangle& t : merged.triangles)
      for (std::uint32_t& c : t) c = number[c];
    return merged;
  });
}

std::string mesh_file_message(std::string_view path, const Error& error) {
  std::string text(path);
  text += ": ";
  const std::string_view reason = error.reason;
  constexpr std::string_view kPlace = "line: ";  // as long as "byte: "
  const bool placed = reason.starts_with(kPlace) || reason.starts_with("byte: ");
  if (placed) {
    text += reason.substr(0, kPlace.size() - 2);
    text += ' ' + std::to_string(error.element) + ": ";
  } else if (error.element != Error::kNoElement) {
    text += "element " + std::to_string(error.element) + ": ";
  }
  text += placed ? reason.substr(kPlace.size()) : reason.empty() ? to_string(error.code) : reason;
  return text;
}

}  // namespace sudar
