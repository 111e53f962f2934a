#include <sudar/math/unit_rotation.hpp>
#include <sudar/narrowphase/part_contacts.hpp>
#include <sudar/sdf/field_contacts.hpp>
#include <sudar/sdf/shape_corners.hpp>
#include <sudar/sdf/shape_search.hpp>
#include <sudar/shapes/shape_check.hpp>

namespace sudar {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();
constexpr int kMaxBoxes = 1 << 14;
constexpr int kMaxOpen = 256;     // a box is halved along its longest side until it is a part of a cell
constexpr int kMaxValleys = 512;  // starts that are followed down
constexpr int kDescents = 40;     // steps of one

template <int D>
struct Deepest {
  double value = kUnknown, floor = kUnknown;
  Vec<D, double> point{};  // in the field's frame
  int boxes = 0;
  bool finished = true;
};

// The point of the shape where the field is least, by halving the shape's box
template <int D>
Deepest<D> deepest_point(const DistanceField<D>& field, const AnyShape<D>& shape,
                         const Pose<D, double>& field_from_shape) {
  const double tolerance = field.grid().cell / 4;
  const ShapeSearch<D> search(field, shape, field_from_shape);
  Deepest<D> best;
  struct Open {
    SearchBox<D> box;
    double bound;
  };
  Open open[kMaxOpen];
  int count = 0;
  open[count++] = {search.whole(), -kUnknown};
  while (count > 0) {
    const Open next = open[--count];
    if (next.bound >= best.value - tolerance || count + 2 > kMaxOpen || best.boxes >= kMaxBoxes) {
      best.finished = best.finished && next.bound >= best.value - tolerance;
      best.floor = std::min(best.floor, std::max(next.bound, -field.band()));
      continue;
    }
    ++best.boxes;
    // What it holds of the shape, and whether that can be deeper
    const NearInShape<D> near = near_in_shape(shape, next.box.middle);
    if (near.away > length(next.box.half) * (1 + kPoseSlack<double>)) continue;
    const Vec<D, double> p = transform(field_from_shape, near.point);
    if (const double v = field.distance(p); v < best.value) best.value = v, best.point = p;
    const double bound = search.least_in(next.box, best.value - tolerance);
    if (bound >= best.value - tolerance) {
      best.floor = std::min(best.floor, bound);
      continue;
    }
    SearchBox<D> low, high;
    ShapeSearch<D>::halve(next.box, low, high);
    // The one that looks deeper first
    const bool low_first = field.distance(transform(field_from_shape, low.middle)) <
                           field.distance(transform(field_from_shape, high.middle));
    open[count++] = {low_first ? high : low, bound};
    open[count++] = {low_first ? low : high, bound};
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

// What values say about distances: `floor` is no larger than the least value, `value` is the one at a place
template <int D>
void set_bounds(const DistanceField<D>& field, double floor, double value, bool in_band, double less,
                DistanceAnswer<D>& out) {
  const FieldFacts& facts = field.facts();
  const double error = field.interpolation_error();
  // Towards the inside values end at the band, or are bounds; in the mouth of a hole the body is nearer than its surface
  const bool floor_known = floor > 0 ? facts.closed : floor > -field.band() && facts.exact_inside;
  out.lower = floor_known ? floor - error - less : -kUnknown;
  // Towards the outside, too
  const bool value_known = value > 0 ? in_band && facts.exact_outside : value < 0 && facts.closed;
  out.upper = value_known ? value + error - less : kUnknown;
}

template <int D>
DistanceAnswer<D> find_distance(const DistanceField<D>& field, const AnyShape<D>& shape,
                                const Pose<D, double>& field_from_shape, std::optional<double> ball_radius) {
  DistanceAnswer<D> out;
  if (!shape.is_bounded()) {
    out.status = QueryStatus::unsupported;
    return out;
  }
  if (ball_radius) {
    // From its middle: below it the ball reaches deepest
    const Vec<D, double>& middle = field_from_shape.position;
    const FieldSample<D> s = field.sample(middle);
    out = answer_at(field, middle, s.distance - *ball_radius);
    out.point_b = middle - out.normal * *ball_radius;
    out.point_a = middle - out.normal * s.distance;
    set_bounds(field, s.distance, s.distance, s.in_band, *ball_radius, out);
    return out;
  }
  const Deepest<D> best = deepest_point<D>(field, shape, field_from_shape);
  out = answer_at(field, best.point, best.value);
  set_bounds(field, best.floor, best.value, field.sample(best.point).in_band, 0.0, out);
  out.iterations = best.boxes;
  if (!best.finished) out.status = QueryStatus::max_iterations;
  return out;
}

std::optional<double> radius_of_ball(const Shape2& shape) {
  if (shape.kind() != ShapeKind2::circle) return std::nullopt;
  return shape.as<CircleShape2>().radius;
}
std::optional<double> radius_of_ball(const Shape3& shape) {
  if (shape.kind() != ShapeKind3::sphere) return std::nullopt;
  return shape.as<SphereShape3>().radius;
}

// Within reach of the narrow phase, with a rotation of unit length
template <int D>
Result<Pose<D, double>> placed(const Pose<D, double>& pose) {
  if (const auto r = check_position(pose.position); !r) return r.error();
  const auto rotation = checked_rotation(pose.rotation, Error::kNoElement);
  if (!rotation) return rotation.error();
  return Pose<D, double>{pose.position, *rotation};
}

template <int D>
Result<DistanceAnswer<D>> checked_distance(const DistanceField<D>& field, const AnyShape<D>& shape,
                                           const Pose<D, double>& field_from_shape) {
  const Result<Pose<D, double>> pose = placed<D>(field_from_shape);
  if (!pose) return pose.error();
  return guarded(
      [&]() -> Result<DistanceAnswer<D>> { return find_distance<D>(field, shape, *pose, radius_of_ball(shape)); });
}

// A point of contact before it is sorted
template <int D>
struct Touch {
  ContactPoint<D> point;
  Vec<D, double> normal;
};

// Every corner within the margin
template <int D>
void add_corners(const DistanceField<D>& field, const AnyShape<D>& shape, const Pose<D, double>& field_from_shape,
                 double margin, std::vector<Touch<D>>& out) {
  for_each_corner(shape, field_from_shape, [&](const ShapeCorner<D>& corner) {
    const FieldSample<D> s = field.sample(corner.position);
    const double separation = s.distance - corner.radius;
    if (separation > margin) return;
    Touch<D> touch;
    touch.normal = normalized(s.gradient);
    // Between two sides of the body the gradient points to neither; the valleys do
    if (std::fabs(field.distance(corner.position - touch.normal * s.distance)) > field.grid().cell) return;
    touch.point.position = corner.position - touch.normal * (corner.radius + separation / 2);
    touch.point.separation = separation;
    touch.point.feature_a = {FeatureKind::face, 0};
    touch.point.feature_b = {FeatureKind::vertex, corner.number};
    out.push_back(touch);
  });
}

// Bottoms of valleys: from every part of the shape that may come within the margin, down the field within the shape
template <int D>
class Valleys {
 public:
  Valleys(const DistanceField<D>& field, const AnyShape<D>& shape, const Pose<D, double>& field_from_shape,
          double margin)
      : field_(field), shape_(shape), pose_(field_from_shape), margin_(margin) {}

  // `deepest`: where the field is least on the shape, in the field's frame. False: there were too many to follow all.
  bool add_to(const Vec<D, double>& deepest, std::vector<Touch<D>>& out) {
    const ShapeSearch<D> search(field_, shape_, pose_);
    const SearchBox<D> whole = search.whole();
    leaf_ = std::max(field_.grid().cell, max_abs(whole.half) / kLeaves);
    low_ = whole.middle - whole.half;
    descend(transform(inverse(pose_), deepest));
    std::vector<SearchBox<D>> open{whole};
    int boxes = 0, starts = 0;
    while (!open.empty()) {
      const SearchBox<D> box = open.back();
      open.pop_back();
      if (++boxes > kMaxBoxes || starts == kMaxValleys) return false;
      const NearInShape<D> near = near_in_shape(shape_, box.middle);
      if (near.away > length(box.half) * (1 + kPoseSlack<double>)) continue;
      if (search.least_in(box, margin_) > margin_) continue;
      if (max_abs(box.half) <= leaf_) {
        ++starts;
        descend(near.point);
        continue;
      }
      SearchBox<D> low, high;
      ShapeSearch<D>::halve(box, low, high);
      open.push_back(high);
      open.push_back(low);
    }
    for (const Bottom& b : bottoms_) {
      if (b.value > margin_) continue;
      Touch<D> touch;
      const Vec<D, double> p = transform(pose_, b.place);
      touch.normal = normalized(field_.sample(p).gradient);
      touch.point.position = p - touch.normal * (b.value / 2);
      touch.point.separation = b.value;
      touch.point.feature_a = {FeatureKind::face, 0};
      touch.point.feature_b = {FeatureKind::face, number_of(b.place)};
      out.push_back(touch);
    }
    return true;
  }

 private:
  static constexpr double kLeaves = 8;  // along half of the longest side
  struct Bottom {
    Vec<D, double> place;  // in the shape's frame
    double value;
  };

  double value_at(const Vec<D, double>& place) const { return field_.distance(transform(pose_, place)); }

  // Against the gradient and back into the shape, by steps that get shorter when they lead no deeper
  void descend(Vec<D, double> place) {
    const double cell = field_.grid().cell;
    double value = value_at(place), step = 2 * leaf_;
    for (int i = 0; i < kDescents && step > cell / 16; ++i) {
      // Others were here
      for (const Bottom& b : bottoms_)
        if (b.value <= value + cell / 16 && distance(b.place, place) <= cell) return;
      const Vec<D, double> g = field_.sample(transform(pose_, place)).gradient;
      const Vec<D, double> down = normalized(rotate(conjugate(pose_.rotation), -g));
      if (down == Vec<D, double>{}) break;
      const Vec<D, double> next = near_in_shape(shape_, place + down * step).point;
      const double deeper = value_at(next);
      if (deeper < value - kFieldZero * cell) {
        place = next;
        value = deeper;
      } else {
        step /= 2;
      }
    }
    // Interpolation makes small hollows at samples: those within a few cells with no ridge between are one, the deeper
    for (Bottom& b : bottoms_) {
      if (distance(b.place, place) > 3 * cell) continue;
      const double ridge = value_at(near_in_shape(shape_, (b.place + place) * 0.5).point);
      if (ridge > std::max(b.value, value) + cell / 8) continue;
      if (value < b.value) b = {place, value};
      return;
    }
    bottoms_.push_back({place, value});
  }

  // Of the part of the shape's box: the same from step to step while the place stays in it
  std::uint32_t number_of(const Vec<D, double>& place) const {
    std::uint32_t number = 0;
    for (int k = D; k-- > 0;) {
      const double i = std::floor((place[k] - low_[k]) / (2 * leaf_));
      number = number * 64 + (i > 0 ? static_cast<std::uint32_t>(std::min(i, 63.0)) : 0u);
    }
    return number + 1;
  }

  const DistanceField<D>& field_;
  const AnyShape<D>& shape_;
  const Pose<D, double>& pose_;
  double margin_, leaf_ = 0;
  Vec<D, double> low_{};
  std::vector<Bottom> bottoms_;
};

template <int D>
Result<std::vector<ContactSet<D>>> find_patches(const DistanceField<D>& field, const AnyShape<D>& shape,
                                                const Pose<D, double>& field_from_shape, double margin,
                                                DistanceAnswer<D>& decision) {
  if (!(margin >= 0 && margin < field.band()))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "the margin must be from zero to the field's band"};
  const Result<Pose<D, double>> pose = placed<D>(field_from_shape);
  if (!pose) return pose.error();
  return guarded([&]() -> Result<std::vector<ContactSet<D>>> {
    decision = find_distance<D>(field, shape, *pose, radius_of_ball(shape));
    std::vector<ContactSet<D>> out;
    if (decision.status == QueryStatus::unsupported || decision.separation > margin) return out;
    std::vector<Touch<D>> touches;
    add_corners<D>(field, shape, *pose, margin, touches);
    if (!Valleys<D>(field, shape, *pose, margin).add_to(decision.point_b, touches))
      decision.status = QueryStatus::max_iterations;
    // A valley is known to a part of a cell: corners that are nearly as deep speak for it
    const double cell = field.grid().cell, blur = cell / 8;
    const auto is_valley = [](const ContactPoint<D>& p) { return p.feature_b.kind == FeatureKind::face; };
    for (Touch<D>& t : touches)
      if (is_valley(t.point)) t.point.separation += blur;
    std::stable_sort(touches.begin(), touches.end(),
                     [](const Touch<D>& a, const Touch<D>& b) { return a.point.separation < b.point.separation; });
    for (const Touch<D>& t : touches) {
      if (t.normal == Vec<D, double>{}) continue;
      auto patch = std::find_if(out.begin(), out.end(),
                                [&](const ContactSet<D>& p) { return dot(p.normal, t.normal) > kFieldPatch; });
      if (patch == out.end()) patch = out.insert(out.end(), ContactSet<D>{});
      if (patch->points.empty()) patch->normal = t.normal;
      const auto near = [&](const ContactPoint<D>& p) {
        return (is_valley(p) || is_valley(t.point)) && distance(p.position, t.point.position) <= cell;
      };
      if (std::none_of(patch->points.begin(), patch->points.end(), near)) patch->points.push_back(t.point);
    }
    if (out.empty()) {
      // Deep inside, where the field has no direction
      ContactSet<D> one;
      one.normal = decision.normal;
      one.points.resize(1);
      one.points[0].position = (decision.point_a + decision.point_b) * 0.5;
      one.points[0].separation = decision.separation;
      one.points[0].feature_a = one.points[0].feature_b = {FeatureKind::face, 0};
      out.push_back(one);
    }
    for (ContactSet<D>& patch : out) {
      keep_outline(patch);
      patch.status = decision.status;
      patch.separation = kUnknown;
      for (ContactPoint<D>& p : patch.points) {
        if (is_valley(p) && p.feature_b.index != 0) p.separation -= blur;
        patch.separation = std::min(patch.separation, p.separation);
      }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const ContactSet<D>& a, const ContactSet<D>& b) { return a.separation < b.separation; });
    return out;
  });
}

template <int D>
Result<ContactSet<D>> first_patch(const DistanceField<D>& field, const AnyShape<D>& shape,
                                  const Pose<D, double>& field_from_shape, double margin) {
  DistanceAnswer<D> decision;
  Result<std::vector<ContactSet<D>>> all = find_patches<D>(field, shape, field_from_shape, margin, decision);
  if (!all) return all.error();
  if (!all->empty()) return std::move(all->front());
  ContactSet<D> none;
  none.status = decision.status;
  none.separation = decision.separation;
  none.normal = decision.normal;
  return none;
}

}  // namespace

