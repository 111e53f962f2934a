// Smallest program that uses the library: says which build it got.
#include <sudar/core/info.hpp>
#include <sudar/core/parallel.hpp>

#include <atomic>
#include <cstdio>

int main() {
  std::atomic<std::size_t> visited{0};
  sudar::parallel_for(sudar::default_executor(), 100000, 1000,
                      [&](std::size_t begin, std::size_t end) { visited += end - begin; });
  const sudar::BuildInfo info = sudar::build_info();
  std::printf("sudar %.*s %.*s\n", int(info.version.size()), info.version.data(), int(info.precision.size()),
              info.precision.data());
  return visited == 100000 ? 0 : 1;
}
