// What:    Signed distances of cores, see the header.
#include <sudar/geom/closest.hpp>
#include <sudar/geom/segment_triangle.hpp>
#include <sudar/narrowphase/core_gap3.hpp>

#include <algorithm>
#include <limits>

namespace sudar {
namespace {

double size_of(const Segment3d& s) { return max_abs(s.a) + max_abs(s.b); }
double size_of(const Triangle3d& t) { return max_abs(t.a) + max_abs(t.b) + max_abs(t.c); }

Vec3d any_perpendicular(const Vec3d& direction) {
  const Vec3d n = normalized(direction);
  if (n == Vec3d{}) return {1, 0, 0};
  Vec3d u, v;
  make_frame(n, u, v);
  return u;
}

// From two points and a normal whose sign is still open
CoreGap3 along(const Vec3d& on_a, const Vec3d& on_b, Vec3d normal) {
  CoreGap3 gap;
  double separation = dot(on_b - on_a, normal);
  if (separation < 0) separation = -separation, normal = -normal;
  gap.on_a = on_a, gap.on_b = on_b, gap.normal = normal, gap.separation = separation;
  return gap;
}

}  // namespace

CoreGap3 segment_point_gap(const Segment3d& a, const Vec3d& b) {
  // Without branches that depend on the place along the segment. A length whose square is no normal number is none.
  const Vec3d ab = a.b - a.a;
  const double whole = length_squared(ab), inverse = whole >= std::numeric_limits<double>::min() ? 1 / whole : 0;
  // Bounds that a compiler does not see through: it would make branches of them, and half of them guessed wrong
  const double zero = whole * 0, one = zero + 1;
  const double t = std::max(std::min(dot(b - a.a, ab) * inverse, one), zero);
  CoreGap3 gap;
  gap.on_a = a.a + ab * t, gap.on_b = b;
  Vec3d difference = b - gap.on_a;
  // Square to the segment, unless at an end of it (see square_to): times one inside, zero at the ends
  constexpr double kHuge = 0x1p1000;
  const double inside = std::min(t * (one - t) * kHuge, one);
  difference = difference - ab * (dot(difference, ab) * inverse * inside);
  gap.separation = length(difference);
  if (gap.separation > kCoreTouch * (size_of(a) + max_abs(b))) {
    gap.normal = difference * (1 / gap.separation);
    return gap;
  }
  const double distance = gap.separation;
  gap = along(gap.on_a, b, any_perpendicular(ab));
  gap.unique = false, gap.blur = distance;
  return gap;
}

CoreGap3 segment_segment_gap(const Segment3d& a, const Segment3d& b) {
  const ClosestSegments<3, double> on = closest_points(a, b);
  const Vec3d da = a.b - a.a, db = b.b - b.a, both = cross(da, db);
  const Vec3d longer = length_squared(da) >= length_squared(db) ? da : db;
  const double distance = std::sqrt(on.distance_squared), size = size_of(a) + size_of(b);
  const double lengths = length(da) * length(db), sine = lengths > 0 ? length(both) / lengths : 0;
  if (distance > kCoreTouch * size) {
    // Inside of both, the common perpendicular is known by the directions, too: take what rounding hurts less
    const bool inside_a = on.s > 0 && on.s<1, inside_b = on.t> 0 && on.t < 1;
    if (!inside_a || !inside_b || sine * size <= distance)
      return apart(on.point_a, on.point_b, distance, inside_a ? da : inside_b ? db : Vec3d{});
    return along(on.point_a, on.point_b, square_to(both, longer));
  }
  CoreGap3 gap = along(on.point_a, on.point_b, sine > kCoreTouch ? square_to(both, longer) : any_perpendicular(longer));
  gap.unique = false, gap.blur = distance;
  return gap;
}

CoreGap3 triangle_point_gap(const Triangle3d& a, const Vec3d& b) {
  const ClosestOnTriangle<3, double> on = closest_point(a, b);
  const double distance = std::sqrt(on.distance_squared);
  const bool touches = !(distance > kCoreTouch * (size_of(a) + max_abs(b)));
  if (!touches && on.feature != TriangleFeature::face) {
    const int edge = static_cast<int>(on.feature) - static_cast<int>(TriangleFeature::edge_ab);
    return apart(on.point, b, distance, edge < 0 ? Vec3d{} : a[(edge + 1) % 3] - a[edge]);
  }
  CoreGap3 gap = along(on.point, b, normalized(double_area(a)));
  gap.unique = !touches;
  if (touches) gap.blur = distance;
  return gap;
}

namespace {

// The least overlap of a triangle and a segment that cross or nearly do
CoreGap3 triangle_segment_depth(const Triangle3d& a, const Segment3d& b, double nearest_t) {
  const Vec3d normal = normalized(double_area(a)), d = b.b - b.a;
  LeastOverlap<3> least;
  const double height0 = dot(b.a - a.a, normal), height1 = dot(b.b - a.a, normal);
  least.look(normal, 0, 0, std::min(height0, height1), std::max(height0, height1), 0);
  const double size = size_of(a) + size_of(b);
  for (int k = 0; k < 3; ++k) {
    const Vec3d &from = a[k], &to = a[(k + 1) % 3], &top = a[(k + 2) % 3];
    const Vec3d both = cross(to - from, d);
    const double reach = length(both);
    if (!(reach > kCoreTouch * length(to - from) * length(d))) continue;
    const Vec3d n = both / reach;
    // All relative to the edge; the segment is a point along n. A direction in which the triangle has no width is its
    // own normal.
    const double t = dot(top - from, n), s = dot(b.a - from, n);
    if (std::fabs(t) <= kCoreTouch * size) continue;
    least.look(n, std::min(0.0, t), std::max(0.0, t), s, s, k + 1);
  }

  CoreGap3 gap;
  gap.normal = least.normal, gap.separation = -least.overlap;
  gap.unique = !least.tie;
  // Over the face: the part of the segment between the planes through the edges. At an edge: where they pass.
  double t0 = 0, t1 = 1, crossing = 0;
  if (least.axis == 0) {
    double ends[3][2];
    for (int k = 0; k < 3; ++k) {
      const Vec3d out = cross(a[(k + 1) % 3] - a[k], normal);
      ends[k][0] = dot(b.a - a[k], out), ends[k][1] = dot(b.b - a[k], out);
    }
    if (!clip_to(ends, 3, t0, t1)) t0 = 0, t1 = 1;
    crossing = height0 != height1 ? height0 / (height0 - height1) : 0.5;
  } else {
    const int k = least.axis - 1;
    t0 = t1 = crossing = closest_points(Segment3d{a[k], a[(k + 1) % 3]}, b).t;
  }
  const double deepest = deepest_on(b.a, b.b, gap.normal, t0, t1);
  choose_witness(gap, b.a, b.b, {deepest, t0, t1, crossing, nearest_t, 0.0, 1.0}, size,
                 [&](const Vec3d& p) { return closest_point(a, p - gap.normal * gap.separation).point; });
  return gap;
}

}  // namespace

CoreGap3 triangle_segment_gap(const Triangle3d& a, const Segment3d& b) {
  if (intersects_exact(b, a)) return triangle_segment_depth(a, b, 0.5);
  // Apart: an end over the triangle, or the segment and an edge
  CoreGap3 best = triangle_point_gap(a, b.a);
  const auto look = [&best](const CoreGap3& gap) {
    if (gap.separation < best.separation) best = gap;
  };
  look(triangle_point_gap(a, b.b));
  for (int k = 0; k < 3; ++k) look(segment_segment_gap(Segment3d{a[k], a[(k + 1) % 3]}, b));
  if (best.separation > kCoreTouch * (size_of(a) + size_of(b))) return best;
  CoreGap3 gap = triangle_segment_depth(a, b, closest_point(b, best.on_b).t);
  // They are apart, by less than rounding can tell
  gap.separation = best.separation, gap.blur = best.blur;
  return gap;
}

CoreGap3 box_point_gap(const Vec3d& half, const Vec3d& b, const Vec3d& rest) {
  CoreGap3 gap;
  gap.on_b = b;
  gap.on_a = closest_point_in_box(-half, half, b);
  const Vec3d out = b - gap.on_a;
  int sides = 0, axis = 0;
  for (int i = 0; i < 3; ++i)
    if (out[i] != 0) ++sides, axis = i;
  if (sides > 1) {
    gap.normal = normalized(out);
    gap.separation = dot(out, gap.normal);
    return gap;
  }
  if (sides == 0) {
    // Inside: out through the nearest side
    double nearest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
      const double d = std::fabs(b[i]) - half[i];
      if (d == nearest) gap.unique = false;
      if (d > nearest) nearest = d, axis = i, gap.unique = b[i] != 0;
    }
  }
  const double sign = b[axis] < 0 ? -1 : 1;
  const TwoDoubles d = two_difference(std::fabs(b[axis]), half[axis]);
  gap.separation = d.hi, gap.tail = d.lo + sign * rest[axis];
  gap.normal = {};
  gap.normal[axis] = sign;
  gap.on_a[axis] = sign * half[axis];
  return gap;
}

