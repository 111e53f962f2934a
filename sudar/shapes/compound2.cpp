// What:    Several shapes as one, see the header.
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/shape_check.hpp>

#include <algorithm>

namespace sudar {

Result<std::shared_ptr<const Compound2>> Compound2::make(std::span<const CompoundChild2> children) noexcept {
  return guarded([&]() -> Result<std::shared_ptr<const Compound2>> {
    if (children.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no children"};
    if (children.size() > kMaxParts) return Error{ErrorCode::too_large, Error::kNoElement, "too many children"};
    std::shared_ptr<Compound2> compound(new Compound2);
    compound->children_.assign(children.begin(), children.end());
    std::vector<Aabb2d> boxes;
    for (std::size_t i = 0; i < children.size(); ++i) {
      CompoundChild2& child = compound->children_[i];
      if (const auto r = check_position(child.pose.position, i); !r) return r.error();
      if (const auto r = check_rotation(child.pose.rotation, i); !r) return r.error();
      if (!child.shape.is_bounded()) return Error{ErrorCode::invalid_argument, i, "child is not bounded"};
      child.pose.rotation = normalized(child.pose.rotation);
      if (child.shape.kind() == ShapeKind2::compound)
        compound->depth_ = std::max(compound->depth_, 1 + child.shape.as<CompoundShape2>().parts->depth());
      if (compound->depth_ > kMaxCompoundDepth) return Error{ErrorCode::too_large, i, "compounds nested too deep"};
      boxes.push_back(bounding_box(child.shape, child.pose));
    }
    compound->tree_.assign(boxes);
    compound->feature_base_.push_back(0);
    for (const auto& child : children)
      compound->feature_base_.push_back(compound->feature_base_.back() + sudar::feature_span(child.shape));
    return std::shared_ptr<const Compound2>(std::move(compound));
  });
}

std::uint32_t feature_span(const Shape2& shape) noexcept {
  constexpr std::uint32_t kFew = 8;  // what a box or a capsule has is less
  switch (shape.kind()) {
    case ShapeKind2::polygon:
      return std::max(kFew, static_cast<std::uint32_t>(shape.as<PolygonShape2>().body->vertices().size()));
    case ShapeKind2::chain:
      return 2 * static_cast<std::uint32_t>(shape.as<ChainShape2>().set->vertices().size());
    case ShapeKind2::concave_polygon:
      return shape.as<ConcavePolygonShape2>().set->part_feature_base().back();
    case ShapeKind2::compound:
      return shape.as<CompoundShape2>().parts->feature_span();
    default:
      return kFew;
  }
}

Result<Shape2> make_compound2(std::span<const CompoundChild2> children) noexcept {
  auto parts = Compound2::make(children);
  if (!parts) return parts.error();
  return Shape2(CompoundShape2{*std::move(parts)});
}

Aabb2d bounding_box(const Compound2& compound, const Pose2d& pose) {
  Aabb2d box = Aabb2d::empty();
  for (const CompoundChild2& child : compound.children())
    box = merge(box, bounding_box(child.shape, pose * child.pose));
  // The product of two poses is rounded, too
  const Aabb2d own = compound.tree().bounds();
  const double size = std::max(max_abs(own.lo), max_abs(own.hi)) + max_abs(pose.position);
  return expand(box, 4 * kPoseSlack<double> * size);
}

}  // namespace sudar
