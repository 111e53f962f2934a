// What:    Centre and half extents of an oriented box with given axes around points, as all box fits end. Internal.
// Differs: Half extents are measured from the rounded centre and grown by the rounding of the measurement.
#pragma once

#include <sudar/bounding/obb.hpp>
#include <sudar/core/result.hpp>

#include <span>

namespace sudar {

template <int D>
Result<Obb<D, double>> measure_obb(std::span<const Vec<D, double>> points, const std::array<Vec<D, double>, D>& axes) {
  const Vec<D, double> origin = points[0];
  Vec<D, double> lo{}, hi{};
  for (const Vec<D, double>& p : points) {
    for (int i = 0; i < D; ++i) {
      const double along = dot(p - origin, axes[i]);
      lo[i] = std::fmin(lo[i], along);
      hi[i] = std::fmax(hi[i], along);
    }
  }
  Obb<D, double> box{origin, axes, {}};
  for (int i = 0; i < D; ++i) box.center += axes[i] * (lo[i] / 2 + hi[i] / 2);
  double size = 0;
  for (const Vec<D, double>& p : points) {
    size = std::fmax(size, max_abs(p - box.center));
    const Vec<D, double> local = abs(to_local(box, p));
    box.half = max(box.half, local);
  }
  for (int i = 0; i < D; ++i) box.half[i] += D * kPoseSlack<double> * size;
  if (!is_finite(box.half) || !is_finite(box.center))
    return Error{ErrorCode::too_large, Error::kNoElement, "a size is past the largest number"};
  return box;
}

}  // namespace sudar
