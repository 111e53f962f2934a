// What:    A file of a case as a campaign writes it, for one test, and what an exhibit says and draws of it.
// Differs: Nothing is looked up beyond the exhibit's own doors; the oracles are in the tests.
// Frame:   the lab's.
#pragma once

#include "lab/exhibit.hpp"
#include "tests/support/written_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

namespace sudar_test {

// The file of one test, as a campaign writes it
class WrittenFile {
 public:
  explicit WrittenFile(const std::string& text, const char* ending = ".jsonl") {
    const std::string said = write_case_text(text, ending);
    path_ = said.substr(0, said.find(":\n"));
  }
  ~WrittenFile() { std::remove(path_.c_str()); }
  WrittenFile(const WrittenFile&) = delete;
  WrittenFile& operator=(const WrittenFile&) = delete;
  const std::string& path() const { return path_; }
  std::string at(int line) const { return "@" + path_ + ":" + std::to_string(line); }

 private:
  std::string path_;
};

inline sudar::lab::Panel panel_of(const sudar::lab::Exhibit& exhibit) {
  sudar::lab::Panel panel;
  exhibit.tell(panel);
  return panel;
}

// What is not finite is left out of a list, so that its bounds do not tell
inline void expect_finite(const sudar::lab::DrawList& list) {
  EXPECT_EQ(list.left_out(), 0u);
  for (const sudar::lab::InstanceBatch& batch : list.batches())
    for (const sudar::lab::Instance& instance : batch.instances)
      for (const float x : instance.columns) ASSERT_TRUE(std::isfinite(x));
}

inline const sudar::lab::Table& table_of(const sudar::lab::Panel& panel, std::string_view title) {
  const auto at =
      std::ranges::find_if(panel.tables, [&](const sudar::lab::Table& t) { return t.title.starts_with(title); });
  EXPECT_NE(at, panel.tables.end()) << title;
  static const sudar::lab::Table kNone{};
  return at == panel.tables.end() ? kNone : *at;
}

}  // namespace sudar_test
