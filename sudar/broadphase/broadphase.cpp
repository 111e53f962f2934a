#include <sudar/broadphase/broadphase.hpp>

#include <cmath>

namespace sudar::inline SUDAR_ABI {

template <int D>
Broadphase<D>::~Broadphase() = default;

template <int D>
Result<void> Broadphase<D>::build(const BoxStore<D>& store) {
  return refresh(store, true);
}

template <int D>
Result<void> Broadphase<D>::update(const BoxStore<D>& store) {
  return refresh(store, !built_);
}

template <int D>
Result<void> Broadphase<D>::refresh(const BoxStore<D>& store, bool from_nothing) {
  counters_ = {};
  return guarded([&]() -> Result<void> {
    // Until it has succeeded there is nothing to search in
    built_ = false;
    if (from_nothing)
      do_build(store);
    else
      do_update(store);
    seen_revision_ = store.revision();
    seen_size_ = store.size();
    built_ = true;
    counters_.bytes = do_bytes();
    return {};
  });
}

template <int D>
Result<std::span<const IdPair>> Broadphase<D>::pairs(const BoxStore<D>& store, PairOrder order) {
  if (!built_ || store.revision() != seen_revision_ || store.size() != seen_size_)
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "the store changed since the last update"};
  return guarded([&]() -> Result<std::span<const IdPair>> {
    out_.clear();
    do_pairs(store, out_);
    if (order == PairOrder::sorted) sort_pairs(out_.pairs.pairs(), store.id_limit(), scratch_);
    counters_.box_tests = out_.box_tests;
    counters_.nodes_visited = out_.nodes_visited;
    counters_.duplicates = out_.duplicates;
    counters_.bytes = do_bytes() + out_.pairs.bytes() + scratch_.bytes();
    for (const SearchOutput& part : parts_) counters_.bytes += part.pairs.bytes();
    return std::span<const IdPair>(out_.pairs.pairs());
  });
}

template <int D>
Result<void> Broadphase<D>::set_parameter(std::string_view parameter, double value) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    Parameter& p = parameters_[i];
    if (p.name != parameter) continue;
    if (!std::isfinite(value)) return Error{ErrorCode::non_finite, i, "parameter is NaN or infinite"};
    if (value < p.lowest || value > p.highest)
      return Error{ErrorCode::invalid_argument, i, "parameter is out of its range"};
    if (p.whole && value != std::floor(value))
      return Error{ErrorCode::invalid_argument, i, "parameter takes whole numbers only"};
    p.value = value;
    return {};
  }
  return Error{ErrorCode::unknown_id, Error::kNoElement, "no parameter of that name"};
}

template class SUDAR_API Broadphase<2>;
template class SUDAR_API Broadphase<3>;

}  // namespace sudar::inline SUDAR_ABI
