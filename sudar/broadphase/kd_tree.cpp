#include <sudar/broadphase/kd_tree.hpp>
#include <sudar/core/random.hpp>

namespace sudar {

namespace {

enum : std::size_t { kKdSplit, kKdLeafCapacity, kKdDepth };

constexpr std::size_t kKdSample = 512;
constexpr std::size_t kBins = 16;
constexpr double kEmptyBonus = 0.2;  // share of the cost that a cut saves when one side is empty

}  // namespace

template <int D>
KdTree<D>::KdTree()
    : CutTreeBroadphase<D>({{"split", "0: median, axes in turn; 1: least cost by surface and count", 0, 0, 1, true},
                            {"leaf_capacity", "a leaf with more boxes than this is cut", 128, 1, 4096, true},
                            {"depth", "of the deepest leaf, at most", 48, 0, 64, true}}) {}

template <int D>
typename CutTree<D>::Limits KdTree<D>::limits() const {
  return {static_cast<std::size_t>(this->parameter(kKdLeafCapacity)), static_cast<int>(this->parameter(kKdDepth))};
}

// Calls visit(box) for all boxes of a small node, or for some picked at random; returns how many
template <int D>
template <class F>
std::size_t KdTree<D>::sample(std::span<const BoxEntry<D>> entries, F&& visit) const {
  if (entries.size() <= kKdSample) {
    for (const BoxEntry<D>& entry : entries) visit(entry.box);
    return entries.size();
  }
  Random random(entries.size());
  for (std::size_t i = 0; i < kKdSample; ++i) visit(entries[random.below(entries.size())].box);
  return kKdSample;
}

template <int D>
Cut<D> KdTree<D>::choose(const Aabb<D, float>& cell, std::span<const BoxEntry<D>> entries, int depth) {
  if (this->parameter(kKdSplit) == 0) return median(cell, entries, depth);
  return cheapest(cell, entries);
}

template <int D>
Cut<D> KdTree<D>::median(const Aabb<D, float>& cell, std::span<const BoxEntry<D>> entries, int depth) {
  for (int turn = 0; turn < D; ++turn) {
    const int axis = (depth + turn) % D;
    centers_.clear();
    sample(entries, [&](const Aabb<D, float>& box) {
      centers_.push_back(static_cast<float>((static_cast<double>(box.lo[axis]) + box.hi[axis]) / 2));
    });
    const auto middle = centers_.begin() + static_cast<std::ptrdiff_t>(centers_.size() / 2);
    std::nth_element(centers_.begin(), middle, centers_.end());
    // The next axis when nearly all centres are one, or beyond this cell
    if (!(cell.lo[axis] < *middle && *middle < cell.hi[axis])) continue;
    Cut<D> cut;
    cut.axes = 1u << axis;
    cut.at[axis] = *middle;
    return cut;
  }
  return {};
}

template <int D>
Cut<D> KdTree<D>::cheapest(const Aabb<D, float>& cell, std::span<const BoxEntry<D>> entries) {
  // Surface of a cell with one edge replaced, all edges scaled so that nothing overflows
  std::array<double, D> edge;
  double longest = 0;
  for (int k = 0; k < D; ++k) {
    edge[static_cast<std::size_t>(k)] = static_cast<double>(cell.hi[k]) - cell.lo[k];
    longest = std::max(longest, edge[static_cast<std::size_t>(k)]);
  }
  if (!(longest > 0)) return {};
  for (double& e : edge) e /= longest;
  const auto surface_with = [&](int axis, double share) {
    double sum = 0;
    for (int i = 0; i < D; ++i) {
      double face = 1;
      for (int j = 0; j < D; ++j)
        if (j != i) face *= edge[static_cast<std::size_t>(j)] * (j == axis ? share : 1);
      sum += face;
    }
    return sum;
  };

  Cut<D> best;
  double best_cost = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < D; ++axis) {
    const double lo = cell.lo[axis], width = static_cast<double>(cell.hi[axis]) - lo;
    if (!(width > 0)) continue;
    // begins[b]: boxes that begin in bin b; ends[b]: that end there; what sticks out is clamped
    std::array<std::uint32_t, kBins> begins{}, ends{};
    const auto bin = [&](double x) {
      return static_cast<std::size_t>(std::clamp((x - lo) / width * kBins, 0.0, kBins - 1.0));
    };
    const std::size_t seen = sample(entries, [&](const Aabb<D, float>& box) {
      ++begins[bin(box.lo[axis])];
      ++ends[bin(box.hi[axis])];
    });
    std::size_t below = 0, above = seen;
    for (std::size_t b = 1; b < kBins; ++b) {
      below += begins[b - 1];
      above -= ends[b - 1];
      const double share = static_cast<double>(b) / kBins;
      double cost = surface_with(axis, share) * static_cast<double>(below) +
                    surface_with(axis, 1 - share) * static_cast<double>(above);
      if (below == 0 || above == 0) cost *= 1 - kEmptyBonus;
      const auto at = static_cast<float>(lo + width * share);
      if (!(cost < best_cost && cell.lo[axis] < at && at < cell.hi[axis])) continue;
      best_cost = cost;
      best = {};
      best.axes = 1u << axis;
      best.at[axis] = at;
    }
  }
  return best;
}

template class SUDAR_API KdTree<2>;
template class SUDAR_API KdTree<3>;

}  // namespace sudar
