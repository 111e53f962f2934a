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
  // 1 when no child is a compound
  int depth() const { return depth_; }

  Compound3(const Compound3&) = delete;
  Compound3& operator=(const Compound3&) = delete;

 private:
  Compound3() = default;

  std::vector<CompoundChild3> children_;
  PartTree<3> tree_;
  int depth_ = 1;
};

SUDAR_API Result<Shape3> make_compound3(std::span<const CompoundChild3> children) noexcept;

// Around the children at a pose, rounded outward
SUDAR_API Aabb<3, double> bounding_box(const Compound3& compound, const Pose3d& pose);

}  // namespace sudar
