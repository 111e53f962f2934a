// What:    Makers and boxes of the shapes of two dimensions, see the header.
#include <sudar/math/tolerance.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape_check.hpp>

#include <cmath>

namespace sudar {

std::string_view to_string(ShapeKind2 kind) noexcept {
  static constexpr std::string_view kNames[kShapeKinds2] = {"point", "segment",         "circle",  "capsule",
                                                            "box",   "polygon",         "custom",  "halfplane",
                                                            "chain", "concave_polygon", "compound"};
  return kNames[static_cast<int>(kind)];
}

Result<Shape2> make_point2(const Vec2d& p) noexcept {
  if (const auto r = check_position(p); !r) return r.error();
  return Shape2(PointShape2{p});
}

Result<Shape2> make_segment2(const Vec2d& p, const Vec2d& q) noexcept {
  if (const auto r = check_position(p, 0); !r) return r.error();
  if (const auto r = check_position(q, 1); !r) return r.error();
  return Shape2(SegmentShape2{p, q});
}

Result<Shape2> make_circle2(double radius) noexcept {
  if (const auto r = check_size(radius); !r) return r.error();
  return Shape2(CircleShape2{radius});
}

Result<Shape2> make_capsule2(const Vec2d& p, const Vec2d& q, double radius) noexcept {
  if (const auto r = check_position(p, 0); !r) return r.error();
  if (const auto r = check_position(q, 1); !r) return r.error();
  if (const auto r = check_size(radius); !r) return r.error();
  return Shape2(CapsuleShape2{p, q, radius});
}

Result<Shape2> make_box2(const Vec2d& half) noexcept {
  if (const auto r = check_sizes(half); !r) return r.error();
  return Shape2(BoxShape2{half});
}

Result<Shape2> make_polygon2(std::span<const Vec2d> points, double radius) noexcept {
  if (const auto r = check_growth(radius); !r) return r.error();
  auto body = ConvexBody2::make(points);
  if (!body) return body.error();
  return Shape2(PolygonShape2{*std::move(body), radius});
}

Result<Shape2> make_custom2(std::shared_ptr<const SupportFunction2> function) noexcept {
  if (function == nullptr) return Error{ErrorCode::invalid_argument, Error::kNoElement, "no support function"};
  for (int i = 0; i < 4; ++i) {
    Vec2d d{};
    d[i / 2] = i % 2 == 0 ? 1 : -1;
    if (const auto r = check_position(function->support(d), static_cast<std::size_t>(i)); !r) return r.error();
  }
  return Shape2(CustomShape2{std::move(function)});
}

Result<Shape2> make_halfplane2(const Vec2d& normal, double offset) noexcept {
  HalfPlaneShape2 s{};
  if (const auto r = check_side(normal, offset, s.normal, s.offset); !r) return r.error();
  return Shape2(s);
}

namespace {

struct BoxOf {
  const Pose2d& pose;

  // Rounding of points no farther than `size` from the shape's origin on their way through the pose
  double slack(double size) const {
    return kPoseSlack<double> * (2 * size + max_abs(pose.position)) + std::numeric_limits<double>::min();
  }
  Aabb2d points(std::span<const Vec2d> p, double radius) const {
    Aabb2d box = Aabb2d::empty();
    double size = 0;
    for (const Vec2d& x : p) box = merge(box, transform(pose, x)), size = std::max(size, max_abs(x));
    return expand(box, add_up(radius, slack(size)));
  }

  Aabb2d operator()(const PointShape2& s) const { return points({&s.p, 1}, 0); }
  Aabb2d operator()(const SegmentShape2& s) const {
    const Vec2d ends[2] = {s.p, s.q};
    return points(ends, 0);
  }
  Aabb2d operator()(const CircleShape2& s) const { return expand(Aabb2d{pose.position, pose.position}, s.radius); }
  Aabb2d operator()(const CapsuleShape2& s) const {
    const Vec2d ends[2] = {s.p, s.q};
    return points(ends, s.radius);
  }
  Aabb2d operator()(const BoxShape2& s) const { return transform(pose, Aabb2d{-s.half, s.half}); }
  Aabb2d operator()(const PolygonShape2& s) const { return points(s.body->vertices(), s.radius); }
  Aabb2d operator()(const CustomShape2& s) const {
    Aabb2d box;
    double size = 0;
    for (int i = 0; i < 2; ++i) {
      Vec2d axis{};
      axis[i] = 1;
      const Vec2d d = rotate(conjugate(pose.rotation), axis);
      const Vec2d hi = s.function->support(d), lo = s.function->support(-d);
      size = std::max(size, std::max(max_abs(lo), max_abs(hi)));
      box.hi[i] = transform(pose, hi)[i], box.lo[i] = transform(pose, lo)[i];
    }
    return expand(box, slack(size));
  }
  Aabb2d operator()(const HalfPlaneShape2&) const { return all(); }
  Aabb2d operator()(const ChainShape2& s) const { return points(s.set->vertices(), 0); }
  Aabb2d operator()(const ConcavePolygonShape2& s) const { return points(s.set->vertices(), 0); }
  Aabb2d operator()(const CompoundShape2& s) const { return bounding_box(*s.parts, pose); }

  static Aabb2d all() {
    const Aabb2d none = Aabb2d::empty();
    return {none.hi, none.lo};
  }
};

}  // namespace

Aabb2d bounding_box(const Shape2& shape, const Pose2d& pose) { return std::visit(BoxOf{pose}, shape.any()); }

}  // namespace sudar
