// What:    Exact integers of bounded size for numbers that are whole multiples of one power of two, which any set of
//          finite doubles is: differences, products and sums with a known sign.
// Differs: No allocation and no exception. The capacity is part of the type and grows with each operation, so that
//          overrun is impossible by construction; the length in use is kept at run time, so small numbers stay cheap.
// Fails:   never. The scale (the power of two) is chosen by the caller with `common_exponent` and is not stored: the
//          predicates are homogeneous, their sign does not depend on it.
#pragma once

#include <sudar/core/config.hpp>

#include <bit>
#include <cstdint>
#include <span>

namespace sudar {

// A finite double as mantissa · 2^exponent with an odd mantissa (or zero)
struct OddMantissa {
  std::uint64_t mantissa;
  int exponent;
};
constexpr OddMantissa odd_mantissa(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int biased = static_cast<int>(bits >> 52) & 0x7ff;
  std::uint64_t m = bits & ((std::uint64_t{1} << 52) - 1);
  if (biased != 0) m |= std::uint64_t{1} << 52;
  if (m == 0) return {0, 0};
  const int zeros = std::countr_zero(m);
  return {m >> zeros, (biased == 0 ? 1 : biased) - 1075 + zeros};
}
// The largest e such that every number is a multiple of 2^e (0 when all are zero)
constexpr int common_exponent(std::span<const double> numbers) {
  constexpr int kNone = 2000;
  int lowest = kNone;
  for (const double x : numbers)
    if (x != 0 && odd_mantissa(x).exponent < lowest) lowest = odd_mantissa(x).exponent;
  return lowest == kNone ? 0 : lowest;
}

// Finite doubles span 2^-1074 … 2^1024: 2098 bits, one more for a difference
inline constexpr int kDyadicLimbs = 33;

struct WideProduct {
  std::uint64_t hi, lo;
};
constexpr WideProduct wide_product(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
  __extension__ using Wide = unsigned __int128;
  const Wide p = static_cast<Wide>(a) * b;
  return {static_cast<std::uint64_t>(p >> 64), static_cast<std::uint64_t>(p)};
#else
  constexpr std::uint64_t kLow = 0xffffffffu;
  const std::uint64_t ll = (a & kLow) * (b & kLow), lh = (a & kLow) * (b >> 32), hl = (a >> 32) * (b & kLow);
  const std::uint64_t mid = (ll >> 32) + (lh & kLow) + (hl & kLow);
  return {(a >> 32) * (b >> 32) + (lh >> 32) + (hl >> 32) + (mid >> 32), (mid << 32) | (ll & kLow)};
#endif
}

// Sign and magnitude, least limb first; limb[size - 1] is never zero
template <int N>
struct Dyadic {
  int size = 0;
  bool negative = false;
  std::uint64_t limb[N];

  constexpr int sign() const { return size == 0 ? 0 : negative ? -1 : 1; }
  constexpr void trim() {
    while (size > 0 && limb[size - 1] == 0) --size;
  }
};

// x / 2^exponent, which must be whole and fit
template <int N = kDyadicLimbs>
constexpr Dyadic<N> to_dyadic(double x, int exponent) {
  Dyadic<N> r;
  const OddMantissa m = odd_mantissa(x);
  if (m.mantissa == 0) return r;
  const int shift = m.exponent - exponent, skip = shift / 64, part = shift % 64;
  for (int i = 0; i < skip; ++i) r.limb[i] = 0;
  r.limb[skip] = m.mantissa << part;
  r.size = skip + 1;
  if (const std::uint64_t over = part == 0 ? 0 : m.mantissa >> (64 - part); over != 0) r.limb[r.size++] = over;
  r.negative = x < 0;
  return r;
}

namespace detail {

// r = |a| + |b|; r has room for one limb more than the longer
constexpr int add_magnitudes(std::uint64_t* r, const std::uint64_t* a, int na, const std::uint64_t* b, int nb) {
  if (na < nb) return add_magnitudes(r, b, nb, a, na);
  std::uint64_t carry = 0;
  for (int i = 0; i < na; ++i) {
    const std::uint64_t y = i < nb ? b[i] : 0;
    const std::uint64_t s = a[i] + y, t = s + carry;
    carry = static_cast<std::uint64_t>(s < y) | static_cast<std::uint64_t>(t < s);
    r[i] = t;
  }
  if (carry != 0) r[na++] = carry;
  return na;
}
// r = |a| - |b|, which must not be negative
constexpr int subtract_magnitudes(std::uint64_t* r, const std::uint64_t* a, int na, const std::uint64_t* b, int nb) {
  std::uint64_t borrow = 0;
  for (int i = 0; i < na; ++i) {
    const std::uint64_t y = i < nb ? b[i] : 0;
    const std::uint64_t d = a[i] - y, t = d - borrow;
    borrow = static_cast<std::uint64_t>(a[i] < y) | static_cast<std::uint64_t>(d < borrow);
    r[i] = t;
  }
  while (na > 0 && r[na - 1] == 0) --na;
  return na;
}
constexpr bool magnitude_less(const std::uint64_t* a, int na, const std::uint64_t* b, int nb) {
  if (na != nb) return na < nb;
  for (int i = na - 1; i >= 0; --i)
    if (a[i] != b[i]) return a[i] < b[i];
  return false;
}
template <int N, int M>
constexpr auto add_signed(const Dyadic<N>& a, const Dyadic<M>& b, bool negate_b) {
  Dyadic<(N > M ? N : M) + 1> r;
  const bool b_negative = b.negative != negate_b;
  if (a.negative == b_negative) {
    r.size = add_magnitudes(r.limb, a.limb, a.size, b.limb, b.size);
    r.negative = a.negative;
  } else if (magnitude_less(a.limb, a.size, b.limb, b.size)) {
    r.size = subtract_magnitudes(r.limb, b.limb, b.size, a.limb, a.size);
    r.negative = b_negative;
  } else {
    r.size = subtract_magnitudes(r.limb, a.limb, a.size, b.limb, b.size);
    r.negative = a.negative;
  }
  return r;
}

}  // namespace detail

template <int N, int M>
constexpr auto operator+(const Dyadic<N>& a, const Dyadic<M>& b) {
  return detail::add_signed(a, b, false);
}
template <int N, int M>
constexpr auto operator-(const Dyadic<N>& a, const Dyadic<M>& b) {
  return detail::add_signed(a, b, true);
}
template <int N, int M>
constexpr Dyadic<N + M> operator*(const Dyadic<N>& a, const Dyadic<M>& b) {
  Dyadic<N + M> r;
  if (a.size == 0 || b.size == 0) return r;
  r.size = a.size + b.size;
  r.negative = a.negative != b.negative;
  for (int i = 0; i < r.size; ++i) r.limb[i] = 0;
  for (int i = 0; i < a.size; ++i) {
    std::uint64_t carry = 0;
    for (int j = 0; j < b.size; ++j) {
      // (2^64 - 1)² + 2 (2^64 - 1) = 2^128 - 1: two additions never overflow the wide product
      WideProduct p = wide_product(a.limb[i], b.limb[j]);
      p.lo += carry;
      p.hi += p.lo < carry;
      r.limb[i + j] += p.lo;
      carry = p.hi + (r.limb[i + j] < p.lo);
    }
    r.limb[i + b.size] = carry;
  }
  r.trim();
  return r;
}

}  // namespace sudar
