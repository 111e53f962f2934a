#include <sudar/geom/projection.hpp>
#include <sudar/math/fixed_integer.hpp>
#include <sudar/narrowphase/triangle_meet.hpp>
#include <sudar/narrowphase/triangle_triangle.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sudar {

namespace {

using detail::ThreeSides;
using detail::to_wide;
using detail::WideNumber;

// The signs of six corners that are given as doubles
class DoubleSigns {
 public:
  DoubleSigns(const Triangle<3, double>& a, const Triangle<3, double>& b, const ThreeSides& sa, const ThreeSides& sb)
      : p_{a.a, a.b, a.c, b.a, b.b, b.c}, sides_{sa, sb} {
    for (int i = 0; i < 3; ++i)
      for (int j = 3; j < 6; ++j)
        if (p_[i] == p_[j]) same_[i] |= 1 << j, same_[j] |= 1 << i;
  }

  // The sides of three corners of the plane of the others
  void three_sides(int plane, int other, int (&out)[3]) const {
    const ThreeSides& s = sides_[other / 3];
    int open = 0;
    for (int i = 0; i < 3; ++i) {
      out[i] = s.d[i] > s.bound ? 1 : s.d[i] < -s.bound ? -1 : 0;
      // Triangles that share a corner or an edge are the rule in meshes: no arithmetic for them
      if (out[i] == 0 && same_[other + i] == 0) open |= 1 << i;
    }
    if (open == 0) return;
    if (to_integers()) return integer_sides(plane, other, open, out);
    for (int i = 0; i < 3; ++i)
      if ((open >> i & 1) != 0) out[i] = detail::orient3d_exact(p_[plane], p_[plane + 1], p_[plane + 2], p_[other + i]);
  }
  int side(int i, int j, int k, int l) const {
    const int set = 1 << i | 1 << j | 1 << k | 1 << l;
    if (((same_[i] | same_[j] | same_[k] | same_[l]) & set) != 0) return 0;
    return orient3d(p_[i], p_[j], p_[k], p_[l]);
  }
  int turn(int axis, int i, int j, int k) const {
    const int set = 1 << i | 1 << j | 1 << k;
    if (((same_[i] | same_[j] | same_[k]) & set) != 0) return 0;
    return orient_along(axis, p_[i], p_[j], p_[k]);
  }
  int order(int axis, int i, int j) const { return int{p_[i][axis] > p_[j][axis]} - int{p_[i][axis] < p_[j][axis]}; }
  const Vec3d& corner(int i) const { return p_[i]; }
  int widest_axis(int i, int j, int k) const {
    const Vec3d n = abs(cross(p_[j] - p_[i], p_[k] - p_[i]));
    return n.z >= n.x && n.z >= n.y ? 2 : n.x >= n.y ? 0 : 1;
  }

  WideNumber volume(int i, int j, int k, int l) const {
    const Vec3d &a = p_[i], &b = p_[j], &c = p_[k], &d = p_[l];
    const Vec3d u = b - a, v = c - a, w = d - a;
    const Vec3d size = max(max(abs(u), abs(v)), abs(w));
    const double det = dot(cross(u, v), w);
    if (std::fabs(det) > kSureVolume * size.x * size.y * size.z && std::fabs(det) > 0x1p-800) return {det, 0};
    const double x[12] = {a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z};
    const int e = common_exponent(x);
    const auto diff = [&](int m, int n) { return to_dyadic(x[m], e) - to_dyadic(x[n], e); };
    const auto ux = diff(3, 0), uy = diff(4, 1), uz = diff(5, 2), vx = diff(6, 0), vy = diff(7, 1), vz = diff(8, 2);
    const auto wx = diff(9, 0), wy = diff(10, 1), wz = diff(11, 2);
    return to_wide((uy * vz - uz * vy) * wx + (uz * vx - ux * vz) * wy + (ux * vy - uy * vx) * wz, 3 * e);
  }
  WideNumber area(int axis, int i, int j, int k) const {
    const Vec2d a = drop(p_[i], axis), b = drop(p_[j], axis), c = drop(p_[k], axis);
    const double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x), det = left - right;
    if (std::fabs(det) > kSureVolume * (std::fabs(left) + std::fabs(right)) && std::fabs(det) > 0x1p-800)
      return {det, 0};
    const double x[6] = {a.x, a.y, b.x, b.y, c.x, c.y};
    const int e = common_exponent(x);
    const auto diff = [&](int m, int n) { return to_dyadic(x[m], e) - to_dyadic(x[n], e); };
    return to_wide(diff(0, 4) * diff(3, 5) - diff(1, 5) * diff(2, 4), 2 * e);
  }

