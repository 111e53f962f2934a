#include <sudar/broadphase/box_scan.hpp>
#include <sudar/broadphase/brute_force.hpp>

namespace sudar {

namespace {
constexpr std::size_t kBruteForceGrain = 256;

template <int D>
BoxColumns<D> columns_of(const BoxStore<D>& store) {
  BoxColumns<D> columns;
  for (int axis = 0; axis < D; ++axis) {
    columns[static_cast<std::size_t>(axis)] = store.lo(axis).data();
    columns[static_cast<std::size_t>(D + axis)] = store.hi(axis).data();
  }
  return columns;
}
}  // namespace

template <int D>
void BruteForce<D>::do_build(const BoxStore<D>&) {}

template <int D>
void BruteForce<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  const BoxColumns<D> columns = columns_of(store);
  const auto ids = store.ids();
  const bool filtered = store.has_filters() || store.fixed_count() != 0;
  search_blocks(this->executor(), store.size(), kBruteForceGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  for (std::size_t i = begin; i < end; ++i) {
                    const auto row = static_cast<std::uint32_t>(i);
                    part.box_tests += store.size() - i - 1;
                    scan_boxes<D, 0>(columns, i + 1, store.size(), store.box(row), [&](std::size_t j) {
                      if (filtered && !store.rows_may_pair(row, static_cast<std::uint32_t>(j))) return;
                      part.pairs.push(make_pair_of(ids[i], ids[j]));
                    });
                  }
                });
}

template class SUDAR_API BruteForce<2>;
template class SUDAR_API BruteForce<3>;

}  // namespace sudar
