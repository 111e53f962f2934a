// What:    Whether two triangles meet and in what, by signs alone: the algorithm behind triangle_triangle.hpp, over any
//          source of exact signs for its six corners.
// Source:  derived here; that eight signs of tetrahedra suffice is the observation of Guigue and Devillers, "Fast and
//          Robust Triangle-Triangle Overlap Test Using Orientation Predicates", 2003, whose published planar part is
//          wrong for some orders of the corners. The planar part here is the separating-line test and, for the polygon,
//          a clipping whose corners are names, not numbers.
// Differs: Two triangles a, b in two planes, normals na, nb; L = na × nb runs along both. Order the corners so that a0 is
//          on one side of the plane of b, a1 and a2 on the other or in it, and turn b over, if need be, so that a0 is in
//          front. The same for b0. Then all four edges a0 a1, a0 a2, b0 b1, b0 b2 run strictly downward through the
//          other's plane and cross L, edge u from a at p and edge v from b at q. Now
//              orient3d(a0, a1, b0, b1) = det(u, q - p, v) = c (q - p)·L,  c = (u·nb)(v·na) / L² > 0,
//          because L × v = nb (na·v). So its sign orders the crossings along L. a covers [a0 a2, a0 a1] of L: seen from
//          na, turning from a1 to a2 about a0 goes against L below a0. b covers [b0 b1, b0 b2], by symmetry, since its
//          own L is -L. Two intervals meet when neither begins after the other ends: two signs.
// Frame:   Corners 0, 1, 2 are a's, 3, 4, 5 are b's.
// Fails:   never; flat triangles (collinear corners) show up as planes that contain everything, and go their own way.
#pragma once

#include <sudar/math/dyadic.hpp>
#include <sudar/narrowphase/triangle_triangle.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sudar::detail {

// A number whose sign is exact, m · 2^e, wide enough for any product of three coordinates
struct WideNumber {
  double m = 0;
  int e = 0;

  int sign() const { return m > 0 ? 1 : m < 0 ? -1 : 0; }
};
template <int N>
WideNumber to_wide(const Dyadic<N>& x, int exponent) {
  if (x.size == 0) return {};
  // The two leading limbs carry more than a double can
  double m = 0;
  const int low = std::max(0, x.size - 2);
  for (int i = x.size - 1; i >= low; --i) m = m * 0x1p64 + static_cast<double>(x.limb[i]);
  return {x.negative ? -m : m, exponent + 64 * low};
}
// Where between f and g, which have no common sign, is zero
inline double zero_between(const WideNumber& f, const WideNumber& g) {
  if (f.m == 0) return 0;
  return 1 / (1 + std::ldexp(std::fabs(g.m) / std::fabs(f.m), g.e - f.e));
}
inline Vec3d point_between(const Vec3d& p, const Vec3d& q, double t) {
  const Vec3d pq = q - p;
  if (!(max_abs(pq) <= std::numeric_limits<double>::max())) return p * (1 - t) + q * t;
  // From the nearer end, so that the ends are hit exactly
  return t <= 0.5 ? p + pq * t : q - pq * (1 - t);
}

// Signs: what answers about the corners, exactly
//   int side(i, j, k, l)                orient3d
//   void three_sides(p, q, out)         the sides of corners q, q + 1, q + 2 of the plane of p, p + 1, p + 2
//   int turn(axis, i, j, k)             orient2d of the shadows along an axis (projection.hpp)
//   int order(axis, i, j)               sign of corner i's coordinate minus j's
//   WideNumber volume(i, j, k, l), area(axis, i, j, k)   the numbers behind the signs, to a few roundings
//   Vec3d corner(i)                     to nearest
//   int widest_axis(i, j, k)            where the shadow of a triangle is likely to be largest
template <class Signs>
class TriangleMeet {
 public:
  explicit TriangleMeet(const Signs& signs) : s_(signs) {}

