// What:    GJK of hulls in Highway lanes, see the header.
#if defined(SUDAR_HAVE_HIGHWAY)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/narrowphase/hull_lanes3.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on
#endif

#include <sudar/narrowphase/hull_lanes3.hpp>
#include <sudar/narrowphase/simplex3.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#if defined(SUDAR_HAVE_HIGHWAY)
HWY_BEFORE_NAMESPACE();
namespace sudar::hull_lanes_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors whose length is not known to the compiler cannot be kept in arrays
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

inline const float* column(const ConvexBody3& body, int axis, float) {
  return axis == 0 ? body.xs_f() : axis == 1 ? body.ys_f() : body.zs_f();
}
inline const double* column(const ConvexBody3& body, int axis, double) {
  return axis == 0 ? body.xs() : axis == 1 ? body.ys() : body.zs();
}

// A body's columns, padded to sixteen by its last vertex
template <class T>
struct Columns {
  const T* axis[3];
  std::uint32_t padded, last;

  void set(const ConvexBody3& body) {
    for (int i = 0; i < 3; ++i) axis[i] = column(body, i, T());
    padded = body.padded_count();
    last = body.vertex_count() - 1;
  }
};

// The farthest vertex in a direction
template <class T>
HWY_INLINE std::uint32_t farthest(const Columns<T>& columns, T x, T y, T z) {
  const T *xs = columns.axis[0], *ys = columns.axis[1], *zs = columns.axis[2];
  const std::size_t padded = columns.padded;
  const hn::CappedTag<T, 16> d;
  const hn::RebindToSigned<decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  const auto dx = hn::Set(d, x), dy = hn::Set(d, y), dz = hn::Set(d, z);
  const auto product = [&](std::size_t i) HWY_ATTR {
    return hn::MulAdd(hn::Load(d, zs + i), dz, hn::MulAdd(hn::Load(d, ys + i), dy, hn::Mul(hn::Load(d, xs + i), dx)));
  };
  auto best = product(0);
  auto which = hn::Zero(di);
  for (std::size_t i = lanes; i < padded; i += lanes) {
    const auto value = product(i);
    const auto better = hn::Gt(value, best);
    best = hn::IfThenElse(better, value, best);
    which = hn::IfThenElse(hn::RebindMask(di, better), hn::Set(di, static_cast<hn::TFromD<decltype(di)>>(i)), which);
  }
  const auto top = hn::Eq(best, hn::MaxOfLanes(d, best));
  const auto lane = hn::FindFirstTrue(d, top);
  if (lane < 0) return 0;
  if (padded == lanes) return std::min(static_cast<std::uint32_t>(lane), columns.last);
  HWY_ALIGN hn::TFromD<decltype(di)> base[16];
  hn::Store(which, di, base);
  return std::min(static_cast<std::uint32_t>(base[lane]) + static_cast<std::uint32_t>(lane), columns.last);
}

// Numbers of all lanes, in rows
template <class T>
struct State {
  static constexpr std::size_t kLanes = 16;
  alignas(64) T turn[3][3][kLanes];               // turn[j][i]: entry i of column j
  alignas(64) T shift[3][kLanes], reach[kLanes];  // reach: as Difference3's; infinite where lanes prove nothing
  alignas(64) T corner[kLanes];                   // how far off a coordinate of a corner, or of the centre, may be
  alignas(64) T v[3][kLanes];                     // the closest point so far, or the first direction
  alignas(64) T p[3][3][kLanes], ia[3][kLanes], ib[3][kLanes];  // corners kept, and their vertices
  alignas(64) T valid[3][kLanes];                               // 1 where a corner is kept
  alignas(64) T vv[kLanes], known[kLanes];                      // known: v is a point of the set
  alignas(64) T from_a[3][kLanes], from_b[3][kLanes];           // directions to search
  alignas(64) T new_a[3][kLanes], new_b[3][kLanes];             // vertices found
  alignas(64) T id_a[kLanes], id_b[kLanes], done[kLanes];
};
// Why a lane ends
enum : int { kGoesOn = 0, kApart = 1, kInside = 2, kClosest = 3 };

template <class T>
constexpr T kGap = std::numeric_limits<T>::epsilon() * T(std::is_same_v<T, float> ? 64 : 4096);

