// What:    Passes over many points, see the header: a scalar and a Highway version of each.
#if defined(SUDAR_HAVE_HIGHWAY)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/bounding/point_scan.cpp"
#include <hwy/foreach_target.h>
// The loop over targets comes first
#include <hwy/highway.h>
#endif

#include <sudar/bounding/point_scan.hpp>

#include <algorithm>

#if defined(SUDAR_HAVE_HIGHWAY)
HWY_BEFORE_NAMESPACE();
namespace sudar::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Coordinates lie interleaved. A group of D vectors starts at the first coordinate of a point, so lane j of the group
// always holds coordinate j mod D and no shuffling is needed. Returns how many coordinates were taken.
template <int D>
HWY_ATTR std::size_t box_of_groups(const double* xs, std::size_t count, double* lo, double* hi, double* poison) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d), group = D * lanes;
  if (count < group) return 0;
  auto lo0 = hn::LoadU(d, xs), hi0 = lo0, lo1 = hn::LoadU(d, xs + lanes), hi1 = lo1;
  auto lo2 = D == 3 ? hn::LoadU(d, xs + 2 * lanes) : lo1, hi2 = lo2;
  const auto zero = hn::Zero(d);
  auto bad = zero;
  std::size_t i = 0;
  for (; i + group <= count; i += group) {
    const auto a = hn::LoadU(d, xs + i), b = hn::LoadU(d, xs + i + lanes);
    lo0 = hn::Min(lo0, a), hi0 = hn::Max(hi0, a);
    lo1 = hn::Min(lo1, b), hi1 = hn::Max(hi1, b);
    // Zero times a coordinate is zero exactly when it is finite
    bad = hn::Add(bad, hn::Add(hn::Mul(a, zero), hn::Mul(b, zero)));
    if constexpr (D == 3) {
      const auto c = hn::LoadU(d, xs + i + 2 * lanes);
      lo2 = hn::Min(lo2, c), hi2 = hn::Max(hi2, c);
      bad = hn::Add(bad, hn::Mul(c, zero));
    }
  }
  HWY_ALIGN double lanes_lo[3 * HWY_MAX_BYTES / sizeof(double)], lanes_hi[3 * HWY_MAX_BYTES / sizeof(double)];
  hn::StoreU(lo0, d, lanes_lo), hn::StoreU(hi0, d, lanes_hi);
  hn::StoreU(lo1, d, lanes_lo + lanes), hn::StoreU(hi1, d, lanes_hi + lanes);
  if constexpr (D == 3) hn::StoreU(lo2, d, lanes_lo + 2 * lanes), hn::StoreU(hi2, d, lanes_hi + 2 * lanes);
  for (std::size_t j = 0; j < group; ++j) {
    lo[j % D] = std::min(lo[j % D], lanes_lo[j]);
    hi[j % D] = std::max(hi[j % D], lanes_hi[j]);
  }
  *poison += hn::GetLane(hn::SumOfLanes(d, bad));
  return i;
}

// Farthest squared distance from c among the first multiple of the lane count of points; `taken` says how many
template <int D>
HWY_ATTR double farthest_in(const double* xs, std::size_t points, const double* c, std::size_t* taken) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto cx = hn::Set(d, c[0]), cy = hn::Set(d, c[1]), cz = hn::Set(d, D == 3 ? c[2] : 0.0);
  auto far = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= points; i += lanes) {
    hn::Vec<decltype(d)> x, y, z;
    if constexpr (D == 2)
      hn::LoadInterleaved2(d, xs + D * i, x, y);
    else
      hn::LoadInterleaved3(d, xs + D * i, x, y, z);
    x = hn::Sub(x, cx), y = hn::Sub(y, cy);
    auto sum = hn::Add(hn::Mul(x, x), hn::Mul(y, y));
    if constexpr (D == 3) {
      z = hn::Sub(z, cz);
      sum = hn::Add(sum, hn::Mul(z, z));
    }
    far = hn::Max(far, sum);
  }
  *taken = i;
  return hn::GetLane(hn::MaxOfLanes(d, far));
}

template <int D>
HWY_ATTR double farthest_blocks(const double* xs, std::size_t points, const double* c, double* out) {
  double all = 0;
  for (std::size_t first = 0; first < points; first += kPointScanBlock) {
    const std::size_t count = std::min(kPointScanBlock, points - first);
    const double* block = xs + D * first;
    std::size_t taken;
    double far = farthest_in<D>(block, count, c, &taken);
    for (std::size_t i = taken; i < count; ++i) {
      double sum =
          (block[D * i] - c[0]) * (block[D * i] - c[0]) + (block[D * i + 1] - c[1]) * (block[D * i + 1] - c[1]);
      if (D == 3) sum += (block[D * i + 2] - c[D - 1]) * (block[D * i + 2] - c[D - 1]);
      far = std::max(far, sum);
    }
    out[first / kPointScanBlock] = far;
    all = std::max(all, far);
  }
  return all;
}

