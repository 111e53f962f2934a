// What:    Makes what fails simpler: leaves out of a list what the failure does not need, and puts simpler numbers in place of
//          others, one at a time, as long as it still fails. Every campaign that writes cases shrinks them with these.
// Source:  Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002, for lists.
// Differs: Greedy: a simpler case that would need two numbers changed at once is not found.
// Fails:   never; where nothing is simpler the case stays as it is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sudar_test {

// Leaves out of a list what fails(list) does not need, long runs first
template <class T, class F>
void leave_out(std::vector<T>& list, F&& fails) {
  for (std::size_t run = list.size(); run > 0;) {
    bool shorter = false;
    for (std::size_t at = 0; at < list.size();) {
      std::vector<T> rest = list;
      const auto first = rest.begin() + static_cast<std::ptrdiff_t>(at);
      rest.erase(first, first + static_cast<std::ptrdiff_t>(std::min(run, rest.size() - at)));
      if (fails(rest)) {
        list.swap(rest);
        shorter = true;
      } else {
        at += run;
      }
    }
    if (!shorter || run > list.size()) run = std::min(run / 2, list.size());
  }
}

// Two at a time: what is put in and taken out again
template <class T, class F>
void leave_out_twos(std::vector<T>& list, F&& fails) {
  for (std::size_t a = 0; a < list.size(); ++a)
    for (std::size_t b = a + 1; b < list.size(); ++b) {
      std::vector<T> rest = list;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(b));
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(a));
      if (!fails(rest)) continue;
      list.swap(rest);
      b = a;
    }
}

// The number with the first so many bits of its fraction, towards zero
inline double with_bits(double x, int bits) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::trunc(std::ldexp(fraction, bits)), exponent - bits);
}

// From the simplest on: none, one, whole, in eighths, and with few bits, whatever the exponent
inline std::vector<double> simpler_numbers(double x) {
  std::vector<double> out = {0, 1};
  if (!std::isfinite(x)) return out;
  out.push_back(std::copysign(1.0, x));
  if (std::fabs(x) < 1e15) out.push_back(std::trunc(x));
  if (std::fabs(x) < 1e14) out.push_back(std::trunc(8 * x) / 8);
  for (const int bits : {1, 2, 4, 8, 16, 24, 36}) out.push_back(with_bits(x, bits));
  return out;
}

// The simplest number in the place of x with which fails() still holds; whether there is one
template <class F>
bool simplify(double& x, F&& fails) {
  const double before = x;
  for (const double simple : simpler_numbers(before)) {
    if (simple == before) break;
    x = simple;
    if (fails()) return true;
  }
  x = before;
  return false;
}

// All numbers of a case, which numbers(c) points to, again and again until none gets simpler
template <class Case, class Numbers, class F>
void simplify_numbers(Case& c, const Numbers& numbers, const F& fails) {
  constexpr int kRounds = 4;
  bool simpler = true;
  for (int round = 0; round < kRounds && simpler; ++round) {
    simpler = false;
    for (double* x : numbers(c)) simpler |= simplify(*x, [&] { return fails(std::as_const(c)); });
  }
}

}  // namespace sudar_test
