// What:    The build of a RayTree and its plain walk, see the header.
#include <sudar/shapes/center_bins.hpp>
#include <sudar/shapes/ray_tree.hpp>
#include <sudar/shapes/ray_tree_walk.hpp>

#include <algorithm>
#include <span>

namespace sudar {

namespace {

struct FloatBounds {
  float lo[3], hi[3];

  static FloatBounds empty() {
    constexpr float kAll = std::numeric_limits<float>::infinity();
    return {{kAll, kAll, kAll}, {-kAll, -kAll, -kAll}};
  }
  void grow(const FloatBounds& b) {
    for (int k = 0; k < 3; ++k) {
      lo[k] = b.lo[k] < lo[k] ? b.lo[k] : lo[k];
      hi[k] = b.hi[k] > hi[k] ? b.hi[k] : hi[k];
    }
  }
  // Half of the surface; 0 for an empty one
  float area() const {
    const float x = hi[0] - lo[0], y = hi[1] - lo[1], z = hi[2] - lo[2];
    return x >= 0 ? x * y + y * z + z * x : 0;
  }
};

struct BuildItem {
  FloatBounds box;
  std::uint32_t triangle;

  float center(int k) const { return box.lo[k] + box.hi[k]; }  // twice
};

// Items [begin, end) and their box
struct BuildRange {
  std::uint32_t begin, end;
  FloatBounds box;

  std::uint32_t count() const { return end - begin; }
};

}  // namespace

class RayTreeBuilder {
 public:
  RayTreeBuilder(const Mesh& mesh, RayTree& tree) : mesh_(mesh), tree_(tree) {}

  void build() {
    const auto count = static_cast<std::uint32_t>(mesh_.triangles.size());
    frame();
    // Roundings of a corner in the frame of the tree, and a hair by which boxes exceed their triangles (ray_tree_walk.hpp)
    const double far = std::max(max_abs(tree_.bounds_.lo), max_abs(tree_.bounds_.hi));
    const double slack = 4 * kRoundoff * far * tree_.scale_ + kRayBoxHair;
    items_.resize(count);
    for (std::uint32_t t = 0; t < count; ++t) {
      const Triangle<3, double> c = mesh_.corners(t);
      const Vec3d lo = min(c.a, min(c.b, c.c)), hi = max(c.a, max(c.b, c.c));
      for (int k = 0; k < 3; ++k) {
        items_[t].box.lo[k] = float_down((lo[k] - tree_.origin_[k]) * tree_.scale_ - slack);
        items_[t].box.hi[k] = float_up((hi[k] - tree_.origin_[k]) * tree_.scale_ + slack);
      }
      items_[t].triangle = t;
    }
    nodes_.reserve(count / 8 + 1);
    leaves_.reserve(count / 3 + 1);
    BuildRange all{0, count, FloatBounds::empty()};
    for (const BuildItem& item : items_) all.box.grow(item.box);
    make_node(all, 0);
    const std::span<RayTree::Leaf> leaves = tree_.memory_.allocate<RayTree::Leaf>(leaves_.size());
    const std::span<RayTree::Node> nodes = tree_.memory_.allocate<RayTree::Node>(nodes_.size());
    std::copy(leaves_.begin(), leaves_.end(), leaves.begin());
    std::copy(nodes_.begin(), nodes_.end(), nodes.begin());
    tree_.leaves_ = leaves;
    tree_.nodes_ = nodes;
  }

 private:
  static constexpr int kBins = 16;
  // From here on ranges are halved: with 2^31 triangles and eight children that is ten levels more
  static constexpr int kSearchDepth = RayTree::kMaxDepth - 12;

  void frame() {
    Aabb3d bounds = Aabb3d::empty();
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
      for (const std::uint32_t v : mesh_.triangles[t]) bounds = merge(bounds, mesh_.vertices[v]);
    tree_.bounds_ = bounds;
    tree_.origin_ = center(bounds);
    const double half = std::max(max_abs(bounds.hi - tree_.origin_), max_abs(tree_.origin_ - bounds.lo));
    // A power of two, so that nothing rounds
    const int exponent = std::clamp(half > 0 ? std::ilogb(half) + 1 : 0, -400, 400);
    tree_.scale_ = std::ldexp(1.0, -exponent);
    tree_.unit_ = std::ldexp(1.0, exponent);
    tree_.far_ = max_abs(tree_.origin_);
  }