 private:
  // All corners on one grid of 61 bits, when they are; once for all signs of the pair
  bool to_integers() const {
    if (grid_ == Grid::unknown) grid_ = find_grid() ? Grid::found : Grid::none;
    return grid_ == Grid::found;
  }
  bool find_grid() const {
    constexpr int kBits = 60;
    double largest = 0;
    for (const Vec3d& p : p_) largest = std::max(largest, max_abs(p));
    const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52);
    if (exponent <= kBits || exponent > 2046) return false;
    const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(2046 + kBits - exponent) << 52);
    const double unit = std::bit_cast<double>(static_cast<std::uint64_t>(exponent - kBits) << 52);
    bool whole = true;
    std::uint64_t bits = 0;
    for (int i = 0; i < 6; ++i)
      for (int k = 0; k < 3; ++k) {
        // What is cut off, by the conversion or by underflow, is missed on the way back
        integer_[i][k] = static_cast<std::int64_t>(p_[i][k] * scale);
        whole &= static_cast<double>(integer_[i][k]) * unit == p_[i][k];
        bits |= static_cast<std::uint64_t>(integer_[i][k]);
      }
    // Common zeros at the end tell nothing
    const int zeros = std::countr_zero(bits);
    for (auto& row : integer_)
      for (std::int64_t& x : row) x >>= zeros;
    narrow_ = kBits + 1 - zeros <= kNarrowBits;
    return whole;
  }
  void integer_sides(int plane, int other, int open, int (&out)[3]) const {
    std::int64_t u[3], v[3], w[3];
    for (int k = 0; k < 3; ++k) {
      u[k] = integer_[plane + 1][k] - integer_[plane][k];
      v[k] = integer_[plane + 2][k] - integer_[plane][k];
    }
    const auto differences = [&](int i) {
      for (int k = 0; k < 3; ++k) w[k] = integer_[other + i][k] - integer_[plane][k];
    };
#if defined(__SIZEOF_INT128__)
    if (narrow_) {
      // Differences below 2^41, minors below 2^83, the sum below 3 · 2^124
      __extension__ using Wide = __int128;
      const auto minor = [&](int k, int l) { return Wide{u[k]} * v[l] - Wide{u[l]} * v[k]; };
      const Wide n[3] = {minor(1, 2), minor(2, 0), minor(0, 1)};
      for (int i = 0; i < 3; ++i) {
        if ((open >> i & 1) == 0) continue;
        differences(i);
        const Wide d = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
        out[i] = int{d > 0} - int{d < 0};
      }
      return;
    }
#endif
    // Differences below 2^62, minors below 2^126, the sum below 3 · 2^187: three words
    const auto product = [](std::int64_t x, std::int64_t y) { return to_fixed(x) * to_fixed(y); };
    const auto minor = [&](int k, int l) { return product(u[k], v[l]) - product(u[l], v[k]); };
    const FixedInteger<2> n[3] = {minor(1, 2), minor(2, 0), minor(0, 1)};
    for (int i = 0; i < 3; ++i) {
      if ((open >> i & 1) == 0) continue;
      differences(i);
      out[i] = ((n[0] * to_fixed(w[0]) + n[1] * to_fixed(w[1])) + n[2] * to_fixed(w[2])).sign();
    }
  }

  enum class Grid : std::uint8_t { unknown, found, none };
  static constexpr int kNarrowBits = 40;

  Vec3d p_[6];
  ThreeSides sides_[2];
  int same_[6] = {};
  mutable Grid grid_ = Grid::unknown;
  mutable bool narrow_ = false;
  mutable std::int64_t integer_[6][3];
};

// The common part of two triangles in (nearly) one plane, in rounded numbers: a clipped by the edges of b
TriangleIntersection clip_rounded(const Triangle<3, double>& a, const Triangle<3, double>& b, const Vec3d& normal) {
  Vec3d polygon[16] = {a.a, a.b, a.c}, next[16];
  int count = 3;
  for (int k = 0; k < 3; ++k) {
    const Vec3d inward = cross(normal, b[(k + 1) % 3] - b[k]);
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const Vec3d &p = polygon[i], &q = polygon[(i + 1) % count];
      const double f = dot(inward, p - b[k]), g = dot(inward, q - b[k]);
      if (f >= 0) next[kept++] = p;
      if (count > 1 && f * g < 0) next[kept++] = lerp(p, q, f / (f - g));
    }
    // Corners that fell together
    count = 0;
    for (int i = 0; i < kept; ++i)
      if (count == 0 || !(polygon[count - 1] == next[i])) polygon[count++] = next[i];
    while (count > 1 && polygon[0] == polygon[count - 1]) --count;
  }
  TriangleIntersection out;
  out.coplanar = true;
  out.count = std::min(count, 6);
  for (int i = 0; i < out.count; ++i) out.points[i] = polygon[i];
  out.kind = count > 2    ? ContactKind::polygon
             : count == 2 ? ContactKind::segment
             : count == 1 ? ContactKind::point
                          : ContactKind::none;
  return out;
}

