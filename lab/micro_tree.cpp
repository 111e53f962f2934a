// What:    The microscope on trees of boxes: split from the top at medians or where it costs least, or from the bits of
//          Morton codes.
// Differs: The builders have no trace: a tree of few boxes holds its nodes in the order in which they were made, so the
//          finished tree is replayed.
#include "lab/microscope.hpp"
#include "lab/palette.hpp"
#include "lab/point_cloud.hpp"
#include "lab/stepped.hpp"
#include <sudar/broadphase/linear_builder.hpp>
#include <sudar/broadphase/split_kernels.hpp>
#include <sudar/broadphase/top_down_builder.hpp>
#include <sudar/core/random.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace sudar::lab {

namespace {

class MicroTree final : public Stepped {
 public:
  MicroTree() {
    add_cloud_parameters(parameters_, 24, 200, "clusters");
    parameters_.push_back(Parameter::choice("method", "Method", {"median", "cost", "morton"}, 1));
    parameters_.back().help =
        "median: halves of equal counts; cost: the border of bins that costs least (SAH); morton: bits of codes";
    parameters_.push_back(Parameter::whole("leaf", "Boxes in a leaf", 1, 1, 8));
  }
  std::string as_query() const override { return command_line("tree_build"); }

 private:
  using Box = Aabb<2, float>;

  void run() override {
    const std::vector<Vec2d> centers = cloud2(parameters_);
    method_ = parameter("method").chosen();
    const auto leaf = static_cast<std::uint32_t>(parameter("leaf").value);
    Random random(static_cast<std::uint64_t>(parameter("seed").value) + 77);
    tree_ = {};
    for (std::uint32_t i = 0; i < centers.size(); ++i) {
      const Vec2d half{random.uniform(0.04, 0.16), random.uniform(0.04, 0.16)};
      tree_.items.push_back({{vec_cast<float>(centers[i] - half), vec_cast<float>(centers[i] + half)}, i});
    }
    if (method_ == "morton")
      LinearBuilder<2>().build(tree_, leaf, false, serial_executor());
    else
      TopDownBuilder<2>().build(tree_, leaf, method_ == "cost" ? TreeSplit::binned_cost : TreeSplit::median,
                                serial_executor());
    find_order();
    if (method_ == "morton")
      add("order", num(tree_.items.size()),
          "The centres are put into the order of a Morton curve: the bits of both coordinates, taken in turns, are one "
          "number.",
          0);
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const TreeNode<2>& node = tree_.nodes[order_[k]];
      const double own = box_cost(node.box) * node.count;
      if (node.is_leaf()) continue;
      const TreeNode<2>&left = tree_.nodes[node.left], &right = tree_.nodes[node.right];
      const double split = box_cost(left.box) * left.count + box_cost(right.box) * right.count;
      add(method_ == "morton" ? "join" : "split", num(split / own),
          (method_ == "morton"
               ? "The curve divides more coarsely on both sides than between them: " + num(std::size_t{left.count}) +
                     " and " + num(std::size_t{right.count}) + " boxes are joined."
               : num(std::size_t{node.count}) + " boxes are split into " + num(std::size_t{left.count}) + " and " +
                     num(std::size_t{right.count}) + ".") +
              " Half perimeters times counts: " + num(split) + " m in place of " + num(own) + " m.",
          k + 1);
    }
    add("answer", num(tree_cost(tree_)),
        num(tree_.nodes.size()) + " nodes, depth " + num(tree_depth(tree_)) + ", cost " + num(tree_cost(tree_)) +
            " (nodes that a search meets, about).",
        order_.size());
  }

