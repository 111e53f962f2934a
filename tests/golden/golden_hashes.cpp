// What:    Prints golden values as this build finds them, in the form of their files; exit code 1 when one differs from its
//          file. For compilers and processors that the tests do not run on (tools/check_hashes.sh). With a number first:
//          so many combinations of broad phase, threads and instruction set for each value, in turn; with `once` as many
//          as it takes for each combination to come up, with `all` every combination for each value.
#include "tests/golden/golden_values.hpp"
#include <sudar/core/info.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace {

constexpr std::size_t kOnce = std::numeric_limits<std::size_t>::max(), kAll = kOnce - 1;

// How many combinations a value; nothing when the text is the name of a file
std::optional<std::size_t> combinations(const std::string& text) {
  if (text == "once") return kOnce;
  if (text == "all") return kAll;
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::strtoul(text.c_str(), nullptr, 10);
}

}  // namespace

int main(int count, char** arguments) {
  const auto wish = count > 1 ? combinations(arguments[1]) : std::nullopt;
  if (count < (wish ? 3 : 2)) {
    std::fprintf(stderr, "usage: golden_hashes [COMBINATIONS|once|all] FILE...\n");
    return 2;
  }
  std::vector<sudar_test::GoldenValue> values;
  for (int i = wish ? 2 : 1; i < count; ++i) {
    const auto more = sudar_test::read_golden(arguments[i]);
    if (more.empty()) {
      std::fprintf(stderr, "golden_hashes: %s has no golden values\n", arguments[i]);
      return 2;
    }
    values.insert(values.end(), more.begin(), more.end());
  }
  sudar_test::GoldenCells cells;
  const std::size_t each = std::min(wish == kOnce ? cells.once_round(values.size()) : wish.value_or(0), cells.size());
  int different = 0;
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
  std::fprintf(stderr, "%s, %s: %zu of %zu combinations a value, %d differ\n",
               std::string(sudar::build_info().precision).c_str(), cells.names_of_sets().c_str(), each, cells.size(),
               different);
  return different == 0 ? 0 : 1;
}
