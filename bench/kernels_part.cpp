// What:    The kernels of kernels.hpp as a part of the narrow-phase suite: nanoseconds a call.
#include "bench/kernels.hpp"
#include "bench/statistics.hpp"

namespace sudar_bench {

void bench_kernels(Session& session) {
  const std::vector<Kernel> kernels = make_kernels();
  std::vector<KernelTimes> times;
  session.progress("kernels: " + std::to_string(kernels.size()));
  times = time_by_google_benchmark(kernels, session.options().quick);
  const bool google = times.size() == kernels.size();
  if (!google) session.missing_peer("kernels", google_benchmark_name() + " (measured by the race track instead)");
  Table table{"kernels", {"kernel", "ns_a_call_min", "ns_a_call_median", "spread", "measured_by"}, {}};
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    Measurement m;
    if (google) {
      const Summary s = summarize(times[i].ns);
      m.rounds = s.count;
      m.min_ms = s.min * 1e-6, m.median_ms = s.median * 1e-6, m.spread = s.spread;
      m.table = "kernel_times", m.workload = kernels[i].name, m.contestant = "sudar";
      m.ratio_to_best = m.ratio_low = m.ratio_high = 1;
      session.add_measurement(m);
    } else {
      m = session.race("kernel_times", kernels[i].name, 30, 0, {{"sudar", "", kernels[i].run}}).front();
      m.min_ms /= static_cast<double>(kernels[i].calls), m.median_ms /= static_cast<double>(kernels[i].calls);
    }
    table.rows.push_back({kernels[i].name, number_text(m.min_ms * 1e6), number_text(m.median_ms * 1e6),
                          number_text(m.spread), google ? google_benchmark_name() : "race track"});
  }
  session.add_table(std::move(table));
  session.add_chart({"kernels",
                     "Kernels, nanoseconds a call",
                     "kernels",
                     "bars",
                     "kernel",
                     "ns_a_call_min",
                     "",
                     false,
                     true,
                     {},
                     {}});
}

}  // namespace sudar_bench
