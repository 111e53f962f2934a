#include <sudar/broadphase/bvh.hpp>
#include <sudar/broadphase/tree_search.hpp>
#include <sudar/broadphase/tree_walk.hpp>

namespace sudar {

namespace {
enum : std::size_t { kWidth, kLeafSize, kRefit };

std::vector<Parameter> shared_parameters(std::vector<Parameter> own, double leaf_size) {
  std::vector<Parameter> all = {
      {"width", "children of a node: 2, 4 or 8; others count as the next smaller of these", 8, 2, 8, true},
      {"leaf_size", "most boxes of a leaf", leaf_size, 1, kLeafLanes, true},
      {"refit", "a refitted tree may cost this many times what it did when built; 1: always build", 1.25, 1, 16,
       false}};
  all.insert(all.end(), own.begin(), own.end());
  return all;
}
}  // namespace

template <int D>
Bvh<D>::Bvh(std::vector<Parameter> own, double leaf_size)
    : Broadphase<D>(shared_parameters(std::move(own), leaf_size)) {}

template <int D>
int Bvh<D>::width() const noexcept {
  const double wanted = this->parameter(kWidth);
  return wanted >= 8 ? 8 : wanted >= 4 ? 4 : 2;
}

template <int D>
void Bvh<D>::rebuild(const BoxStore<D>& store, bool fixed, BoxTree<D>& tree) {
  binary_.items.clear();
  const auto ids = store.ids();
  const std::size_t wanted = fixed ? store.fixed_count() : store.size() - store.fixed_count();
  binary_.items.reserve(wanted);
  if (wanted > 0)
    for (std::uint32_t row = 0; row < store.size(); ++row)
      if (store.is_fixed(row) == fixed) binary_.items.push_back({store.box(row), ids[row]});
  if (binary_.items.empty())
    binary_.nodes.clear();
  else
    build_nodes(binary_);
  tree.assign(binary_, width());
  ++this->count().rebuilds;
}

template <int D>
void Bvh<D>::rebuild_moving(const BoxStore<D>& store) {
  rebuild(store, false, moving_);
  built_cost_ = this->parameter(kRefit) > 1 ? moving_.cost() : 0;
  pause_.tree_was_built();
}

template <int D>
void Bvh<D>::do_build(const BoxStore<D>& store) {
  rebuild(store, true, fixed_);
  ++fixed_builds_;
  fixed_revision_ = store.fixed_revision();
  pause_.reset();
  rebuild_moving(store);
}

template <int D>
void Bvh<D>::do_update(const BoxStore<D>& store) {
  if (store.fixed_revision() != fixed_revision_) {
    rebuild(store, true, fixed_);
    ++fixed_builds_;
    fixed_revision_ = store.fixed_revision();
  }
  if (!refit_moving(store)) rebuild_moving(store);
}

template <int D>
bool Bvh<D>::refit_moving(const BoxStore<D>& store) {
  const double limit = this->parameter(kRefit);
  if (limit <= 1 || moving_.item_count() != store.size() - store.fixed_count()) return false;
  if (pause_.lasts()) {
    pause_.take_step();
    return false;
  }
  if (!moving_.refit(store, true)) return false;
  if (!(moving_.cost() <= limit * built_cost_)) {
    pause_.refit_failed();
    return false;
  }
  ++refits_;
  pause_.refit_held();
  return true;
}

template <int D>
void Bvh<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  search_tree_pairs(moving_.side(), moving_.side(), store, PairFilter::all, this->executor(), this->parts(), out);
  search_tree_pairs(moving_.side(), fixed_.side(), store, PairFilter::all, this->executor(), this->parts(), out);
}

template <int D>
void Bvh<D>::do_cast(const BoxStore<D>& store, CastSink<D>& sink) {
  walk_tree(BoxTreeWalk<D>{moving_, store}, sink);
  walk_tree(BoxTreeWalk<D>{fixed_, store}, sink);
}
template <int D>
void Bvh<D>::do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) {
  walk_tree(BoxTreeWalk<D>{moving_, store}, sink);
  walk_tree(BoxTreeWalk<D>{fixed_, store}, sink);
}
template <int D>
void Bvh<D>::do_nearest(const BoxStore<D>& store, NearSink<D>& sink) {
  walk_tree(BoxTreeWalk<D>{moving_, store}, sink);
  walk_tree(BoxTreeWalk<D>{fixed_, store}, sink);
}

template <int D>
std::size_t Bvh<D>::do_bytes() const noexcept {
  return moving_.bytes() + fixed_.bytes() + binary_.bytes() + builder_bytes();
}

template class SUDAR_API Bvh<2>;
template class SUDAR_API Bvh<3>;

}  // namespace sudar
