#include <sudar/broadphase/tree_search.hpp>

#include <bit>
#include <cstdint>

#if defined(SUDAR_HAVE_HIGHWAY)

// This file is compiled once for every instruction set: foreach_target.h includes it again and again
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/broadphase/tree_search.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sudar::tree_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct VectorLanes {
  template <int D, std::size_t W>
  static HWY_INLINE std::uint32_t overlaps(const float* block, const float* box, std::size_t stride) {
    const hn::CappedTag<float, W> d;
    const std::size_t lanes = hn::Lanes(d);
    std::uint32_t bits = 0;
    for (std::size_t first = 0; first < W; first += lanes) {
      auto hit = hn::And(hn::Le(hn::LoadU(d, block + first), hn::Set(d, box[stride])),
                         hn::Ge(hn::LoadU(d, block + W + first), hn::Set(d, box[0])));
      for (std::size_t k = 1; k < D; ++k) {
        const float* at = block + 2 * W * k + first;
        hit = hn::And(hit, hn::And(hn::Le(hn::LoadU(d, at), hn::Set(d, box[(2 * k + 1) * stride])),
                                   hn::Ge(hn::LoadU(d, at + W), hn::Set(d, box[2 * k * stride]))));
      }
      std::uint8_t mask[8];
      hn::StoreMaskBits(d, hit, mask);
      bits |= static_cast<std::uint32_t>(mask[0]) << first;
    }
    return bits;
  }
};

#include <sudar/broadphase/tree_search-inl.hpp>

void SearchTrees(TreeSearch& search) { SearchAnyTrees<VectorLanes>(search); }
void SearchBox(BoxSearch& search) { SearchAnyBox<VectorLanes>(search); }

}  // namespace HWY_NAMESPACE
}  // namespace sudar::tree_simd
HWY_AFTER_NAMESPACE();

#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar {

namespace tree_plain {

struct PlainLanes {
  template <int D, std::size_t W>
  static std::uint32_t overlaps(const float* block, const float* box, std::size_t stride) {
    std::uint32_t bits = 0;
    for (std::size_t lane = 0; lane < W; ++lane) {
      bool hit = true;
      for (std::size_t k = 0; k < D; ++k)
        hit &= (block[2 * W * k + lane] <= box[(2 * k + 1) * stride]) &
               (block[2 * W * k + W + lane] >= box[2 * k * stride]);
      bits |= static_cast<std::uint32_t>(hit) << lane;
    }
    return bits;
  }
};

#include <sudar/broadphase/tree_search-inl.hpp>

}  // namespace tree_plain

void search_trees_plain(TreeSearch& search) noexcept { tree_plain::SearchAnyTrees<tree_plain::PlainLanes>(search); }
void search_box_in_tree_plain(BoxSearch& search) noexcept { tree_plain::SearchAnyBox<tree_plain::PlainLanes>(search); }

#if defined(SUDAR_HAVE_HIGHWAY)

namespace tree_simd {
HWY_EXPORT(SearchTrees);
HWY_EXPORT(SearchBox);
}  // namespace tree_simd

void search_trees(TreeSearch& search) noexcept {
  using namespace tree_simd;
  HWY_DYNAMIC_DISPATCH(SearchTrees)(search);
}
void search_box_in_tree(BoxSearch& search) noexcept {
  using namespace tree_simd;
  HWY_DYNAMIC_DISPATCH(SearchBox)(search);
}

#else

void search_trees(TreeSearch& search) noexcept { search_trees_plain(search); }
void search_box_in_tree(BoxSearch& search) noexcept { search_box_in_tree_plain(search); }

#endif

namespace {

constexpr std::size_t kPairRoom = 4096;
constexpr std::size_t kFirstStack = 1024;
constexpr std::size_t kTasks = 256;  // pairs of nodes that threads share, at least
constexpr std::size_t kTaskGrain = 8;
constexpr std::size_t kWorthThreads = 4096;  // items

// The last `count` pairs, without those that the filters of the store forbid
template <int D>
std::size_t keep_allowed(const BoxStore<D>& store, PairFilter filter, IdPair* pairs, std::size_t count) {
  const auto filters = store.filters();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const IdPair pair = pairs[i];
    pairs[kept] = pair;
    const std::uint32_t a = store.row_of(pair.lo), b = store.row_of(pair.hi);
    kept += (filter == PairFilter::all ? store.rows_may_pair(a, b) : may_pair(filters[a], filters[b])) ? 1 : 0;
  }
  return kept;
}

