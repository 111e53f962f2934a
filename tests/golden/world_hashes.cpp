// What:    Prints the golden hashes of worlds as this build finds them, in the form of worlds.txt; exit code 1 when one
//          differs from the file. For compilers and processors that the tests do not run on (tools/check_hashes.sh).
#include "tests/golden/golden_worlds.hpp"

#include <cinttypes>
#include <cstdio>

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: world_hashes worlds.txt\n");
    return 2;
  }
  const auto worlds = sudar_test::read_golden_worlds(arguments[1]);
  if (worlds.empty()) {
    std::fprintf(stderr, "world_hashes: %s has no worlds\n", arguments[1]);
    return 2;
  }
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
  }
  return different == 0 ? 0 : 1;
}
