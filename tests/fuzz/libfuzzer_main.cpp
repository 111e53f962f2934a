// What:    The door of libFuzzer, which brings main(): --target=NAME says which target its bytes go to.
#include "tests/fuzz/target.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {
const sudar_fuzz::Target* chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view kFlag = "--target=";
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = (*argv)[i];
    if (argument == "--list") {
      for (const sudar_fuzz::Target& target : sudar_fuzz::targets()) std::puts(target.name.data());
      std::exit(0);
    }
    if (argument.starts_with(kFlag)) chosen = sudar_fuzz::find_target(argument.substr(kFlag.size()));
  }
  if (chosen == nullptr) {
    std::fputs("fuzz: say --target=NAME; --list has the names\n", stderr);
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({data, size});
  return 0;
}
