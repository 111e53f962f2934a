#include <sudar/broadphase/radix_sort.hpp>
#include <sudar/shapes/mesh_tree.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar::inline SUDAR_ABI {

namespace {

constexpr int kCurveBits = 10;

// The place of a cell along a Hilbert curve of 2^30 cells, and the curve as a walk: in each of its states, which child
// cube comes when and in which state it is walked
struct CurveTable {
  std::uint8_t rank[24][8], next[24][8];
};
// Skilling's transform of axes to the transposed index, for a few bits: the ground from which the table is made
constexpr std::uint32_t hilbert_index(std::array<std::uint32_t, 3> x, int bits) {
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1) {
    const std::uint32_t p = q - 1;
    for (std::size_t i = 0; i < 3; ++i) {
      if ((x[i] & q) != 0) {
        x[0] ^= p;
      } else {
        const std::uint32_t t = (x[0] ^ x[i]) & p;
        x[0] ^= t;
        x[i] ^= t;
      }
    }
  }
  x[1] ^= x[0];
  x[2] ^= x[1];
  std::uint32_t t = 0;
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
    if ((x[2] & q) != 0) t ^= q - 1;
  for (std::uint32_t& c : x) c ^= t;
  std::uint32_t index = 0;
  for (int b = bits - 1; b >= 0; --b)
    for (std::size_t i = 0; i < 3; ++i) index = index << 1 | (x[i] >> b & 1);
  return index;
}
// A state is known by the order in which it visits its eight children, and those of its children by two more bits
constexpr CurveTable make_curve_table() {
  CurveTable table{};
  std::uint32_t cell_of[24] = {};  // a cell, with its depth, that is walked in this state
  int depth_of[24] = {};
  const auto order_at = [](std::uint32_t cell, int depth) {
    // The child of each rank, eight times three bits
    std::uint32_t order = 0;
    for (std::uint32_t c = 0; c < 8; ++c) {
      std::array<std::uint32_t, 3> x{};
      for (int level = 0; level < depth; ++level)
        for (std::size_t i = 0; i < 3; ++i) x[i] = x[i] << 1 | (cell >> (3 * (depth - 1 - level) + i) & 1);
      for (std::size_t i = 0; i < 3; ++i) x[i] = x[i] << 1 | (c >> i & 1);
      order |= c << (3 * (hilbert_index(x, depth + 1) & 7));
    }
    return order;
  };
  std::uint32_t orders[24] = {order_at(0, 0)};
  int states = 1;
  for (int s = 0; s < states; ++s)
    for (std::uint32_t c = 0; c < 8; ++c) {
      for (std::uint32_t r = 0; r < 8; ++r)
        if ((orders[s] >> (3 * r) & 7) == c) table.rank[s][c] = static_cast<std::uint8_t>(r);
      const std::uint32_t child = cell_of[s] << 3 | c, order = order_at(child, depth_of[s] + 1);
      int n = 0;
      while (n < states && orders[n] != order) ++n;
      if (n == states) orders[n] = order, cell_of[n] = child, depth_of[n] = depth_of[s] + 1, ++states;
      table.next[s][c] = static_cast<std::uint8_t>(n);
    }
  return table;
}
constexpr CurveTable kCurve = make_curve_table();

std::uint32_t curve_key(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::uint32_t key = 0, state = 0;
  for (int b = kCurveBits - 1; b >= 0; --b) {
    const std::uint32_t child = (x >> b & 1) | (y >> b & 1) << 1 | (z >> b & 1) << 2;
    key = key << 3 | kCurve.rank[state][child];
    state = kCurve.next[state][child];
  }
  return key;
}

struct FloatBox {
  float lo[3], hi[3];
};

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
  const Vec3d size = bounds.hi - bounds.lo;
  Vec3d scale;
  for (int k = 0; k < 3; ++k) scale[k] = size[k] > 0 ? ((1 << kCurveBits) - 1) / size[k] : 0;
  std::vector<FloatBox> boxes(count);
  std::vector<KeyedRow> rows(count), scratch;
  bounds = Aabb3d::empty();
  for (std::uint32_t t = 0; t < count; ++t) {
    const Triangle<3, double> c = mesh.corners(t);
    std::uint32_t cell[3];
    const Vec3d lo = min(c.a, min(c.b, c.c)), hi = max(c.a, max(c.b, c.c));
    bounds = merge(bounds, Aabb3d{lo, hi});
    for (int k = 0; k < 3; ++k) {
      const double l = lo[k] - tree.origin_[k], h = hi[k] - tree.origin_[k];
      const auto lf = static_cast<float>(l), hf = static_cast<float>(h);
      boxes[t].lo[k] = lf - (std::fabs(lf) * 0x1p-23f + slack);
      boxes[t].hi[k] = hf + (std::fabs(hf) * 0x1p-23f + slack);
      cell[k] = static_cast<std::uint32_t>(((l + h) + size[k]) * 0.5 * scale[k]);
    }
    rows[t] = {curve_key(cell[0], cell[1], cell[2]), t};
  }
  tree.bounds_ = bounds;
  sort_rows(rows, scratch);
  // Nodes of eight, level by level
  std::uint32_t total = 0, in_level = count;
  do {
    in_level = (in_level + kWidth - 1) / kWidth;
    tree.start_[tree.levels_++] = total;
    total += in_level;
  } while (in_level > 1);
  tree.start_[tree.levels_] = total;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  tree.nodes_.resize(total);
  tree.order_.resize(count);
  for (std::uint32_t n = 0; n < tree.node_count(0); ++n) {
    MeshTreeNode& node = tree.nodes_[n];
    for (std::uint32_t k = 0; k < kWidth; ++k) {
      const std::uint32_t row = kWidth * n + k;
      if (row < count) tree.order_[row] = rows[row].row;
      for (int axis = 0; axis < 3; ++axis) {
        node.lo[axis][k] = row < count ? boxes[rows[row].row].lo[axis] : kInfinity;
        node.hi[axis][k] = row < count ? boxes[rows[row].row].hi[axis] : -kInfinity;
      }
    }
  }
  for (int level = 1; level < tree.levels_; ++level)
    for (std::uint32_t n = 0; n < tree.node_count(level); ++n) {
      MeshTreeNode& node = tree.nodes_[tree.start_[level] + n];
      for (std::uint32_t k = 0; k < kWidth; ++k) {
        const std::uint32_t child = kWidth * n + k;
        for (int axis = 0; axis < 3; ++axis) {
          float lo = kInfinity, hi = -kInfinity;
          if (child < tree.node_count(level - 1)) {
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
    const auto lo = static_cast<float>(box.lo[k] - o), hi = static_cast<float>(box.hi[k] - o);
    // As in the tree; infinite sides stay so
    const auto slack = static_cast<float>(std::fabs(o)) * 0x1p-50f + std::numeric_limits<float>::min();
    out.lo[k] = std::isfinite(lo) ? lo - (std::fabs(lo) * 0x1p-23f + slack) : -std::numeric_limits<float>::infinity();
    out.hi[k] = std::isfinite(hi) ? hi + (std::fabs(hi) * 0x1p-23f + slack) : std::numeric_limits<float>::infinity();
  }
  return out;
}

}  // namespace sudar::inline SUDAR_ABI
