// What:    A small tree of boxes over the parts of a shape (children, edges, convex pieces): which parts meet a box, and
//          the nearest part by bounds.
// Source:  seed A19, top-down by the median of the longest axis.
// Differs: Double boxes in the shape's own frame, built once, so a binary tree of a few lines does; moving scenes have
//          the broad phases.
// Frame:   The shape's. Boxes must be bounded; parts are told by index.
// Fails:   assign throws bad_alloc like a vector; searches never fail and do not allocate.
#pragma once

#include <sudar/bounding/aabb.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

template <int D>
class PartTree {
 public:
  using Box = Aabb<D, double>;

  void assign(std::span<const Box> boxes) {
    boxes_.assign(boxes.begin(), boxes.end());
    order_.resize(boxes.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    nodes_.clear();
    if (!order_.empty()) split(0, static_cast<std::uint32_t>(order_.size()));
  }

  std::size_t size() const { return boxes_.size(); }
  const Box& box(std::uint32_t part) const { return boxes_[part]; }
  // Of all parts; the empty box when there is none
  Box bounds() const { return nodes_.empty() ? Box::empty() : nodes_.front().box; }

  // For walks over two trees at a time. Node 0 is the root; an inner node has its first child right behind it and the
  // second at `first`, a leaf has part(first), … of its `count` parts.
  struct Node {
    Box box;
    std::uint32_t first, count;
  };
  const Node& node(std::uint32_t i) const { return nodes_[i]; }
  std::uint32_t part(std::uint32_t i) const { return order_[i]; }

  // visit(part) for every part whose box touches `box`; visit may return false to end the search
  template <class F>
  void for_each_overlap(const Box& box, F&& visit) const {
    std::uint32_t open[kDepth], count = 0;
    if (!nodes_.empty()) open[count++] = 0;
    while (count > 0) {
      const Node& node = nodes_[open[--count]];
      if (!overlap(node.box, box)) continue;
      if (node.count == 0) {
        open[count++] = node.first;
        open[count++] = static_cast<std::uint32_t>(&node - nodes_.data()) + 1;
        continue;
      }
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
        if (overlap(boxes_[order_[i]], box) && !keep_going(visit, order_[i])) return;
    }
  }

  // visit(part) for parts whose bound(box) is below `best`, nearer nodes first; visit lowers `best` as it finds better
  template <class Bound, class F>
  void for_each_nearer(Bound&& bound, double& best, F&& visit) const {
    struct Open {
      std::uint32_t node;
      double bound;
    } open[kDepth];
    std::uint32_t count = 0;
    if (!nodes_.empty()) open[count++] = {0, bound(nodes_.front().box)};
    while (count > 0) {
      const Open at = open[--count];
      if (!(at.bound < best)) continue;
      const Node& node = nodes_[at.node];
      if (node.count == 0) {
        const Open left{at.node + 1, bound(nodes_[at.node + 1].box)}, right{node.first, bound(nodes_[node.first].box)};
        const bool left_first = left.bound <= right.bound;
        open[count++] = left_first ? right : left;
        open[count++] = left_first ? left : right;
        continue;
      }
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
        if (bound(boxes_[order_[i]]) < best) visit(order_[i]);
    }
  }

 private:
  static constexpr std::uint32_t kLeafParts = 4;
  static constexpr std::uint32_t kDepth = 66;  // halves of 2^32 parts, one open sibling on each level

  template <class F>
  static bool keep_going(F& visit, std::uint32_t part) {
    if constexpr (std::is_same_v<decltype(visit(part)), bool>) {
      return visit(part);
    } else {
      visit(part);
      return true;
    }
  }

  void split(std::uint32_t begin, std::uint32_t end) {
    const std::size_t at = nodes_.size();
    Box box = Box::empty(), centers = Box::empty();
    for (std::uint32_t i = begin; i < end; ++i) {
      box = merge(box, boxes_[order_[i]]);
      centers = merge(centers, center(boxes_[order_[i]]));
    }
    nodes_.push_back({box, begin, end - begin});
    // nth_element leaves each half in an order of its own: parts of a leaf go by index
    if (end - begin <= kLeafParts) return std::sort(order_.begin() + begin, order_.begin() + end);
    int axis = 0;
    for (int i = 1; i < D; ++i)
      if (extents(centers)[i] > extents(centers)[axis]) axis = i;
    const std::uint32_t middle = begin + (end - begin) / 2;
    // Ties by index: the same tree on every platform
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t a, std::uint32_t b) {
                       const double ca = center(boxes_[a])[axis], cb = center(boxes_[b])[axis];
                       return ca != cb ? ca < cb : a < b;
                     });
    split(begin, middle);
    nodes_[at].count = 0;
    nodes_[at].first = static_cast<std::uint32_t>(nodes_.size());
    split(middle, end);
  }

  std::vector<Box> boxes_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace sudar
