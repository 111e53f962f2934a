// What:    What a tree of another library does in the race of the trees: build, follow moving boxes, answer questions.
// Differs: The trees of the peers hold enlarged boxes once something moved, so their adapters test what a tree reports
//          against the boxes themselves; all contestants then count the same.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace sudar_bench {

// Boxes are rows of D minima and D maxima; rays are rows of two ends
class TreePeer {
 public:
  virtual ~TreePeer() = default;
  // Keeps the span
  virtual void build(std::span<const float> boxes) = 0;
  // An empty tree, into which boxes of this span come and go one by one; it holds those at once, or when they are settled
  virtual void clear(std::span<const float> boxes) = 0;
  virtual void insert(std::size_t i) = 0;
  virtual void remove(std::size_t i) = 0;
  virtual void settle() {}
  // The same boxes, moved
  virtual void update(std::span<const float> boxes) = 0;
  virtual std::size_t count_overlaps(std::span<const float> probes) = 0;
  virtual std::size_t count_ray_hits(std::span<const float> rays) = 0;
  virtual std::size_t count_pairs() = 0;
};

template <int D>
inline bool rows_overlap(const float* a, const float* b) {
  for (int k = 0; k < D; ++k)
    if (!(a[k] <= b[D + k] && b[k] <= a[D + k])) return false;
  return true;
}

template <int D>
inline bool ray_meets_row(const float* ray, const float* box) {
  double enter = 0, leave = 1;
  for (int k = 0; k < D; ++k) {
    const double direction = static_cast<double>(ray[D + k]) - ray[k];
    const double lo = static_cast<double>(box[k]) - ray[k], hi = static_cast<double>(box[D + k]) - ray[k];
    if (direction == 0) {
      if (lo > 0 || hi < 0) return false;
      continue;
    }
    enter = std::max(enter, (direction > 0 ? lo : hi) / direction);
    leave = std::min(leave, (direction > 0 ? hi : lo) / direction);
  }
  return enter <= leave;
}

// SUDAR_PEER_BULLET: btDbvt
std::string bullet_version();
std::unique_ptr<TreePeer> make_bullet_dbvt();

// SUDAR_PEER_FCL: the tree under its dynamic_AABB_tree manager; it has no rays
std::string fcl_version();
std::unique_ptr<TreePeer> make_fcl_tree();

// SUDAR_PEER_BOX2D: b2DynamicTree, in the plane
std::string box2d_version();
std::unique_ptr<TreePeer> make_box2d_tree();

}  // namespace sudar_bench
