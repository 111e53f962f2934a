// What:    The convex hull of a shape of parts, by its support function: all that a half-space can touch of it.
// Source:  Branch and bound over the trees of boxes that the shapes have (part_tree.hpp, mesh_tree.hpp).
// Differs: Nothing is built, and a part is looked at only where its box reaches farther than the best point so far.
//          PieceHull (piece_hull.hpp) asks every piece, which is right for a few.
// Frame:   The shape's.
// Fails:   never. Up to the rounding of a scalar product, the point is the farthest.
#pragma once

#include <sudar/narrowphase/convex_view2.hpp>
#include <sudar/narrowphase/convex_view3.hpp>
#include <sudar/narrowphase/piece_pairs.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <limits>
#include <utility>

namespace sudar {

namespace detail {

template <int D>
struct FarthestPoint {
  Vec<D, double> direction;
  Vec<D, double> point{};
  double least = std::numeric_limits<double>::infinity();  // how far it reaches, negated

  void offer(const Vec<D, double>& p) {
    if (const double x = -dot(p, direction); x < least) least = x, point = p;
  }
  double bound(const Aabb<D, double>& box) const {
    double x = 0;
    for (int i = 0; i < D; ++i) x -= direction[i] * (direction[i] > 0 ? box.hi[i] : box.lo[i]);
    return x;
  }
};

template <int D>
Vec<D, double> farthest_of_convex(const AnyShape<D>& shape, const Vec<D, double>& direction) {
  const auto view = make_view(shape);
  const Vec<D, double> p = support(view, direction).p;
  return view.radius > 0 ? p + normalized(direction) * view.radius : p;
}

}  // namespace detail

inline Vec2d farthest_point(const Shape2& shape, const Vec2d& direction) {
  if (shape.is_convex()) return detail::farthest_of_convex<2>(shape, direction);
  detail::FarthestPoint<2> best{direction};
  const auto bound = [&](const Aabb2d& box) { return best.bound(box); };
  if (shape.kind() == ShapeKind2::compound) {
    const Compound2& compound = *shape.as<CompoundShape2>().parts;
    compound.tree().for_each_nearer(bound, best.least, [&](std::uint32_t i) {
      const CompoundChild2& child = compound.children()[i];
      best.offer(transform(child.pose, farthest_point(child.shape, rotate(conjugate(child.pose.rotation), direction))));
    });
    return best.point;
  }
  const PolygonSet& set =
      shape.kind() == ShapeKind2::chain ? *shape.as<ChainShape2>().set : *shape.as<ConcavePolygonShape2>().set;
  set.edge_tree().for_each_nearer(bound, best.least, [&](std::uint32_t i) {
    const Segment<2, double> edge = set.edge(i);
    best.offer(edge.a), best.offer(edge.b);
  });
  return best.point;
}

inline Vec3d farthest_point(const Shape3& shape, const Vec3d& direction) {
  if (shape.is_convex()) return detail::farthest_of_convex<3>(shape, direction);
  detail::FarthestPoint<3> best{direction};
  const auto bound = [&](const Aabb3d& box) { return best.bound(box); };
  const auto corners = [&](const Triangle<3, double>& x) { best.offer(x.a), best.offer(x.b), best.offer(x.c); };
  if (shape.kind() == ShapeKind3::compound) {
    const Compound3& compound = *shape.as<CompoundShape3>().parts;
    compound.tree().for_each_nearer(bound, best.least, [&](std::uint32_t i) {
      const CompoundChild3& child = compound.children()[i];
      best.offer(transform(child.pose, farthest_point(child.shape, rotate(conjugate(child.pose.rotation), direction))));
    });
  } else if (shape.kind() == ShapeKind3::mesh) {
    const TriangleMesh& mesh = *shape.as<MeshShape3>().mesh;
    for_each_nearer(mesh.tree(), bound, best.least, [&](std::uint32_t t) { corners(mesh.triangle(t)); });
  } else {
    const HeightField& field = *shape.as<HeightFieldShape3>().field;
    field.for_each_nearer(bound, best.least, [&](std::uint32_t t) { corners(field.triangle(t)); });
  }
  return best.point;
}

// A shape that must outlive this, bounded
template <int D>
class PartsSupport final : public std::conditional_t<D == 2, SupportFunction2, SupportFunction3> {
 public:
  explicit PartsSupport(const AnyShape<D>& shape) : shape_(shape) {}
  Vec<D, double> support(const Vec<D, double>& direction) const override { return farthest_point(shape_, direction); }

 private:
  const AnyShape<D>& shape_;
};

}  // namespace sudar
