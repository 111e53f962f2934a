// What:    Numbers out of a fuzzer's bytes. When the bytes are used up, everything is zero.
// Differs: Most numbers are small and round, so that things touch, lie in one plane and coincide by chance; the rest are the
//          neighbours of such numbers, the ends of the range, and any bits at all. Read one a statement, or in braces: the
//          order of arguments is each compiler's own, and all of them read the same corpora.
#pragma once

#include "tests/fuzz/target.hpp"
#include <sudar/math/vec.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace sudar_fuzz {

class Bytes {
 public:
  explicit Bytes(FuzzBytes bytes, bool tame = false) : bytes_(bytes), tame_(tame) {}

  bool empty() const { return at_ >= bytes_.size(); }
  std::uint8_t byte() { return empty() ? 0 : bytes_[at_++]; }
  std::uint32_t below(std::uint32_t count) { return byte() % count; }
  bool coin() { return (byte() & 1) != 0; }
  template <class T>
  T raw() {
    unsigned char out[sizeof(T)] = {};
    for (unsigned char& b : out) b = byte();
    T value;
    std::memcpy(&value, out, sizeof(T));
    return value;
  }
  FuzzBytes rest() const { return bytes_.subspan(at_ < bytes_.size() ? at_ : bytes_.size()); }

  // A multiple of 1/8 in [-8, 8)
  double round_number() { return (byte() - 128) / 16.0; }
  // Finite, and of a size that bodies may have
  double number() {
    std::uint8_t kind = byte();
    // Sizes and places of one world: what is far apart in size makes exact arithmetic slow, not wrong
    if (tame_) kind = static_cast<std::uint8_t>(kind % 224);
    if (kind < 160) return (kind - 80) / 8.0;
    const double near = round_number();
    if (kind < 176) return std::nextafter(near, std::numeric_limits<double>::infinity());
    if (kind < 192) return std::nextafter(near, -std::numeric_limits<double>::infinity());
    if (kind < 224) return near + std::ldexp(1.0, -4 * (kind - 192));
    if (kind < 240) return near * std::ldexp(1.0, 3 * (kind - 224) - 24);
    const double x = static_cast<double>(raw<float>());
    return std::isfinite(x) ? x : near;
  }
  // Of a length: positive when it can be
  double size() { return std::fabs(number()); }
  // Anything
  double any_number() {
    constexpr double kEnds[] = {0,
                                -0.0,
                                5e-324,
                                -5e-324,
                                2.2250738585072014e-308,
                                1e-300,
                                -1e300,
                                1.7976931348623157e308,
                                1e38,
                                -3.5e38,
                                1e10,
                                1 / 3.0,
                                0.1,
                                1e-45,
                                1e154,
                                -1e-154};
    const std::uint8_t kind = byte();
    if (kind < 200) return number();
    if (kind < 232) return kEnds[kind % std::size(kEnds)];
    if (kind < 236) return std::numeric_limits<double>::quiet_NaN();
    if (kind < 240)
      return (kind & 1) != 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
    return raw<double>();
  }

  template <int D>
  sudar::Vec<D, double> vector() {
    sudar::Vec<D, double> v;
    for (int i = 0; i < D; ++i) v[i] = number();
    return v;
  }
  template <int D>
  sudar::Vec<D, double> any_vector() {
    sudar::Vec<D, double> v;
    for (int i = 0; i < D; ++i) v[i] = any_number();
    return v;
  }

 private:
  FuzzBytes bytes_;
  bool tame_;
  std::size_t at_ = 0;
};

}  // namespace sudar_fuzz
