#include <sudar/broadphase/adaptive.hpp>
#include <sudar/broadphase/bvh.hpp>
#include <sudar/broadphase/cells_portals.hpp>
#include <sudar/broadphase/column_plan.hpp>
#include <sudar/broadphase/columns.hpp>
#include <sudar/broadphase/cut_tree.hpp>
#include <sudar/broadphase/dynamic_tree.hpp>
#include <sudar/broadphase/grid.hpp>
#include <sudar/broadphase/hash_grid.hpp>
#include <sudar/broadphase/inspection.hpp>
#include <sudar/broadphase/owner_tree.hpp>
#include <sudar/broadphase/sap.hpp>
#include <sudar/broadphase/sort_sweep.hpp>
#include <sudar/broadphase/sphere_tree.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace sudar {

namespace {

struct OpenInside {
  std::uint32_t node, depth;
};

// Calls tell(node, depth), which visits the children through the function that it is given
template <class Tell>
void in_preorder(std::uint32_t root, Tell&& tell) {
  std::vector<OpenInside> open = {{root, 0}};
  std::vector<std::uint32_t> children;
  while (!open.empty()) {
    const OpenInside at = open.back();
    open.pop_back();
    children.clear();
    tell(at.node, at.depth, children);
    for (std::size_t i = children.size(); i-- > 0;) open.push_back({children[i], at.depth + 1});
  }
}

// The trees of box_tree.hpp
template <int D>
void show(const BoxTree<D>& tree, bool fixed, InsideVisitor<D>& to) {
  if (tree.empty()) return;
  in_preorder(0, [&](std::uint32_t slot, std::uint32_t depth, std::vector<std::uint32_t>& children) {
    InsideNode<D> node{tree.box(slot), 0, depth, 0, tree.is_leaf(slot), fixed};
    if (node.leaf)
      tree.for_each_item(slot, [&](std::uint32_t, const Aabb<D, float>&) { ++node.boxes; });
    else
      tree.for_each_child(slot, [&](std::uint32_t child) { children.push_back(child); });
    to.node(node);
  });
}

template <int D>
void show(const InsertionTree<D>& tree, bool fixed, InsideVisitor<D>& to) {
  if (tree.empty()) return;
  in_preorder(0, [&](std::uint32_t slot, std::uint32_t depth, std::vector<std::uint32_t>& children) {
    InsideNode<D> node{tree.box(slot), 0, depth, 0, tree.is_leaf(slot), fixed};
    if (node.leaf)
      node.boxes = tree.leaf_lanes()[tree.leaf(slot)];
    else
      children = {tree.first_child(slot), tree.first_child(slot) + 1};
    to.node(node);
  });
}

// Cells as the planes cut them; the tree keeps only the planes
template <int D>
void show(const CutTree<D>& tree, bool fixed, InsideVisitor<D>& to) {
  if (tree.nodes().empty()) return;
  std::vector<Aabb<D, float>> cells(tree.nodes().size(), Aabb<D, float>::empty());
  for (std::size_t i = 0; i < tree.entries().size(); ++i) cells[0] = merge(cells[0], tree.entries().box(i));
  in_preorder(0, [&](std::uint32_t i, std::uint32_t depth, std::vector<std::uint32_t>& children) {
    const auto& data = tree.nodes()[i];
    to.node({cells[i], 0, depth, data.end - data.begin, data.child_count == 0, fixed});
    for (std::uint32_t k = 0; k < data.child_count; ++k) {
      const std::uint32_t child = data.first_child + k;
      cells[child] = child_cell(cells[i], data.cut, tree.nodes()[child].code);
      children.push_back(child);
    }
  });
}

template <int D>
void show(const OwnerTree<D>& tree, bool fixed, InsideVisitor<D>& to) {
  if (tree.nodes().empty()) return;
  in_preorder(0, [&](std::uint32_t i, std::uint32_t depth, std::vector<std::uint32_t>& children) {
    const auto& data = tree.nodes()[i];
    to.node({data.bounds, 0, depth, data.own_end - data.begin, data.child_count == 0, fixed});
    for (std::uint32_t k = 0; k < data.child_count; ++k) children.push_back(data.first_child + k);
  });
}

template <int D>
void show(const SphereNodes<D>& nodes, bool fixed, InsideVisitor<D>& to) {
  if (nodes.empty()) return;
  in_preorder(nodes.tree().root, [&](std::uint32_t i, std::uint32_t depth, std::vector<std::uint32_t>& children) {
    const TreeNode<D>& data = nodes.tree().nodes[i];
    to.node({data.box, nodes.sphere(i).radius, depth, data.is_leaf() ? data.count : 0, data.is_leaf(), fixed});
    if (!data.is_leaf()) children = {data.left, data.right};
  });
}

template <int D>
void show_cells(const Grid<D>& grid, InsideVisitor<D>& to) {
  grid.for_each_used_cell([&](const Aabb<D, float>& cell, std::size_t count) {
    to.cell({cell, static_cast<std::uint32_t>(count), 0});
  });
  to.figure("cells", static_cast<double>(grid.cell_count()));
  to.figure("giants", static_cast<double>(grid.giant_count()));
}

// A box is in the cell of its lower corner; slots that several cells share are told apart here
template <int D>
void show_cells(std::span<const typename HashGrid<D>::Level> levels, const BoxList<D>& boxes, InsideVisitor<D>& to) {
  using Place = std::array<double, D>;
  std::vector<Place> places;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    places.clear();
    for (std::size_t i = levels[l].begin; i < levels[l].end; ++i) {
      Place place;
      for (int k = 0; k < D; ++k) place[static_cast<std::size_t>(k)] = std::floor(boxes.lo(k, i) * levels[l].per_cell);
      places.push_back(place);
    }
    std::sort(places.begin(), places.end());
    for (std::size_t i = 0; i < places.size();) {
      std::size_t next = i + 1;
      while (next < places.size() && places[next] == places[i]) ++next;
      InsideCell<D> cell{{}, static_cast<std::uint32_t>(next - i), static_cast<int>(l)};
      for (int k = 0; k < D; ++k) {
        const double at = places[i][static_cast<std::size_t>(k)];
        cell.box.lo[k] = static_cast<float>(at / levels[l].per_cell);
        cell.box.hi[k] = static_cast<float>((at + 1) / levels[l].per_cell);
      }
      to.cell(cell);
      i = next;
    }
  }
}

