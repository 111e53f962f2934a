// What:    What was said on the line of `sudar check`, and what it means: shared by mesh files and robots.
// Fails:   limits_of and rules_of throw UnitError and RuleError with one clear line.
#pragma once

#include "cli/check_input.hpp"
#include "cli/clash_search.hpp"
#include "cli/name_pattern.hpp"

#include <string>
#include <vector>

namespace sudar_cli {

struct CheckArguments {
  std::vector<std::string> files, modes, ignore, ignore_files;
  std::string tolerance = "1e-6m", clearance, units, set_a, set_b, baseline, format = "text", out, contacts, joints;
  bool per_part = false, ignore_same_file = false;
  unsigned threads = 0;
  std::size_t max_triangles = 0;
};

ClashLimits limits_of(const CheckArguments& arguments);
std::vector<IgnoreRule> rules_of(const CheckArguments& arguments);

// Places of the result that cannot be written are told before the work, not after it: throws RuleError
void check_places(const CheckArguments& arguments);
// "units of all files are assumed to be metres …", or nothing
std::string assumed_units(const std::vector<CheckFile>& files);

// By its ending
bool is_robot_file(const std::string& path);
// Returns the exit code
int run_robot_check(const CheckArguments& arguments);

}  // namespace sudar_cli
