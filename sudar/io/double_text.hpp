// What:    A double off the start of a text, as std::from_chars reads it: no blank and no plus in front, no hexadecimal digits,
//          "inf", "infinity", "nan" and "nan(...)" in any case; the nearest double, the even one of two; a point whatever the
//          locale. LLVM's standard library has that since version 20, and others have had it longer.
// Source:  Exact integers: the digits times or divided by a power of ten. Of a quotient that is divided in steps (floor of a
//          floor) only whether a remainder was left counts, beside its first 64 bits.
// Differs: No more than kMostDigits digits are looked at: no point half way between two doubles has more than 768, so what
//          comes after is nothing, or something more than nothing (DoubleText.HalfWays).
// Fails:   as std::from_chars: invalid_argument at the start of the text, result_out_of_range behind the number, `value` left
//          as it was. Numbers that round to zero are out of range, denormal ones are not.
#pragma once

#include <sudar/core/config.hpp>

#include <charconv>
#include <string_view>

namespace sudar {

// By the standard library where it can
SUDAR_API std::from_chars_result read_double(std::string_view text, double& value) noexcept;

// The same without the standard library: several times slower, and what takes its place where it cannot
SUDAR_API std::from_chars_result read_double_plainly(std::string_view text, double& value) noexcept;

}  // namespace sudar
