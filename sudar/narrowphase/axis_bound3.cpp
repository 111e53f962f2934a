#include <sudar/math/infinity.hpp>
#include <sudar/narrowphase/axis_bound3.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

void AxisBound3::add(const Vec3d& point) noexcept {
  const Vec3d from_center = point - center_;
  const double along = dot(from_center, axis_), off = length(from_center - axis_ * along);
  if (!(off <= reach_ && off < body_.radius)) return;
  // Beyond a cone's apex a plane may pass the point first
  if (body_.kind == Revolution::Kind::cone && along > body_.height) return;
  if (count_ == 0 || along < first_.along) first_ = {along, off};
  if (count_ == 0 || along > last_.along) last_ = {along, off};
  ++count_;
}

double AxisBound3::beyond(const Point& p, double cosine) const noexcept {
  const double sine = std::sqrt(std::max(0.0, (1 - cosine) * (1 + cosine))), r = body_.radius, h = body_.height;
  double plane = 0;
  switch (body_.kind) {
    case Revolution::Kind::cylinder:
      plane = r * sine + h * std::fabs(cosine);
      break;
    case Revolution::Kind::cone:
      plane = std::max(h * cosine, r * sine - h * cosine);
      break;
    case Revolution::Kind::ellipsoid: {
      const double size = std::max(r, h), x = r / size * sine, z = h / size * cosine;
      plane = size * std::sqrt(x * x + z * z);
    }
  }
  // For an ellipsoid's least the part of what is off the axis is taken at its largest
  return plane - p.along * cosine - p.off * (body_.kind == Revolution::Kind::ellipsoid ? 1 : sine);
}

double AxisBound3::least(const Point& p, double from, double to) const noexcept {
  double best = std::min(beyond(p, from), beyond(p, to));
  double between = 2;
  switch (body_.kind) {
    case Revolution::Kind::cylinder:
      between = 0;
      break;
    case Revolution::Kind::cone: {
      const double slope = 0.5 * (body_.radius / body_.height);
      between = slope < 1e100 ? slope / std::sqrt(1 + slope * slope) : 1;
      break;
    }
    case Revolution::Kind::ellipsoid: {
      // Only a long one has its least between the ends
      const double size = body_.height, r = body_.radius / size, along = p.along / size;
      const double k = (1 - r) * (1 + r), under = k * (k - along * along);
      if (under > 0) between = r * along / std::sqrt(under);
    }
  }
  if (between > from && between < to) best = std::min(best, beyond(p, between));
  return best;
}

double AxisBound3::least(double from, double to) const noexcept {
  if (count_ == 0) return -kInfinity;
  return std::max(least(first_, from, to), least(last_, from, to));
}

}  // namespace sudar
