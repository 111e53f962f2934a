// What:    Morton codes: the bits of two or three cell numbers interleaved, in 32 and 64 bits, and of points in a box.
// Source:  Morton, "A computer oriented geodetic data base", 1966; bits are spread by shifts and masks.
// Frame:   Axis 0 (x) owns the lowest bit. 16 and 32 bits per axis in 2D, 10 and 21 in 3D.
// Fails:   Numbers past the bits of an axis are cut off; points outside of the box and NaN clamp to its border cells.
#pragma once

#include <sudar/math/vec.hpp>

#include <array>
#include <cstdint>
#include <type_traits>

namespace sudar {

// Bits per axis of a code
template <int D, class Code>
inline constexpr int kMortonBits = static_cast<int>(sizeof(Code) * 8) / D;

namespace detail {

// The mask that keeps groups of `group` bits, one group every D·group bits
template <int D>
constexpr std::uint64_t morton_mask(int group) {
  std::uint64_t mask = 0;
  for (int start = 0; start < 64; start += D * group)
    for (int i = 0; i < group && start + i < 64; ++i) mask |= std::uint64_t{1} << (start + i);
  return mask;
}
// For groups of 1, 2, 4 … 32 bits; a table, because compilers do not see through the loop above
template <int D>
inline constexpr std::array<std::uint64_t, 6> kMortonMasks = {
    morton_mask<D>(1), morton_mask<D>(2), morton_mask<D>(4), morton_mask<D>(8), morton_mask<D>(16), morton_mask<D>(32)};
// Bit i to bit D·i: halves of 32, 16, 8 … bits move apart
template <int D>
constexpr std::uint64_t morton_spread(std::uint64_t x) {
  x &= (std::uint64_t{1} << kMortonBits<D, std::uint64_t>)-1;
  constexpr const auto& masks = kMortonMasks<D>;
  for (int i = 4; i >= 0; --i) x = (x | x << ((D - 1) << i)) & masks[static_cast<std::size_t>(i)];
  return x;
}
template <int D>
constexpr std::uint64_t morton_gather(std::uint64_t x) {
  x &= morton_mask<D>(1);
  constexpr const auto& masks = kMortonMasks<D>;
  for (int i = 0; i <= 4; ++i) x = (x | x >> ((D - 1) << i)) & masks[static_cast<std::size_t>(i + 1)];
  return x & ((std::uint64_t{1} << kMortonBits<D, std::uint64_t>)-1);
}

}  // namespace detail

template <int D, class Code>
constexpr Code morton_encode(const std::array<std::uint32_t, D>& cell) {
  static_assert((D == 2 || D == 3) && (std::is_same_v<Code, std::uint32_t> || std::is_same_v<Code, std::uint64_t>));
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kMortonBits<D, Code>)-1;
  std::uint64_t code = 0;
  for (int i = 0; i < D; ++i) code |= detail::morton_spread<D>(cell[i] & kMask) << i;
  return static_cast<Code>(code);
}
template <int D, class Code>
constexpr std::array<std::uint32_t, D> morton_decode(Code code) {
  std::array<std::uint32_t, D> cell{};
  for (int i = 0; i < D; ++i)
    cell[i] = static_cast<std::uint32_t>(detail::morton_gather<D>(std::uint64_t{code} >> i)) &
              static_cast<std::uint32_t>((std::uint64_t{1} << kMortonBits<D, Code>)-1);
  return cell;
}

// The cell of x among 2^bits equal cells of [lo, hi]. Monotone in x.
template <class T>
constexpr std::uint32_t quantise(T x, T lo, T hi, int bits) {
  // Halves, so that the size of a box never overflows
  const double cells = static_cast<double>(std::uint64_t{1} << bits);
  const double a = static_cast<double>(lo) / 2, size = static_cast<double>(hi) / 2 - a;
  const double t = size > 0 ? (static_cast<double>(x) / 2 - a) / size * cells : 0;
  if (!(t > 0)) return 0;
  return t < cells ? static_cast<std::uint32_t>(t) : static_cast<std::uint32_t>(cells - 1);
}
template <class Code, AnyVec V>
constexpr Code morton_code(const V& p, const V& lo, const V& hi) {
  std::array<std::uint32_t, V::kDim> cell{};
  for (int i = 0; i < V::kDim; ++i) cell[i] = quantise(p[i], lo[i], hi[i], kMortonBits<V::kDim, Code>);
  return morton_encode<V::kDim, Code>(cell);
}

}  // namespace sudar