  bool decide() {
    if (!sides()) return false;
    if (in_plane_) return decide_in_plane();
    lone_corners_first();
    return s_.side(a_[0], a_[1], b_[0], b_[1]) <= 0 && s_.side(a_[0], a_[2], b_[0], b_[2]) >= 0;
  }

  TriangleIntersection construct() {
    if (!sides()) return {};
    if (in_plane_) return construct_in_plane();
    lone_corners_first();
    const int upper = s_.side(a_[0], a_[1], b_[0], b_[1]), lower = s_.side(a_[0], a_[2], b_[0], b_[2]);
    if (upper > 0 || lower < 0) return {};
    TriangleIntersection out;
    // Begin where the later interval begins, end where the earlier one ends
    out.points[0] = s_.side(a_[0], a_[2], b_[0], b_[1]) > 0 ? through(b_[0], b_[1], 0) : through(a_[0], a_[2], 3);
    out.points[1] = s_.side(a_[0], a_[1], b_[0], b_[2]) > 0 ? through(a_[0], a_[1], 3) : through(b_[0], b_[2], 0);
    const bool point = upper == 0 || lower == 0 || sa_[a_[0]] == 0 || sb_[b_[0] - 3] == 0;
    out.count = point ? 1 : 2;
    out.kind = point ? ContactKind::point : ContactKind::segment;
    return out;
  }

 private:
  // The sides of all corners of the other plane. False when a plane has all of a triangle strictly on one side.
  bool sides() {
    s_.three_sides(3, 0, sa_);
    if (sa_[0] != 0 && sa_[0] == sa_[1] && sa_[1] == sa_[2]) return false;
    s_.three_sides(0, 3, sb_);
    if (sb_[0] != 0 && sb_[0] == sb_[1] && sb_[1] == sb_[2]) return false;
    // A plane that contains all of the other triangle: they are coplanar, or the plane is not one
    in_plane_ = (sa_[0] == 0 && sa_[1] == 0 && sa_[2] == 0) || (sb_[0] == 0 && sb_[1] == 0 && sb_[2] == 0);
    return true;
  }

  // The corner from which both edges go down, for sides that are neither all zero nor all of one sign. `up` tells
  // whether the plane has the right side up for that.
  static int lone(const int (&side)[3], bool& up) {
    for (int i = 0; i < 3; ++i) {
      const int x = side[i], y = side[(i + 1) % 3], z = side[(i + 2) % 3];
      if (x >= 0 && y <= 0 && z <= 0 && x > y && x > z) {
        up = true;
        return i;
      }
      if (x <= 0 && y >= 0 && z >= 0 && x < y && x < z) {
        up = false;
        return i;
      }
    }
    SUDAR_ASSERT(false);
    return 0;
  }
  void lone_corners_first() {
    bool b_up = true, a_up = true;
    const int i = lone(sa_, b_up), j = lone(sb_, a_up);
    a_[0] = i, a_[1] = (i + 1) % 3, a_[2] = (i + 2) % 3;
    b_[0] = 3 + j, b_[1] = 3 + (j + 1) % 3, b_[2] = 3 + (j + 2) % 3;
    if (!a_up) std::swap(a_[1], a_[2]);
    if (!b_up) std::swap(b_[1], b_[2]);
  }
  // Where the edge crosses the plane of the triangle that starts at corner `plane`; ends in the plane are hit exactly
  Vec3d through(int from, int to, int plane) const {
    const int(&side)[3] = plane == 3 ? sa_ : sb_;
    if (side[from % 3] == 0) return s_.corner(from);
    if (side[to % 3] == 0) return s_.corner(to);
    const WideNumber f = s_.volume(plane, plane + 1, plane + 2, from), g = s_.volume(plane, plane + 1, plane + 2, to);
    return point_between(s_.corner(from), s_.corner(to), zero_between(f, g));
  }

