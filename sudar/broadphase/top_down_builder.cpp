#include <sudar/broadphase/top_down_builder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace sudar {

namespace {
constexpr std::uint32_t kFewItems = 16;       // up to this many, half of the bins do
constexpr std::uint32_t kBranches = 64;       // parts that are built side by side, about
constexpr std::uint32_t kLeastBranch = 2048;  // items
constexpr std::size_t kPartitionBlock = 64;   // items that are looked at together

// Those that go left first; returns how many. Without a branch to mispredict: what is on the wrong side is written down
// by the block, and swapped by the pair.
// Source: Edelkamp and Weiss, "BlockQuicksort", 2016.
template <class Item, class F>
std::size_t part_items(Item* items, std::size_t count, F&& goes_left) {
  std::size_t begin = 0, end = count;
  std::uint8_t wrong_left[kPartitionBlock], wrong_right[kPartitionBlock];
  std::size_t lefts = 0, rights = 0, next_left = 0, next_right = 0;
  while (end - begin > 2 * kPartitionBlock) {
    if (lefts == 0) {
      next_left = 0;
      for (std::size_t i = 0; i < kPartitionBlock; ++i) {
        wrong_left[lefts] = static_cast<std::uint8_t>(i);
        lefts += goes_left(items[begin + i]) ? 0 : 1;
      }
    }
    if (rights == 0) {
      next_right = 0;
      for (std::size_t i = 0; i < kPartitionBlock; ++i) {
        wrong_right[rights] = static_cast<std::uint8_t>(i);
        rights += goes_left(items[end - 1 - i]) ? 1 : 0;
      }
    }
    const std::size_t pairs = std::min(lefts, rights);
    for (std::size_t i = 0; i < pairs; ++i)
      std::swap(items[begin + wrong_left[next_left + i]], items[end - 1 - wrong_right[next_right + i]]);
    lefts -= pairs;
    rights -= pairs;
    next_left += pairs;
    next_right += pairs;
    if (lefts == 0) begin += kPartitionBlock;
    if (rights == 0) end -= kPartitionBlock;
  }
  // The rest is dealt out: left in place, right aside. As bytes, which need no first value.
  static_assert(std::is_trivially_copyable_v<Item>);
  std::byte aside[2 * kPartitionBlock * sizeof(Item)];
  std::size_t right = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const bool left = goes_left(items[i]);
    std::memcpy(aside + right * sizeof(Item), &items[i], sizeof(Item));
    std::memmove(static_cast<void*>(items + begin), items + i, sizeof(Item));
    begin += left ? 1 : 0;
    right += left ? 0 : 1;
  }
  std::memcpy(static_cast<void*>(items + begin), aside, right * sizeof(Item));
  return begin;
}
}  // namespace

template <int D>
std::uint32_t TopDownBuilder<D>::split_at_median(std::span<TreeItem<D>> items, const Aabb<D, float>& centres) {
  int axis = 0;
  for (int k = 1; k < D; ++k)
    if (static_cast<double>(centres.hi[k]) - centres.lo[k] > static_cast<double>(centres.hi[axis]) - centres.lo[axis])
      axis = k;
  const auto half = static_cast<std::uint32_t>(items.size() / 2);
  // Ids make the order a total one, so that the tree depends on the items alone
  std::nth_element(items.begin(), items.begin() + half, items.end(),
                   [axis](const TreeItem<D>& a, const TreeItem<D>& b) {
                     const float ca = a.box.lo[axis] * 0.5f + a.box.hi[axis] * 0.5f,
                                 cb = b.box.lo[axis] * 0.5f + b.box.hi[axis] * 0.5f;
                     return ca != cb ? ca < cb : a.id < b.id;
                   });
  return half;
}

template <int D>
std::uint32_t TopDownBuilder<D>::split_by_cost(std::span<TreeItem<D>> items, const Aabb<D, float>& centres) {
  const SplitBins<D> bins(centres, items.size() <= kFewItems ? kMostBins / 2 : kMostBins);
  const std::uint32_t border = bins.scale > 0 ? choose_split(items.data(), items.size(), bins) : 0;
  if (border == 0) return split_at_median(items, centres);
  const std::size_t left = part_items(items.data(), items.size(),
                                      [bins, border](const TreeItem<D>& item) { return bins.bin_of(item) < border; });
  return static_cast<std::uint32_t>(left);
}

