// What:    The hard cases of data/hard_cases.json in C++ tests: the numbers of a case, and that each is really put.
// Differs: A case says in "run_by" which tests put it. A test that has a HardCases fails unless it put all that name it, and no
//          other; tools/check_hard_cases.py sees to it that every case names a test that exists.
//          Of the file, this reads what it is written like (a case a line, "id" first), and is no parser of JSON.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sudar_test {

class HardCases {
 public:
  // Those of the test that runs now
  HardCases();
  ~HardCases();
  HardCases(const HardCases&) = delete;
  HardCases& operator=(const HardCases&) = delete;

  // To be said where the case is put
  void put(const std::string& id) { put_.insert(id); }
  // The numbers behind a key of a case, in their order, whatever brackets are around them
  std::vector<double> numbers(std::string_view id, std::string_view key) const;
  double number(std::string_view id, std::string_view key) const;

 private:
  std::string text_;
  std::set<std::string> named_, put_;
};

}  // namespace sudar_test
