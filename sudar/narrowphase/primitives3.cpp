// What:    Closed forms of pairs of primitives, see the header.
#include <sudar/narrowphase/convex_view3.hpp>
#include <sudar/narrowphase/core_gap3.hpp>
#include <sudar/narrowphase/far_pair.hpp>
#include <sudar/narrowphase/primitives3.hpp>
#include <sudar/narrowphase/round_gap3.hpp>
#include <sudar/shapes/convex_body3.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace sudar {
namespace {

using K = ShapeKind3;

constexpr auto kClosedForms = [] {
  std::array<std::array<bool, kShapeKinds3>, kShapeKinds3> table{};
  for (int a = 0; a < kShapeKinds3; ++a)
    for (int b = 0; b < kShapeKinds3; ++b) table[a][b] = has_closed_form(static_cast<K>(a), static_cast<K>(b));
  return table;
}();

// A point or a segment, grown by a radius, in the frame of the query
struct Rod {
  Vec3d p, q;
  double radius;
  bool is_point;
  Vec3d rest{};  // of p: what rounding took from it on the way to its frame, where that is known
};

bool rod_of(const Shape3& shape, Rod& out) {
  switch (shape.kind()) {
    case K::sphere:
      out = {{}, {}, shape.as<SphereShape3>().radius, true};
      return true;
    case K::capsule: {
      const auto& s = shape.as<CapsuleShape3>();
      out = {s.p, s.q, s.radius, s.p == s.q};
      return true;
    }
    case K::point:
      out = {shape.as<PointShape3>().p, shape.as<PointShape3>().p, 0, true};
      return true;
    case K::segment: {
      const auto& s = shape.as<SegmentShape3>();
      out = {s.p, s.q, 0, s.p == s.q};
      return true;
    }
    default:
      return false;
  }
}

// Without a turn, what rounding took is known
void place(Rod& rod, const Vec3d& translation, const Vec3d& rest) {
  for (int i = 0; i < 3; ++i) {
    const TwoDoubles x = two_sum(rod.p[i], translation[i]);
    rod.p[i] = x.hi, rod.rest[i] = x.lo + rest[i];
  }
  rod.q = rod.is_point ? rod.p : (rod.q + translation) + rest;
}
inline Vec3d into_a(const Placement3& at, const Vec3d& p) { return transform(at, p) + at.rest; }
inline Vec3d into_b(const Placement3& at, const Vec3d& p_a) {
  const Vec3d d = (p_a - at.translation) - at.rest;
  return at.turned ? transpose_mul(at.turn, d) : d;
}

// A sphere against a capsule or a sphere, the commonest pairs, straight into the answer: the general way below gives the
// same, but passes its parts through memory. False when the core of the capsule and the centre nearly touch, and when
// the pair nearly does: then the general way takes the care that is due.
template <bool rod_is_a>
inline bool ball_rod(const Vec3d& center, double radius_ball, const Vec3d& p, const Vec3d& q, double radius_rod,
                     double scale, DistanceAnswer3& out) {
  const Vec3d pq = q - p;
  const double whole = length_squared(pq), inverse = whole >= std::numeric_limits<double>::min() ? 1 / whole : 0;
  // Bounds that a compiler does not see through: it would make branches of them, and half of them guessed wrong
  const double zero = whole * 0, one = zero + 1;
  const double t = std::max(std::min(dot(center - p, pq) * inverse, one), zero);
  const Vec3d on_rod = p + pq * t;
  Vec3d way = center - on_rod;
  // Square to the axis, unless at an end of it (see square_to): times one inside, zero at the ends
  constexpr double kHuge = 0x1p1000;
  const double inside = std::min(t * (one - t) * kHuge, one);
  way = way - pq * (dot(way, pq) * inverse * inside);
  const double distance = length(way), radii = radius_ball + radius_rod;
  const double separation = distance - radii;
  if (!(distance > kCoreTouch * scale) || std::fabs(separation) < kSphereRecheck * (distance + radii)) return false;
  const double to_unit = (rod_is_a ? one : -one) / distance;
  const Vec3d normal = way * to_unit;
  const double sign = rod_is_a ? 1 : -1;
  const Vec3d point_rod = on_rod + normal * (sign * radius_rod), point_ball = center - normal * (sign * radius_ball);
  out.separation = separation;
  out.hit = !(separation > 0);
  out.lower = separation - kClosedFormError * scale, out.upper = separation + kClosedFormError * scale;
  out.normal = normal;
  out.point_a = rod_is_a ? point_rod : point_ball, out.point_b = rod_is_a ? point_ball : point_rod;
  return true;
}

DistanceAnswer3 rod_rod(const Rod& a, const Rod& b, const Placement3& at, double scale) {
  if (a.is_point && b.is_point) {
    const Vec3d to = at.turned ? at.turn * b.p : b.p;
    const Vec3d offset = (to - a.p) + at.translation;
    return ball_ball<3>(a.p, a.radius, offset, at.rest, b.radius, scale);
  }
  if (a.is_point) {
    return grown(swapped(segment_point_gap({into_a(at, b.p), into_a(at, b.q)}, a.p)), a.radius, b.radius, scale);
  }
  if (b.is_point) return grown(segment_point_gap({a.p, a.q}, into_a(at, b.p)), a.radius, b.radius, scale);
  return grown(segment_segment_gap({a.p, a.q}, {into_a(at, b.p), into_a(at, b.q)}), a.radius, b.radius, scale);
}

// A solid and a rod in the solid's frame
CoreGap3 solid_rod(const Shape3& solid, const Rod& rod) {
  switch (solid.kind()) {
    case K::triangle: {
      const auto& v = solid.as<TriangleShape3>().v;
      const Triangle3d triangle{v[0], v[1], v[2]};
      return rod.is_point ? triangle_point_gap(triangle, rod.p) : triangle_segment_gap(triangle, {rod.p, rod.q});
    }
    case K::box: {
      const Vec3d& half = solid.as<BoxShape3>().half;
      return rod.is_point ? box_point_gap(half, rod.p, rod.rest) : box_segment_gap(half, {rod.p, rod.q});
    }
    case K::cylinder: {
      const auto& s = solid.as<CylinderShape3>();
      return cylinder_point_gap(s.half_height, s.radius, rod.p);
    }
    case K::cone: {
      const auto& s = solid.as<ConeShape3>();
      return cone_point_gap(s.half_height, s.radius, rod.p);
    }
    default:
      return ellipsoid_point_gap(solid.as<EllipsoidShape3>().radii, rod.p);
  }
}

// The largest distance of a coordinate from the shape's origin, about
double reach_of(const Shape3& shape) {
  switch (shape.kind()) {
    case K::point:
      return max_abs(shape.as<PointShape3>().p);
    case K::segment:
      return max_abs(shape.as<SegmentShape3>().p) + max_abs(shape.as<SegmentShape3>().q);
    case K::triangle: {
      const auto& v = shape.as<TriangleShape3>().v;
      return std::max({max_abs(v[0]), max_abs(v[1]), max_abs(v[2])});
    }
    case K::sphere:
      return shape.as<SphereShape3>().radius;
    case K::capsule: {
      const auto& s = shape.as<CapsuleShape3>();
      return std::max(max_abs(s.p), max_abs(s.q)) + s.radius;
    }
    case K::box:
      return max_abs(shape.as<BoxShape3>().half);
    case K::cylinder:
      return shape.as<CylinderShape3>().half_height + shape.as<CylinderShape3>().radius;
    case K::cone:
      return shape.as<ConeShape3>().half_height + shape.as<ConeShape3>().radius;
    case K::ellipsoid:
      return max_abs(shape.as<EllipsoidShape3>().radii);
    case K::hull:
      return shape.as<HullShape3>().body->size() + shape.as<HullShape3>().radius;
    case K::custom:
      return make_view(shape).size;
    case K::halfspace:
      return std::fabs(shape.as<HalfSpaceShape3>().offset);
    default:
      return 0;
  }
}

// One support settles it: B is moved out along the half-space's normal
DistanceAnswer3 halfspace_convex(const HalfSpaceShape3& a, const Shape3& b, const Placement3& at, double scale) {
  CoreGap3 gap;
  gap.normal = a.normal;
  if (b.kind() == K::halfspace) {
    const auto& other = b.as<HalfSpaceShape3>();
    const Vec3d normal_b = at.turned ? at.turn * other.normal : other.normal;
    gap.on_a = a.normal * a.offset;
    gap.on_b = into_a(at, other.normal * other.offset);
    const bool opposite = max_abs(normal_b + a.normal) == 0;
    if (opposite) {
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
DistanceAnswer3 back_to_a(const DistanceAnswer3& x_b, const Placement3& at) {
  DistanceAnswer3 out = swapped(x_b);
  out.point_a = into_a(at, out.point_a), out.point_b = into_a(at, out.point_b);
  if (at.turned) out.normal = at.turn * out.normal;
  return out;
}

}  // namespace

Vec3d support_point(const Shape3& shape, const Vec3d& d) noexcept {
  const auto farther = [&d](const Vec3d& p, const Vec3d& q) { return dot(q - p, d) > 0 ? q : p; };
  switch (shape.kind()) {
    case K::point:
      return shape.as<PointShape3>().p;
    case K::segment:
      return farther(shape.as<SegmentShape3>().p, shape.as<SegmentShape3>().q);
    case K::triangle: {
      const auto& v = shape.as<TriangleShape3>().v;
      return farther(farther(v[0], v[1]), v[2]);
    }
    case K::sphere:
      return normalized(d) * shape.as<SphereShape3>().radius;
    case K::capsule: {
      const auto& s = shape.as<CapsuleShape3>();
      return farther(s.p, s.q) + normalized(d) * s.radius;
    }
    case K::box: {
      const Vec3d& half = shape.as<BoxShape3>().half;
      return {d.x < 0 ? -half.x : half.x, d.y < 0 ? -half.y : half.y, d.z < 0 ? -half.z : half.z};
    }
    case K::cylinder: {
      const auto& s = shape.as<CylinderShape3>();
      const Vec3d side = normalized(Vec3d{d.x, d.y, 0}) * s.radius;
      return {side.x, side.y, d.z < 0 ? -s.half_height : s.half_height};
    }
    case K::cone: {
      const auto& s = shape.as<ConeShape3>();
      const Vec3d side = normalized(Vec3d{d.x, d.y, 0}) * s.radius;
      return farther({side.x, side.y, -s.half_height}, {0, 0, s.half_height});
    }
    case K::ellipsoid: {
      const Vec3d& radii = shape.as<EllipsoidShape3>().radii;
      return mul(radii, normalized(mul(radii, d)));
    }
    case K::hull: {
      const auto& s = shape.as<HullShape3>();
      const Vec3d& v = s.body->vertices()[s.body->support(d)];
      return s.radius > 0 ? v + normalized(d) * s.radius : v;
    }
    case K::custom:
      return shape.as<CustomShape3>().function->support(d);
    default:
      SUDAR_ASSERT(false);
      return {};
  }
}

namespace {

// All pairs
DistanceAnswer3 general_distance(const Shape3& a, const Shape3& b, const Placement3& at) {
  if (!kClosedForms[static_cast<int>(a.kind())][static_cast<int>(b.kind())]) {
    DistanceAnswer3 none;
    none.status = QueryStatus::unsupported;
    return none;
  }
  const double scale = reach_of(a) + reach_of(b) + max_abs(at.translation);
  if (a.kind() == K::halfspace) return halfspace_convex(a.as<HalfSpaceShape3>(), b, at, scale);
  if (b.kind() == K::halfspace) return back_to_a(halfspace_convex(b.as<HalfSpaceShape3>(), a, inverse(at), scale), at);

  Rod rod_a, rod_b;
  const bool thin_a = rod_of(a, rod_a), thin_b = rod_of(b, rod_b);
  if (thin_a && thin_b) return rod_rod(rod_a, rod_b, at, scale);
  if (thin_b) {
    if (at.turned) {
      rod_b.p = into_a(at, rod_b.p);
      rod_b.q = rod_b.is_point ? rod_b.p : into_a(at, rod_b.q);
    } else {
      place(rod_b, at.translation, at.rest);
    }
    return grown(solid_rod(a, rod_b), 0, rod_b.radius, scale);
  }
  if (at.turned) {
    rod_a.p = into_b(at, rod_a.p);
    rod_a.q = rod_a.is_point ? rod_a.p : into_b(at, rod_a.q);
  } else {
    place(rod_a, -at.translation, -at.rest);
  }
  return back_to_a(grown(solid_rod(b, rod_a), 0, rod_a.radius, scale), at);
}

// The pairs of ball_rod
bool quick_distance(const Shape3& a, const Shape3& b, const Placement3& at, DistanceAnswer3& out) {
  if (b.kind() == K::sphere) {
    Vec3d p{}, q{};
    double radius_a;
    if (a.kind() == K::sphere) {
      radius_a = a.as<SphereShape3>().radius;
    } else if (a.kind() == K::capsule) {
      const auto& rod = a.as<CapsuleShape3>();
      p = rod.p, q = rod.q, radius_a = rod.radius;
    } else {
      return false;
    }
    const Vec3d center = at.translation + at.rest;
    const double radius_b = b.as<SphereShape3>().radius;
    const double scale = max_abs(p) + max_abs(q) + radius_a + radius_b + max_abs(center);
    return ball_rod<true>(center, radius_b, p, q, radius_a, scale, out);
  }
  if (a.kind() != K::sphere || b.kind() != K::capsule) return false;
  const auto& rod = b.as<CapsuleShape3>();
  const double radius_a = a.as<SphereShape3>().radius;
  const Vec3d p = into_a(at, rod.p), q = into_a(at, rod.q);
  return ball_rod<false>({}, radius_a, p, q, rod.radius, max_abs(p) + max_abs(q) + rod.radius + radius_a, out);
}

}  // namespace

namespace {

// Whether a ball meets a rod, by squares: -1 yes, 1 no, 0 nearer than rounding can tell. `size` bounds the numbers that
// the points were made from.
int ball_rod_sign(const Vec3d& center, const Vec3d& p, const Vec3d& q, double radii, double size) {
  const Vec3d pq = q - p, pc = center - p;
  const double whole = length_squared(pq), zero = whole * 0, one = zero + 1;
  const double inverse = whole >= std::numeric_limits<double>::min() ? 1 / whole : 0;
  const double t = std::max(std::min(dot(pc, pq) * inverse, one), zero);
  const double gap = length_squared(pc - pq * t) - radii * radii;
  const double scale = size + max_abs(p) + max_abs(q) + radii;
  if (!(std::fabs(gap) > 4 * kClosedFormError * scale * scale)) return 0;
  return gap < 0 ? -1 : 1;
}

}  // namespace

int primitive_sign3(const Shape3& a, const Shape3& b, const Placement3& at) noexcept {
  if (is_far(at)) return 0;
  if (b.kind() == K::sphere) {
    const Vec3d center = at.translation + at.rest;
    const double radius = b.as<SphereShape3>().radius;
    if (a.kind() == K::sphere)
      return ball_rod_sign(center, {}, {}, radius + a.as<SphereShape3>().radius, max_abs(center));
    if (a.kind() != K::capsule) return 0;
    const auto& rod = a.as<CapsuleShape3>();
    return ball_rod_sign(center, rod.p, rod.q, radius + rod.radius, max_abs(center));
  }
  if (a.kind() != K::sphere || b.kind() != K::capsule) return 0;
  // In the frame of the capsule: one point to move instead of two
  const auto& rod = b.as<CapsuleShape3>();
  return ball_rod_sign(into_b(at, {}), rod.p, rod.q, rod.radius + a.as<SphereShape3>().radius, max_abs(at.translation));
}

bool primitive_intersects3(const Shape3& a, const Shape3& b, const Placement3& at) noexcept {
  const int sign = primitive_sign3(a, b, at);
  return sign != 0 ? sign < 0 : primitive_distance3(a, b, at).hit;
}

DistanceAnswer3 primitive_distance3(const Shape3& a, const Shape3& b, const Placement3& at) noexcept {
  DistanceAnswer3 out;
  if (is_far(at) && a.is_bounded() && b.is_bounded() && has_closed_form(a.kind(), b.kind()))
    return far_apart<3>(
        at, [&](const Vec3d& d) { return support_point(a, d); }, [&](const Vec3d& d) { return support_point(b, d); });
  if (!quick_distance(a, b, at, out)) out = general_distance(a, b, at);
  return out;
}

}  // namespace sudar
