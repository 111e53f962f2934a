// What:    A file of lines of `sudar query`, as campaigns of the tests write it and the command answers it: which of its lines
//          is shown, and which exhibit shows it. "@FILE" names its first line, "@FILE:3" its third; blank lines do not count.
//          A file with a script of boxes (box_script.hpp) is one case as a whole.
// Fails:   one line that says why not: no such file, no such line, a line that no exhibit shows.
#pragma once

#include "lab/panel.hpp"
#include "lab/parameter.hpp"
#include "lab/query_case.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sudar::lab {

// Empty, and why not
std::vector<CaseLine> read_query_file(const std::string& path, std::string& why_not);

struct CaseName {
  std::string path;
  std::size_t line = 1;  // from one on

  std::string text() const { return "@" + path + ":" + std::to_string(line); }
};
inline bool names_a_case(std::string_view text) { return text.starts_with('@'); }
// A number behind the last colon is a line, unless there is a file of the whole name
CaseName case_name(std::string_view text);
// The line that is named; false, and why not
bool find_case(const CaseName& name, CaseLine& line, std::string& why_not);

// The setting `case` of an exhibit: a line itself, or the name of one in a file
class CaseSlot {
 public:
  static Parameter parameter();
  // Whether something else is to be shown than before: text() then, or nothing of a case when it is empty
  bool read(std::span<const Parameter> parameters);
  const std::string& text() const { return text_; }

  std::string why_not;  // the case is not shown; the exhibit that read it says so here
  // Which line it is, what of the exhibit's own settings still counts, or why it is not shown
  void tell(Panel& panel, bool given, std::string_view settings) const;

 private:
  std::string content_, text_, where_;
};
inline constexpr std::string_view kCaseNotShown = "The case is not shown: ";

}  // namespace sudar::lab