namespace {

CoreGap3 box_segment_depth(const Vec3d& half, const Segment3d& b, double nearest_t) {
  const Vec3d d = b.b - b.a;
  LeastOverlap<3> least;
  for (int i = 0; i < 3; ++i) {
    Vec3d n{};
    n[i] = 1;
    least.look(n, -half[i], half[i], std::min(b.a[i], b.b[i]), std::max(b.a[i], b.b[i]), i);
  }
  for (int i = 0; i < 3; ++i) {
    Vec3d axis{};
    axis[i] = 1;
    const Vec3d both = cross(axis, d);
    const double reach = length(both);
    if (!(reach > kCoreTouch * max_abs(d))) continue;
    const Vec3d n = both / reach;
    const double radius = dot(abs(n), half), s = dot(n, b.a);
    least.look(n, -radius, radius, s, s, 3 + i);
  }
  CoreGap3 gap;
  gap.normal = least.normal, gap.separation = -least.overlap;
  gap.unique = !least.tie;
  // Over a side: the part of the segment between the neighbouring sides. At an edge that faces the normal: where they
  // pass.
  double t0 = 0, t1 = 1;
  if (least.axis < 3) {
    double ends[4][2];
    int count = 0;
    for (int j = 0; j < 3; ++j) {
      if (j == least.axis) continue;
      ends[count][0] = b.a[j] - half[j], ends[count++][1] = b.b[j] - half[j];
      ends[count][0] = -b.a[j] - half[j], ends[count++][1] = -b.b[j] - half[j];
    }
    if (!clip_to(ends, 4, t0, t1)) t0 = t1 = nearest_t;
  } else {
    const int i = least.axis - 3;
    Segment3d edge;
    for (int j = 0; j < 3; ++j) edge.a[j] = edge.b[j] = gap.normal[j] < 0 ? -half[j] : half[j];
    edge.a[i] = -half[i], edge.b[i] = half[i];
    t0 = t1 = closest_points(edge, b).t;
  }
  const double deepest = deepest_on(b.a, b.b, gap.normal, t0, t1);
  choose_witness(gap, b.a, b.b, {deepest, t0, t1, nearest_t, 0.0, 1.0}, max_abs(half) + size_of(b),
                 [&](const Vec3d& p) { return closest_point_in_box(-half, half, p - gap.normal * gap.separation); });
  return gap;
}

}  // namespace

