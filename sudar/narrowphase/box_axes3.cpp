// What:    The fifteen axes of two boxes, see the header: a scalar and a Highway version of each.
#if defined(SUDAR_HAVE_HIGHWAY)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/narrowphase/box_axes3.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on
#endif

#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/box_axes3.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#if defined(SUDAR_HAVE_HIGHWAY)
HWY_BEFORE_NAMESPACE();
namespace sudar::box_axes_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

using Tag = hn::FixedTag<double, 4>;
using V = hn::Vec<Tag>;

HWY_INLINE V load3(const double* p) {
  const Tag d;
  return hn::MaskedLoad(hn::FirstN(d, 3), d, p);
}
HWY_INLINE V yzx(V v) {
  const Tag d;
  alignas(32) static constexpr std::int64_t kOrder[4] = {1, 2, 0, 3};
  return hn::TableLookupLanes(v, hn::SetTableIndices(d, kOrder));
}
HWY_INLINE V zxy(V v) {
  const Tag d;
  alignas(32) static constexpr std::int64_t kOrder[4] = {2, 0, 1, 3};
  return hn::TableLookupLanes(v, hn::SetTableIndices(d, kOrder));
}
HWY_INLINE V times(double s, V v) { return hn::Mul(hn::Set(Tag(), s), v); }

