#include <sudar/broadphase/cell_cut.hpp>
#include <sudar/broadphase/octree_loose.hpp>

namespace sudar {

namespace {

enum : std::size_t { kLooseness, kLooseLeafCapacity, kLooseDepth };

}  // namespace

template <int D>
OctreeLoose<D>::OctreeLoose()
    : OwnerTreeBroadphase<D>({{"looseness", "width of a grown cell in widths of the cell", 2, 1.125, 4, false},
                              {"leaf_capacity", "a node with more boxes than this is divided", 128, 1, 4096, true},
                              {"depth", "of the deepest node, at most", 16, 0, 32, true}}) {}

template <int D>
typename OwnerTree<D>::Limits OctreeLoose<D>::limits() const {
  return {static_cast<std::size_t>(this->parameter(kLooseLeafCapacity)),
          static_cast<int>(this->parameter(kLooseDepth))};
}

template <int D>
Aabb<D, float> OctreeLoose<D>::fit(std::span<const BoxEntry<D>> entries) const {
  Aabb<D, float> box = Aabb<D, float>::empty();
  for (const BoxEntry<D>& entry : entries) box = merge(box, middle_of(entry.box));
  return box;
}

template <int D>
bool OctreeLoose<D>::divide(const Aabb<D, float>& cell, std::span<BoxEntry<D>> entries,
                            typename OwnerRule<D>::Cells& cells) {
  const Cut<D> cut = cut_in_middle(cell);
  if (cut.axes == 0) return false;
  for (std::uint32_t c = 0; c < cells.size(); ++c) cells[c] = child_cell(cell, cut, c);
  // A box of this size, with its centre anywhere in the smaller half, is inside of the grown cell
  std::array<double, D> largest;
  for (int k = 0; k < D; ++k) {
    double edge = static_cast<double>(cell.hi[k]) - cell.lo[k];
    if (cut.cuts(k))
      edge = std::min(static_cast<double>(cell.hi[k]) - cut.at[k], static_cast<double>(cut.at[k]) - cell.lo[k]);
    largest[static_cast<std::size_t>(k)] = (this->parameter(kLooseness) - 1) * edge;
  }
  for (BoxEntry<D>& entry : entries) {
    const Vec<D, float> center = middle_of(entry.box);
    std::uint32_t child = 0;
    bool fits = true;
    for (int k = 0; k < D; ++k) {
      // An axis without a cut decides nothing: its half is as large as before
      const bool is_cut = cut.cuts(k);
      fits &= !is_cut || static_cast<double>(entry.box.hi[k]) - entry.box.lo[k] <= largest[static_cast<std::size_t>(k)];
      child |= static_cast<std::uint32_t>(is_cut && center[k] >= cut.at[k]) << k;
    }
    entry.tag = fits ? child : OwnerRule<D>::kStays;
  }
  return true;
}

template class SUDAR_API OctreeLoose<2>;
template class SUDAR_API OctreeLoose<3>;

}  // namespace sudar