// What lanes compute is off by less than these times the unit roundoff of T, per reach of the pair. Vertices, placement and
// the way between the centres are rounded to T first. A corner of the difference: 2 roundings of A's coordinate, up to 8 of
// the shift, 24 of the turned one. The least product with a direction: twice the errors of both supports, 8 and 24, and
// those of the corner and of its product. Without fused products; with them there are fewer.
template <class T>
constexpr T kUnit = std::numeric_limits<T>::epsilon() / 2;
template <class T>
constexpr T kCornerError = 24 * kUnit<T>;
template <class T>
constexpr T kPlaneError = 96 * kUnit<T>;
// Reaches for which no product of the above leaves the range of T
constexpr double kLeastReach = 0x1p-20, kMostReach = 0x1p20;

// Where both hulls are to be searched for the least corner along `v` of each lane
template <class T>
HWY_INLINE void directions(State<T>& s, const T (&v)[3][State<T>::kLanes]) {
  const hn::CappedTag<T, 16> d;
  for (std::size_t l = 0; l < State<T>::kLanes; l += hn::Lanes(d)) {
    const auto x = hn::Load(d, v[0] + l), y = hn::Load(d, v[1] + l), z = hn::Load(d, v[2] + l);
    hn::Store(hn::Neg(x), d, s.from_a[0] + l);
    hn::Store(hn::Neg(y), d, s.from_a[1] + l);
    hn::Store(hn::Neg(z), d, s.from_a[2] + l);
    for (int j = 0; j < 3; ++j)
      hn::Store(hn::MulAdd(hn::Load(d, s.turn[j][2] + l), z,
                           hn::MulAdd(hn::Load(d, s.turn[j][1] + l), y, hn::Mul(hn::Load(d, s.turn[j][0] + l), x))),
                d, s.from_b[j] + l);
  }
}