template <int D>
void show_cells(const CellsPortals<D>& cells, InsideVisitor<D>& to) {
  for (std::uint32_t i = 0; i < cells.map().size(); ++i)
    if (const std::size_t count = cells.count_in(i); count > 0)
      to.cell({cells.map().cell(i), static_cast<std::uint32_t>(count), 0});
  to.figure("cells", static_cast<double>(cells.map().size()));
  to.figure("portals", static_cast<double>(cells.map().portal_count()));
  to.figure("giants", static_cast<double>(cells.giant_count()));
}

// The plan follows from the boxes and is not kept: it is made again, and every box counted where it begins
template <int D>
void show_cells(const Columns<D>& columns, const BoxStore<D>& store, InsideVisitor<D>& to) {
  std::vector<std::uint32_t> moving;
  for (std::uint32_t row = 0; row < store.size(); ++row)
    if (!store.is_fixed(row)) moving.push_back(row);
  if (moving.size() < 2) return;
  BoxColumns<D> boxes{};
  for (int k = 0; k < D; ++k) {
    boxes[static_cast<std::size_t>(k)] = store.lo(k).data();
    boxes[static_cast<std::size_t>(D + k)] = store.hi(k).data();
  }
  PlanRequest request;
  request.rows = moving;
  request.count = moving.size();
  request.width = columns.parameters()[0].value;
  const ColumnPlan plan = plan_columns<D>(boxes, request);

  constexpr float kEndless = std::numeric_limits<float>::infinity();
  const auto column_of = [&](int across, float x) {
    const FixedPoint& map = plan.across[across];
    const double place = std::clamp((x / 2.0 - map.half_base) * map.scale, 0.0, static_cast<double>(map.top));
    return std::min(static_cast<int>(place) >> kColumnBits, plan.columns[across] - 1);
  };
  const auto plane = [&](int across, int column) {
    const FixedPoint& map = plan.across[across];
    return static_cast<float>(2 * (static_cast<double>(column << kColumnBits) / map.scale + map.half_base));
  };
  constexpr int kAcross = D - 1;
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(plan.count()), 0);
  for (const std::uint32_t row : moving) {
    int at = column_of(0, store.lo(plan.across_axis[0])[row]);
    if constexpr (kAcross == 2) at = at * plan.columns[1] + column_of(1, store.lo(plan.across_axis[1])[row]);
    ++counts[static_cast<std::size_t>(at)];
  }
  for (int i = 0; i < plan.count(); ++i) {
    if (counts[static_cast<std::size_t>(i)] == 0) continue;
    InsideCell<D> cell{{}, counts[static_cast<std::size_t>(i)], 0};
    for (int k = 0; k < D; ++k) cell.box.lo[k] = -kEndless, cell.box.hi[k] = kEndless;
    const int at[2] = {i / plan.columns[1], i % plan.columns[1]};
    for (int across = 0; across < kAcross; ++across) {
      if (at[across] > 0) cell.box.lo[plan.across_axis[across]] = plane(across, at[across]);
      if (at[across] + 1 < plan.columns[across]) cell.box.hi[plan.across_axis[across]] = plane(across, at[across] + 1);
    }
    to.cell(cell);
  }
  to.figure("columns", plan.count());
  to.figure("sweep_axis", plan.sweep_axis);
  to.figure("planned_again", static_cast<double>(columns.replanned()));
  to.figure("giants", static_cast<double>(columns.giant_count()));
}

