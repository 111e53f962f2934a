// What:    A race as nanoseconds a query, with the answers that are wrong: the side table of the races over many pairs.
#pragma once

#include "bench/results.hpp"

#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace sudar_bench {

inline Table ns_table(std::string name, std::string first_column) {
  return {std::move(name),
          {std::move(first_column), "contestant", "version", "ns", "ratio_to_best", "disagreements", "of", "why"},
          {}};
}

// One row a contestant; `count` queries took its time
inline void add_ns_rows(Table& table, std::span<const Measurement> race, std::size_t count) {
  for (const Measurement& m : race) {
    char ns[32], ratio[32];
    std::snprintf(ns, sizeof ns, "%.1f", m.min_ms * 1e6 / static_cast<double>(count));
    std::snprintf(ratio, sizeof ratio, "%.3g", m.ratio_to_best);
    table.rows.push_back({m.workload, m.contestant, m.version, ns, ratio, std::to_string(m.disagreements),
                          m.of > 0 ? std::to_string(m.of) : "", m.why});
  }
}

// How many answers are off by more than `allowed`; one that is no number is
inline std::size_t count_wrong(std::span<const double> answers, std::span<const double> truth, double allowed) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) wrong += std::fabs(answers[i] - truth[i]) <= allowed ? 0 : 1;
  return wrong;
}

}  // namespace sudar_bench