Result<DistanceAnswer2> field_distance(const DistanceField2& field, const Shape2& shape,
                                       const Pose2d& field_from_shape) noexcept {
  return checked_distance<2>(field, shape, field_from_shape);
}
Result<DistanceAnswer3> field_distance(const DistanceField3& field, const Shape3& shape,
                                       const Pose3d& field_from_shape) noexcept {
  return checked_distance<3>(field, shape, field_from_shape);
}

Result<std::vector<ContactSet2>> field_contact_patches(const DistanceField2& field, const Shape2& shape,
                                                       const Pose2d& field_from_shape, double margin) noexcept {
  DistanceAnswer2 decision;
  return find_patches<2>(field, shape, field_from_shape, margin, decision);
}
Result<std::vector<ContactSet3>> field_contact_patches(const DistanceField3& field, const Shape3& shape,
                                                       const Pose3d& field_from_shape, double margin) noexcept {
  DistanceAnswer3 decision;
  return find_patches<3>(field, shape, field_from_shape, margin, decision);
}

Result<ContactSet2> field_contacts(const DistanceField2& field, const Shape2& shape, const Pose2d& field_from_shape,
                                   double margin) noexcept {
  return first_patch<2>(field, shape, field_from_shape, margin);
}
Result<ContactSet3> field_contacts(const DistanceField3& field, const Shape3& shape, const Pose3d& field_from_shape,
                                   double margin) noexcept {
  return first_patch<3>(field, shape, field_from_shape, margin);
}

}  // namespace sudar
