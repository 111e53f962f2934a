#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/sdf/field_contacts.hpp>
#include <sudar/sdf/shape_corners.hpp>
#include <sudar/sdf/shape_field.hpp>

#include <algorithm>

namespace sudar {

namespace {

constexpr int kMaxBoxes = 1 << 16;
constexpr int kMaxOpen = 256;  // a box is halved along its longest side until it is a part of a cell

template <int D>
struct ShapeOf;
template <>
struct ShapeOf<2> {
  using Type = Shape2;
  using Point = PointShape2;
};
template <>
struct ShapeOf<3> {
  using Type = Shape3;
  using Point = PointShape3;
};

template <int D>
struct Deepest {
  double value = std::numeric_limits<double>::infinity(), floor = 0;
  Vec<D, double> point{};  // in the field's frame
  int boxes = 0;
  bool finished = true;
};

// The point of the shape where the field is least, by halving the shape's box
template <int D>
Deepest<D> deepest_point(const DistanceField<D>& field, const typename ShapeOf<D>::Type& shape,
                         const Pose<D, double>& field_from_shape) {
  struct Box {
    Vec<D, double> middle, half;  // in the shape's frame
  };
  const double tolerance = field.grid().cell / 4;
  Deepest<D> best;
  best.floor = std::numeric_limits<double>::infinity();
  Box open[kMaxOpen];
  int count = 0;
  const Aabb<D, double> all = bounding_box(shape);
  open[count++] = {center(all), half_extents(all)};
  const auto offer = [&](const Vec<D, double>& p) {
    if (const double v = field.distance(p); v < best.value) best.value = v, best.point = p;
  };
  while (count > 0) {
    const Box box = open[--count];
    const double radius = length(box.half);
    // Does it hold a part of the shape?
    const double away = signed_distance(shape, box.middle);
    if (away > radius * (1 + kPoseSlack<double>)) continue;
    const Vec<D, double> there = transform(field_from_shape, box.middle);
    if (away <= 0) {
      offer(there);
    } else {
      const auto near = distance(shape, typename ShapeOf<D>::Type(typename ShapeOf<D>::Point{}),
                                 make_placement(Pose<D, double>{box.middle, {}}));
      offer(transform(field_from_shape, near.point_a));
    }
    // Can it hold a deeper one?
    const double bound = std::max(field.distance(there) - radius, -field.band());
    if (bound >= best.value - tolerance || count + 2 > kMaxOpen || ++best.boxes > kMaxBoxes) {
      best.finished = best.finished && bound >= best.value - tolerance;
      best.floor = std::min(best.floor, bound);
      continue;
    }
    int axis = 0;
    for (int k = 1; k < D; ++k)
      if (box.half[k] > box.half[axis]) axis = k;
    Box low = box, high = box;
    low.half[axis] = high.half[axis] = box.half[axis] / 2;
    low.middle[axis] -= low.half[axis];
    high.middle[axis] += high.half[axis];
    // The one that looks deeper first
    const bool low_first = field.distance(transform(field_from_shape, low.middle)) <
                           field.distance(transform(field_from_shape, high.middle));
    open[count++] = low_first ? high : low;
    open[count++] = low_first ? low : high;
  }
  best.floor = std::min(best.floor, best.value);
  return best;
}

template <int D>
DistanceAnswer<D> answer_at(const DistanceField<D>& field, const Vec<D, double>& point, double separation) {
  DistanceAnswer<D> out;
  out.normal = normalized(field.sample(point).gradient);
  if (out.normal == Vec<D, double>{}) {
    out.normal[0] = 1;
    out.status = QueryStatus::degenerate;
  }
  out.separation = separation;
  out.hit = separation <= 0;
  out.point_b = point;
  out.point_a = point - out.normal * separation;
  return out;
}

template <int D>
DistanceAnswer<D> find_distance(const DistanceField<D>& field, const typename ShapeOf<D>::Type& shape,
                                const Pose<D, double>& field_from_shape, bool is_ball, double ball_radius) {
  DistanceAnswer<D> out;
  if (!shape.is_bounded()) {
    out.status = QueryStatus::unsupported;
    return out;
  }
  const double error = field.interpolation_error();
  if (is_ball) {
    // From its middle: below it the ball reaches deepest
    const FieldSample<D> at_middle = field.sample(field_from_shape.position);
    out = answer_at(field, field_from_shape.position, at_middle.distance - ball_radius);
    out.point_b = field_from_shape.position - out.normal * ball_radius;
    out.point_a = field_from_shape.position - out.normal * at_middle.distance;
    out.lower = out.separation - error;
    out.upper = out.separation + error;
    return out;
  }
  const Deepest<D> best = deepest_point(field, shape, field_from_shape);
  out = answer_at(field, best.point, best.value);
  out.lower = best.floor - error;
  out.upper = best.value + error;
  out.iterations = best.boxes;
  if (!best.finished) out.status = QueryStatus::max_iterations;
  return out;
}

template <int D>
Result<ContactSet<D>> find_contacts(const DistanceField<D>& field, const typename ShapeOf<D>::Type& shape,
                                    const Pose<D, double>& field_from_shape, double margin) {
  if (!(margin >= 0 && margin < field.band()))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "the margin must be from zero to the field's band"};
  return guarded([&]() -> Result<ContactSet<D>> {
    ContactSet<D> out;
    const DistanceAnswer<D> deepest = field_distance(field, shape, field_from_shape);
    out.status = deepest.status;
    out.separation = deepest.separation;
    out.normal = deepest.normal;
    if (deepest.status == QueryStatus::unsupported) return out;
    double deepest_corner = std::numeric_limits<double>::infinity();
    for_each_corner(shape, field_from_shape, [&](const ShapeCorner<D>& corner) {
      const FieldSample<D> s = field.sample(corner.position);
      const double separation = s.distance - corner.radius;
      deepest_corner = std::min(deepest_corner, separation);
      if (separation > margin) return;
      const Vec<D, double> n = normalized(s.gradient);
      ContactPoint<D> point;
      point.position = corner.position - n * (corner.radius + separation / 2);
      point.separation = separation;
      point.feature_a = {FeatureKind::face, 0};
      point.feature_b = {FeatureKind::vertex, corner.number};
      out.points.push_back(point);
    });
    // The search ends within a part of a cell; a corner as deep as that speaks for it
    if (deepest.separation <= margin && !(deepest_corner <= deepest.separation + field.grid().cell / 4)) {
      ContactPoint<D> point;
      point.position = (deepest.point_a + deepest.point_b) * 0.5;
      point.separation = deepest.separation;
      point.feature_a = point.feature_b = {FeatureKind::face, 0};
      out.points.push_back(point);
    }
    out.kind = out.points.empty()       ? ContactKind::none
               : out.points.size() == 1 ? ContactKind::point
               : out.points.size() == 2 ? ContactKind::segment
                                        : ContactKind::polygon;
    return out;
  });
}

}  // namespace

DistanceAnswer2 field_distance(const DistanceField2& field, const Shape2& shape,
                               const Pose2d& field_from_shape) noexcept {
  const bool ball = shape.kind() == ShapeKind2::circle;
  return find_distance<2>(field, shape, field_from_shape, ball, ball ? shape.as<CircleShape2>().radius : 0);
}
DistanceAnswer3 field_distance(const DistanceField3& field, const Shape3& shape,
                               const Pose3d& field_from_shape) noexcept {
  const bool ball = shape.kind() == ShapeKind3::sphere;
  return find_distance<3>(field, shape, field_from_shape, ball, ball ? shape.as<SphereShape3>().radius : 0);
}

Result<ContactSet2> field_contacts(const DistanceField2& field, const Shape2& shape, const Pose2d& field_from_shape,
                                   double margin) noexcept {
  return find_contacts<2>(field, shape, field_from_shape, margin);
}
Result<ContactSet3> field_contacts(const DistanceField3& field, const Shape3& shape, const Pose3d& field_from_shape,
                                   double margin) noexcept {
  return find_contacts<3>(field, shape, field_from_shape, margin);
}

}  // namespace sudar