// Lane 3 of every vector is idle and holds zeros
template <bool kScan>
HWY_INLINE BoxSign fifteen_axes(const double* a, const double* b, const double* place, BoxScan3* scan,
                                bool overlap_only) {
  const Tag d;
  const auto three = hn::FirstN(d, 3);
  const V r0 = load3(place), r1 = load3(place + 3), r2 = load3(place + 6), t = load3(place + 9), va = load3(a);
  const V q0 = hn::Abs(r0), q1 = hn::Abs(r1), q2 = hn::Abs(r2);
  const V r0y = yzx(r0), r1y = yzx(r1), r2y = yzx(r2), r0z = zxy(r0), r1z = zxy(r1), r2z = zxy(r2);

  // The faces of A
  const V gap_a = hn::Sub(hn::Sub(hn::Sub(hn::Sub(hn::Abs(t), va), times(b[0], q0)), times(b[1], q1)), times(b[2], q2));

  // The faces of B: cofactors, turned into rows so that lane j belongs to face j
  const V c0 = hn::Sub(hn::Mul(r1y, r2z), hn::Mul(r1z, r2y));
  const V c1 = hn::Sub(hn::Mul(r2y, r0z), hn::Mul(r2z, r0y));
  const V c2 = hn::Sub(hn::Mul(r0y, r1z), hn::Mul(r0z, r1y));
  const V p0 = hn::Abs(c0), p1 = hn::Abs(c1), p2 = hn::Abs(c2);
  const V lower01 = hn::InterleaveLower(d, c0, c1), upper01 = hn::InterleaveUpper(d, c0, c1);
  const V lower2 = hn::InterleaveLower(d, c2, hn::Zero(d)), upper2 = hn::InterleaveUpper(d, c2, hn::Zero(d));
  const V k0 = hn::ConcatLowerLower(d, lower2, lower01), k1 = hn::ConcatLowerLower(d, upper2, upper01);
  const V k2 = hn::ConcatUpperUpper(d, lower2, lower01);
  const double det = (place[0] * (place[4] * place[8] - place[5] * place[7]) +
                      place[1] * (place[5] * place[6] - place[3] * place[8])) +
                     place[2] * (place[3] * place[7] - place[4] * place[6]);
  const V along_b = hn::Add(hn::Add(times(place[9], k0), times(place[10], k1)), times(place[11], k2));
  const V reach_b = hn::Add(hn::Add(times(a[0], hn::Abs(k0)), times(a[1], hn::Abs(k1))), times(a[2], hn::Abs(k2)));
  const V gap_b = hn::Sub(hn::Sub(hn::Abs(along_b), reach_b), times(std::fabs(det), load3(b)));

  // Edge i of A with edge j of B: lane i of vector j
  const V ty = yzx(t), tz = zxy(t), ay = yzx(va), az = zxy(va);
  const V q0y = hn::Abs(r0y), q1y = hn::Abs(r1y), q2y = hn::Abs(r2y);
  const V q0z = hn::Abs(r0z), q1z = hn::Abs(r1z), q2z = hn::Abs(r2z);
  const auto edge_gap = [&](V ry, V rz, V qy, V qz, double b1, V p_2, double b2, V p_1) HWY_ATTR {
    const V along = hn::Abs(hn::Sub(hn::Mul(ry, tz), hn::Mul(rz, ty)));
    const V reach = hn::Add(hn::Mul(ay, qz), hn::Mul(az, qy));
    return hn::Sub(hn::Sub(along, reach), hn::Add(times(b1, p_2), times(b2, p_1)));
  };
  const V gap0 = edge_gap(r0y, r0z, q0y, q0z, b[1], p2, b[2], p1);
  const V gap1 = edge_gap(r1y, r1z, q1y, q1z, b[2], p0, b[0], p2);
  const V gap2 = edge_gap(r2y, r2z, q2y, q2z, b[0], p1, b[1], p0);

  // The sign: one gap beyond its rounding, or none near it. Edges that are parallel in doubles do not count, as long as
  // the rest is clear by more than that may hide.
  const double size = ((std::fabs(place[9]) + std::fabs(place[10])) + std::fabs(place[11])) +
                      (((a[0] + a[1]) + a[2]) + ((b[0] + b[1]) + b[2]));
  const V n0 = hn::Max(q0y, q0z), n1 = hn::Max(q1y, q1z), n2 = hn::Max(q2y, q2z);
  const V apart_from = hn::Set(d, kBoxApart * size + kBoxUnderflow), overlap_from = hn::Set(d, -(kBoxOverlap * size));
  const V least = hn::Set(d, -std::numeric_limits<double>::infinity()), parallel = hn::Set(d, kBoxParallel);
  const V edges = hn::Max(hn::Max(gap0, gap1), gap2), faces = hn::Max(gap_a, gap_b);
  const V counted = hn::Max(
      hn::Max(hn::IfThenElse(hn::Le(n0, parallel), least, gap0), hn::IfThenElse(hn::Le(n1, parallel), least, gap1)),
      hn::IfThenElse(hn::Le(n2, parallel), least, gap2));
  const auto large = hn::Gt(hn::Max(hn::Max(q0, q1), q2), hn::Set(d, kBoxTurnLimit));
  const auto clear = hn::Lt(hn::Max(faces, counted), overlap_from);
  BoxSign sign = BoxSign::unclear;
  if (hn::AllFalse(d, large)) {
    if (!hn::AllFalse(d, hn::Gt(hn::Max(faces, edges), apart_from)))
      sign = BoxSign::apart;
    else if (hn::AllTrue(d, hn::Or(clear, hn::Not(three))))
      sign = BoxSign::overlap;
  }
  if constexpr (!kScan) return sign;
  scan->sign = sign;
  if (overlap_only && sign == BoxSign::apart) return sign;

  // Per unit of length, and the widest of faces and of edge pairs
  const V wide_b = hn::Div(gap_b, hn::Sqrt(hn::Add(hn::Add(hn::Mul(k0, k0), hn::Mul(k1, k1)), hn::Mul(k2, k2))));
  const V face_a = hn::IfThenElse(three, gap_a, least), face_b = hn::IfThenElse(three, wide_b, least);
  const V face = hn::MaxOfLanes(d, hn::Max(face_a, face_b));
  // The first of the equal ones, without a branch: four bits for each vector
  const auto bits_of = [&](auto mask) HWY_ATTR {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, mask, bytes);
    return static_cast<std::uint32_t>(bytes[0]);
  };
  const std::uint32_t face_bits = bits_of(hn::Eq(face_a, face)) | bits_of(hn::Eq(face_b, face)) << 4;
  const int face_bit = static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero32(face_bits | 0x100));
  scan->size = size;
  scan->face_gap = hn::GetLane(face);
  scan->face = face_bit - face_bit / 4;
  const auto length = [&](V ry, V rz) HWY_ATTR { return hn::Sqrt(hn::Add(hn::Mul(ry, ry), hn::Mul(rz, rz))); };
  const V l0 = length(r0y, r0z), l1 = length(r1y, r1z), l2 = length(r2y, r2z), thin = hn::Set(d, kBoxThin);
  const auto thin0 = hn::Lt(l0, thin), thin1 = hn::Lt(l1, thin), thin2 = hn::Lt(l2, thin);
  const V wide0 = hn::IfThenElse(thin0, least, hn::Div(gap0, l0));
  const V wide1 = hn::IfThenElse(thin1, least, hn::Div(gap1, l1));
  const V wide2 = hn::IfThenElse(thin2, least, hn::Div(gap2, l2));
  const V edge = hn::MaxOfLanes(d, hn::Max(hn::Max(wide0, wide1), wide2));
  scan->edge_gap = hn::GetLane(edge);
  const std::uint32_t edge_bits =
      bits_of(hn::Eq(wide0, edge)) | bits_of(hn::Eq(wide1, edge)) << 4 | bits_of(hn::Eq(wide2, edge)) << 8;
  const int edge_bit = static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero32(edge_bits | 0x1000));
  scan->edge = scan->edge_gap == -std::numeric_limits<double>::infinity() ? -1 : 3 * (edge_bit % 4) + edge_bit / 4;
  scan->thin = 0;
  // Lane 3 is always thin
  if (!hn::AllTrue(d, hn::Or(hn::Not(hn::Or(hn::Or(thin0, thin1), thin2)), hn::Not(three)))) {
    alignas(32) double lanes[3][4];
    hn::Store(l0, d, lanes[0]);
    hn::Store(l1, d, lanes[1]);
    hn::Store(l2, d, lanes[2]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (lanes[j][i] < kBoxThin && lanes[j][i] > kBoxParallel) scan->thin |= 1u << (3 * i + j);
  }
  return sign;
}

