// What:    The coarsest tolerance that a time of impact of bodies that do not turn may tell: the one that is taken where none is
//          asked for, or what rounding makes of a long way, so that a tolerance that is too coarse does not make its own promise
//          true.
// Differs: Counted here, not with the numbers of sudar/continuous. A gap is known to 64 roundings of the way along each axis, which
//          is how far t_lo comes before the contact; between sharp corners that is some times more, of which 256 are borne. So
//          are 4160 of the sizes, which count where the tolerance is coarser than 2^-36 of them, 131072 roundings: together not more
//          than 256 / (1 - 4160 / 131072) < 265. Of two million motions aimed at contacts the worst had 262, and of pairs with
//          half-spaces, where it is roundings of the place, 153.
// Frame:   any; metres.
#pragma once

#include <sudar/continuous/motion.hpp>

#include <algorithm>
#include <limits>

namespace sudar_test {

constexpr double kRoundingsOfWay = 265;
// Relative to the sizes of polytopes and rods, and of what is curved
constexpr double kAskedFor = 0x1p-36, kAskedForCurved = 0x1p-29;

inline bool is_curved(const sudar::Shape2&) { return false; }
inline bool is_curved(const sudar::Shape3& shape) {
  using K = sudar::ShapeKind3;
  return shape.kind() == K::cylinder || shape.kind() == K::cone || shape.kind() == K::ellipsoid;
}

// This far from each other, when this much of the way is behind them
template <int D>
double coarsest_tolerance(const sudar::AnyShape<D>& a, const sudar::AnyShape<D>& b, double place, double way) {
  constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2, kOwnRounding = 1 + 1e-9;
  const double sizes = sudar::both_sizes(sudar::farthest_radius<D>(a), sudar::farthest_radius<D>(b));
  const double asked = (is_curved(a) || is_curved(b) ? kAskedForCurved : kAskedFor) * sizes;
  return std::max(asked, kRoundingsOfWay * kUnit * (sizes + place + way)) * kOwnRounding;
}
// Of convex bodies that do not turn; at a time, when a clock has shown this
template <int D>
double coarsest_tolerance(const sudar::AnyShape<D>& a, const sudar::AnyShape<D>& b, const sudar::MovingPair<D>& pair,
                          double t, double clock) {
  return coarsest_tolerance<D>(a, b, sudar::any_length(pair.offset(t)), pair.speed() * clock);
}

}  // namespace sudar_test
