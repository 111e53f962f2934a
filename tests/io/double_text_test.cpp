// Oracles: std::from_chars where the standard library has it; doubles that are printed and read again; points half way between
// two doubles, whose digits are exact integers (Boost.Multiprecision).
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/io/double_text.hpp>

#include <boost/multiprecision/gmp.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <clocale>
#include <cmath>
#include <iterator>
#include <limits>
#include <ostream>
#include <string>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

constexpr double kUntouched = 12345.75;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Of any exponent, denormal ones among them
double any_double(Random& random) {
  for (;;)
    if (const auto x = std::bit_cast<double>(random.next()); std::isfinite(x)) return x;
}

struct Reading {
  std::ptrdiff_t length;
  std::errc status;
  std::uint64_t bits;

  bool operator==(const Reading&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Reading& x) {
  return out << x.length << " characters, status " << static_cast<int>(x.status) << ", bits " << std::hex << x.bits
             << std::dec;
}
template <class Read>
Reading reading(const std::string& text, Read read) {
  double value = kUntouched;
  const std::from_chars_result x = read(text, value);
  return {x.ptr - text.data(), x.ec, std::bit_cast<std::uint64_t>(value)};
}
Reading plainly(const std::string& text) { return reading(text, read_double_plainly); }

// What std::from_chars says; without it, what was said before
template <class T>
Reading by_library(const std::string& text, T value) {
  if constexpr (requires { std::from_chars(text.data(), text.data(), value); })
    return reading(text, [](std::string_view x, T& y) { return std::from_chars(x.data(), x.data() + x.size(), y); });
  else
    return plainly(text);
}
void expect_as_library(const std::string& text) {
  EXPECT_EQ(plainly(text), by_library(text, kUntouched)) << "\"" << text.substr(0, 100) << "\"";
  EXPECT_EQ(reading(text, read_double), by_library(text, kUntouched)) << "\"" << text.substr(0, 100) << "\"";
}

template <class... Format>
std::string printed(double x, Format... format) {
  char text[2000];
  return {text, std::to_chars(text, text + sizeof text, x, format...).ptr};
}

struct Line {
  const char* text;
  std::ptrdiff_t length;  // 0: no number
  double value;           // NaN for one, kUntouched for out of range
};
const double kNan = std::numeric_limits<double>::quiet_NaN();
const Line kLines[] = {
    {"", 0, 0},
    {"-", 0, 0},
    {".", 0, 0},
    {"-.", 0, 0},
    {"+1", 0, 0},
    {"--1", 0, 0},
    {"-+1", 0, 0},
    {" 1", 0, 0},
    {"\t1", 0, 0},
    {"e5", 0, 0},
    {".e5", 0, 0},
    {"- 1", 0, 0},
    {",5", 0, 0},
    {"in", 0, 0},
    {"na", 0, 0},
    {"(nan)", 0, 0},
    {"0", 1, 0},
    {"-0", 2, -0.0},
    {"000", 3, 0},
    {"0e999999999999999999999", 23, 0},
    {"-0.000e-5", 9, -0.0},
    {"1", 1, 1},
    {"1.", 2, 1},
    {".5", 2, 0.5},
    {"-.5", 3, -0.5},
    {"1.5", 3, 1.5},
    {"1..5", 2, 1},
    {"1.5.2", 3, 1.5},
    {"1,5", 1, 1},
    {"1 5", 1, 1},
    {"1e", 1, 1},
    {"1e+", 1, 1},
    {"1e-", 1, 1},
    {"1e+-2", 1, 1},
    {"1e 2", 1, 1},
    {"1e2", 3, 100},
    {"1E+2", 4, 100},
    {"1.e2", 4, 100},
    {"1e-2x", 4, 0.01},
    {"1e2.5", 3, 100},
    {"1d2", 1, 1},
    {"1f", 1, 1},
    {"0x10", 1, 0},
    {"0x1p3", 1, 0},
    {"1'000", 1, 1},
    {"0000000000000000000000000000000000001e-0000000000000000000000000000000000001", 76, 0.1},
    {"inf", 3, kInfinity},
    {"-INF", 4, -kInfinity},
    {"infinity", 8, kInfinity},
    {"-Infinity!", 9, -kInfinity},
    {"infinit", 3, kInfinity},
    {"nan", 3, kNan},
    {"NaN(", 3, kNan},
    {"nan()", 5, kNan},
    {"nan(ab_9)", 9, kNan},
    {"nan(a b)", 3, kNan},
    {"nan(1", 3, kNan},
    {"1.7976931348623157e308", 22, std::numeric_limits<double>::max()},
    {"1.7976931348623158e308", 22, std::numeric_limits<double>::max()},
    {"1.7976931348623159e308", 22, kUntouched},
    {"1e309", 5, kUntouched},
    {"-1e309", 6, kUntouched},
    {"1e999999999999", 14, kUntouched},
    {"1e99999999999999999999999999", 28, kUntouched},
    {"4.9e-324", 8, std::numeric_limits<double>::denorm_min()},
    {"2.5e-324", 8, std::numeric_limits<double>::denorm_min()},
    {"2.4e-324", 8, kUntouched},
    {"-1e-400", 7, kUntouched},
    {"1e-999999999999", 15, kUntouched},
    {"2.2250738585072011e-308", 23, 0x0.fffffffffffffp-1022},
    {"2.2250738585072014e-308", 23, 0x1p-1022},
};

}  // namespace

