// What:    Many pairs of boxes at once, see the header: the filter as a scalar function and in Highway lanes.
#if defined(SUDAR_HAVE_HIGHWAY)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/narrowphase/box_batch3.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on
#endif

#include <sudar/math/tolerance.hpp>
#include <sudar/math/unit_rotation.hpp>
#include <sudar/narrowphase/box_batch3.hpp>
#include <sudar/narrowphase/box_box3.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#ifndef SUDAR_BOX_BATCH3_ONCE
#define SUDAR_BOX_BATCH3_ONCE
namespace sudar {

// What the lanes of one bundle leave behind for the pairs one by one
template <class T>
struct DepthLanes {
  static constexpr std::size_t kMost = 64 / sizeof(T);
  alignas(64) T face_gap[kMost], face[kMost], edge_gap[kMost], edge[kMost];
  alignas(64) T apart[kMost], overlap[kMost], thick[kMost], t[3][kMost], r[3][3][kMost];
  std::size_t count;

  // |t| + |a| + |b|, as BoxScan3 has it, wherever in the world the two boxes are
  T size(std::size_t l, const Vec3d& half_a, const Vec3d& half_b) const {
    T sum = static_cast<T>((half_a.x + half_a.y + half_a.z) + (half_b.x + half_b.y + half_b.z));
    for (int i = 0; i < 3; ++i) sum += std::fabs(t[i][l]);
    return sum;
  }
  // Faces are preferred unless clearly worse, as in box_box3.cpp
  bool use_edge(std::size_t l, T size_of_pair) const {
    return edge_gap[l] > face_gap[l] + static_cast<T>(kBoxFacePreference) * size_of_pair;
  }
};

}  // namespace sudar
#endif

#if defined(SUDAR_HAVE_HIGHWAY)
HWY_BEFORE_NAMESPACE();
namespace sudar::box_batch_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors whose length is not known to the compiler cannot be kept in arrays
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

// Sixteen numbers of each of `lanes` records, number by number
HWY_INLINE void transpose(const BoxRecord3<float>* records, const std::uint32_t* ids, std::size_t lanes, float* out) {
  const hn::FixedTag<float, 4> d;
  for (std::size_t l = 0; l < lanes; l += 4)
    for (std::size_t f = 0; f < 16; f += 4) {
      const auto row = [&](std::size_t k)
                           HWY_ATTR { return hn::LoadU(d, reinterpret_cast<const float*>(records + ids[l + k]) + f); };
      const auto r0 = row(0), r1 = row(1), r2 = row(2), r3 = row(3);
      const auto t0 = hn::InterleaveLower(d, r0, r2), t1 = hn::InterleaveLower(d, r1, r3);
      const auto t2 = hn::InterleaveUpper(d, r0, r2), t3 = hn::InterleaveUpper(d, r1, r3);
      hn::StoreU(hn::InterleaveLower(d, t0, t1), d, out + f * lanes + l);
      hn::StoreU(hn::InterleaveUpper(d, t0, t1), d, out + (f + 1) * lanes + l);
      hn::StoreU(hn::InterleaveLower(d, t2, t3), d, out + (f + 2) * lanes + l);
      hn::StoreU(hn::InterleaveUpper(d, t2, t3), d, out + (f + 3) * lanes + l);
    }
}
HWY_INLINE void transpose(const BoxRecord3<double>* records, const std::uint32_t* ids, std::size_t lanes, double* out) {
  const hn::FixedTag<double, 2> d;
  for (std::size_t l = 0; l < lanes; l += 2)
    for (std::size_t f = 0; f < 16; f += 2) {
      const auto row = [&](std::size_t k)
                           HWY_ATTR { return hn::LoadU(d, reinterpret_cast<const double*>(records + ids[l + k]) + f); };
      const auto r0 = row(0), r1 = row(1);
      hn::StoreU(hn::InterleaveLower(d, r0, r1), d, out + f * lanes + l);
      hn::StoreU(hn::InterleaveUpper(d, r0, r1), d, out + (f + 1) * lanes + l);
    }
}

