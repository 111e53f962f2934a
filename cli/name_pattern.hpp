// What:    Names with * and ?, as a shell matches them, and the rules of `sudar check` made of them: which pairs are left
//          alone and why, and which are asked for.
// Fails:   what reads rules throws RuleError with one clear line.
#pragma once

#include "cli/clash.hpp"

#include <atomic>
#include <deque>
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
  bool has_wildcard() const { return (first + second).find_first_of("*?") != std::string::npos; }
};

// In a name, a backslash stands before a colon, a # and a backslash
IgnoreRule parse_rule(std::string_view text);
// One rule a line; what follows a # after a blank is the reason. Empty lines and lines of a comment alone are skipped. A
// file that begins with < is an SRDF: its disable_collisions are the rules.
std::vector<IgnoreRule> read_rules(const std::string& path);
// The same of a text; `path` for messages
std::vector<IgnoreRule> parse_rules(const std::string& text, const std::string& path);

// The names by which a part is called: its own; of one that is all of its file, that of the file with and without its ending
std::vector<std::vector<std::string>> names_of_parts(std::span<const CheckPart> parts,
                                                     std::span<const std::string> files);

// Which pairs are asked for. Every pattern is matched with every part once, so that a pair costs only the rules that know
// one of its parts.
class PairRules {
 public:
  using Names = std::vector<std::vector<std::string>>;
  PairRules(std::span<const IgnoreRule> rules, const Names& names, const std::string& set_a, const std::string& set_b);
  // With a == b, the part by itself: left out by a rule that is a pattern alone, or that names it twice without a wildcard
  bool wanted(std::uint32_t a, std::uint32_t b);
  // The same without counting
  bool would_want(std::uint32_t a, std::uint32_t b) const { return in_sets(a, b) && rule_of(a, b) == kNone; }
  std::uint64_t used(std::size_t rule) const { return used_[rule]; }
  // Patterns that no part has: "--set-a 'blot*'"
  std::vector<std::string> unmatched_sets() const;
  // None where there are no parts
  std::vector<std::size_t> unmatched_rules() const;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // The first rule that leaves a pair out
  std::size_t rule_of(std::uint32_t a, std::uint32_t b) const;

 private:
  bool in_sets(std::uint32_t a, std::uint32_t b) const;

  std::span<const IgnoreRule> rules_;
  std::string set_a_, set_b_;
  std::vector<std::vector<std::uint32_t>> first_, second_;  // of each part: rules whose pattern has it, rising
  std::vector<bool> in_a_, in_b_, known_;                   // parts, parts, rules
  std::deque<std::atomic<std::uint64_t>> used_;
};

}  // namespace sudar_cli
