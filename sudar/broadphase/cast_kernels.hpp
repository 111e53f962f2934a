// What:    When a ray or a moving box meets each lane of a block of boxes.
// Differs: The arithmetic of CastSink::key, in doubles and step by step, for all lanes at once: so the answers are those of
//          the sink to the bit. Compiled for every instruction set through Highway and chosen at run time; the plain
//          twin says the same in scalar code.
#pragma once

#include <sudar/broadphase/box_query.hpp>
#include <sudar/broadphase/box_tree.hpp>

namespace sudar {

// A cast as the kernels read it
struct CastLanes {
  double lo[3], hi[3], direction[3];
  int dim;
};

template <int D>
CastLanes cast_lanes(const BoxCast<D>& cast) noexcept {
  CastLanes lanes{};
  lanes.dim = D;
  for (int k = 0; k < D; ++k) {
    lanes.lo[k] = cast.box.lo[k];
    lanes.hi[k] = cast.box.hi[k];
    lanes.direction[k] = cast.direction[k];
  }
  return lanes;
}

// keys[i] for each of `width` (2, 4 or 8) lanes, and a bit for each that is met by `limit`
std::uint32_t cast_at_block(const CastLanes& cast, double limit, const float* block, int width, double* keys) noexcept;
std::uint32_t cast_at_block_plain(const CastLanes& cast, double limit, const float* block, int width,
                                  double* keys) noexcept;

// A node that a walk has yet to look at: a block, or a leaf with kLeafBit
struct OpenCast {
  std::uint32_t child;
  double key;
};

// As walk_tree does, eight children at a time. `open` is grown and kept.
template <int D>
void walk_cast(const TreeSide<D>& tree, const BoxStore<D>& store, CastSink<D>& sink, std::vector<OpenCast>& open) {
  if (tree.item_count == 0) return;
  const CastLanes cast = cast_lanes<D>(sink.cast());
  const auto width = static_cast<std::uint32_t>(tree.width);
  double keys[kLeafLanes];
  open.assign(1, {0, 0});
  while (!open.empty()) {
    const OpenCast at = open.back();
    open.pop_back();
    if (at.key > sink.limit()) continue;
    ++sink.nodes_visited;
    if ((at.child & kLeafBit) != 0) {
      const std::size_t leaf = at.child & ~kLeafBit;
      std::uint32_t bits = cast_at_block(cast, sink.limit(), tree.view.leaf_bounds + leaf * 2 * D * kLeafLanes,
                                         static_cast<int>(kLeafLanes), keys);
      sink.box_tests += kLeafLanes;
      for (std::size_t lane = 0; bits != 0; bits >>= 1, ++lane)
        if ((bits & 1) != 0) sink.offer(store.row_of(tree.view.leaf_ids[leaf * kLeafLanes + lane]));
      continue;
    }
    // The child with the smallest key ends on top
    std::uint32_t bits =
        cast_at_block(cast, sink.limit(), tree.view.bounds + at.child * std::size_t{2} * D * width, tree.width, keys);
    const std::size_t base = open.size();
    for (std::uint32_t lane = 0; bits != 0; bits >>= 1, ++lane) {
      if ((bits & 1) == 0) continue;
      open.push_back({tree.view.children[at.child * width + lane], keys[lane]});
      for (std::size_t i = open.size() - 1; i > base && open[i - 1].key < open[i].key; --i)
        std::swap(open[i - 1], open[i]);
    }
  }
}

}  // namespace sudar