TEST(DoubleText, ReadsWhatTheStandardSays) {
  for (const Line& line : kLines) {
    const Reading x = plainly(line.text);
    EXPECT_EQ(x.length, line.length) << line.text;
    const std::errc status = line.length == 0           ? std::errc::invalid_argument
                             : line.value == kUntouched ? std::errc::result_out_of_range
                                                        : std::errc();
    EXPECT_EQ(x.status, status) << line.text;
    const auto value = std::bit_cast<double>(x.bits);
    if (std::isnan(line.value))
      EXPECT_TRUE(std::isnan(value)) << line.text;
    else
      EXPECT_EQ(x.bits, std::bit_cast<std::uint64_t>(line.length == 0 ? kUntouched : line.value)) << line.text;
    expect_as_library(line.text);
  }
  // Nothing behind the end of the text is looked at
  double value = 0;
  EXPECT_EQ(read_double_plainly(std::string_view("12345").substr(0, 2), value).ec, std::errc());
  EXPECT_EQ(value, 12);
  EXPECT_EQ(read_double_plainly({}, value).ec, std::errc::invalid_argument);
}

TEST(DoubleText, ReadsWhatWasPrinted) {
  Random random(campaign_seed(1));
  for (int i = 0; i < 5000; ++i) {
    const double x = any_double(random);
    for (const std::string& text :
         {printed(x), printed(x, std::chars_format::scientific, 16), printed(x, std::chars_format::fixed)}) {
      const Reading read = plainly(text);
      EXPECT_EQ(read.bits, std::bit_cast<std::uint64_t>(x)) << text;
      EXPECT_EQ(read.length, static_cast<std::ptrdiff_t>(text.size())) << text;
    }
    // Fewer digits and more: not the double itself
    for (const int digits : {0, 3, 14, 15, 17, 30, 100, 760})
      expect_as_library(printed(x, std::chars_format::scientific, digits));
  }
}

TEST(DoubleText, TextsOfAnyDigits) {
  Random random(campaign_seed(2));
  const auto some_digits = [&](std::string& text, std::size_t most) {
    const std::size_t count = random.below(most + 1);
    const bool zeros = random.below(4) == 0;
    for (std::size_t i = 0; i < count; ++i) text += zeros ? '0' : static_cast<char>('0' + random.below(10));
  };
  for (int i = 0; i < 50000; ++i) {
    const std::size_t most = random.below(20) == 0 ? 1000 : 22;
    std::string text = random.below(2) == 0 ? "-" : "";
    some_digits(text, most);
    if (random.below(2) == 0) text += '.', some_digits(text, most);
    if (random.below(2) == 0) {
      text += random.below(2) == 0 ? "e" : "E";
      const std::size_t sign = random.below(3);
      text += sign == 0 ? "" : sign == 1 ? "+" : "-";
      text += std::to_string(random.below(random.below(2) == 0 ? 30 : 340));
    }
    expect_as_library(text);
  }
  // Nearly numbers
  const std::string_view letters = "0123456789.-+eEinfaty()xp_ ,";
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (std::size_t n = random.below(9); n > 0; --n) text += letters[random.below(letters.size())];
    expect_as_library(text);
  }
}

// Exactly half way the even neighbour counts; a digit more, however far behind, decides otherwise
TEST(DoubleText, HalfWays) {
  using Integer = boost::multiprecision::mpz_int;
  Random random(campaign_seed(3));
  const auto largest = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::max());
  const auto told = [](std::uint64_t bits) {
    const auto x = std::bit_cast<double>(bits);
    return x == 0 || std::isinf(x) ? std::bit_cast<std::uint64_t>(kUntouched) : bits;
  };
  const std::uint64_t ends[] = {0, 1, (1ull << 52) - 2, (1ull << 52) - 1, 1ull << 52, largest - 1, largest};
  for (std::size_t i = 0; i < 1500; ++i) {
    const std::uint64_t low = i < std::size(ends) ? ends[i] : random.below(largest);
    // The double is m 2^e, the next one (m + 1) 2^e
    const std::uint64_t biased = low >> 52, m = (low & ((1ull << 52) - 1)) | (biased > 0 ? 1ull << 52 : 0);
    const int exponent = static_cast<int>(std::max<std::uint64_t>(biased, 1)) - 1076;
    Integer digits = 2 * Integer(m) + 1;
    std::string tens;
    if (exponent >= 0) {
      digits <<= static_cast<unsigned>(exponent);
    } else {
      digits *= boost::multiprecision::pow(Integer(5), static_cast<unsigned>(-exponent));
      tens = "e" + std::to_string(exponent);
    }
    const std::string text = digits.str();
    EXPECT_EQ(plainly(text + tens).bits, told(low + (low & 1))) << text + tens;
    expect_as_library(text + tens);
    for (const std::size_t zeros : {0u, 1u, 40u, 900u}) {
      const std::string behind = "." + std::string(zeros, '0');
      EXPECT_EQ(plainly(text + behind + "1" + tens).bits, told(low + 1)) << text + tens;
      EXPECT_EQ(plainly(text + behind + "0" + tens).bits, told(low + (low & 1))) << text + tens;
    }
    const std::string less = Integer(digits - 1).str() + "." + std::string(random.below(900), '9');
    EXPECT_EQ(plainly(less + tens).bits, told(low)) << text + tens;
  }
}

TEST(DoubleText, NoLocaleMatters) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE", "fr_FR"})
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  const bool comma = std::string(std::localeconv()->decimal_point) == ",";
  for (const Line& line : kLines) {
    EXPECT_EQ(plainly(line.text).length, line.length) << line.text;
    EXPECT_EQ(reading(line.text, read_double).length, line.length) << line.text;
  }
  std::setlocale(LC_ALL, before.c_str());
  if (!comma) GTEST_SKIP() << "no locale with a decimal comma is installed";
}
