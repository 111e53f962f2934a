// What:    The kernels one after the other under callgrind, which writes what each took into a file of its own. Times play no part:
//          the same program on the same data takes the same instructions. tests/bench/instruction_counts.py reads them.
// Differs: Every kernel runs once before it is counted, so that memory is there.
#include "bench/facts.hpp"
#include "bench/kernels.hpp"

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define SUDAR_CALLGRIND 1
#endif
#endif

#include <iostream>

int main() {
#if defined(SUDAR_CALLGRIND)
  for (const auto& [name, value] : sudar_bench::build_facts())
    if (name == "compiler" || name == "flags") std::cout << name << '\t' << value << '\n';
  double sum = 0;
  for (const sudar_bench::Kernel& kernel : sudar_bench::make_kernels()) {
    sum += kernel.run();
    CALLGRIND_ZERO_STATS;
    sum += kernel.run();
    CALLGRIND_DUMP_STATS_AT(kernel.name.c_str());
    std::cout << "kernel\t" << kernel.calls << '\t' << kernel.name << '\n';
  }
  sudar_bench::keep(sum);
  return 0;
#else
  std::cout << "built without valgrind's headers\n";
  return 77;
#endif
}
