// What:    The convex hull of several convex pieces, by its support function, as GJK and EPA see it: what surrounds a union,
//          or the few pieces of it that are met.
// Differs: Nothing is built: the farthest point of the hull is that of one of its pieces. A union lies within its hull, so
//          what separates the hulls separates the unions, and where a union is convex the two are one. The least radius of
//          the pieces is that of the hull: balls of one size have a hull of points, which has exact depths.
// Cost:    A direction: one support point of every piece.
// Frame:   That of the poses.
// Fails:   never; throws bad_alloc. Pieces that do not fit (unbounded, height fields) are refused: add answers false.
#pragma once

#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/piece_pairs.hpp>
#include <sudar/narrowphase/pressed_normal.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <vector>

namespace sudar {

template <int D>
class PieceHull final : public std::conditional_t<D == 2, SupportFunction2, SupportFunction3> {
 public:
  using V = Vec<D, double>;
  using View = std::conditional_t<D == 2, ConvexView2, ConvexView3>;

  std::size_t size() const { return pieces_.size(); }
  // Is there a piece whose core is no polytope?
  bool is_curved() const { return curved_; }

  // The piece's placement is that of the piece in the hull's frame
  void add(const View& view, const Placement<D>& here_from_piece) {
    pieces_.push_back({view, here_from_piece});
    curved_ = curved_ || view.count == 0;
    radius_ = pieces_.size() > 1 ? std::min(radius_, view.radius) : view.radius;
    size_ = std::max(size_, D * (view.size + view.radius) + max_abs(here_from_piece.translation));
  }
  // All of a shape
  bool add(const AnyShape<D>& shape, const Placement<D>& here_from_shape) {
    if (!shape.is_bounded()) return false;
    if (shape.is_convex()) {
      add(make_view(shape), here_from_shape);
      return true;
    }
    if constexpr (D == 2) {
      if (shape.kind() == ShapeKind2::compound)
        return add_children(*shape.template as<CompoundShape2>().parts, here_from_shape);
      const PolygonSet& set = shape.kind() == ShapeKind2::chain ? *shape.template as<ChainShape2>().set
                                                                : *shape.template as<ConcavePolygonShape2>().set;
      for (const Vec2d& p : set.vertices()) add(make_view(Shape2(PointShape2{p})), here_from_shape);
      return true;
    } else {
      if (shape.kind() == ShapeKind3::compound)
        return add_children(*shape.template as<CompoundShape3>().parts, here_from_shape);
      const Shape3* hull = shape.kind() == ShapeKind3::mesh ? shape.template as<MeshShape3>().mesh->hull() : nullptr;
      if (hull != nullptr) add(make_view(*hull), here_from_shape);
      return hull != nullptr;
    }
  }

  // Around what `support` answers
  double radius() const { return radius_; }
  V support(const V& direction) const override {
    V best{};
    double most = -std::numeric_limits<double>::infinity();
    const V unit = normalized(direction);
    for (const Piece& piece : pieces_) {
      V p = transform(piece.place, sudar::support(piece.view, to_b(piece.place, direction)).p) + piece.place.rest;
      if (piece.view.radius > radius_) p += unit * (piece.view.radius - radius_);
      if (const double far = dot(p, direction); far > most) most = far, best = p;
    }
    return best;
  }
  // As long as the hull lives
  View view() const {
    View out;
    out.kind = decltype(out.kind)::custom;
    out.count = 0;
    // Its normal is a way to try: the bounds of a union come from what was tried
    if constexpr (D == 3) out.rough_depth = true;
    out.radius = radius_;
    out.size = size_;
    out.function = this;
    return out;
  }

 private:
  struct Piece {
    View view;
    Placement<D> place;
  };
  template <class Compound>
  bool add_children(const Compound& compound, const Placement<D>& here_from_shape) {
    bool all = true;
    for (const auto& child : compound.children()) all = add(child.shape, to_child(here_from_shape, child.pose)) && all;
    return all;
  }

  std::vector<Piece> pieces_;
  double size_ = 0, radius_ = 0;
  bool curved_ = false;
};

// The way out of two hulls in one frame that meet, and its length
template <int D>
DistanceAnswer<D> hull_depth(const PieceHull<D>& a, const PieceHull<D>& b) {
  DistanceAnswer<D> x;
  if constexpr (D == 2)
    x = convex_distance2(a.view(), b.view(), Placement<D>{});
  else
    x = convex_distance3(a.view(), b.view(), Placement<D>{});
  return x.hit ? x : pressed<D>(a.view(), b.view(), Placement<D>{}, x);
}
// How far the two reach over each other along a unit direction: B moved so far is beyond A
template <int D>
double overlap_along(const PieceHull<D>& a, const PieceHull<D>& b, const Vec<D, double>& direction) {
  return dot(a.support(direction) - b.support(-direction), direction) + a.radius() + b.radius();
}

}  // namespace sudar
