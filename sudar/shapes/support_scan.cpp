// What:    Farthest vertices, see the header: a scalar and a Highway version of each.
#if defined(SUDAR_HAVE_HIGHWAY)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/shapes/support_scan.cpp"
#include <hwy/foreach_target.h>
// The loop over targets comes first
#include <hwy/highway.h>
#endif

#include <sudar/shapes/support_scan.hpp>

#include <type_traits>

#if defined(SUDAR_HAVE_HIGHWAY)
HWY_BEFORE_NAMESPACE();
namespace sudar::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Of a lane's worth of vertices from the i-th on. A function, because vectors of unknown length cannot be captured.
template <int D, class Tag, class V = hn::Vec<Tag>, class T = hn::TFromD<Tag>>
HWY_ATTR HWY_INLINE V products(Tag d, const T* HWY_RESTRICT xs, const T* HWY_RESTRICT ys, const T* HWY_RESTRICT zs,
                               std::size_t i, V vx, V vy, V vz) {
  V sum = hn::Add(hn::Mul(hn::Load(d, xs + i), vx), hn::Mul(hn::Load(d, ys + i), vy));
  if constexpr (D == 3) sum = hn::Add(sum, hn::Mul(hn::Load(d, zs + i), vz));
  return sum;
}

#if !HWY_HAVE_SCALABLE
// Of sixteen all products stay in registers: the first that equals the largest, without a detour over memory
template <int D, class T>
HWY_ATTR HWY_INLINE std::uint32_t scan_sixteen(const T* HWY_RESTRICT xs, const T* HWY_RESTRICT ys,
                                               const T* HWY_RESTRICT zs, T dx, T dy, T dz) {
  const hn::CappedTag<T, 8> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = hn::MaxLanes(hn::CappedTag<T, 8>()), kVectors = kVertexPadding / kLanes;
  const V vx = hn::Set(d, dx), vy = hn::Set(d, dy), vz = hn::Set(d, dz);
  V product[kVectors];
  for (std::size_t k = 0; k < kVectors; ++k) product[k] = products<D>(d, xs, ys, zs, k * kLanes, vx, vy, vz);
  V best = product[0];
  for (std::size_t k = 1; k < kVectors; ++k) best = hn::Max(best, product[k]);
  const V top = hn::MaxOfLanes(d, best);
  // None is equal when there is a NaN
  std::uint32_t found = 0;
  for (std::size_t k = kVectors; k-- > 0;) {
    const auto at = hn::FindFirstTrue(d, hn::Eq(product[k], top));
    found = at >= 0 ? static_cast<std::uint32_t>(k * kLanes) + static_cast<std::uint32_t>(at) : found;
  }
  return found;
}
#endif

// Each lane remembers its largest product and where it was; indices are exact as floating-point numbers of the same
// width up to 2^24 vertices of float, beyond which the callers take the scalar version
template <int D, class T>
HWY_ATTR std::uint32_t scan(const T* HWY_RESTRICT xs, const T* HWY_RESTRICT ys, const T* HWY_RESTRICT zs,
                            std::uint32_t padded, T dx, T dy, T dz) {
#if !HWY_HAVE_SCALABLE
  if (padded == kVertexPadding) return scan_sixteen<D>(xs, ys, zs, dx, dy, dz);
#endif
  const hn::CappedTag<T, 8> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d), step = 2 * lanes;
  const V vx = hn::Set(d, dx), vy = hn::Set(d, dy), vz = hn::Set(d, dz);
  V best0 = products<D>(d, xs, ys, zs, 0, vx, vy, vz), best1 = products<D>(d, xs, ys, zs, lanes, vx, vy, vz);
  V index0 = hn::Iota(d, T(0)), index1 = hn::Iota(d, static_cast<T>(lanes));
  V at0 = index0, at1 = index1;
  const V stride = hn::Set(d, static_cast<T>(step));
  for (std::size_t i = step; i < padded; i += step) {
    index0 = hn::Add(index0, stride), index1 = hn::Add(index1, stride);
    const V p0 = products<D>(d, xs, ys, zs, i, vx, vy, vz), p1 = products<D>(d, xs, ys, zs, i + lanes, vx, vy, vz);
    at0 = hn::IfThenElse(hn::Gt(p0, best0), index0, at0), best0 = hn::Max(best0, p0);
    at1 = hn::IfThenElse(hn::Gt(p1, best1), index1, at1), best1 = hn::Max(best1, p1);
  }
  // Of the two, the larger product or the lower index
  const auto second = hn::Or(hn::Gt(best1, best0), hn::And(hn::Eq(best1, best0), hn::Lt(at1, at0)));
  const V best = hn::Max(best0, best1), at = hn::IfThenElse(second, at1, at0);
  // As integers, stored while the largest lane is still being found
  const hn::Rebind<std::int32_t, decltype(d)> di;
  HWY_ALIGN std::int32_t found[8];
  if constexpr (sizeof(T) == 8)
    hn::StoreU(hn::DemoteTo(di, at), di, found);
  else
    hn::StoreU(hn::ConvertTo(di, at), di, found);
  const V top = hn::MaxOfLanes(d, best);
  const auto is_top = hn::Eq(best, top);
  if (hn::CountTrue(d, is_top) == 1) return static_cast<std::uint32_t>(found[hn::FindFirstTrue(d, is_top)]);
  // Several lanes hold the largest product: the lowest index of them. None does when it is NaN.
  const V low = hn::IfThenElse(is_top, at, hn::Set(d, static_cast<T>(padded)));
  const std::uint32_t first = static_cast<std::uint32_t>(hn::GetLane(hn::MinOfLanes(d, low)));
  return first < padded ? first : 0;
}

