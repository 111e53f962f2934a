// What:    See query_file.hpp.
#include "lab/query_file.hpp"

#include "lab/box_script.hpp"
#include <sudar/io/file_bytes.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace sudar::lab {

std::vector<CaseLine> read_query_file(const std::string& path, std::string& why_not) {
  std::vector<CaseLine> lines;
  const Result<std::string> bytes = read_whole_file(path);
  if (!bytes) {
    why_not = "cannot read " + path;
    return lines;
  }
  // All of a script is one case
  if (script_dimension(*bytes) != 0) return {case_line(*bytes)};
  for (std::size_t at = 0; at < bytes->size();) {
    const std::size_t end = std::min(bytes->find('\n', at), bytes->size());
    if (const std::size_t begin = bytes->find_first_not_of(" \t\r", at); begin < end)
      lines.push_back(case_line(bytes->substr(begin, end - begin)));
    at = end + 1;
  }
  if (lines.empty()) why_not = path + " has no lines";
  return lines;
}

CaseName case_name(std::string_view text) {
  if (names_a_case(text)) text.remove_prefix(1);
  CaseName name{std::string(text), 1};
  const std::size_t colon = text.rfind(':');
  std::error_code none;
  if (colon == std::string_view::npos || std::filesystem::exists(name.path, none)) return name;
  const std::string_view digits = text.substr(colon + 1);
  std::size_t line = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  if (status == std::errc() && end == digits.data() + digits.size()) name = {std::string(text.substr(0, colon)), line};
  return name;
}

bool find_case(const CaseName& name, CaseLine& line, std::string& why_not) {
  const std::vector<CaseLine> lines = read_query_file(name.path, why_not);
  if (lines.empty()) return false;
  if (name.line < 1 || name.line > lines.size()) {
    why_not = name.path + " has " + std::to_string(lines.size()) + (lines.size() == 1 ? " line" : " lines") +
              ", and no line " + std::to_string(name.line);
    return false;
  }
  line = lines[name.line - 1];
  return true;
}

Parameter CaseSlot::parameter() {
  Parameter p = Parameter::text("case", "Case", "");
  p.help = "A line of sudar query with what to look at, or @FILE or @FILE:LINE; empty: the exhibit's own";
  return p;
}

bool CaseSlot::read(std::span<const Parameter> parameters) {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [](const Parameter& p) { return p.name == "case"; });
  if (found == parameters.end() || found->content == content_) return false;
  content_ = found->content;
  text_.clear(), where_.clear(), why_not.clear();
  if (!names_a_case(content_)) {
    text_ = content_;
    return true;
  }
  const CaseName name = case_name(content_);
  CaseLine line;
  if (!find_case(name, line, why_not)) return true;
  text_ = line.text;
  const std::string file = std::filesystem::path(name.path).filename().string();
  where_ = script_dimension(text_) != 0
               ? "All of " + file + ". "
               : "Line " + std::to_string(name.line) + " of " + file + "; N shows the next one. ";
  return true;
}

void CaseSlot::tell(Panel& panel, bool given, std::string_view settings) const {
  if (given) panel.notes.push_back(where_ + std::string(settings));
  if (!why_not.empty()) panel.hints.push_back(std::string(kCaseNotShown) + why_not + ".");
}

}  // namespace sudar::lab
