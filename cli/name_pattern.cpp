#include "cli/name_pattern.hpp"

#include "cli/robot_file.hpp"
#include <sudar/io/file_bytes.hpp>
#include <sudar/io/text_scan.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace sudar_cli {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  // Back to the last star, which takes one character more each time: no recursion, time of pattern times name at worst
  std::size_t p = 0, n = 0, star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

IgnoreRule parse_rule(std::string_view text) {
  std::string sides[2];
  int side = 0;
  const auto refuse_rule = [&](const char* why) {
    throw RuleError("the rule '" + std::string(text) + "' " + why + "; write 'bolt*:plate*'");
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ':' || text[i + 1] == '#' || text[i + 1] == '\\')) {
      sides[side] += text[++i];
    } else if (text[i] == ':') {
      if (++side > 1) refuse_rule("has two colons (one in a name is written \\:)");
    } else {
      sides[side] += text[i];
    }
  }
  IgnoreRule rule;
  rule.first = trimmed(sides[0]);
  rule.second = trimmed(sides[1]);
  if (rule.first.empty() || (side > 0 && rule.second.empty())) refuse_rule("has an empty pattern");
  return rule;
}

std::vector<IgnoreRule> read_rules(const std::string& path) {
  const auto text = sudar::read_whole_file(path);
  if (!text) throw RuleError("cannot read " + path);
  return parse_rules(*text, path);
}

std::vector<IgnoreRule> parse_rules(const std::string& whole, const std::string& path) {
  const std::string text(sudar::detail::without_byte_order_mark(whole));
  if (trimmed(text).starts_with('<')) return read_srdf(text, path);
  std::istringstream file(text);
  std::vector<IgnoreRule> rules;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    // Names may have one inside: bolt#2
    std::size_t hash = line.find('#');
    while (hash != std::string::npos && hash > 0 && line[hash - 1] != ' ' && line[hash - 1] != '\t')
      hash = line.find('#', hash + 1);
    const std::string_view rule = trimmed(std::string_view(line).substr(0, hash));
    if (rule.empty()) continue;
    try {
      rules.push_back(parse_rule(rule));
    } catch (const RuleError& error) {
      throw RuleError(path + ": line " + std::to_string(number) + ": " + error.what());
    }
    if (hash != std::string::npos) rules.back().reason = trimmed(std::string_view(line).substr(hash + 1));
  }
  return rules;
}

std::vector<std::vector<std::string>> names_of_parts(std::span<const CheckPart> parts,
                                                     std::span<const std::string> files) {
  std::vector<std::vector<std::string>> out;
  for (const CheckPart& part : parts) {
    std::vector<std::string> names = {part.name};
    if (part.whole_file) {
      const std::filesystem::path path = files[part.file];
      names.push_back(path.filename().string());
      names.push_back(path.stem().string());
    }
    out.push_back(std::move(names));
  }
  return out;
}

PairRules::PairRules(std::span<const IgnoreRule> rules, const Names& names, const std::string& set_a,
                     const std::string& set_b)
    : rules_(rules),
      set_a_(set_a),
      set_b_(set_b),
      first_(names.size()),
      second_(names.size()),
      in_a_(names.size()),
      in_b_(names.size()),
      known_(rules.size()),
      used_(rules.size()) {
  const auto has = [&](const std::string& pattern, std::size_t part) {
    return std::any_of(names[part].begin(), names[part].end(),
                       [&](const std::string& name) { return matches(pattern, name); });
  };
  for (std::size_t part = 0; part < names.size(); ++part) {
    in_a_[part] = set_a.empty() || has(set_a, part);
    in_b_[part] = set_b.empty() || has(set_b, part);
    for (std::uint32_t r = 0; r < rules.size(); ++r) {
      if (has(rules[r].first, part)) first_[part].push_back(r);
      if (!rules[r].second.empty() && has(rules[r].second, part)) second_[part].push_back(r);
    }
  }
  // A rule for a pair needs a part for each side
  std::vector<bool> one(rules.size()), two(rules.size());
  for (std::size_t part = 0; part < names.size(); ++part) {
    for (const std::uint32_t r : first_[part]) one[r] = true;
    for (const std::uint32_t r : second_[part]) two[r] = true;
  }
  for (std::size_t r = 0; r < rules.size(); ++r) known_[r] = one[r] && (two[r] || rules[r].second.empty());
}

bool PairRules::in_sets(std::uint32_t a, std::uint32_t b) const {
  return (in_a_[a] && in_b_[b]) || (in_a_[b] && in_b_[a]);
}

std::size_t PairRules::rule_of(std::uint32_t a, std::uint32_t b) const {
  std::size_t found = kNone;
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)})
    for (const std::uint32_t r : first_[x]) {
      if (r >= found) break;
      const bool alone = rules_[r].second.empty();
      if (a == b && !alone && rules_[r].has_wildcard()) continue;
      if (alone || std::binary_search(second_[y].begin(), second_[y].end(), r)) found = r;
    }
  return found;
}

bool PairRules::wanted(std::uint32_t a, std::uint32_t b) {
  if (!in_sets(a, b)) return false;
  const std::size_t rule = rule_of(a, b);
  if (rule == kNone) return true;
  ++used_[rule];
  return false;
}

std::vector<std::string> PairRules::unmatched_sets() const {
  std::vector<std::string> out;
  if (std::find(in_a_.begin(), in_a_.end(), true) == in_a_.end()) out.push_back("--set-a '" + set_a_ + "'");
  if (std::find(in_b_.begin(), in_b_.end(), true) == in_b_.end()) out.push_back("--set-b '" + set_b_ + "'");
  return out;
}

std::vector<std::size_t> PairRules::unmatched_rules() const {
  std::vector<std::size_t> out;
  for (std::size_t r = 0; r < known_.size() && !first_.empty(); ++r)
    if (!known_[r]) out.push_back(r);
  return out;
}

}  // namespace sudar_cli
