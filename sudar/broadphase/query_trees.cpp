#include <sudar/broadphase/query_trees.hpp>

namespace sudar {

template <int D>
std::size_t QueryTrees<D>::take_in(const BoxStore<D>& store, Executor& executor) {
  const bool same = store.identity().token() == store_;
  const bool keep_fixed = same && fixed_known_ && fixed_revision_ == store.fixed_revision();
  const bool keep_moving = same && moving_known_ && moving_revision_ == store.moving_revision();
  if (keep_fixed && keep_moving) return 0;
  // What is half made when memory runs out is not known
  std::size_t made = 0;
  store_ = store.identity().token();
  moving_known_ = keep_moving;
  fixed_known_ = keep_fixed;
  if (!keep_fixed) {
    make(store, true, executor);
    fixed_revision_ = store.fixed_revision();
    fixed_known_ = true;
    ++made;
  }
  if (!keep_moving) {
    make(store, false, executor);
    moving_revision_ = store.moving_revision();
    moving_known_ = true;
    ++made;
  }
  return made;
}

template <int D>
void QueryTrees<D>::make(const BoxStore<D>& store, bool fixed, Executor& executor) {
  const std::size_t count = fixed ? store.fixed_count() : store.size() - store.fixed_count();
  items_.clear();
  items_.reserve(count);
  if (count > 0)
    for (std::uint32_t row = 0; row < store.size(); ++row)
      if (store.is_fixed(row) == fixed) items_.push_back({store.box(row), store.ids()[row]});
  (fixed ? fixed_ : moving_).build(items_, order_, executor);
}

template <int D>
std::size_t QueryTrees<D>::bytes() const noexcept {
  return moving_.bytes() + fixed_.bytes() + order_.bytes() + items_.capacity() * sizeof(TreeItem<D>);
}

template class QueryTrees<2>;
template class QueryTrees<3>;

}  // namespace sudar
