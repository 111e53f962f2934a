// What:    Loops of face_depth3, see the header: a scalar and a Highway version of each.
#if defined(SUDAR_HAVE_HIGHWAY)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/narrowphase/face_scan.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on
#endif

#include <sudar/narrowphase/face_scan.hpp>

#include <algorithm>
#include <bit>

#if defined(SUDAR_HAVE_HIGHWAY)
HWY_BEFORE_NAMESPACE();
namespace sudar::face_scan_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using ScanTag = hn::CappedTag<double, 8>;
using ScanVector = hn::Vec<ScanTag>;

HWY_INLINE HWY_ATTR ScanVector dot3(ScanVector ax, ScanVector ay, ScanVector az, ScanVector bx, ScanVector by,
                                    ScanVector bz) {
  return hn::Add(hn::Add(hn::Mul(ax, bx), hn::Mul(ay, by)), hn::Mul(az, bz));
}
HWY_INLINE HWY_ATTR std::uint32_t bits_of(hn::Mask<ScanTag> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(ScanTag(), mask, bytes);
  return bytes[0];
}

// The whole vectors of planes, as many as fit; returns where they end
std::uint32_t LowPlanes(const double* planes, std::uint32_t count, const double* point, double depth, double* heights,
                        std::uint32_t* low, std::uint32_t* found) {
  const ScanTag d;
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(d));
  const auto x = hn::Set(d, point[0]), y = hn::Set(d, point[1]), z = hn::Set(d, point[2]), limit = hn::Set(d, depth);
  std::uint32_t i = 0, n = 0;
  for (; i + lanes <= count; i += lanes) {
    ScanVector nx, ny, nz, offset;
    hn::LoadInterleaved4(d, planes + 4 * std::size_t{i}, nx, ny, nz, offset);
    const auto height = hn::Sub(offset, dot3(nx, ny, nz, x, y, z));
    hn::StoreU(height, d, heights + i);
    for (std::uint32_t bits = bits_of(hn::Lt(height, limit)); bits != 0; bits &= bits - 1)
      low[n++] = i + static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  *found = n;
  return i;
}

