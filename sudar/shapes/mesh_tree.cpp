#include <sudar/shapes/center_bins.hpp>
#include <sudar/shapes/mesh_tree.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace sudar {

namespace {

struct FloatBox {
  float lo[3], hi[3];
};

// Twice the centre of a triangle's box, and the triangle
struct Item {
  float center[3];
  std::uint32_t id;
};

class Packer {
 public:
  // Level by level from below, how many triangles a node has under it
  Packer(std::vector<Item>& items, std::span<const std::size_t> units) : units_(units), scratch_(items.size()) {
    pack(items.data(), scratch_.data(), items.size(), static_cast<int>(units.size()) - 1);
  }

 private:
  static constexpr std::size_t kMostBins = 256, kFew = 40;

  // Orders the items so that runs of the level's unit, the last one shorter, are halves of halves of space, and within
  // them the runs of the level below, down to single nodes
  void pack(Item* items, Item* scratch, std::size_t count, int level) {
    while (level >= 0 && units_[static_cast<std::size_t>(level)] >= count) --level;
    // nth_element leaves each half in an order of its own: triangles of a node go by index
    if (level < 0) return std::sort(items, items + count, [](const Item& x, const Item& y) { return x.id < y.id; });
    const std::size_t unit = units_[static_cast<std::size_t>(level)], half = (count + unit - 1) / unit / 2 * unit;
    split(items, scratch, count, half);
    pack(items, scratch, half, level);
    pack(items + half, scratch + half, count - half, level);
  }
  // The lower `half` along the longest axis to the front
  static void split(Item* items, Item* scratch, std::size_t count, std::size_t half) {
    float lo[3], hi[3];
    for (int k = 0; k < 3; ++k) lo[k] = hi[k] = items[0].center[k];
    for (std::size_t i = 1; i < count; ++i)
      for (int k = 0; k < 3; ++k) {
        const float c = items[i].center[k];
        lo[k] = c < lo[k] ? c : lo[k];
        hi[k] = c > hi[k] ? c : hi[k];
      }
    int axis = 0;
    for (int k = 1; k < 3; ++k)
      if (hi[k] - lo[k] > hi[axis] - lo[axis]) axis = k;
    if (count <= kFew) {
      std::nth_element(items, items + half, items + count, [axis](const Item& x, const Item& y) {
        return x.center[axis] < y.center[axis] || (x.center[axis] == y.center[axis] && x.id < y.id);
      });
      return;
    }
    const std::size_t bin_count = count < 2048 ? kMostBins / 4 : kMostBins;
    const float from = lo[axis], size = hi[axis] - from;
    // Centres nearer to each other than that are in one bin: their scale would be no number
    const float scale = size > kLeastSpread ? static_cast<float>(bin_count - 1) / size : 0;
    const auto bin_of = [&](const Item& item) {
      return static_cast<std::uint32_t>((item.center[axis] - from) * scale);
    };
    std::uint32_t bins[kMostBins];
    std::fill(bins, bins + bin_count, 0u);
    for (std::size_t i = 0; i < count; ++i) ++bins[bin_of(items[i])];
    std::uint32_t middle = 0;
    std::size_t below = 0;
    while (below + bins[middle] < half) below += bins[middle++];
    // The items of the bin in the middle fill up the lower half as they come
    std::size_t room = half - below, low = 0, high = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t bin = bin_of(items[i]);
      const bool to_room = bin == middle && room > 0, down = bin < middle || to_room;
      room -= to_room;
      scratch[high] = items[i];
      items[low] = items[i];
      low += down;
      high += !down;
    }
    std::copy(scratch, scratch + high, items + low);
  }

  std::span<const std::size_t> units_;
  std::vector<Item> scratch_;
};

// Widths of levels above the lowest, for so many nodes there: as few levels as there can be, and near the root the product
// that is barely enough
std::vector<std::uint32_t> level_widths(std::uint32_t nodes) {
  int levels = 0;
  for (std::uint64_t reach = 1; reach < nodes; reach *= MeshTree::kWidth) ++levels;
  const int full = std::max(0, levels - 4), free = levels - full;
  std::vector<std::uint32_t> out(static_cast<std::size_t>(levels), MeshTree::kWidth);
  for (int i = 0; i < full; ++i) nodes = (nodes + MeshTree::kWidth - 1) / MeshTree::kWidth;
  std::uint32_t best[4] = {8, 8, 8, 8}, best_product = ~std::uint32_t{0};
  for (std::uint32_t n = 0; n < 2401 && free > 0; ++n) {
    // Four digits of base seven; those of levels that are not there stay out
    std::uint32_t width[4], product = 1, rest = n;
    for (int i = 0; i < 4; ++i, rest /= 7) {
      width[i] = 8 - rest % 7;
      if (i < free) product *= width[i];
    }
    const bool falling = width[0] >= width[1] && width[1] >= width[2] && width[2] >= width[3];
    if (falling && product >= nodes && product < best_product) {
      best_product = product;
      std::copy(width, width + 4, best);
    }
  }
  for (int i = 0; i < free; ++i) out[static_cast<std::size_t>(full + i)] = best[i];
  return out;
}

}  // namespace

