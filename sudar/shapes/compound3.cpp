// What:    Several shapes as one, see the header.
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/convex_body3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/shape_check.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>

namespace sudar {

Result<std::shared_ptr<const Compound3>> Compound3::make(std::span<const CompoundChild3> children) noexcept {
  return guarded([&]() -> Result<std::shared_ptr<const Compound3>> {
    if (children.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no children"};
    if (children.size() > kMaxParts) return Error{ErrorCode::too_large, Error::kNoElement, "too many children"};
    std::shared_ptr<Compound3> compound(new Compound3);
    compound->children_.assign(children.begin(), children.end());
    std::vector<Aabb3d> boxes;
    for (std::size_t i = 0; i < children.size(); ++i) {
      CompoundChild3& child = compound->children_[i];
      if (const auto r = check_position(child.pose.position, i); !r) return r.error();
      if (const auto r = check_rotation(child.pose.rotation, i); !r) return r.error();
      if (!child.shape.is_bounded()) return Error{ErrorCode::invalid_argument, i, "child is not bounded"};
      child.pose.rotation = normalized(child.pose.rotation);
      if (child.shape.kind() == ShapeKind3::compound)
        compound->depth_ = std::max(compound->depth_, 1 + child.shape.as<CompoundShape3>().parts->depth());
      if (compound->depth_ > kMaxCompoundDepth) return Error{ErrorCode::too_large, i, "compounds nested too deep"};
      boxes.push_back(bounding_box(child.shape, child.pose));
    }
    compound->tree_.assign(boxes);
    compound->feature_base_.push_back(0);
    for (const auto& child : children)
      compound->feature_base_.push_back(compound->feature_base_.back() + sudar::feature_span(child.shape));
    return std::shared_ptr<const Compound3>(std::move(compound));
  });
}

std::uint32_t feature_span(const Shape3& shape) noexcept {
  constexpr std::uint32_t kFew = 32;  // what a box, a cylinder or a cone has is less
  switch (shape.kind()) {
    case ShapeKind3::hull: {
      const Hull3& hull = shape.as<HullShape3>().body->hull();
      return std::max({kFew, hull.vertex_count(), static_cast<std::uint32_t>(hull.edges.size()), hull.face_count()});
    }
    case ShapeKind3::mesh: {
      const TriangleMesh& mesh = *shape.as<MeshShape3>().mesh;
      return std::max(static_cast<std::uint32_t>(mesh.mesh().vertices.size()), 3 * mesh.triangle_count());
    }
    case ShapeKind3::height_field: {
      const HeightField& field = *shape.as<HeightFieldShape3>().field;
      return 3 * field.columns() * field.rows();
    }
    case ShapeKind3::compound:
      return shape.as<CompoundShape3>().parts->feature_span();
    default:
      return kFew;
  }
}

Result<Shape3> make_compound3(std::span<const CompoundChild3> children) noexcept {
  auto parts = Compound3::make(children);
  if (!parts) return parts.error();
  return Shape3(CompoundShape3{*std::move(parts)});
}

Aabb3d bounding_box(const Compound3& compound, const Pose3d& pose) {
  Aabb3d box = Aabb3d::empty();
  for (const CompoundChild3& child : compound.children())
    box = merge(box, bounding_box(child.shape, pose * child.pose));
  // The product of two poses is rounded, too
  const Aabb3d own = compound.tree().bounds();
  const double size = std::max(max_abs(own.lo), max_abs(own.hi)) + max_abs(pose.position);
  return expand(box, 4 * kPoseSlack<double> * size);
}

}  // namespace sudar
