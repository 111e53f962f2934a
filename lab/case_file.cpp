#include "lab/case_file.hpp"

#include <sudar/io/file_bytes.hpp>
#include <sudar/io/npy.hpp>

#include <array>
#include <charconv>
#include <string>
#include <vector>

namespace sudar::lab {

template <int D>
Result<void> save_case(const BoxStore<D>& store, const std::string& path) {
  return guarded([&]() -> Result<void> {
    std::vector<float> rows;
    for (std::uint32_t id = 0; id < store.id_limit(); ++id) {
      const std::uint32_t row = store.row_of(id);
      if (row == BoxStore<D>::kNoRow) continue;
      for (int k = 0; k < D; ++k) rows.push_back(store.lo(k)[row]);
      for (int k = 0; k < D; ++k) rows.push_back(store.hi(k)[row]);
    }
    if (!path.ends_with(".csv")) {
      const std::array<std::size_t, 2> shape = {rows.size() / (2 * D), 2 * D};
      return write_npy(path, rows, shape);
    }
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      char digits[32];
      text.append(digits, std::to_chars(digits, digits + sizeof digits, rows[i]).ptr);
      text += (i + 1) % (2 * D) == 0 ? '\n' : ',';
    }
    return write_whole_file(path, text);
  });
}

template <int D>
std::string case_command(const BoxStore<D>& store, const std::string& path, std::string_view algorithm) {
  std::string line = "sudar pairs '" + path + "' --algorithm " + std::string(algorithm) + " --repeat 20";
  if (store.fixed_count() > 0 || store.has_filters())
    line += "  # fixed boxes and filters are not in the file: it finds their pairs as well";
  return line;
}

template Result<void> save_case(const BoxStore<2>&, const std::string&);
template Result<void> save_case(const BoxStore<3>&, const std::string&);
template std::string case_command(const BoxStore<2>&, const std::string&, std::string_view);
template std::string case_command(const BoxStore<3>&, const std::string&, std::string_view);

}  // namespace sudar::lab