  // As the builder goes: from the top the half that was put aside last first; from codes as they are made
  void find_order() {
    order_.clear();
    depth_.assign(tree_.nodes.size(), 0);
    if (tree_.nodes.empty()) return;
    std::vector<std::uint32_t> open = {tree_.root};
    while (!open.empty()) {
      const std::uint32_t i = open.back();
      open.pop_back();
      order_.push_back(i);
      const TreeNode<2>& node = tree_.nodes[i];
      if (node.is_leaf()) continue;
      depth_[node.left] = depth_[node.right] = depth_[i] + 1;
      open.push_back(node.left);
      open.push_back(node.right);
    }
    if (method_ == "morton") std::sort(order_.begin(), order_.end());
  }

  static Vec3d corner(const BasicVec2<float>& p) { return {p.x, p.y, 0}; }
  static Vec2d center_of(const Box& box) { return {0.5 * box.lo.x + 0.5 * box.hi.x, 0.5 * box.lo.y + 0.5 * box.hi.y}; }
  static void fill(DrawList& list, const Box& box, Color c) {
    const Vec3d ring[] = {corner(box.lo), {box.hi.x, box.lo.y, 0}, corner(box.hi), {box.lo.x, box.hi.y, 0}};
    list.polygon(ring, c);
  }

  void draw_at(DrawList& list, std::size_t nodes_done) const override {
    list.flat = true;
    const std::size_t n = tree_.items.size();
    const bool end = at_end(), morton = method_ == "morton";
    // Nodes so far
    for (std::size_t k = 0; k < nodes_done; ++k) {
      const TreeNode<2>& node = tree_.nodes[order_[k]];
      const bool now = k + 1 == nodes_done && !end;
      const Color c = heat(1 - depth_[order_[k]] / 10.0);
      list.wire_box(corner(node.box.lo), corner(node.box.hi), now ? color_of(Ink::highlight) : faded(c, 0.9f),
                    now ? 4.f : 1.2f);
      if (now && !node.is_leaf()) {
        fill(list, tree_.nodes[node.left].box, color_of(Ink::a, 0.3f));
        fill(list, tree_.nodes[node.right].box, color_of(Ink::b, 0.3f));
      }
    }
    if (method_ == "cost" && nodes_done > 0 && !end) draw_borders(list, tree_.nodes[order_[nodes_done - 1]]);
    for (std::size_t i = 0; i < n; ++i) {
      const Box& box = tree_.items[i].box;
      fill(list, box,
           morton ? faded(heat(static_cast<double>(i) / static_cast<double>(n)), 0.8f) : color_of(Ink::text, 0.35f));
      list.wire_box(corner(box.lo), corner(box.hi), color_of(Ink::text), 1);
    }
    if (morton) {
      std::vector<Vec3d> curve;
      for (const auto& item : tree_.items) curve.push_back(flat(center_of(item.box)));
      list.polyline(curve, color_of(Ink::ray, nodes_done == 0 ? 1.f : 0.35f), false, 2);
    }
    // Below: the boxes in the order of the leaves, and above each run of them its node
    const Box& all = tree_.nodes[tree_.root].box;
    const double left = all.lo.x, width = (static_cast<double>(all.hi.x) - left) / static_cast<double>(n);
    const double top = all.lo.y - 0.5, row = 0.16;
    for (std::size_t k = 0; k < nodes_done; ++k) {
      const TreeNode<2>& node = tree_.nodes[order_[k]];
      const bool now = k + 1 == nodes_done && !end;
      const double x0 = left + width * node.first, x1 = x0 + width * node.count, y1 = top - row * depth_[order_[k]],
                   y0 = y1 - row;
      const Vec3d ring[] = {{x0, y0, 0}, {x1, y0, 0}, {x1, y1, 0}, {x0, y1, 0}};
      list.polygon(ring, now ? color_of(Ink::highlight) : faded(heat(1 - depth_[order_[k]] / 10.0), 0.8f));
      list.polyline(ring, color_of(Ink::text, 0.6f), true, 1);
    }
    list.label({left, top + 0.12, 0}, "the tree: a bar is a node over its run of boxes", color_of(Ink::text));
  }

