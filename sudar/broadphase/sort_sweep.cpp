#include <sudar/broadphase/sort_sweep.hpp>

namespace sudar {

namespace {
constexpr std::size_t kSweepGrain = 1024;
constexpr double kClearly = 2;  // times the variance on the axis in use makes another one worth sorting the fixed boxes
}  // namespace

template <int D>
void SortSweep<D>::gather(const BoxStore<D>& store, bool fixed) {
  rows_.clear();
  for (std::uint32_t row = 0; row < store.size(); ++row)
    if (store.is_fixed(row) == fixed) rows_.push_back(row);
}

template <int D>
void SortSweep<D>::do_build(const BoxStore<D>& store) {
  // Every test has a moving box in it, so it is their spread that counts
  gather(store, false);
  axis_ = SweepList<D>::widest_axis(store, rows_);
  moving_.assign(store, rows_, axis_);
  gather(store, true);
  fixed_.assign(store, rows_, axis_);
  fixed_seen_ = store.fixed_revision();
  this->count().rebuilds += 2;
}

template <int D>
void SortSweep<D>::do_update(const BoxStore<D>& store) {
  if (store.fixed_count() == 0 || store.fixed_revision() != fixed_seen_) return do_build(store);
  gather(store, false);
  const auto spread = SweepList<D>::spread(store, rows_);
  if (*std::max_element(spread.begin(), spread.end()) > kClearly * spread[static_cast<std::size_t>(axis_)])
    return do_build(store);
  moving_.assign(store, rows_, axis_);
  ++this->count().rebuilds;
}

template <int D>
void SortSweep<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  const bool filtered = store.has_filters();
  const auto report = [&](std::uint32_t a, std::uint32_t b, SearchOutput& part) {
    if (filtered && !store.rows_may_pair(store.row_of(a), store.row_of(b))) return;
    part.pairs.push(make_pair_of(a, b));
  };
  search_blocks(this->executor(), moving_.size(), kSweepGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  part.box_tests += moving_.sweep(
                      begin, end, [&](std::size_t i, std::size_t j) { report(moving_.id(i), moving_.id(j), part); });
                  part.box_tests += moving_.sweep(begin, end, fixed_, false, [&](std::size_t i, std::size_t j) {
                    report(moving_.id(i), fixed_.id(j), part);
                  });
                });
  // What begins with the fixed box
  search_blocks(this->executor(), fixed_.size(), kSweepGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  part.box_tests += fixed_.sweep(begin, end, moving_, true, [&](std::size_t i, std::size_t j) {
                    report(fixed_.id(i), moving_.id(j), part);
                  });
                });
}

template <int D>
std::size_t SortSweep<D>::do_bytes() const noexcept {
  return moving_.bytes() + fixed_.bytes() + rows_.capacity() * sizeof(std::uint32_t);
}

template class SUDAR_API SortSweep<2>;
template class SUDAR_API SortSweep<3>;

}  // namespace sudar
