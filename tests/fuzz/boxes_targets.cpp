// Files of boxes and arrays: counts agree with what is there.
#include "tests/fuzz/target.hpp"
#include <sudar/io/aabbs_file.hpp>
#include <sudar/io/npy.hpp>

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

}  // namespace

void fuzz_aabbs(FuzzBytes bytes) { look_at(sudar::parse_aabbs(std::as_bytes(bytes)), bytes.size()); }

void fuzz_csv(FuzzBytes bytes) {
  look_at(sudar::parse_boxes_csv({reinterpret_cast<const char*>(bytes.data()), bytes.size()}), bytes.size());
}

void fuzz_npy(FuzzBytes bytes) {
  const auto array = sudar::parse_npy(std::as_bytes(bytes));
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
