#include <sudar/broadphase/adaptive.hpp>
#include <sudar/broadphase/brute_force.hpp>
#include <sudar/broadphase/bsp_tree.hpp>
#include <sudar/broadphase/bvh_bottom_up.hpp>
#include <sudar/broadphase/bvh_linear.hpp>
#include <sudar/broadphase/bvh_top_down.hpp>
#include <sudar/broadphase/cells_portals.hpp>
#include <sudar/broadphase/columns.hpp>
#include <sudar/broadphase/dynamic_tree.hpp>
#include <sudar/broadphase/grid.hpp>
#include <sudar/broadphase/hash_grid.hpp>
#include <sudar/broadphase/kd_tree.hpp>
#include <sudar/broadphase/octree.hpp>
#include <sudar/broadphase/octree_loose.hpp>
#include <sudar/broadphase/octree_nodup.hpp>
#include <sudar/broadphase/registry.hpp>
#include <sudar/broadphase/sap.hpp>
#include <sudar/broadphase/sort_sweep.hpp>
#include <sudar/broadphase/sphere_tree.hpp>

#include <array>

namespace sudar {

namespace {

template <int D, template <int> class Algorithm>
std::unique_ptr<Broadphase<D>> make() {
  return std::make_unique<Algorithm<D>>();
}

template <template <int> class Algorithm>
constexpr BroadphaseEntry entry(std::string_view name, std::string_view what) {
  return {name, what, make<2, Algorithm>, make<3, Algorithm>};
}

constexpr std::array kBroadphases = {
    entry<BruteForce>("brute_force", "every box against every other; the oracle"),
    entry<SortSweep>("sort_sweep", "sort along the axis of largest variance, then sweep"),
    entry<Sap>("sap", "sweep and prune on all axes, kept sorted from step to step by swaps"),
    entry<Columns>("columns", "quantised columns, sorted and swept with SIMD; rebuilt each step"),
    entry<Grid>("grid", "uniform grid; giants and crowds are swept"),
    entry<HashGrid>("hash_grid", "hierarchical hashed grid without bounds, for any mix of sizes"),
    entry<Octree>("octree", "octree with duplicates: a box is in every leaf that it touches"),
    entry<OctreeNodup>("octree_nodup", "octree without duplicates: what spans children stays in the inner node"),
    entry<OctreeLoose>("octree_loose", "octree with grown cells: a box is in the one its centre and size name"),
    entry<KdTree>("kd_tree", "kd-tree by median or by cost; a box is in every leaf that it touches"),
    entry<BspTree>("bsp_tree", "planes across axes and diagonals; what straddles one stays in the node"),
    entry<DynamicTree>("dynamic_tree", "fat boxes inserted by cost into a tree; only what left its box is moved"),
    entry<BvhTopDown>("bvh_top_down", "hierarchy of boxes split from the top, at medians or by cost"),
    entry<BvhBottomUp>("bvh_bottom_up", "hierarchy of boxes joined from the leaves up"),
    entry<BvhLinear>("bvh_linear", "hierarchy of boxes along a Morton curve; refitted or rebuilt"),
    entry<SphereTree>("sphere_tree", "hierarchy of spheres over the boxes; to compare with boxes"),
    entry<CellsPortals>("cells_portals", "cells linked by portals: rooms of the user, or cells made for the boxes"),
    entry<Adaptive>("adaptive", "chooses among the others while it runs"),
};

}  // namespace

std::span<const BroadphaseEntry> broadphases() noexcept { return kBroadphases; }

template <int D>
Result<std::unique_ptr<Broadphase<D>>> make_broadphase(std::string_view name) {
  for (std::size_t i = 0; i < kBroadphases.size(); ++i) {
    if (kBroadphases[i].name != name) continue;
    return guarded([&]() -> Result<std::unique_ptr<Broadphase<D>>> {
      if constexpr (D == 2)
        return kBroadphases[i].make2();
      else
        return kBroadphases[i].make3();
    });
  }
  return Error{ErrorCode::unknown_id, Error::kNoElement, "no broad phase of that name"};
}

template SUDAR_API Result<std::unique_ptr<Broadphase<2>>> make_broadphase<2>(std::string_view);
template SUDAR_API Result<std::unique_ptr<Broadphase<3>>> make_broadphase<3>(std::string_view);

}  // namespace sudar