// Names without template arguments, as the dispatch tables need them
std::uint32_t scan2(const double* xs, const double* ys, std::uint32_t padded, double dx, double dy) {
  return scan<2, double>(xs, ys, nullptr, padded, dx, dy, 0);
}
std::uint32_t scan3(const double* xs, const double* ys, const double* zs, std::uint32_t padded, double dx, double dy,
                    double dz) {
  return scan<3, double>(xs, ys, zs, padded, dx, dy, dz);
}
std::uint32_t scan2_float(const float* xs, const float* ys, std::uint32_t padded, float dx, float dy) {
  return scan<2, float>(xs, ys, nullptr, padded, dx, dy, 0);
}
std::uint32_t scan3_float(const float* xs, const float* ys, const float* zs, std::uint32_t padded, float dx, float dy,
                          float dz) {
  return scan<3, float>(xs, ys, zs, padded, dx, dy, dz);
}
}  // namespace sudar::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE
namespace sudar {
namespace {

template <int D, class T>
std::uint32_t plain(const T* xs, const T* ys, [[maybe_unused]] const T* zs, std::uint32_t padded, const Vec<D, T>& d) {
  std::uint32_t best = 0;
  T most = 0;
  for (std::uint32_t i = 0; i < padded; ++i) {
    T value = xs[i] * d.x + ys[i] * d.y;
    if constexpr (D == 3) value += zs[i] * d.z;
    if (i == 0 || value > most) best = i, most = value;
  }
  return best;
}

}  // namespace

std::uint32_t farthest_vertex_plain(const double* xs, const double* ys, std::uint32_t padded, const Vec2d& d) noexcept {
  return plain<2, double>(xs, ys, nullptr, padded, d);
}
std::uint32_t farthest_vertex_plain(const double* xs, const double* ys, const double* zs, std::uint32_t padded,
                                    const Vec3d& d) noexcept {
  return plain<3, double>(xs, ys, zs, padded, d);
}
std::uint32_t farthest_vertex_plain(const float* xs, const float* ys, std::uint32_t padded,
                                    const BasicVec2<float>& d) noexcept {
  return plain<2, float>(xs, ys, nullptr, padded, d);
}
std::uint32_t farthest_vertex_plain(const float* xs, const float* ys, const float* zs, std::uint32_t padded,
                                    const BasicVec3<float>& d) noexcept {
  return plain<3, float>(xs, ys, zs, padded, d);
}

#if defined(SUDAR_HAVE_HIGHWAY)
HWY_EXPORT(scan2);
HWY_EXPORT(scan3);
HWY_EXPORT(scan2_float);
HWY_EXPORT(scan3_float);

namespace {
// Indices as numbers of type float
constexpr std::uint32_t kMostOfFloat = 1u << 24;
}  // namespace

std::uint32_t farthest_vertex(const double* xs, const double* ys, std::uint32_t padded, const Vec2d& d) noexcept {
  return HWY_DYNAMIC_DISPATCH(scan2)(xs, ys, padded, d.x, d.y);
}
std::uint32_t farthest_vertex(const double* xs, const double* ys, const double* zs, std::uint32_t padded,
                              const Vec3d& d) noexcept {
  return HWY_DYNAMIC_DISPATCH(scan3)(xs, ys, zs, padded, d.x, d.y, d.z);
}
std::uint32_t farthest_vertex(const float* xs, const float* ys, std::uint32_t padded,
                              const BasicVec2<float>& d) noexcept {
  if (padded > kMostOfFloat) return farthest_vertex_plain(xs, ys, padded, d);
  return HWY_DYNAMIC_DISPATCH(scan2_float)(xs, ys, padded, d.x, d.y);
}
std::uint32_t farthest_vertex(const float* xs, const float* ys, const float* zs, std::uint32_t padded,
                              const BasicVec3<float>& d) noexcept {
  if (padded > kMostOfFloat) return farthest_vertex_plain(xs, ys, zs, padded, d);
  return HWY_DYNAMIC_DISPATCH(scan3_float)(xs, ys, zs, padded, d.x, d.y, d.z);
}
#else
std::uint32_t farthest_vertex(const double* xs, const double* ys, std::uint32_t padded, const Vec2d& d) noexcept {
  return farthest_vertex_plain(xs, ys, padded, d);
}
std::uint32_t farthest_vertex(const double* xs, const double* ys, const double* zs, std::uint32_t padded,
                              const Vec3d& d) noexcept {
  return farthest_vertex_plain(xs, ys, zs, padded, d);
}
std::uint32_t farthest_vertex(const float* xs, const float* ys, std::uint32_t padded,
                              const BasicVec2<float>& d) noexcept {
  return farthest_vertex_plain(xs, ys, padded, d);
}
std::uint32_t farthest_vertex(const float* xs, const float* ys, const float* zs, std::uint32_t padded,
                              const BasicVec3<float>& d) noexcept {
  return farthest_vertex_plain(xs, ys, zs, padded, d);
}
#endif

}  // namespace sudar
#endif