// Names without template arguments, as the dispatch tables need them
std::size_t box_of_groups2(const double* xs, std::size_t count, double* lo, double* hi, double* poison) {
  return box_of_groups<2>(xs, count, lo, hi, poison);
}
std::size_t box_of_groups3(const double* xs, std::size_t count, double* lo, double* hi, double* poison) {
  return box_of_groups<3>(xs, count, lo, hi, poison);
}
double farthest_blocks2(const double* xs, std::size_t points, const double* c, double* out) {
  return farthest_blocks<2>(xs, points, c, out);
}
double farthest_blocks3(const double* xs, std::size_t points, const double* c, double* out) {
  return farthest_blocks<3>(xs, points, c, out);
}
}  // namespace sudar::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE
namespace sudar {

#if defined(SUDAR_HAVE_HIGHWAY)
HWY_EXPORT(box_of_groups2);
HWY_EXPORT(box_of_groups3);
HWY_EXPORT(farthest_blocks2);
HWY_EXPORT(farthest_blocks3);
#endif

template <int D>
Aabb<D, double> scan_box_scalar(std::span<const Vec<D, double>> points) noexcept {
  Aabb<D, double> box = Aabb<D, double>::empty();
  double poison = 0;
  for (const Vec<D, double>& p : points) {
    box = merge(box, p);
    for (int i = 0; i < D; ++i) poison += p[i] * 0;
  }
  return poison == 0 ? box : Aabb<D, double>::empty();
}

template <int D>
double farthest_by_block_scalar(std::span<const Vec<D, double>> points, const Vec<D, double>& c,
                                std::span<double> out) noexcept {
  SUDAR_ASSERT(out.size() >= scan_blocks(points.size()));
  double all = 0;
  for (std::size_t block = 0; block < scan_blocks(points.size()); ++block) {
    double far = 0;
    for (const Vec<D, double>& p : points.subspan(block * kPointScanBlock)
                                       .first(std::min(kPointScanBlock, points.size() - block * kPointScanBlock)))
      far = std::max(far, length_squared(p - c));
    out[block] = far;
    all = std::max(all, far);
  }
  return all;
}

#if defined(SUDAR_HAVE_HIGHWAY)
template <int D>
Aabb<D, double> scan_box(std::span<const Vec<D, double>> points) noexcept {
  static_assert(sizeof(Vec<D, double>) == D * sizeof(double));
  Aabb<D, double> box = Aabb<D, double>::empty();
  double lo[3] = {box.lo[0], box.lo[0], box.lo[0]}, hi[3] = {box.hi[0], box.hi[0], box.hi[0]}, poison = 0;
  if (points.empty()) return box;
  const double* xs = reinterpret_cast<const double*>(points.data());
  const std::size_t count = points.size() * D;
  const std::size_t done = D == 2 ? HWY_DYNAMIC_DISPATCH(box_of_groups2)(xs, count, lo, hi, &poison)
                                  : HWY_DYNAMIC_DISPATCH(box_of_groups3)(xs, count, lo, hi, &poison);
  if (!(poison == 0)) return box;
  for (int i = 0; i < D; ++i) box.lo[i] = lo[i], box.hi[i] = hi[i];
  const auto rest = points.subspan(done / D);
  if (rest.empty()) return box;
  const Aabb<D, double> tail = scan_box_scalar<D>(rest);
  return is_valid(tail) ? merge(box, tail) : tail;
}

template <int D>
double farthest_by_block(std::span<const Vec<D, double>> points, const Vec<D, double>& c,
                         std::span<double> out) noexcept {
  SUDAR_ASSERT(out.size() >= scan_blocks(points.size()));
  if (points.empty()) return 0;
  const double* xs = reinterpret_cast<const double*>(points.data());
  const double at[3] = {c[0], c[1], c[D - 1]};
  return D == 2 ? HWY_DYNAMIC_DISPATCH(farthest_blocks2)(xs, points.size(), at, out.data())
                : HWY_DYNAMIC_DISPATCH(farthest_blocks3)(xs, points.size(), at, out.data());
}
#else
template <int D>
Aabb<D, double> scan_box(std::span<const Vec<D, double>> points) noexcept {
  return scan_box_scalar<D>(points);
}
template <int D>
double farthest_by_block(std::span<const Vec<D, double>> points, const Vec<D, double>& c,
                         std::span<double> out) noexcept {
  return farthest_by_block_scalar<D>(points, c, out);
}
#endif

template Aabb<2, double> scan_box<2>(std::span<const Vec2d>) noexcept;
template Aabb<3, double> scan_box<3>(std::span<const Vec3d>) noexcept;
template Aabb<2, double> scan_box_scalar<2>(std::span<const Vec2d>) noexcept;
template Aabb<3, double> scan_box_scalar<3>(std::span<const Vec3d>) noexcept;
template double farthest_by_block<2>(std::span<const Vec2d>, const Vec2d&, std::span<double>) noexcept;
template double farthest_by_block<3>(std::span<const Vec3d>, const Vec3d&, std::span<double>) noexcept;
template double farthest_by_block_scalar<2>(std::span<const Vec2d>, const Vec2d&, std::span<double>) noexcept;
template double farthest_by_block_scalar<3>(std::span<const Vec3d>, const Vec3d&, std::span<double>) noexcept;

}  // namespace sudar
#endif
