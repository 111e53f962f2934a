#include <sudar/geom/closest.hpp>
#include <sudar/math/dyadic.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/box_box2.hpp>
#include <sudar/narrowphase/far_pair.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar {

namespace {

// The gaps along x, y, and across u_x and u_y (the normals of B's sides of high y and of high x)
struct FourGaps {
  double gap[4], length[4], size;
};
FourGaps gaps_of(const Vec2d& a, const Vec2d& b, const Placement2& place) {
  const Mat2d& r = place.turn;
  const Vec2d& t = place.translation;
  const double det = std::fabs(cross(r.x, r.y));
  return {{std::fabs(t.x) - a.x - std::fabs(r.x.x) * b.x - std::fabs(r.y.x) * b.y,
           std::fabs(t.y) - a.y - std::fabs(r.x.y) * b.x - std::fabs(r.y.y) * b.y,
           std::fabs(cross(r.x, t)) - (std::fabs(r.x.y) * a.x + std::fabs(r.x.x) * a.y) - det * b.y,
           std::fabs(cross(r.y, t)) - (std::fabs(r.y.y) * a.x + std::fabs(r.y.x) * a.y) - det * b.x},
          {1, 1, length(r.x), length(r.y)},
          std::fabs(t.x) + std::fabs(t.y) + a.x + a.y + b.x + b.y};
}

bool intersects_exactly(const Vec2d& half_a, const Vec2d& half_b, const Placement2& place) {
  const double turn[] = {place.turn.x.x, place.turn.x.y, place.turn.y.x, place.turn.y.y, 1};
  const double lengths[] = {
      place.translation.x, place.translation.y, place.rest.x, place.rest.y, half_a.x, half_a.y, half_b.x, half_b.y};
  const int turn_unit = common_exponent(turn), unit = common_exponent(lengths);
  const auto magnitude = [](auto x) {
    x.negative = false;
    return x;
  };
  const auto one = to_dyadic(1, turn_unit);
  const auto entry = [&](int j, int i) { return to_dyadic(turn[2 * j + i], turn_unit); };
  const auto t = [&](int i) { return to_dyadic(lengths[i], unit) + to_dyadic(lengths[2 + i], unit); };
  const auto a = [&](int i) { return to_dyadic(lengths[4 + i], unit); };
  const auto b = [&](int i) { return to_dyadic(lengths[6 + i], unit); };
  for (int i = 0; i < 2; ++i) {
    const auto reach = a(i) * one + magnitude(entry(0, i)) * b(0) + magnitude(entry(1, i)) * b(1);
    if ((magnitude(t(i)) * one - reach).sign() > 0) return false;
  }
  const auto det = magnitude(entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0));
  for (int j = 0; j < 2; ++j) {
    const auto along = magnitude(entry(j, 0) * t(1) - entry(j, 1) * t(0));
    const auto reach = magnitude(entry(j, 1)) * a(0) + magnitude(entry(j, 0)) * a(1);
    if (((along - reach) * one - det * b(1 - j)).sign() > 0) return false;
  }
  return true;
}

bool decide(const FourGaps& gaps, const Vec2d& half_a, const Vec2d& half_b, const Placement2& place) {
  const double rounding = kBoxApart * gaps.size + kBoxUnderflow;
  const bool small_turn = max_abs(place.turn.x) <= kBoxTurnLimit && max_abs(place.turn.y) <= kBoxTurnLimit;
  const double widest = std::max(std::max(gaps.gap[0], gaps.gap[1]), std::max(gaps.gap[2], gaps.gap[3]));
  if (small_turn && widest > rounding) return false;
  if (small_turn && widest < -rounding) return true;
  return intersects_exactly(half_a, half_b, place);
}

Vec2d farthest_corner(const Vec2d& half, const Vec2d& direction) {
  return {std::copysign(half.x, direction.x), std::copysign(half.y, direction.y)};
}
Vec2d corner_of(const Vec2d& half, int which) { return {which & 1 ? half.x : -half.x, which & 2 ? half.y : -half.y}; }
int nearest_corner(const Vec2d& half, const Placement2& met_from_corners, const Vec2d& met_half, double& best) {
  int out = 0;
  for (int k = 0; k < 4; ++k) {
    const Vec2d p = transform(met_from_corners, corner_of(half, k));
    const double d = length_squared(p - closest_point_in_box(-met_half, met_half, p));
    if (d < best || k == 0) best = d, out = k;
  }
  return out;
}

