// What:    Closed forms of pairs of primitives in the plane, see the header.
#include <sudar/narrowphase/convex_view2.hpp>
#include <sudar/narrowphase/core_gap2.hpp>
#include <sudar/narrowphase/far_pair.hpp>
#include <sudar/narrowphase/primitives2.hpp>
#include <sudar/shapes/convex_body2.hpp>

#include <algorithm>

namespace sudar {
namespace {

using K = ShapeKind2;

// A point or a segment, grown by a radius, in the frame of the query
struct Rod {
  Vec2d p, q;
  double radius;
  bool is_point;
  Vec2d rest{};  // of p: what rounding took from it on the way to its frame, where that is known
};

bool rod_of(const Shape2& shape, Rod& out) {
  switch (shape.kind()) {
    case K::circle:
      out = {{}, {}, shape.as<CircleShape2>().radius, true};
      return true;
    case K::capsule: {
      const auto& s = shape.as<CapsuleShape2>();
      out = {s.p, s.q, s.radius, s.p == s.q};
      return true;
    }
    case K::point:
      out = {shape.as<PointShape2>().p, shape.as<PointShape2>().p, 0, true};
      return true;
    case K::segment: {
      const auto& s = shape.as<SegmentShape2>();
      out = {s.p, s.q, 0, s.p == s.q};
      return true;
    }
    default:
      return false;
  }
}

Vec2d into_a(const Placement2& at, const Vec2d& p) { return transform(at, p) + at.rest; }
Vec2d into_b(const Placement2& at, const Vec2d& p_a) {
  const Vec2d d = (p_a - at.translation) - at.rest;
  return at.turned ? transpose_mul(at.turn, d) : d;
}
// Without a turn, what rounding took is known
void place(Rod& rod, const Vec2d& translation, const Vec2d& rest) {
  for (int i = 0; i < 2; ++i) {
    const TwoDoubles x = two_sum(rod.p[i], translation[i]);
    rod.p[i] = x.hi, rod.rest[i] = x.lo + rest[i];
  }
  rod.q = rod.is_point ? rod.p : (rod.q + translation) + rest;
}

DistanceAnswer2 rod_rod(const Rod& a, const Rod& b, const Placement2& at, double scale) {
  if (a.is_point && b.is_point) {
    const Vec2d offset = ((at.turned ? at.turn * b.p : b.p) - a.p) + at.translation;
    return ball_ball<2>(a.p, a.radius, offset, at.rest, b.radius, scale);
  }
  if (a.is_point)
    return grown(swapped(segment_point_gap({into_a(at, b.p), into_a(at, b.q)}, a.p)), a.radius, b.radius, scale);
  if (b.is_point) return grown(segment_point_gap({a.p, a.q}, into_a(at, b.p)), a.radius, b.radius, scale);
  return grown(segment_segment_gap({a.p, a.q}, {into_a(at, b.p), into_a(at, b.q)}), a.radius, b.radius, scale);
}

// A box or a polygon and a rod in the frame of the former
DistanceAnswer2 solid_rod(const Shape2& solid, const Rod& rod, double scale) {
  if (solid.kind() == K::box) {
    const Vec2d& half = solid.as<BoxShape2>().half;
    return grown(rod.is_point ? box_point_gap(half, rod.p, rod.rest) : box_segment_gap(half, {rod.p, rod.q}), 0,
                 rod.radius, scale);
  }
  const auto& polygon = solid.as<PolygonShape2>();
  return grown(polygon_point_gap(*polygon.body, rod.p), polygon.radius, rod.radius, scale);
}

// The largest distance of a coordinate from the shape's origin, about
double reach_of(const Shape2& shape) {
  switch (shape.kind()) {
    case K::point:
      return max_abs(shape.as<PointShape2>().p);
    case K::segment:
      return max_abs(shape.as<SegmentShape2>().p) + max_abs(shape.as<SegmentShape2>().q);
    case K::circle:
      return shape.as<CircleShape2>().radius;
    case K::capsule: {
      const auto& s = shape.as<CapsuleShape2>();
      return std::max(max_abs(s.p), max_abs(s.q)) + s.radius;
    }
    case K::box:
      return max_abs(shape.as<BoxShape2>().half);
    case K::polygon:
      return shape.as<PolygonShape2>().body->size() + shape.as<PolygonShape2>().radius;
    case K::custom:
      return make_view(shape).size;
    case K::halfplane:
      return std::fabs(shape.as<HalfPlaneShape2>().offset);
    default:
      return 0;
  }
}

// One support settles it: B is moved out along the half-plane's normal
DistanceAnswer2 halfplane_convex(const HalfPlaneShape2& a, const Shape2& b, const Placement2& at, double scale) {
  CoreGap2 gap;
  gap.normal = a.normal;
  if (b.kind() == K::halfplane) {
    const auto& other = b.as<HalfPlaneShape2>();
    const Vec2d normal_b = at.turned ? at.turn * other.normal : other.normal;
    gap.on_a = a.normal * a.offset;
    gap.on_b = into_a(at, other.normal * other.offset);
    if (max_abs(normal_b + a.normal) == 0) {
      gap.separation = dot(a.normal, gap.on_b) - a.offset;
      gap.on_b = a.normal * dot(a.normal, gap.on_b);
    } else {
      gap.separation = -std::numeric_limits<double>::infinity();
      gap.unique = false;
    }
  } else {
    gap.on_b = into_a(at, support_point(b, -to_b(at, a.normal)));
    gap.separation = dot(a.normal, gap.on_b) - a.offset;
    gap.on_a = gap.on_b - a.normal * gap.separation;
  }
  return grown(gap, 0, 0, scale);
}

// An answer found with A and B exchanged, in B's frame
DistanceAnswer2 back_to_a(const DistanceAnswer2& x_b, const Placement2& at) {
  DistanceAnswer2 out = swapped(x_b);
  out.point_a = into_a(at, out.point_a), out.point_b = into_a(at, out.point_b);
  if (at.turned) out.normal = at.turn * out.normal;
  return out;
}

}  // namespace

Vec2d support_point(const Shape2& shape, const Vec2d& d) noexcept {
  const auto farther = [&d](const Vec2d& p, const Vec2d& q) { return dot(q - p, d) > 0 ? q : p; };
  switch (shape.kind()) {
    case K::point:
      return shape.as<PointShape2>().p;
    case K::segment:
      return farther(shape.as<SegmentShape2>().p, shape.as<SegmentShape2>().q);
    case K::circle:
      return normalized(d) * shape.as<CircleShape2>().radius;
    case K::capsule: {
      const auto& s = shape.as<CapsuleShape2>();
      return farther(s.p, s.q) + normalized(d) * s.radius;
    }
    case K::box: {
      const Vec2d& half = shape.as<BoxShape2>().half;
      return {d.x < 0 ? -half.x : half.x, d.y < 0 ? -half.y : half.y};
    }
    case K::polygon: {
      const auto& s = shape.as<PolygonShape2>();
      const Vec2d& v = s.body->vertices()[s.body->support(d)];
      return s.radius > 0 ? v + normalized(d) * s.radius : v;
    }
    case K::custom:
      return shape.as<CustomShape2>().function->support(d);
    default:
      SUDAR_ASSERT(false);
      return {};
  }
}

DistanceAnswer2 primitive_distance2(const Shape2& a, const Shape2& b, const Placement2& at) noexcept {
  DistanceAnswer2 none;
  none.status = QueryStatus::unsupported;
  if (!has_closed_form(a.kind(), b.kind())) return none;
  if (is_far(at) && a.is_bounded() && b.is_bounded())
    return far_apart<2>(
        at, [&](const Vec2d& d) { return support_point(a, d); }, [&](const Vec2d& d) { return support_point(b, d); });
  const double scale = reach_of(a) + reach_of(b) + max_abs(at.translation);
  if (a.kind() == K::halfplane) return halfplane_convex(a.as<HalfPlaneShape2>(), b, at, scale);
  if (b.kind() == K::halfplane) return back_to_a(halfplane_convex(b.as<HalfPlaneShape2>(), a, inverse(at), scale), at);

  Rod rod_a, rod_b;
  const bool thin_a = rod_of(a, rod_a), thin_b = rod_of(b, rod_b);
  if (thin_a && thin_b) return rod_rod(rod_a, rod_b, at, scale);
  Rod& rod = thin_b ? rod_b : rod_a;
  if (!at.turned) {
    place(rod, thin_b ? at.translation : -at.translation, thin_b ? at.rest : -at.rest);
  } else {
    rod.p = thin_b ? into_a(at, rod.p) : into_b(at, rod.p);
    rod.q = rod.is_point ? rod.p : thin_b ? into_a(at, rod.q) : into_b(at, rod.q);
  }
  const DistanceAnswer2 out = solid_rod(thin_b ? a : b, rod, scale);
  return thin_b ? out : back_to_a(out, at);
}

}  // namespace sudar