// Bits of the lanes that are apart and of those that overlap for certain
template <class T>
HWY_INLINE void filter(const T* a, const T* b, std::size_t lanes, std::uint32_t* apart, std::uint32_t* overlap) {
  const hn::CappedTag<T, 16> d;
  using V = hn::Vec<decltype(d)>;
  const auto load = [&](const T* of, std::size_t field) HWY_ATTR { return hn::Load(d, of + field * lanes); };
  const V a0 = load(a, 0), a1 = load(a, 1), a2 = load(a, 2), b0 = load(b, 0), b1 = load(b, 1), b2 = load(b, 2);
  const V dx = hn::Sub(load(b, 3), load(a, 3)), dy = hn::Sub(load(b, 4), load(a, 4));
  const V dz = hn::Sub(load(b, 5), load(a, 5));
  V r[3][3], q[3][3], t[3];
  const V bx[3] = {load(b, 6), load(b, 9), load(b, 12)}, by[3] = {load(b, 7), load(b, 10), load(b, 13)};
  const V bz[3] = {load(b, 8), load(b, 11), load(b, 14)};
  for (std::size_t i = 0; i < 3; ++i) {
    const V x = load(a, 6 + 3 * i), y = load(a, 7 + 3 * i), z = load(a, 8 + 3 * i);
    t[i] = hn::Add(hn::Add(hn::Mul(dx, x), hn::Mul(dy, y)), hn::Mul(dz, z));
    for (std::size_t j = 0; j < 3; ++j) {
      r[i][j] = hn::Add(hn::Add(hn::Mul(x, bx[j]), hn::Mul(y, by[j])), hn::Mul(z, bz[j]));
      q[i][j] = hn::Abs(r[i][j]);
    }
  }
  const V half_a[3] = {a0, a1, a2}, half_b[3] = {b0, b1, b2};
  const auto three = [&](V x, V p, V y, V o, V z, V w)
                         HWY_ATTR { return hn::Add(hn::Add(hn::Mul(x, p), hn::Mul(y, o)), hn::Mul(z, w)); };
  V faces = hn::Set(d, -std::numeric_limits<T>::infinity());
  for (int i = 0; i < 3; ++i) {
    const V reach_a = hn::Add(half_a[i], three(q[i][0], b0, q[i][1], b1, q[i][2], b2));
    faces = hn::Max(faces, hn::Sub(hn::Abs(t[i]), reach_a));
    const V reach_b = hn::Add(half_b[i], three(q[0][i], a0, q[1][i], a1, q[2][i], a2));
    faces = hn::Max(faces, hn::Sub(hn::Abs(three(t[0], r[0][i], t[1], r[1][i], t[2], r[2][i])), reach_b));
  }
  V edges = faces, counted = faces, thinnest = hn::Set(d, T(2));
  const V least = hn::Set(d, -std::numeric_limits<T>::infinity()), parallel = hn::Set(d, kBatchParallel<T>);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const V along = hn::Abs(hn::Sub(hn::Mul(t[i2], r[i1][j]), hn::Mul(t[i1], r[i2][j])));
      const V reach = hn::Add(hn::Add(hn::Mul(half_a[i1], q[i2][j]), hn::Mul(half_a[i2], q[i1][j])),
                              hn::Add(hn::Mul(half_b[j1], q[i][j2]), hn::Mul(half_b[j2], q[i][j1])));
      const V gap = hn::Sub(along, reach), sine = hn::Max(q[i1][j], q[i2][j]);
      edges = hn::Max(edges, gap);
      thinnest = hn::Min(thinnest, sine);
      counted = hn::Max(counted, hn::IfThenElse(hn::Le(sine, parallel), least, gap));
    }
  const V size = hn::Add(load(a, 15), load(b, 15)), error = hn::Mul(size, hn::Set(d, kBatchError<T>));
  const V clear = hn::IfThenElse(hn::Le(thinnest, parallel), hn::Mul(size, hn::Set(d, 32 * kBatchParallel<T>)), error);
  std::uint8_t bits[2][8] = {};
  hn::StoreMaskBits(d, hn::Gt(edges, error), bits[0]);
  hn::StoreMaskBits(d, hn::Lt(counted, hn::Neg(clear)), bits[1]);
  *apart = bits[0][0] | static_cast<std::uint32_t>(bits[0][1]) << 8;
  *overlap = bits[1][0] | static_cast<std::uint32_t>(bits[1][1]) << 8;
}