  // An axis along which the triangle has a shadow with area; -1 when it is flat
  int shadow_axis(int first) const {
    const int guess = s_.widest_axis(first, first + 1, first + 2);
    for (int k = 0; k < 3; ++k)
      if (s_.turn((guess + k) % 3, first, first + 1, first + 2) != 0) return (guess + k) % 3;
    return -1;
  }
  // Ends of a flat triangle: along a line, the lexicographic order is the order on the line
  bool before(int i, int j) const {
    for (int axis = 0; axis < 3; ++axis)
      if (const int order = s_.order(axis, i, j); order != 0) return order < 0;
    return false;
  }
  std::pair<int, int> ends(int first) const {
    int lo = first, hi = first;
    for (int i = first + 1; i < first + 3; ++i) {
      if (before(i, lo)) lo = i;
      if (before(hi, i)) hi = i;
    }
    return {lo, hi};
  }

  bool decide_in_plane() const {
    const int axis = shadow_axis(0);
    if (axis < 0) {
      const auto [p, q] = ends(0);
      return segment_meets(p, q, 3);
    }
    const int turn_a = s_.turn(axis, 0, 1, 2), turn_b = s_.turn(axis, 3, 4, 5);
    if (turn_b == 0) {
      // In the plane of a, a shadow without area is a flat triangle; out of it, b has no plane at all
      const auto [p, q] = ends(3);
      return segment_meets(p, q, 0);
    }
    return !separated(axis, 0, turn_a, 3) && !separated(axis, 3, turn_b, 0);
  }
  // An edge of the first has all of the second strictly outside
  bool separated(int axis, int first, int turn, int second) const {
    for (int i = 0; i < 3; ++i) {
      const int p = first + i, q = first + (i + 1) % 3;
      if (s_.turn(axis, p, q, second) * turn < 0 && s_.turn(axis, p, q, second + 1) * turn < 0 &&
          s_.turn(axis, p, q, second + 2) * turn < 0)
        return true;
    }
    return false;
  }

  // Segment against triangle, either of which may be less than its name says
  bool segment_meets(int p, int q, int t) const {
    const int side_p = s_.side(t, t + 1, t + 2, p), side_q = s_.side(t, t + 1, t + 2, q);
    if (side_p * side_q > 0) return false;
    const int x = s_.side(p, q, t, t + 1), y = s_.side(p, q, t + 1, t + 2), z = s_.side(p, q, t + 2, t);
    if (side_p != 0 || side_q != 0) return (x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0);
    // In one plane, unless the segment passes a flat triangle askew. All three shadows meet when the sets do.
    if (x != 0 || y != 0 || z != 0) return false;
    for (int axis = 0; axis < 3; ++axis)
      if (!shadows_meet(axis, p, q, t)) return false;
    return true;
  }
  bool shadows_meet(int axis, int p, int q, int t) const {
    const int x = s_.turn(axis, t, t + 1, p), y = s_.turn(axis, t + 1, t + 2, p), z = s_.turn(axis, t + 2, t, p);
    if ((x != 0 || y != 0 || z != 0) && ((x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0))) return true;
    for (int i = 0; i < 3; ++i)
      if (shadows_cross(axis, p, q, t + i, t + (i + 1) % 3)) return true;
    return false;
  }
  bool shadows_cross(int axis, int p, int q, int r, int u) const {
    const int a = s_.turn(axis, r, u, p), b = s_.turn(axis, r, u, q);
    const int c = s_.turn(axis, p, q, r), d = s_.turn(axis, p, q, u);
    if (a != 0 || b != 0 || c != 0 || d != 0) return a * b <= 0 && c * d <= 0;
    // On one line: the boxes meet
    for (int k = 1; k <= 2; ++k) {
      const int ax = (axis + k) % 3;
      const int lo = s_.order(ax, p, q) <= 0 ? p : q, hi = lo == p ? q : p;
      const int from = s_.order(ax, r, u) <= 0 ? r : u, to = from == r ? u : r;
      if (s_.order(ax, lo, to) > 0 || s_.order(ax, from, hi) > 0) return false;
    }
    return true;
  }

  // A corner of the common polygon by name: a corner of a, one of b, or where edge i of a crosses line k of b; and the
  // line along which the polygon goes on: 0, 1, 2 of a, 3, 4, 5 of b
  struct Name {
    enum Kind { of_a, of_b, crossing } kind;
    int i, k, line;
  };
  struct Clip {
    Name corner[8];
    int count = 0;
  };

