#include <sudar/broadphase/column_jobs-inl.hpp>
#include <sudar/broadphase/column_kinds-inl.hpp>
#include <sudar/broadphase/column_search.hpp>
#include <sudar/broadphase/column_sweep-inl.hpp>

#include <algorithm>
#include <numeric>

namespace sudar {

namespace {

constexpr std::size_t kColumnsPerTask = 8;
constexpr std::size_t kQueriesPerTask = 1024;  // where there is only one column
constexpr std::size_t kMostLanes = 16;         // of a parallel scatter
// What the working memory of a thread may keep between searches, and all of them together for each box
constexpr std::size_t kThreadBytes = std::size_t{1} << 18, kThreadsBytesABox = 16;

}  // namespace

template <int D>
std::size_t ColumnSearch<D>::Scratch::bytes() const noexcept {
  std::size_t total = sizeof(*this) + (from.capacity() + to.capacity() + tie_query.capacity() + tie_target.capacity()) *
                                          sizeof(std::uint32_t);
  for (int i = 0; i < 2; ++i)
    total += bins[i].bytes() + sorted[i].bytes() + boxes[i].capacity() * sizeof(Aabb<D, float>);
  return total + crowd[0].bytes() + crowd[1].bytes() + (child != nullptr ? child->bytes() : 0);
}

template <int D>
std::size_t ColumnSearch<D>::bytes() const noexcept {
  std::size_t total = (moving_.capacity() + fixed_.capacity() + kept_.giants.capacity()) * sizeof(std::uint32_t);
  for (const auto& lanes : lanes_)
    for (const ColumnBins& bins : lanes) total += bins.bytes();
  for (const RowList& giants : lane_giants_) total += giants.bytes();
  for (const auto& scratch : scratches_) total += scratch->bytes();
  return total + kept_.columns.bytes();
}

template <int D>
void ColumnSearch<D>::search(const BoxStore<D>& store, double width, Executor& executor,
                             std::vector<SearchOutput>& parts, SearchOutput& out) {
  store_ = &store;
  width_ = width;
  ids_are_rows_ = store.ids_are_rows();
  filtered_ = store.has_filters();
  for (int axis = 0; axis < D; ++axis) {
    boxes_[static_cast<std::size_t>(axis)] = store.lo(axis).data();
    boxes_[static_cast<std::size_t>(D + axis)] = store.hi(axis).data();
  }
  replanned_ = giants_ = 0;
  // Nothing is left lent out when an earlier search ended by an exception
  idle_.clear();
  for (const auto& scratch : scratches_) {
    for (Scratch* s = scratch.get(); s != nullptr; s = s->child.get()) s->replanned = s->giants = 0;
    idle_.push_back(scratch.get());
  }

  if (store.fixed_count() == 0) {
    const auto known = static_cast<std::uint32_t>(moving_are_all_ ? moving_.size() : 0);
    moving_.resize(store.size());
    std::iota(moving_.begin() + std::min<std::ptrdiff_t>(known, std::ssize(moving_)), moving_.end(), known);
    moving_are_all_ = true;
    search_self({moving_, {}, true}, executor, parts, out);
  } else {
    moving_are_all_ = false;
    moving_.resize(store.size());
    std::size_t count = 0;
    const Motion* motions = store.motions().data();
    for (std::uint32_t row = 0; row < store.size(); ++row) {
      moving_[count] = row;
      count += motions[row] == Motion::moving ? 1 : 0;
    }
    moving_.resize(count);
    search_self({moving_, {}, true}, executor, parts, out);
    search_fixed({moving_, {}, true}, executor, parts, out);
  }
  for (const auto& scratch : scratches_)
    for (const Scratch* s = scratch.get(); s != nullptr; s = s->child.get()) {
      replanned_ += s->replanned;
      giants_ += s->giants;
    }
  shrink_scratches();
}

// Of many threads each may have met the largest column at another time: what is above its share goes
template <int D>
void ColumnSearch<D>::shrink_scratches() {
  if (scratches_.size() < 2) return;
  const std::size_t share = kThreadBytes + kThreadsBytesABox * store_->size() / scratches_.size();
  for (const auto& scratch : scratches_)
    if (scratch->bytes() > share) *scratch = Scratch{};
}

template <int D>
typename ColumnSearch<D>::Scratch* ColumnSearch<D>::borrow() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) {
    scratches_.push_back(std::make_unique<Scratch>());
    idle_.reserve(scratches_.size());
    return scratches_.back().get();
  }
  Scratch* scratch = idle_.back();
  idle_.pop_back();
  return scratch;
}

template <int D>
void ColumnSearch<D>::give_back(Scratch* scratch) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(scratch);
}