// hits: 0 apart, 1 overlap, 2 unclear
template <class T>
HWY_INLINE std::size_t filter_all(const BoxRecord3<T>* records, const BoxPair* pairs, std::size_t count,
                                  std::uint8_t* hits) {
  const hn::CappedTag<T, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN T a[16 * 16], b[16 * 16];
  std::uint32_t ids_a[16], ids_b[16];
  std::size_t unclear = 0;
  for (std::size_t from = 0; from < count; from += lanes) {
    const std::size_t here = std::min(lanes, count - from);
    for (std::size_t l = 0; l < lanes; ++l) {
      const BoxPair& pair = pairs[from + std::min(l, here - 1)];
      ids_a[l] = pair.a;
      ids_b[l] = pair.b;
    }
    transpose(records, ids_a, lanes, a);
    transpose(records, ids_b, lanes, b);
    std::uint32_t apart, overlap;
    filter(a, b, lanes, &apart, &overlap);
    const std::uint32_t left = ~(apart | overlap) & ((1u << here) - 1);
    for (std::size_t l = 0; l < here; ++l) hits[from + l] = static_cast<std::uint8_t>(overlap >> l & 1);
    for (std::uint32_t bits = left; bits != 0; bits &= bits - 1, ++unclear)
      hits[from + hwy::Num0BitsBelowLS1Bit_Nonzero32(bits)] = 2;
  }
  return unclear;
}

