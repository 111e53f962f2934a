// What:    Several shapes as one: children with poses, and a tree over their boxes. Children may be compounds.
// Source:  seed A16 (a non-convex body as several convex parts).
// Frame:   The compound's own; a child's pose takes it there. Immutable and shared, like all large data of shapes.
// Fails:   make: empty_input; with the child's index: non_finite, degenerate (a rotation of zero length), too_large (a
//          position beyond kMaxShapeSize, or nested deeper than kMaxCompoundDepth), invalid_argument (not bounded).
#pragma once

#include <sudar/shapes/part_tree.hpp>
#include <sudar/shapes/shape3.hpp>

#include <memory>
#include <span>
#include <vector>

namespace sudar {

struct CompoundChild3 {
  Shape3 shape;
  Pose3d pose{};
};

class SUDAR_API Compound3 {
 public:
  static constexpr int kMaxCompoundDepth = 16;

  // Rotations are brought to unit length
  static Result<std::shared_ptr<const Compound3>> make(std::span<const CompoundChild3> children) noexcept;

  std::span<const CompoundChild3> children() const { return children_; }
  const PartTree<3>& tree() const { return tree_; }
  // The features of child i are numbered from feature_base(i), those of all children below feature_span()
  std::uint32_t feature_base(std::uint32_t i) const { return feature_base_[i]; }
  std::uint32_t feature_span() const { return feature_base_.back(); }
  // 1 when no child is a compound
  int depth() const { return depth_; }

  Compound3(const Compound3&) = delete;
  Compound3& operator=(const Compound3&) = delete;

 private:
  Compound3() = default;

  std::vector<CompoundChild3> children_;
  PartTree<3> tree_;
  std::vector<std::uint32_t> feature_base_;  // one more than children
  int depth_ = 1;
};

SUDAR_API Result<Shape3> make_compound3(std::span<const CompoundChild3> children) noexcept;

// No vertex, edge or face of the shape has a number that is not below this (narrowphase/features3.hpp). Beyond 2^32 it
// starts again from 0.
SUDAR_API std::uint32_t feature_span(const Shape3& shape) noexcept;

// Around the children at a pose, rounded outward
SUDAR_API Aabb<3, double> bounding_box(const Compound3& compound, const Pose3d& pose);

}  // namespace sudar
