#include <sudar/io/ply_header.hpp>
#include <sudar/io/text_scan.hpp>

#include <utility>

namespace sudar::detail {

namespace {

bool ply_type_of(std::string_view word, PlyType& type) {
  constexpr std::pair<std::string_view, PlyType> kTypes[] = {
      {"char", PlyType::int8},       {"uchar", PlyType::uint8},    {"short", PlyType::int16},
      {"ushort", PlyType::uint16},   {"int", PlyType::int32},      {"uint", PlyType::uint32},
      {"float", PlyType::float32},   {"double", PlyType::float64}, {"int8", PlyType::int8},
      {"uint8", PlyType::uint8},     {"int16", PlyType::int16},    {"uint16", PlyType::uint16},
      {"int32", PlyType::int32},     {"uint32", PlyType::uint32},  {"float32", PlyType::float32},
      {"float64", PlyType::float64},
  };
  for (const auto& [name, known] : kTypes)
    if (word == name) {
      type = known;
      return true;
    }
  return false;
}

// Lines as the first one ends: after the last there may be any byte, a \n as well
class PlyLines {
 public:
  explicit PlyLines(std::string_view text) : text_(text) {
    const std::size_t end = text.find_first_of("\r\n");
    if (end != std::string_view::npos && text[end] == '\r')
      end_ = end + 1 < text.size() && text[end + 1] == '\n' ? "\r\n" : "\r";
  }
  bool next(std::string_view& line) {
    const std::size_t end = text_.find(end_, at_);
    if (end == std::string_view::npos) return false;
    line = text_.substr(at_, end - at_);
    at_ = end + end_.size();
    ++number_;
    return true;
  }
  std::size_t offset() const { return at_; }
  std::size_t number() const { return number_; }

 private:
  std::string_view text_, end_ = "\n";
  std::size_t at_ = 0, number_ = 0;
};

class PlyHeaderParser {
 public:
  explicit PlyHeaderParser(std::string_view text) : lines_(text) {}

  Result<PlyHeader> parse() {
    std::string_view line;
    if (!lines_.next(line) || trimmed(line) != "ply") return fail("line: the file does not begin with 'ply'");
    bool have_format = false;
    for (;;) {
      if (!lines_.next(line)) return fail("line: the file ends inside its header");
      const std::string_view word = take_word(line);
      if (word == "comment" || word == "obj_info" || word.empty()) continue;
      if (word == "end_header") break;
      Result<void> read;
      if (word == "format" && !have_format) {
        have_format = true;
        read = format(line);
      } else if (word == "element") {
        read = element(line);
      } else if (word == "property") {
        read = property(line);
      } else {
        read = fail("line: this is no line of a header");
      }
      if (!read) return read.error();
    }
    if (!have_format) return fail("line: the header does not say its format");
    for (const PlyElement& e : header_.elements)
      if (e.properties.empty()) return Error{ErrorCode::bad_format, e.line, "line: the element has no property"};
    header_.body = lines_.offset();
    header_.lines = lines_.number();
    return std::move(header_);
  }

 private:
  Error fail(const char* reason, ErrorCode code = ErrorCode::bad_format) const {
    return {code, lines_.number(), reason};
  }

  Result<void> format(std::string_view rest) {
    const std::string_view name = take_word(rest), version = take_word(rest);
    if (name == "ascii")
      header_.encoding = PlyEncoding::ascii;
    else if (name == "binary_little_endian")
      header_.encoding = PlyEncoding::little_endian;
    else if (name == "binary_big_endian")
      header_.encoding = PlyEncoding::big_endian;
    else
      return fail("line: the format is none of ascii, binary_little_endian and binary_big_endian");
    if (version != "1.0") return fail("line: the version is not 1.0", ErrorCode::unsupported);
    return {};
  }

  Result<void> element(std::string_view rest) {
    PlyElement e;
    e.name = take_word(rest);
    e.line = lines_.number();
    std::int64_t count = 0;
    if (e.name.empty() || !parse_integer(take_word(rest), count))
      return fail("line: an element needs a name and a number");
    if (count < 0) return fail("line: the number of elements is negative");
    e.count = static_cast<std::uint64_t>(count);
    header_.elements.push_back(std::move(e));
    return {};
  }

  Result<void> property(std::string_view rest) {
    if (header_.elements.empty()) return fail("line: a property stands before the first element");
    PlyProperty p;
    std::string_view type = take_word(rest);
    if (type == "list") {
      p.is_list = true;
      if (!ply_type_of(take_word(rest), p.count_type) || !is_integer(p.count_type))
        return fail("line: the type of the list's length is no type of integers");
      type = take_word(rest);
    }
    if (!ply_type_of(type, p.type)) return fail("line: the property has no known type");
    p.name = take_word(rest);
    if (p.name.empty()) return fail("line: the property has no name");
    header_.elements.back().properties.push_back(p);
    return {};
  }

  PlyLines lines_;
  PlyHeader header_;
};

}  // namespace

Result<PlyHeader> parse_ply_header(std::string_view text) { return PlyHeaderParser(text).parse(); }

}  // namespace sudar::detail
