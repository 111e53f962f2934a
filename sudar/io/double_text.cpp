#include <sudar/io/double_text.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <system_error>

namespace sudar {

namespace {

constexpr int kMostDigits = 800;
// Powers of ten between which all doubles lie, and what rounds to one
constexpr std::int64_t kLeastPower = -324, kMostPower = 309;

// A natural number large enough for kMostDigits and one more digits, and for a numerator 66 bits longer than a divisor
class Natural {
 public:
  bool is_zero() const { return size_ == 0; }
  int bits() const { return is_zero() ? 0 : 32 * size_ - std::countl_zero(limbs_[size_ - 1]); }

  void multiply_add(std::uint32_t factor, std::uint32_t more) {
    std::uint64_t carry = more;
    for (int i = 0; i < size_; ++i) {
      carry += std::uint64_t{limbs_[i]} * factor;
      limbs_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_[size_++] = static_cast<std::uint32_t>(carry);
  }
  // The remainder
  std::uint32_t divide(std::uint32_t divisor) {
    std::uint64_t rest = 0;
    for (int i = size_ - 1; i >= 0; --i) {
      rest = rest << 32 | limbs_[i];
      limbs_[i] = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
    while (size_ > 0 && limbs_[size_ - 1] == 0) --size_;
    return static_cast<std::uint32_t>(rest);
  }
  void shift_up(int limbs) {
    std::copy_backward(limbs_, limbs_ + size_, limbs_ + size_ + limbs);
    std::fill(limbs_, limbs_ + limbs, 0u);
    size_ += limbs;
  }
  // The first 64 bits, and whether something is below them
  std::uint64_t top(bool& more) const {
    std::uint64_t first = 0;
    int have = 0;
    for (int i = size_ - 1; i >= 0; --i) {
      const int width = i == size_ - 1 ? 32 - std::countl_zero(limbs_[i]) : 32, take = std::min(width, 64 - have);
      first = take == 0 ? first : first << take | limbs_[i] >> (width - take);
      have += take;
      if (take < width) more = more || (limbs_[i] & ((std::uint64_t{1} << (width - take)) - 1)) != 0;
    }
    return first << (64 - have);
  }

 private:
  std::uint32_t limbs_[96];
  int size_ = 0;
};

struct Decimal {
  Natural digits;           // without zeros in front
  std::int64_t length = 0;  // how many they are
  std::int64_t power = 0;   // of ten, of the last digit
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
std::uint32_t digit_of(char c) { return static_cast<std::uint32_t>(c - '0'); }

// In any case, from `at` on
bool goes_on_with(std::string_view text, std::size_t at, std::string_view lower) {
  return text.size() - at >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
}

// "nan(...)": letters, digits and underscores up to the bracket; without it, "nan" alone is read
std::size_t end_of_nan(std::string_view text, std::size_t end) {
  if (end == text.size() || text[end] != '(') return end;
  std::size_t at = end + 1;
  const auto is_named = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  while (at < text.size() && is_named(text[at])) ++at;
  return at < text.size() && text[at] == ')' ? at + 1 : end;
}

// Digits with or without a point, and an exponent when it has digits; false when there is none
bool scan(std::string_view text, std::size_t& at, Decimal& out) {
  bool any = false, more = false, point = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (!is_digit(c)) break;
    any = true;
    out.power -= point ? 1 : 0;
    if (out.length == 0 && c == '0') continue;
    if (out.length < kMostDigits) {
      out.digits.multiply_add(10, digit_of(c));
      ++out.length;
    } else {
      more = more || c != '0';
      ++out.power;
    }
  }
  if (!any) return false;
  if (more) {
    out.digits.multiply_add(10, 1);
    ++out.length, --out.power;
  }

  if (at == text.size() || (text[at] != 'e' && text[at] != 'E')) return true;
  std::size_t end = at + 1;
  const bool negative = end < text.size() && text[end] == '-';
  end += negative || (end < text.size() && text[end] == '+') ? 1 : 0;
  if (end == text.size() || !is_digit(text[end])) return true;
  // No text has so many digits that more of the exponent matters
  constexpr std::int64_t kFarUp = std::int64_t{1} << 59;
  std::int64_t exponent = 0;
  for (; end < text.size() && is_digit(text[end]); ++end)
    if (exponent < kFarUp) exponent = 10 * exponent + digit_of(text[end]);
  out.power += negative ? -exponent : exponent;
  at = end;
  return true;
}

// `first`, whose highest bit is set, and something below it when there is more, times 2^exponent, to the nearest double;
// infinity past the range, 0 below it
double rounded(std::uint64_t first, bool more, int exponent) {
  constexpr int kLeastExponent = -1022, kMostExponent = 1023;
  const int highest = exponent + 63;
  if (highest > kMostExponent) return std::numeric_limits<double>::infinity();
  const int dropped = 11 + std::max(0, kLeastExponent - highest);
  if (dropped > 64) return 0;
  std::uint64_t kept = dropped == 64 ? 0 : first >> dropped;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1), rest = first & (half + (half - 1));
  kept += rest > half || (rest == half && (more || (kept & 1) != 0)) ? 1 : 0;
  // The first bit of what is kept counts one up in the exponent, and so does one more that rounding makes
  const auto biased = static_cast<std::uint64_t>(std::max(0, highest - kLeastExponent));
  return std::bit_cast<double>((biased << 52) + kept);
}

double nearest_double(Decimal& x) {
  constexpr std::uint32_t kTens = 1000000000, kFives = 1220703125;  // 10^9, 5^13
  if (x.digits.is_zero()) return 0;
  if (x.length + x.power > kMostPower) return std::numeric_limits<double>::infinity();
  if (x.length + x.power <= kLeastPower) return 0;
  int power = static_cast<int>(x.power), exponent = 0;
  bool more = false;
  for (; power >= 9; power -= 9) x.digits.multiply_add(kTens, 0);
  for (; power > 0; --power) x.digits.multiply_add(10, 0);
  if (power < 0) {
    // By the twos in the exponent; the fives have less than 7/3 bits each, and 64 bits of the quotient are left
    exponent = power;
    const int missing = 66 - power * 7 / 3 - x.digits.bits(), limbs = std::max(0, (missing + 31) / 32);
    x.digits.shift_up(limbs);
    exponent -= 32 * limbs;
    for (; power <= -13; power += 13) more |= x.digits.divide(kFives) != 0;
    for (; power < 0; ++power) more |= x.digits.divide(5) != 0;
  }
  const int below = x.digits.bits() - 64;
  const std::uint64_t first = x.digits.top(more);
  return rounded(first, more, exponent + below);
}

// Named in a template, so that a library without it is none that does not compile
template <class T>
std::from_chars_result read_by_library(const char* first, const char* last, T& value) {
  if constexpr (requires { std::from_chars(first, last, value); })
    return std::from_chars(first, last, value);
  else
    return read_double_plainly({first, static_cast<std::size_t>(last - first)}, value);
}

}  // namespace

std::from_chars_result read_double(std::string_view text, double& value) noexcept {
  return read_by_library(text.data(), text.data() + text.size(), value);
}

std::from_chars_result read_double_plainly(std::string_view text, double& value) noexcept {
  const bool negative = text.starts_with('-');
  const double sign = negative ? -1 : 1;
  std::size_t at = negative ? 1 : 0;
  const auto read = [&](std::size_t end, double x) {
    value = std::copysign(x, sign);
    return std::from_chars_result{text.data() + end, std::errc()};
  };
  if (goes_on_with(text, at, "infinity")) return read(at + 8, std::numeric_limits<double>::infinity());
  if (goes_on_with(text, at, "inf")) return read(at + 3, std::numeric_limits<double>::infinity());
  if (goes_on_with(text, at, "nan")) return read(end_of_nan(text, at + 3), std::numeric_limits<double>::quiet_NaN());
  Decimal x;
  if (!scan(text, at, x)) return {text.data(), std::errc::invalid_argument};
  const bool is_zero = x.digits.is_zero();
  const double found = nearest_double(x);
  if (!is_zero && (found == 0 || std::isinf(found))) return {text.data() + at, std::errc::result_out_of_range};
  return read(at, found);
}

}  // namespace sudar
