// What:    The kernels under Google Benchmark, in the process of `sudar bench`. Without the library: no times.
#include "bench/kernels.hpp"

#if defined(SUDAR_GOOGLE_BENCHMARK)

#include <benchmark/benchmark.h>

#include <map>

namespace sudar_bench {

namespace {

class Collector final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration) seconds[run.run_name.function_name].push_back(run.GetAdjustedRealTime());
  }
  std::map<std::string, std::vector<double>> seconds;  // in the unit that was asked for: ns a run
};

}  // namespace

std::string google_benchmark_name() { return "Google Benchmark"; }

std::vector<KernelTimes> time_by_google_benchmark(const std::vector<Kernel>& kernels, bool quick) {
  benchmark::ClearRegisteredBenchmarks();
  for (const Kernel& kernel : kernels)
    benchmark::RegisterBenchmark(kernel.name.c_str(),
                                 [&kernel](benchmark::State& state) {
                                   for (auto _ : state) benchmark::DoNotOptimize(kernel.run());
                                 })
        ->Unit(benchmark::kNanosecond)
        ->MinTime(quick ? 0.01 : 0.05)
        ->Repetitions(quick ? 5 : 15);
  char name[] = "sudar", interleaved[] = "--benchmark_enable_random_interleaving=true";
  char* arguments[] = {name, interleaved, nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments);
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  std::vector<KernelTimes> times;
  for (const Kernel& kernel : kernels) {
    KernelTimes one;
    for (const double ns : collector.seconds[kernel.name]) one.ns.push_back(ns / static_cast<double>(kernel.calls));
    if (one.ns.empty()) return {};
    times.push_back(std::move(one));
  }
  return times;
}

}  // namespace sudar_bench

#else

namespace sudar_bench {

std::string google_benchmark_name() { return "Google Benchmark"; }
std::vector<KernelTimes> time_by_google_benchmark(const std::vector<Kernel>&, bool) { return {}; }

}  // namespace sudar_bench

#endif