template <int D>
void show_ends(const Sap<D>& sap, InsideVisitor<D>& to) {
  for (int axis = 0; axis < D; ++axis)
    sap.for_each_end(axis, [&](float at, bool upper, std::uint32_t id) { to.end(axis, at, upper, id); });
  to.figure("kept_pairs", static_cast<double>(sap.kept_pairs()));
}

// The list is sorted by lower ends alone; upper ends are told where they fall
template <int D>
void show_ends(const SortSweep<D>& sweep, const BoxStore<D>& store, InsideVisitor<D>& to) {
  struct End {
    float at;
    bool upper;
    std::uint32_t id;
  };
  std::vector<End> ends;
  for (const SweepList<D>* list : {&sweep.moving_list(), &sweep.fixed_list()})
    for (std::size_t i = 0; i < list->size(); ++i) {
      const std::uint32_t row = store.row_of(list->id(i));
      if (row == BoxStore<D>::kNoRow) continue;
      ends.push_back({store.lo(sweep.axis())[row], false, list->id(i)});
      ends.push_back({store.hi(sweep.axis())[row], true, list->id(i)});
    }
  std::stable_sort(ends.begin(), ends.end(),
                   [](const End& a, const End& b) { return a.at != b.at ? a.at < b.at : a.upper < b.upper; });
  for (const End& end : ends) to.end(sweep.axis(), end.at, end.upper, end.id);
  to.figure("sweep_axis", sweep.axis());
}

template <int D, class Algorithm>
const Algorithm* as(const Broadphase<D>& broadphase) {
  return dynamic_cast<const Algorithm*>(&broadphase);
}

// Moving and fixed boxes have a tree each
template <class Algorithm, int D>
InsideKind show_trees(const Algorithm& algorithm, InsideVisitor<D>& to) {
  show(algorithm.moving_tree(), false, to);
  show(algorithm.fixed_tree(), true, to);
  return InsideKind::tree;
}

}  // namespace

std::string_view to_string(InsideKind kind) noexcept {
  constexpr std::array<std::string_view, 4> kNames = {"nothing", "tree", "cells", "ends"};
  return kNames[static_cast<std::size_t>(kind)];
}

template <int D>
InsideKind look_inside(const Broadphase<D>& broadphase, const BoxStore<D>& store, InsideVisitor<D>& visitor) {
  if (const auto* x = as<D, Adaptive<D>>(broadphase))
    return x->at_work() != nullptr ? look_inside(*x->at_work(), store, visitor) : InsideKind::nothing;
  if (const auto* x = as<D, Bvh<D>>(broadphase)) return show_trees(*x, visitor);
  if (const auto* x = as<D, CutTreeBroadphase<D>>(broadphase)) return show_trees(*x, visitor);
  if (const auto* x = as<D, OwnerTreeBroadphase<D>>(broadphase)) return show_trees(*x, visitor);
  if (const auto* x = as<D, SphereTree<D>>(broadphase)) return show_trees(*x, visitor);
  if (const auto* x = as<D, DynamicTree<D>>(broadphase)) {
    visitor.figure("candidates", static_cast<double>(x->candidates()));
    visitor.figure("put_in_anew", static_cast<double>(x->reinserted()));
    return show_trees(*x, visitor);
  }
  if (const auto* x = as<D, Grid<D>>(broadphase)) return show_cells(*x, visitor), InsideKind::cells;
  if (const auto* x = as<D, HashGrid<D>>(broadphase)) {
    show_cells<D>(x->levels(), x->boxes(), visitor);
    show_cells<D>(x->fixed_levels(), x->fixed_boxes(), visitor);
    visitor.figure("levels", static_cast<double>(x->levels().size()));
    return InsideKind::cells;
  }
  if (const auto* x = as<D, CellsPortals<D>>(broadphase)) return show_cells(*x, visitor), InsideKind::cells;
  if (const auto* x = as<D, Columns<D>>(broadphase)) return show_cells(*x, store, visitor), InsideKind::cells;
  if (const auto* x = as<D, Sap<D>>(broadphase)) return show_ends(*x, visitor), InsideKind::ends;
  if (const auto* x = as<D, SortSweep<D>>(broadphase)) return show_ends(*x, store, visitor), InsideKind::ends;
  return InsideKind::nothing;
}

template SUDAR_API InsideKind look_inside(const Broadphase<2>&, const BoxStore<2>&, InsideVisitor<2>&);
template SUDAR_API InsideKind look_inside(const Broadphase<3>&, const BoxStore<3>&, InsideVisitor<3>&);

}  // namespace sudar