// The new corner joins; the closest point of what it spans with the old ones, all cases at once
template <class T>
HWY_INLINE void advance(State<T>& s, std::size_t l, bool decide) {
  const hn::CappedTag<T, 16> d;
  using V = hn::Vec<decltype(d)>;
  const auto load = [&](const T* p) HWY_ATTR { return hn::Load(d, p + l); };
  const V zero = hn::Zero(d), one = hn::Set(d, T(1));
  const auto dot3 = [&](const V* a, const V* b)
                        HWY_ATTR { return hn::MulAdd(a[2], b[2], hn::MulAdd(a[1], b[1], hn::Mul(a[0], b[0]))); };
  V w[3];
  for (int i = 0; i < 3; ++i) {
    V b = load(s.shift[i]);
    for (int j = 0; j < 3; ++j) b = hn::MulAdd(load(s.turn[j][i]), load(s.new_b[j]), b);
    w[i] = hn::Sub(load(s.new_a[i]), b);
  }
  const V v[3] = {load(s.v[0]), load(s.v[1]), load(s.v[2])};
  const V vv = dot3(v, v), vw = dot3(v, w), ww = dot3(w, w);
  const auto known = hn::Gt(load(s.known), zero);
  const V id_a = load(s.id_a), id_b = load(s.id_b);

  // A plane between them, nothing nearer in sight, or a vertex that is there already
  V done = zero;
  const V clear = hn::Mul(hn::Set(d, kGap<T>), hn::Sqrt(hn::Mul(vv, ww)));
  auto ends = hn::And(known, hn::Le(hn::Sub(vv, vw), hn::Mul(hn::Set(d, kGap<T>), vv)));
  V p[3][3], valid[3], pa[3], pb[3];
  for (int k = 0; k < 3; ++k) {
    valid[k] = load(s.valid[k]);
    pa[k] = load(s.ia[k]);
    pb[k] = load(s.ib[k]);
    for (int i = 0; i < 3; ++i) p[k][i] = load(s.p[k][i]);
    ends = hn::Or(ends, hn::And(hn::Gt(valid[k], zero), hn::And(hn::Eq(pa[k], id_a), hn::Eq(pb[k], id_b))));
  }
  done = hn::IfThenElse(ends, hn::Set(d, T(kClosest)), done);
  if (decide) done = hn::IfThenElse(hn::Gt(vw, clear), hn::Set(d, T(kApart)), done);

  // Edges from the new corner, their products with it and with each other
  V e[3][3], b[3], g[3][3];
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) e[k][i] = hn::Sub(p[k][i], w[i]);
    b[k] = hn::Mul(hn::Neg(dot3(e[k], w)), valid[k]);
    for (int m = 0; m <= k; ++m) g[k][m] = g[m][k] = dot3(e[k], e[m]);
  }
  V gain = zero, t[3] = {zero, zero, zero};
  for (int k = 0; k < 3; ++k) {
    const auto good = hn::And(hn::Gt(b[k], zero), hn::Lt(b[k], g[k][k]));
    const V at = hn::Div(b[k], hn::Max(g[k][k], hn::Set(d, std::numeric_limits<T>::min()))), here = hn::Mul(b[k], at);
    const auto better = hn::And(good, hn::Gt(here, gain));
    gain = hn::IfThenElse(better, here, gain);
    for (int m = 0; m < 3; ++m) t[m] = hn::IfThenElse(better, m == k ? at : zero, t[m]);
  }
  for (int k = 0; k < 3; ++k) {
    const int m = (k + 1) % 3;
    const V both = hn::Mul(valid[k], valid[m]), product = hn::Mul(g[k][k], g[m][m]);
    const V det = hn::NegMulAdd(g[k][m], g[k][m], product);
    const V x = hn::NegMulAdd(b[m], g[k][m], hn::Mul(b[k], g[m][m]));
    const V y = hn::NegMulAdd(b[k], g[k][m], hn::Mul(b[m], g[k][k]));
    const auto good = hn::And(hn::And(hn::Gt(hn::Mul(det, both), hn::Mul(product, hn::Set(d, kGap<T> * T(0.01)))),
                                      hn::Lt(hn::Add(x, y), det)),
                              hn::And(hn::Gt(x, zero), hn::Gt(y, zero)));
    const V inverse = hn::Div(one, hn::IfThenElse(good, det, one));
    const V tx = hn::Mul(x, inverse), ty = hn::Mul(y, inverse), here = hn::MulAdd(b[k], tx, hn::Mul(b[m], ty));
    const auto better = hn::And(good, hn::Gt(here, gain));
    gain = hn::IfThenElse(better, here, gain);
    for (int q = 0; q < 3; ++q) t[q] = hn::IfThenElse(better, q == k ? tx : q == m ? ty : zero, t[q]);
  }
  // Around the origin
  const auto cross = [&](const V* x, const V* y, V* out) HWY_ATTR {
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      out[i] = hn::NegMulAdd(x[i2], y[i1], hn::Mul(x[i1], y[i2]));
    }
  };
  V c[3][3];
  for (int k = 0; k < 3; ++k) cross(e[(k + 1) % 3], e[(k + 2) % 3], c[k]);
  const V whole = dot3(e[0], c[0]), all = hn::Mul(hn::Mul(valid[0], valid[1]), valid[2]);
  V share[3], sum = zero;
  auto inside = hn::Gt(hn::Mul(hn::Abs(whole), all), zero);
  for (int k = 0; k < 3; ++k) {
    share[k] = hn::Neg(hn::Mul(dot3(c[k], w), whole));
    inside = hn::And(inside, hn::Gt(share[k], zero));
    sum = hn::Add(sum, share[k]);
  }
  inside = hn::And(inside, hn::Lt(sum, hn::Mul(whole, whole)));
  const auto open = hn::Eq(done, zero);
  done = hn::IfThenElse(hn::And(open, inside), hn::Set(d, T(kInside)), done);

  // Move there, unless it is no nearer
  V next[3];
  for (int i = 0; i < 3; ++i)
    next[i] = hn::MulAdd(t[2], e[2][i], hn::MulAdd(t[1], e[1][i], hn::MulAdd(t[0], e[0][i], w[i])));
  const V next_vv = dot3(next, next);
  const auto stuck = hn::And(known, hn::Ge(next_vv, vv));
  done = hn::IfThenElse(hn::And(hn::Eq(done, zero), stuck), hn::Set(d, T(kClosest)), done);
  const auto moves = hn::Eq(done, zero);
  hn::Store(done, d, s.done + l);
  for (int i = 0; i < 3; ++i) hn::Store(hn::IfThenElse(moves, next[i], v[i]), d, s.v[i] + l);
  hn::Store(one, d, s.known + l);

  // The new corner takes the first free place
  auto free = moves;
  for (int k = 0; k < 3; ++k) {
    const auto kept = hn::Gt(t[k], zero);
    const auto takes = hn::AndNot(kept, free);
    free = hn::AndNot(takes, free);
    const V flag = hn::IfThenElse(hn::Or(kept, takes), one, zero);
    hn::Store(hn::IfThenElse(moves, flag, valid[k]), d, s.valid[k] + l);
    for (int i = 0; i < 3; ++i) hn::Store(hn::IfThenElse(takes, w[i], p[k][i]), d, s.p[k][i] + l);
    hn::Store(hn::IfThenElse(takes, id_a, pa[k]), d, s.ia[k] + l);
    hn::Store(hn::IfThenElse(takes, id_b, pb[k]), d, s.ib[k] + l);
  }
}

