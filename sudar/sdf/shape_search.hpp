// What:    Boxes around a shape, halved until they are small or cannot hold what is looked for: where a field is least on
//          the shape, and where it has valleys. Internal.
// Source:  seed B12; branch and bound, with distances that change no faster than places.
// Differs: A shape that lies flat on a surface has its least value everywhere on a face, and bounds from single values would
//          have the whole face cut into parts of a cell. So a box of few cells is bounded by the plane of the field at its
//          middle: how low this plane comes on the box, or on all of the shape, and how far samples around lie below it.
//          That is as good as the field is flat (FieldContacts.AFlatRestIsNoSearch).
// Frame:   Boxes are in the shape's frame, values and gradients in the field's.
// Fails:   never; throws bad_alloc, as distance() of shapes may. Where the field has holes, bounds are those of its values.
#pragma once

#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_view2.hpp>
#include <sudar/narrowphase/convex_view3.hpp>
#include <sudar/narrowphase/piece_pairs.hpp>
#include <sudar/sdf/distance_field.hpp>
#include <sudar/sdf/field_tolerance.hpp>

#include <algorithm>
#include <optional>

namespace sudar {

template <int D>
struct SearchBox {
  Vec<D, double> middle, half;
};

// A point of the shape next to a place, the place itself when it is inside; no point is nearer than `away`
template <int D>
struct NearInShape {
  Vec<D, double> point;
  double away = 0;
};
inline NearInShape<2> near_in_shape(const Shape2& shape, const Vec2d& p) {
  if (shape.kind() == ShapeKind2::box) {
    const Vec2d q = min(max(p, -shape.as<BoxShape2>().half), shape.as<BoxShape2>().half);
    return {q, distance(p, q)};
  }
  const Shape2 point(PointShape2{});
  const Placement2 at = make_placement(Pose2d{p, {}});
  if (intersects(shape, point, at)) return {p, 0};
  const DistanceAnswer2 x = distance(shape, point, at);
  return {x.point_a, x.lower};
}
inline NearInShape<3> near_in_shape(const Shape3& shape, const Vec3d& p) {
  if (shape.kind() == ShapeKind3::box) {
    const Vec3d q = min(max(p, -shape.as<BoxShape3>().half), shape.as<BoxShape3>().half);
    return {q, distance(p, q)};
  }
  const Shape3 point(PointShape3{});
  const Placement3 at = make_placement(Pose3d{p, {}});
  if (intersects(shape, point, at)) return {p, 0};
  const DistanceAnswer3 x = distance(shape, point, at);
  return {x.point_a, x.lower};
}

template <int D>
class ShapeSearch {
 public:
  using View = std::conditional_t<D == 2, ConvexView2, ConvexView3>;

  ShapeSearch(const DistanceField<D>& field, const AnyShape<D>& shape, const Pose<D, double>& field_from_shape)
      : field_(field), shape_(shape), pose_(field_from_shape) {
    for (int k = 0; k < D; ++k) {
      Vec<D, double> axis{};
      axis[k] = 1;
      axes_[k] = rotate(pose_.rotation, axis);
    }
    if (shape.is_convex()) view_ = make_view(shape);
  }

  SearchBox<D> whole() const {
    const Aabb<D, double> all = bounding_box(shape_);
    return {center(all), half_extents(all)};
  }
  static void halve(const SearchBox<D>& box, SearchBox<D>& low, SearchBox<D>& high) {
    int axis = 0;
    for (int k = 1; k < D; ++k)
      if (box.half[k] > box.half[axis]) axis = k;
    low = high = box;
    low.half[axis] = high.half[axis] = box.half[axis] / 2;
    low.middle[axis] -= low.half[axis];
    high.middle[axis] += high.half[axis];
  }

  // No point of the shape in the box has a smaller value, up to the error of the field; the values of the field end at the
  // band. `enough`: a bound as large as that is not made better.
  double least_in(const SearchBox<D>& box, double enough) const {
    const Vec<D, double> there = transform(pose_, box.middle);
    const double simple = field_.distance(there) - length(box.half);
    const double bound = simple >= enough ? simple : std::max(simple, least_by_plane(box, there));
    return std::max(bound, -field_.band());
  }

 private:
  double least_by_plane(const SearchBox<D>& box, const Vec<D, double>& there) const {
    constexpr double kNone = -std::numeric_limits<double>::infinity(), kMostCells = 8;
    const FieldGrid<D>& grid = field_.grid();
    // The samples of all cells that the box may meet
    GridIndex<D> from, to;
    for (int k = 0; k < D; ++k) {
      double reach = 0;
      for (int m = 0; m < D; ++m) reach += std::fabs(axes_[m][k]) * box.half[m];
      const double lo = std::floor((there[k] - reach - grid.origin[k]) / grid.cell - kFieldZero),
                   hi = std::ceil((there[k] + reach - grid.origin[k]) / grid.cell + kFieldZero);
      const auto axis = static_cast<std::size_t>(k);
      if (!(lo >= 0 && hi <= grid.samples[axis] - 1.0 && hi - lo <= kMostCells)) return kNone;
      from[axis] = static_cast<std::uint32_t>(lo);
      to[axis] = static_cast<std::uint32_t>(hi);
    }
    const FieldSample<D> plane = field_.sample(there);
    // How far samples lie below the plane; what is interpolated between them does not lie farther
    double below = 0;
    GridIndex<D> at = from;
    for (;;) {
      below = std::min(below, field_.at(at) - plane.distance - dot(plane.gradient, grid.position(at) - there));
      std::size_t k = 0;
      while (k < D && at[k] == to[k]) at[k] = from[k], ++k;
      if (k == D) break;
      ++at[k];
    }
    // How low the plane comes
    double fall = 0;
    for (int k = 0; k < D; ++k) fall += std::fabs(dot(plane.gradient, axes_[k])) * box.half[k];
    if (view_) {
      const Vec<D, double> down = rotate(conjugate(pose_.rotation), -plane.gradient);
      const double deepest = dot(support(*view_, down).p, down) + view_->radius * length(down);
      fall = std::min(fall, deepest + dot(plane.gradient, there - pose_.position));
    }
    return plane.distance - fall + below;
  }

  const DistanceField<D>& field_;
  const AnyShape<D>& shape_;
  Pose<D, double> pose_;
  Vec<D, double> axes_[D];
  std::optional<View> view_;
};

}  // namespace sudar