  // Between the bins, across the axis of the split
  void draw_borders(DrawList& list, const TreeNode<2>& node) const {
    const SplitBins<2> bins = bins_of({tree_.items.data() + node.first, node.count});
    if (node.is_leaf() || !(bins.scale > 0)) return;
    for (std::uint32_t border = 1; border < bins.count; ++border) {
      Vec3d p = corner(node.box.lo), q = corner(node.box.hi);
      p[bins.axis] = q[bins.axis] = static_cast<double>(bins.lo) + border / static_cast<double>(bins.scale);
      list.line(p, q, color_of(Ink::ghost, 0.5f), 1);
    }
  }

  void tell_more(Panel& panel) const override {
    panel.badges.push_back({"cost " + num(tree_cost(tree_)), Ink::node});
    panel.badges.push_back({"depth " + num(tree_depth(tree_)), Ink::node});
    panel.paragraph =
        method_ == "morton"
            ? "Boxes that are near each other are near on the curve most of the time, so runs of the sorted "
              "boxes make a tree in linear time; where the curve leaps, its boxes are large."
        : method_ == "cost"
            ? "A split costs what a search pays for it: the size of each half times its boxes. The centres are "
              "dealt into bins along the wider axis, and the border that costs least is taken."
            : "The centres are halved along the wider axis: equal counts, whatever the boxes look like.";
    const std::size_t done = told()[step()].events;
    if (method_ != "cost" || done == 0 || at_end()) return;
    const TreeNode<2>& node = tree_.nodes[order_[done - 1]];
    if (!node.is_leaf()) panel.plots.push_back(border_plot(node));
  }

  // The bins that the builder had for a node
  SplitBins<2> bins_of(std::span<const TreeItem<2>> items) const {
    Box centres = Box::empty();
    for (const auto& item : items) {
      const BasicVec2<float> c{item.box.lo.x * 0.5f + item.box.hi.x * 0.5f,
                               item.box.lo.y * 0.5f + item.box.hi.y * 0.5f};
      centres.lo = min(centres.lo, c), centres.hi = max(centres.hi, c);
    }
    return SplitBins<2>(centres, items.size() <= 16 ? kMostBins / 2 : kMostBins);
  }
  // What each border would cost
  Plot border_plot(const TreeNode<2>& node) const {
    const std::span<const TreeItem<2>> items(tree_.items.data() + node.first, node.count);
    const SplitBins<2> bins = bins_of(items);
    Plot plot{"Cost of each border between bins",      "border", "m", {}, false, false,
              std::numeric_limits<double>::quiet_NaN()};
    PlotSeries series{"half perimeters times counts", {}, {}, true};
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t border = 1; border < bins.count; ++border) {
      Box side[2] = {Box::empty(), Box::empty()};
      double count[2] = {};
      for (const auto& item : items) {
        const int s = bins.bin_of(item) < border ? 0 : 1;
        side[s].lo = min(side[s].lo, item.box.lo), side[s].hi = max(side[s].hi, item.box.hi);
        ++count[s];
      }
      if (count[0] == 0 || count[1] == 0) continue;
      const double cost = box_cost(side[0]) * count[0] + box_cost(side[1]) * count[1];
      series.x.push_back(border), series.y.push_back(cost);
      if (cost < least) least = cost, plot.marker_x = border;
    }
    plot.series = {series};
    return plot;
  }

  BinaryTree<2> tree_;
  std::vector<std::uint32_t> order_;
  std::vector<int> depth_;
  std::string method_;
};

}  // namespace

ExhibitEntry tree_build_exhibit() {
  return {"tree_build",
          "How trees are built",
          "microscope",
          "A tree over boxes, node by node: split from the top at medians or where the surface area heuristic says, or "
          "joined along a "
          "Morton curve. Below the boxes the tree itself grows.",
          "Goldsmith and Salmon 1987; Wald 2007; Karras 2012; seeds A19, B5",
          [](std::string_view text, std::string& why_not) { return make_stepped<MicroTree>(text, why_not); }};
}

}  // namespace sudar::lab
