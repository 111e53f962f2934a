#include <sudar/io/file_bytes.hpp>
#include <sudar/io/npy.hpp>

#include <bit>
#include <cstring>
#include <limits>
#include <string_view>

namespace sudar {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in the file");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = 1 << 16;  // far more than any array of numbers needs
constexpr std::size_t kMaxDims = 8;

Error format_error(const char* reason) { return {ErrorCode::bad_format, Error::kNoElement, reason}; }
Error unsupported(const char* reason) { return {ErrorCode::unsupported, Error::kNoElement, reason}; }

struct Header {
  char kind = 0;          // 'f' or 'u'
  std::size_t width = 0;  // bytes of a number
  std::vector<std::size_t> shape;
  std::size_t count = 0;  // of numbers
};

// Reads the header, which is a dictionary as Python writes it
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  Result<Header> parse() {
    if (!take('{')) return format_error("the header is not a dictionary");
    bool have_descr = false, have_order = false, have_shape = false;
    while (!take('}')) {
      std::string_view key;
      if (!take_string(key) || !take(':')) return format_error("the header is damaged");
      if (key == "descr" && !have_descr) {
        have_descr = true;
        if (const auto done = descr(); !done) return done.error();
      } else if (key == "fortran_order" && !have_order) {
        have_order = true;
        if (take_word("True")) return unsupported("the array is in Fortran order");
        if (!take_word("False")) return format_error("the header has no valid fortran_order");
      } else if (key == "shape" && !have_shape) {
        have_shape = true;
        if (const auto done = shape(); !done) return done.error();
      } else {
        return format_error("the header has an unknown or repeated key");
      }
      if (take(',')) continue;
      if (!take('}')) return format_error("the header is damaged");
      break;
    }
    if (!have_descr || !have_order || !have_shape)
      return format_error("the header lacks descr, fortran_order or shape");
    skip_blanks();
    if (!text_.empty()) return format_error("the header goes on after its dictionary");
    return header_;
  }

 private:
  void skip_blanks() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n' || text_[0] == '\t')) text_.remove_prefix(1);
  }
  bool take(char c) {
    skip_blanks();
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  bool take_string(std::string_view& out) {
    skip_blanks();
    if (text_.empty() || (text_[0] != '\'' && text_[0] != '"')) return false;
    const std::size_t end = text_.find(text_[0], 1);
    if (end == std::string_view::npos) return false;
    out = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return true;
  }

  Result<void> descr() {
    std::string_view descr;
    if (take('[')) return unsupported("the array has named fields");
    if (!take_string(descr)) return format_error("the header has no valid descr");
    if (descr.starts_with('>')) return unsupported("the numbers are big-endian");
    if (descr == "<f4" || descr == "=f4" || descr == "<f8" || descr == "=f8" || descr == "<u4" || descr == "=u4") {
      header_.kind = descr[1];
      header_.width = descr[2] == '8' ? 8 : 4;
      return {};
    }
    return unsupported("the numbers are neither float32, float64 nor uint32");
  }

  Result<void> shape() {
    if (!take('(')) return format_error("the header has no valid shape");
    header_.count = 1;
    while (!take(')')) {
      std::size_t value = 0, digits = 0;
      skip_blanks();
      for (; !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; text_.remove_prefix(1), ++digits) {
        const auto digit = static_cast<std::size_t>(text_[0] - '0');
        if (value > (std::numeric_limits<std::size_t>::max() - digit) / 10) return too_large();
        value = value * 10 + digit;
      }
      if (digits == 0) return format_error("the header has no valid shape");
      if (header_.shape.size() == kMaxDims) return unsupported("the array has too many dimensions");
      header_.shape.push_back(value);
      if (value != 0 && header_.count > std::numeric_limits<std::size_t>::max() / value / 8) return too_large();
      header_.count *= value;
      if (!take(',')) {
        if (!take(')')) return format_error("the header has no valid shape");
        break;
      }
    }
    return {};
  }
  static Error too_large() { return {ErrorCode::too_large, Error::kNoElement, "the shape is larger than any memory"}; }

  std::string_view text_;
  Header header_;
};

