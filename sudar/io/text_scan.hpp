// What:    Reading text files: lines with their numbers, words, numbers.
// Differs: Lines end with \n, \r\n or \r; a byte order mark at the start is skipped. A number must be the whole word, and
//          one below the range of double is zero, as in any other reader; past its range it is an infinity.
// Fails:   never; false means that the word is no number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sudar::detail {

// Editors put one in front of UTF-8
inline std::string_view without_byte_order_mark(std::string_view text) noexcept {
  return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

// `text` without blanks at both ends
std::string_view trimmed(std::string_view text) noexcept;

// Takes the next word off the front of `rest`; empty when there is none
std::string_view take_word(std::string_view& rest) noexcept;

// "+1", "-2e0", ".5", "nan", "inf"
bool parse_number(std::string_view word, double& value) noexcept;
// "+1", "-2"; false past the range of 64 bits, too
bool parse_integer(std::string_view word, std::int64_t& value) noexcept;

// Whether two words are the same but for the case of ASCII letters; `lower` has small ones
bool equals_any_case(std::string_view word, std::string_view lower) noexcept;

class LineReader {
 public:
  explicit LineReader(std::string_view text) noexcept;

  // False when there are no more lines
  bool next(std::string_view& line) noexcept;
  // Of the line that was read last, from 1
  std::size_t number() const { return number_; }
  // Where the next line begins, and what is left from there
  std::size_t offset() const { return at_; }
  std::size_t left() const { return text_.size() - at_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0, number_ = 0;
};

// Words across lines, for formats that do not care where lines end
class WordReader {
 public:
  explicit WordReader(std::string_view text) noexcept;

  // Empty when there are no more words
  std::string_view next() noexcept;
  // What is left of the line of the last word, without the blanks around it
  std::string_view rest_of_line() noexcept;
  std::size_t line() const { return line_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace sudar::detail
