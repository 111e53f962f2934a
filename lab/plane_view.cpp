// What:    See plane_view.hpp.
#include "lab/plane_view.hpp"

#include "lab/half_space_view.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

constexpr double kFilled = 0.92;    // of the rectangle
constexpr double kPieceHalf = 1.1;  // in the picture: half of what is seen of a half-plane

std::optional<Shape2> taken(Result<Shape2> shape) {
  return shape ? std::optional<Shape2>(*std::move(shape)) : std::nullopt;
}

// The same shape around another origin, and then in another size
std::optional<Shape2> scaled(const Shape2& shape, const Vec2d& origin, double times) {
  const auto at = [&](const Vec2d& p) { return (p - origin) * times; };
  const auto all = [&](std::span<const Vec2d> points) {
    std::vector<Vec2d> out;
    for (const Vec2d& p : points) out.push_back(at(p));
    return out;
  };
  switch (shape.kind()) {
    case ShapeKind2::point:
      return Shape2(PointShape2{at(shape.as<PointShape2>().p)});
    case ShapeKind2::segment:
      return Shape2(SegmentShape2{at(shape.as<SegmentShape2>().p), at(shape.as<SegmentShape2>().q)});
    case ShapeKind2::circle:
      return Shape2(CircleShape2{shape.as<CircleShape2>().radius * times});
    case ShapeKind2::capsule: {
      const auto& s = shape.as<CapsuleShape2>();
      return Shape2(CapsuleShape2{at(s.p), at(s.q), s.radius * times});
    }
    case ShapeKind2::box:
      return Shape2(BoxShape2{shape.as<BoxShape2>().half * times});
    case ShapeKind2::halfplane:
      return Shape2(HalfPlaneShape2{shape.as<HalfPlaneShape2>().normal, shape.as<HalfPlaneShape2>().offset * times});
    case ShapeKind2::polygon: {
      const auto& s = shape.as<PolygonShape2>();
      return taken(make_polygon2(all(s.body->vertices()), s.radius * times));
    }
    case ShapeKind2::chain: {
      const PolygonSet& set = *shape.as<ChainShape2>().set;
      return taken(make_chain2(all(set.vertices()), set.closed()));
    }
    case ShapeKind2::concave_polygon:
      return taken(make_concave_polygon2(all(shape.as<ConcavePolygonShape2>().set->vertices())));
    case ShapeKind2::compound: {
      std::vector<CompoundChild2> children;
      for (const CompoundChild2& child : shape.as<CompoundShape2>().parts->children()) {
        std::optional<Shape2> made = scaled(child.shape, {}, times);
        if (!made) return std::nullopt;
        children.push_back({*std::move(made), {at(child.pose.position), child.pose.rotation}});
      }
      return taken(make_compound2(children));
    }
    case ShapeKind2::custom:
      break;
  }
  return std::nullopt;
}

}  // namespace

SeenShape::SeenShape(const Shape2& shape, double scale) : world_(shape), scale_(scale) {
  if (shape.is_bounded() && shape.kind() != ShapeKind2::circle && shape.kind() != ShapeKind2::box) {
    const Aabb2d box = bounding_box(shape);
    origin_ = box.lo * 0.5 + box.hi * 0.5;
  }
  drawn_ = scaled(shape, origin_, scale);
}

double seen_size(const Shape2& shape, const Pose2d& pose) {
  if (!shape.is_bounded() || shape.kind() == ShapeKind2::point) return 0;
  const Aabb2d box = bounding_box(shape, pose);
  return max_abs(box.hi - box.lo);
}

PlaneView::PlaneView(const Aabb2d& seen, const Aabb2d& picture)
    : center_(seen.lo * 0.5 + seen.hi * 0.5), middle_((picture.lo + picture.hi) * 0.5), picture_(picture) {
  // Halves stay within the doubles
  const Vec2d size = seen.hi * 0.5 - seen.lo * 0.5, room = (picture.hi - picture.lo) * 0.5;
  double fits = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 2; ++k)
    if (size[k] > 0) fits = std::min(fits, kFilled * room[k] / size[k]);
  if (std::isfinite(fits) && fits > 0) scale_ = fits;
}