// Offset of the numbers and what they are; `bytes` are the first ones of the file or all of it
Result<Header> parse_header(std::span<const std::byte> bytes, std::size_t& data_offset) {
  const auto at = [&](std::size_t i) { return static_cast<std::size_t>(bytes[i]); };
  if (bytes.size() < 10 || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
    return format_error("not an .npy file");
  const std::size_t version = at(6);
  if (version < 1 || version > 3 || at(7) != 0) return unsupported("unknown version of the .npy format");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (bytes.size() < 8 + length_bytes) return format_error("the file ends inside its header");
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= at(8 + i) << (8 * i);
  if (length > kMaxHeader) return format_error("the header is too long");
  if (bytes.size() < 8 + length_bytes + length) return format_error("the file ends inside its header");
  data_offset = 8 + length_bytes + length;
  return HeaderParser({reinterpret_cast<const char*>(bytes.data()) + 8 + length_bytes, length}).parse();
}

Result<void> check_size(const Header& header, std::size_t data_bytes) {
  const std::size_t expected = header.count * header.width;
  if (data_bytes < expected) return format_error("the file is shorter than its shape says");
  if (data_bytes > expected) return format_error("the file is longer than its shape says");
  return {};
}

// Calls fill(pointer, bytes) on storage of the right kind
template <class F>
NpyArray make_array(const Header& header, F&& fill) {
  NpyArray array{header.shape, {}};
  if (header.kind == 'u')
    array.values = std::vector<std::uint32_t>(header.count);
  else if (header.width == 4)
    array.values = std::vector<float>(header.count);
  else
    array.values = std::vector<double>(header.count);
  std::visit([&](auto& values) { fill(reinterpret_cast<char*>(values.data()), header.count * header.width); },
             array.values);
  return array;
}

template <class T>
Result<void> write_array(const std::string& path, const char* descr, std::span<const T> values,
                         std::span<const std::size_t> shape) {
  return guarded([&]() -> Result<void> {
    if (shape.size() > kMaxDims) return unsupported("the array has too many dimensions");
    // Divided, so that no product overflows; an extent of 0 leaves nothing
    std::size_t rest = values.size();
    bool fits = true, empty = false;
    for (const std::size_t n : shape) {
      empty = empty || n == 0;
      fits = fits && n != 0 && rest % n == 0;
      if (fits) rest /= n;
    }
    if (!(empty ? values.empty() : fits && rest == 1))
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "the shape does not match the number of values"};
    std::string dict = std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (";
    for (const std::size_t n : shape) dict += std::to_string(n) + (shape.size() == 1 ? "," : ", ");
    if (shape.size() > 1) dict.resize(dict.size() - 2);
    dict += "), }";
    // The numbers begin at a multiple of 64 bytes, and the header ends with a new line
    while ((kMagic.size() + 4 + dict.size() + 1) % 64 != 0) dict += ' ';
    dict += '\n';
    std::string head(kMagic);
    head += {'\x01', '\x00', static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
    head += dict;
    const std::string_view parts[] = {head, {reinterpret_cast<const char*>(values.data()), values.size_bytes()}};
    return write_whole_file(path, parts);
  });
}

}  // namespace

Result<NpyArray> parse_npy(std::span<const std::byte> bytes) {
  return guarded([&]() -> Result<NpyArray> {
    std::size_t offset = 0;
    const auto header = parse_header(bytes, offset);
    if (!header) return header.error();
    if (const auto fits = check_size(*header, bytes.size() - offset); !fits) return fits.error();
    return make_array(*header, [&](char* to, std::size_t count) {
      if (count > 0) std::memcpy(to, bytes.data() + offset, count);
    });
  });
}

Result<NpyArray> read_npy(const std::string& path) {
  return guarded([&]() -> Result<NpyArray> {
    Result<OpenedFile> opened = open_file(path);
    if (!opened) return opened.error();
    const auto size = static_cast<std::size_t>(opened->size);
    std::vector<std::byte> start(std::min(size, kMaxHeader + 12));
    if (!opened->read(reinterpret_cast<char*>(start.data()), start.size()))
      return Error{ErrorCode::io_failure, Error::kNoElement, "cannot read the file"};
    std::size_t offset = 0;
    const auto header = parse_header(start, offset);
    if (!header) return header.error();
    if (const auto fits = check_size(*header, size - offset); !fits) return fits.error();
    bool read = opened->go_to(static_cast<std::uint32_t>(offset));
    NpyArray array = make_array(*header, [&](char* to, std::size_t count) { read = read && opened->read(to, count); });
    if (!read) return Error{ErrorCode::io_failure, Error::kNoElement, "cannot read the file"};
    if (!opened->at_end())
      return Error{ErrorCode::io_failure, Error::kNoElement, "the file grew while it was being read"};
    return array;
  });
}

Result<void> write_npy(const std::string& path, std::span<const std::uint32_t> values, std::size_t columns) {
  if (columns == 0) return Error{ErrorCode::invalid_argument, Error::kNoElement, "a row needs a column"};
  const std::size_t shape[] = {values.size() / columns, columns};
  return write_array(path, "<u4", values, shape);
}

Result<void> write_npy(const std::string& path, std::span<const float> values, std::span<const std::size_t> shape) {
  return write_array(path, "<f4", values, shape);
}

Result<void> write_npy(const std::string& path, std::span<const double> values, std::span<const std::size_t> shape) {
  return write_array(path, "<f8", values, shape);
}

}  // namespace sudar