// The widest gap per unit of length and the number of its axis (box_axes3.hpp); the filter's bits as above. Pairs with
// edges that are nearly parallel are neither apart nor certain.
template <class T>
HWY_INLINE void deepest(const T* a, const T* b, std::size_t lanes, DepthLanes<T>& out) {
  const hn::CappedTag<T, DepthLanes<T>::kMost> d;
  using V = hn::Vec<decltype(d)>;
  const auto load = [&](const T* of, std::size_t field) HWY_ATTR { return hn::Load(d, of + field * lanes); };
  const V dx = hn::Sub(load(b, 3), load(a, 3)), dy = hn::Sub(load(b, 4), load(a, 4));
  const V dz = hn::Sub(load(b, 5), load(a, 5));
  V r[3][3], q[3][3], t[3], half_a[3], half_b[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const V x = load(a, 6 + 3 * i), y = load(a, 7 + 3 * i), z = load(a, 8 + 3 * i);
    half_a[i] = load(a, i);
    half_b[i] = load(b, i);
    t[i] = hn::Add(hn::Add(hn::Mul(dx, x), hn::Mul(dy, y)), hn::Mul(dz, z));
    hn::Store(t[i], d, out.t[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      r[i][j] = hn::Add(hn::Add(hn::Mul(x, load(b, 6 + 3 * j)), hn::Mul(y, load(b, 7 + 3 * j))),
                        hn::Mul(z, load(b, 8 + 3 * j)));
      q[i][j] = hn::Abs(r[i][j]);
      hn::Store(r[i][j], d, out.r[i][j]);
    }
  }
  const auto three = [&](V x, V p, V y, V o, V z, V w)
                         HWY_ATTR { return hn::Add(hn::Add(hn::Mul(x, p), hn::Mul(y, o)), hn::Mul(z, w)); };
  struct Best {
    V gap, number;
  };
  const V least = hn::Set(d, -std::numeric_limits<T>::infinity());
  Best faces{least, hn::Zero(d)}, edges{least, hn::Zero(d)};
  const auto offer = [&](Best& best, V gap, int number) HWY_ATTR {
    const auto better = hn::Gt(gap, best.gap);
    best.gap = hn::IfThenElse(better, gap, best.gap);
    best.number = hn::IfThenElse(better, hn::Set(d, static_cast<T>(number)), best.number);
  };
  for (int i = 0; i < 3; ++i) {
    const V reach = hn::Add(half_a[i], three(q[i][0], half_b[0], q[i][1], half_b[1], q[i][2], half_b[2]));
    offer(faces, hn::Sub(hn::Abs(t[i]), reach), i);
  }
  for (int j = 0; j < 3; ++j) {
    const V reach = hn::Add(half_b[j], three(q[0][j], half_a[0], q[1][j], half_a[1], q[2][j], half_a[2]));
    offer(faces, hn::Sub(hn::Abs(three(t[0], r[0][j], t[1], r[1][j], t[2], r[2][j])), reach), 3 + j);
  }
  const V size = hn::Add(load(a, 15), load(b, 15));
  V thinnest = hn::Set(d, T(2)), apart = faces.gap;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const V along = hn::Abs(hn::Sub(hn::Mul(t[i2], r[i1][j]), hn::Mul(t[i1], r[i2][j])));
      const V reach = hn::Add(hn::Add(hn::Mul(half_a[i1], q[i2][j]), hn::Mul(half_a[i2], q[i1][j])),
                              hn::Add(hn::Mul(half_b[j1], q[i][j2]), hn::Mul(half_b[j2], q[i][j1])));
      const V gap = hn::Sub(along, reach), square = hn::Add(hn::Mul(q[i1][j], q[i1][j]), hn::Mul(q[i2][j], q[i2][j]));
      thinnest = hn::Min(thinnest, square);
      apart = hn::Max(apart, gap);
      offer(edges, hn::Div(gap, hn::Sqrt(square)), 3 * i + j);
    }
  const V error = hn::Mul(size, hn::Set(d, kBatchError<T>)), one = hn::Set(d, T(1));
  const auto thick = hn::Gt(thinnest, hn::Set(d, static_cast<T>(kBoxThin * kBoxThin)));
  hn::Store(faces.gap, d, out.face_gap);
  hn::Store(faces.number, d, out.face);
  hn::Store(edges.gap, d, out.edge_gap);
  hn::Store(edges.number, d, out.edge);
  hn::Store(hn::IfThenElseZero(thick, one), d, out.thick);
  hn::Store(hn::IfThenElseZero(hn::Gt(apart, error), one), d, out.apart);
  hn::Store(hn::IfThenElseZero(hn::And(hn::Lt(apart, hn::Neg(error)), thick), one), d, out.overlap);
}

template <class T>
HWY_INLINE void depths_of(const BoxRecord3<T>* records, const BoxPair* pairs, std::size_t count, DepthLanes<T>* out) {
  constexpr std::size_t kMost = DepthLanes<T>::kMost;
  const hn::CappedTag<T, kMost> d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN T a[16 * kMost], b[16 * kMost];
  std::uint32_t ids_a[kMost], ids_b[kMost];
  for (std::size_t l = 0; l < lanes; ++l) {
    ids_a[l] = pairs[std::min(l, count - 1)].a;
    ids_b[l] = pairs[std::min(l, count - 1)].b;
  }
  transpose(records, ids_a, lanes, a);
  transpose(records, ids_b, lanes, b);
  deepest(a, b, lanes, *out);
  out->count = std::min(lanes, count);
}

void Depths(const BoxRecord3<double>* r, const BoxPair* pairs, std::size_t count, DepthLanes<double>* out) {
  depths_of(r, pairs, count, out);
}
void DepthsFloat(const BoxRecord3<float>* r, const BoxPair* pairs, std::size_t count, DepthLanes<float>* out) {
  depths_of(r, pairs, count, out);
}
std::size_t FilterFloat(const BoxRecord3<float>* r, const BoxPair* pairs, std::size_t count, std::uint8_t* hits) {
  return filter_all(r, pairs, count, hits);
}
std::size_t FilterDouble(const BoxRecord3<double>* r, const BoxPair* pairs, std::size_t count, std::uint8_t* hits) {
  return filter_all(r, pairs, count, hits);
}

