#include <sudar/io/file_bytes.hpp>
#include <sudar/io/little_endian.hpp>
#include <sudar/io/ply_file.hpp>
#include <sudar/io/ply_header.hpp>
#include <sudar/io/polygon_soup.hpp>
#include <sudar/io/text_scan.hpp>

#include <limits>

namespace sudar {

namespace {

using detail::PlyElement;
using detail::PlyHeader;
using detail::PlyProperty;
using detail::PlyType;

// Reasons by the kind of place they name
struct PlyReasons {
  const char *ends_early, *not_finite, *few_corners, *bad_index, *bad_length, *goes_on;
};

// Rows of a text file: a line each
class PlyTextRows {
 public:
  static constexpr PlyReasons kReasons{"line: the file or the row ends early, or a value is no number of its type",
                                       "line: the vertex is NaN or infinite",
                                       "line: a face needs three corners",
                                       "line: the face names a vertex that is not there",
                                       "line: the length of a list is negative",
                                       "line: there is more than the header says"};

  PlyTextRows(std::string_view text, const PlyHeader& header)
      : lines_(text.substr(header.body)), header_lines_(header.lines) {}

  bool begin_row() {
    do
      if (!lines_.next(line_)) return false;
    while (detail::trimmed(line_).empty());
    return true;
  }
  bool end_row() { return detail::trimmed(line_).empty(); }
  bool number(PlyType, double& value) { return detail::parse_number(detail::take_word(line_), value); }
  bool integer(PlyType, std::int64_t& value) { return detail::parse_integer(detail::take_word(line_), value); }
  bool skip(PlyType, std::uint64_t count) {
    double value = 0;
    for (; count > 0; --count)
      if (!detail::parse_number(detail::take_word(line_), value)) return false;
    return true;
  }
  bool at_end() {
    while (lines_.next(line_))
      if (!detail::trimmed(line_).empty()) return false;
    return true;
  }
  std::size_t place() const { return header_lines_ + lines_.number(); }
  // Every value takes two bytes, but for the last
  bool may_hold(std::uint64_t rows, std::uint64_t, std::uint64_t values) const {
    return rows <= (std::uint64_t{lines_.left()} + 1) / (2 * values);
  }

 private:
  detail::LineReader lines_;
  std::size_t header_lines_;
  std::string_view line_;
};

class PlyBinaryRows {
 public:
  static constexpr PlyReasons kReasons{"byte: the file ends early",
                                       "byte: the vertex is NaN or infinite",
                                       "byte: a face needs three corners",
                                       "byte: the face names a vertex that is not there",
                                       "byte: the length of a list is negative",
                                       "byte: there is more than the header says"};

  PlyBinaryRows(std::string_view text, const PlyHeader& header)
      : text_(text), at_(header.body), big_endian_(header.encoding == detail::PlyEncoding::big_endian) {}

  bool begin_row() { return true; }
  bool end_row() { return true; }
  bool number(PlyType type, double& value) {
    switch (type) {
      case PlyType::float32: {
        float single = 0;
        if (!take(single)) return false;
        value = single;
        return true;
      }
      case PlyType::float64:
        return take(value);
      default: {
        std::int64_t whole = 0;
        if (!integer(type, whole)) return false;
        value = static_cast<double>(whole);
        return true;
      }
    }
  }
  bool integer(PlyType type, std::int64_t& value) {
    switch (type) {
      case PlyType::int8:
        return take_integer<std::int8_t>(value);
      case PlyType::uint8:
        return take_integer<std::uint8_t>(value);
      case PlyType::int16:
        return take_integer<std::int16_t>(value);
      case PlyType::uint16:
        return take_integer<std::uint16_t>(value);
      case PlyType::int32:
        return take_integer<std::int32_t>(value);
      case PlyType::uint32:
        return take_integer<std::uint32_t>(value);
      default:
        return false;
    }
  }
  bool skip(PlyType type, std::uint64_t count) {
    if (count > (text_.size() - at_) / size_of(type)) return false;
    at_ += static_cast<std::size_t>(count) * size_of(type);
    return true;
  }
  bool at_end() const { return at_ == text_.size(); }
  std::size_t place() const { return at_; }
  bool may_hold(std::uint64_t rows, std::uint64_t bytes, std::uint64_t) const {
    return rows <= (text_.size() - at_) / bytes;
  }

