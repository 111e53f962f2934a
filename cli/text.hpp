// What:    Text for people: numbers with units, aligned tables, one-line refusals.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace sudar_cli {

// "12 345"
std::string grouped(std::uint64_t value);
// With so many digits after the point
std::string fixed(double value, int digits);
// Three significant digits: "0.0123", "1.23", "123"
std::string three_digits(double value);
// Sixteen hexadecimal digits
std::string hex(std::uint64_t value);

// Text that a file brought along, for a terminal: control characters, which could forge a report, as \x1b
std::string printable(std::string_view text);

// Columns are as wide as their widest cell; the first `left` columns are aligned left, the others right
class TextTable {
 public:
  TextTable(std::vector<std::string> heads, std::vector<bool> left);
  void add(std::vector<std::string> cells);
  void print(std::ostream& out) const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> left_;
};

// "sudar COMMAND: MESSAGE" on stderr; returns the exit code for bad input
int refuse(std::string_view command, std::string_view message);

}  // namespace sudar_cli