BoxSign Sign(const double* a, const double* b, const double* place) {
  return fifteen_axes<false>(a, b, place, nullptr, false);
}
void Scan(const double* a, const double* b, const double* place, BoxScan3* scan, bool overlap_only) {
  fifteen_axes<true>(a, b, place, scan, overlap_only);
}

// Lanes are the corners of the low side of g2, then those of its high side
void Nearest(const double* center, const double* generators, const double* half, NearestCorner3* out) {
  const Tag d;
  alignas(32) static constexpr double kSign0[4] = {-1, 1, -1, 1}, kSign1[4] = {-1, -1, 1, 1};
  const V s0 = hn::Load(d, kSign0), s1 = hn::Load(d, kSign1), zero = hn::Zero(d);
  V low = zero, high = zero;
  for (int i = 0; i < 3; ++i) {
    const V middle = hn::Add(hn::Set(d, center[i]), hn::Add(times(generators[i], s0), times(generators[3 + i], s1)));
    const V g = hn::Set(d, generators[6 + i]), h = hn::Set(d, half[i]);
    const V below = hn::Max(hn::Sub(hn::Abs(hn::Sub(middle, g)), h), zero);
    const V above = hn::Max(hn::Sub(hn::Abs(hn::Add(middle, g)), h), zero);
    low = hn::Add(low, hn::Mul(below, below));
    high = hn::Add(high, hn::Mul(above, above));
  }
  const V best = hn::MinOfLanes(d, hn::Min(low, high));
  const auto in_low = hn::Eq(low, best);
  out->distance_squared = hn::GetLane(best);
  out->corner = static_cast<int>(hn::AllFalse(d, in_low) ? 4 + hn::FindFirstTrue(d, hn::Eq(high, best))
                                                         : hn::FindFirstTrue(d, in_low));
}

