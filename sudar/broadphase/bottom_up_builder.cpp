#include <sudar/broadphase/bottom_up_builder.hpp>
#include <sudar/broadphase/partner_kernels.hpp>

namespace sudar {

namespace {
constexpr std::size_t kFewJoined = 8;        // a round should join at least one in this many clusters
constexpr std::size_t kClusterGrain = 4096;  // clusters of one task
}  // namespace

// The joined cluster of two goes to an earlier place, or that of the first
template <int D>
void BottomUpBuilder<D>::put(std::size_t place, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t left = clusters_.id(a), right = clusters_.id(b);
  const auto joint = static_cast<std::uint32_t>(item_count_ + joints_.size());
  joints_.push_back({left, right, size_of(left) + size_of(right)});
  clusters_.set(place, merge(clusters_.box(a), clusters_.box(b)), joint, 0);
}

template <int D>
void BottomUpBuilder<D>::join_partners() {
  const auto count = static_cast<std::uint32_t>(clusters_.size());
  const auto mutual = [&](std::uint32_t i) { return partners_[partners_[i]] == i; };
  std::size_t joined = 0;
  for (std::uint32_t i = 0; i < count; ++i) joined += mutual(i) ? 1 : 0;
  const bool force = joined < count / kFewJoined + 1;
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (mutual(i)) {
      // The joined cluster takes the place of its first part
      if (i < partners_[i]) put(next++, i, partners_[i]);
    } else if (force && i + 1 < count && !mutual(i + 1)) {
      put(next++, i, i + 1);
      ++i;
    } else {
      clusters_.set(next++, clusters_.box(i), clusters_.id(i), 0);
    }
  }
  clusters_.truncate(next);
}

template <int D>
void BottomUpBuilder<D>::build(BinaryTree<D>& tree, std::uint32_t leaf_size, std::uint32_t reach, Executor& executor) {
  order_.sort(tree.items, false, executor);
  item_count_ = static_cast<std::uint32_t>(tree.items.size());
  clusters_.resize(item_count_);
  for (std::uint32_t i = 0; i < item_count_; ++i) clusters_.set(i, tree.items[i].box, i, 0);
  partners_.resize(item_count_);
  joints_.clear();
  joints_.reserve(item_count_);
  rounds_ = 0;
  while (clusters_.size() > 1) {
    ++rounds_;
    const auto count = static_cast<std::uint32_t>(clusters_.size());
    parallel_for(executor, count, kClusterGrain, [&](std::size_t begin, std::size_t end) {
      choose_partners<D>(clusters_.columns(), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), count,
                         reach, partners_.data());
    });
    join_partners();
  }
  lay_out(tree, leaf_size);
}

// Put the items into the order of the leaves; what is small enough becomes one leaf
template <int D>
void BottomUpBuilder<D>::lay_out(BinaryTree<D>& tree, std::uint32_t leaf_size) {
  tree.nodes.clear();
  tree.root = 0;
  if (item_count_ == 0) return;
  std::vector<TreeItem<D>>& items = order_.scratch();
  std::uint32_t placed = 0;
  tree.nodes.resize(1);
  open_.assign(1, {clusters_.id(0), 0});
  while (!open_.empty()) {
    const auto [from, to] = open_.back();
    open_.pop_back();
    TreeNode<D> node{Aabb<D, float>::empty(), 0, 0, placed, size_of(from)};
    if (node.count > leaf_size) {
      const auto child = static_cast<std::uint32_t>(tree.nodes.size());
      tree.nodes.resize(child + 2);
      const Joint& joint = joints_[from - item_count_];
      open_.push_back({joint.right, child + 1});
      open_.push_back({joint.left, child});
      node.left = child;
      node.right = child + 1;
    } else {
      // All items below it, without recursion
      const std::size_t base = open_.size();
      open_.push_back({from, 0});
      while (open_.size() > base) {
        const std::uint32_t part = open_.back().first;
        open_.pop_back();
        if (part < item_count_) {
          node.box = merge(node.box, tree.items[part].box);
          items[placed++] = tree.items[part];
        } else {
          open_.push_back({joints_[part - item_count_].right, 0});
          open_.push_back({joints_[part - item_count_].left, 0});
        }
      }
    }
    tree.nodes[to] = node;
  }
  // Parents come first
  for (std::size_t i = tree.nodes.size(); i-- > 0;)
    if (TreeNode<D>& node = tree.nodes[i]; !node.is_leaf())
      node.box = merge(tree.nodes[node.left].box, tree.nodes[node.right].box);
  tree.items.swap(items);
}

template <int D>
std::size_t BottomUpBuilder<D>::bytes() const noexcept {
  return order_.bytes() + clusters_.bytes() + partners_.capacity() * sizeof(std::uint32_t) +
         joints_.capacity() * sizeof(Joint) + open_.capacity() * sizeof(open_[0]);
}

template class BottomUpBuilder<2>;
template class BottomUpBuilder<3>;

}  // namespace sudar