template <int D>
typename TopDownBuilder<D>::Cut TopDownBuilder<D>::cut(std::span<TreeItem<D>> items, std::uint32_t leaf_size,
                                                       TreeSplit split) {
  const ItemBounds<D> bounds = measure_items(items.data(), items.size());
  if (items.size() <= leaf_size) return {bounds.box, 0};
  return {bounds.box,
          split == TreeSplit::median ? split_at_median(items, bounds.centres) : split_by_cost(items, bounds.centres)};
}

template <int D>
void TopDownBuilder<D>::add_nodes(std::vector<TreeNode<D>>& nodes, const Part& part, const Cut& cut,
                                  std::vector<Part>& halves) {
  const auto child = static_cast<std::uint32_t>(nodes.size());
  nodes[part.node] = {cut.box, 0, 0, part.first, part.count};
  if (cut.left == 0) return;
  nodes[part.node].left = child;
  nodes[part.node].right = child + 1;
  nodes.resize(nodes.size() + 2);
  halves.push_back({child, part.first, cut.left});
  halves.push_back({child + 1, part.first + cut.left, part.count - cut.left});
}

template <int D>
void TopDownBuilder<D>::build_branch(Branch& branch, std::vector<TreeItem<D>>& items, std::uint32_t leaf_size,
                                     TreeSplit split) {
  while (!branch.open.empty()) {
    const Part part = branch.open.back();
    branch.open.pop_back();
    add_nodes(branch.nodes, part, cut({items.data() + part.first, part.count}, leaf_size, split), branch.open);
  }
}

template <int D>
void TopDownBuilder<D>::build(BinaryTree<D>& tree, std::uint32_t leaf_size, TreeSplit split, Executor& executor) {
  tree.nodes.clear();
  tree.root = 0;
  const auto count = static_cast<std::uint32_t>(tree.items.size());
  if (count == 0) return;
  // The top, level by level, until the parts are small
  const std::uint32_t small = std::max(count / kBranches, kLeastBranch);
  tree.nodes.resize(1);
  open_.assign(1, {0, 0, count});
  later_.clear();
  while (!open_.empty()) {
    cuts_.resize(open_.size());
    parallel_for(executor, open_.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        if (open_[i].count > small)
          cuts_[i] = cut({tree.items.data() + open_[i].first, open_[i].count}, leaf_size, split);
    });
    halves_.clear();
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (open_[i].count > small)
        add_nodes(tree.nodes, open_[i], cuts_[i], halves_);
      else
        later_.push_back(open_[i]);
    open_.swap(halves_);
  }
  // What hangs below it, side by side
  if (branches_.size() < later_.size()) branches_.resize(later_.size());
  parallel_for(executor, later_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      branches_[i].nodes.resize(1);
      branches_[i].open.assign(1, {0, later_[i].first, later_[i].count});
      build_branch(branches_[i], tree.items, leaf_size, split);
    }
  });
  // The root of a branch has its place already
  for (std::size_t i = 0; i < later_.size(); ++i) {
    const std::vector<TreeNode<D>>& nodes = branches_[i].nodes;
    const auto base = static_cast<std::uint32_t>(tree.nodes.size());
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      TreeNode<D> node = nodes[k];
      if (!node.is_leaf()) {
        node.left += base - 1;
        node.right += base - 1;
      }
      if (k == 0)
        tree.nodes[later_[i].node] = node;
      else
        tree.nodes.push_back(node);
    }
  }
}

template <int D>
std::size_t TopDownBuilder<D>::bytes() const noexcept {
  std::size_t total =
      (open_.capacity() + halves_.capacity() + later_.capacity()) * sizeof(Part) + cuts_.capacity() * sizeof(Cut);
  for (const Branch& branch : branches_)
    total += branch.nodes.capacity() * sizeof(TreeNode<D>) + branch.open.capacity() * sizeof(Part);
  return total;
}

template class TopDownBuilder<2>;
template class TopDownBuilder<3>;

}  // namespace sudar
