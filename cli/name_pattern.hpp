// What:    Names with * and ?, as a shell matches them, and the rules of `sudar check` made of them: which pairs are left
//          alone and why, and which are asked for.
// Fails:   read_rules throws RuleError with one clear line.
#pragma once

#include "cli/clash.hpp"

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sudar_cli {

// * stands for any text, ? for one character, everything else for itself
bool matches(std::string_view pattern, std::string_view name);

struct RuleError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// "bolt*:plate*": pairs of one part that matches the first and one that matches the second; a pattern alone: everything
// that has to do with such a part
struct IgnoreRule {
  std::string first, second, reason;
  std::uint64_t used = 0;  // candidate pairs that it left out

  std::string text() const { return second.empty() ? first : first + ':' + second; }
};

IgnoreRule parse_rule(std::string_view text);
// One rule a line; what follows a # after a blank is the reason. Empty lines and lines of a comment alone are skipped.
std::vector<IgnoreRule> read_rules(const std::string& path);

// The names by which a part is called: its own; of a whole file, that of the file with and without its ending
class PartNames {
 public:
  PartNames(std::span<const CheckPart> parts, std::span<const std::string> files, bool whole_files);
  bool match(std::string_view pattern, std::uint32_t part) const;

 private:
  std::vector<std::vector<std::string>> names_;
};

}  // namespace sudar_cli