#else

template <class T>
void leave_all(std::size_t count, DepthLanes<T>* out) {
  constexpr std::size_t kMost = DepthLanes<T>::kMost;
  out->count = std::min(count, kMost);
  std::fill(out->apart, out->apart + kMost, T(0));
  std::fill(out->thick, out->thick + kMost, T(0));
  std::fill(out->overlap, out->overlap + kMost, T(0));
}
void Depths(const BoxRecord3<double>*, const BoxPair*, std::size_t count, DepthLanes<double>* out) {
  leave_all(count, out);
}
void DepthsFloat(const BoxRecord3<float>*, const BoxPair*, std::size_t count, DepthLanes<float>* out) {
  leave_all(count, out);
}
std::size_t FilterFloat(const BoxRecord3<float>*, const BoxPair*, std::size_t count, std::uint8_t* hits) {
  std::fill(hits, hits + count, std::uint8_t{2});
  return count;
}
std::size_t FilterDouble(const BoxRecord3<double>*, const BoxPair*, std::size_t count, std::uint8_t* hits) {
  std::fill(hits, hits + count, std::uint8_t{2});
  return count;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace sudar::box_batch_simd
HWY_AFTER_NAMESPACE();
#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE
namespace sudar {

namespace {

// The same as the lanes do, one pair at a time, in the same order of operations
template <class T>
std::uint8_t filter_one(const BoxRecord3<T>& a, const BoxRecord3<T>& b) {
  T r[3][3], q[3][3], t[3], d[3];
  for (int k = 0; k < 3; ++k) d[k] = b.center[k] - a.center[k];
  for (int i = 0; i < 3; ++i) {
    const T* x = a.axes[i];
    t[i] = d[0] * x[0] + d[1] * x[1] + d[2] * x[2];
    for (int j = 0; j < 3; ++j) {
      r[i][j] = x[0] * b.axes[j][0] + x[1] * b.axes[j][1] + x[2] * b.axes[j][2];
      q[i][j] = std::fabs(r[i][j]);
    }
  }
  T faces = -std::numeric_limits<T>::infinity();
  for (int i = 0; i < 3; ++i) {
    const T reach_a = a.half[i] + (q[i][0] * b.half[0] + q[i][1] * b.half[1] + q[i][2] * b.half[2]);
    const T reach_b = b.half[i] + (q[0][i] * a.half[0] + q[1][i] * a.half[1] + q[2][i] * a.half[2]);
    faces = std::max(faces, std::fabs(t[i]) - reach_a);
    faces = std::max(faces, std::fabs(t[0] * r[0][i] + t[1] * r[1][i] + t[2] * r[2][i]) - reach_b);
  }
  T edges = faces, counted = faces, thinnest = 2;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const T reach = (a.half[i1] * q[i2][j] + a.half[i2] * q[i1][j]) + (b.half[j1] * q[i][j2] + b.half[j2] * q[i][j1]);
      const T gap = std::fabs(t[i2] * r[i1][j] - t[i1] * r[i2][j]) - reach, sine = std::max(q[i1][j], q[i2][j]);
      edges = std::max(edges, gap);
      thinnest = std::min(thinnest, sine);
      if (!(sine <= kBatchParallel<T>)) counted = std::max(counted, gap);
    }
  const T size = a.size + b.size, error = size * kBatchError<T>;
  const T clear = thinnest <= kBatchParallel<T> ? size * (32 * kBatchParallel<T>) : error;
  return edges > error ? 0 : counted < -clear ? 1 : 2;
}

template <class T>
BoxRecord3<T> make_record(const Vec3d& half, const Pose3d& pose, const Vec3d& middle) {
  BoxRecord3<T> out{};
  const Mat3d axes = to_matrix(normalized(pose.rotation));
  const Vec3d center = pose.position - middle;
  double size = 0;
  for (int i = 0; i < 3; ++i) {
    out.half[i] = static_cast<T>(half[i]);
    out.center[i] = static_cast<T>(center[i]);
    for (int k = 0; k < 3; ++k) out.axes[i][k] = static_cast<T>(axes[i][k]);
    // What the difference to the middle rounds away counts as if this precision had
    constexpr double kShare = std::is_same_v<T, float> ? 0x1p-27 : 4;
    size += std::fabs(center[i]) + half[i] + kShare * (std::fabs(pose.position[i]) + std::fabs(middle[i]));
  }
  out.size = static_cast<T>(size * (1 + 0x1p-20));
  return out;
}

}  // namespace

#if defined(SUDAR_HAVE_HIGHWAY)
namespace box_batch_simd {
HWY_EXPORT(FilterFloat);
HWY_EXPORT(FilterDouble);
HWY_EXPORT(Depths);
HWY_EXPORT(DepthsFloat);
}  // namespace box_batch_simd
#endif

Result<void> BoxBatch3::build(std::span<const Vec3d> halves, std::span<const Pose3d> poses) noexcept {
  return guarded([&]() -> Result<void> {
    if (halves.size() != poses.size()) return Error{ErrorCode::invalid_argument, 0, "as many poses as boxes"};
    if (halves.size() > std::numeric_limits<std::uint32_t>::max()) return Error{ErrorCode::too_large, 0, "boxes"};
    Vec3d lo{}, hi{};
    std::vector<Pose3d> placed(poses.size());
    for (std::size_t i = 0; i < halves.size(); ++i) {
      if (!is_finite(halves[i]) || !is_finite(poses[i].position)) return Error{ErrorCode::non_finite, i, "box or pose"};
      const Result<Quatd> turn = checked_rotation(poses[i].rotation, i);
      if (!turn) return turn.error();
      placed[i] = {poses[i].position, *turn};
      for (int k = 0; k < 3; ++k)
        if (!(halves[i][k] > 0)) return Error{ErrorCode::degenerate, i, "a side without length"};
      lo = i == 0 ? poses[i].position : min(lo, poses[i].position);
      hi = i == 0 ? poses[i].position : max(hi, poses[i].position);
    }
    const Vec3d middle = lo * 0.5 + hi * 0.5;
    std::vector<Vec3d> sides(halves.begin(), halves.end());
    std::vector<BoxRecord3<float>> floats(halves.size());
    std::vector<BoxRecord3<double>> doubles(halves.size());
    for (std::size_t i = 0; i < halves.size(); ++i) {
      floats[i] = make_record<float>(halves[i], placed[i], middle);
      doubles[i] = make_record<double>(halves[i], placed[i], middle);
    }
    halves_ = std::move(sides);
    poses_ = std::move(placed);
    floats_ = std::move(floats);
    doubles_ = std::move(doubles);
    return {};
  });
}

bool BoxBatch3::decide(const BoxPair& pair) const {
  return box_box_intersects3(halves_[pair.a], halves_[pair.b], make_placement(poses_[pair.a], poses_[pair.b]));
}

DistanceAnswer3 BoxBatch3::single_distance(const BoxPair& pair) const {
  return box_box_distance3(halves_[pair.a], halves_[pair.b], make_placement(poses_[pair.a], poses_[pair.b]));
}
BoxDepth3 BoxBatch3::single_depth(const BoxPair& pair) const {
  return box_box_depth3(halves_[pair.a], halves_[pair.b], make_placement(poses_[pair.a], poses_[pair.b]));
}

std::size_t BoxBatch3::depths(std::span<const BoxPair> pairs, std::span<BoxDepth3> out) const noexcept {
  SUDAR_ASSERT(out.size() >= pairs.size());
  std::size_t left = 0;
#if defined(SUDAR_HAVE_HIGHWAY)
  using namespace box_batch_simd;
  static constexpr int kNext[3] = {1, 2, 0};
  DepthLanes<double> lanes;
  for (std::size_t from = 0; from < pairs.size(); from += lanes.count) {
    HWY_DYNAMIC_DISPATCH(Depths)(doubles_.data(), pairs.data() + from, pairs.size() - from, &lanes);
    for (std::size_t l = 0; l < lanes.count; ++l) {
      BoxDepth3& answer = out[from + l];
      answer = {};
      if (lanes.apart[l] != 0) continue;
      if (lanes.overlap[l] == 0) {
        ++left;
        answer = single_depth(pairs[from + l]);
        continue;
      }
      const auto [a, b] = pairs[from + l];
      const double size = doubles_[a].size + doubles_[b].size;
      const bool use_edge = lanes.use_edge(l, lanes.size(l, halves_[a], halves_[b]));
      const int axis = static_cast<int>(use_edge ? 6 + lanes.edge[l] : lanes.face[l]);
      const double t[3] = {lanes.t[0][l], lanes.t[1][l], lanes.t[2][l]};
      double n[3] = {};
      if (axis < 3) {
        n[axis] = 1;
      } else if (axis < 6) {
        for (int i = 0; i < 3; ++i) n[i] = lanes.r[i][axis - 3][l];
      } else {
        const int i = (axis - 6) / 3, j = (axis - 6) % 3, i1 = kNext[i], i2 = kNext[i1];
        n[i1] = -lanes.r[i2][j][l];
        n[i2] = lanes.r[i1][j][l];
      }
      const double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2], along = n[0] * t[0] + n[1] * t[1] + n[2] * t[2];
      const double scale = std::copysign(1 / std::sqrt(square), along);
      const double error = kBatchError<double> / kBoxThin * size;
      answer.hit = true;
      answer.depth = -(use_edge ? lanes.edge_gap[l] : lanes.face_gap[l]);
      answer.normal = {n[0] * scale, n[1] * scale, n[2] * scale};
      answer.lower = std::max(answer.depth - error, 0.0);
      answer.upper = answer.depth + error;
    }
  }
#else
  for (std::size_t k = 0; k < pairs.size(); ++k, ++left) out[k] = single_depth(pairs[k]);
#endif
  return left;
}

