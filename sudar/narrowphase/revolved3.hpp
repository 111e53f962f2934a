// What:    Bodies of revolution in a pair, and how much the support function of one changes with the angle about the axis of the other.
// Source:  the bounds are derived where they stand; depth_proof3.hpp cuts difference sets through an axis with them.
// Differs: Ellipsoids of any radii have bounds of their derivatives, and those with two radii that are nearly one count as bodies of
//          revolution, for cuts.
// Frame:   A body's own until it is placed, then the pair's. Internal to depth_proof3.
#pragma once

#include <sudar/math/infinity.hpp>
#include <sudar/math/mat.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/math/vec.hpp>
#include <sudar/narrowphase/convex_view3.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sudar {

// Difference of two radii, beside the least, up to which an ellipsoid may be taken for one of revolution
inline constexpr double kNearlyRound = 0x1p-16;

// In one frame with the other body
struct Revolved {
  Vec3d axis, center;
  double height, radius;  // no point of it is farther from its centre along the axis, and from the axis
  // The derivative of the support function by the cosine to the axis, at most, for each unit of the cosine
  double slope = kInfinity;
  // Of an ellipsoid that is nearly of revolution: no ring of its points is farther out of it
  double beyond = 0;
};

inline std::optional<Revolved> revolved(const ConvexView3& view) {
  const Vec3d z{0, 0, 1};
  switch (view.kind) {
    case CoreKind3::cylinder:
    case CoreKind3::cone:
      return Revolved{z, {}, view.p[0].y, view.p[0].x};
    case CoreKind3::ellipsoid:
      for (int i = 0; i < 3; ++i)
        if (view.p[0][(i + 1) % 3] == view.p[0][(i + 2) % 3]) {
          Vec3d axis{};
          axis[i] = 1;
          const double h = view.p[0][i], r = view.p[0][(i + 1) % 3];
          return Revolved{axis, {}, h, r, std::fabs(h - r) * ((h + r) / std::min(h, r))};
        }
      return std::nullopt;
    case CoreKind3::points: {
      if (view.count > 2) return std::nullopt;
      const Vec3d along = view.p[view.count - 1] - view.p[0];
      const double size = length(along);
      return Revolved{size > 0 ? along / size : z, (view.p[0] + view.p[view.count - 1]) * 0.5, 0.5 * size, 0};
    }
    default:
      return std::nullopt;
  }
}

// An ellipsoid of which two radii are nearly one, for cuts
inline std::optional<Revolved> nearly_revolved(const ConvexView3& view) {
  if (view.kind != CoreKind3::ellipsoid) return std::nullopt;
  const Vec3d& r = view.p[0];
  int best = 0;
  double off[3];
  for (int i = 0; i < 3; ++i) {
    off[i] = std::fabs(r[(i + 1) % 3] - r[(i + 2) % 3]);
    if (off[i] < off[best]) best = i;
  }
  const double r1 = r[(best + 1) % 3], r2 = r[(best + 2) % 3], least = std::min({r.x, r.y, r.z});
  if (!(off[best] <= kNearlyRound * least)) return std::nullopt;
  Vec3d axis{};
  axis[best] = 1;
  return Revolved{axis, {}, r[best], std::max(r1, r2), kInfinity, off[best]};
}

// How much the support function of the difference changes with the angle about a body's axis, at most. The point of the other
// body that supports it moves along the circle about the axis by what its centre is off, by what its height is
// tilted, and by what its rim is: no more than twice the sine, whether the direction is near the axes or far from them. And
// by no more than it is off the axis. All but the rim's part vanishes towards the axis.
struct ChangeAbout {
  double lateral = kInfinity, height = 0, radius = 0, sine = 0, slope = kInfinity;
  // Of ellipsoids: bounds of the second derivative by that angle, and of the mixed one by it and the angle to the axis
  double second = kInfinity, mixed = kInfinity;

  ChangeAbout() = default;
  ChangeAbout(const Revolved& about, const Revolved& other)
      : lateral(off_axis(about, other.center)),
        height(other.height),
        radius(other.radius),
        sine(length(cross(about.axis, other.axis))),
        slope(other.slope) {}
  static double off_axis(const Revolved& about, const Vec3d& p) {
    const Vec3d off = p - about.center;
    return length(off - about.axis * dot(off, about.axis));
  }
  double most() const { return at(1, 1); }
  // In a direction of such a sine and cosine to the axis. Round bodies hardly change where the cosine is small.
  double at(double across, double along) const {
    const double tilt = height * across + 2 * radius;
    return lateral * across + sine * (slope < kInfinity ? std::min(tilt, slope * (along + sine)) : tilt);
  }
  // The sine and cosine at which the lesser of the two bounds becomes the other one, if it does: on either side at() is linear
  std::optional<Vec2d> turning_point() const {
    const auto first_is_less = [&](const Vec2d& n) { return height * n.x + 2 * radius < slope * (n.y + sine); };
    Vec2d from{0, 1}, to{1, 0};
    if (!(slope < kInfinity) || first_is_less(from) == first_is_less(to)) return std::nullopt;
    for (int i = 0; i < std::numeric_limits<double>::digits; ++i) {
      const Vec2d middle = normalized(from + to);
      (first_is_less(middle) == first_is_less(from) ? from : to) = middle;
    }
    return from;
  }
  // The support function of an ellipsoid is √S with S = n·Qn. About an axis S changes by what Q is not round across it, and by what
  // it is tilted: with these and the least radius, which √S is never below, its derivatives are bounded.
  // `axes` are the ellipsoid's, and its middle is `off` from the axis.
  void bound_ellipsoid(const Vec3d& radii, const Mat3d& axes, const Vec3d& axis, double off) {
    Vec3d u, v, qa{}, qu{}, qv{};
    make_frame(axis, u, v);
    // Of one with a largest radius of 1, for squares that are numbers
    const double largest = std::max({radii.x, radii.y, radii.z}),
                 least = std::min({radii.x, radii.y, radii.z}) / largest;
    for (int k = 0; k < 3; ++k) {
      const Vec3d& e = axes[k];
      const Vec3d stretched = e * ((radii[k] / largest) * (radii[k] / largest));
      qa += stretched * dot(e, axis);
      qu += stretched * dot(e, u);
      qv += stretched * dot(e, v);
    }
    const double round = 0.5 * length(Vec2d{dot(u, qu) - dot(v, qv), 2 * dot(u, qv)}) + 8 * kRoundoff;
    const double tilt = length(Vec2d{dot(qa, u), dot(qa, v)}) + 8 * kRoundoff, both = (round + tilt) / least;
    lateral = std::min(lateral, off + largest * both);
    // S' ≤ 2 (round + tilt), S'' ≤ 4 round + tilt, mixed ≤ 2 (round + tilt); by the angle to the axis S changes by no more than 1
    second = off + largest * (0.5 * (4 * round + tilt) / least + both * (both / least));
    mixed = off + largest * (both * (1 + 0.5 / (least * least)));
  }
};

}  // namespace sudar
