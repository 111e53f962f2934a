#include <sudar/broadphase/sweep_list.hpp>

namespace sudar {

template <int D>
std::array<double, D> SweepList<D>::spread(const BoxStore<D>& store, std::span<const std::uint32_t> rows) {
  std::array<double, D> variances;
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
    variances[static_cast<std::size_t>(axis)] =
        squares - sum * sum / static_cast<double>(std::max<std::size_t>(rows.size(), 1));
  }
  return variances;
}

template <int D>
int SweepList<D>::widest_axis(const BoxStore<D>& store, std::span<const std::uint32_t> rows) {
  const auto variances = spread(store, rows);
  return static_cast<int>(std::max_element(variances.begin(), variances.end()) - variances.begin());
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

  ids_.resize(count);
  tags_.resize(tags.empty() ? 0 : count);
  for (std::size_t i = 0; i < tags_.size(); ++i) tags_[i] = tags[keys_[i].row];
  for (std::size_t i = 0; i < count; ++i) {
    keys_[i].row = rows[keys_[i].row];
    ids_[i] = store.ids()[keys_[i].row];
  }
  for (int k = 0; k < D; ++k) {
    // The sweep axis first, the others in order
    const int source = k == 0 ? axis : (k <= axis ? k - 1 : k);
    const auto from_lo = store.lo(source), from_hi = store.hi(source);
    auto& to_lo = lo_[static_cast<std::size_t>(k)];
    auto& to_hi = hi_[static_cast<std::size_t>(k)];
    to_lo.resize(count);
    to_hi.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      to_lo[i] = from_lo[keys_[i].row];
      to_hi[i] = from_hi[keys_[i].row];
    }
  }
  block_hi_.clear();
  for (std::size_t i = 0; i < count; i += kBlock)
    block_hi_.push_back(*std::max_element(hi_[0].begin() + static_cast<std::ptrdiff_t>(i),
                                          hi_[0].begin() + static_cast<std::ptrdiff_t>(std::min(i + kBlock, count))));
}

template <int D>
std::size_t SweepList<D>::bytes() const noexcept {
  std::size_t total = (ids_.capacity() + tags_.capacity()) * sizeof(std::uint32_t) +
                      block_hi_.capacity() * sizeof(float) +
                      (keys_.capacity() + scratch_.capacity()) * sizeof(KeyedRow);
  for (const auto* columns : {&lo_, &hi_})
    for (const auto& column : *columns) total += column.capacity() * sizeof(float);
  return total;
}

template class SweepList<2>;
template class SweepList<3>;

}  // namespace sudar
