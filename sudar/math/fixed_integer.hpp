// What:    Signed integers of a fixed number of 64-bit words, for polynomials whose size is known beforehand.
// Differs: Products grow the type; sums do not: the caller keeps a budget of bits, so that they cannot overflow
//          (predicates.cpp). No branches and no loops that the compiler cannot unroll, which makes them several times
//          faster than dyadic.hpp, whose numbers have any length.
// Fails:   never within the budget.
#pragma once

#include <sudar/math/dyadic.hpp>

#include <cstdint>

namespace sudar {

// Two's complement, least word first
template <int W>
struct FixedInteger {
  std::uint64_t word[W];

  constexpr bool negative() const { return word[W - 1] >> 63 != 0; }
  constexpr int sign() const {
    if (negative()) return -1;
    std::uint64_t any = 0;
    for (int i = 0; i < W; ++i) any |= word[i];
    return any != 0 ? 1 : 0;
  }
};

constexpr FixedInteger<1> to_fixed(std::int64_t x) { return {{static_cast<std::uint64_t>(x)}}; }

template <int W>
constexpr FixedInteger<W> operator+(const FixedInteger<W>& a, const FixedInteger<W>& b) {
  FixedInteger<W> r{};
  std::uint64_t carry = 0;
  for (int i = 0; i < W; ++i) {
    const std::uint64_t s = a.word[i] + b.word[i];
    r.word[i] = s + carry;
    carry = static_cast<std::uint64_t>(s < a.word[i]) | static_cast<std::uint64_t>(r.word[i] < s);
  }
  return r;
}
template <int W>
constexpr FixedInteger<W> operator-(const FixedInteger<W>& a, const FixedInteger<W>& b) {
  FixedInteger<W> r{};
  std::uint64_t borrow = 0;
  for (int i = 0; i < W; ++i) {
    const std::uint64_t d = a.word[i] - b.word[i];
    r.word[i] = d - borrow;
    borrow = static_cast<std::uint64_t>(a.word[i] < b.word[i]) | static_cast<std::uint64_t>(d < borrow);
  }
  return r;
}

template <int A, int B>
constexpr FixedInteger<A + B> operator*(const FixedInteger<A>& a, const FixedInteger<B>& b) {
  FixedInteger<A + B> r{};
  // As if unsigned …
  for (int i = 0; i < A; ++i) {
    std::uint64_t carry = 0;
    for (int j = 0; j < B; ++j) {
      WideProduct p = wide_product(a.word[i], b.word[j]);
      p.lo += carry;
      p.hi += p.lo < carry;
      r.word[i + j] += p.lo;
      carry = p.hi + (r.word[i + j] < p.lo);
    }
    r.word[i + B] = carry;
  }
  // … then a negative factor counted 2^64A or 2^64B times the other too much
  const std::uint64_t a_mask = a.negative() ? ~std::uint64_t{0} : 0, b_mask = b.negative() ? ~std::uint64_t{0} : 0;
  std::uint64_t borrow = 0;
  for (int j = 0; j < B; ++j) {
    const std::uint64_t y = b.word[j] & a_mask, d = r.word[A + j] - y;
    const std::uint64_t next = static_cast<std::uint64_t>(r.word[A + j] < y) | static_cast<std::uint64_t>(d < borrow);
    r.word[A + j] = d - borrow;
    borrow = next;
  }
  borrow = 0;
  for (int i = 0; i < A; ++i) {
    const std::uint64_t y = a.word[i] & b_mask, d = r.word[B + i] - y;
    const std::uint64_t next = static_cast<std::uint64_t>(r.word[B + i] < y) | static_cast<std::uint64_t>(d < borrow);
    r.word[B + i] = d - borrow;
    borrow = next;
  }
  return r;
}

#if defined(__SIZEOF_INT128__)
// The commonest product in two instructions
constexpr FixedInteger<2> operator*(const FixedInteger<1>& a, const FixedInteger<1>& b) {
  __extension__ using Wide = __int128;
  const Wide p = static_cast<Wide>(static_cast<std::int64_t>(a.word[0])) * static_cast<std::int64_t>(b.word[0]);
  return {{static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(p >> 64)}};
}
#endif

}  // namespace sudar
