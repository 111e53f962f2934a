#include <sudar/broadphase/sort_sweep.hpp>

namespace sudar {

namespace {
constexpr std::size_t kGrain = 1024;
}

template <int D>
void SortSweep<D>::do_build(const BoxStore<D>& store) {
  moving_rows_.clear();
  fixed_rows_.clear();
  for (std::uint32_t row = 0; row < store.size(); ++row)
    (store.is_fixed(row) ? fixed_rows_ : moving_rows_).push_back(row);
  // Every test has a moving box in it, so it is their spread that counts
  axis_ = SweepList<D>::widest_axis(store, moving_rows_);
  moving_.assign(store, moving_rows_, axis_);
  fixed_.assign(store, fixed_rows_, axis_);
  ++this->count().rebuilds;
}

template <int D>
void SortSweep<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  const auto ids = store.ids();
  const bool filtered = store.has_filters();
  const auto report = [&](std::uint32_t a, std::uint32_t b, SearchOutput& part) {
    if (filtered && !store.rows_may_pair(a, b)) return;
    part.pairs.push(make_pair_of(ids[a], ids[b]));
  };
  search_blocks(this->executor(), moving_.size(), kGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  part.box_tests += moving_.sweep(
                      begin, end, [&](std::size_t i, std::size_t j) { report(moving_.row(i), moving_.row(j), part); });
                  part.box_tests += moving_.sweep(begin, end, fixed_, false, [&](std::size_t i, std::size_t j) {
                    report(moving_.row(i), fixed_.row(j), part);
                  });
                });
  // What begins with the fixed box
  search_blocks(this->executor(), fixed_.size(), kGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  part.box_tests += fixed_.sweep(begin, end, moving_, true, [&](std::size_t i, std::size_t j) {
                    report(fixed_.row(i), moving_.row(j), part);
                  });
                });
}

template <int D>
std::size_t SortSweep<D>::do_bytes() const noexcept {
  return moving_.bytes() + fixed_.bytes() + (moving_rows_.capacity() + fixed_rows_.capacity()) * sizeof(std::uint32_t);
}

template class SUDAR_API SortSweep<2>;
template class SUDAR_API SortSweep<3>;

}  // namespace sudar
