#include <sudar/broadphase/bottom_up_builder.hpp>

#include <algorithm>
#include <limits>

namespace sudar::inline SUDAR_ABI {

namespace {
constexpr std::size_t kFewJoined = 8;  // a round should join at least one in this many clusters
}

template <int D>
void BottomUpBuilder<D>::choose_partners(std::uint32_t reach) {
  const auto count = static_cast<std::uint32_t>(clusters_.size());
  choices_.assign(count, {std::numeric_limits<double>::infinity(), 0});
  const auto offer = [&](std::uint32_t i, std::uint32_t j, double cost) {
    Choice& choice = choices_[i];
    if (cost < choice.cost || (cost == choice.cost && (i ^ j) < (i ^ choice.partner))) choice = {cost, j};
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const Aabb<D, float> mine = clusters_[i].box;
    const std::uint32_t last = std::min(count - 1, i + reach);
    for (std::uint32_t j = i + 1; j <= last; ++j) {
      const double cost = box_cost(merge(mine, clusters_[j].box));
      offer(i, j, cost);
      offer(j, i, cost);
    }
  }
}

template <int D>
void BottomUpBuilder<D>::join(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t left = clusters_[a].node, right = clusters_[b].node;
  const Aabb<D, float> box = merge(clusters_[a].box, clusters_[b].box);
  next_.push_back({box, static_cast<std::uint32_t>(nodes_.size())});
  nodes_.push_back({box, left, right, 0, nodes_[left].count + nodes_[right].count});
}

template <int D>
void BottomUpBuilder<D>::build(BinaryTree<D>& tree, std::uint32_t leaf_size, std::uint32_t reach, Executor& executor) {
  order_.sort(tree.items, true, executor);
  const auto count = static_cast<std::uint32_t>(tree.items.size());
  clusters_.resize(count);
  nodes_.resize(count);
  nodes_.reserve(2 * std::size_t{count});
  for (std::uint32_t i = 0; i < count; ++i) {
    clusters_[i] = {tree.items[i].box, i};
    nodes_[i] = {tree.items[i].box, 0, 0, i, 1};
  }
  rounds_ = 0;
  while (clusters_.size() > 1) {
    ++rounds_;
    choose_partners(reach);
    const auto last = static_cast<std::uint32_t>(clusters_.size());
    const auto mutual = [&](std::uint32_t i) { return choices_[choices_[i].partner].partner == i; };
    std::size_t joined = 0;
    for (std::uint32_t i = 0; i < last; ++i) joined += mutual(i) ? 1 : 0;
    const bool force = joined < last / kFewJoined + 1;
    next_.clear();
    for (std::uint32_t i = 0; i < last; ++i) {
      if (mutual(i)) {
        // The joined cluster takes the place of its first part
        if (i < choices_[i].partner) join(i, choices_[i].partner);
      } else if (force && i + 1 < last && !mutual(i + 1)) {
        join(i, i + 1);
        ++i;
      } else {
        next_.push_back(clusters_[i]);
      }
    }
    clusters_.swap(next_);
  }
  lay_out(tree, leaf_size);
}

// Put the items into the order of the leaves; what is small enough becomes one leaf
template <int D>
void BottomUpBuilder<D>::lay_out(BinaryTree<D>& tree, std::uint32_t leaf_size) {
  tree.nodes.clear();
  tree.root = 0;
  if (clusters_.empty()) return;
  items_.clear();
  tree.nodes.resize(1);
  open_.assign(1, {clusters_[0].node, 0});
  while (!open_.empty()) {
    const auto [from, to] = open_.back();
    open_.pop_back();
    TreeNode<D> node = nodes_[from];
    node.first = static_cast<std::uint32_t>(items_.size());
    if (node.count > leaf_size) {
      const auto child = static_cast<std::uint32_t>(tree.nodes.size());
      tree.nodes.resize(child + 2);
      open_.push_back({node.right, child + 1});
      open_.push_back({node.left, child});
      node.left = child;
      node.right = child + 1;
    } else {
      // All items below it, without recursion
      const std::size_t base = open_.size();
      open_.push_back({from, 0});
      while (open_.size() > base) {
        const TreeNode<D>& part = nodes_[open_.back().first];
        open_.pop_back();
        if (part.count == 1) {
          items_.push_back(tree.items[part.first]);
        } else {
          open_.push_back({part.right, 0});
          open_.push_back({part.left, 0});
        }
      }
      node.left = node.right = 0;
    }
    tree.nodes[to] = node;
  }
  tree.items.swap(items_);
}

template <int D>
std::size_t BottomUpBuilder<D>::bytes() const noexcept {
  return order_.bytes() + (clusters_.capacity() + next_.capacity()) * sizeof(Cluster) +
         choices_.capacity() * sizeof(Choice) + nodes_.capacity() * sizeof(TreeNode<D>) +
         items_.capacity() * sizeof(TreeItem<D>) + open_.capacity() * sizeof(open_[0]);
}

template class BottomUpBuilder<2>;
template class BottomUpBuilder<3>;

}  // namespace sudar::inline SUDAR_ABI
