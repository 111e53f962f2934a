#include <sudar/broadphase/sweep_list.hpp>

namespace sudar {

template <int D>
int SweepList<D>::widest_axis(const BoxStore<D>& store, std::span<const std::uint32_t> rows) {
  int widest = 0;
  double largest = -1;
  for (int axis = 0; axis < D; ++axis) {
    const auto lo = store.lo(axis), hi = store.hi(axis);
    // Shifted by the first centre, so that a small crowd far from the origin keeps its digits
    double shift = 0, sum = 0, squares = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double center = 0.5 * lo[rows[i]] + 0.5 * hi[rows[i]];
      if (i == 0) shift = center;
      sum += center - shift;
      squares += (center - shift) * (center - shift);
    }
    const double variance = squares - sum * sum / static_cast<double>(std::max<std::size_t>(rows.size(), 1));
    if (variance > largest) {
      largest = variance;
      widest = axis;
    }
  }
  return widest;
}

template <int D>
void SweepList<D>::assign(const BoxStore<D>& store, std::span<const std::uint32_t> rows, int axis,
                          std::span<const std::uint32_t> tags) {
  const std::size_t count = rows.size();
  // Sort positions, not rows: the tags are found through them
  const auto sort_lo = store.lo(axis);
  keys_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) keys_[i] = {ordered_bits(sort_lo[rows[i]]), i};
  sort_rows(keys_, scratch_);

  rows_.resize(count);
  tags_.resize(tags.empty() ? 0 : count);
  for (std::size_t i = 0; i < count; ++i) rows_[i] = rows[keys_[i].row];
  for (std::size_t i = 0; i < tags_.size(); ++i) tags_[i] = tags[keys_[i].row];
  for (int k = 0; k < D; ++k) {
    // The sweep axis first, the others in order
    const int source = k == 0 ? axis : (k <= axis ? k - 1 : k);
    const auto from_lo = store.lo(source), from_hi = store.hi(source);
    auto& to_lo = lo_[static_cast<std::size_t>(k)];
    auto& to_hi = hi_[static_cast<std::size_t>(k)];
    to_lo.resize(count);
    to_hi.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      to_lo[i] = from_lo[rows_[i]];
      to_hi[i] = from_hi[rows_[i]];
    }
  }
}

template <int D>
std::size_t SweepList<D>::bytes() const noexcept {
  std::size_t total = (rows_.capacity() + tags_.capacity()) * sizeof(std::uint32_t) +
                      (keys_.capacity() + scratch_.capacity()) * sizeof(KeyedRow);
  for (const auto* columns : {&lo_, &hi_})
    for (const auto& column : *columns) total += column.capacity() * sizeof(float);
  return total;
}

template class SweepList<2>;
template class SweepList<3>;

}  // namespace sudar