#else

// Vectors of four doubles pay only where they are one register
HWY_INLINE const Vec3d& vec_at(const double* p) { return *reinterpret_cast<const Vec3d*>(p); }
HWY_INLINE const Placement3& place_at(const double* p) { return *reinterpret_cast<const Placement3*>(p); }
BoxSign Sign(const double* a, const double* b, const double* place) {
  return box_sign3_plain(vec_at(a), vec_at(b), place_at(place));
}
void Scan(const double* a, const double* b, const double* place, BoxScan3* scan, bool overlap_only) {
  *scan = box_scan3_plain(vec_at(a), vec_at(b), place_at(place), overlap_only);
}
void Nearest(const double* center, const double* generators, const double* half, NearestCorner3* out) {
  *out = nearest_corner3_plain(vec_at(center), *reinterpret_cast<const Mat3d*>(generators), vec_at(half));
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace sudar::box_axes_simd
HWY_AFTER_NAMESPACE();
#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE
namespace sudar {

// The vector version reads turn and translation as twelve numbers in a row
static_assert(sizeof(Vec3d) == 3 * sizeof(double) && sizeof(Mat3d) == 9 * sizeof(double));
static_assert(offsetof(Placement3, turn) == 0 && offsetof(Placement3, translation) == 9 * sizeof(double));

namespace {

struct FifteenGaps {
  double gap_a[3], gap_b[3], edge[3][3];  // edge[i][j]
  double length_b[3], length[3][3], entry[3][3];
  double size, largest;
};

FifteenGaps gaps_of(const Vec3d& a, const Vec3d& b, const Placement3& place) {
  FifteenGaps out{};
  const Mat3d& r = place.turn;
  const Vec3d& t = place.translation;
  const Mat3d c{cross(r.y, r.z), cross(r.z, r.x), cross(r.x, r.y)};
  const double det = dot(r.x, c.x);
  out.size = ((std::fabs(t.x) + std::fabs(t.y)) + std::fabs(t.z)) + (((a.x + a.y) + a.z) + ((b.x + b.y) + b.z));
  for (int i = 0; i < 3; ++i) {
    out.gap_a[i] = std::fabs(t[i]) - a[i];
    for (int j = 0; j < 3; ++j) {
      out.gap_a[i] -= b[j] * std::fabs(r[j][i]);
      out.largest = std::max(out.largest, std::fabs(r[j][i]));
    }
    out.gap_b[i] = std::fabs(dot(c[i], t)) - dot(abs(c[i]), a) - std::fabs(det) * b[i];
    out.length_b[i] = length(c[i]);
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double n1 = std::fabs(r[j][i1]), n2 = std::fabs(r[j][i2]);
      const double along = std::fabs(r[j][i1] * t[i2] - r[j][i2] * t[i1]);
      out.edge[i][j] = along - (a[i1] * n2 + a[i2] * n1) - (b[j1] * std::fabs(c[j2][i]) + b[j2] * std::fabs(c[j1][i]));
      out.length[i][j] = std::sqrt(n1 * n1 + n2 * n2);
      out.entry[i][j] = std::max(n1, n2);
    }
  return out;
}

BoxSign sign_of(const FifteenGaps& gaps) {
  if (!(gaps.largest <= kBoxTurnLimit)) return BoxSign::unclear;
  const double apart = kBoxApart * gaps.size + kBoxUnderflow, overlap = -(kBoxOverlap * gaps.size);
  bool clear = true;
  for (int i = 0; i < 3; ++i) {
    if (gaps.gap_a[i] > apart || gaps.gap_b[i] > apart) return BoxSign::apart;
    clear = clear && gaps.gap_a[i] < overlap && gaps.gap_b[i] < overlap;
    for (int j = 0; j < 3; ++j) {
      if (gaps.edge[i][j] > apart) return BoxSign::apart;
      clear = clear && (gaps.edge[i][j] < overlap || gaps.entry[i][j] <= kBoxParallel);
    }
  }
  return clear ? BoxSign::overlap : BoxSign::unclear;
}

}  // namespace

BoxSign box_sign3_plain(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b) {
  return sign_of(gaps_of(half_a, half_b, a_from_b));
}

BoxScan3 box_scan3_plain(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b, bool overlap_only) {
  const FifteenGaps gaps = gaps_of(half_a, half_b, a_from_b);
  BoxScan3 out;
  out.sign = sign_of(gaps);
  if (overlap_only && out.sign == BoxSign::apart) return out;
  out.size = gaps.size;
  out.face_gap = out.edge_gap = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i)
    if (gaps.gap_a[i] > out.face_gap) out.face_gap = gaps.gap_a[i], out.face = i;
  for (int i = 0; i < 3; ++i)
    if (const double gap = gaps.gap_b[i] / gaps.length_b[i]; gap > out.face_gap) out.face_gap = gap, out.face = 3 + i;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      if (gaps.length[i][j] < kBoxThin) {
        if (gaps.length[i][j] > kBoxParallel) out.thin |= 1u << (3 * i + j);
      } else if (const double gap = gaps.edge[i][j] / gaps.length[i][j]; gap > out.edge_gap) {
        out.edge_gap = gap, out.edge = 3 * i + j;
      }
    }
  return out;
}