// The pair of a lane: where B is, and the way between the centres
template <class T>
HWY_INLINE void load_pair(State<T>& s, std::size_t l, const HullLane& pair, Columns<T>& a, Columns<T>& b) {
  const Placement3& at = *pair.at;
  const Vec3d offset = at.translation + at.rest;
  const Vec3d way = pair.a->center() - (at.turn * pair.b->center() + offset);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) s.turn[j][i][l] = static_cast<T>(at.turn[j][i]);
  for (int i = 0; i < 3; ++i) {
    s.shift[i][l] = static_cast<T>(offset[i]);
    s.v[i][l] = static_cast<T>(way[i]);
  }
  if (way == Vec3d{}) s.v[0][l] = 1;
  const double reach = pair.a->size() + 2 * pair.b->size() + max_abs(offset);
  const bool fits = reach > kLeastReach && reach < kMostReach && !(way == Vec3d{});
  s.reach[l] = fits ? static_cast<T>(reach) : std::numeric_limits<T>::infinity();
  // As center_error of Difference3: the centres are sums of all vertices, in double
  const double vertices = static_cast<double>(pair.a->vertex_count()) + pair.b->vertex_count();
  s.corner[l] = s.reach[l] * (kCornerError<T> + static_cast<T>(kRoundoff * vertices));
  a.set(*pair.a);
  b.set(*pair.b);
}
// The least corner of the difference along the directions of a lane
template <class T>
HWY_INLINE void find_corner(State<T>& s, std::size_t l, const Columns<T>& a, const Columns<T>& b) {
  const std::uint32_t i = farthest(a, s.from_a[0][l], s.from_a[1][l], s.from_a[2][l]);
  const std::uint32_t j = farthest(b, s.from_b[0][l], s.from_b[1][l], s.from_b[2][l]);
  s.id_a[l] = static_cast<T>(i);
  s.id_b[l] = static_cast<T>(j);
  for (int k = 0; k < 3; ++k) {
    s.new_a[k][l] = a.axis[k][i];
    s.new_b[k][l] = b.axis[k][j];
  }
}

// A corner of each lane, and the direction it was found against
template <class T>
struct CornerRow {
  static constexpr std::size_t kLanes = State<T>::kLanes;
  alignas(64) T along[3][kLanes], w[3][kLanes], id_a[kLanes], id_b[kLanes];
  alignas(64) T apart[kLanes];  // 1 where a plane across `along` is seen between the two, 2 where it is proven
};
// Three corners of a pair that the first look left open
template <class T>
struct OpenPair {
  std::uint32_t pair;
  T w[3][3], id_a[3], id_b[3];
};

template <class T>
HWY_INLINE void look(State<T>& s, CornerRow<T>& row, const bool (&active)[State<T>::kLanes], const Columns<T>* a,
                     const Columns<T>* b) {
  const hn::CappedTag<T, 16> d;
  constexpr std::size_t kLanes = State<T>::kLanes;
  directions(s, row.along);
  for (std::size_t l = 0; l < kLanes; ++l)
    if (active[l]) find_corner(s, l, a[l], b[l]);
  for (std::size_t l = 0; l < kLanes; l += hn::Lanes(d)) {
    auto vw = hn::Zero(d), vv = vw, ww = vw, sum = vw;
    for (int i = 0; i < 3; ++i) {
      auto b_i = hn::Load(d, s.shift[i] + l);
      for (int j = 0; j < 3; ++j) b_i = hn::MulAdd(hn::Load(d, s.turn[j][i] + l), hn::Load(d, s.new_b[j] + l), b_i);
      const auto w = hn::Sub(hn::Load(d, s.new_a[i] + l), b_i), v = hn::Load(d, row.along[i] + l);
      hn::Store(w, d, row.w[i] + l);
      vw = hn::MulAdd(v, w, vw), vv = hn::MulAdd(v, v, vv), ww = hn::MulAdd(w, w, ww), sum = hn::Add(sum, hn::Abs(v));
    }
    const auto clear = hn::Mul(hn::Set(d, kGap<T>), hn::Sqrt(hn::Mul(vv, ww)));
    const auto slack = hn::Mul(hn::Set(d, kPlaneError<T>), hn::Mul(hn::Load(d, s.reach + l), sum));
    const auto proven =
        hn::And(hn::Gt(vw, slack), hn::Gt(slack, hn::Set(d, std::numeric_limits<T>::min() * T(0x1p20))));
    const auto seen = hn::IfThenElseZero(hn::Gt(vw, clear), hn::Set(d, T(1)));
    hn::Store(hn::IfThenElse(proven, hn::Set(d, T(2)), seen), d, row.apart + l);
    hn::Store(hn::Load(d, s.id_a + l), d, row.id_a + l);
    hn::Store(hn::Load(d, s.id_b + l), d, row.id_b + l);
  }
}

