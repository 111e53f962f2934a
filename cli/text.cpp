#include "cli/text.hpp"

#include "cli/commands.hpp"

#include <charconv>
#include <cmath>
#include <iostream>

namespace sudar_cli {

namespace {
// Characters as seen: continuation bytes of UTF-8 have no width
std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return width;
}
}  // namespace

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
  return digits;
}

std::string fixed(double value, int digits) {
  char text[400];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits).ptr;
  return {text, end};
}

std::string three_digits(double value) {
  const double size = std::fabs(value);
  return fixed(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4);
}

std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 0; i < 16; ++i) text[15 - i] = "0123456789abcdef"[value >> (4 * i) & 15];
  return text;
}

std::string printable(std::string_view text) {
  std::string out;
  const auto escaped = [&](unsigned char c) {
    out += "\\x";
    out += "0123456789abcdef"[c >> 4];
    out += "0123456789abcdef"[c & 15];
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const auto third = static_cast<unsigned char>(i + 2 < text.size() ? text[i + 2] : 0);
    // C0, DEL, C1 in UTF-8, and what turns the direction of writing (U+202A … U+202E, U+2066 … U+2069)
    if (c < 0x20 || c == 0x7f) {
      escaped(c);
    } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {
      escaped(c), escaped(next);
      ++i;
    } else if (c == 0xe2 &&
               ((next == 0x80 && third >= 0xaa && third <= 0xae) || (next == 0x81 && third >= 0xa6 && third <= 0xa9))) {
      escaped(c), escaped(next), escaped(third);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

TextTable::TextTable(std::vector<std::string> heads, std::vector<bool> left) : left_(std::move(left)) {
  left_.resize(heads.size(), false);
  rows_.push_back(std::move(heads));
}

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(rows_[0].size());
  rows_.push_back(std::move(cells));
}

void TextTable::print(std::ostream& out) const {
  std::vector<std::size_t> widths(rows_[0].size(), 0);
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string blanks(widths[i] - width_of(rows_[r][i]), ' ');
      line += (i == 0 ? "" : "  ") + (left_[i] ? rows_[r][i] + blanks : blanks + rows_[r][i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
    if (r != 0) continue;
    std::string rule;
    for (std::size_t i = 0; i < widths.size(); ++i) rule += (i == 0 ? "" : "  ") + std::string(widths[i], '-');
    out << rule << '\n';
  }
}

int refuse(std::string_view command, std::string_view message) {
  std::cerr << "sudar";
  if (!command.empty()) std::cerr << ' ' << command;
  std::cerr << ": " << printable(message) << '\n';
  return kBadInput;
}

}  // namespace sudar_cli
