#include "cli/name_pattern.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

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
  const std::size_t colon = text.find(':');
  IgnoreRule rule;
  rule.first = trimmed(text.substr(0, colon));
  if (colon != std::string_view::npos) rule.second = trimmed(text.substr(colon + 1));
  if (rule.first.empty() || (colon != std::string_view::npos && rule.second.empty()))
    throw RuleError("the rule '" + std::string(text) + "' has an empty pattern; write 'bolt*:plate*'");
  return rule;
}

std::vector<IgnoreRule> read_rules(const std::string& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path)) throw RuleError("cannot read " + path);
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

PartNames::PartNames(std::span<const CheckPart> parts, std::span<const std::string> files, bool whole_files) {
  for (const CheckPart& part : parts) {
    std::vector<std::string> names = {part.name};
    if (whole_files) {
      const std::filesystem::path path = files[part.file];
      names.push_back(path.filename().string());
      names.push_back(path.stem().string());
    }
    names_.push_back(std::move(names));
  }
}

bool PartNames::match(std::string_view pattern, std::uint32_t part) const {
  return std::any_of(names_[part].begin(), names_[part].end(),
                     [&](const std::string& name) { return matches(pattern, name); });
}

}  // namespace sudar_cli