// The first look of gjk3 at a decision, sixteen pairs at a time: a plane across the way between the centres, or three
// corners and the centre around the origin. Returns how many pairs are left open.
template <class T>
HWY_INLINE std::size_t first_look(State<T>& s, const HullLane* pairs, std::size_t count, HullFound* found,
                                  OpenPair<T>* open) {
  const hn::CappedTag<T, 16> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = State<T>::kLanes;
  CornerRow<T> row[3] = {};
  alignas(64) T inside[kLanes] = {};
  Columns<T> columns_a[kLanes], columns_b[kLanes];
  std::size_t left = 0;
  for (std::size_t from = 0; from < count; from += kLanes) {
    const std::size_t here = std::min(kLanes, count - from);
    bool active[kLanes] = {};
    const auto end_apart = [&](const CornerRow<T>& r) {
      std::size_t running = 0;
      for (std::size_t l = 0; l < here; ++l) {
        if (!active[l]) continue;
        if (r.apart[l] > 0) {
          active[l] = false;
          found[from + l].outcome = GjkOutcome::apart;
          found[from + l].proven = r.apart[l] > 1;
          found[from + l].cache.axis = {static_cast<double>(r.along[0][l]), static_cast<double>(r.along[1][l]),
                                        static_cast<double>(r.along[2][l])};
        } else {
          ++running;
        }
      }
      return running;
    };
    for (std::size_t l = 0; l < here; ++l) {
      load_pair(s, l, pairs[from + l], columns_a[l], columns_b[l]);
      active[l] = true;
    }
    for (int i = 0; i < 3; ++i) std::copy(s.v[i], s.v[i] + kLanes, row[0].along[i]);
    look(s, row[0], active, columns_a, columns_b);
    if (end_apart(row[0]) == 0) continue;

    // As `spread` of gjk3
    for (std::size_t l = 0; l < kLanes; l += hn::Lanes(d)) {
      V v[3], aside[3];
      V vv = hn::Set(d, std::numeric_limits<T>::min()), vw = hn::Zero(d), side = hn::Zero(d);
      for (int i = 0; i < 3; ++i) {
        v[i] = hn::Load(d, row[0].along[i] + l);
        vv = hn::MulAdd(v[i], v[i], vv);
        vw = hn::MulAdd(v[i], hn::Load(d, row[0].w[i] + l), vw);
      }
      const V at = hn::Div(vw, vv);
      for (int i = 0; i < 3; ++i) {
        aside[i] = hn::NegMulAdd(v[i], at, hn::Load(d, row[0].w[i] + l));
        side = hn::MulAdd(aside[i], aside[i], side);
      }
      const V down = hn::Mul(hn::Sqrt(side), hn::Set(d, static_cast<T>(kSpreadSteep))), forth = hn::Sqrt(vv);
      for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        const V across = hn::NegMulAdd(v[i2], aside[i1], hn::Mul(v[i1], aside[i2]));
        const V middle = hn::MulAdd(v[i], down, hn::Mul(aside[i], forth));
        hn::Store(hn::Add(middle, across), d, row[1].along[i] + l);
        hn::Store(hn::Sub(middle, across), d, row[2].along[i] + l);
      }
    }
    look(s, row[1], active, columns_a, columns_b);
    look(s, row[2], active, columns_a, columns_b);
    end_apart(row[1]);
    if (end_apart(row[2]) == 0) continue;

    // The four volumes of the origin with the corners and the centre
    for (std::size_t l = 0; l < kLanes; l += hn::Lanes(d)) {
      V w[3][3], v[3], c01[3], c23[3], m = hn::Zero(d),
                                       volume[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
      for (int i = 0; i < 3; ++i) {
        v[i] = hn::Load(d, row[0].along[i] + l);
        m = hn::Max(m, hn::Abs(v[i]));
        for (int k = 0; k < 3; ++k) {
          w[k][i] = hn::Load(d, row[k].w[i] + l);
          m = hn::Max(m, hn::Abs(w[k][i]));
        }
      }
      for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        c01[i] = hn::NegMulAdd(w[0][i2], w[1][i1], hn::Mul(w[0][i1], w[1][i2]));
        c23[i] = hn::NegMulAdd(w[2][i2], v[i1], hn::Mul(w[2][i1], v[i2]));
      }
      for (int i = 0; i < 3; ++i) {
        volume[0] = hn::MulAdd(w[1][i], c23[i], volume[0]);
        volume[1] = hn::NegMulAdd(w[0][i], c23[i], volume[1]);
        volume[2] = hn::MulAdd(v[i], c01[i], volume[2]);
        volume[3] = hn::NegMulAdd(w[2][i], c01[i], volume[3]);
      }
      // As volume_error of Difference3. All four are compared: the least of numbers forgets one that is none.
      const V of_points =
          hn::MulAdd(hn::Set(d, T(18)), hn::Load(d, s.corner + l), hn::Mul(hn::Set(d, 96 * kUnit<T>), m));
      const V error = hn::Mul(hn::Mul(m, m), of_points), below = hn::Neg(error), zero = hn::Zero(d);
      const auto all_above = [&](V limit) HWY_ATTR {
        return hn::And(hn::And(hn::Gt(volume[0], limit), hn::Gt(volume[1], limit)),
                       hn::And(hn::Gt(volume[2], limit), hn::Gt(volume[3], limit)));
      };
      const auto all_below = [&](V limit) HWY_ATTR {
        return hn::And(hn::And(hn::Lt(volume[0], limit), hn::Lt(volume[1], limit)),
                       hn::And(hn::Lt(volume[2], limit), hn::Lt(volume[3], limit)));
      };
      const auto around = hn::Or(all_above(zero), all_below(zero));
      const auto beyond = hn::And(hn::Or(all_above(error), all_below(below)),
                                  hn::Gt(error, hn::Set(d, std::numeric_limits<T>::min() * T(0x1p20))));
      hn::Store(hn::IfThenElse(beyond, hn::Set(d, T(2)), hn::IfThenElseZero(around, hn::Set(d, T(1)))), d, inside + l);
    }
    for (std::size_t l = 0; l < here; ++l) {
      if (!active[l]) continue;
      if (inside[l] > 0) {
        HullFound& out = found[from + l];
        out.outcome = GjkOutcome::hit;
        out.proven = inside[l] > 1;
        out.cache.count = 3;
        for (int k = 0; k < 3; ++k) {
          out.cache.a[k] = static_cast<std::uint32_t>(row[k].id_a[l]);
          out.cache.b[k] = static_cast<std::uint32_t>(row[k].id_b[l]);
        }
        continue;
      }
      OpenPair<T>& pair = open[left++];
      pair.pair = static_cast<std::uint32_t>(from + l);
      for (int k = 0; k < 3; ++k) {
        pair.id_a[k] = row[k].id_a[l];
        pair.id_b[k] = row[k].id_b[l];
        for (int i = 0; i < 3; ++i) pair.w[k][i] = row[k].w[i][l];
      }
    }
  }
  return left;
}

