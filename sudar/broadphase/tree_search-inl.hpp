// The search loop of tree_search.cpp, included there once for every instruction set and once for the plain twin. `Lanes`
// says which lanes of a block overlap a box: Lanes::template overlaps<D, W>(block, box, stride).

template <int D, std::uint32_t W, class Lanes>
void SearchLoop(TreeSearch& s) {
  constexpr std::size_t kBlock = 2 * D * W, kLeafBlock = 2 * D * kLeafLanes;
  const auto box_of = [](const float* bounds, std::uint32_t slot) { return bounds + slot / W * kBlock + slot % W; };
  const auto push = [&s](std::uint32_t a, std::uint32_t b) { s.stack[s.stack_size++] = std::uint64_t{a} << 32 | b; };
  const auto found = [&s](std::uint32_t a, std::uint32_t b) { s.pairs[s.pair_count++] = make_pair_of(a, b); };

  while (s.stack_size > 0 && s.visits_left > 0 && s.stack_capacity - s.stack_size >= kMostOpened &&
         s.pair_capacity - s.pair_count >= kMostFound) {
    const std::uint64_t top = s.stack[--s.stack_size];
    const auto slot_a = static_cast<std::uint32_t>(top >> 32), slot_b = static_cast<std::uint32_t>(top);
    const std::uint32_t child_a = s.a.children[slot_a], child_b = s.b.children[slot_b];
    --s.visits_left;
    ++s.nodes_visited;

    // A node and itself: each lane meets the lanes after it
    if (s.self && slot_a == slot_b) {
      if ((child_a & kLeafBit) != 0) {
        const std::size_t leaf = child_a & ~kLeafBit;
        const float* block = s.a.leaf_bounds + leaf * kLeafBlock;
        const std::uint32_t* ids = s.a.leaf_ids + leaf * kLeafLanes;
        const std::uint32_t lanes = s.a.leaf_lanes[leaf];
        s.box_tests += lanes * (lanes - 1) / 2;
        for (std::uint32_t i = 0; i + 1 < lanes; ++i) {
          std::uint32_t bits = Lanes::template overlaps<D, kLeafLanes>(block, block + i, kLeafLanes) >> (i + 1)
                                                                                                            << (i + 1);
          for (; bits != 0; bits &= bits - 1) found(ids[i], ids[std::countr_zero(bits)]);
        }
        continue;
      }
      const float* block = s.a.bounds + child_a * kBlock;
      const std::uint32_t first = child_a * W, lanes = s.a.lanes[child_a];
      for (std::uint32_t i = 0; i + 1 < lanes; ++i) {
        std::uint32_t bits = Lanes::template overlaps<D, W>(block, block + i, W) >> (i + 1) << (i + 1);
        for (; bits != 0; bits &= bits - 1) push(first + i, first + static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
      for (std::uint32_t i = 0; i < lanes; ++i) push(first + i, first + i);
      continue;
    }

    const float *box_a = box_of(s.a.bounds, slot_a), *box_b = box_of(s.b.bounds, slot_b);
    const bool leaf_a = (child_a & kLeafBit) != 0, leaf_b = (child_b & kLeafBit) != 0;
    if (leaf_a && leaf_b) {
      const std::size_t number_a = child_a & ~kLeafBit, number_b = child_b & ~kLeafBit;
      const float *block_a = s.a.leaf_bounds + number_a * kLeafBlock,
                  *block_b = s.b.leaf_bounds + number_b * kLeafBlock;
      const std::uint32_t *ids_a = s.a.leaf_ids + number_a * kLeafLanes, *ids_b = s.b.leaf_ids + number_b * kLeafLanes;
      s.box_tests += s.a.leaf_lanes[number_a];
      std::uint32_t bits_a = Lanes::template overlaps<D, kLeafLanes>(block_a, box_b, W);
      for (; bits_a != 0; bits_a &= bits_a - 1) {
        const int i = std::countr_zero(bits_a);
        s.box_tests += s.b.leaf_lanes[number_b];
        std::uint32_t bits_b = Lanes::template overlaps<D, kLeafLanes>(block_b, block_a + i, kLeafLanes);
        for (; bits_b != 0; bits_b &= bits_b - 1) found(ids_a[i], ids_b[std::countr_zero(bits_b)]);
      }
    } else if (leaf_a) {
      std::uint32_t bits = Lanes::template overlaps<D, W>(s.b.bounds + child_b * kBlock, box_a, W);
      for (; bits != 0; bits &= bits - 1)
        push(slot_a, child_b * W + static_cast<std::uint32_t>(std::countr_zero(bits)));
    } else if (leaf_b) {
      std::uint32_t bits = Lanes::template overlaps<D, W>(s.a.bounds + child_a * kBlock, box_b, W);
      for (; bits != 0; bits &= bits - 1)
        push(child_a * W + static_cast<std::uint32_t>(std::countr_zero(bits)), slot_b);
    } else {
      const float *block_a = s.a.bounds + child_a * kBlock, *block_b = s.b.bounds + child_b * kBlock;
      std::uint32_t bits_a = Lanes::template overlaps<D, W>(block_a, box_b, W);
      for (; bits_a != 0; bits_a &= bits_a - 1) {
        const auto i = static_cast<std::uint32_t>(std::countr_zero(bits_a));
        std::uint32_t bits_b = Lanes::template overlaps<D, W>(block_b, block_a + i, W);
        for (; bits_b != 0; bits_b &= bits_b - 1)
          push(child_a * W + i, child_b * W + static_cast<std::uint32_t>(std::countr_zero(bits_b)));
      }
    }
  }
}

// One loop for each shape of a tree
template <class Lanes>
void SearchAnyTrees(TreeSearch& s) {
  if (s.dim == 2) {
    if (s.width == 2) return SearchLoop<2, 2, Lanes>(s);
    if (s.width == 4) return SearchLoop<2, 4, Lanes>(s);
    return SearchLoop<2, 8, Lanes>(s);
  }
  if (s.width == 2) return SearchLoop<3, 2, Lanes>(s);
  if (s.width == 4) return SearchLoop<3, 4, Lanes>(s);
  return SearchLoop<3, 8, Lanes>(s);
}

// One box against a tree, block by block
template <int D, std::uint32_t W, class Lanes>
void BoxLoop(BoxSearch& s) {
  constexpr std::size_t kBlock = 2 * D * W, kLeafBlock = 2 * D * kLeafLanes;
  while (s.stack_size > 0 && s.stack_capacity - s.stack_size >= W && s.id_capacity - s.id_count >= W * kLeafLanes) {
    const std::uint32_t block = s.stack[--s.stack_size];
    ++s.nodes_visited;
    std::uint32_t bits = Lanes::template overlaps<D, W>(s.tree.bounds + block * kBlock, s.box, 1);
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t child = s.tree.children[block * W + static_cast<std::uint32_t>(std::countr_zero(bits))];
      if ((child & kLeafBit) == 0) {
        s.stack[s.stack_size++] = child;
        continue;
      }
      const std::size_t leaf = child & ~kLeafBit;
      s.box_tests += s.tree.leaf_lanes[leaf];
      std::uint32_t hits = Lanes::template overlaps<D, kLeafLanes>(s.tree.leaf_bounds + leaf * kLeafBlock, s.box, 1);
      for (; hits != 0; hits &= hits - 1)
        s.ids[s.id_count++] = s.tree.leaf_ids[leaf * kLeafLanes + static_cast<std::size_t>(std::countr_zero(hits))];
    }
  }
}

template <class Lanes>
void SearchAnyBox(BoxSearch& s) {
  if (s.dim == 2) {
    if (s.width == 2) return BoxLoop<2, 2, Lanes>(s);
    if (s.width == 4) return BoxLoop<2, 4, Lanes>(s);
    return BoxLoop<2, 8, Lanes>(s);
  }
  if (s.width == 2) return BoxLoop<3, 2, Lanes>(s);
  if (s.width == 4) return BoxLoop<3, 4, Lanes>(s);
  return BoxLoop<3, 8, Lanes>(s);
}