MeshTree MeshTree::build(const Mesh& mesh) {
  MeshTree tree;
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  // Boxes of the triangles, relative to the middle of all
  Aabb3d bounds = Aabb3d::empty();
  for (const Vec3d& v : mesh.vertices) bounds = merge(bounds, v);
  tree.origin_ = center(bounds);
  // Rounding of a difference of doubles and of its conversion, as floats; the smallest normal covers underflow
  const float far = static_cast<float>(max_abs(bounds.hi) + max_abs(bounds.lo));
  const float slack = far * 0x1p-50f + std::numeric_limits<float>::min();
  std::vector<FloatBox> boxes(count);
  std::vector<Item> items(count);
  bounds = Aabb3d::empty();
  for (std::uint32_t t = 0; t < count; ++t) {
    const Triangle<3, double> c = mesh.corners(t);
    const Vec3d lo = min(c.a, min(c.b, c.c)), hi = max(c.a, max(c.b, c.c));
    bounds = merge(bounds, Aabb3d{lo, hi});
    for (int k = 0; k < 3; ++k) {
      const double l = lo[k] - tree.origin_[k], h = hi[k] - tree.origin_[k];
      const auto lf = static_cast<float>(l), hf = static_cast<float>(h);
      boxes[t].lo[k] = lf - (std::fabs(lf) * 0x1p-23f + slack);
      boxes[t].hi[k] = hf + (std::fabs(hf) * 0x1p-23f + slack);
      items[t].center[k] = lf + hf;
    }
    items[t].id = t;
  }
  tree.bounds_ = bounds;
  const std::vector<std::uint32_t> widths = level_widths((count + kWidth - 1) / kWidth);
  tree.width_[0] = kWidth;
  std::copy(widths.begin(), widths.end(), tree.width_.begin() + 1);
  std::vector<std::size_t> units = {kWidth};
  for (const std::uint32_t width : widths) units.push_back(units.back() * width);
  Packer pack(items, units);
  // Nodes of eight, level by level
  std::uint32_t total = 0, in_level = count;
  do {
    const std::uint32_t width = tree.width_[static_cast<std::size_t>(tree.levels_)];
    in_level = (in_level + width - 1) / width;
    tree.start_[static_cast<std::size_t>(tree.levels_++)] = total;
    total += in_level;
  } while (in_level > 1);
  tree.start_[tree.levels_] = total;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  tree.nodes_.resize(total);
  tree.order_.resize(count);
  tree.vertices_.resize(count);
  for (std::uint32_t n = 0; n < tree.node_count(0); ++n) {
    MeshTreeNode& node = tree.nodes_[n];
    for (std::uint32_t k = 0; k < kWidth; ++k) {
      const std::uint32_t row = kWidth * n + k;
      if (row < count) tree.order_[row] = items[row].id, tree.vertices_[row] = mesh.triangles[items[row].id];
      for (int axis = 0; axis < 3; ++axis) {
        node.lo[axis][k] = row < count ? boxes[items[row].id].lo[axis] : kInfinity;
        node.hi[axis][k] = row < count ? boxes[items[row].id].hi[axis] : -kInfinity;
      }
    }
  }
  for (int level = 1; level < tree.levels_; ++level)
    for (std::uint32_t n = 0; n < tree.node_count(level); ++n) {
      MeshTreeNode& node = tree.nodes_[tree.start_[level] + n];
      for (std::uint32_t k = 0; k < kWidth; ++k) {
        const std::uint32_t child = tree.child(level, n, k);
        for (int axis = 0; axis < 3; ++axis) {
          float lo = kInfinity, hi = -kInfinity;
          if (k < tree.width(level) && child < tree.node_count(level - 1)) {
            const MeshTreeNode& below = tree.node(level - 1, child);
            for (std::uint32_t j = 0; j < kWidth; ++j) {
              lo = std::min(lo, below.lo[axis][j]);
              hi = std::max(hi, below.hi[axis][j]);
            }
          }
          node.lo[axis][k] = lo;
          node.hi[axis][k] = hi;
        }
      }
    }
  return tree;
}

TreeBox make_tree_box(const MeshTree& tree, const Aabb3d& box) noexcept {
  TreeBox out;
  for (int k = 0; k < 3; ++k) {
    const double o = tree.origin()[k];
    // Past the range of floats is past any mesh
    constexpr double kFar = 0x1p120;
    const auto lo = static_cast<float>(std::clamp(box.lo[k] - o, -kFar, kFar));
    const auto hi = static_cast<float>(std::clamp(box.hi[k] - o, -kFar, kFar));
    // As in the tree
    const auto slack = static_cast<float>(std::fabs(o)) * 0x1p-50f + std::numeric_limits<float>::min();
    out.lo[k] = lo - (std::fabs(lo) * 0x1p-23f + slack);
    out.hi[k] = hi + (std::fabs(hi) * 0x1p-23f + slack);
  }
  return out;
}

}  // namespace sudar
