#include "tests/support/hard_case.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace sudar_test {

namespace {

std::string name_of_this_test() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  return std::string(test->test_suite_name()) + '.' + test->name();
}

}  // namespace

HardCases::HardCases() {
  std::ifstream file(SUDAR_HARD_CASES);
  std::ostringstream text;
  text << file.rdbuf();
  text_ = text.str();
  EXPECT_FALSE(text_.empty()) << SUDAR_HARD_CASES;

  const std::string name = '"' + name_of_this_test() + '"', head = "{\"id\": \"";
  std::istringstream lines(text_);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t run_by = line.rfind("\"run_by\": [");
    if (!line.starts_with(head) || run_by == std::string::npos || line.find(name, run_by) == std::string::npos)
      continue;
    named_.insert(line.substr(head.size(), line.find('"', head.size()) - head.size()));
  }
  EXPECT_FALSE(named_.empty()) << "no hard case names " << name;
}

HardCases::~HardCases() { EXPECT_EQ(put_, named_) << "hard cases that were put, and those that name this test"; }

std::vector<double> HardCases::numbers(std::string_view id, std::string_view key) const {
  std::vector<double> out;
  const std::size_t begin = text_.find("{\"id\": \"" + std::string(id) + '"');
  const std::string name = '"' + std::string(key) + "\": ";
  const std::size_t at = begin == std::string::npos ? begin : text_.find(name, begin);
  if (at == std::string::npos || at > text_.find('\n', begin)) {
    ADD_FAILURE() << "the hard case " << id << " has no " << key;
    return out;
  }
  int depth = 0;
  for (const char* p = text_.c_str() + at + name.size(); *p != '\0';) {
    if (*p == '[' || *p == ']') {
      depth += *p++ == '[' ? 1 : -1;
    } else if (*p == '-' || std::isdigit(static_cast<unsigned char>(*p)) != 0) {
      char* end = nullptr;
      out.push_back(std::strtod(p, &end));
      p = end;
    } else if (*p == ',' || *p == ' ') {
      ++p;
    } else {
      break;
    }
    if (depth == 0) break;
  }
  EXPECT_FALSE(out.empty()) << id << ": " << key << " is no number";
  return out;
}

double HardCases::number(std::string_view id, std::string_view key) const {
  const std::vector<double> all = numbers(id, key);
  EXPECT_EQ(all.size(), 1u) << id << ": " << key;
  return all.empty() ? 0 : all[0];
}

}  // namespace sudar_test