std::size_t BoxBatch3::depths_float(std::span<const BoxPair> pairs, std::span<float> out) const noexcept {
  SUDAR_ASSERT(out.size() >= pairs.size());
  std::size_t left = 0;
#if defined(SUDAR_HAVE_HIGHWAY)
  using namespace box_batch_simd;
  DepthLanes<float> lanes;
  for (std::size_t from = 0; from < pairs.size(); from += lanes.count) {
    HWY_DYNAMIC_DISPATCH(DepthsFloat)(floats_.data(), pairs.data() + from, pairs.size() - from, &lanes);
    for (std::size_t l = 0; l < lanes.count; ++l) {
      float& depth = out[from + l];
      depth = 0;
      if (lanes.apart[l] != 0) continue;
      if (lanes.overlap[l] != 0) {
        depth = -std::max(lanes.face_gap[l], lanes.edge_gap[l]);
        continue;
      }
      ++left;
      depth = static_cast<float>(single_depth(pairs[from + l]).depth);
    }
  }
#else
  for (std::size_t k = 0; k < pairs.size(); ++k, ++left) out[k] = static_cast<float>(single_depth(pairs[k]).depth);
#endif
  return left;
}

std::size_t BoxBatch3::distances(std::span<const BoxPair> pairs, std::span<DistanceAnswer3> out) const noexcept {
  SUDAR_ASSERT(out.size() >= pairs.size());
  std::size_t left = 0;
#if defined(SUDAR_HAVE_HIGHWAY)
  using namespace box_batch_simd;
  DepthLanes<double> lanes;
  for (std::size_t from = 0; from < pairs.size(); from += lanes.count) {
    HWY_DYNAMIC_DISPATCH(Depths)(doubles_.data(), pairs.data() + from, pairs.size() - from, &lanes);
    for (std::size_t l = 0; l < lanes.count; ++l) {
      const BoxPair& pair = pairs[from + l];
      BoxScan3 scan;
      const Vec3d &half_a = halves_[pair.a], &half_b = halves_[pair.b];
      scan.size = lanes.size(l, half_a, half_b);
      const double rounding = kBatchError<double> * (doubles_[pair.a].size + doubles_[pair.b].size);
      scan.sign = lanes.apart[l] != 0 ? BoxSign::apart : lanes.overlap[l] != 0 ? BoxSign::overlap : BoxSign::unclear;
      scan.face_gap = lanes.face_gap[l];
      scan.edge_gap = lanes.edge_gap[l];
      scan.face = static_cast<int>(lanes.face[l]);
      scan.edge = static_cast<int>(lanes.edge[l]);
      // Gaps that are small for the boxes, and boxes small for the world, take the care of the single query
      const bool fine = std::fabs(std::max(scan.face_gap, scan.edge_gap)) > kBoxFineGap * scan.size;
      if (scan.sign == BoxSign::unclear || lanes.thick[l] == 0 || !fine ||
          rounding > 16 * kBoxCertificate * scan.size) {
        ++left;
        out[from + l] = single_distance(pair);
        continue;
      }
      Placement3 at;
      at.turned = true;
      for (int i = 0; i < 3; ++i) {
        at.translation[i] = lanes.t[i][l];
        for (int j = 0; j < 3; ++j) at.turn[j][i] = lanes.r[i][j][l];
      }
      out[from + l] = box_box_distance3(half_a, half_b, at, scan, rounding);
    }
  }
#else
  for (std::size_t k = 0; k < pairs.size(); ++k, ++left) out[k] = single_distance(pairs[k]);
#endif
  return left;
}

