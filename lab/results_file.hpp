// What:    A results.json as `sudar bench` writes it: its tables, its bars, and the plot that a table asks for.
// Fails:   io_failure, bad_format. What the file says besides is left alone.
#pragma once

#include "lab/panel.hpp"
#include <sudar/core/result.hpp>

#include <string>
#include <vector>

namespace sudar::lab {

struct MeasuredBar {
  std::string what;
  double required = 0, seen = 0;
  bool passed = false;
};

struct BenchResults {
  std::string suite, build;
  std::vector<Table> tables;
  std::vector<MeasuredBar> bars;
};

Result<BenchResults> read_results(const std::string& path);

// One bar of a race: who, on what, how long
struct RaceBar {
  std::string workload, contestant;
  double ms = 0;
  bool peer = false;
};
// The bars of a table that is a race; none when it is not
std::vector<RaceBar> race_of(const Table& table);
// Curves of a table that is not: a number to the right, a time (or the last number) upwards, one curve for each name.
// Without series when it has no two columns of numbers.
Plot plot_of(const Table& table);

}  // namespace sudar::lab
