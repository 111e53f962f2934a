// What:    Several shapes as one: children with poses, and a tree over their boxes. Children may be compounds.
// Source:  seed A16 (a non-convex body as several convex parts).
// Frame:   The compound's own; a child's pose takes it there. Immutable and shared, like all large data of shapes.
// Fails:   make: empty_input; with the child's index: non_finite, degenerate (a rotation of zero length), too_large (a
//          position beyond kMaxShapeSize, or nested deeper than kMaxCompoundDepth), invalid_argument (not bounded).
#pragma once

#include <sudar/shapes/part_tree.hpp>
#include <sudar/shapes/shape2.hpp>

#include <memory>
#include <span>
#include <vector>

namespace sudar {

struct CompoundChild2 {
  Shape2 shape;
  Pose2d pose{};
};

class SUDAR_API Compound2 {
 public:
  static constexpr int kMaxCompoundDepth = 16;

  // Rotations are brought to unit length
  static Result<std::shared_ptr<const Compound2>> make(std::span<const CompoundChild2> children) noexcept;

  std::span<const CompoundChild2> children() const { return children_; }
  const PartTree<2>& tree() const { return tree_; }
  // The features of child i are numbered from feature_base(i), those of all children below feature_span()
  std::uint32_t feature_base(std::uint32_t i) const { return feature_base_[i]; }
  std::uint32_t feature_span() const { return feature_base_.back(); }
  // 1 when no child is a compound
  int depth() const { return depth_; }

  Compound2(const Compound2&) = delete;
  Compound2& operator=(const Compound2&) = delete;

 private:
  Compound2() = default;

  std::vector<CompoundChild2> children_;
  PartTree<2> tree_;
  std::vector<std::uint32_t> feature_base_;  // one more than children
  int depth_ = 1;
};

SUDAR_API Result<Shape2> make_compound2(std::span<const CompoundChild2> children) noexcept;

// No vertex, edge or face of the shape has a number that is not below this (narrowphase/features2.hpp). Beyond 2^32 it
// starts again from 0.
SUDAR_API std::uint32_t feature_span(const Shape2& shape) noexcept;

// Around the children at a pose, rounded outward
SUDAR_API Aabb<2, double> bounding_box(const Compound2& compound, const Pose2d& pose);

}  // namespace sudar