template <class T>
void search(const HullLane* pairs, std::size_t count, bool decide, HullFound* found) {
  const hn::CappedTag<T, 16> d;
  // Two vectors of doubles are on the way together, so that their searches overlap
  constexpr std::size_t kLanes = State<T>::kLanes;
  constexpr int kMaxRounds = 48;
  State<T> s = {};
  OpenPair<T> open[kHullBlock];
  if (decide) count = first_look(s, pairs, count, found, open);
  std::size_t owner[kLanes], next = 0, running = 0;
  int rounds[kLanes] = {};
  bool given[kLanes] = {};  // the corner of the next round is there already
  Columns<T> columns_a[kLanes], columns_b[kLanes];
  const auto load = [&](std::size_t l) {
    owner[l] = decide ? open[next].pair : next;
    rounds[l] = 0;
    load_pair(s, l, pairs[owner[l]], columns_a[l], columns_b[l]);
    for (int i = 0; i < 3; ++i) s.valid[i][l] = 0;
    s.known[l] = 0;
    if (decide) {
      // The second and the third corner are kept, the first joins them as if just found
      const OpenPair<T>& start = open[next];
      for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 3; ++i) s.p[k][i][l] = start.w[k + 1][i];
        s.ia[k][l] = start.id_a[k + 1];
        s.ib[k][l] = start.id_b[k + 1];
        s.valid[k][l] = 1;
      }
      const auto i = static_cast<std::uint32_t>(start.id_a[0]), j = static_cast<std::uint32_t>(start.id_b[0]);
      s.id_a[l] = start.id_a[0];
      s.id_b[l] = start.id_b[0];
      for (int k = 0; k < 3; ++k) {
        s.new_a[k][l] = columns_a[l].axis[k][i];
        s.new_b[k][l] = columns_b[l].axis[k][j];
      }
      given[l] = true;
    }
    ++next;
  };
  bool active[kLanes] = {};
  for (std::size_t l = 0; l < kLanes && next < count; ++l, ++running) {
    load(l);
    active[l] = true;
  }
  while (running > 0) {
    directions(s, s.v);
    for (std::size_t l = 0; l < kLanes; ++l) {
      if (active[l] && !given[l]) find_corner(s, l, columns_a[l], columns_b[l]);
      given[l] = false;
    }
    for (std::size_t l = 0; l < kLanes; l += hn::Lanes(d)) advance(s, l, decide);
    for (std::size_t l = 0; l < kLanes; ++l) {
      if (!active[l]) continue;
      const int why = static_cast<int>(s.done[l]);
      if (why == kGoesOn && ++rounds[l] < kMaxRounds) continue;
      HullFound& out = found[owner[l]];
      out.proven = false;
      out.outcome = why == kApart ? GjkOutcome::apart : why == kInside ? GjkOutcome::hit : GjkOutcome::unclear;
      out.cache.axis = {static_cast<double>(s.v[0][l]), static_cast<double>(s.v[1][l]), static_cast<double>(s.v[2][l])};
      std::uint32_t kept = 0;
      const auto add = [&](T a, T b) {
        out.cache.a[kept] = static_cast<std::uint32_t>(a);
        out.cache.b[kept++] = static_cast<std::uint32_t>(b);
      };
      for (int k = 0; k < 3; ++k)
        if (s.valid[k][l] > 0) add(s.ia[k][l], s.ib[k][l]);
      if (why == kInside || kept == 0) add(s.id_a[l], s.id_b[l]);
      out.cache.count = kept;
      if (next < count) {
        load(l);
      } else {
        active[l] = false;
        --running;
      }
    }
  }
}

