#include <sudar/broadphase/broadphase.hpp>

#include <cmath>

namespace sudar {

namespace {
constexpr Error stale_store() {
  return {ErrorCode::invalid_argument, Error::kNoElement, "the store changed since the last update, or that failed"};
}
}  // namespace

template <int D>
Broadphase<D>::~Broadphase() = default;

template <int D>
bool Broadphase<D>::is_current(const BoxStore<D>& store) const noexcept {
  return built_ && store.identity().token() == seen_store_ && store.revision() == seen_revision_ &&
         store.size() == seen_size_;
}

template <int D>
Result<void> Broadphase<D>::build(const BoxStore<D>& store) {
  return refresh(store, true);
}

template <int D>
Result<void> Broadphase<D>::update(const BoxStore<D>& store) {
  return refresh(store, false);
}

template <int D>
Result<void> Broadphase<D>::refresh(const BoxStore<D>& store, bool from_nothing) {
  if (!from_nothing && !settings_changed_ && is_current(store)) return {};
  return guarded([&]() -> Result<void> {
    take_in(store, from_nothing);
    return {};
  });
}

template <int D>
void Broadphase<D>::take_in(const BoxStore<D>& store, bool from_nothing) {
  // Until it has succeeded there is nothing to search in
  const bool fresh = from_nothing || !built_ || settings_changed_ || store.identity().token() != seen_store_;
  counters_ = {};
  query_counters_ = {};
  built_ = searched_ = sorted_ = false;
  if (fresh)
    do_build(store);
  else
    do_update(store);
  seen_store_ = store.identity().token();
  seen_revision_ = store.revision();
  seen_size_ = store.size();
  built_ = true;
  settings_changed_ = false;
  counters_.bytes = all_bytes();
}

template <int D>
std::size_t Broadphase<D>::all_bytes() const noexcept {
  std::size_t total = do_bytes() + out_.pairs.bytes() + scratch_.bytes() + tracker_.bytes() + query_trees_.bytes();
  for (const SearchOutput& part : parts_) total += part.pairs.bytes();
  return total;
}

template <int D>
void Broadphase<D>::search(const BoxStore<D>& store, SearchOutput& out) {
  out.clear();
  do_pairs(store, out);
  counters_.box_tests = out.box_tests;
  counters_.nodes_visited = out.nodes_visited;
  counters_.duplicates = out.duplicates;
}

template <int D>
void Broadphase<D>::update_of(Broadphase& other, const BoxStore<D>& store, bool from_nothing) {
  other.take_in(store, from_nothing);
}

template <int D>
void Broadphase<D>::pairs_of(Broadphase& other, const BoxStore<D>& store, SearchOutput& out) {
  other.search(store, out);
}

template <int D>
Result<std::span<const IdPair>> Broadphase<D>::pairs(const BoxStore<D>& store, PairOrder order) {
  if (!is_current(store)) return stale_store();
  const auto found = guarded([&]() -> Result<std::span<const IdPair>> {
    if (!searched_) {
      sorted_ = false;
      search(store, out_);
      searched_ = true;
    }
    if (order == PairOrder::sorted && !sorted_) {
      sort_pairs(out_.pairs.pairs(), store.id_limit(), scratch_, executor());
      sorted_ = true;
    }
    counters_.bytes = all_bytes();
    return std::span<const IdPair>(out_.pairs.pairs());
  });
  // A search that memory ended may have left anything half done
  if (!found) built_ = searched_ = false;
  return found;
}

template <int D>
Result<PairChanges> Broadphase<D>::changes(const BoxStore<D>& store) {
  const auto now = pairs(store);
  if (!now) return now.error();
  return guarded([&]() -> Result<PairChanges> {
    const PairChanges changes = tracker_.advance(store, *now);
    counters_.bytes = all_bytes();
    return changes;
  });
}

// Check the question and the store, then answer
template <int D>
template <class Answer, class Query, class F>
Result<Answer> Broadphase<D>::ask(const BoxStore<D>& store, const Query& query, F&& body) {
  if (!is_current(store)) return stale_store();
  if (const auto valid = check_query<D>(query); !valid) return valid.error();
  return guarded([&]() -> Result<Answer> { return body(); });
}

template <int D>
Result<std::optional<CastHit>> Broadphase<D>::cast_closest(const BoxStore<D>& store, const BoxCast<D>& cast,
                                                           const QueryFilter& filter) {
  return ask<std::optional<CastHit>>(store, cast, [&]() -> std::optional<CastHit> {
    cast_hits_.clear();
    CastSink<D> sink(store, cast, filter, true, cast_hits_);
    do_cast(store, sink);
    count_question(sink);
    if (cast_hits_.empty()) return std::nullopt;
    return cast_hits_[0];
  });
}

template <int D>
Result<std::span<const CastHit>> Broadphase<D>::cast_all(const BoxStore<D>& store, const BoxCast<D>& cast,
                                                         const QueryFilter& filter) {
  return ask<std::span<const CastHit>>(store, cast, [&] {
    cast_hits_.clear();
    CastSink<D> sink(store, cast, filter, false, cast_hits_);
    do_cast(store, sink);
    count_question(sink);
    std::sort(cast_hits_.begin(), cast_hits_.end());
    return std::span<const CastHit>(cast_hits_);
  });
}

template <int D>
Result<std::span<const std::uint32_t>> Broadphase<D>::overlapping(const BoxStore<D>& store, const Aabb<D, double>& box,
                                                                  const QueryFilter& filter) {
  return ask<std::span<const std::uint32_t>>(store, box, [&] {
    overlap_ids_.clear();
    OverlapSink<D> sink(store, box, filter, overlap_ids_);
    do_overlap(store, sink);
    count_question(sink);
    std::sort(overlap_ids_.begin(), overlap_ids_.end());
    return std::span<const std::uint32_t>(overlap_ids_);
  });
}

template <int D>
Result<std::span<const NearHit>> Broadphase<D>::nearest(const BoxStore<D>& store, const Vec<D, double>& point,
                                                        std::size_t count, const QueryFilter& filter) {
  return ask<std::span<const NearHit>>(store, point, [&] {
    near_hits_.clear();
    if (count > 0) {
      NearSink<D> sink(store, point, count, filter, near_hits_);
      do_nearest(store, sink);
      count_question(sink);
      std::sort(near_hits_.begin(), near_hits_.end());
    }
    return std::span<const NearHit>(near_hits_);
  });
}

template <int D>
const QueryTrees<D>& Broadphase<D>::query_trees(const BoxStore<D>& store) {
  const std::size_t made = query_trees_.take_in(store, executor());
  query_counters_.rebuilds += made;
  if (made > 0) counters_.bytes = all_bytes();
  return query_trees_;
}

template <int D>
void Broadphase<D>::do_cast(const BoxStore<D>& store, CastSink<D>& sink) {
  query_trees(store).walk(store, sink);
}
template <int D>
void Broadphase<D>::do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) {
  query_trees(store).walk(store, sink);
}
template <int D>
void Broadphase<D>::do_nearest(const BoxStore<D>& store, NearSink<D>& sink) {
  query_trees(store).walk(store, sink);
}

template <int D>
void Broadphase<D>::count_question(const SinkCounters& sink) {
  ++query_counters_.questions;
  query_counters_.nodes_visited += sink.nodes_visited;
  query_counters_.box_tests += sink.box_tests;
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
    if (p.value != value) begin_anew_next();
    p.value = value;
    return {};
  }
  return Error{ErrorCode::unknown_id, Error::kNoElement, "no parameter of that name"};
}

template class SUDAR_API Broadphase<2>;
template class SUDAR_API Broadphase<3>;

}  // namespace sudar
