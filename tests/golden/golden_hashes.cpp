// What:    Prints golden values as this build finds them, in the form of their files; exit code 1 when one differs from its
//          file. For compilers and processors that the tests do not run on (tools/check_hashes.sh). With a number first:
//          so many combinations of broad phase, threads and instruction set for each value, in turn.
#include "tests/golden/golden_values.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

int main(int count, char** arguments) {
  char* end = nullptr;
  std::size_t each = count > 1 ? std::strtoul(arguments[1], &end, 10) : 0;
  const bool numbered = end != nullptr && end != arguments[1] && *end == 0;
  if (!numbered) each = 0;
  if (count < (numbered ? 3 : 2)) {
    std::fprintf(stderr, "usage: golden_hashes [COMBINATIONS] FILE...\n");
    return 2;
  }
  sudar_test::GoldenCells cells;
  each = std::min(each, cells.size());
  int different = 0;
  for (int i = numbered ? 2 : 1; i < count; ++i) {
    const auto values = sudar_test::read_golden(arguments[i]);
    if (values.empty()) {
      std::fprintf(stderr, "golden_hashes: %s has no golden values\n", arguments[i]);
      return 2;
    }
    for (const auto& value : values) {
      const auto hash = sudar_test::golden_hash(value, "adaptive", nullptr);
      if (!hash) {
        std::fprintf(stderr, "golden_hashes: %s cannot be run\n", value.text.c_str());
        return 2;
      }
      std::printf("%016" PRIx64 " %d %s\n", *hash, value.steps, value.text.c_str());
      std::fflush(stdout);
      different += *hash != value.hash;
      for (std::size_t k = 0; k < each; ++k, cells.next()) {
        if (cells.hash_here(value) == hash) continue;
        const auto cell = cells.cell();
        std::fprintf(stderr, "golden_hashes: %s: another hash with %s, %u threads, %s\n", value.text.c_str(),
                     std::string(cell.broadphase).c_str(), cell.threads, std::string(cells.name_of_set()).c_str());
        ++different;
      }
    }
  }
  if (each > 0) std::fprintf(stderr, "%zu of %zu combinations a value\n", each, cells.size());
  return different == 0 ? 0 : 1;
}
