#include <sudar/broadphase/packed_tree.hpp>

namespace sudar {

namespace {
constexpr std::size_t kPackedGrain = 4096;  // nodes of one task
}

template <int D>
void PackedTree<D>::build(std::vector<TreeItem<D>>& items, MortonOrder<D>& order, Executor& executor) {
  ids_.clear();
  if (items.empty()) return levels_.clear();
  order.sort(items, false, executor);

  // Boxes of the leaves, then of each level above, until one node is left
  std::size_t level = 0, count = items.size();
  do {
    const std::size_t nodes = (count + kWidth - 1) / kWidth;
    if (levels_.size() <= level) levels_.emplace_back();
    levels_[level].resize(nodes);
    parallel_for(executor, nodes, kPackedGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t node = begin; node < end; ++node) {
        Aabb<D, float> box = Aabb<D, float>::empty();
        for (std::size_t i = node * kWidth; i < std::min((node + 1) * kWidth, count); ++i)
          box = merge(box, level == 0 ? items[i].box : levels_[level - 1][i]);
        levels_[level][node] = box;
      }
    });
    count = nodes;
    ++level;
  } while (count > 1);
  levels_.resize(level);
  ids_.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) ids_[i] = items[i].id;
}

template <int D>
std::size_t PackedTree<D>::bytes() const noexcept {
  std::size_t total = ids_.capacity() * sizeof(std::uint32_t);
  for (const auto& level : levels_) total += level.capacity() * sizeof(Aabb<D, float>);
  return total;
}

template class PackedTree<2>;
template class PackedTree<3>;

}  // namespace sudar