std::uint32_t Crossings(const ArcColumns& a, const ArcColumns& b, ArcPair* out) {
  const ScanTag d;
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(d));
  std::uint32_t n = 0;
  for (std::uint32_t i = 0; i < a.count; ++i) {
    const auto set = [&](double value) HWY_ATTR { return hn::Set(d, value); };
    const auto ux = set(a.along[0][i]), uy = set(a.along[1][i]), uz = set(a.along[2][i]), ta = set(a.tolerance[i]);
    const auto px = set(a.normal[0][0][i]), py = set(a.normal[0][1][i]), pz = set(a.normal[0][2][i]);
    const auto qx = set(a.normal[1][0][i]), qy = set(a.normal[1][1][i]), qz = set(a.normal[1][2][i]);
    for (std::uint32_t j = 0; j < b.count; j += lanes) {
      const auto load = [&](const double* column) HWY_ATTR { return hn::Load(d, column + j); };
      const auto c = dot3(load(b.normal[0][0]), load(b.normal[0][1]), load(b.normal[0][2]), ux, uy, uz);
      const auto e = dot3(load(b.normal[1][0]), load(b.normal[1][1]), load(b.normal[1][2]), ux, uy, uz);
      const auto wx = load(b.along[0]), wy = load(b.along[1]), wz = load(b.along[2]), tb = load(b.tolerance);
      const auto f = dot3(px, py, pz, wx, wy, wz), g = dot3(qx, qy, qz, wx, wy, wz);
      const auto down_a = hn::Neg(ta), down_b = hn::Neg(tb);
      const auto c_up = hn::Gt(c, ta), c_down = hn::Lt(c, down_a), g_up = hn::Gt(g, tb), g_down = hn::Lt(g, down_b);
      const auto one_side = hn::Or(hn::Or(hn::And(c_up, hn::Gt(e, ta)), hn::And(c_down, hn::Lt(e, down_a))),
                                   hn::Or(hn::And(g_up, hn::Gt(f, tb)), hn::And(g_down, hn::Lt(f, down_b))));
      const auto misses = hn::Or(one_side, hn::Or(hn::And(c_up, g_up), hn::And(c_down, g_down)));
      const std::uint32_t there = b.count - j < lanes ? (1u << (b.count - j)) - 1 : (1u << lanes) - 1;
      for (std::uint32_t bits = there & ~bits_of(misses); bits != 0; bits &= bits - 1) {
        if (n == kMostCrossings) return n + 1;
        out[n++] = {static_cast<std::uint16_t>(i),
                    static_cast<std::uint16_t>(j + static_cast<std::uint32_t>(std::countr_zero(bits)))};
      }
    }
  }
  return n;
}

}  // namespace HWY_NAMESPACE
}  // namespace sudar::face_scan_simd
HWY_AFTER_NAMESPACE();
#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE
namespace sudar {

namespace {

std::uint32_t low_planes_from(std::span<const Plane<3, double>> planes, std::uint32_t first, std::uint32_t found,
                              const Vec3d& point, double depth, double* heights, std::uint32_t* low) {
  for (std::uint32_t f = first; f < planes.size(); ++f) {
    heights[f] = planes[f].offset - dot(planes[f].normal, point);
    low[found] = f;
    found += heights[f] < depth ? 1 : 0;
  }
  return found;
}

}  // namespace

std::uint32_t find_low_planes_plain(std::span<const Plane<3, double>> planes, const Vec3d& point, double depth,
                                    double* heights, std::uint32_t* low) noexcept {
  return low_planes_from(planes, 0, 0, point, depth, heights, low);
}

std::uint32_t find_crossings_plain(const ArcColumns& a, const ArcColumns& b, ArcPair* out) noexcept {
  std::uint32_t n = 0;
  for (std::uint32_t i = 0; i < a.count; ++i)
    for (std::uint32_t j = 0; j < b.count; ++j) {
      const double ta = a.tolerance[i], tb = b.tolerance[j];
      const double c = dot(b.face(0, j), a.edge(i)), e = dot(b.face(1, j), a.edge(i));
      const double f = dot(a.face(0, i), b.edge(j)), g = dot(a.face(1, i), b.edge(j));
      if ((c > ta && e > ta) || (c < -ta && e < -ta) || (g > tb && f > tb) || (g < -tb && f < -tb)) continue;
      if ((c > ta && g > tb) || (c < -ta && g < -tb)) continue;
      if (n == kMostCrossings) return n + 1;
      out[n++] = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(j)};
    }
  return n;
}

#if defined(SUDAR_HAVE_HIGHWAY)
namespace face_scan_simd {
HWY_EXPORT(LowPlanes);
HWY_EXPORT(Crossings);
}  // namespace face_scan_simd

std::uint32_t find_low_planes(std::span<const Plane<3, double>> planes, const Vec3d& point, double depth,
                              double* heights, std::uint32_t* low) noexcept {
  static_assert(sizeof(Plane<3, double>) == 4 * sizeof(double));
  using namespace face_scan_simd;
  std::uint32_t found = 0;
  const std::uint32_t done =
      HWY_DYNAMIC_DISPATCH(LowPlanes)(planes.empty() ? nullptr : &planes[0].normal.x,
                                      static_cast<std::uint32_t>(planes.size()), &point.x, depth, heights, low, &found);
  return low_planes_from(planes, done, found, point, depth, heights, low);
}
std::uint32_t find_crossings(const ArcColumns& a, const ArcColumns& b, ArcPair* out) noexcept {
  using namespace face_scan_simd;
  return HWY_DYNAMIC_DISPATCH(Crossings)(a, b, out);
}
#else
std::uint32_t find_low_planes(std::span<const Plane<3, double>> planes, const Vec3d& point, double depth,
                              double* heights, std::uint32_t* low) noexcept {
  return find_low_planes_plain(planes, point, depth, heights, low);
}
std::uint32_t find_crossings(const ArcColumns& a, const ArcColumns& b, ArcPair* out) noexcept {
  return find_crossings_plain(a, b, out);
}
#endif

}  // namespace sudar
#endif
