// What:    See impact_filter.hpp.
#include <sudar/continuous/impact_filter.hpp>
#include <sudar/math/tolerance.hpp>

#include <cmath>

namespace sudar {

namespace {

// The bounds, with u = kRoundoff and m.x, m.y, m.z the largest differences along the axes:
//   Area along an axis: two differences, a product, and three sums at most make 6 factors (1 + δ) on each monomial.
//     There are at most four of them of size m.y m.z (say) in a coefficient; halving is exact. A value or coefficient
//     over a part of [0, 1] is a convex combination in two steps of three factors each. So 4 · 12 u, with room.
constexpr double kAreaError = 64 * kRoundoff;
//   Determinant: three differences, two products, five sums and the third are 12 factors on 6 monomials of size
//     m.x m.y m.z; a value is a combination in three steps of three factors; kMaxDepth splits in three steps of two
//     factors each are 60 more. So 6 · (12 + 9 + 60) u, with room.
constexpr int kMaxDepth = 10;
constexpr double kDeterminantError = 640 * kRoundoff;
//   Underflow: a product is off by 2^-1075, times at most 2^100 later; a bound that is not zero is above 2^-350.
constexpr double kSmallest = 0x1p-100, kLargest = 0x1p100;
// Splits stay exact: four bits each, in numbers of 53. Not in the middle, where roots of made-up cases like to be.
constexpr double kSplit = 0.4375;
static_assert(4 * kMaxDepth < 53);

// A vector that moves linearly
struct Moving {
  Vec3d at0, at1;
};
template <std::size_t N>
Moving difference(const std::array<Vec3d, N>& start, const std::array<Vec3d, N>& end, std::size_t i, std::size_t j) {
  return {start[i] - start[j], end[i] - end[j]};
}

// Bernstein coefficients of a cross product, all three components
struct MovingCross {
  Vec3d c[3];
};
MovingCross cross(const Moving& u, const Moving& v) {
  return {cross(u.at0, v.at0), (cross(u.at0, v.at1) + cross(u.at1, v.at0)) * 0.5, cross(u.at1, v.at1)};
}
MovingCross operator-(const MovingCross& p, const MovingCross& q) {
  return {p.c[0] - q.c[0], p.c[1] - q.c[1], p.c[2] - q.c[2]};
}

struct Cubic {
  double c[4];
  double error;
};
Cubic determinant(const Moving& u, const MovingCross& n, double error) {
  constexpr double kThird = 1.0 / 3;
  return {{dot(u.at0, n.c[0]), (dot(u.at1, n.c[0]) + 2 * dot(u.at0, n.c[1])) * kThird,
           (2 * dot(u.at1, n.c[1]) + dot(u.at0, n.c[2])) * kThird, dot(u.at1, n.c[2])},
          error};
}

double mix(double a, double b, double t) { return (1 - t) * a + t * b; }
double value(const Cubic& f, double t) {
  const double a = mix(f.c[0], f.c[1], t), b = mix(f.c[1], f.c[2], t), c = mix(f.c[2], f.c[3], t);
  return mix(mix(a, b, t), mix(b, c, t), t);
}
int certain_sign(double x, double error) { return x > error ? 1 : x < -error ? -1 : 0; }

// The signs that tell inside from outside, exact_impact.hpp's planes
template <std::size_t J>
struct Areas {
  MovingCross area[J];
  Vec3d error;
};
enum class Side : std::uint8_t { outside, inside, unknown };

template <std::size_t J>
Side side_over(const Areas<J>& areas, double lo, double hi) {
  for (int k = 0; k < 3; ++k) {
    const double e = areas.error[k];
    bool positive = false, negative = false, uncertain = false;
    for (const MovingCross& g : areas.area) {
      const double a = mix(g.c[0][k], g.c[1][k], lo), b = mix(g.c[1][k], g.c[2][k], lo);
      const double c = mix(g.c[0][k], g.c[1][k], hi), d = mix(g.c[1][k], g.c[2][k], hi);
      const int s0 = certain_sign(mix(a, b, lo), e), s1 = certain_sign(mix(a, b, hi), e);
      const int s2 = certain_sign(mix(c, d, hi), e);
      positive |= s0 + s1 + s2 == 3;
      negative |= s0 + s1 + s2 == -3;
      uncertain |= s0 + s1 + s2 != 3 && s0 + s1 + s2 != -3;
    }
    if (positive && negative) return Side::outside;
    if (!uncertain) return Side::inside;
  }
  return Side::unknown;
}

// Around the only root in (lo, hi), at whose ends the signs are certain
struct Bracket {
  double lo, hi, middle;
};
Bracket narrow(const Cubic& f, double lo, double hi, double at_lo, double at_hi) {
  // Newton's method in powers of t, kept between the ends; rounding here does no harm
  const double p0 = f.c[0], p1 = 3 * (f.c[1] - f.c[0]), p2 = 3 * ((f.c[2] - f.c[1]) - (f.c[1] - f.c[0]));
  const double p3 = (f.c[3] - f.c[0]) + 3 * (f.c[1] - f.c[2]);
  const bool rising = at_lo < 0;
  constexpr int kSteps = 20;
  constexpr double kNear = 0x1p-50;
  double a = lo, b = hi, x = lo + (hi - lo) * (at_lo / (at_lo - at_hi)), slope = 0;
  if (!(x > lo && x < hi)) x = lo / 2 + hi / 2;
  for (int i = 0; i < kSteps; ++i) {
    const double y = ((p3 * x + p2) * x + p1) * x + p0;
    slope = (3 * p3 * x + 2 * p2) * x + p1;
    ((y < 0) == rising ? a : b) = x;
    double next = x - y / slope;
    if (!(next >= a && next <= b)) next = a / 2 + b / 2;
    const double step = std::fabs(next - x);
    x = next;
    if (step <= kNear) break;
  }
  // Out to where the signs are certain
  Bracket r{lo, hi, x};
  const int sign_lo = rising ? -1 : 1;
  const double reach = 2 * f.error / std::fabs(slope) + kNear;
  constexpr double kGrow = 64;
  for (double d = reach, tried = 0; tried < 2; d *= kGrow, ++tried)
    if (const double t = x - d; t > lo && certain_sign(value(f, t), f.error) == sign_lo) {
      r.lo = t;
      break;
    }
  for (double d = reach, tried = 0; tried < 2; d *= kGrow, ++tried)
    if (const double t = x + d; t < hi && certain_sign(value(f, t), f.error) == -sign_lo) {
      r.hi = t;
      break;
    }
  return r;
}

// Coefficients over a part of [0, 1]
struct Part {
  double lo, hi;
  double c[4];
  int depth;
};

template <std::size_t J>
FilteredImpact first_contact(const Cubic& f, const Areas<J>& areas) {
  Part stack[kMaxDepth + 2];
  int size = 0;
  stack[size++] = {0, 1, {f.c[0], f.c[1], f.c[2], f.c[3]}, 0};
  while (size > 0) {
    const Part part = stack[--size];
    int s[4];
    for (int i = 0; i < 4; ++i) s[i] = certain_sign(part.c[i], f.error);
    if (s[0] + s[1] + s[2] + s[3] == 4 || s[0] + s[1] + s[2] + s[3] == -4) continue;
    // One change of sign, whatever the uncertain ones are: one root
    if (s[0] * s[3] == -1 && (s[1] == s[0] || s[2] == s[3])) {
      const Bracket b = narrow(f, part.lo, part.hi, part.c[0], part.c[3]);
      const Side side = side_over(areas, b.lo, b.hi);
      if (side == Side::outside) continue;
      if (side == Side::inside) return {FilterVerdict::hit, b.lo, b.middle};
      return {FilterVerdict::unsure};
    }
    if (side_over(areas, part.lo, part.hi) == Side::outside) continue;
    // An uncertain end stays uncertain in one of the parts
    constexpr int kPatience = 2;
    if (part.depth == kMaxDepth || (s[0] * s[3] == 0 && part.depth >= kPatience)) return {FilterVerdict::unsure};
    const double* c = part.c;
    constexpr double w = kSplit, v = 1 - w;
    const double c01 = v * c[0] + w * c[1], c12 = v * c[1] + w * c[2], c23 = v * c[2] + w * c[3];
    const double c012 = v * c01 + w * c12, c123 = v * c12 + w * c23, middle = v * c012 + w * c123;
    const double at = part.lo + w * (part.hi - part.lo);
    stack[size++] = {at, part.hi, {middle, c123, c23, c[3]}, part.depth + 1};
    stack[size++] = {part.lo, at, {c[0], c01, c012, middle}, part.depth + 1};
  }
  return {FilterVerdict::miss};
}

// The largest size along each axis of both ends of three moving vectors
Vec3d extent(const Moving& u, const Moving& v, const Moving& w) {
  return max(max(max(abs(u.at0), abs(u.at1)), max(abs(v.at0), abs(v.at1))), max(abs(w.at0), abs(w.at1)));
}
bool in_range(const Vec3d& m) {
  for (int k = 0; k < 3; ++k)
    if (m[k] != 0 && !(m[k] > kSmallest && m[k] < kLargest)) return false;
  return true;
}
Vec3d area_error(const Vec3d& m) { return Vec3d{m.y * m.z, m.z * m.x, m.x * m.y} * kAreaError; }
double determinant_error(const Vec3d& m) { return kDeterminantError * (m.x * m.y * m.z); }

// All differences along some axis have one sign at both ends, and so between. The sign of a difference is exact.
template <class... Vectors>
bool apart_along_an_axis(const Moving& first, const Vectors&... others) {
  Vec3d lo = min(first.at0, first.at1), hi = max(first.at0, first.at1);
  ((lo = min(lo, min(others.at0, others.at1)), hi = max(hi, max(others.at0, others.at1))), ...);
  return lo.x > 0 || lo.y > 0 || lo.z > 0 || hi.x < 0 || hi.y < 0 || hi.z < 0;
}

bool one_sign(const Cubic& f) {
  const double lo = std::fmin(std::fmin(f.c[0], f.c[1]), std::fmin(f.c[2], f.c[3]));
  const double hi = std::fmax(std::fmax(f.c[0], f.c[1]), std::fmax(f.c[2], f.c[3]));
  return lo > f.error || hi < -f.error;
}

}  // namespace

FilteredImpact filter_vertex_face(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end) noexcept {
  const Moving a = difference(start, end, 1, 0), b = difference(start, end, 2, 0), c = difference(start, end, 3, 0);
  if (apart_along_an_axis(a, b, c)) return {FilterVerdict::miss};
  const Vec3d m = extent(a, b, c);
  if (!in_range(m)) return {FilterVerdict::unsure};
  const MovingCross bc = cross(b, c);
  const Cubic f = determinant(a, bc, determinant_error(m));
  if (one_sign(f)) return {FilterVerdict::miss};
  return first_contact(f, Areas<3>{{cross(a, b), bc, cross(c, a)}, area_error(m)});
}

FilteredImpact filter_edge_edge(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end) noexcept {
  const Moving w = difference(start, end, 2, 0), da = difference(start, end, 3, 0);
  const Moving cb = difference(start, end, 2, 1), db = difference(start, end, 3, 1);
  if (apart_along_an_axis(w, da, cb, db)) return {FilterVerdict::miss};
  const Moving u = difference(start, end, 1, 0), v = difference(start, end, 3, 2);
  const Vec3d m = extent(u, v, w);
  if (!in_range(m)) return {FilterVerdict::unsure};
  const MovingCross n = cross(u, v);
  const Cubic f = determinant(w, n, determinant_error(m));
  if (one_sign(f)) return {FilterVerdict::miss};
  const MovingCross s = cross(w, v), r = cross(w, u);
  return first_contact(f, Areas<4>{{n - s, n - r, s, r}, area_error(m)});
}

// In the plane the determinant is of degree 2, written as a cubic. A point on the line of the edge lies on the edge when
// the differences to the ends have different signs along an axis: those to one end and minus those to the other are the
// areas of first_contact, written as of degree 2.
FilteredImpact filter_point_edge(const std::array<Vec2d, 3>& start, const std::array<Vec2d, 3>& end) noexcept {
  const auto lift = [](const Vec2d& p) { return Vec3d{p.x, p.y, 0}; };
  const Moving a{lift(start[1] - start[0]), lift(end[1] - end[0])}, b{lift(start[2] - start[0]), lift(end[2] - end[0])};
  if (apart_along_an_axis(a, b)) return {FilterVerdict::miss};
  const Vec3d m = extent(a, b, b);
  if (!in_range(m)) return {FilterVerdict::unsure};
  const MovingCross n = cross(a, b);
  constexpr double kThird = 1.0 / 3;
  const Cubic f{{n.c[0].z, (n.c[0].z + 2 * n.c[1].z) * kThird, (2 * n.c[1].z + n.c[2].z) * kThird, n.c[2].z},
                kDeterminantError * (m.x * m.y)};
  if (one_sign(f)) return {FilterVerdict::miss};
  const auto raised = [](const Moving& v) { return MovingCross{v.at0, (v.at0 + v.at1) * 0.5, v.at1}; };
  return first_contact(f, Areas<2>{{raised(a), raised({-b.at0, -b.at1})}, m * kAreaError});
}

}  // namespace sudar