  TriangleIntersection construct_in_plane() {
    TriangleIntersection out;
    const int axis = shadow_axis(0);
    if (axis < 0 || s_.turn(axis, 3, 4, 5) == 0) {
      if (decide_in_plane()) construct_flat(axis < 0 ? 0 : 3, out);
      return out;
    }
    out.coplanar = true;
    // Both counterclockwise in the shadow
    const bool turn_a = s_.turn(axis, 0, 1, 2) < 0, turn_b = s_.turn(axis, 3, 4, 5) < 0;
    a_[0] = 0, a_[1] = turn_a ? 2 : 1, a_[2] = turn_a ? 1 : 2;
    b_[0] = 3, b_[1] = turn_b ? 5 : 4, b_[2] = turn_b ? 4 : 5;
    // in_b_[i][k]: side of a's corner i of b's line k, positive inside; in_a_[k][i] likewise
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        in_b_[i][k] = s_.turn(axis, b_[k], b_[(k + 1) % 3], a_[i]);
        in_a_[k][i] = s_.turn(axis, a_[i], a_[(i + 1) % 3], b_[k]);
      }
    Clip clip;
    for (int i = 0; i < 3; ++i) clip.corner[clip.count++] = {Name::of_a, i, 0, i};
    for (int k = 0; k < 3 && clip.count > 0; ++k) clip = clipped(clip, k);
    // By the names, seen from the front of a
    out.count = clip.count;
    for (int n = 0; n < clip.count; ++n) out.points[turn_a ? clip.count - 1 - n : n] = place(axis, clip.corner[n]);
    out.kind = out.count >= 3   ? ContactKind::polygon
               : out.count == 2 ? ContactKind::segment
               : out.count == 1 ? ContactKind::point
                                : ContactKind::none;
    return out;
  }
  // Side of a named corner of b's line k
  int side_of(const Name& n, int k) const {
    if (n.kind == Name::of_a) return in_b_[n.i][k];
    if (n.kind == Name::of_b) return n.k == k || n.k == (k + 1) % 3 ? 0 : 1;
    if (n.k == k) return 0;
    // Go along line n.k from the corner it shares with line k, inward: is the line of edge i still to come? Its slope
    // on the way is known from how edge i crosses line n.k.
    const bool next = k == (n.k + 1) % 3;
    const int shared = next ? k : n.k;
    const int rises = in_b_[(n.i + 1) % 3][n.k] > 0 ? 1 : -1, slope = next ? rises : -rises;
    const int at = in_a_[shared][n.i] * slope;
    return at < 0 ? 1 : at == 0 ? 0 : -1;
  }
  // Where the polygon's edge along `line` crosses b's line k properly
  Name cross_at(int line, int k, int onward) const {
    if (line >= 3) return {Name::of_b, 0, line - 3 == (k + 1) % 3 ? line - 3 : k, onward};
    if (in_a_[k][line] == 0) return {Name::of_b, 0, k, onward};
    if (in_a_[(k + 1) % 3][line] == 0) return {Name::of_b, 0, (k + 1) % 3, onward};
    return {Name::crossing, line, k, onward};
  }
  bool same(const Name& x, const Name& y) const {
    if (x.kind == y.kind) return (x.kind == Name::of_b || x.i == y.i) && (x.kind == Name::of_a || x.k == y.k);
    if (x.kind == Name::crossing || y.kind == Name::crossing) return false;
    const int i = a_[x.kind == Name::of_a ? x.i : y.i], k = b_[x.kind == Name::of_b ? x.k : y.k];
    return s_.order(0, i, k) == 0 && s_.order(1, i, k) == 0 && s_.order(2, i, k) == 0;
  }
  void push(Clip& clip, const Name& n) const {
    if (clip.count > 0 && same(clip.corner[clip.count - 1], n)) --clip.count;
    clip.corner[clip.count++] = n;
  }
  Clip clipped(const Clip& in, int k) const {
    Clip out;
    for (int n = 0; n < in.count; ++n) {
      const Name &p = in.corner[n], &q = in.corner[(n + 1) % in.count];
      const int side_p = side_of(p, k), side_q = side_of(q, k);
      if (side_p >= 0) push(out, {p.kind, p.i, p.k, side_p == 0 && side_q < 0 ? 3 + k : p.line});
      if (side_p > 0 && side_q < 0) push(out, cross_at(p.line, k, 3 + k));
      if (side_p < 0 && side_q > 0) push(out, cross_at(p.line, k, p.line));
    }
    while (out.count > 1 && same(out.corner[0], out.corner[out.count - 1])) --out.count;
    return out;
  }
  Vec3d place(int axis, const Name& n) const {
    if (n.kind == Name::of_a) return s_.corner(a_[n.i]);
    if (n.kind == Name::of_b) return s_.corner(b_[n.k]);
    const int p = a_[n.i], q = a_[(n.i + 1) % 3], u = b_[n.k], v = b_[(n.k + 1) % 3];
    return point_between(s_.corner(p), s_.corner(q), zero_between(s_.area(axis, u, v, p), s_.area(axis, u, v, q)));
  }

  // The triangle at `flat` is a segment and is known to meet the other
  void construct_flat(int flat, TriangleIntersection& out) const {
    const int other = 3 - flat;
    const auto [p, q] = ends(flat);
    out.count = 1, out.kind = ContactKind::point;
    if (s_.side(other, other + 1, other + 2, p) != 0 || s_.side(other, other + 1, other + 2, q) != 0) {
      out.points[0] = through(p, q, other);
      return;
    }
    // Along the segment, the part from `from` to `to` is inside of everything seen so far
    const int axis = shadow_axis(other);
    double from = 0, to = 1;
    const auto cut = [&](const WideNumber& f, const WideNumber& g) {
      if (f.sign() < 0 && g.sign() > 0) from = std::max(from, zero_between(f, g));
      if (f.sign() > 0 && g.sign() < 0) to = std::min(to, zero_between(f, g));
      if (f.sign() < 0 && g.sign() == 0) from = 1;
      if (f.sign() == 0 && g.sign() < 0) to = 0;
    };
    if (axis >= 0) {
      const int turn = s_.turn(axis, other, other + 1, other + 2);
      for (int i = 0; i < 3; ++i) {
        WideNumber f = s_.area(axis, other + i, other + (i + 1) % 3, p);
        WideNumber g = s_.area(axis, other + i, other + (i + 1) % 3, q);
        f.m *= turn, g.m *= turn;
        cut(f, g);
      }
    } else if (const auto [r, u] = ends(other); !crossing_of_segments(p, q, r, u, from, to)) {
      // On one line
      const int lo = before(p, r) ? r : p, hi = before(q, u) ? q : u;
      out.points[0] = s_.corner(lo), out.points[1] = s_.corner(hi);
      if (before(lo, hi)) out.count = 2, out.kind = ContactKind::segment;
      return;
    }
    out.points[0] = point_between(s_.corner(p), s_.corner(q), from);
    out.points[1] = point_between(s_.corner(p), s_.corner(q), to);
    if (from < to && before(p, q)) out.count = 2, out.kind = ContactKind::segment;
  }
  // Segments that meet. False when the four ends lie on one line.
  bool crossing_of_segments(int p, int q, int r, int u, double& from, double& to) const {
    for (int axis = 0; axis < 3; ++axis) {
      const WideNumber f = s_.area(axis, r, u, p), g = s_.area(axis, r, u, q);
      if (f.sign() != 0 || g.sign() != 0) {
        from = to = zero_between(f, g);
        return true;
      }
    }
    return false;
  }

  const Signs& s_;
  int sa_[3] = {}, sb_[3] = {};
  bool in_plane_ = false;
  int a_[3] = {}, b_[3] = {};
  int in_a_[3][3] = {}, in_b_[3][3] = {};
};

}  // namespace sudar::detail