CoreGap3 box_segment_gap(const Vec3d& half, const Segment3d& b) {
  const Vec3d d = b.b - b.a;
  if (d == Vec3d{}) return box_point_gap(half, b.a);
  // Break points: where the segment passes the planes of the sides
  double at[8];
  int count = 0;
  at[count++] = 0;
  for (int i = 0; i < 3; ++i)
    for (const double side : {-half[i], half[i]}) {
      const double t = (side - b.a[i]) / d[i];
      if (t > 0 && t < 1) {
        int place = count++;
        for (; at[place - 1] > t; --place) at[place] = at[place - 1];
        at[place] = t;
      }
    }
  at[count] = 1;
  // Half the derivative of the squared distance: the last break point where it is not yet positive
  const auto slope = [&](double t) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = b.a[i] + d[i] * t;
      sum += d[i] * (x > half[i] ? x - half[i] : x < -half[i] ? x + half[i] : 0);
    }
    return sum;
  };
  int k = 0;
  while (k + 1 < count && slope(at[k + 1]) <= 0) ++k;
  // Between two break points the sides that count do not change
  const double middle = 0.5 * (at[k] + at[k + 1]);
  double rise = 0, start = 0;
  Vec3d outside{};
  for (int i = 0; i < 3; ++i) {
    const double x = b.a[i] + d[i] * middle;
    if (!(std::fabs(x) > half[i])) continue;
    outside[i] = d[i];
    rise += d[i] * d[i], start += d[i] * (x > 0 ? b.a[i] - half[i] : b.a[i] + half[i]);
  }
  const double t = rise > 0 ? std::clamp(-start / rise, at[k], at[k + 1]) : middle;
  const Vec3d on_b = t == 1 ? b.b : b.at(t), on_a = closest_point_in_box(-half, half, on_b);
  const double distance = length(on_b - on_a);
  if (distance > kCoreTouch * (max_abs(half) + size_of(b))) {
    // Square to the segment, unless at an end of it, in the axes that are outside: those of the piece, for rounding may have
    // put the point onto a side; between two pieces, those whose side it reaches
    if (!(t > at[k] && t < at[k + 1]))
      for (int i = 0; i < 3; ++i) outside[i] = t > 0 && t < 1 && std::fabs(on_b[i]) >= half[i] ? d[i] : 0;
    return apart(on_a, on_b, distance, outside);
  }
  CoreGap3 gap = box_segment_depth(half, b, t);
  gap.blur = distance;
  return gap;
}

}  // namespace sudar