  std::uint32_t make_node(const BuildRange& range, int depth) {
    // The largest child is cut until there are eight, or none that is more than a leaf
    BuildRange children[RayTree::kWidth] = {range};
    std::uint32_t count = 1;
    while (count < RayTree::kWidth) {
      int widest = -1;
      for (std::uint32_t i = 0; i < count; ++i)
        if (children[i].count() > RayTree::kLeafWidth &&
            (widest < 0 || children[i].box.area() > children[widest].box.area()))
          widest = static_cast<int>(i);
      if (widest < 0) break;
      const BuildRange whole = children[widest];
      cut(whole, depth, children[widest], children[count++]);
    }
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    for (std::uint32_t i = 0; i < RayTree::kWidth; ++i) {
      const FloatBounds box = i < count ? children[i].box : FloatBounds::empty();
      std::uint32_t child = 0;
      if (i < count)
        child = children[i].count() > RayTree::kLeafWidth ? make_node(children[i], depth + 1)
                                                          : make_leaf(children[i]) | RayTree::kLeaf;
      RayTree::Node& node = nodes_[index];
      node.child[i] = child;
      for (int k = 0; k < 3; ++k) node.lo[k][i] = box.lo[k], node.hi[k][i] = box.hi[k];
    }
    return index;
  }

  std::uint32_t make_leaf(const BuildRange& range) {
    // Splitting leaves each half in an order of its own: triangles of a leaf go by number
    std::sort(items_.begin() + range.begin, items_.begin() + range.end,
              [](const BuildItem& x, const BuildItem& y) { return x.triangle < y.triangle; });
    RayTree::Leaf leaf;
    for (std::uint32_t lane = 0; lane < RayTree::kLeafWidth; ++lane) {
      const std::uint32_t i = std::min(range.begin + lane, range.end - 1), t = items_[i].triangle;
      const Triangle<3, double> corners = mesh_.corners(t);
      leaf.triangle[lane] = lane < range.count() ? t : kNoIndex;
      for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) leaf.corner[c][k][lane] = corners[c][k];
    }
    leaves_.push_back(leaf);
    return static_cast<std::uint32_t>(leaves_.size() - 1);
  }

  // In two, where the boxes times the leaves in them are smallest
  void cut(const BuildRange& whole, int depth, BuildRange& low, BuildRange& high) {
    float from[3], scale[3];
    centers(whole, from, scale);
    int axis = 0, at = -1;
    if (depth < kSearchDepth) best_cut(whole, from, scale, axis, at);
    const auto first = items_.begin() + whole.begin, last = items_.begin() + whole.end;
    std::uint32_t middle;
    if (at >= 0) {
      middle = static_cast<std::uint32_t>(
          std::partition(first, last, [&](const BuildItem& x) { return bin(x, axis, from, scale) < at; }) -
          items_.begin());
    } else {
      // All centres are one, or it is too deep already: in halves
      middle = whole.begin + whole.count() / 2;
      for (int k = 1; k < 3; ++k)
        if (scale[k] > 0 && (scale[axis] <= 0 || scale[k] < scale[axis])) axis = k;
      std::nth_element(first, items_.begin() + middle, last, [axis](const BuildItem& x, const BuildItem& y) {
        return x.center(axis) != y.center(axis) ? x.center(axis) < y.center(axis) : x.triangle < y.triangle;
      });
    }
    low = {whole.begin, middle, FloatBounds::empty()};
    high = {middle, whole.end, FloatBounds::empty()};
    for (BuildRange* half : {&low, &high})
      for (std::uint32_t i = half->begin; i < half->end; ++i) half->box.grow(items_[i].box);
  }

