// What:    Signed integers of any length: sums, products, shifts and signs without error.
// Differs: dyadic.hpp carries the capacity in the type and fixed_integer.hpp the length; both suit one formula. Chains of
//          remainders of polynomials have lengths that depend on the numbers, so these grow. The first kInline words are
//          kept in the object; numbers of usual size ask for no memory.
// Fails:   may throw bad_alloc when a number grows past kInline words: callers are behind `guarded`.
#pragma once

#include <sudar/math/dyadic.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

namespace sudar {

class BigInteger {
 public:
  static constexpr int kInline = 16;

  BigInteger() noexcept : words_(inline_) {}
  BigInteger(std::int64_t x) noexcept : words_(inline_) {
    negative_ = x < 0;
    inline_[0] = negative_ ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
    size_ = x != 0;
  }
  BigInteger(const BigInteger& other) : words_(inline_) { *this = other; }
  BigInteger(BigInteger&& other) noexcept : words_(inline_) { *this = std::move(other); }
  BigInteger& operator=(const BigInteger& other) {
    if (this == &other) return *this;
    reserve(other.size_);
    std::copy(other.words_, other.words_ + other.size_, words_);
    size_ = other.size_;
    negative_ = other.negative_;
    return *this;
  }
  BigInteger& operator=(BigInteger&& other) noexcept {
    if (this == &other) return *this;
    if (other.heap_ != nullptr) {
      heap_ = std::move(other.heap_);
      words_ = heap_.get();
      capacity_ = other.capacity_;
      other.words_ = other.inline_;
      other.capacity_ = kInline;
    } else {
      // What fits in there fits here
      std::copy(other.words_, other.words_ + other.size_, words_);
    }
    size_ = other.size_;
    negative_ = other.negative_;
    other.size_ = 0;
    return *this;
  }
  ~BigInteger() = default;

  // x · 2^-exponent, which must be whole
  static BigInteger of(double x, int exponent) {
    const OddMantissa m = odd_mantissa(x);
    BigInteger r;
    if (m.mantissa == 0) return r;
    r.inline_[0] = m.mantissa;
    r.size_ = 1;
    r.negative_ = x < 0;
    return r << (m.exponent - exponent);
  }

  int sign() const noexcept { return size_ == 0 ? 0 : negative_ ? -1 : 1; }
  bool is_zero() const noexcept { return size_ == 0; }
  // The number of bits of |x|
  int bits() const noexcept {
    return size_ == 0 ? 0 : 64 * (size_ - 1) + static_cast<int>(std::bit_width(words_[size_ - 1]));
  }
  // How often two divides x, which is not zero
  int trailing_zeros() const noexcept {
    int i = 0;
    while (words_[i] == 0) ++i;
    return 64 * i + std::countr_zero(words_[i]);
  }
  // x modulo 2^61 - 1, from 0 on
  static constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
  std::uint64_t modulo_prime() const noexcept {
    const auto reduced = [](std::uint64_t x) {
      x = (x & kPrime) + (x >> 61);
      return x >= kPrime ? x - kPrime : x;
    };
    // 2^64 is 8
    std::uint64_t r = 0;
    for (int i = size_ - 1; i >= 0; --i) r = reduced(reduced(8 * r) + reduced(words_[i]));
    return negative_ && r != 0 ? kPrime - r : r;
  }
  // x · 2^-shift rounded to some double within two units in the last place, or zero when that is too small
  double scaled(int shift) const noexcept {
    double r = 0;
    for (int i = size_ - 1; i >= 0 && i >= size_ - 2; --i)
      r += std::ldexp(static_cast<double>(words_[i]), 64 * i - shift);
    return negative_ ? -r : r;
  }

  // mantissa · 2^exponent with 1 <= |mantissa| <= 2^64, within three roundings; zero is zero
  struct Rounded {
    double mantissa;
    int exponent;
  };
  Rounded rounded() const noexcept {
    if (size_ == 0) return {0, 0};
    double m = static_cast<double>(words_[size_ - 1]);
    if (size_ > 1) m += static_cast<double>(words_[size_ - 2]) * 0x1p-64;
    return {negative_ ? -m : m, 64 * (size_ - 1)};
  }