// Go on with the pairs of nodes on `stack` until there are none, or for `visits`
template <int D>
void run(TreeSearch& search, std::vector<std::uint64_t>& stack, std::uint64_t visits, const BoxStore<D>& store,
         PairFilter filter, SearchOutput& out) {
  const bool filtered = store.has_filters();
  search.stack_size = stack.size();
  search.visits_left = visits;
  search.nodes_visited = search.box_tests = 0;
  stack.resize(std::max(stack.size() + kMostOpened, kFirstStack));
  while (search.stack_size > 0 && search.visits_left > 0) {
    if (stack.size() - search.stack_size < kMostOpened) stack.resize(2 * stack.size());
    search.stack = stack.data();
    search.stack_capacity = stack.size();
    search.pairs = out.pairs.room(kPairRoom);
    search.pair_count = 0;
    search.pair_capacity = kPairRoom;
    search_trees(search);
    out.pairs.commit(filtered ? keep_allowed(store, filter, search.pairs, search.pair_count) : search.pair_count);
  }
  stack.resize(search.stack_size);
  out.nodes_visited += search.nodes_visited;
  out.box_tests += search.box_tests;
}

}  // namespace

template <int D>
void search_tree_pairs(const TreeSide<D>& a, const TreeSide<D>& b, const BoxStore<D>& store, PairFilter filter,
                       Executor& executor, std::vector<SearchOutput>& parts, SearchOutput& out) {
  if (a.item_count == 0 || b.item_count == 0 || !overlap(a.box, b.box)) return;
  TreeSearch search{};
  search.a = a.view;
  search.b = b.view;
  search.dim = D;
  search.width = a.width;
  search.self = a.view.bounds == b.view.bounds;
  std::vector<std::uint64_t> stack = {0};
  constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  if (executor.concurrency() == 1 || a.item_count + b.item_count < kWorthThreads)
    return run(search, stack, kNoLimit, store, filter, out);

  // Open pairs of nodes until there are enough to share
  std::vector<std::uint64_t> tasks = stack, opened;
  while (!tasks.empty() && tasks.size() < kTasks) {
    opened.clear();
    for (const std::uint64_t task : tasks) {
      stack.assign(1, task);
      run(search, stack, 1, store, filter, out);
      opened.insert(opened.end(), stack.begin(), stack.end());
    }
    tasks.swap(opened);
  }
  search_blocks(executor, tasks.size(), kTaskGrain, parts, out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  TreeSearch mine = search;
                  std::vector<std::uint64_t> my_stack(tasks.begin() + static_cast<std::ptrdiff_t>(begin),
                                                      tasks.begin() + static_cast<std::ptrdiff_t>(end));
                  run(mine, my_stack, kNoLimit, store, filter, part);
                });
}

template <int D>
BoxAsked search_tree_box(const TreeSide<D>& tree, const Aabb<D, float>& box, std::vector<std::uint32_t>& stack,
                         std::vector<std::uint32_t>& ids) {
  if (tree.item_count == 0) return {};
  if (stack.empty()) stack.resize(kFirstStack);
  if (ids.empty()) ids.resize(kFirstStack);
  BoxSearch search{};
  search.tree = tree.view;
  search.dim = D;
  search.width = tree.width;
  for (int k = 0; k < D; ++k) {
    search.box[2 * k] = box.lo[k];
    search.box[2 * k + 1] = box.hi[k];
  }
  stack[0] = 0;
  search.stack_size = 1;
  for (;;) {
    search.stack = stack.data();
    search.stack_capacity = stack.size();
    search.ids = ids.data();
    search.id_capacity = ids.size();
    search_box_in_tree(search);
    if (search.stack_size == 0) return {search.nodes_visited, search.box_tests, search.id_count};
    // It stopped for want of room
    stack.resize(2 * stack.size());
    ids.resize(2 * ids.size());
  }
}

template void search_tree_pairs<2>(const TreeSide<2>&, const TreeSide<2>&, const BoxStore<2>&, PairFilter, Executor&,
                                   std::vector<SearchOutput>&, SearchOutput&);
template void search_tree_pairs<3>(const TreeSide<3>&, const TreeSide<3>&, const BoxStore<3>&, PairFilter, Executor&,
                                   std::vector<SearchOutput>&, SearchOutput&);
template BoxAsked search_tree_box<2>(const TreeSide<2>&, const Aabb<2, float>&, std::vector<std::uint32_t>&,
                                     std::vector<std::uint32_t>&);
template BoxAsked search_tree_box<3>(const TreeSide<3>&, const Aabb<3, float>&, std::vector<std::uint32_t>&,
                                     std::vector<std::uint32_t>&);

}  // namespace sudar

#endif
