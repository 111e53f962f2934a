#include <sudar/geom/projection.hpp>
#include <sudar/math/dyadic.hpp>
#include <sudar/narrowphase/placed_triangles.hpp>
#include <sudar/narrowphase/triangle_meet.hpp>

#include <algorithm>

namespace sudar {

namespace {

using detail::to_wide;
using detail::WideNumber;

// Coordinates as multiples of 2^E, E >= -2148, below 2^1030: 50 limbs
constexpr int kLimbs = 50;
using Coordinate = Dyadic<kLimbs>;

Coordinate make_coordinate(WideProduct m, bool negative, int shift) {
  Coordinate r;
  if (m.hi == 0 && m.lo == 0) return r;
  const int skip = shift / 64, part = shift % 64;
  for (int i = 0; i < skip; ++i) r.limb[i] = 0;
  const std::uint64_t out[3] = {m.lo << part, part == 0 ? m.hi : m.hi << part | m.lo >> (64 - part),
                                part == 0 ? 0 : m.hi >> (64 - part)};
  r.size = skip;
  for (const std::uint64_t x : out)
    if (r.size < kLimbs) r.limb[r.size++] = x;
  r.trim();
  r.negative = negative;
  return r;
}
int exponent_of(double x) { return odd_mantissa(x).exponent; }

// Sums that keep their type: the budget of bits is known
Coordinate sum(const Coordinate& a, const Coordinate& b) {
  const auto wide = a + b;
  Coordinate r;
  r.size = std::min(wide.size, kLimbs);
  for (int i = 0; i < r.size; ++i) r.limb[i] = wide.limb[i];
  r.negative = wide.negative;
  return r;
}

// The exact corners, made when first asked for
class ExactCorners {
 public:
  ExactCorners(const Triangle<3, double>& a, const Triangle<3, double>& b_b, const Placement3& a_from_b)
      : a_(a), b_(b_b), placement_(a_from_b) {}

  const Coordinate& operator()(int corner, int axis) {
    if (!made_) make();
    return c_[corner][axis];
  }
  int exponent() {
    if (!made_) make();
    return unit_;
  }

 private:
  template <class F>
  void for_each_term(F&& visit) const {
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        visit(i, k, a_[i][k], 1.0);
        for (int m = 0; m < 3; ++m) {
          if (placement_.turned)
            visit(3 + i, k, placement_.turn.row(k)[m], b_[i][m]);
          else if (m == k)
            visit(3 + i, k, 1.0, b_[i][m]);
        }
        visit(3 + i, k, placement_.translation[k], 1.0);
        visit(3 + i, k, placement_.rest[k], 1.0);
      }
  }
  void make() {
    made_ = true;
    unit_ = 2000;
    for_each_term([&](int, int, double x, double y) {
      if (x != 0 && y != 0) unit_ = std::min(unit_, exponent_of(x) + exponent_of(y));
    });
    for_each_term([&](int corner, int axis, double x, double y) {
      if (x == 0 || y == 0) return;
      const OddMantissa p = odd_mantissa(x), q = odd_mantissa(y);
      const Coordinate term =
          make_coordinate(wide_product(p.mantissa, q.mantissa), (x < 0) != (y < 0), p.exponent + q.exponent - unit_);
      c_[corner][axis] = sum(c_[corner][axis], term);
    });
  }

  const Triangle<3, double>&a_, &b_;
  const Placement3& placement_;
  Coordinate c_[6][3];
  int unit_ = 0;
  bool made_ = false;
};

// A determinant in doubles and how far it may be off
struct Bounded {
  double value, bound;

  int sign() const { return value > bound ? 1 : value < -bound ? -1 : 0; }
};
// Differences may be off by `delta` each
Bounded volume_of(const Vec3d& u, const Vec3d& v, const Vec3d& w, double delta) {
  Vec3d m = max(max(abs(u), abs(v)), abs(w));
  for (int k = 0; k < 3; ++k) m[k] += delta;
  // As in orient3d; besides, six monomials, each with three factors that may be off
  constexpr double kError = 6 * 9 * kRoundoff, kTiny = 0x1p-900;
  const double bound = kError * (m.x * m.y) * m.z + 6.5 * delta * (m.x * m.y + m.y * m.z + m.z * m.x) + kTiny;
  return {dot(cross(u, v), w), max_abs(m) < 0x1p150 ? bound : std::numeric_limits<double>::infinity()};
}

class PlacedSigns {
 public:
  PlacedSigns(const Triangle<3, double>& a, const Triangle<3, double>& b_b, const Placement3& a_from_b)
      : exact_(a, b_b, a_from_b) {
    const PlacedTriangle b = place(b_b, a_from_b);
    p_[0] = a.a, p_[1] = a.b, p_[2] = a.c, p_[3] = b.corners.a, p_[4] = b.corners.b, p_[5] = b.corners.c;
    delta_ = 2 * b.error;
  }

