// What:    The results of a benchmark run as text, CSV, JSON, Markdown and one self-contained HTML page.
#pragma once

#include "bench/facts.hpp"
#include "bench/harness.hpp"

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace sudar_bench {

struct Report {
  std::string suite;
  Options options;
  Facts build, machine;
  std::vector<PartResult> parts;
  double seconds = 0;

  // Nothing was skipped, crashed or timed out
  bool complete() const;
};

// What was seen, as a cell of a table
std::string seen_text(const Bar& bar);
// "≥ 2"
std::string required_text(const Bar& bar);
// "pass", "missed by 5.3 %" or "not measured"
std::string verdict_text(const Bar& bar);

// Races as tables with the columns of the contract, and the tables that the parts made, in the order of the parts
std::vector<Table> tables_of(const Report& report);
// What ran, for whoever wants to repeat it
std::string command_of(const Report& report);
// Peers by name and version, as far as they raced
std::vector<std::pair<std::string, std::string>> peers_of(const Report& report);
std::string_view to_string(Verdict verdict);
// What went wrong, one line each: parts that did not get to their end, contestants that failed, bars that were not
// measured, inputs that were not there
std::vector<std::string> troubles_of(const Report& report);

void print_results(const Report& report, std::ostream& out);
// Makes the folder, and leaves nothing else behind
bool can_write(const std::string& dir);
// results.json, one CSV per table, report.html; false when a file cannot be written
bool write_results(const Report& report, const std::string& dir);

std::string to_markdown(const Report& report);
std::string to_html(const Report& report);

}  // namespace sudar_bench
