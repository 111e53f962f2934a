// What:    See moving_sat.hpp.
#include <sudar/continuous/moving_sat.hpp>

namespace sudar {

bool fits_moving_sat(const Shape2& shape) { return is_polytope(shape) && !(PolytopeView2(shape).radius() > 0); }

std::size_t moving_sat_axes(const Shape2& a, const Shape2& b) {
  return PolytopeView2(a).edge_count() + PolytopeView2(b).edge_count() + 2;
}

namespace {

template <class Trace>
MovingSatAnswer2 all_axes(const Shape2& a, const Shape2& b, const MovingPair2& pair, double t_max, Trace trace) {
  const PolytopeView2 view_a(a), view_b(b);
  MovingAxes<2, PolytopeView2, Trace> axes(view_a, view_b, pair, t_max, trace);
  const auto turned = [&](const Vec2d& n) { return axes.place().turned ? axes.place().turn * n : n; };
  for (std::uint32_t i = 0; i < view_a.edge_count(); ++i)
    if (!axes.offer_both(view_a.normals()[i], {SatKind::face_a, i, 0})) return axes.miss();
  for (std::uint32_t i = 0; i < view_b.edge_count(); ++i)
    if (!axes.offer_both(turned(view_b.normals()[i]), {SatKind::face_b, 0, i})) return axes.miss();
  // Flat sets: the short sides of a thin rectangle around a segment, or any two directions around a point
  if (view_a.dimension() == 2 || view_b.dimension() == 2) return axes.meet();
  const SatFeature other{SatKind::other, 0, 0};
  if (view_a.dimension() == 1) {
    if (!axes.offer_both(perp(view_a.normals()[0]), other)) return axes.miss();
  } else if (view_b.dimension() == 1) {
    if (!axes.offer_both(turned(perp(view_b.normals()[0])), other)) return axes.miss();
  } else if (!axes.offer_both({1, 0}, other) || !axes.offer_both({0, 1}, other)) {
    return axes.miss();
  }
  return axes.meet();
}

}  // namespace

MovingSatAnswer2 moving_sat(const Shape2& a, const Shape2& b, const MovingPair2& pair, double t_max) {
  return all_axes(a, b, pair, t_max, NoTrace{});
}
MovingSatAnswer2 moving_sat(const Shape2& a, const Shape2& b, const MovingPair2& pair, double t_max, TraceSink& trace) {
  return all_axes(a, b, pair, t_max, TraceTo{&trace});
}

}  // namespace sudar
