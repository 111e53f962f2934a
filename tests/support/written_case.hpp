// What:    Where campaigns write what fails: a file that SUDAR_CASE (lines of `sudar query`) or SUDAR_SCRIPT (scripts of broad
//          phases) replays, that the lab opens (`sudar lab --exhibit @FILE`), and that tests/regress/cases takes in.
// Frame:   The folder that SUDAR_CASES names, or the current one; SUITE.TEST-N.jsonl, the first N that is free.
// Fails:   what cannot be written is said in place of the name; the text itself is always part of what is said.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace sudar_test {

inline std::string free_case_path(const std::string& ending) {
  const char* const folder = std::getenv("SUDAR_CASES");
  const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string stem =
      test == nullptr ? "case" : std::string(test->test_suite_name()) + '.' + std::string(test->name());
  for (int i = 1;; ++i) {
    const auto path =
        std::filesystem::path(folder != nullptr ? folder : ".") / (stem + '-' + std::to_string(i) + ending);
    std::error_code none;
    if (!std::filesystem::exists(path, none)) return path.string();
  }
}

// What to say of it in a failure: "PATH:", and the text
inline std::string write_case_text(const std::string& text, const std::string& ending = ".jsonl") {
  const std::string path = free_case_path(ending);
  std::ofstream file(path);
  file << text << '\n';
  file.close();
  return (file ? path : "cannot write " + path) + ":\n" + text + '\n';
}

}  // namespace sudar_test
