#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/piece_pairs.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <algorithm>

namespace sudar {

namespace {

using K = ShapeKind2;

// visit(piece, its name, its pose) for the pieces of a shape near a box. Compounds are taken apart by one level.
template <class F>
bool for_each_part(const Shape2& shape, std::uint32_t base, const Aabb2d& box, F&& visit) {
  bool go_on = true;
  if (shape.kind() == K::compound) {
    const Compound2& compound = *shape.as<CompoundShape2>().parts;
    compound.tree().for_each_overlap(box, [&](std::uint32_t i) {
      const CompoundChild2& child = compound.children()[i];
      return go_on = visit(child.shape, PieceName2{base + compound.feature_base(i)}, child.pose);
    });
  } else if (shape.kind() == K::concave_polygon) {
    const PolygonSet& set = *shape.as<ConcavePolygonShape2>().set;
    set.part_tree().for_each_overlap(box, [&](std::uint32_t i) {
      return go_on = visit(Shape2(PolygonShape2{set.parts()[i], 0}), PieceName2{base + set.part_feature_base()[i]},
                           Pose2d{});
    });
  } else {
    const PolygonSet& set = *shape.as<ChainShape2>().set;
    const auto count = static_cast<std::uint32_t>(set.vertices().size());
    set.edge_tree().for_each_overlap(box, [&](std::uint32_t i) {
      return go_on = visit(Shape2(SegmentShape2{set.edge(i).a, set.edge(i).b}), PieceName2{base, i, count}, Pose2d{});
    });
  }
  return go_on;
}

bool walk_down(const Shape2& a, const PieceName2& name_a, const Shape2& b, const PieceName2& name_b,
               const Placement2& a_from_b, const Pose2d& whole_from_a, PieceVisitor<2>& visitor) {
  // A box around one shape in the other one's frame, as far as the visitor reaches
  const auto reach_of = [&](const Shape2& shape, const Placement2& here_from_shape) {
    if (!shape.is_bounded()) return bounding_box(shape);
    return expand(transform(here_from_shape, bounding_box(shape)), std::max(0.0, visitor.reach()));
  };
  if (!a.is_convex())
    return for_each_part(
        a, name_a.base, reach_of(b, a_from_b), [&](const Shape2& part, const PieceName2& name, const Pose2d& pose) {
          return walk_down(part, name, b, name_b, from_child(pose, a_from_b), whole_from_a * pose, visitor);
        });
  if (!b.is_convex())
    return for_each_part(b, name_b.base, reach_of(a, inverse(a_from_b)),
                         [&](const Shape2& part, const PieceName2& name, const Pose2d& pose) {
                           return walk_down(a, name_a, part, name, to_child(a_from_b, pose), whole_from_a, visitor);
                         });
  return visitor.visit({a, b, a_from_b, whole_from_a, name_a, name_b});
}

}  // namespace

Feature PieceName2::of_whole(const Feature& feature) const {
  if (vertices == 0) return {feature.kind, base + feature.index};
  const std::uint32_t k = feature.index % 2;
  if (feature.kind == FeatureKind::vertex) return {feature.kind, base + (edge + k) % vertices};
  return {feature.kind, base + 2 * edge + k};
}

void for_each_piece_pair(const Shape2& a, const Shape2& b, const Placement2& a_from_b, PieceVisitor<2>& visitor) {
  walk_down(a, {}, b, {}, a_from_b, {}, visitor);
}

}  // namespace sudar
