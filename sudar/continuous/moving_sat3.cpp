// What:    See moving_sat.hpp.
#include <sudar/continuous/moving_sat.hpp>
#include <sudar/narrowphase/core_gap.hpp>

namespace sudar {

namespace {

// visit(direction, edge): the edges of a polyhedron; of a box, one for each of its three directions. Flat sets that stand
// for thin prisms have their thickness as well. False ends it.
template <class Visit>
bool for_each_edge(const PolytopeView3& p, bool is_box, bool thick, Visit&& visit) {
  if (is_box) {
    for (std::uint32_t e = 0; e < p.edges().size(); ++e) {
      // Of the four edges of a direction, the one at the low corner
      if (!p.names_edge(e) || (p.edges()[e].origin != 0 && p.destination(e) != 0)) continue;
      Vec3d axis{};
      const Vec3d along = p.edge_vector(e);
      axis[along.x != 0 ? 0 : along.y != 0 ? 1 : 2] = 1;
      if (!visit(axis, e)) return false;
    }
    return true;
  }
  for (std::uint32_t e = 0; e < p.edges().size(); ++e)
    if (p.names_edge(e) && !visit(p.edge_vector(e), e)) return false;
  if (!thick) return true;
  if (p.dimension() == 2) return visit(p.planes()[0].normal, 0u);
  if (p.dimension() == 1) {
    Vec3d u, v;
    make_frame(normalized(p.edge_vector(0)), u, v);
    return visit(u, 0u) && visit(v, 0u);
  }
  return true;
}
// The directions that a flat set adds: a prism's sides, or a rod's two across, or a grain's three
template <class Visit>
bool for_each_thin_normal(const PolytopeView3& p, Visit&& visit) {
  if (p.dimension() == 2) {
    for (std::uint32_t e = 0; e < p.edges().size(); ++e)
      if (p.edges()[e].face == 0 && !visit(normalized(cross(p.edge_vector(e), p.planes()[0].normal)))) return false;
    return true;
  }
  if (p.dimension() == 1) {
    Vec3d u, v;
    const Vec3d n = normalized(p.edge_vector(0));
    make_frame(n, u, v);
    return visit(n) && visit(u) && visit(v);
  }
  return visit(Vec3d{1, 0, 0}) && visit(Vec3d{0, 1, 0}) && visit(Vec3d{0, 0, 1});
}

}  // namespace

bool fits_moving_sat(const Shape3& shape) { return is_polytope(shape) && !(PolytopeView3(shape).radius() > 0); }

std::size_t moving_sat_axes(const Shape3& a, const Shape3& b) {
  const PolytopeView3 view_a(a), view_b(b);
  const auto edges = [](const Shape3& shape, const PolytopeView3& view) {
    return shape.kind() == ShapeKind3::box ? std::size_t{3} : view.edges().size() / 2 + 2;
  };
  return view_a.face_count() + view_b.face_count() + edges(a, view_a) * edges(b, view_b);
}

namespace {

template <class Trace>
MovingSatAnswer3 all_axes(const Shape3& a, const Shape3& b, const MovingPair3& pair, double t_max, Trace trace) {
  const PolytopeView3 view_a(a), view_b(b);
  MovingAxes<3, PolytopeView3, Trace> axes(view_a, view_b, pair, t_max, trace);
  const Placement3& place = axes.place();
  const auto turned = [&](const Vec3d& n) { return place.turned ? place.turn * n : n; };
  const bool box_a = a.kind() == ShapeKind3::box, box_b = b.kind() == ShapeKind3::box;
  // Opposite faces share an axis; a box has three
  for (std::uint32_t f = 0; f < view_a.face_count(); f += box_a ? 2 : 1)
    if (!axes.offer_both(view_a.planes()[f].normal, {SatKind::face_a, f, 0})) return axes.miss();
  for (std::uint32_t f = 0; f < view_b.face_count(); f += box_b ? 2 : 1)
    if (!axes.offer_both(turned(view_b.planes()[f].normal), {SatKind::face_b, 0, f})) return axes.miss();
  // Two flat sets: one of them as a prism
  const bool flat = view_a.dimension() < 3 && view_b.dimension() < 3;
  const bool thick_a = flat && view_a.dimension() >= view_b.dimension(), thick_b = flat && !thick_a;
  const SatFeature other{SatKind::other, 0, 0};
  if (thick_a && !for_each_thin_normal(view_a, [&](const Vec3d& n) { return axes.offer_both(n, other); }))
    return axes.miss();
  if (thick_b && !for_each_thin_normal(view_b, [&](const Vec3d& n) { return axes.offer_both(turned(n), other); }))
    return axes.miss();
  const bool meet = for_each_edge(view_a, box_a, thick_a, [&](const Vec3d& u, std::uint32_t e) {
    return for_each_edge(view_b, box_b, thick_b, [&](const Vec3d& w_b, std::uint32_t f) {
      const Vec3d w = turned(w_b), n = cross(u, w);
      if (!(length(n) > kSatParallel * length(u) * length(w))) return true;
      // Nearly parallel edges: what rounding leaves along the longer one would cut into it
      return axes.offer_both(square_to(n, length_squared(u) >= length_squared(w) ? u : w), {SatKind::edges, e, f});
    });
  });
  return meet ? axes.meet() : axes.miss();
}

}  // namespace

MovingSatAnswer3 moving_sat(const Shape3& a, const Shape3& b, const MovingPair3& pair, double t_max) {
  return all_axes(a, b, pair, t_max, NoTrace{});
}
MovingSatAnswer3 moving_sat(const Shape3& a, const Shape3& b, const MovingPair3& pair, double t_max, TraceSink& trace) {
  return all_axes(a, b, pair, t_max, TraceTo{&trace});
}

}  // namespace sudar