void BoxBatch3::intersects_plain(std::span<const BoxPair> pairs, std::span<std::uint8_t> hits) const noexcept {
  SUDAR_ASSERT(hits.size() >= pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) hits[k] = decide(pairs[k]) ? 1 : 0;
}

std::size_t BoxBatch3::intersects_scalar(std::span<const BoxPair> pairs, std::span<std::uint8_t> hits) const noexcept {
  SUDAR_ASSERT(hits.size() >= pairs.size());
  std::size_t unclear = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    hits[k] = filter_one(floats_[pairs[k].a], floats_[pairs[k].b]);
    if (hits[k] != 2) continue;
    ++unclear;
    hits[k] = decide(pairs[k]) ? 1 : 0;
  }
  return unclear;
}

#if defined(SUDAR_HAVE_HIGHWAY)
std::size_t BoxBatch3::intersects(std::span<const BoxPair> pairs, std::span<std::uint8_t> hits) const noexcept {
  SUDAR_ASSERT(hits.size() >= pairs.size());
  using namespace box_batch_simd;
  const std::size_t unclear =
      HWY_DYNAMIC_DISPATCH(FilterFloat)(floats_.data(), pairs.data(), pairs.size(), hits.data());
  if (unclear > 0)
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (hits[k] == 2) hits[k] = decide(pairs[k]) ? 1 : 0;
  return unclear;
}
std::size_t BoxBatch3::intersects_double(std::span<const BoxPair> pairs, std::span<std::uint8_t> hits) const noexcept {
  SUDAR_ASSERT(hits.size() >= pairs.size());
  using namespace box_batch_simd;
  const std::size_t unclear =
      HWY_DYNAMIC_DISPATCH(FilterDouble)(doubles_.data(), pairs.data(), pairs.size(), hits.data());
  if (unclear > 0)
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (hits[k] == 2) hits[k] = decide(pairs[k]) ? 1 : 0;
  return unclear;
}
#else
std::size_t BoxBatch3::intersects(std::span<const BoxPair> pairs, std::span<std::uint8_t> hits) const noexcept {
  return intersects_scalar(pairs, hits);
}
std::size_t BoxBatch3::intersects_double(std::span<const BoxPair> pairs, std::span<std::uint8_t> hits) const noexcept {
  std::size_t unclear = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    hits[k] = filter_one(doubles_[pairs[k].a], doubles_[pairs[k].b]);
    if (hits[k] != 2) continue;
    ++unclear;
    hits[k] = decide(pairs[k]) ? 1 : 0;
  }
  return unclear;
}
#endif

}  // namespace sudar
#endif
