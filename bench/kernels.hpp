// What:    A dozen kernels of the library on fixed data, each a loop over the same calls: for Google Benchmark, and for the count of
//          instructions that the tests keep an eye on (kernel_counts.cpp).
#pragma once

#include "bench/suites.hpp"

#include <functional>
#include <string>
#include <vector>

namespace sudar_bench {

struct Kernel {
  std::string name;
  std::size_t calls;            // of what the name says, in one run
  std::function<double()> run;  // a number that depends on every call
};

std::vector<Kernel> make_kernels();

// Nanoseconds a call, one for each repetition
struct KernelTimes {
  std::vector<double> ns;
};
// By Google Benchmark, repetitions interleaved at random; nothing when it was not there at build time
std::vector<KernelTimes> time_by_google_benchmark(const std::vector<Kernel>& kernels, bool quick);
std::string google_benchmark_name();

}  // namespace sudar_bench
