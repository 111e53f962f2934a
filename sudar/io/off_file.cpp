#include <sudar/io/off_file.hpp>
#include <sudar/io/polygon_soup.hpp>
#include <sudar/io/text_scan.hpp>

#include <algorithm>
#include <array>

namespace sudar {

namespace {

class OffParser {
 public:
  explicit OffParser(std::string_view text) : lines_(text) {}

  Result<MeshFile> parse() {
    if (const auto read = header(); !read) return read.error();
    for (std::int64_t i = 0; i < counts_[0]; ++i)
      if (const auto read = vertex(); !read) return read.error();
    soup_.begin_part(0);
    for (std::int64_t i = 0; i < counts_[1]; ++i)
      if (const auto read = face(); !read) return read.error();
    if (next_line()) return fail("line: there is more than the header says");
    const std::string no_name[1];
    return soup_.finish(MeshFormat::off, no_name, kPastTheEnd);
  }

 private:
  static constexpr const char* kPastTheEnd = "line: the face names a vertex that is not there";

  Error fail(const char* reason, ErrorCode code = ErrorCode::bad_format) const {
    return {code, lines_.number(), reason};
  }

  // The next line with something on it
  bool next_line() {
    while (lines_.next(line_)) {
      line_ = detail::trimmed(line_.substr(0, line_.find('#')));
      if (!line_.empty()) return true;
    }
    return false;
  }

  // [ST][C][N][4][n]OFF, then the numbers of vertices, faces and (not used) edges
  Result<void> header() {
    if (!next_line()) return Error{ErrorCode::empty_input, Error::kNoElement, "there is nothing in the file"};
    const std::size_t off = line_.find("OFF");
    const std::string_view kind = line_.substr(0, std::min(off, line_.size()));
    if (off == std::string_view::npos || kind.find_first_not_of("STCN4n") != std::string_view::npos)
      return fail("line: the file does not begin with 'OFF'");
    if (kind.find_first_of("4n") != std::string_view::npos)
      return fail("line: the vertices do not have three dimensions", ErrorCode::unsupported);
    line_.remove_prefix(off + 3);
    if (detail::trimmed(line_).starts_with("BINARY"))
      return fail("line: the binary form is not read", ErrorCode::unsupported);
    if (detail::trimmed(line_).empty() && !next_line()) return fail("line: the file ends before its counts");
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      const std::string_view word = detail::take_word(line_);
      if (word.empty() && k == 2) break;
      if (!detail::parse_integer(word, counts_[k]))
        return fail("line: the numbers of vertices and faces are not there");
      if (counts_[k] < 0) return fail("line: a count is negative");
    }
    if (!detail::trimmed(line_).empty()) return fail("line: the counts are more than three");
    // A vertex takes at least five bytes ("0 0 0") and a face seven, but for the ends of lines
    const auto left = static_cast<std::int64_t>(lines_.left());
    if (counts_[0] > left / 5 || counts_[1] > left / 7) return fail("line: the counts are more than the file holds");
    if (counts_[0] > std::int64_t{kNoIndex})
      return fail("line: more vertices than 32-bit indices reach", ErrorCode::too_large);
    soup_.vertices.reserve(static_cast<std::size_t>(counts_[0]));
    return {};
  }

  Result<void> vertex() {
    if (!next_line()) return fail("line: the file ends before its last vertex");
    Vec3d p{};
    for (int axis = 0; axis < 3; ++axis)
      if (!detail::parse_number(detail::take_word(line_), p[axis]))
        return fail("line: the vertex has no three numbers");
    if (!is_finite(p)) return fail("line: the vertex is NaN or infinite", ErrorCode::non_finite);
    if (const auto rest = numbers_only(); !rest) return rest.error();
    soup_.vertices.push_back(p);
    return {};
  }

  Result<void> face() {
    if (!next_line()) return fail("line: the file ends before its last face");
    std::int64_t count = 0, index = 0;
    if (!detail::parse_integer(detail::take_word(line_), count))
      return fail("line: the face does not count its corners");
    if (count < 3) return fail("line: a face needs three corners");
    for (; count > 0; --count) {
      if (!detail::parse_integer(detail::take_word(line_), index))
        return fail("line: the face has fewer corners than it counts, or one is no integer");
      if (index < 0 || index >= counts_[0]) return fail(kPastTheEnd, ErrorCode::index_out_of_range);
      soup_.add_corner(static_cast<std::uint32_t>(index), lines_.number());
    }
    soup_.end_face();
    return numbers_only();
  }

  // Colours and the like
  Result<void> numbers_only() {
    double number = 0;
    for (std::string_view word = detail::take_word(line_); !word.empty(); word = detail::take_word(line_))
      if (!detail::parse_number(word, number))
        return fail("line: what follows the coordinates or corners is no number");
    return {};
  }

  detail::LineReader lines_;
  std::string_view line_;
  std::array<std::int64_t, 3> counts_{};
  detail::PolygonSoup soup_;
};

}  // namespace

Result<MeshFile> parse_off(std::span<const std::byte> bytes) noexcept {
  return guarded([&]() -> Result<MeshFile> {
    return OffParser({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).parse();
  });
}

}  // namespace sudar