void SearchFloat(const HullLane* pairs, std::size_t count, bool decide, HullFound* found) {
  search<float>(pairs, count, decide, found);
}
void SearchDouble(const HullLane* pairs, std::size_t count, bool decide, HullFound* found) {
  search<double>(pairs, count, decide, found);
}

#else

void SearchFloat(const HullLane*, std::size_t count, bool, HullFound* found) {
  std::fill(found, found + count, HullFound{GjkOutcome::unclear, false, {}});
}
void SearchDouble(const HullLane*, std::size_t count, bool, HullFound* found) {
  std::fill(found, found + count, HullFound{GjkOutcome::unclear, false, {}});
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace sudar::hull_lanes_simd
HWY_AFTER_NAMESPACE();
#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE
namespace sudar {

#if defined(SUDAR_HAVE_HIGHWAY)
namespace hull_lanes_simd {
HWY_EXPORT(SearchFloat);
HWY_EXPORT(SearchDouble);
}  // namespace hull_lanes_simd
#endif

void search_lanes([[maybe_unused]] bool in_float, [[maybe_unused]] const HullLane* pairs, std::size_t count,
                  [[maybe_unused]] bool decide, HullFound* found) {
#if defined(SUDAR_HAVE_HIGHWAY)
  using namespace hull_lanes_simd;
  if (in_float)
    HWY_DYNAMIC_DISPATCH(SearchFloat)(pairs, count, decide, found);
  else
    HWY_DYNAMIC_DISPATCH(SearchDouble)(pairs, count, decide, found);
#else
  std::fill(found, found + count, HullFound{GjkOutcome::unclear, false, {}});
#endif
}

}  // namespace sudar
#endif