 private:
  template <class T>
  bool take(T& value) {
    if (sizeof(T) > text_.size() - at_) return false;
    value = detail::read_bytes<T>(text_, at_, big_endian_);
    at_ += sizeof(T);
    return true;
  }
  template <class T>
  bool take_integer(std::int64_t& value) {
    T whole = 0;
    if (!take(whole)) return false;
    value = static_cast<std::int64_t>(whole);
    return true;
  }

  std::string_view text_;
  std::size_t at_;
  bool big_endian_;
};

bool is_index_list(const PlyProperty& p) {
  return p.is_list && (p.name == "vertex_indices" || p.name == "vertex_index") && is_integer(p.type);
}

template <class Rows>
class PlyBody {
 public:
  PlyBody(std::string_view text, const PlyHeader& header) : header_(header), rows_(text, header) {}

  Result<MeshFile> parse() {
    soup_.begin_part(0);
    for (const PlyElement& element : header_.elements) {
      // A count that the rest of the file cannot hold is refused before memory is asked for
      std::uint64_t bytes = 0;
      for (const PlyProperty& p : element.properties) bytes += size_of(p.is_list ? p.count_type : p.type);
      if (!rows_.may_hold(element.count, bytes, element.properties.size()))
        return Error{ErrorCode::bad_format, element.line, "line: the header counts more than the file holds"};
      const auto read = element.name == "vertex" ? vertices(element)
                        : element.name == "face" ? faces(element)
                                                 : others(element);
      if (!read) return read.error();
    }
    if (!rows_.at_end()) return fail(Rows::kReasons.goes_on);
    const std::string no_name[1];
    return soup_.finish(MeshFormat::ply, no_name, Rows::kReasons.bad_index);
  }

 private:
  Error fail(const char* reason, ErrorCode code = ErrorCode::bad_format) const { return {code, rows_.place(), reason}; }

  // What is not wanted of a row, a list as a whole
  Result<void> step_over(const PlyProperty& p) {
    std::int64_t count = 1;
    if (p.is_list && !rows_.integer(p.count_type, count)) return fail(Rows::kReasons.ends_early);
    if (count < 0) return fail(Rows::kReasons.bad_length);
    if (!rows_.skip(p.type, static_cast<std::uint64_t>(count))) return fail(Rows::kReasons.ends_early);
    return {};
  }

  Result<void> vertices(const PlyElement& element) {
    int axis_of_first[3] = {0, 0, 0};
    std::vector<int> axis_of;  // of each property, 3 for none
    for (const PlyProperty& p : element.properties) {
      const bool is_axis = !p.is_list && p.name.size() == 1 && p.name[0] >= 'x' && p.name[0] <= 'z';
      axis_of.push_back(is_axis ? p.name[0] - 'x' : 3);
      if (is_axis) ++axis_of_first[p.name[0] - 'x'];
    }
    for (const int times : axis_of_first)
      if (times != 1)
        return Error{ErrorCode::bad_format, element.line, "line: the vertices have no x, y and z, once each"};
    if (soup_.vertices.size() + element.count > kMaxMeshVertices)
      return Error{ErrorCode::too_large, element.line, "line: more vertices than 32-bit indices reach"};
    soup_.vertices.reserve(soup_.vertices.size() + static_cast<std::size_t>(element.count));
    for (std::uint64_t i = 0; i < element.count; ++i) {
      if (!rows_.begin_row()) return fail(Rows::kReasons.ends_early);
      Vec3d p{};
      for (std::size_t k = 0; k < element.properties.size(); ++k) {
        if (axis_of[k] < 3) {
          if (!rows_.number(element.properties[k].type, p[axis_of[k]])) return fail(Rows::kReasons.ends_early);
        } else if (const auto stepped = step_over(element.properties[k]); !stepped) {
          return stepped.error();
        }
      }
      if (!rows_.end_row()) return fail(Rows::kReasons.goes_on);
      if (!is_finite(p)) return fail(Rows::kReasons.not_finite, ErrorCode::non_finite);
      soup_.vertices.push_back(p);
    }
    return {};
  }