// body(column, scratch, output) for every column, several at a time on several threads
template <int D>
template <class F>
void ColumnSearch<D>::for_each_column(std::size_t columns, Executor& executor, std::vector<SearchOutput>& parts,
                                      SearchOutput& out, F&& body) {
  search_blocks(executor, columns, kColumnsPerTask, parts, out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  Scratch* scratch = borrow();
                  for (std::size_t column = begin; column < end; ++column) body(column, *scratch, part);
                  give_back(scratch);
                });
}

template <int D>
void ColumnSearch<D>::search_self(const ColumnRows& set, Executor& executor, std::vector<SearchOutput>& parts,
                                  SearchOutput& out) {
  if (set.rows.size() < 2) return;
  const ColumnPlan plan = plan_columns<D>(boxes_, request_for(set, -1, 0));
  const std::size_t lanes = scatter_lanes(plan, set, columns_detail::kMostCopies, executor, 0);
  if (plan.single())
    search_single(set, plan.sweep_axis, lanes, executor, parts, out);
  else
    for_each_column(static_cast<std::size_t>(plan.count()), executor, parts, out,
                    [&](std::size_t column, Scratch& scratch, SearchOutput& part) {
                      self_column({lanes_[0].data(), lanes}, column, plan, 0, scratch, part);
                    });
  const RowList giants = gather_giants(lanes);
  if (giants.rows.empty()) return;
  Scratch* scratch = borrow();
  giants_job(set, giants, -1, 0, *scratch, out);
  give_back(scratch);
}

// Everything in one column: the threads share its queries
template <int D>
void ColumnSearch<D>::search_single(const ColumnRows& set, int sweep_axis, std::size_t lanes, Executor& executor,
                                    std::vector<SearchOutput>& parts, SearchOutput& out) {
  Scratch* whole = borrow();
  whole->sorted[0].sort({lanes_[0].data(), lanes}, 0, set.rows.size(), set.rows.size());
  const ColumnView view = whole->sorted[0].view();
  const std::uint64_t tests = plan_self_runs(view, *whole);
  if (view.count > columns_detail::kCrowd && tests > columns_detail::kCrowdedTests * view.count &&
      self_kinds(set, -1, 1, whole->below(), out))
    return give_back(whole);
  out.box_tests += tests;
  ++out.nodes_visited;
  search_blocks(executor, view.count, kQueriesPerTask, parts, out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  Scratch* scratch = borrow();
                  sweep({view, view, nullptr, whole->to.data(), begin, end, tests, sweep_axis}, *scratch, part);
                  give_back(scratch);
                });
  give_back(whole);
}

template <int D>
void ColumnSearch<D>::search_cross(const ColumnRows& a, const ColumnRows& b, Executor& executor,
                                   std::vector<SearchOutput>& parts, SearchOutput& out) {
  if (a.rows.empty() || b.rows.empty()) return;
  if (a.rows.size() <= columns_detail::kFewGiants) return scan_few(a, b, out);
  if (b.rows.size() <= columns_detail::kFewGiants) return scan_few(b, a, out);
  const ColumnPlan plan = plan_columns<D>(boxes_, request_for(b, -1, 0));
  const std::size_t lanes = scatter_lanes(plan, a, columns_detail::kMostCopiesAcross, executor, 0);
  const RowList giants_a = gather_giants(lanes);
  scatter_lanes(plan, b, columns_detail::kMostCopies, executor, 1);
  const RowList giants_b = gather_giants(lanes);
  for_each_column(static_cast<std::size_t>(plan.count()), executor, parts, out,
                  [&](std::size_t column, Scratch& scratch, SearchOutput& part) {
                    cross_column({lanes_[0].data(), lanes}, {lanes_[1].data(), lanes}, column, plan, 0, scratch, part);
                  });
  Scratch* scratch = borrow();
  cross_giants(a, b, giants_a, giants_b, -1, 0, *scratch, out);
  give_back(scratch);
}

template <int D>
ColumnRows ColumnSearch<D>::fixed_rows() {
  fixed_.clear();
  for (std::uint32_t row = 0; row < store_->size(); ++row)
    if (store_->is_fixed(row)) fixed_.push_back(row);
  return {fixed_, {}, true};
}

