// What:    Prints the golden hashes of worlds as this build finds them, in the form of worlds.txt; exit code 1 when one
//          differs from the file. For compilers and processors that the tests do not run on (tools/check_hashes.sh). With a
//          number as well: so many combinations of broad phase, threads and instruction set of each world, in turn.
#include "tests/golden/golden_worlds.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/instruction_sets.hpp>
#include <sudar/core/parallel.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <numeric>

int main(int count, char** arguments) {
  if (count != 2 && count != 3) {
    std::fprintf(stderr, "usage: world_hashes worlds.txt [COMBINATIONS]\n");
    return 2;
  }
  const auto worlds = sudar_test::read_golden_worlds(arguments[1]);
  if (worlds.empty()) {
    std::fprintf(stderr, "world_hashes: %s has no worlds\n", arguments[1]);
    return 2;
  }
  const std::size_t each = count == 3 ? std::strtoul(arguments[2], nullptr, 10) : 0;
  constexpr unsigned kThreads[] = {1, 2, 3, 8};
  const auto searches = sudar::broadphases();
  const auto sets = sudar::instruction_sets();
  const std::size_t all = 4 * searches.size() * sets.size();
  std::size_t stride = all * 2 / 5 + 1, next = 0;
  while (std::gcd(stride, all) != 1) ++stride;
  int different = 0;
  for (const auto& world : worlds) {
    const auto hash = sudar_test::world_hash(world, "adaptive", nullptr);
    if (!hash) {
      std::fprintf(stderr, "world_hashes: %s cannot be run\n", world.text.c_str());
      return 2;
    }
    std::printf("%016" PRIx64 " %d %s\n", *hash, world.steps, world.text.c_str());
    std::fflush(stdout);
    different += *hash != world.hash;
    for (std::size_t k = 0; k < std::min(each, all); ++k, next = (next + stride) % all) {
      const std::size_t search = next / 4 % searches.size(), set = next / 4 / searches.size();
      sudar::hold_to_instruction_set(set);
      const auto executor = sudar::make_executor(kThreads[next % 4]);
      const auto again = sudar_test::world_hash(world, searches[search].name, executor.get());
      sudar::hold_to_instruction_set(sets.size());
      if (again == hash) continue;
      std::fprintf(stderr, "world_hashes: %s: another hash with %s, %u threads, set %zu\n", world.text.c_str(),
                   std::string(searches[search].name).c_str(), kThreads[next % 4], set);
      ++different;
    }
  }
  if (each > 0) std::fprintf(stderr, "%zu of %zu combinations a world\n", std::min(each, all), all);
  return different == 0 ? 0 : 1;
}