// Where a triangle crosses the other's plane: numbers along the line, and the points
struct Crossing {
  double t[2];
  Vec3d p[2];
};
Crossing crossing_interval(const Triangle<3, double>& t, const double (&d)[3], const Vec3d& along) {
  // The corner that is alone on its side; a corner in the plane is with the smaller party
  int lone = 0;
  if (d[1] * d[2] > 0 || d[0] != 0)
    lone = d[0] * d[1] > 0 ? 2 : d[0] * d[2] > 0 ? 1 : 0;
  else
    lone = d[1] != 0 ? 1 : 2;
  Crossing out{};
  for (int k = 0; k < 2; ++k) {
    const int other = (lone + 1 + k) % 3;
    const double span = d[lone] - d[other];
    out.p[k] = span != 0 ? lerp(t[lone], t[other], d[lone] / span) : t[lone];
    out.t[k] = dot(along, out.p[k]);
  }
  if (out.t[0] > out.t[1]) std::swap(out.t[0], out.t[1]), std::swap(out.p[0], out.p[1]);
  return out;
}

}  // namespace

namespace detail {

bool triangles_meet(const Triangle<3, double>& a, const Triangle<3, double>& b, const ThreeSides& sa,
                    const ThreeSides& sb) noexcept {
  const DoubleSigns signs(a, b, sa, sb);
  return TriangleMeet(signs).decide();
}

}  // namespace detail

TriangleIntersection intersection_exact(const Triangle<3, double>& a, const Triangle<3, double>& b) noexcept {
  const ThreeSides sa = detail::three_sides(b, a);
  if (sa.apart()) return {};
  const ThreeSides sb = detail::three_sides(a, b);
  if (sb.apart()) return {};
  const DoubleSigns signs(a, b, sa, sb);
  return detail::TriangleMeet(signs).construct();
}

template <class Trace>
TriangleIntersection intersection_by_intervals(const Triangle<3, double>& a, const Triangle<3, double>& b,
                                               Trace trace) {
  const auto say = [&](std::string_view step, std::span<const double> numbers) {
    if constexpr (Trace::kEnabled) trace({.step = step, .numbers = numbers});
  };
  // Each triangle against the plane of the other
  const Vec3d nb = double_area(b), na = double_area(a);
  const double da[3] = {dot(nb, a.a - b.a), dot(nb, a.b - b.a), dot(nb, a.c - b.a)};
  say("plane of b", da);
  const double db[3] = {dot(na, b.a - a.a), dot(na, b.b - a.a), dot(na, b.c - a.a)};
  say("plane of a", db);
  for (const auto& d : {da, db})
    if ((d[0] > 0 && d[1] > 0 && d[2] > 0) || (d[0] < 0 && d[1] < 0 && d[2] < 0)) {
      say("apart", {});
      return {};
    }
  // All in one plane: a problem in the plane
  if ((da[0] == 0 && da[1] == 0 && da[2] == 0) || (db[0] == 0 && db[1] == 0 && db[2] == 0)) {
    say("coplanar", {});
    const TriangleIntersection out = clip_rounded(a, b, nb);
    say(out ? "meet" : "apart", {});
    return out;
  }
  // The intervals on the line of the two planes
  const Vec3d along = cross(na, nb);
  say("line", {&along.x, 3});
  const Crossing ia = crossing_interval(a, da, along), ib = crossing_interval(b, db, along);
  say("interval of a", ia.t);
  say("interval of b", ib.t);
  if (ia.t[1] < ib.t[0] || ib.t[1] < ia.t[0]) {
    say("apart", {});
    return {};
  }
  TriangleIntersection out;
  out.points[0] = ia.t[0] > ib.t[0] ? ia.p[0] : ib.p[0];
  out.points[1] = ia.t[1] < ib.t[1] ? ia.p[1] : ib.p[1];
  const bool point = std::max(ia.t[0], ib.t[0]) == std::min(ia.t[1], ib.t[1]);
  out.count = point ? 1 : 2;
  out.kind = point ? ContactKind::point : ContactKind::segment;
  say("meet", {&out.points[0].x, static_cast<std::size_t>(3 * out.count)});
  return out;
}
template TriangleIntersection intersection_by_intervals(const Triangle<3, double>&, const Triangle<3, double>&,
                                                        NoTrace);
template TriangleIntersection intersection_by_intervals(const Triangle<3, double>&, const Triangle<3, double>&,
                                                        TraceTo);

}  // namespace sudar