// What moves against what is fixed, whose columns are kept when they are met for the second time
template <int D>
void ColumnSearch<D>::search_fixed(const ColumnRows& moving, Executor& executor, std::vector<SearchOutput>& parts,
                                   SearchOutput& out) {
  if (moving.rows.empty()) return;
  if (store_->fixed_count() <= columns_detail::kFewGiants)
    return search_cross(moving, fixed_rows(), executor, parts, out);
  if (kept_.state == Kept::nothing || kept_.store != store_->identity().token() ||
      kept_.revision != store_->fixed_revision() || kept_.width != width_) {
    kept_.columns.clear();
    kept_.store = store_->identity().token();
    kept_.revision = store_->fixed_revision();
    kept_.width = width_;
    kept_.state = Kept::seen;
    search_cross(moving, fixed_rows(), executor, parts, out);
    return;
  }
  if (kept_.state == Kept::seen) {
    keep_fixed(fixed_rows(), executor);
    kept_.state = Kept::made;
  }
  const auto meet_kept = [&](std::size_t lanes) {
    for_each_column(
        kept_.columns.columns(), executor, parts, out, [&](std::size_t column, Scratch& scratch, SearchOutput& part) {
          cross_sorted({lanes_[0].data(), lanes}, column, kept_.columns.view(column), kept_.plan, 0, scratch, part);
        });
  };
  const std::size_t lanes = scatter_lanes(kept_.plan, moving, columns_detail::kMostCopiesAcross, executor, 0);
  const RowList giants_moving = gather_giants(lanes);
  meet_kept(lanes);
  if (giants_moving.rows.empty() && kept_.giants.empty()) return;

  RowList giants_fixed;
  for (const std::uint32_t id : kept_.giants) giants_fixed.rows.push_back(row_of(id));
  Scratch* scratch = borrow();
  const bool many = giants_moving.rows.size() * kept_.columns.columns() > store_->fixed_count();
  if (many) {
    cross_giants(moving, fixed_rows(), giants_moving, giants_fixed, -1, 0, *scratch, out);
  } else {
    scratch->giants += giants_moving.rows.size() + giants_fixed.rows.size();
    cross_job(giants_fixed.view(false), moving, -1, 1, *scratch, out);
  }
  give_back(scratch);
  if (many || giants_moving.rows.empty()) return;

  // A few giants are sooner copied into every column than all that is fixed is looked at
  RowList none;
  lanes_[0][0].reset(kept_.columns.columns() + 1, giants_moving.rows.size());
  scatter(kept_.plan, giants_moving.view(false), 0, giants_moving.rows.size(), columns_detail::kAnyCopies, lanes_[0][0],
          none);
  meet_kept(1);
}

template <int D>
void ColumnSearch<D>::keep_fixed(const ColumnRows& fixed, Executor& executor) {
  kept_.plan = plan_columns<D>(boxes_, request_for(fixed, -1, 0));
  const std::size_t lanes = scatter_lanes(kept_.plan, fixed, columns_detail::kMostCopies, executor, 1);
  const std::span<const ColumnBins> bins(lanes_[1].data(), lanes);
  kept_.columns.clear();
  kept_.giants.clear();
  for (const std::uint32_t row : gather_giants(lanes).rows) kept_.giants.push_back(store_->ids()[row]);
  SortedColumn sorted;
  for (std::size_t column = 0; column < static_cast<std::size_t>(kept_.plan.count()); ++column) {
    std::size_t count = 0;
    for (const ColumnBins& lane : bins) count += lane.count(column);
    sorted.sort(bins, column, count, count);
    sorted.measure();
    kept_.columns.push(sorted.view(), sorted.buckets());
  }
  kept_.columns.close();
}

// The rows in as many shares as there are threads, each with bins of its own
template <int D>
std::size_t ColumnSearch<D>::scatter_lanes(const ColumnPlan& plan, const ColumnRows& set, std::uint32_t most_copies,
                                           Executor& executor, int side) {
  const std::size_t lanes = std::clamp<std::size_t>(executor.concurrency(), 1, kMostLanes);
  std::vector<ColumnBins>& bins = lanes_[side];
  while (bins.size() < lanes) bins.emplace_back();
  if (lane_giants_.size() < lanes) lane_giants_.resize(lanes);
  const std::size_t share = (set.rows.size() + lanes - 1) / lanes;
  parallel_for(executor, lanes, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t lane = begin; lane < end; ++lane) {
      lane_giants_[lane].clear();
      bins[lane].reset(static_cast<std::size_t>(plan.count()) + 1, share);
      const std::size_t first = std::min(set.rows.size(), lane * share);
      scatter(plan, set, first, std::min(set.rows.size(), first + share), most_copies, bins[lane], lane_giants_[lane]);
    }
  });
  return lanes;
}

template <int D>
typename ColumnSearch<D>::RowList ColumnSearch<D>::gather_giants(std::size_t lanes) const {
  RowList all;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const RowList& some = lane_giants_[lane];
    all.rows.insert(all.rows.end(), some.rows.begin(), some.rows.end());
    all.before.insert(all.before.end(), some.before.begin(), some.before.end());
  }
  return all;
}

template class ColumnSearch<2>;
template class ColumnSearch<3>;

}  // namespace sudar
