// What:    An older result of `sudar check --format json`, to compare a new one with.
// Fails:   both throw RuleError with the name of the file.
#pragma once

#include "cli/clash.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sudar_cli {

struct BaselineClash {
  std::string id, a, b;
  std::optional<std::uint64_t> state;  // of a robot
  Clash clash;                         // without its parts
};

// What it calls resolved is not in it any more
std::vector<BaselineClash> read_baseline(const std::string& path);
// The same of a text; `path` for messages
std::vector<BaselineClash> parse_baseline(const std::string& text, const std::string& path);

// The warning of clashes, "a and b", of which a run cannot tell whether they are gone; not of an empty list
std::string not_looked_at_text(const std::vector<std::string>& pairs);

}  // namespace sudar_cli
