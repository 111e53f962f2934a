// What:    The way out of two convex bodies that touch so lightly that their distance comes out as nothing, with a
//          direction that is noise: they are pressed together a little, and the clear answer there gives the direction.
// Differs: The width of the overlap along any direction is an upper bound of the depth, whatever the direction came from.
//          Pressed by d along n, the least width is at most d |n - n'| from the least of the bodies as they are, where n'
//          is its direction: pressed again along what the first gave, that is far below d.
// Frame:   A's.
// Fails:   never; the answer may be no better than the one that was given.
#pragma once

#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/part_placement.hpp>

namespace sudar {

// How far bodies are pressed together, relative to their size: far above where their distance is unclear, then as little
// as that allows
inline constexpr double kPress[] = {0x1p-12, 0x1p-20, 0x1p-24};

// How far the two reach over each other along a unit direction: B moved so far is beyond A
template <int D, class View>
double overlap_along(const View& a, const View& b, const Placement<D>& a_from_b, const Vec<D, double>& direction) {
  const Vec<D, double> p = support(a, direction).p,
                       q = transform(a_from_b, support(b, to_b(a_from_b, -direction)).p) + a_from_b.rest;
  return dot(p - q, direction) + a.radius + b.radius;
}

// From an answer that is no clear hit to one that says how deep it is: zero where a plane shows that it is not
template <int D, class View>
DistanceAnswer<D> pressed(const View& a, const View& b, const Placement<D>& a_from_b, const DistanceAnswer<D>& light) {
  const double size = a.size + b.size + a.radius + b.radius;
  DistanceAnswer<D> out = light;
  Vec<D, double> along = light.normal;
  if (along == Vec<D, double>{}) along[0] = 1, out.normal = along;
  double width = overlap_along<D>(a, b, a_from_b, along);
  for (const double press : kPress) {
    const Placement<D> there = moved(a_from_b, along * (-press * size));
    DistanceAnswer<D> x;
    if constexpr (D == 2)
      x = convex_distance2(a, b, there);
    else
      x = convex_distance3(a, b, there);
    out.iterations += x.iterations;
    if (!x.hit) break;
    along = x.normal;
    if (const double w = overlap_along<D>(a, b, a_from_b, x.normal); w < width) {
      width = w;
      out.normal = x.normal, out.point_a = x.point_a;
    }
  }
  const double slack = 16 * kRoundoff * (size + max_abs(a_from_b.translation));
  out.hit = true;
  out.separation = std::min(0.0, -width);
  out.lower = out.separation - slack, out.upper = 0;
  out.point_b = out.point_a + out.normal * out.separation;
  out.status = width <= kDepthBracket * size ? QueryStatus::converged : QueryStatus::max_iterations;
  return out;
}

}  // namespace sudar