  static int bin(const BuildItem& item, int axis, const float* from, const float* scale) {
    return static_cast<int>((item.center(axis) - from[axis]) * scale[axis]);
  }
  // The lowest centre and the bins for each unit; 0 along an axis on which all are one
  void centers(const BuildRange& range, float* from, float* scale) const {
    for (int k = 0; k < 3; ++k) {
      float lo = items_[range.begin].center(k), hi = lo;
      for (std::uint32_t i = range.begin + 1; i < range.end; ++i) {
        const float c = items_[i].center(k);
        lo = c < lo ? c : lo;
        hi = c > hi ? c : hi;
      }
      from[k] = lo;
      // A little less than the number of bins, so that the last centre is in the last bin
      scale[k] = hi - lo > kLeastSpread ? (kBins * 0.9999f) / (hi - lo) : 0;
    }
  }
  static float leaves_in(std::uint32_t count) {
    const std::uint32_t leaves = (count + RayTree::kLeafWidth - 1) / RayTree::kLeafWidth;
    return static_cast<float>(leaves);
  }
  void best_cut(const BuildRange& range, const float* from, const float* scale, int& best_axis, int& best_at) const {
    FloatBounds boxes[3][kBins];
    std::uint32_t counts[3][kBins] = {};
    for (auto& row : boxes) std::fill(row, row + kBins, FloatBounds::empty());
    for (std::uint32_t i = range.begin; i < range.end; ++i)
      for (int k = 0; k < 3; ++k) {
        const int b = bin(items_[i], k, from, scale);
        ++counts[k][b];
        boxes[k][b].grow(items_[i].box);
      }
    float best = std::numeric_limits<float>::infinity();
    for (int k = 0; k < 3; ++k) {
      if (!(scale[k] > 0)) continue;
      float above[kBins];
      FloatBounds box = FloatBounds::empty();
      std::uint32_t count = 0;
      for (int b = kBins - 1; b > 0; --b) {
        box.grow(boxes[k][b]);
        count += counts[k][b];
        above[b] = count > 0 ? box.area() * leaves_in(count) : -1;
      }
      box = FloatBounds::empty();
      count = 0;
      for (int b = 1; b < kBins; ++b) {
        box.grow(boxes[k][b - 1]);
        count += counts[k][b - 1];
        const float cost = box.area() * leaves_in(count) + above[b];
        if (count > 0 && above[b] >= 0 && cost < best) best = cost, best_axis = k, best_at = b;
      }
    }
  }

  const Mesh& mesh_;
  RayTree& tree_;
  std::vector<BuildItem> items_;
  std::vector<RayTree::Node> nodes_;
  std::vector<RayTree::Leaf> leaves_;
};

RayTree RayTree::build(const Mesh& mesh) {
  RayTree tree;
  RayTreeBuilder(mesh, tree).build();
  return tree;
}

template <int D>
Result<void> check_ray(const Ray<D, double>& ray, double max_t) noexcept {
  constexpr std::size_t kNone = Error::kNoElement;
  if (!is_finite(ray.origin)) return Error{ErrorCode::non_finite, kNone, "origin of the ray is NaN or infinite"};
  if (!is_finite(ray.direction)) return Error{ErrorCode::non_finite, kNone, "direction of the ray is NaN or infinite"};
  if (std::isnan(max_t)) return Error{ErrorCode::non_finite, kNone, "length of the ray is NaN"};
  if (max_t < 0) return Error{ErrorCode::invalid_argument, kNone, "length of the ray is negative"};
  const double size = max_abs(ray.direction);
  if (size == 0) return Error{ErrorCode::degenerate, kNone, "direction of the ray is zero"};
  if (max_abs(ray.origin) > kMaxRayOrigin) return Error{ErrorCode::too_large, kNone, "origin beyond kMaxRayOrigin"};
  if (size > kMaxRayDirection || size < kMinRayDirection)
    return Error{ErrorCode::too_large, kNone, "direction beyond kMaxRayDirection or below kMinRayDirection"};
  return {};
}
template SUDAR_API Result<void> check_ray<2>(const Ray<2, double>&, double) noexcept;
template SUDAR_API Result<void> check_ray<3>(const Ray<3, double>&, double) noexcept;

bool closest_hit_plain(const RayTree& tree, const Ray<3, double>& ray, double max_t, RayTreeHit& hit) noexcept {
  ClosestSink sink{max_t};
  walk_ray_plain(tree, make_tree_ray(tree, ray), 0, sink);
  hit = sink.best;
  return hit.triangle != kNoIndex;
}
bool closest_hit_plain(const RayTree& tree, const Ray<3, double>& ray, double max_t, RayTreeHit& hit,
                       TraceSink& trace) {
  ClosestSink sink{max_t};
  walk_ray_plain(tree, make_tree_ray(tree, ray), 0, sink, TraceTo{&trace});
  hit = sink.best;
  return hit.triangle != kNoIndex;
}

}  // namespace sudar
