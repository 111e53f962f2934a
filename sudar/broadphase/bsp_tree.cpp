#include <sudar/broadphase/bsp_tree.hpp>
#include <sudar/core/random.hpp>

namespace sudar {

namespace {

enum : std::size_t { kBspLeafCapacity, kBspDepth };

constexpr std::size_t kBspSample = 64;
constexpr std::size_t kFinalists = 3;   // normals whose planes are tried
constexpr double kStraddlerWeight = 2;  // against one box too many on a side

// Components of a normal are -1, 0 or 1
template <int D>
using Normal = std::array<int, D>;

template <int D>
constexpr std::size_t kNormals = D* D;

// The axes first, then two diagonals for each pair of axes
template <int D>
constexpr std::array<Normal<D>, kNormals<D>> make_normals() {
  std::array<Normal<D>, kNormals<D>> normals{};
  std::size_t next = 0;
  for (std::size_t i = 0; i < D; ++i) normals[next++][i] = 1;
  for (std::size_t i = 0; i < D; ++i)
    for (std::size_t j = i + 1; j < D; ++j)
      for (const int sign : {1, -1}) {
        normals[next][i] = 1;
        normals[next++][j] = sign;
      }
  return normals;
}

struct Interval {
  double lo, hi;
};

template <int D>
inline Interval project(const Normal<D>& normal, const Aabb<D, float>& box) {
  Interval along{0, 0};
  for (int k = 0; k < D; ++k) {
    const int n = normal[static_cast<std::size_t>(k)];
    if (n == 0) continue;
    along.lo += n > 0 ? box.lo[k] : -static_cast<double>(box.hi[k]);
    along.hi += n > 0 ? box.hi[k] : -static_cast<double>(box.lo[k]);
  }
  return along;
}

}  // namespace

template <int D>
BspTree<D>::BspTree()
    : OwnerTreeBroadphase<D>({{"leaf_capacity", "a node with more boxes than this is divided", 128, 1, 4096, true},
                              {"depth", "of the deepest node, at most", 32, 0, 64, true}}) {}

template <int D>
typename OwnerTree<D>::Limits BspTree<D>::limits() const {
  return {static_cast<std::size_t>(this->parameter(kBspLeafCapacity)), static_cast<int>(this->parameter(kBspDepth))};
}

template <int D>
bool BspTree<D>::divide(const Aabb<D, float>&, std::span<BoxEntry<D>> entries, typename OwnerRule<D>::Cells&) {
  static constexpr std::array<Normal<D>, kNormals<D>> kAll = make_normals<D>();
  sample_.clear();
  Random random(entries.size());
  for (std::size_t i = 0; i < std::min(entries.size(), kBspSample); ++i)
    sample_.push_back(entries[entries.size() <= kBspSample ? i : random.below(entries.size())].box);

  // Rank the normals by how much of their spread a box takes
  struct Candidate {
    double share;
    std::size_t normal;
  };
  std::array<Candidate, kNormals<D>> ranked;
  for (std::size_t n = 0; n < ranked.size(); ++n) {
    double width = 0, first = std::numeric_limits<double>::infinity(), last = -first;
    for (const Aabb<D, float>& box : sample_) {
      const Interval along = project<D>(kAll[n], box);
      const double middle = (along.lo + along.hi) / 2;
      width += along.hi - along.lo;
      first = std::min(first, middle);
      last = std::max(last, middle);
    }
    width /= static_cast<double>(sample_.size());
    ranked[n] = {last > first ? width / (last - first) : std::numeric_limits<double>::infinity(), n};
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Candidate& a, const Candidate& b) { return a.share < b.share; });

  // Try the plane at the median of the best few
  std::size_t best = kNormals<D>;
  double best_at = 0, best_cost = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < kFinalists; ++r) {
    if (ranked[r].share == std::numeric_limits<double>::infinity()) continue;
    const Normal<D>& normal = kAll[ranked[r].normal];
    starts_.clear();
    for (const Aabb<D, float>& box : sample_) starts_.push_back(project<D>(normal, box).lo);
    std::sort(starts_.begin(), starts_.end());
    // Where a box begins, which then does not straddle. Not the first one: nothing would be below it.
    const auto at = std::max(starts_.begin() + static_cast<std::ptrdiff_t>(starts_.size() / 2),
                             std::upper_bound(starts_.begin(), starts_.end(), starts_.front()));
    if (at == starts_.end()) continue;
    double below = 0, above = 0;
    for (const Aabb<D, float>& box : sample_) {
      const Interval along = project<D>(normal, box);
      below += along.hi < *at ? 1 : 0;
      above += along.lo >= *at ? 1 : 0;
    }
    const double straddlers = static_cast<double>(sample_.size()) - below - above;
    const double cost = kStraddlerWeight * straddlers + std::max(below, above) - std::min(below, above);
    if (cost < best_cost) {
      best_cost = cost;
      best = ranked[r].normal;
      best_at = *at;
    }
  }
  if (best == kNormals<D>) return false;

  std::size_t below = 0, above = 0;
  for (BoxEntry<D>& entry : entries) {
    const Interval along = project<D>(kAll[best], entry.box);
    entry.tag = along.hi < best_at ? 0 : along.lo >= best_at ? 1 : OwnerRule<D>::kStays;
    below += entry.tag == 0 ? 1 : 0;
    above += entry.tag == 1 ? 1 : 0;
  }
  // The sample may have missed what makes this plane useless
  if (below + above == 0 || below == entries.size() || above == entries.size()) return false;
  ++(best < D ? straight_ : slanted_);
  return true;
}

template class SUDAR_API BspTree<2>;
template class SUDAR_API BspTree<3>;

}  // namespace sudar
