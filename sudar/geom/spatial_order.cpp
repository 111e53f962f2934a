// What:    Hilbert codes on a grid, sorted by digits; crowded cells again on a grid of their own, see the header.
#include <sudar/geom/spatial_order.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace sudar {
namespace {

struct Key {
  std::uint64_t code;
  std::uint32_t index;
};

constexpr std::size_t kCrowd = 32;  // points in one cell from which on the cell is sorted again

// Position along the Hilbert curve of the cell with these coordinates of `bits` bits each
template <int D>
std::uint64_t hilbert_code(std::array<std::uint32_t, D> x, int bits) {
  const std::uint32_t top = std::uint32_t{1} << (bits - 1);
  // Undo the excess work of the Gray code, from the largest cells down
  for (std::uint32_t q = top; q > 1; q >>= 1) {
    const std::uint32_t low = q - 1;
    for (int i = 0; i < D; ++i) {
      const std::uint32_t set = 0u - static_cast<std::uint32_t>((x[i] & q) != 0);
      const std::uint32_t t = (x[0] ^ x[i]) & low & ~set;
      x[0] ^= (low & set) | t;
      x[i] ^= t;
    }
  }
  for (int i = 1; i < D; ++i) x[i] ^= x[i - 1];
  std::uint32_t t = 0;
  for (std::uint32_t q = top; q > 1; q >>= 1)
    if (x[D - 1] & q) t ^= q - 1;
  for (int i = 0; i < D; ++i) x[i] ^= t;
  // Interleave, most significant bit of the first axis first
  std::uint64_t code = 0;
  for (int b = bits - 1; b >= 0; --b)
    for (int i = 0; i < D; ++i) code = code << 1 | (x[i] >> b & 1u);
  return code;
}

// Stable sort by the lowest `bits` bits of the code
void sort_keys(std::vector<Key>& keys, std::vector<Key>& spare, int bits) {
  if (keys.size() < 512) {
    std::sort(keys.begin(), keys.end(),
              [](const Key& a, const Key& b) { return a.code != b.code ? a.code < b.code : a.index < b.index; });
    return;
  }
  constexpr int kDigit = 11;
  spare.resize(keys.size());
  for (int shift = 0; shift < bits; shift += kDigit) {
    std::array<std::uint32_t, (1u << kDigit) + 1> start{};
    constexpr std::uint64_t kMask = (1u << kDigit) - 1;
    for (const Key& key : keys) ++start[(key.code >> shift & kMask) + 1];
    for (std::size_t d = 1; d < start.size(); ++d) start[d] += start[d - 1];
    for (const Key& key : keys) spare[start[key.code >> shift & kMask]++] = key;
    keys.swap(spare);
  }
}

// The round in which an index is inserted, counted from the last one back: each is 2^D times smaller than the next
template <int D>
std::uint32_t rounds_from_end(std::uint32_t index, std::uint32_t rounds) {
  std::uint64_t z = index + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return std::min(static_cast<std::uint32_t>(std::countr_zero(z)) / D, rounds);
}

}  // namespace

template <int D>
std::vector<std::uint32_t> spatial_order(std::span<const Vec<D, double>> points) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<Key> keys, spare;
  struct Range {
    std::size_t begin, end;
  };
  std::vector<Range> crowded = {{0, points.size()}};
  bool first = true;
  while (!crowded.empty()) {
    const Range range = crowded.back();
    crowded.pop_back();
    const std::size_t count = range.end - range.begin;
    if (count < 2) continue;

    // The box of this range. Halves, so that the width of any box of finite numbers is finite.
    Vec<D, double> lo = points[order[range.begin]] * 0.5, hi = lo;
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const Vec<D, double> half = points[order[k]] * 0.5;
      lo = min(lo, half);
      hi = max(hi, half);
    }
    const Vec<D, double> width = hi - lo;
    const double widest = max_abs(width);
    if (!(widest > 0)) continue;

    // About four cells per point, cubes of the same size along every axis
    const int log_count = static_cast<int>(std::bit_width(count));
    const int bits = std::min(log_count / D + 2, 60 / D - 3);
    const auto cells = static_cast<double>(std::uint32_t{1} << bits);
    const auto rounds = first && log_count > 7 ? static_cast<std::uint32_t>((log_count - 7) / D) : 0u;
    keys.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t index = order[range.begin + k];
      std::array<std::uint32_t, D> cell;
      for (int i = 0; i < D; ++i) {
        const double at = (points[index][i] * 0.5 - lo[i]) / widest * cells;
        cell[i] = static_cast<std::uint32_t>(std::min(at, cells - 1));
      }
      const std::uint64_t round = rounds - rounds_from_end<D>(index, rounds);
      keys[k] = {round << (D * bits) | hilbert_code<D>(cell, bits), index};
    }
    sort_keys(keys, spare, D * bits + static_cast<int>(std::bit_width(rounds)));
    for (std::size_t k = 0; k < count; ++k) order[range.begin + k] = keys[k].index;
    for (std::size_t k = 0; k < count;) {
      std::size_t end = k + 1;
      while (end < count && keys[end].code == keys[k].code) ++end;
      if (end - k > kCrowd) crowded.push_back({range.begin + k, range.begin + end});
      k = end;
    }
    first = false;
  }
  return order;
}

template SUDAR_API std::vector<std::uint32_t> spatial_order<2>(std::span<const Vec2d>);
template SUDAR_API std::vector<std::uint32_t> spatial_order<3>(std::span<const Vec3d>);

}  // namespace sudar
