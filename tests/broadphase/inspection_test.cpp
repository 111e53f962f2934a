// What a look inside of each broad phase tells; the oracle is the store: every box is somewhere, and where it is told to be
#include "tests/support/seed.hpp"
#include <sudar/broadphase/inspection.hpp>
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/random.hpp>

#include <gtest/gtest.h>

#include <map>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

template <int D>
struct SeenInside final : InsideVisitor<D> {
  struct SeenEnd {
    float at;
    bool upper;
    std::uint32_t id;
  };
  std::vector<InsideNode<D>> nodes;
  std::vector<InsideCell<D>> cells;
  std::map<int, std::vector<SeenEnd>> ends;
  std::map<std::string, double> figures;

  void node(const InsideNode<D>& n) override { nodes.push_back(n); }
  void cell(const InsideCell<D>& c) override { cells.push_back(c); }
  void end(int axis, float at, bool upper, std::uint32_t id) override { ends[axis].push_back({at, upper, id}); }
  void figure(std::string_view name, double value) override { figures[std::string(name)] = value; }
};

template <int D>
BoxStore<D> watched_store(std::size_t count) {
  BoxStore<D> store;
  Random random(campaign_seed(7));
  for (std::size_t i = 0; i < count; ++i) {
    Aabb<D, double> box;
    for (int k = 0; k < D; ++k) {
      box.lo[k] = random.uniform(0, 10);
      box.hi[k] = box.lo[k] + random.uniform(0.05, 0.3);
    }
    EXPECT_TRUE(store.insert(box, {}, i % 5 == 0 ? Motion::fixed : Motion::moving));
  }
  return store;
}

template <int D>
void expect_tree(const SeenInside<D>& seen, const BoxStore<D>& store, std::string_view name) {
  ASSERT_FALSE(seen.nodes.empty()) << name;
  std::size_t boxes = 0;
  std::vector<Aabb<D, float>> path;
  for (const InsideNode<D>& node : seen.nodes) {
    boxes += node.boxes;
    // Parents before children, subtrees as a whole: the path to a node is what came last at each depth
    ASSERT_LE(node.depth, path.size()) << name;
    path.resize(node.depth);
    EXPECT_TRUE(path.empty() || node.radius > 0 || contains(path.back(), node.box)) << name;
    path.push_back(node.box);
    EXPECT_TRUE(node.leaf || &node != &seen.nodes.back()) << name;
  }
  const bool copies = name == "octree" || name == "kd_tree";
  EXPECT_TRUE(copies ? boxes >= store.size() : boxes == store.size()) << name << " tells " << boxes;
}

template <int D>
void expect_cells(const SeenInside<D>& seen, const BoxStore<D>& store, std::string_view name) {
  ASSERT_FALSE(seen.cells.empty()) << name;
  std::size_t boxes = 0;
  for (const InsideCell<D>& cell : seen.cells) boxes += cell.boxes;
  const std::size_t moving = store.size() - store.fixed_count();
  const std::size_t all = name == "columns" ? moving : store.size();
  EXPECT_TRUE(name == "grid" ? boxes >= all : boxes == all) << name << " tells " << boxes;
  // The lower corner of each box is in a cell that is told, up to the rounding of its planes
  if (name == "cells_portals") return;
  for (std::uint32_t row = 0; row < store.size(); ++row) {
    if (name == "columns" && store.is_fixed(row)) continue;
    bool found = false;
    for (const InsideCell<D>& cell : seen.cells) {
      bool inside = true;
      for (int k = 0; k < D; ++k) {
        constexpr float kHair = 1e-4f;
        const float x = store.lo(k)[row];
        inside &= cell.box.lo[k] - kHair <= x && x <= cell.box.hi[k] + kHair;
      }
      found |= inside;
    }
    EXPECT_TRUE(found) << name << " row " << row;
  }
}

template <int D>
void expect_ends(const SeenInside<D>& seen, const BoxStore<D>& store, std::string_view name) {
  EXPECT_EQ(seen.ends.size(), name == "sap" ? static_cast<std::size_t>(D) : 1u) << name;
  for (const auto& [axis, ends] : seen.ends) {
    EXPECT_EQ(ends.size(), 2 * store.size()) << name;
    std::vector<int> met(store.id_limit(), 0);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      EXPECT_TRUE(i == 0 || ends[i - 1].at <= ends[i].at) << name;
      const std::uint32_t row = store.row_of(ends[i].id);
      EXPECT_EQ(ends[i].at, (ends[i].upper ? store.hi(axis) : store.lo(axis))[row]) << name;
      EXPECT_EQ(met[ends[i].id]++, ends[i].upper ? 1 : 0) << name;
    }
  }
}

template <int D>
void expect_look_is_true() {
  BoxStore<D> store = watched_store<D>(400);
  for (const BroadphaseEntry& entry : broadphases()) {
    const auto made = make_broadphase<D>(entry.name);
    ASSERT_TRUE(made);
    Broadphase<D>& broadphase = **made;
    SeenInside<D> nothing;
    EXPECT_EQ(look_inside(broadphase, store, nothing) == InsideKind::nothing || nothing.nodes.empty(), true);
    for (int step = 0; step < 4; ++step) {
      // A small step for one moving box in three
      for (std::uint32_t id = 1; id < store.size(); id += 3) {
        if (store.is_fixed(store.row_of(id))) continue;
        Aabb<D, float> box = store.box(store.row_of(id));
        box.lo[0] += 0.001f, box.hi[0] += 0.001f;
        ASSERT_TRUE(store.move(id, box));
      }
      ASSERT_TRUE(broadphase.update(store));
      ASSERT_TRUE(broadphase.pairs(store));
    }
    SeenInside<D> seen;
    const InsideKind kind = look_inside(broadphase, store, seen);
    if (entry.name == "brute_force") {
      EXPECT_EQ(kind, InsideKind::nothing);
      continue;
    }
    // What is at work is another one, which is looked at by its own name
    if (entry.name == "adaptive") continue;
    EXPECT_NE(kind, InsideKind::nothing) << entry.name;
    if (kind == InsideKind::tree) expect_tree(seen, store, entry.name);
    if (kind == InsideKind::cells) expect_cells(seen, store, entry.name);
    if (kind == InsideKind::ends) expect_ends(seen, store, entry.name);
  }
}

}  // namespace

TEST(Inspection, TellsWhereEveryBoxIs2) { expect_look_is_true<2>(); }
TEST(Inspection, TellsWhereEveryBoxIs3) { expect_look_is_true<3>(); }
TEST(Inspection, OfAnEmptyStoreTellsNothing) {
  const BoxStore<3> store;
  for (const BroadphaseEntry& entry : broadphases()) {
    const auto made = make_broadphase<3>(entry.name);
    ASSERT_TRUE((*made)->build(store));
    ASSERT_TRUE((*made)->pairs(store));
    SeenInside<3> seen;
    look_inside(**made, store, seen);
    EXPECT_TRUE(seen.nodes.empty() && seen.cells.empty() && seen.ends.empty()) << entry.name;
  }
}
