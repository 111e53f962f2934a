// What:    The answer of `sudar check` in four forms: text for a person, JSON (schema sudar/check-1), CSV, and one HTML file
//          with a view of each clash.
// Frame:   Metres in all of them but the text, which picks a unit for each number.
#pragma once

#include "cli/check_input.hpp"
#include "cli/clash_search.hpp"
#include "cli/name_pattern.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace sudar_cli {

struct CheckReport {
  CheckInput input;
  ClashLimits limits;
  ClashSearch search;
  std::vector<IgnoreRule> rules;
  bool per_part = false, ignore_same_file = false, interrupted = false;
  std::vector<std::string> warnings;  // in every form of the answer
  std::string set_a, set_b, baseline, mode;
  unsigned threads = 1;
  // Clashes of the baseline that are gone, as that file has them; only where there is a baseline
  std::vector<Clash> resolved;
  std::vector<std::pair<std::string, std::string>> resolved_names;

  bool complete() const { return search.counts.complete && input.failures.empty() && !interrupted; }
  // Was any pair, or part by itself, looked at?
  bool looked() const { return search.counts.tested_pairs > 0 || limits.types.has(ClashType::self); }
  const std::string& name_of(std::uint32_t part) const { return input.parts[part].name; }
};

// Of both names in either order and the type: the same in every run
std::string clash_id(std::string_view a, std::string_view b, ClashType type);

std::string check_text(const CheckReport& report);
// How much was looked at and what was found, in two lines
std::string check_summary(const CheckReport& report);
// At most so many parts and clashes, in their order
nlohmann::ordered_json check_json(const CheckReport& report, std::size_t most_parts, std::size_t most_clashes);
// The same as text, one part and one clash a line, without all of it in memory as JSON
std::string check_json_text(const CheckReport& report);
// A cell of CSV: quoted where it must be, and no formula to a spreadsheet
std::string csv_cell(const std::string& text);
// "1.25 mm", "3 m"
std::string length_text(double metres);
std::string check_csv(const CheckReport& report);
std::string check_html(const CheckReport& report);
// With this JSON in place of check_json, whose clashes begin with those of the report
std::string check_html(const CheckReport& report, nlohmann::ordered_json data);

}  // namespace sudar_cli
