#include <sudar/broadphase/insertion_tree.hpp>
#include <sudar/core/prefetch.hpp>

#include <algorithm>
#include <bit>
#include <limits>

namespace sudar {

namespace {
// A leaf deeper than this many times the logarithm of the count, and this much, is too deep
constexpr std::size_t kDepthFactor = 3, kDepthSlack = 12;
// And a subtree is unbalanced when the way to the leaf is longer than this many times its logarithm
constexpr std::size_t kUnbalanced = 2;
// The depth is looked at when one in this many leaves has pushed others down
constexpr std::size_t kDepthCheck = 8;
// A leaf of this many boxes and fewer, with its sibling, becomes one with it
constexpr std::size_t kFewLeafBoxes = 4;
// A box that makes its leaf cost more than this many times as much looks for another place
constexpr float kMostLeafGrowth = 1.5f;
// Floats of a cache line
constexpr std::size_t kLine = 16;
// Boxes of a leaf of a tree built in one go, rounded down
constexpr std::size_t kMeanFill = 5;
// Of the boxes of a leaf that splits, on each side
constexpr std::size_t kLeastHalf = 2;

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
  leaf_bounds_.clear();
  leaf_ids_.clear();
  leaf_lanes_.clear();
  leaf_slot_.clear();
  free_leaves_.clear();
  place_of_.clear();
  count_ = pushed_down_ = 0;
}

template <int D>
typename InsertionTree<D>::Slot InsertionTree<D>::take_pair() {
  in_order_ = false;
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
  in_order_ = false;
  nodes_[pair].child = nodes_[pair + 1].child = 0;
  free_pairs_.push_back(pair);
}

template <int D>
std::uint32_t InsertionTree<D>::take_leaf() {
  if (!free_leaves_.empty()) {
    const std::uint32_t leaf = free_leaves_.back();
    free_leaves_.pop_back();
    return leaf;
  }
  const auto leaf = static_cast<std::uint32_t>(leaf_lanes_.size());
  append_empty_block<D>(leaf_bounds_, kLeafLanes);
  leaf_ids_.resize(leaf_ids_.size() + kLeafLanes);
  leaf_slot_.push_back(kNoSlot);
  leaf_lanes_.push_back(0);
  return leaf;
}

// All of its lanes are empty
template <int D>
void InsertionTree<D>::give_leaf(std::uint32_t leaf) {
  free_leaves_.push_back(leaf);
}

template <int D>
void InsertionTree<D>::put_lane(std::uint32_t leaf, std::size_t lane, std::uint32_t id,
                                const Aabb<D, float>& box) noexcept {
  const auto at = static_cast<std::uint32_t>(leaf * kLeafLanes + lane);
  set_lane<D>(leaf_bounds_.data(), kLeafLanes, at, box);
  leaf_ids_[at] = id;
  place_of_[id] = at;
}

template <int D>
void InsertionTree<D>::add_lane(std::uint32_t leaf, std::uint32_t id, const Aabb<D, float>& box) noexcept {
  put_lane(leaf, leaf_lanes_[leaf]++, id, box);
}

// The last lane fills the hole
template <int D>
void InsertionTree<D>::drop_lane(std::uint32_t leaf, std::size_t lane) noexcept {
  const std::size_t last = leaf * kLeafLanes + --leaf_lanes_[leaf];
  place_of_[leaf_ids_[leaf * kLeafLanes + lane]] = kNoSlot;
  if (leaf * kLeafLanes + lane != last)
    put_lane(leaf, lane, leaf_ids_[last], lane_box<D>(leaf_bounds_.data(), kLeafLanes, last));
  set_lane<D>(leaf_bounds_.data(), kLeafLanes, last, Aabb<D, float>::empty());
}

template <int D>
void InsertionTree<D>::prefetch(std::uint32_t id) const noexcept {
  const float* block = leaf_bounds_.data() + place_of_[id] / kLeafLanes * (2 * D * kLeafLanes);
  for (std::size_t k = 0; k < 2 * D * kLeafLanes; k += kLine) sudar::prefetch(block + k);
}

template <int D>
void InsertionTree<D>::place(Slot slot, const Node& node) noexcept {
  nodes_[slot].box = node.box;
  nodes_[slot].child = node.child;
  if ((node.child & kLeaf) != 0)
    leaf_slot_[node.child & ~kLeaf] = slot;
  else
    nodes_[node.child].parent = nodes_[node.child + 1].parent = slot;
}

template <int D>
typename InsertionTree<D>::Spot InsertionTree<D>::best_spot(std::uint32_t id,
                                                            const Aabb<D, float>& box) const noexcept {
  float inherited = 0;  // what the nodes above grow by
  float merged = box_cost<float>(merge(nodes_[0].box, box)), best_cost = merged;
  Spot best{0, 0, false};
  Slot slot = 0;
  std::size_t at = 0;
  for (; !is_leaf(slot); ++at) {
    inherited += merged - box_cost<float>(nodes_[slot].box);
    // Nothing below can cost less than this
    if (inherited > best_cost) return best;
    const Slot child = nodes_[slot].child;
    float merged_of[2], growth[2];
    for (std::uint32_t i = 0; i < 2; ++i) {
      merged_of[i] = box_cost<float>(merge(nodes_[child + i].box, box));
      growth[i] = merged_of[i] - box_cost<float>(nodes_[child + i].box);
    }
    std::uint32_t next = growth[1] < growth[0] ? 1 : 0;
    if (!(growth[0] < growth[1]) && next == 0) {
      const float d0 = distance(nodes_[child].box, box), d1 = distance(nodes_[child + 1].box, box);
      // Equal boxes: the bits of the id lead different ones different ways
      next = d1 < d0 ? 1 : d0 < d1 ? 0 : (id * 0x9e3779b9u >> (at % 32)) & 1;
    }
    for (const std::uint32_t i : {1 - next, next})
      if (inherited + merged_of[i] < best_cost) {
        best_cost = inherited + merged_of[i];
        best = {child + i, at + 1, false};
      }
    slot = child + next;
    merged = merged_of[next];
  }
  // Into the leaf: it grows; a full one becomes two below a new node
  const bool full = leaf_lanes_[leaf(slot)] == kLeafLanes;
  const float cost = inherited + (full ? merged : merged - box_cost<float>(nodes_[slot].box));
  // What costs the same, or cannot be told apart, goes as deep as possible: there it is spread
  if (!(cost > best_cost)) best = {slot, at, true};
  return best;
}

template <int D>
void InsertionTree<D>::insert(std::uint32_t id, const Aabb<D, float>& box, bool rotate) {
  if (id >= place_of_.size())
    place_of_.resize(std::max<std::size_t>(id + std::size_t{1}, 2 * place_of_.size()), kNoSlot);
  ++count_;
  if (count_ == 1) {
    if (nodes_.empty()) nodes_.resize(2);
    const std::uint32_t leaf = take_leaf();
    add_lane(leaf, id, box);
    place(0, {box, kLeaf | leaf, kNoSlot});
    return;
  }
  const Spot spot = best_spot(id, box);
  if (!spot.inside) {
    if (!is_leaf(spot.slot)) ++pushed_down_;
    insert_beside(spot.slot, id, box);
  } else if (leaf_lanes_[leaf(spot.slot)] == kLeafLanes) {
    split_leaf(spot.slot, id, box);
  } else {
    add_lane(leaf(spot.slot), id, box);
    nodes_[spot.slot].box = merge(nodes_[spot.slot].box, box);
  }
  refit_above(nodes_[spot.slot].parent, rotate);
  if (spot.depth > depth_limit()) rebuild_around(leaf_slot_[place_of_[id] / kLeafLanes], false);
  if (pushed_down_ > kDepthSlack + count_ / kDepthCheck) bound_depth();
}

// The node moves down into a new pair, beside a leaf of one box
template <int D>
void InsertionTree<D>::insert_beside(Slot slot, std::uint32_t id, const Aabb<D, float>& box) {
  const Slot pair = take_pair();
  const std::uint32_t leaf = take_leaf();
  const Node moved = nodes_[slot];
  nodes_[pair].parent = nodes_[pair + 1].parent = slot;
  place(pair, moved);
  add_lane(leaf, id, box);
  place(pair + 1, {box, kLeaf | leaf, kNoSlot});
  nodes_[slot].child = pair;
  nodes_[slot].box = merge(moved.box, box);
}

// The boxes of a full leaf and one more, sorted along the axis on which their centres spread most, and parted where that
// costs least
template <int D>
void InsertionTree<D>::split_leaf(Slot slot, std::uint32_t id, const Aabb<D, float>& box) {
  constexpr std::size_t kAll = kLeafLanes + 1;
  const Slot pair = take_pair();
  const std::uint32_t first = leaf(slot), second = take_leaf();
  std::array<TreeItem<D>, kAll> items;
  for (std::size_t lane = 0; lane < kLeafLanes; ++lane)
    items[lane] = {lane_box<D>(leaf_bounds_.data(), kLeafLanes, first * kLeafLanes + lane),
                   leaf_ids_[first * kLeafLanes + lane]};
  items[kLeafLanes] = {box, id};
  const int axis = SplitBins<D>(measure_items(items.data(), kAll).centres, kMostBins).axis;
  std::sort(items.begin(), items.end(), [axis](const TreeItem<D>& a, const TreeItem<D>& b) {
    const float ca = a.box.lo[axis] * 0.5f + a.box.hi[axis] * 0.5f, cb = b.box.lo[axis] * 0.5f + b.box.hi[axis] * 0.5f;
    return ca != cb ? ca < cb : a.id < b.id;
  });
  std::array<float, kAll> left_cost;
  Aabb<D, float> side = Aabb<D, float>::empty();
  for (std::size_t i = 0; i < kAll; ++i) {
    left_cost[i] = box_cost<float>(side) * static_cast<float>(i);
    side = merge(side, items[i].box);
  }
  std::size_t middle = kAll / 2;
  float best = std::numeric_limits<float>::infinity();
  side = Aabb<D, float>::empty();
  for (std::size_t i = kAll - 1; i >= kLeastHalf; --i) {
    side = merge(side, items[i].box);
    const float cost = left_cost[i] + box_cost<float>(side) * static_cast<float>(kAll - i);
    if (kAll - i < kLeastHalf || !(cost < best)) continue;
    best = cost;
    middle = i;
  }
  while (leaf_lanes_[first] > 0) drop_lane(first, leaf_lanes_[first] - std::size_t{1});
  for (std::size_t i = 0; i < kAll; ++i) add_lane(i < middle ? first : second, items[i].id, items[i].box);
  nodes_[pair].parent = nodes_[pair + 1].parent = slot;
  place(pair, {box_of_leaf(first), kLeaf | first, kNoSlot});
  place(pair + 1, {box_of_leaf(second), kLeaf | second, kNoSlot});
  nodes_[slot].child = pair;
  nodes_[slot].box = merge(nodes_[pair].box, nodes_[pair + 1].box);
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
  const auto leaf = static_cast<std::uint32_t>(place_of_[id] / kLeafLanes);
  const Slot slot = leaf_slot_[leaf];
  drop_lane(leaf, place_of_[id] % kLeafLanes);
  --count_;
  if (leaf_lanes_[leaf] > 0) {
    nodes_[slot].box = box_of_leaf(leaf);
    const Slot parent = nodes_[slot].parent;
    refit_above(parent, false);
    if (parent != kNoSlot && is_leaf(slot ^ 1)) merge_leaves(parent);
    return;
  }
  give_leaf(leaf);
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

// Two leaves with few boxes become one, in the place of their parent
template <int D>
void InsertionTree<D>::merge_leaves(Slot parent) {
  const Slot pair = nodes_[parent].child;
  const std::uint32_t to = leaf(pair), from = leaf(pair + 1);
  if (std::size_t{leaf_lanes_[to]} + leaf_lanes_[from] > kFewLeafBoxes) return;
  while (leaf_lanes_[from] > 0) {
    const std::size_t lane = leaf_lanes_[from] - std::size_t{1}, at = from * kLeafLanes + lane;
    const TreeItem<D> item{lane_box<D>(leaf_bounds_.data(), kLeafLanes, at), leaf_ids_[at]};
    drop_lane(from, lane);
    add_lane(to, item.id, item.box);
  }
  give_leaf(from);
  place(parent, {nodes_[parent].box, kLeaf | to, kNoSlot});
  give_pair(pair);
}

template <int D>
void InsertionTree<D>::move(std::uint32_t id, const Aabb<D, float>& box, bool rotate) {
  const auto leaf = static_cast<std::uint32_t>(place_of_[id] / kLeafLanes);
  Node& node = nodes_[leaf_slot_[leaf]];
  if (!sudar::contains(node.box, box) && leaf_lanes_[leaf] > 1 &&
      !(box_cost<float>(merge(node.box, box)) < kMostLeafGrowth * box_cost<float>(node.box))) {
    erase(id);
    return insert(id, box, rotate);
  }
  set_box(id, box);
  const Aabb<D, float> all = box_of_leaf(leaf);
  if (all == node.box) return;
  node.box = all;
  refit_above(node.parent, rotate);
}

template <int D>
double InsertionTree<D>::refit() {
  if (count_ == 0) return 0;
  double sum = 0;
  for (std::uint32_t leaf = 0; leaf < leaf_lanes_.size(); ++leaf) {
    if (leaf_lanes_[leaf] == 0) continue;
    Node& node = nodes_[leaf_slot_[leaf]];
    node.box = box_of_leaf(leaf);
    sum += box_cost<float>(node.box);
  }
  const auto fit = [&](Slot pair) {
    Node& parent = nodes_[nodes_[pair].parent];
    parent.box = merge(nodes_[pair].box, nodes_[pair + 1].box);
    sum += box_cost<float>(parent.box);
  };
  if (in_order_) {
    for (Slot pair = 2; pair < nodes_.size(); pair += 2) fit(pair);
    return sum;
  }
  // Pairs from the top, and then from the bottom
  below_.clear();
  if (!is_leaf(0)) below_.push_back(nodes_[0].child);
  for (std::size_t i = 0; i < below_.size(); ++i)
    for (const Slot slot : {below_[i], below_[i] + 1})
      if (!is_leaf(slot)) below_.push_back(nodes_[slot].child);
  for (std::size_t i = below_.size(); i-- > 0;) fit(below_[i]);
  return sum;
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
  in_order_ = false;
  const Node up = nodes_[to], down = nodes_[from];
  const Slot inner = nodes_[to].parent;
  place(from, up);
  place(to, down);
  nodes_[inner].box = merge(nodes_[to].box, nodes_[stays].box);
  return true;
}

// Find the lowest, or the highest, node that is too deep for its count, and make it balanced
template <int D>
void InsertionTree<D>::rebuild_around(Slot leaf_slot, bool highest) {
  Slot slot = leaf_slot, unbalanced = 0;
  std::size_t height = 0, size = leaf_lanes_[leaf(slot)];
  while (nodes_[slot].parent != kNoSlot) {
    // Count what is on the other side
    below_.assign(1, slot ^ 1);
    while (!below_.empty()) {
      const Slot at = below_.back();
      below_.pop_back();
      if (is_leaf(at)) {
        size += leaf_lanes_[leaf(at)];
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
  if (is_leaf(slot)) return;
  // Take all boxes out, and free the pairs and the leaves
  part_.items.clear();
  below_.assign(1, nodes_[slot].child);
  while (!below_.empty()) {
    const Slot pair = below_.back();
    below_.pop_back();
    for (const Slot at : {pair, pair + 1}) {
      if (!is_leaf(at)) {
        below_.push_back(nodes_[at].child);
        continue;
      }
      const std::uint32_t leaf = this->leaf(at);
      while (leaf_lanes_[leaf] > 0) {
        const std::size_t lane = leaf_lanes_[leaf] - std::size_t{1}, place = leaf * kLeafLanes + lane;
        part_.items.push_back({lane_box<D>(leaf_bounds_.data(), kLeafLanes, place), leaf_ids_[place]});
        drop_lane(leaf, lane);
      }
      give_leaf(leaf);
    }
    give_pair(pair);
  }
  builder_.build(part_, kLeafLanes, TreeSplit::median, serial_executor());
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
      const std::uint32_t leaf = take_leaf();
      nodes_[at.slot].child = kLeaf | leaf;
      leaf_slot_[leaf] = at.slot;
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
        add_lane(leaf, tree.items[i].id, tree.items[i].box);
      continue;
    }
    const Slot pair = take_pair();
    nodes_[at.slot].child = pair;
    nodes_[pair].parent = nodes_[pair + 1].parent = at.slot;
    open_.push_back({node.right, pair + 1});
    open_.push_back({node.left, pair});
  }
}

// As linear_builder.hpp does, but straight into the slots: a pair is made when both of its nodes are known
template <int D>
void InsertionTree<D>::assign(const MortonOrder<D>& order, std::span<const std::uint32_t> ids,
                              std::span<const Aabb<D, float>> boxes) {
  clear();
  place_of_.assign(boxes.size(), kNoSlot);
  const auto count = static_cast<std::uint32_t>(ids.size());
  if (count == 0) return;
  count_ = count;
  // Room for as many leaves as there mostly are, since growing would leave half of it unused
  const std::size_t leaves = count / kMeanFill + 1;
  nodes_.reserve(2 * leaves + 2);
  leaf_bounds_.reserve(leaves * 2 * D * kLeafLanes);
  leaf_ids_.reserve(leaves * kLeafLanes);
  leaf_lanes_.reserve(leaves);
  leaf_slot_.reserve(leaves);
  nodes_.resize(2);
  struct Run {
    Aabb<D, float> box;
    std::uint32_t first, count, child;  // of a node; 0 when it is short enough for a leaf
    std::uint16_t level;                // behind it
  };
  std::vector<Run> runs;
  const auto child_of = [&](const Run& run) {
    if (run.child != 0) return run.child;
    const std::uint32_t leaf = take_leaf();
    for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
      const std::uint32_t id = ids[order.row(i)];
      add_lane(leaf, id, boxes[id]);
    }
    return kLeaf | leaf;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint16_t level = i + 1 < count ? order.level(i) : std::numeric_limits<std::uint16_t>::max();
    Run run{boxes[ids[order.row(i)]], i, 1, 0, level};
    // Join what is divided more finely than what comes
    while (!runs.empty() && runs.back().level < run.level) {
      const Run before = runs.back();
      runs.pop_back();
      const std::uint32_t both = before.count + run.count;
      std::uint32_t child = 0;
      if (both > kLeafLanes) {
        const std::uint32_t left = child_of(before), right = child_of(run);
        child = take_pair();
        place(child, {before.box, left, kNoSlot});
        place(child + 1, {run.box, right, kNoSlot});
      }
      run = {merge(before.box, run.box), before.first, both, child, run.level};
    }
    runs.push_back(run);
  }
  place(0, {runs.back().box, child_of(runs.back()), kNoSlot});
  in_order_ = true;
}

template <int D>
double InsertionTree<D>::cost() const noexcept {
  double sum = 0;
  if (count_ > 0) sum += box_cost(nodes_[0].box);
  for (Slot slot = 2; slot < nodes_.size(); ++slot)
    if (nodes_[slot].child != 0) sum += box_cost(nodes_[slot].box);
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
    if (!is_leaf(slot)) {
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
  return nodes_.capacity() * sizeof(Node) + leaf_bounds_.capacity() * sizeof(float) + leaf_lanes_.capacity() +
         (free_pairs_.capacity() + free_leaves_.capacity() + leaf_ids_.capacity() + leaf_slot_.capacity() +
          place_of_.capacity() + below_.capacity()) *
             sizeof(std::uint32_t) +
         open_.capacity() * sizeof(Open) + part_.bytes() + builder_.bytes();
}

template class InsertionTree<2>;
template class InsertionTree<3>;

}  // namespace sudar
