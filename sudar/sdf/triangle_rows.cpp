#include <sudar/sdf/triangle_rows.hpp>

#include <algorithm>

#ifndef SUDAR_TRIANGLE_ROWS_RANGE
#define SUDAR_TRIANGLE_ROWS_RANGE

namespace sudar {

// The rows of a brick along one axis that are within reach of an interval: from, to
inline void rows_near(const double (&at)[kBrickSide], double lo, double hi, double reach, int& from, int& to) {
  from = 0, to = kBrickSide;
  while (from < to && at[from] < lo - reach) ++from;
  while (to > from && at[to - 1] > hi + reach) --to;
}
inline double gap(double x, double lo, double hi) { return std::max(0.0, std::max(lo - x, x - hi)); }

}  // namespace sudar

#endif

#if defined(SUDAR_HAVE_HIGHWAY)

// This file is compiled once for every instruction set: foreach_target.h includes it again and again
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/sdf/triangle_rows.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sudar::triangle_rows_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

void LowerRows(const TriangleFrame& f, double reach, BrickRows& rows) { lower_rows_plain(f, reach, rows); }

#else

HWY_ATTR void LowerRows(const TriangleFrame& f, double reach, BrickRows& rows) {
  const hn::CappedTag<double, kBrickSide> d;
  int y_from, y_to, z_from, z_to;
  rows_near(rows.y, f.lo.y, f.hi.y, reach, y_from, y_to);
  rows_near(rows.z, f.lo.z, f.hi.z, reach, z_from, z_to);
  const double limit = reach * reach;
  const auto zero = hn::Zero(d);
  const auto base = hn::Set(d, f.base), left = hn::Set(d, f.left), right = hn::Set(d, f.right);
  const auto left_x = hn::Set(d, f.left_x), left_y = hn::Set(d, f.left_y);
  const auto right_x = hn::Set(d, f.right_x), right_y = hn::Set(d, f.right_y);
  const auto solid = hn::Gt(hn::Set(d, f.height), zero);
  for (int k = z_from; k < z_to; ++k) {
    const double qz = rows.z[k] - f.origin.z, gap_z = gap(rows.z[k], f.lo.z, f.hi.z);
    for (int j = y_from; j < y_to; ++j) {
      const double gap_y = gap(rows.y[j], f.lo.y, f.hi.y);
      if (gap_y * gap_y + gap_z * gap_z > limit) continue;
      const double qy = rows.y[j] - f.origin.y;
      const auto row_x = hn::Set(d, f.along.y * qy + f.along.z * qz), row_y = hn::Set(d, f.up.y * qy + f.up.z * qz);
      const auto row_z = hn::Set(d, f.normal.y * qy + f.normal.z * qz);
      double* const out = rows.squared + (k * int{kBrickSide} + j) * int{kBrickSide};
      for (std::size_t i = 0; i < kBrickSide; i += hn::Lanes(d)) {
        // Not contracted: the plain twin has the same roundings
        const auto qx = hn::Sub(hn::Load(d, rows.x + i), hn::Set(d, f.origin.x));
        const auto z = hn::Add(hn::Mul(hn::Set(d, f.normal.x), qx), row_z), zz = hn::Mul(z, z);
        const auto now = hn::Load(d, out + i);
        if (hn::AllTrue(d, hn::Ge(zz, now))) continue;
        const auto x = hn::Add(hn::Mul(hn::Set(d, f.along.x), qx), row_x);
        const auto y = hn::Add(hn::Mul(hn::Set(d, f.up.x), qx), row_y), yy = hn::Mul(y, y);
        const auto bx = hn::Sub(x, hn::Min(hn::Max(x, zero), base));
        auto aside = hn::Add(hn::Mul(bx, bx), yy);
        const auto s = hn::Min(hn::Max(hn::Add(hn::Mul(x, left_x), hn::Mul(y, left_y)), zero), left);
        const auto lx = hn::Sub(x, hn::Mul(s, left_x)), ly = hn::Sub(y, hn::Mul(s, left_y));
        aside = hn::Min(aside, hn::Add(hn::Mul(lx, lx), hn::Mul(ly, ly)));
        const auto xr = hn::Sub(x, base);
        const auto t = hn::Min(hn::Max(hn::Add(hn::Mul(xr, right_x), hn::Mul(y, right_y)), zero), right);
        const auto rx = hn::Sub(xr, hn::Mul(t, right_x)), ry = hn::Sub(y, hn::Mul(t, right_y));
        aside = hn::Min(aside, hn::Add(hn::Mul(rx, rx), hn::Mul(ry, ry)));
        const auto over = hn::And(
            hn::And(hn::Ge(y, zero), solid),
            hn::And(hn::Ge(hn::Mul(x, left_y), hn::Mul(y, left_x)), hn::Le(hn::Mul(xr, right_y), hn::Mul(y, right_x))));
        aside = hn::IfThenZeroElse(over, aside);
        hn::Store(hn::Min(now, hn::Add(aside, zz)), d, out + i);
      }
    }
  }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace sudar::triangle_rows_simd
HWY_AFTER_NAMESPACE();

#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar {

void lower_rows_plain(const TriangleFrame& f, double reach, BrickRows& rows) noexcept {
  int y_from, y_to, z_from, z_to;
  rows_near(rows.y, f.lo.y, f.hi.y, reach, y_from, y_to);
  rows_near(rows.z, f.lo.z, f.hi.z, reach, z_from, z_to);
  for (int k = z_from; k < z_to; ++k)
    for (int j = y_from; j < y_to; ++j) {
      const double gap_y = gap(rows.y[j], f.lo.y, f.hi.y), gap_z = gap(rows.z[k], f.lo.z, f.hi.z);
      if (gap_y * gap_y + gap_z * gap_z > reach * reach) continue;
      double* const out = rows.squared + (k * int{kBrickSide} + j) * int{kBrickSide};
      for (std::uint32_t i = 0; i < kBrickSide; ++i)
        out[i] = std::min(out[i], distance_squared(f, {rows.x[i], rows.y[j], rows.z[k]}));
    }
}

#if defined(SUDAR_HAVE_HIGHWAY)

namespace triangle_rows_simd {
HWY_EXPORT(LowerRows);
}  // namespace triangle_rows_simd

void lower_rows(const TriangleFrame& triangle, double reach, BrickRows& rows) noexcept {
  using namespace triangle_rows_simd;
  HWY_DYNAMIC_DISPATCH(LowerRows)(triangle, reach, rows);
}

#else

void lower_rows(const TriangleFrame& triangle, double reach, BrickRows& rows) noexcept {
  lower_rows_plain(triangle, reach, rows);
}

#endif

}  // namespace sudar

#endif
