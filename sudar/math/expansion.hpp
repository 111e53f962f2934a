// What:    Exact sums and products of doubles as expansions: unevaluated sums of doubles that do not overlap.
// Source:  Dekker 1971, Knuth 1969 (two_sum, two_product); Shewchuk, "Adaptive Precision Floating-Point Arithmetic and
//          Fast Robust Geometric Predicates", 1997 (sums and scalings of expansions, theorems 13 and 19).
// Differs: The capacity of an expansion is part of its type, so the compiler checks that no result can run over.
// Fails:   Exact only while no product leaves the exponent range; callers check that first (predicates.cpp).
//          Must not be compiled with value-changing floating-point options (-ffast-math).
#pragma once

#include <sudar/core/config.hpp>

#include <cmath>
#include <type_traits>

namespace sudar::inline SUDAR_ABI {

// hi + lo is exact, hi is the rounded result
struct TwoDoubles {
  double hi, lo;
};

constexpr TwoDoubles two_sum(double a, double b) {
  const double s = a + b;
  const double bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}
// Needs |a| ≥ |b| or a == 0
constexpr TwoDoubles fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}
constexpr TwoDoubles two_difference(double a, double b) {
  const double s = a - b;
  const double bb = a - s;
  return {s, (a - (s + bb)) + (bb - b)};
}
// Two halves of at most 26 bits each; exact for |a| < 2^996
constexpr TwoDoubles split(double a) {
  constexpr double kSplitter = 0x1p27 + 1;
  const double c = kSplitter * a;
  const double hi = c - (c - a);
  return {hi, a - hi};
}
// Exact while the lowest bit of a·b is at least 2^-1074 and |a|, |b|, |a·b| are below 2^996. Where the target has a
// fused multiply-add, it gives the error at once, and no compiler can contract the halves of Dekker's way behind our
// back; where it has none, nothing can be contracted.
constexpr TwoDoubles two_product(double a, double b) {
  const double p = a * b;
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(FP_FAST_FMA)
  if (!std::is_constant_evaluated()) return {p, std::fma(a, b, -p)};
#endif
  const TwoDoubles sa = split(a), sb = split(b);
  return {p, sa.lo * sb.lo - (((p - sa.hi * sb.hi) - sa.lo * sb.hi) - sa.hi * sb.lo)};
}

// Components grow in magnitude, do not overlap, and none of them is zero (no components: the value is zero)
template <int N>
struct Expansion {
  int size = 0;
  double part[N];

  constexpr void push(double x) {
    if (x != 0) part[size++] = x;
  }
  // The largest component has the sign of the sum
  constexpr int sign() const { return size == 0 ? 0 : part[size - 1] > 0 ? 1 : -1; }
};

constexpr Expansion<2> to_expansion(TwoDoubles t) {
  Expansion<2> e;
  e.push(t.lo);
  e.push(t.hi);
  return e;
}

template <int N>
constexpr Expansion<N> operator-(const Expansion<N>& a) {
  Expansion<N> r;
  r.size = a.size;
  for (int i = 0; i < a.size; ++i) r.part[i] = -a.part[i];
  return r;
}

// Shewchuk's fast expansion sum: merge by magnitude, then carry upwards
template <int N, int M>
constexpr Expansion<N + M> operator+(const Expansion<N>& a, const Expansion<M>& b) {
  Expansion<N + M> r;
  int i = 0, j = 0;
  const auto next = [&] {
    if (i == a.size) return b.part[j++];
    if (j == b.size) return a.part[i++];
    const double x = a.part[i], y = b.part[j];
    const bool a_is_smaller = (x < 0 ? -x : x) < (y < 0 ? -y : y);
    return a_is_smaller ? a.part[i++] : b.part[j++];
  };
  const int count = a.size + b.size;
  if (count == 0) return r;
  double q = next();
  for (int k = 1; k < count; ++k) {
    const TwoDoubles t = two_sum(q, next());
    r.push(t.lo);
    q = t.hi;
  }
  r.push(q);
  return r;
}
template <int N, int M>
constexpr Expansion<N + M> operator-(const Expansion<N>& a, const Expansion<M>& b) {
  return a + -b;
}

template <int N>
constexpr Expansion<2 * N> operator*(const Expansion<N>& a, double b) {
  Expansion<2 * N> r;
  if (a.size == 0 || b == 0) return r;
  const TwoDoubles first = two_product(a.part[0], b);
  r.push(first.lo);
  double q = first.hi;
  for (int i = 1; i < a.size; ++i) {
    const TwoDoubles p = two_product(a.part[i], b);
    const TwoDoubles low = two_sum(q, p.lo);
    r.push(low.lo);
    const TwoDoubles high = fast_two_sum(p.hi, low.hi);
    r.push(high.lo);
    q = high.hi;
  }
  r.push(q);
  return r;
}

// Every component of b scales a; the scaled copies are added as a balanced tree
template <int N, int M>
constexpr Expansion<2 * N * M> operator*(const Expansion<N>& a, const Expansion<M>& b) {
  if constexpr (M == 1) {
    return a * (b.size == 0 ? 0.0 : b.part[0]);
  } else {
    constexpr int kHalf = M / 2;
    Expansion<kHalf> low;
    Expansion<M - kHalf> high;
    for (int i = 0; i < b.size; ++i) {
      if (i < kHalf)
        low.part[low.size++] = b.part[i];
      else
        high.part[high.size++] = b.part[i];
    }
    return a * low + a * high;
  }
}

}  // namespace sudar::inline SUDAR_ABI
