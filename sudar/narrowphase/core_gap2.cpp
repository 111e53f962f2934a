// What:    Signed distances of cores in the plane, see the header.
#include <sudar/geom/closest.hpp>
#include <sudar/geom/segment_segment.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/narrowphase/core_gap2.hpp>

#include <algorithm>

namespace sudar {
namespace {

double size_of(const Segment2d& s) { return max_abs(s.a) + max_abs(s.b); }

Vec2d across(const Segment2d& s) {
  const Vec2d n = perp(normalized(s.b - s.a));
  return n == Vec2d{} ? Vec2d{1, 0} : n;
}

// Witness points of b over the side a of something whose nearest point is project(p), for a known normal from a to b
template <class Project>
void witness_over(const Segment2d& a, const Segment2d& b, CoreGap2& gap, double scale, Project&& project) {
  const Vec2d d = a.b - a.a;
  const double ends[2][2] = {{dot(b.a - a.b, d), dot(b.b - a.b, d)}, {dot(a.a - b.a, d), dot(a.a - b.b, d)}};
  double t0, t1;
  const double nearest = closest_points(a, b).t;
  if (!clip_to(ends, 2, t0, t1)) t0 = t1 = nearest;
  choose_witness(gap, b.a, b.b, {deepest_on(b.a, b.b, gap.normal, t0, t1), t0, t1, nearest, 0.0, 1.0}, scale, project);
}

CoreGap2 segment_segment_depth(const Segment2d& a, const Segment2d& b) {
  LeastOverlap<2> least;
  const Vec2d na = across(a), nb = across(b);
  const double a0 = dot(b.a - a.a, na), a1 = dot(b.b - a.a, na), b0 = dot(a.a - b.a, nb), b1 = dot(a.b - b.a, nb);
  if (!(a.a == a.b)) least.look(na, 0, 0, std::min(a0, a1), std::max(a0, a1), 0);
  if (!(b.a == b.b)) least.look(nb, std::min(b0, b1), std::max(b0, b1), 0, 0, 1);
  CoreGap2 gap;
  if (least.axis < 0) {  // two points
    gap.normal = {1, 0}, gap.on_a = a.a, gap.on_b = b.a, gap.unique = false;
    return gap;
  }
  gap.normal = least.normal, gap.separation = -least.overlap, gap.unique = !least.tie;
  const auto onto = [&gap](const Segment2d& s) {
    return [&gap, &s](const Vec2d& p) { return closest_point(s, p - gap.normal * gap.separation).point; };
  };
  const double scale = size_of(a) + size_of(b);
  if (least.axis == 0) {
    witness_over(a, b, gap, scale, onto(a));
  } else {
    gap = swapped(gap);
    witness_over(b, a, gap, scale, onto(b));
    gap = swapped(gap);
  }
  return gap;
}

}  // namespace

CoreGap2 segment_point_gap(const Segment2d& a, const Vec2d& b) {
  const ClosestOnSegment<2, double> on = closest_point(a, b);
  const double distance = std::sqrt(on.distance_squared);
  if (distance > kCoreTouch * (size_of(a) + max_abs(b)))
    return apart(on.point, b, distance, on.t > 0 && on.t < 1 ? a.b - a.a : Vec2d{});
  CoreGap2 gap;
  gap.normal = across(a);
  gap.separation = dot(b - on.point, gap.normal);
  if (gap.separation < 0) gap.separation = -gap.separation, gap.normal = -gap.normal;
  gap.on_a = on.point, gap.on_b = b, gap.unique = false, gap.blur = distance;
  return gap;
}

CoreGap2 segment_segment_gap(const Segment2d& a, const Segment2d& b) {
  if (intersects_exact(a, b)) return segment_segment_depth(a, b);
  const ClosestSegments<2, double> on = closest_points(a, b);
  const double distance = std::sqrt(on.distance_squared);
  if (distance > kCoreTouch * (size_of(a) + size_of(b))) {
    const Vec2d edge = on.s > 0 && on.s < 1 ? a.b - a.a : on.t > 0 && on.t < 1 ? b.b - b.a : Vec2d{};
    return apart(on.point_a, on.point_b, distance, edge);
  }
  // Apart, by less than rounding can tell
  CoreGap2 gap = segment_segment_depth(a, b);
  gap.separation = distance;
  return gap;
}

CoreGap2 box_point_gap(const Vec2d& half, const Vec2d& b, const Vec2d& rest) {
  CoreGap2 gap;
  gap.on_b = b;
  gap.on_a = closest_point_in_box(-half, half, b);
  const Vec2d out = b - gap.on_a;
  if (out.x != 0 && out.y != 0) {
    gap.normal = normalized(out);
    gap.separation = dot(out, gap.normal);
    return gap;
  }
  // Over a side, or inside: out through the nearest side
  const Vec2d d = abs(b) - half;
  const int axis = d.y > d.x ? 1 : 0;
  const bool inside = out == Vec2d{};
  gap.unique = !inside || (d.x != d.y && b[axis] != 0);
  const double sign = b[axis] < 0 ? -1 : 1;
  const TwoDoubles exact = two_difference(std::fabs(b[axis]), half[axis]);
  gap.separation = exact.hi, gap.tail = exact.lo + sign * rest[axis];
  gap.normal[axis] = sign;
  gap.on_a[axis] = sign * half[axis];
  return gap;
}

CoreGap2 box_segment_gap(const Vec2d& half, const Segment2d& b) {
  if (b.a == b.b) return box_point_gap(half, b.a);
  // Least overlap: the sides of the box, and square to the segment. Positive gaps among them prove it is apart.
  LeastOverlap<2> least;
  for (int i = 0; i < 2; ++i) {
    Vec2d n{};
    n[i] = 1;
    least.look(n, -half[i], half[i], std::min(b.a[i], b.b[i]), std::max(b.a[i], b.b[i]), i);
  }
  const Vec2d n = across(b);
  const double radius = dot(abs(n), half), s = dot(n, b.a);
  least.look(n, -radius, radius, s, s, 2);

  double blur = 0;
  if (least.overlap < 0) {
    // Apart: an end and the box, or a corner and the segment
    CoreGap2 best = box_point_gap(half, b.a);
    if (const CoreGap2 other = box_point_gap(half, b.b); other.separation < best.separation) best = other;
    for (int corner = 0; corner < 4; ++corner) {
      const Vec2d at{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y};
      const ClosestOnSegment<2, double> on = closest_point(b, at);
      if (const double d = std::sqrt(on.distance_squared); d < best.separation)
        best = apart(at, on.point, d, on.t > 0 && on.t < 1 ? b.b - b.a : Vec2d{});
    }
    if (best.separation > kCoreTouch * (max_abs(half) + size_of(b))) return best;
    blur = best.separation;
  }
  CoreGap2 gap;
  gap.normal = least.normal, gap.separation = -least.overlap, gap.unique = !least.tie, gap.blur = blur;
  Segment2d side;
  for (int j = 0; j < 2; ++j) side.a[j] = side.b[j] = gap.normal[j] < 0 ? -half[j] : half[j];
  if (least.axis < 2) {
    const int j = 1 - least.axis;
    side.a[j] = -half[j], side.b[j] = half[j];
    witness_over(side, b, gap, max_abs(half) + size_of(b),
                 [&](const Vec2d& p) { return closest_point_in_box(-half, half, p - gap.normal * gap.separation); });
  } else {
    gap.on_a = side.a;
    const ClosestOnSegment<2, double> on = closest_point(b, gap.on_a);
    gap.on_b = on.point;
    // Beside the corner: the segment is parallel to a side, up to rounding, of which every point is as deep
    if (!(on.t > 0 && on.t < 1)) gap.on_a = closest_point_in_box(-half, half, gap.on_b - gap.normal * gap.separation);
  }
  return gap;
}

CoreGap2 polygon_point_gap(const ConvexBody2& a, const Vec2d& b) {
  const std::span<const Vec2d> v = a.vertices(), normals = a.normals();
  if (a.dimension() == 0) return segment_point_gap({v[0], v[0]}, b);
  if (a.dimension() == 1) return segment_point_gap({v[0], v[1]}, b);
  // Inside exactly when no side has the point in front of it; then out through the nearest side
  CoreGap2 gap;
  gap.separation = -std::numeric_limits<double>::infinity();
  gap.on_b = b;
  double nearest = std::numeric_limits<double>::infinity();
  bool outside = false;
  Vec2d closest{};
  const Vec2d* over = nullptr;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Segment2d side{v[i], v[i + 1 < v.size() ? i + 1 : 0]};
    const double d = dot(b - side.a, normals[i]);
    if (d == gap.separation) gap.unique = false;
    if (d > gap.separation) gap.separation = d, gap.normal = normals[i], gap.unique = true;
    if (orient2d(side.a, side.b, b) >= 0) continue;
    outside = true;
    const ClosestOnSegment<2, double> on = closest_point(side, b);
    if (on.distance_squared < nearest) {
      nearest = on.distance_squared, closest = on.point;
      over = on.t > 0 && on.t < 1 ? &normals[i] : nullptr;
    }
  }
  if (outside) {
    gap.unique = true, gap.on_a = closest;
    const double distance = std::sqrt(nearest);
    if (over != nullptr) {
      // Over a side its normal is better than the difference of two points near each other
      gap.normal = *over, gap.separation = std::max(dot(b - closest, gap.normal), 0.0);
    } else if (distance > kCoreTouch * (a.size() + max_abs(b))) {
      return apart(closest, b, distance);
    } else {
      gap.separation = distance;
    }
    return gap;
  }
  gap.separation = std::min(gap.separation, 0.0);
  gap.on_a = b - gap.normal * gap.separation;
  return gap;
}

}  // namespace sudar
