#include <sudar/io/double_text.hpp>
#include <sudar/io/text_scan.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

namespace sudar::detail {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// Of a number past the range of double: whether it is below 1, and so as good as zero. read_double does not say.
bool is_small(std::string_view number) {
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size()), first = mantissa.find_first_of("123456789");
  // The mantissa is below 10 to this power
  const auto power = first < point ? static_cast<std::int64_t>(point - first)
                                   : 1 - static_cast<std::int64_t>(std::min(first, mantissa.size()) - point);
  std::string_view digits = number.substr(std::min(e + 1, number.size()));
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t exponent = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec == std::errc::result_out_of_range)
    return digits.starts_with('-');
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  return std::clamp(exponent, -kMost, kMost) + power <= 0;
}

std::string_view without_plus(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  return word;
}

}  // namespace

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view take_word(std::string_view& rest) noexcept {
  std::size_t begin = 0;
  while (begin < rest.size() && is_blank(rest[begin])) ++begin;
  std::size_t end = begin;
  while (end < rest.size() && !is_blank(rest[end])) ++end;
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

bool parse_number(std::string_view word, double& value) noexcept {
  word = without_plus(word);
  const auto [end, status] = read_double(word, value);
  if (end != word.data() + word.size() || word.empty()) return false;
  if (status == std::errc::result_out_of_range) value = is_small(word) ? 0 : std::numeric_limits<double>::infinity();
  return status == std::errc() || status == std::errc::result_out_of_range;
}

bool parse_integer(std::string_view word, std::int64_t& value) noexcept {
  word = without_plus(word);
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  return status == std::errc() && end == word.data() + word.size();
}

bool equals_any_case(std::string_view word, std::string_view lower) noexcept {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [&](char a, char b) { return small(a) == b; });
}

LineReader::LineReader(std::string_view text) noexcept : text_(without_byte_order_mark(text)) {}

bool LineReader::next(std::string_view& line) noexcept {
  if (at_ >= text_.size()) return false;
  std::size_t end = at_;
  while (end < text_.size() && text_[end] != '\n' && text_[end] != '\r') ++end;
  line = text_.substr(at_, end - at_);
  ++number_;
  if (end < text_.size()) end += text_[end] == '\r' && end + 1 < text_.size() && text_[end + 1] == '\n' ? 2 : 1;
  at_ = end;
  return true;
}

WordReader::WordReader(std::string_view text) noexcept : text_(without_byte_order_mark(text)) {}

std::string_view WordReader::next() noexcept {
  while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '\n')) {
    // \r\n is one end, and so is \r alone
    if (text_[at_] == '\n' || (text_[at_] == '\r' && (at_ + 1 >= text_.size() || text_[at_ + 1] != '\n'))) ++line_;
    ++at_;
  }
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '\n') ++at_;
  return text_.substr(begin, at_ - begin);
}

std::string_view WordReader::rest_of_line() noexcept {
  const std::size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
  return trimmed(text_.substr(begin, at_ - begin));
}

}  // namespace sudar::detail