  friend BigInteger operator-(BigInteger a) noexcept {
    a.negative_ = !a.negative_;
    return a;
  }
  friend BigInteger operator+(const BigInteger& a, const BigInteger& b) { return sum(a, b, b.negative_); }
  friend BigInteger operator-(const BigInteger& a, const BigInteger& b) { return sum(a, b, !b.negative_); }
  friend BigInteger operator*(const BigInteger& a, const BigInteger& b) {
    BigInteger r;
    if (a.size_ == 0 || b.size_ == 0) return r;
    r.reserve(a.size_ + b.size_);
    r.size_ = a.size_ + b.size_;
    r.negative_ = a.negative_ != b.negative_;
    std::fill(r.words_, r.words_ + r.size_, std::uint64_t{0});
    for (int i = 0; i < a.size_; ++i) {
      std::uint64_t carry = 0;
      const std::uint64_t x = a.words_[i];
      if (x == 0) continue;
      for (int j = 0; j < b.size_; ++j) {
        // (2^64 - 1)² + 2 (2^64 - 1) = 2^128 - 1: two additions never overflow the wide product
        WideProduct p = wide_product(x, b.words_[j]);
        p.lo += carry;
        p.hi += p.lo < carry;
        r.words_[i + j] += p.lo;
        carry = p.hi + (r.words_[i + j] < p.lo);
      }
      r.words_[i + b.size_] = carry;
    }
    r.trim();
    return r;
  }
  // bits >= 0
  friend BigInteger operator<<(const BigInteger& a, int bits) {
    BigInteger r;
    if (a.size_ == 0) return r;
    const int skip = bits / 64, part = bits % 64;
    r.reserve(a.size_ + skip + 1);
    std::fill(r.words_, r.words_ + skip, std::uint64_t{0});
    std::uint64_t over = 0;
    for (int i = 0; i < a.size_; ++i) {
      r.words_[i + skip] = (a.words_[i] << part) | over;
      over = part == 0 ? 0 : a.words_[i] >> (64 - part);
    }
    r.size_ = a.size_ + skip;
    if (over != 0) r.words_[r.size_++] = over;
    r.negative_ = a.negative_;
    return r;
  }
  // Divides by 2^bits, which must leave no rest
  void shift_down(int bits) noexcept {
    const int skip = bits / 64, part = bits % 64;
    if (bits == 0 || size_ == 0) return;
    for (int i = skip; i < size_; ++i) {
      const std::uint64_t above = i + 1 < size_ && part != 0 ? words_[i + 1] << (64 - part) : 0;
      words_[i - skip] = (words_[i] >> part) | above;
    }
    size_ -= skip;
    trim();
  }

 private:
  static BigInteger sum(const BigInteger& a, const BigInteger& b, bool b_negative) {
    BigInteger r;
    r.reserve(std::max(a.size_, b.size_) + 1);
    if (a.negative_ == b_negative) {
      r.size_ = detail::add_magnitudes(r.words_, a.words_, a.size_, b.words_, b.size_);
      r.negative_ = a.negative_;
    } else if (detail::magnitude_less(a.words_, a.size_, b.words_, b.size_)) {
      r.size_ = detail::subtract_magnitudes(r.words_, b.words_, b.size_, a.words_, a.size_);
      r.negative_ = b_negative;
    } else {
      r.size_ = detail::subtract_magnitudes(r.words_, a.words_, a.size_, b.words_, b.size_);
      r.negative_ = a.negative_;
    }
    return r;
  }
  void trim() noexcept {
    while (size_ > 0 && words_[size_ - 1] == 0) --size_;
  }
  // Room for n words; what was there is lost
  void reserve(int n) {
    if (n <= capacity_) return;
    heap_ = std::make_unique_for_overwrite<std::uint64_t[]>(static_cast<std::size_t>(n));
    words_ = heap_.get();
    capacity_ = n;
  }

  int size_ = 0, capacity_ = kInline;
  bool negative_ = false;
  std::uint64_t* words_;
  std::unique_ptr<std::uint64_t[]> heap_;
  std::uint64_t inline_[kInline];
};

}  // namespace sudar
