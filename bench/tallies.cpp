#include "bench/tallies.hpp"

#include "bench/suites.hpp"

#include <algorithm>

namespace sudar_bench {

namespace {

void count(const PartResult& part, BarTally& tally) {
  for (const Bar& bar : part.results.bars)
    ++tally.all, tally.met += bar.passed ? 1 : 0, tally.unmeasured += bar.measured ? 0 : 1;
}

}  // namespace

BarTally bars_of_all(std::span<const PartResult> parts) {
  BarTally tally;
  for (const PartResult& part : parts) count(part, tally);
  return tally;
}

std::string to_string(const BarTally& tally) {
  return std::to_string(tally.met) + " of " + std::to_string(tally.all) + " bars met" +
         (tally.unmeasured > 0 ? ", " + std::to_string(tally.unmeasured) + " not measured" : std::string());
}

std::vector<CapabilityTally> bars_by_capability(std::span<const PartResult> parts) {
  std::vector<CapabilityTally> all;
  for (const PartResult& part : parts) {
    if (part.results.bars.empty() && part.trouble.empty()) continue;
    const std::string_view name = capability_of(part.suite, part.part);
    auto at = std::find_if(all.begin(), all.end(), [&](const CapabilityTally& c) { return c.capability == name; });
    if (at == all.end()) at = all.insert(at, CapabilityTally{name, {}, 0});
    count(part, at->bars);
    at->failed_parts += part.trouble.empty() ? 0 : 1;
  }
  return all;
}

Table capability_table(std::span<const PartResult> parts) {
  Table table{"bars by capability", {"capability", "bars", "met", "missed", "not measured", "parts that failed"}, {}};
  for (const CapabilityTally& c : bars_by_capability(parts))
    table.rows.push_back({std::string(c.capability), std::to_string(c.bars.all), std::to_string(c.bars.met),
                          std::to_string(c.bars.missed()), std::to_string(c.bars.unmeasured),
                          std::to_string(c.failed_parts)});
  return table;
}

RoundTally rounds_of_all(std::span<const PartResult> parts) {
  RoundTally tally;
  for (const PartResult& part : parts)
    for (const Measurement& m : part.results.measurements) {
      tally.timed += static_cast<std::size_t>(m.rounds);
      tally.repeated += static_cast<std::size_t>(m.repeated);
      tally.disturbed += static_cast<std::size_t>(m.disturbed);
    }
  return tally;
}

std::string to_string(const RoundTally& tally) {
  if (tally.timed == 0) return {};
  return "Of " + std::to_string(tally.timed) + " rounds " + std::to_string(tally.repeated) +
         " were taken again, because the processor had been given to another process; in " +
         std::to_string(tally.disturbed) + " that were kept it was as well.";
}

}  // namespace sudar_bench
