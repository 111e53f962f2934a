#include <sudar/broadphase/top_down_builder.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace sudar::inline SUDAR_ABI {

namespace {
constexpr std::uint32_t kBins = 16;
constexpr std::uint32_t kFewItems = 8;        // up to this many, fewer bins do
constexpr std::uint32_t kBranches = 64;       // parts that are built side by side, about
constexpr std::uint32_t kLeastBranch = 2048;  // items

template <int D>
struct Bin {
  Aabb<D, float> box = Aabb<D, float>::empty();
  std::uint32_t count = 0;
};
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
  const std::uint32_t bin_count = items.size() <= kFewItems ? kFewItems : kBins;
  std::array<std::array<Bin<D>, kBins>, D> bins;
  Vec<D, double> lo, scale;
  for (int k = 0; k < D; ++k) {
    const double extent = static_cast<double>(centres.hi[k]) - centres.lo[k];
    lo[k] = centres.lo[k];
    scale[k] = extent > 0 ? bin_count / extent : 0;
  }
  const double top = bin_count - 1;
  const auto bin_of = [&](const TreeItem<D>& item, int k) {
    const double centre = item.box.lo[k] * 0.5f + item.box.hi[k] * 0.5f;
    return static_cast<std::uint32_t>(std::min((centre - lo[k]) * scale[k], top));
  };
  for (const TreeItem<D>& item : items)
    for (int k = 0; k < D; ++k) {
      Bin<D>& bin = bins[static_cast<std::size_t>(k)][bin_of(item, k)];
      bin.box = merge(bin.box, item.box);
      ++bin.count;
    }
  // Cost of everything left of each border, from the left; of everything right of it, from the right
  double best = std::numeric_limits<double>::infinity();
  double worst = 0;
  int best_axis = 0;
  std::uint32_t best_border = 0;
  for (int k = 0; k < D; ++k) {
    if (scale[k] == 0) continue;
    const auto& row = bins[static_cast<std::size_t>(k)];
    std::array<double, kBins> left_cost{};
    Aabb<D, float> box = Aabb<D, float>::empty();
    std::uint32_t count = 0;
    for (std::uint32_t b = 0; b + 1 < bin_count; ++b) {
      box = merge(box, row[b].box);
      count += row[b].count;
      left_cost[b + 1] = count > 0 ? box_cost(box) * count : 0;
    }
    box = Aabb<D, float>::empty();
    count = 0;
    for (std::uint32_t b = bin_count - 1; b > 0; --b) {
      box = merge(box, row[b].box);
      count += row[b].count;
      if (count == 0 || count == items.size()) continue;
      const double cost = left_cost[b] + box_cost(box) * count;
      worst = std::max(worst, cost);
      if (cost >= best) continue;
      best = cost;
      best_axis = k;
      best_border = b;
    }
  }
  if (!(best < worst) && items.size() > 2) return split_at_median(items, centres);
  if (best_border == 0) return split_at_median(items, centres);
  const auto middle = std::partition(items.begin(), items.end(),
                                     [&](const TreeItem<D>& item) { return bin_of(item, best_axis) < best_border; });
  return static_cast<std::uint32_t>(middle - items.begin());
}

template <int D>
bool TopDownBuilder<D>::divide(BinaryTree<D>& tree, std::vector<TreeNode<D>>& nodes, const Part& part,
                               std::uint32_t leaf_size, TreeSplit split) {
  const std::span<TreeItem<D>> items(tree.items.data() + part.first, part.count);
  Aabb<D, float> box = Aabb<D, float>::empty(), centres = box;
  for (const TreeItem<D>& item : items) {
    box = merge(box, item.box);
    centres = merge(centres, center(item.box));
  }
  nodes[part.node] = {box, 0, 0, part.first, part.count};
  if (part.count <= leaf_size) return false;
  const std::uint32_t left =
      split == TreeSplit::median ? split_at_median(items, centres) : split_by_cost(items, centres);
  const auto child = static_cast<std::uint32_t>(nodes.size());
  nodes[part.node].left = child;
  nodes[part.node].right = child + 1;
  nodes.push_back({box, 0, 0, part.first, left});
  nodes.push_back({box, 0, 0, part.first + left, part.count - left});
  return true;
}

template <int D>
void TopDownBuilder<D>::build(BinaryTree<D>& tree, std::uint32_t leaf_size, TreeSplit split, Executor& executor) {
  tree.nodes.clear();
  tree.root = 0;
  const auto count = static_cast<std::uint32_t>(tree.items.size());
  if (count == 0) return;
  const auto halves = [](const std::vector<TreeNode<D>>& nodes, std::uint32_t node, std::vector<Part>& open) {
    for (const std::uint32_t child : {nodes[node].left, nodes[node].right})
      open.push_back({child, nodes[child].first, nodes[child].count});
  };
  // The top, one part after the other, until the parts are small
  const std::uint32_t small = std::max(count / kBranches, kLeastBranch);
  tree.nodes.resize(1);
  open_.assign(1, {0, 0, count});
  later_.clear();
  while (!open_.empty()) {
    const Part part = open_.back();
    open_.pop_back();
    if (part.count <= small)
      later_.push_back(part);
    else if (divide(tree, tree.nodes, part, leaf_size, split))
      halves(tree.nodes, part.node, open_);
  }
  // What hangs below it, side by side
  if (branches_.size() < later_.size()) branches_.resize(later_.size());
  parallel_for(executor, later_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Branch& branch = branches_[i];
      branch.nodes.resize(1);
      branch.open.assign(1, {0, later_[i].first, later_[i].count});
      while (!branch.open.empty()) {
        const Part part = branch.open.back();
        branch.open.pop_back();
        if (divide(tree, branch.nodes, part, leaf_size, split)) halves(branch.nodes, part.node, branch.open);
      }
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
  std::size_t total = (open_.capacity() + later_.capacity()) * sizeof(Part);
  for (const Branch& branch : branches_)
    total += branch.nodes.capacity() * sizeof(TreeNode<D>) + branch.open.capacity() * sizeof(Part);
  return total;
}

template class TopDownBuilder<2>;
template class TopDownBuilder<3>;

}  // namespace sudar::inline SUDAR_ABI
