#include <sudar/io/aabbs_file.hpp>
#include <sudar/io/boxes_file.hpp>
#include <sudar/io/file_bytes.hpp>
#include <sudar/io/npy.hpp>
#include <sudar/io/text_scan.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar {

namespace {

// Every box of every frame
template <class T>
Result<void> check_rows(const std::vector<T>& values, int dim) {
  const auto d = static_cast<std::size_t>(dim);
  for (std::size_t box = 0; box < values.size() / (2 * d); ++box) {
    const T* row = values.data() + box * 2 * d;
    for (std::size_t k = 0; k < 2 * d; ++k)
      if (!std::isfinite(row[k])) return Error{ErrorCode::non_finite, box, "the box has a NaN or an infinity"};
    for (std::size_t k = 0; k < d; ++k)
      if (row[k] > row[d + k]) return Error{ErrorCode::invalid_argument, box, "the box has lo > hi"};
  }
  return {};
}

// False when a field is no number
bool parse_row(std::string_view line, std::vector<double>& row) {
  row.clear();
  for (;;) {
    const std::size_t comma = line.find(',');
    double value = 0;
    if (!detail::parse_number(detail::trimmed(line.substr(0, comma)), value)) return false;
    row.push_back(value);
    if (comma == std::string_view::npos) return true;
    line.remove_prefix(comma + 1);
  }
}

bool has_digit_first(std::string_view line) {
  return !line.empty() && (std::string_view("0123456789+-.").find(line[0]) != std::string_view::npos);
}

Result<BoxesFile> boxes_of(NpyArray array) {
  const auto& shape = array.shape;
  if (std::holds_alternative<std::vector<std::uint32_t>>(array.values))
    return Error{ErrorCode::unsupported, Error::kNoElement, "boxes must be float32 or float64"};
  if (shape.size() != 2 && shape.size() != 3)
    return Error{ErrorCode::bad_format, Error::kNoElement, "the shape must be (N, 2 D) or (F, N, 2 D)"};
  if (shape.back() != 4 && shape.back() != 6)
    return Error{ErrorCode::bad_format, Error::kNoElement, "a box must have 4 numbers (2D) or 6 (3D)"};
  BoxesFile file;
  file.dim = static_cast<int>(shape.back() / 2);
  file.frames = shape.size() == 3 ? shape[0] : 1;
  file.boxes = shape[shape.size() - 2];
  if (file.frames == 0) return Error{ErrorCode::empty_input, Error::kNoElement, "there is no frame"};
  if (file.boxes >= std::numeric_limits<std::uint32_t>::max())
    return Error{ErrorCode::too_large, Error::kNoElement, "more boxes than ids"};
  // Empty frames take no bytes, so their number is backed by nothing
  if (file.boxes == 0 && file.frames > 1)
    return Error{ErrorCode::bad_format, Error::kNoElement, "frames without boxes"};
  if (auto* floats = std::get_if<std::vector<float>>(&array.values))
    file.values = std::move(*floats);
  else
    file.values = std::move(std::get<std::vector<double>>(array.values));
  return file;
}

}  // namespace

Result<void> check_boxes(const BoxesFile& file) {
  return std::visit([&](const auto& values) { return check_rows(values, file.dim); }, file.values);
}

Result<BoxesFile> parse_boxes_csv(std::string_view text) {
  return guarded([&]() -> Result<BoxesFile> {
    text = detail::without_byte_order_mark(text);
    std::vector<double> values, row;
    std::size_t columns = 0, rows = 0;
    bool may_be_header = true;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = detail::trimmed(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.empty() || line[0] == '#') continue;
      const bool numbers = parse_row(line, row);
      // The first line may name the columns
      if (!numbers && may_be_header && !has_digit_first(line)) {
        may_be_header = false;
        continue;
      }
      may_be_header = false;
      if (!numbers) return Error{ErrorCode::bad_format, rows, "the row has a field that is no number"};
      if (columns == 0) columns = row.size();
      if (row.size() != columns) return Error{ErrorCode::bad_format, rows, "the row has another number of fields"};
      if (columns != 4 && columns != 6)
        return Error{ErrorCode::bad_format, rows, "a box must have 4 numbers (2D) or 6 (3D)"};
      values.insert(values.end(), row.begin(), row.end());
      ++rows;
    }
    if (rows == 0) return Error{ErrorCode::empty_input, Error::kNoElement, "there is no box"};
    if (rows >= std::numeric_limits<std::uint32_t>::max())
      return Error{ErrorCode::too_large, Error::kNoElement, "more boxes than ids"};
    BoxesFile file;
    file.dim = static_cast<int>(columns / 2);
    file.frames = 1;
    file.boxes = rows;
    file.values = std::move(values);
    return file;
  });
}

Result<BoxesFile> read_boxes(const std::string& path) {
  return guarded([&]() -> Result<BoxesFile> {
    if (path.ends_with(".npy")) {
      auto array = read_npy(path);
      if (!array) return array.error();
      return boxes_of(*std::move(array));
    }
    const bool recording = path.ends_with(".aabbs");
    if (!recording && !path.ends_with(".csv"))
      return Error{ErrorCode::unsupported, Error::kNoElement, "the file's name must end in .npy, .csv or .aabbs"};
    const auto text = read_whole_file(path);
    if (!text) return text.error();
    if (recording) return parse_aabbs(std::as_bytes(std::span(*text)));
    return parse_boxes_csv(*text);
  });
}

}  // namespace sudar
