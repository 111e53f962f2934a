#include <sudar/broadphase/packed_tree.hpp>

namespace sudar {

namespace {

// Every D-th bit of a 32-bit code from the bits of x
template <int D>
std::uint32_t spread_bits(std::uint32_t x) {
  std::uint32_t code = 0;
  for (int bit = 0; bit < 32 / D; ++bit) code |= (x >> bit & 1u) << (D * bit);
  return code;
}

}  // namespace

template <int D>
void PackedTree<D>::build(const BoxStore<D>& store) {
  constexpr int kBits = 32 / D;
  // Order the centres along the curve, in cells of the box of all centres. Halved sums cannot overflow.
  Aabb<D, double> all = Aabb<D, double>::empty();
  const auto centre = [&](std::size_t row, int axis) { return 0.5 * store.lo(axis)[row] + 0.5 * store.hi(axis)[row]; };
  for (std::size_t row = 0; row < store.size(); ++row)
    for (int k = 0; k < D; ++k) {
      all.lo[k] = std::min(all.lo[k], centre(row, k));
      all.hi[k] = std::max(all.hi[k], centre(row, k));
    }
  rows_.resize(store.size());
  for (std::uint32_t row = 0; row < store.size(); ++row) {
    std::uint32_t code = 0;
    for (int k = 0; k < D; ++k) {
      const double extent = all.hi[k] - all.lo[k];
      const double place = extent > 0 ? (centre(row, k) - all.lo[k]) / extent * ((1 << kBits) - 1) : 0;
      code |= spread_bits<D>(static_cast<std::uint32_t>(place)) << k;
    }
    rows_[row] = {code, row};
  }
  sort_rows(rows_, scratch_);

  // Boxes of the leaves, then of each level above, until one node is left
  std::size_t level = 0, count = rows_.size();
  if (count == 0) return levels_.clear();
  do {
    const std::size_t nodes = (count + kWidth - 1) / kWidth;
    if (levels_.size() <= level) levels_.emplace_back();
    levels_[level].resize(nodes);
    for (std::size_t node = 0; node < nodes; ++node) {
      Aabb<D, float> box = Aabb<D, float>::empty();
      for (std::size_t i = node * kWidth; i < std::min((node + 1) * kWidth, count); ++i)
        box = merge(box, level == 0 ? store.box(rows_[i].row) : levels_[level - 1][i]);
      levels_[level][node] = box;
    }
    count = nodes;
    ++level;
  } while (count > 1);
  levels_.resize(level);
}

template <int D>
std::size_t PackedTree<D>::bytes() const noexcept {
  std::size_t total = (rows_.capacity() + scratch_.capacity()) * sizeof(KeyedRow);
  for (const auto& level : levels_) total += level.capacity() * sizeof(Aabb<D, float>);
  return total;
}

template class PackedTree<2>;
template class PackedTree<3>;

}  // namespace sudar