// The deepest point of B under side `axis` of A, over that side. Where a side of B is parallel up to `tilt`: the middle of
// what lies over A's, or its deeper end.
void point_over_side(int axis, double side, const Vec2d& half_a, const Vec2d& half_b, const Placement2& place,
                     double size, double tilt, bool middle, Vec2d& on_a, Vec2d& on_b) {
  const int other = 1 - axis;
  // The more upright one leaves no choice: B is flat or small where it is short enough to count as parallel
  const int upright = std::fabs(place.turn.y[axis]) > std::fabs(place.turn.x[axis]) ? 1 : 0;
  int free = -1;
  on_b = place.translation;
  for (int j = 0; j < 2; ++j) {
    const Vec2d& u = j == 0 ? place.turn.x : place.turn.y;
    const double along = u[axis] * side;
    if (j == upright || std::fabs(along) * half_b[j] > tilt * size) {
      on_b += u * (along > 0 ? -half_b[j] : half_b[j]);
      continue;
    }
    free = j;
  }
  if (free >= 0) {
    const Vec2d& u = free == 0 ? place.turn.x : place.turn.y;
    const double s = (-half_a[other] - on_b[other]) / u[other], t = (half_a[other] - on_b[other]) / u[other];
    const double lo = std::max(-half_b[free], std::min(s, t)), hi = std::min(half_b[free], std::max(s, t));
    const double deeper = u[axis] * side < 0 ? hi : lo;
    on_b += u * std::clamp(middle ? (lo + hi) / 2 : deeper, -half_b[free], half_b[free]);
  }
  on_a = on_b;
  on_a[axis] = side * half_a[axis];
  on_a[other] = std::clamp(on_a[other], -half_a[other], half_a[other]);
}
void side_witness(int axis, double side, const Vec2d& half_a, const Vec2d& half_b, const Placement2& place, double size,
                  Vec2d& on_a, Vec2d& on_b) {
  point_over_side(axis, side, half_a, half_b, place, size, kBoxCertificate, true, on_a, on_b);
  // Where another axis is as good, up to rounding, the deepest corner may lie beside the side
  if (std::fabs(on_a[1 - axis] - on_b[1 - axis]) <= kBoxCertificate * size) return;
  point_over_side(axis, side, half_a, half_b, place, size, kBoxThin, false, on_a, on_b);
}

}  // namespace

bool box_box_intersects2(const Vec2d& half_a, const Vec2d& half_b, const Placement2& a_from_b) {
  if (is_far(a_from_b)) return false;
  return decide(gaps_of(half_a, half_b, a_from_b), half_a, half_b, a_from_b);
}

bool box_box_intersects2_plain(const Vec2d& half_a, const Vec2d& half_b, const Placement2& a_from_b) {
  return intersects_exactly(half_a, half_b, a_from_b);
}

DistanceAnswer2 box_box_distance2(const Vec2d& half_a, const Vec2d& half_b, const Placement2& a_from_b) {
  if (is_far(a_from_b))
    return far_apart<2>(
        a_from_b, [&](const Vec2d& d) { return farthest_corner(half_a, d); },
        [&](const Vec2d& d) { return farthest_corner(half_b, d); });
  const FourGaps gaps = gaps_of(half_a, half_b, a_from_b);
  DistanceAnswer2 out;
  out.hit = decide(gaps, half_a, half_b, a_from_b);
  int axis = 0;
  double gap = gaps.gap[0], widest = gap;
  for (int k = 1; k < 4; ++k) {
    const double g = gaps.gap[k] / gaps.length[k];
    if (g > gap + (k >= 2 ? kBoxFacePreference * gaps.size : 0)) gap = g, axis = k;
    widest = std::max(widest, g);
  }
  Vec2d normal{};
  if (axis < 2)
    normal[axis] = 1;
  else
    normal = perp(axis == 2 ? a_from_b.turn.x : a_from_b.turn.y) / gaps.length[axis];
  if (dot(normal, a_from_b.translation) < 0) normal = -normal;
  const double rounding = kBoxApart * gaps.size;

  if (out.hit) {
    out.normal = normal;
    if (axis < 2) {
      side_witness(axis, normal[axis], half_a, half_b, a_from_b, gaps.size, out.point_a, out.point_b);
    } else {
      // Across u_x lies the side of B along y
      const int side_axis = axis == 2 ? 1 : 0;
      const double side = dot(normal, side_axis == 0 ? a_from_b.turn.x : a_from_b.turn.y) < 0 ? 1 : -1;
      Vec2d on_b, on_a;
      side_witness(side_axis, side, half_b, half_a, inverse(a_from_b), gaps.size, on_b, on_a);
      out.point_a = transform(a_from_b, on_a);
      out.point_b = transform(a_from_b, on_b);
    }
    out.separation = std::min(gap, 0.0);
    out.lower = out.separation - rounding;
    // Another side may be preferred to the one that is the least deep
    out.upper = std::min(std::max(out.separation, widest) + rounding, 0.0);
    return out;
  }

  // A corner of either box is always one of the closest points
  const Placement2 back = inverse(a_from_b);
  double of_b = 0, of_a = 0;
  const int corner_b = nearest_corner(half_b, a_from_b, half_a, of_b),
            corner_a = nearest_corner(half_a, back, half_b, of_a);
  const bool b_is_corner = of_b <= of_a;
  const Vec2d local = b_is_corner ? corner_of(half_b, corner_b) : corner_of(half_a, corner_a);
  const Vec2d& met_half = b_is_corner ? half_a : half_b;
  const Vec2d corner = transform(b_is_corner ? a_from_b : back, local);
  const Vec2d met = closest_point_in_box(-met_half, met_half, corner), outward = corner - met,
              unit = normalized(outward);
  out.point_a = b_is_corner ? met : local;
  out.point_b = b_is_corner ? corner : transform(a_from_b, met);
  const double distance = length(outward);
  out.separation = distance > 0 ? distance : std::numeric_limits<double>::min();
  if (distance - gap <= kBoxCertificate * gaps.size) {
    out.normal = normal;
    out.lower = gap - rounding;
  } else {
    out.normal = b_is_corner ? unit : -(a_from_b.turned ? a_from_b.turn * unit : unit);
    out.lower = dot(out.normal, a_from_b.translation) - dot(abs(out.normal), half_a) -
                dot(abs(to_b(a_from_b, out.normal)), half_b) - rounding;
  }
  out.lower = std::clamp(out.lower, 0.0, out.separation);
  out.upper = out.separation + rounding;
  return out;
}

}  // namespace sudar
