#include <sudar/broadphase/insertion_tree.hpp>

#include <bit>

namespace sudar::inline SUDAR_ABI {

namespace {
// A leaf deeper than this many times the logarithm of the count, and this much, is too deep
constexpr std::size_t kDepthFactor = 3, kDepthSlack = 12;
// And a subtree is unbalanced when the way to the leaf is longer than this many times its logarithm
constexpr std::size_t kUnbalanced = 2;
// The depth is looked at when one in this many leaves has pushed others down
constexpr std::size_t kDepthCheck = 8;

// Distance of the centres, summed over the axes; some order for what costs the same
template <int D>
float distance(const Aabb<D, float>& a, const Aabb<D, float>& b) {
  float sum = 0;
  for (int k = 0; k < D; ++k) {
    const float twice = (a.lo[k] - b.lo[k]) + (a.hi[k] - b.hi[k]);
    sum += twice < 0 ? -twice : twice;
  }
  return sum;
}
}  // namespace

template <int D>
void InsertionTree<D>::clear() noexcept {
  nodes_.clear();
  free_pairs_.clear();
  slot_of_.clear();
  count_ = pushed_down_ = 0;
}

template <int D>
typename InsertionTree<D>::Slot InsertionTree<D>::take_pair() {
  if (free_pairs_.empty()) {
    const auto pair = static_cast<Slot>(nodes_.size());
    nodes_.resize(nodes_.size() + 2);
    return pair;
  }
  const Slot pair = free_pairs_.back();
  free_pairs_.pop_back();
  return pair;
}

template <int D>
void InsertionTree<D>::give_pair(Slot pair) {
  nodes_[pair].child = nodes_[pair + 1].child = 0;
  free_pairs_.push_back(pair);
}

template <int D>
void InsertionTree<D>::place(Slot slot, const Node& node) noexcept {
  nodes_[slot].box = node.box;
  nodes_[slot].child = node.child;
  if ((node.child & kLeaf) != 0)
    slot_of_[node.child & ~kLeaf] = slot;
  else
    nodes_[node.child].parent = nodes_[node.child + 1].parent = slot;
}

template <int D>
typename InsertionTree<D>::Slot InsertionTree<D>::best_sibling(std::uint32_t id, const Aabb<D, float>& box,
                                                               std::size_t& depth) const noexcept {
  const float own = box_cost<float>(box);
  Slot slot = 0, best = 0;
  float inherited = 0;  // what the nodes above grow by
  float merged = box_cost<float>(merge(nodes_[0].box, box)), best_cost = merged;
  std::size_t at = 0;
  depth = 0;
  while (!is_leaf(slot)) {
    inherited += merged - box_cost<float>(nodes_[slot].box);
    // Nothing below can cost less than this
    if (inherited + own > best_cost) break;
    ++at;
    const Slot child = nodes_[slot].child;
    float merged_of[2], bound[2];
    for (std::uint32_t i = 0; i < 2; ++i) {
      const Node& node = nodes_[child + i];
      merged_of[i] = box_cost<float>(merge(node.box, box));
      bound[i] = (node.child & kLeaf) != 0 ? merged_of[i] : merged_of[i] - box_cost<float>(node.box) + own;
    }
    std::uint32_t next = bound[1] < bound[0] ? 1 : 0;
    if (!(bound[0] < bound[1]) && next == 0) {
      const float d0 = distance(nodes_[child].box, box), d1 = distance(nodes_[child + 1].box, box);
      // Equal boxes: the bits of the id lead different leaves different ways
      next = d1 < d0 ? 1 : d0 < d1 ? 0 : (id * 0x9e3779b9u >> (at % 32)) & 1;
    }
    if (inherited + merged_of[1 - next] < best_cost) {
      best_cost = inherited + merged_of[1 - next];
      best = child + 1 - next;
      depth = at;
    }
    // What costs the same, or cannot be told apart, goes as deep as possible: there it is spread
    if (!(inherited + merged_of[next] > best_cost)) {
      best_cost = inherited + merged_of[next];
      best = child + next;
      depth = at;
    }
    slot = child + next;
    merged = merged_of[next];
  }
  return best;
}

template <int D>
void InsertionTree<D>::insert(std::uint32_t id, const Aabb<D, float>& box, bool rotate) {
  if (id >= slot_of_.size()) slot_of_.resize(std::max<std::size_t>(id + std::size_t{1}, 2 * slot_of_.size()), kNoSlot);
  Node leaf;
  leaf.box = box;
  leaf.child = kLeaf | id;
  if (count_ == 0) {
    if (nodes_.empty()) nodes_.resize(2);
    place(0, leaf);
    count_ = 1;
    return;
  }
  std::size_t depth = 0;
  const Slot sibling = best_sibling(id, box, depth);
  // The sibling moves down into a new pair, beside the leaf
  const Slot pair = take_pair();
  const Node moved = nodes_[sibling];
  if ((moved.child & kLeaf) == 0) ++pushed_down_;
  nodes_[pair].parent = nodes_[pair + 1].parent = sibling;
  place(pair, moved);
  place(pair + 1, leaf);
  nodes_[sibling].child = pair;
  nodes_[sibling].box = merge(moved.box, box);
  ++count_;
  refit_above(nodes_[sibling].parent, rotate);
  if (depth > depth_limit()) rebuild_around(slot_of_[id], false);
  if (pushed_down_ > kDepthSlack + count_ / kDepthCheck) bound_depth();
}

template <int D>
std::size_t InsertionTree<D>::depth_limit() const noexcept {
  return kDepthFactor * static_cast<std::size_t>(std::bit_width(count_)) + kDepthSlack;
}

// A leaf that is put in beside an inner node pushes others down; look for how deep they are, from time to time
template <int D>
void InsertionTree<D>::bound_depth() {
  pushed_down_ = 0;
  Slot leaf = deepest_leaf();
  if (depth_of(leaf) > depth_limit()) rebuild_around(leaf, true);
}

template <int D>
void InsertionTree<D>::erase(std::uint32_t id) {
  const Slot slot = slot_of_[id];
  slot_of_[id] = kNoSlot;
  --count_;
  if (slot == 0) {
    nodes_[0].child = 0;
    return;
  }
  // The sibling takes the place of the parent
  const Slot parent = nodes_[slot].parent, pair = slot & ~Slot{1};
  const Node sibling = nodes_[slot ^ 1];
  place(parent, sibling);
  give_pair(pair);
  refit_above(nodes_[parent].parent, false);
}

// Boxes from this node up to the root, as far as they change
template <int D>
void InsertionTree<D>::refit_above(Slot slot, bool rotate) noexcept {
  while (slot != kNoSlot) {
    Node& node = nodes_[slot];
    const bool rotated = rotate && rotate_at(slot);
    const Aabb<D, float> box = merge(nodes_[node.child].box, nodes_[node.child + 1].box);
    if (box == node.box && !rotated) return;
    node.box = box;
    slot = node.parent;
  }
}

// Swap a child with a child of its sibling if that makes the sibling cheaper; this node's box stays what it is
template <int D>
bool InsertionTree<D>::rotate_at(Slot slot) noexcept {
  const Slot child = nodes_[slot].child;
  float gain = 0;
  Slot from = 0, to = 0, stays = 0;
  for (Slot side = 0; side < 2; ++side) {
    const Slot outer = child + side, inner = child + 1 - side;
    if ((nodes_[inner].child & kLeaf) != 0) continue;
    const float now = box_cost<float>(nodes_[inner].box);
    const Slot below = nodes_[inner].child;
    for (Slot i = 0; i < 2; ++i) {
      // The outer one goes in for `below + i`, which comes out
      const float saved = now - box_cost<float>(merge(nodes_[outer].box, nodes_[below + 1 - i].box));
      if (!(saved > gain)) continue;
      gain = saved;
      from = outer;
      to = below + i;
      stays = below + 1 - i;
    }
  }
  if (!(gain > 0)) return false;
  const Node up = nodes_[to], down = nodes_[from];
  const Slot inner = nodes_[to].parent;
  place(from, up);
  place(to, down);
  nodes_[inner].box = merge(nodes_[to].box, nodes_[stays].box);
  return true;
}

// Find the lowest, or the highest, node that is too deep for its count, and make it balanced
template <int D>
void InsertionTree<D>::rebuild_around(Slot leaf, bool highest) {
  Slot slot = leaf, unbalanced = 0;
  std::size_t height = 0, size = 1;
  while (nodes_[slot].parent != kNoSlot) {
    // Count what is on the other side
    below_.assign(1, slot ^ 1);
    while (!below_.empty()) {
      const Slot at = below_.back();
      below_.pop_back();
      if (is_leaf(at)) {
        ++size;
        continue;
      }
      below_.push_back(nodes_[at].child);
      below_.push_back(nodes_[at].child + 1);
    }
    slot = nodes_[slot].parent;
    ++height;
    if (height <= kUnbalanced * static_cast<std::size_t>(std::bit_width(size))) continue;
    unbalanced = slot;
    if (!highest) break;
  }
  slot = unbalanced;
  // Take all leaves out
  part_.items.clear();
  below_.assign(1, slot);
  while (!below_.empty()) {
    const Slot at = below_.back();
    below_.pop_back();
    if (is_leaf(at)) {
      part_.items.push_back({nodes_[at].box, id(at)});
      continue;
    }
    const Slot pair = nodes_[at].child;
    below_.push_back(pair);
    below_.push_back(pair + 1);
  }
  // Free the pairs from the top, when all leaves are known
  below_.assign(1, nodes_[slot].child);
  while (!below_.empty()) {
    const Slot pair = below_.back();
    below_.pop_back();
    for (const Slot at : {pair, pair + 1})
      if (is_inner(at)) below_.push_back(nodes_[at].child);
    give_pair(pair);
  }
  builder_.build(part_, 1, TreeSplit::median, serial_executor());
  graft(part_, slot);
  ++partial_rebuilds_;
}

// The whole of `tree` into this slot
template <int D>
void InsertionTree<D>::graft(const BinaryTree<D>& tree, Slot slot) {
  open_.assign(1, {tree.root, slot});
  while (!open_.empty()) {
    const Open at = open_.back();
    open_.pop_back();
    const TreeNode<D>& node = tree.nodes[at.node];
    nodes_[at.slot].box = node.box;
    if (node.is_leaf()) {
      const std::uint32_t id = tree.items[node.first].id;
      nodes_[at.slot].child = kLeaf | id;
      slot_of_[id] = at.slot;
      continue;
    }
    const Slot pair = take_pair();
    nodes_[at.slot].child = pair;
    nodes_[pair].parent = nodes_[pair + 1].parent = at.slot;
    open_.push_back({node.right, pair + 1});
    open_.push_back({node.left, pair});
  }
}

template <int D>
void InsertionTree<D>::assign(const BinaryTree<D>& tree, std::size_t id_limit) {
  clear();
  slot_of_.assign(id_limit, kNoSlot);
  if (tree.nodes.empty()) return;
  nodes_.reserve(2 * tree.items.size() + 2);
  nodes_.resize(2);
  graft(tree, 0);
  count_ = tree.items.size();
}

template <int D>
double InsertionTree<D>::cost() const noexcept {
  double sum = 0;
  for (Slot slot = 0; slot < nodes_.size(); ++slot)
    if (is_inner(slot)) sum += box_cost(nodes_[slot].box);
  return sum;
}

template <int D>
std::size_t InsertionTree<D>::depth_of(Slot slot) const noexcept {
  std::size_t depth = 0;
  for (; nodes_[slot].parent != kNoSlot; slot = nodes_[slot].parent) ++depth;
  return depth;
}

template <int D>
typename InsertionTree<D>::Slot InsertionTree<D>::deepest_leaf() const {
  std::vector<std::pair<Slot, std::size_t>> open = {{0, 0}};
  Slot deepest = 0;
  std::size_t greatest = 0;
  while (!open.empty()) {
    const auto [slot, depth] = open.back();
    open.pop_back();
    if (is_inner(slot)) {
      open.push_back({nodes_[slot].child, depth + 1});
      open.push_back({nodes_[slot].child + 1, depth + 1});
    } else if (depth > greatest) {
      greatest = depth;
      deepest = slot;
    }
  }
  return deepest;
}

template <int D>
std::size_t InsertionTree<D>::depth() const {
  return empty() ? 0 : depth_of(deepest_leaf());
}

template <int D>
std::size_t InsertionTree<D>::bytes() const noexcept {
  return nodes_.capacity() * sizeof(Node) +
         (free_pairs_.capacity() + slot_of_.capacity() + below_.capacity()) * sizeof(Slot) +
         open_.capacity() * sizeof(Open) + part_.bytes() + builder_.bytes();
}

template class InsertionTree<2>;
template class InsertionTree<3>;

}  // namespace sudar::inline SUDAR_ABI