  Result<void> faces(const PlyElement& element) {
    std::size_t lists = 0;
    for (const PlyProperty& p : element.properties) lists += is_index_list(p) ? 1 : 0;
    if (lists != 1)
      return Error{ErrorCode::bad_format, element.line, "line: the faces have no one list of integers vertex_indices"};
    for (std::uint64_t i = 0; i < element.count; ++i) {
      if (!rows_.begin_row()) return fail(Rows::kReasons.ends_early);
      for (const PlyProperty& p : element.properties)
        if (const auto read = is_index_list(p) ? corners(p) : step_over(p); !read) return read.error();
      if (!rows_.end_row()) return fail(Rows::kReasons.goes_on);
    }
    return {};
  }

  Result<void> corners(const PlyProperty& p) {
    std::int64_t count = 0, index = 0;
    if (!rows_.integer(p.count_type, count)) return fail(Rows::kReasons.ends_early);
    if (count < 0) return fail(Rows::kReasons.bad_length);
    if (count < 3) return fail(Rows::kReasons.few_corners);
    for (; count > 0; --count) {
      const std::size_t place = rows_.place();
      if (!rows_.integer(p.type, index)) return fail(Rows::kReasons.ends_early);
      if (index < 0 || index >= std::int64_t{kNoIndex})
        return Error{ErrorCode::index_out_of_range, place, Rows::kReasons.bad_index};
      soup_.add_corner(static_cast<std::uint32_t>(index), place);
    }
    soup_.end_face();
    return {};
  }

  Result<void> others(const PlyElement& element) {
    for (std::uint64_t i = 0; i < element.count; ++i) {
      if (!rows_.begin_row()) return fail(Rows::kReasons.ends_early);
      for (const PlyProperty& p : element.properties)
        if (const auto stepped = step_over(p); !stepped) return stepped.error();
      if (!rows_.end_row()) return fail(Rows::kReasons.goes_on);
    }
    return {};
  }

  const PlyHeader& header_;
  Rows rows_;
  detail::PolygonSoup soup_;
};

}  // namespace

Result<MeshFile> parse_ply(std::span<const std::byte> bytes) noexcept {
  return guarded([&]() -> Result<MeshFile> {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const Result<PlyHeader> header = detail::parse_ply_header(text);
    if (!header) return header.error();
    if (header->encoding == detail::PlyEncoding::ascii) return PlyBody<PlyTextRows>(text, *header).parse();
    return PlyBody<PlyBinaryRows>(text, *header).parse();
  });
}

Result<void> write_ply(const std::string& path, const Mesh& mesh) noexcept {
  return guarded([&]() -> Result<void> {
    if (const auto good = check_mesh(mesh); !good) return good.error();
    std::string out = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(mesh.vertices.size()) +
                      "\nproperty double x\nproperty double y\nproperty double z\nelement face " +
                      std::to_string(mesh.triangles.size()) + "\nproperty list uchar uint vertex_indices\nend_header\n";
    out.reserve(out.size() + 24 * mesh.vertices.size() + 13 * mesh.triangles.size());
    for (const Vec3d& v : mesh.vertices)
      for (int axis = 0; axis < 3; ++axis) detail::append_bytes(out, v[axis]);
    for (const MeshTriangle& t : mesh.triangles) {
      out.push_back(3);
      for (const std::uint32_t c : t) detail::append_bytes(out, c);
    }
    return write_whole_file(path, out);
  });
}

}  // namespace sudar
