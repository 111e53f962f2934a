// Files of boxes, arrays and moving points: counts agree with what is there.
#include "scenes/ccd_queries.hpp"
#include "tests/fuzz/one_file.hpp"
#include <sudar/io/aabbs_file.hpp>
#include <sudar/io/npy.hpp>

#include <algorithm>
#include <sstream>
#include <variant>

namespace sudar_fuzz {

namespace {

void look_at(const sudar::Result<sudar::BoxesFile>& file, std::size_t bytes) {
  if (!file) {
    promise(*file.error().reason != '\0', "an error says why");
    return;
  }
  promise(file->dim == 2 || file->dim == 3, "boxes have a dimension");
  const std::size_t width = 2 * static_cast<std::size_t>(file->dim);
  std::visit(
      [&](const auto& values) {
        promise(values.size() == file->frames * file->boxes * width, "as many numbers as boxes");
        promise(values.size() <= bytes, "numbers are backed by bytes");
      },
      file->values);
  (void)sudar::check_boxes(*file).ok();
}

void look_at_queries(const std::string& text) {
  for (const char* name : {"a-edge-edge", "a-vertex-face"}) {
    std::istringstream lines(text);
    const auto file = sudar_scenes::read_ccd_queries(lines, name);
    promise(file.queries.size() <= text.size(), "queries are backed by bytes");
    for (const auto& query : file.queries)
      for (const auto* points : {&query.start, &query.end})
        for (const auto& p : *points) promise(is_finite(p), "points are finite");
  }
}

bool same_bits(const sudar::NpyArray& a, const sudar::NpyArray& b) {
  return std::visit(
      [&](const auto& x) {
        const auto* y = std::get_if<std::remove_cvref_t<decltype(x)>>(&b.values);
        return y != nullptr && std::ranges::equal(std::as_bytes(std::span(x)), std::as_bytes(std::span(*y)));
      },
      a.values);
}

}  // namespace

void fuzz_aabbs(FuzzBytes bytes) { look_at(sudar::parse_aabbs(std::as_bytes(bytes)), bytes.size()); }

void fuzz_csv(FuzzBytes bytes) {
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  look_at(sudar::parse_boxes_csv(text), bytes.size());
  if (kStreamsAreSeen) look_at_queries(text);
}

void fuzz_npy(FuzzBytes bytes) {
  const auto array = sudar::parse_npy(std::as_bytes(bytes));
  if (kStreamsAreSeen) {
    static const OneFile kFile("boxes.npy");
    const std::string& path = kFile.holding(bytes);
    const auto read = sudar::read_npy(path);
    promise(read.ok() == array.ok(), "a file is read as its bytes are");
    // As bits: numbers that are none differ from themselves
    if (read) promise(read->shape == array->shape && same_bits(*read, *array), "a file has the numbers of its bytes");
    look_at(sudar::read_boxes(path), bytes.size());
  }
  if (!array) {
    promise(*array.error().reason != '\0', "an error says why");
    return;
  }
  std::size_t count = 1;
  for (const std::size_t n : array->shape) count *= n;
  std::visit(
      [&](const auto& values) {
        promise(values.size() == count, "as many numbers as the shape says");
        promise(values.size() * sizeof(values[0]) <= bytes.size(), "numbers are backed by bytes");
      },
      array->values);
}

}  // namespace sudar_fuzz