  int side(int i, int j, int k, int l) const {
    if (const int s = volume_of(p_[j] - p_[i], p_[k] - p_[i], p_[l] - p_[i], delta_).sign(); s != 0) return s;
    return exact_volume(i, j, k, l).sign();
  }
  void three_sides(int plane, int other, int (&out)[3]) const {
    for (int i = 0; i < 3; ++i) out[i] = side(plane, plane + 1, plane + 2, other + i);
  }
  int turn(int axis, int i, int j, int k) const {
    if (const int s = area_of(axis, i, j, k).sign(); s != 0) return s;
    return exact_area(axis, i, j, k).sign();
  }
  int order(int axis, int i, int j) const {
    const double d = p_[i][axis] - p_[j][axis];
    // The difference of two numbers of one sign is exact enough for its sign; the slack is that of the corners
    if (std::fabs(d) > 2 * delta_) return d > 0 ? 1 : -1;
    return (exact_(i, axis) - exact_(j, axis)).sign();
  }
  WideNumber volume(int i, int j, int k, int l) const {
    const Bounded x = volume_of(p_[j] - p_[i], p_[k] - p_[i], p_[l] - p_[i], delta_);
    if (std::fabs(x.value) * 0x1p-30 > x.bound) return {x.value, 0};
    return exact_volume(i, j, k, l);
  }
  WideNumber area(int axis, int i, int j, int k) const {
    const Bounded x = area_of(axis, i, j, k);
    if (std::fabs(x.value) * 0x1p-30 > x.bound) return {x.value, 0};
    return exact_area(axis, i, j, k);
  }
  const Vec3d& corner(int i) const { return p_[i]; }
  int widest_axis(int i, int j, int k) const {
    const Vec3d n = abs(cross(p_[j] - p_[i], p_[k] - p_[i]));
    return n.z >= n.x && n.z >= n.y ? 2 : n.x >= n.y ? 0 : 1;
  }

 private:
  Bounded area_of(int axis, int i, int j, int k) const {
    const Vec2d a = drop(p_[i], axis) - drop(p_[k], axis), b = drop(p_[j], axis) - drop(p_[k], axis);
    const double left = a.x * b.y, right = a.y * b.x;
    const double reach = std::fabs(a.x) + std::fabs(a.y) + std::fabs(b.x) + std::fabs(b.y) + 2 * delta_;
    return {left - right, 8 * kRoundoff * (std::fabs(left) + std::fabs(right)) + 1.5 * delta_ * reach + 0x1p-1000};
  }
  WideNumber exact_volume(int i, int j, int k, int l) const {
    const auto diff = [&](int m, int axis) { return exact_(m, axis) - exact_(i, axis); };
    const auto ux = diff(j, 0), uy = diff(j, 1), uz = diff(j, 2), vx = diff(k, 0), vy = diff(k, 1), vz = diff(k, 2);
    const auto wx = diff(l, 0), wy = diff(l, 1), wz = diff(l, 2);
    return to_wide((uy * vz - uz * vy) * wx + (uz * vx - ux * vz) * wy + (ux * vy - uy * vx) * wz,
                   3 * exact_.exponent());
  }
  WideNumber exact_area(int axis, int i, int j, int k) const {
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    const auto diff = [&](int m, int ax) { return exact_(m, ax) - exact_(k, ax); };
    return to_wide(diff(i, x) * diff(j, y) - diff(i, y) * diff(j, x), 2 * exact_.exponent());
  }

  Vec3d p_[6];
  double delta_ = 0;
  mutable ExactCorners exact_;
};

}  // namespace

namespace detail {

int filter_placed(const Triangle<3, double>& a, const PlacedTriangle& placed) noexcept {
  const Triangle<3, double>& b = placed.corners;
  const double delta = 2 * placed.error;
  int signs[2];
  for (int n = 0; n < 2; ++n) {
    // Corners of a before the plane of b, then the other way round
    const Triangle<3, double>&plane = n == 0 ? b : a, &t = n == 0 ? a : b;
    ThreeSides s = detail::three_sides(plane, t);
    const Vec3d u = plane.b - plane.a, v = plane.c - plane.a;
    Vec3d m = max(abs(u), abs(v));
    for (int i = 0; i < 3; ++i) m = max(m, abs(t[i] - plane.a));
    // Each factor of each monomial may be off; the square terms in delta are small against the half monomial spared
    for (int k = 0; k < 3; ++k) m[k] += delta;
    s.bound += 6.5 * delta * (m.x * m.y + m.y * m.z + m.z * m.x);
    s.bound *= 1 + 0x1p-20;
    if (s.apart()) return -1;
    if (!s.clear()) return 0;
    signs[n] = s.positive();
  }
  return filter_crossings(a, placed, signs[0], signs[1]);
}

int filter_crossings(const Triangle<3, double>& a, const PlacedTriangle& b, int pa, int pb) noexcept {
  const double delta = 2 * b.error;
  const CrossingEdges e = crossing_edges(a, b.corners, pa, pb);
  const int upper = volume_of(e.a1 - e.a0, e.b0 - e.a0, e.b1 - e.a0, delta).sign();
  if (upper > 0) return -1;
  const int lower = volume_of(e.a2 - e.a0, e.b0 - e.a0, e.b2 - e.a0, delta).sign();
  if (lower < 0) return -1;
  return upper < 0 && lower > 0 ? 1 : 0;
}

bool decide_placed(const Triangle<3, double>& a, const Triangle<3, double>& b_b, const Placement3& a_from_b) noexcept {
  const PlacedSigns signs(a, b_b, a_from_b);
  return TriangleMeet(signs).decide();
}

}  // namespace detail

TriangleIntersection intersection_exact(const Triangle<3, double>& a, const Triangle<3, double>& b_b,
                                        const Placement3& a_from_b) noexcept {
  if (is_identity(a_from_b)) return intersection_exact(a, b_b);
  const PlacedSigns signs(a, b_b, a_from_b);
  return detail::TriangleMeet(signs).construct();
}

}  // namespace sudar