bool PlaneView::holds(const Aabb2d& box) const { return !picture_ || contains(*picture_, at(box)); }
bool PlaneView::meets(const Aabb2d& box) const { return !picture_ || overlap(*picture_, at(box)); }

void PlaneView::body(DrawList& list, const SeenShape& seen, const Pose2d& pose, const Vec2d& beside, Ink ink,
                     float alpha, std::string_view name) const {
  if (!seen.drawn_) return;
  const Shape2& shape = *seen.world_;
  const Pose2d drawn_pose = at(Pose2d{transform(pose, seen.origin_), pose.rotation});
  if (!shape.is_bounded()) {
    const auto& half = shape.as<HalfPlaneShape2>();
    const Vec2d n = rotate(pose.rotation, half.normal);
    const Vec2d foot = beside - n * (dot(n, beside - pose.position) - half.offset);
    if (!meets({foot, foot})) return far_away(list, foot, ink, name);
    const Vec2d middle = at(foot), reach{kPieceHalf / 2, kPieceHalf / 2};
    draw_half_plane(list, seen.drawn_->as<HalfPlaneShape2>(), drawn_pose, {middle - reach, middle + reach}, ink,
                    0.5f * alpha, std::string(name));
    return;
  }
  const Aabb2d box = bounding_box(shape, pose);
  const Vec2d middle = (box.lo + box.hi) * 0.5;
  if (!meets(box)) return far_away(list, middle, ink, name);
  if (shape.kind() == ShapeKind2::point)
    list.point(drawn_at(at(middle), 4), color_of(ink), 7);
  else
    list.shape(*seen.drawn_, drawn_pose, color_of(ink, alpha));
  if (!name.empty()) list.label(drawn_at(at(middle), 5), std::string(name));
}

void PlaneView::ghost(DrawList& list, const SeenShape& seen, const Pose2d& pose, Ink ink, float alpha) const {
  if (!seen.drawn_ || !seen.world_->is_bounded() || !holds(bounding_box(*seen.world_, pose))) return;
  list.shape(*seen.drawn_, at(Pose2d{transform(pose, seen.origin_), pose.rotation}), color_of(ink, alpha), true);
}

void PlaneView::way(DrawList& list, const Vec2d& from, const Vec2d& to, Color c, float pixels) const {
  // The share of the way that is between both pairs of sides
  const Vec2d p = at(from), along = at(to) - p;
  double first = 0, last = 1;
  for (int k = 0; k < 2 && picture_; ++k) {
    const double to_lo = picture_->lo[k] - p[k], to_hi = picture_->hi[k] - p[k];
    if (along[k] == 0) {
      if (to_lo > 0 || to_hi < 0) return;
      continue;
    }
    const double x = to_lo / along[k], y = to_hi / along[k];
    first = std::max(first, std::min(x, y)), last = std::min(last, std::max(x, y));
  }
  if (first < last) draw_way(list, drawn_at(p + along * first, 1), drawn_at(p + along * last, 1), c, pixels, 0.4);
}

void PlaneView::far_away(DrawList& list, const Vec2d& p, Ink ink, std::string_view name) const {
  const Vec2d to = normalized(p - center_);
  const double radius = 0.5 * std::min(picture_->hi.x - picture_->lo.x, picture_->hi.y - picture_->lo.y);
  const Vec2d tip = middle_ + to * (0.9 * radius);
  list.arrow(drawn_at(middle_ + to * (0.65 * radius), 4), drawn_at(tip, 4), color_of(ink), 3);
  list.label(drawn_at(tip, 5), std::string(name) + " is " + shown(distance(p, center_), 3) + " m that way",
             color_of(ink));
}

}  // namespace sudar::lab