NearestCorner3 nearest_corner3_plain(const Vec3d& center, const Mat3d& generators, const Vec3d& half) {
  NearestCorner3 out{std::numeric_limits<double>::infinity(), 0};
  for (int corner = 0; corner < 8; ++corner) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double g0 = corner & 1 ? generators.x[i] : -generators.x[i];
      const double g1 = corner & 2 ? generators.y[i] : -generators.y[i];
      const double g2 = corner & 4 ? generators.z[i] : -generators.z[i];
      const double beyond = std::max(std::fabs((center[i] + (g0 + g1)) + g2) - half[i], 0.0);
      sum += beyond * beyond;
    }
    if (sum < out.distance_squared) out = {sum, corner};
  }
  return out;
}

#if defined(SUDAR_HAVE_HIGHWAY)
namespace box_axes_simd {
HWY_EXPORT(Sign);
HWY_EXPORT(Scan);
HWY_EXPORT(Nearest);
}  // namespace box_axes_simd

BoxSign box_sign3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b) {
  using namespace box_axes_simd;
  return HWY_DYNAMIC_DISPATCH(Sign)(&half_a.x, &half_b.x, &a_from_b.turn.x.x);
}
BoxScan3 box_scan3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b, bool overlap_only) {
  using namespace box_axes_simd;
  BoxScan3 out;
  HWY_DYNAMIC_DISPATCH(Scan)(&half_a.x, &half_b.x, &a_from_b.turn.x.x, &out, overlap_only);
  return out;
}
NearestCorner3 nearest_corner3(const Vec3d& center, const Mat3d& generators, const Vec3d& half) {
  using namespace box_axes_simd;
  NearestCorner3 out;
  HWY_DYNAMIC_DISPATCH(Nearest)(&center.x, &generators.x.x, &half.x, &out);
  return out;
}
#else
BoxSign box_sign3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b) {
  return box_sign3_plain(half_a, half_b, a_from_b);
}
BoxScan3 box_scan3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b, bool overlap_only) {
  return box_scan3_plain(half_a, half_b, a_from_b, overlap_only);
}
NearestCorner3 nearest_corner3(const Vec3d& center, const Mat3d& generators, const Vec3d& half) {
  return nearest_corner3_plain(center, generators, half);
}
#endif

}  // namespace sudar
#endif
