#include <sudar/geom/closest.hpp>
#include <sudar/math/infinity.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/vclip3.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {

// One of the two bodies, in A's frame
struct Side {
  const VClipBody3& body;
  const Placement3* place;  // none for A

  Vec3d vertex(std::uint32_t v) const {
    const Vec3d p = body.view().vertices()[v];
    return place != nullptr ? transform(*place, p) + place->rest : p;
  }
  Vec3d normal(std::uint32_t f) const {
    const Vec3d n = body.view().planes()[f].normal;
    return place != nullptr && place->turned ? place->turn * n : n;
  }
  std::uint32_t origin(std::uint32_t e) const { return body.view().edges()[e].origin; }
  std::uint32_t destination(std::uint32_t e) const { return body.view().destination(e); }
  Segment<3, double> segment(std::uint32_t e) const { return {vertex(origin(e)), vertex(destination(e))}; }
  Feature edge(std::uint32_t e) const { return {FeatureKind::edge, body.view().edge_name(e)}; }
  // How far a point is in front of a face
  double height(std::uint32_t f, const Vec3d& p) const {
    return dot(normal(f), p - vertex(origin(body.view().first_edge(f))));
  }
};

// Two features, reduced to those whose inside holds the closest points
struct Closest {
  Feature a, b;
  Vec3d pa{}, pb{};
  double squared = kInfinity;
  bool pierced = false;  // an edge goes through a face
};

Closest turned_around(const Closest& c) { return {c.b, c.a, c.pb, c.pa, c.squared, c.pierced}; }
void keep_nearer(Closest& best, const Closest& c) {
  if (c.pierced || c.squared < best.squared) best = c;
}

Feature end_or_edge(const Side& s, std::uint32_t e, double t) {
  if (t <= 0) return {FeatureKind::vertex, s.origin(e)};
  if (t >= 1) return {FeatureKind::vertex, s.destination(e)};
  return s.edge(e);
}

Closest vertex_vertex(const Side& a, std::uint32_t v, const Side& b, std::uint32_t w) {
  const Vec3d p = a.vertex(v), q = b.vertex(w);
  return {{FeatureKind::vertex, v}, {FeatureKind::vertex, w}, p, q, length_squared(q - p)};
}
Closest vertex_edge(const Side& a, std::uint32_t v, const Side& b, std::uint32_t e) {
  const Vec3d p = a.vertex(v);
  const auto r = closest_point(b.segment(e), p);
  return {{FeatureKind::vertex, v}, end_or_edge(b, e, r.t), p, r.point, r.distance_squared};
}
Closest edge_edge(const Side& a, std::uint32_t e, const Side& b, std::uint32_t f) {
  const auto r = closest_points(a.segment(e), b.segment(f));
  return {end_or_edge(a, e, r.s), end_or_edge(b, f, r.t), r.point_a, r.point_b, r.distance_squared};
}
// The foot on the plane when it lies within all edges
bool foot_in_face(const Side& b, std::uint32_t f, const Vec3d& p, Vec3d& foot) {
  const PolytopeView3& view = b.body.view();
  const Vec3d n = b.normal(f);
  for (std::uint32_t i = 0; i < view.face_degree(f); ++i) {
    const Segment<3, double> s = b.segment(view.first_edge(f) + i);
    if (dot(cross(n, s.b - s.a), p - s.a) < 0) return false;
  }
  foot = p - n * b.height(f, p);
  return true;
}
Closest vertex_face(const Side& a, std::uint32_t v, const Side& b, std::uint32_t f) {
  const PolytopeView3& view = b.body.view();
  const Vec3d p = a.vertex(v);
  if (Vec3d foot; foot_in_face(b, f, p, foot))
    return {{FeatureKind::vertex, v}, {FeatureKind::face, f}, p, foot, length_squared(p - foot)};
  Closest best;
  for (std::uint32_t i = 0; i < view.face_degree(f); ++i)
    keep_nearer(best, vertex_edge(a, v, b, view.first_edge(f) + i));
  return best;
}
Closest edge_face(const Side& a, std::uint32_t e, const Side& b, std::uint32_t f) {
  const PolytopeView3& view = b.body.view();
  const Segment<3, double> s = a.segment(e);
  const double from = b.height(f, s.a), to = b.height(f, s.b);
  if ((from > 0 && to < 0) || (from < 0 && to > 0)) {
    Vec3d foot;
    const Vec3d crossing = lerp(s.a, s.b, from / (from - to));
    if (foot_in_face(b, f, crossing, foot)) return {a.edge(e), {FeatureKind::face, f}, crossing, crossing, 0, true};
  }
  Closest best = vertex_face(a, a.origin(e), b, f);
  keep_nearer(best, vertex_face(a, a.destination(e), b, f));
  for (std::uint32_t i = 0; i < view.face_degree(f); ++i) keep_nearer(best, edge_edge(a, e, b, view.first_edge(f) + i));
  return best;
}

Closest measure(const Side& a, Feature fa, const Side& b, Feature fb) {
  if (fa.kind > fb.kind) return turned_around(measure(b, fb, a, fa));
  if (fa.kind == FeatureKind::vertex) {
    if (fb.kind == FeatureKind::vertex) return vertex_vertex(a, fa.index, b, fb.index);
    return fb.kind == FeatureKind::edge ? vertex_edge(a, fa.index, b, fb.index) : vertex_face(a, fa.index, b, fb.index);
  }
  if (fa.kind == FeatureKind::edge)
    return fb.kind == FeatureKind::edge ? edge_edge(a, fa.index, b, fb.index) : edge_face(a, fa.index, b, fb.index);
  // Two faces, as a hint or where the walk was led astray: by the edges of both
  Closest best;
  const PolytopeView3 &va = a.body.view(), &vb = b.body.view();
  for (std::uint32_t i = 0; i < va.face_degree(fa.index); ++i)
    keep_nearer(best, edge_face(a, va.first_edge(fa.index) + i, b, fb.index));
  for (std::uint32_t i = 0; i < vb.face_degree(fb.index) && !best.pierced; ++i)
    keep_nearer(best, turned_around(edge_face(b, vb.first_edge(fb.index) + i, a, fa.index)));
  return best;
}

// The features of a that contain the one at hand, against the other's: the nearest
Closest best_around(const Side& a, Feature fa, const Side& b, Feature fb) {
  const PolytopeView3& view = a.body.view();
  Closest best;
  if (fa.kind == FeatureKind::vertex && a.body.has_edges()) {
    const std::uint32_t first = a.body.vertex_edge(fa.index);
    std::uint32_t e = first;
    do {
      keep_nearer(best, measure(a, a.edge(e), b, fb));
      e = view.edges()[view.edges()[e].twin].next;
    } while (e != first);
  } else if (fa.kind == FeatureKind::edge && view.face_count() > 0 && fb.kind != FeatureKind::face) {
    for (const std::uint32_t e : {fa.index, view.edges()[fa.index].twin})
      keep_nearer(best, measure(a, {FeatureKind::face, view.edges()[e].face}, b, fb));
  }
  return best;
}

// The other body's point lies in the Voronoi region of the feature: in front of a face around it, and no face around reaches
// beyond the plane through the closest point across the way. These faces suffice, because the body is convex.
bool holds(const Side& a, Feature fa, const Vec3d& pa, const Vec3d& pb, double rounding, double noise) {
  const PolytopeView3& view = a.body.view();
  if (!a.body.has_edges()) return true;
  const Vec3d n = normalized(pb - pa);
  double beyond = 0, front = view.face_count() > 0 ? -kInfinity : kInfinity;
  const auto vertex = [&](std::uint32_t v) { beyond = std::max(beyond, dot(n, a.vertex(v) - pa)); };
  const auto face = [&](std::uint32_t f) {
    front = std::max(front, a.height(f, pb));
    for (std::uint32_t i = 0; i < view.face_degree(f); ++i) vertex(a.origin(view.first_edge(f) + i));
  };
  if (fa.kind == FeatureKind::vertex) {
    const std::uint32_t first = a.body.vertex_edge(fa.index);
    std::uint32_t e = first;
    do {
      vertex(a.destination(e));
      if (view.face_count() > 0) front = std::max(front, a.height(view.edges()[e].face, pb));
      e = view.edges()[view.edges()[e].twin].next;
    } while (e != first);
  } else if (fa.kind == FeatureKind::edge) {
    vertex(a.origin(fa.index)), vertex(a.destination(fa.index));
    if (view.face_count() > 0)
      for (const std::uint32_t e : {fa.index, view.edges()[fa.index].twin}) face(view.edges()[e].face);
  } else {
    face(fa.index);
  }
  return front > (fa.kind == FeatureKind::face ? 0 : rounding) && beyond <= noise;
}

bool exists(const VClipBody3& body, Feature f) {
  const PolytopeView3& view = body.view();
  return f.kind == FeatureKind::vertex ? f.index < view.vertices().size()
         : f.kind == FeatureKind::edge ? f.index < view.edges().size()
                                       : f.kind == FeatureKind::face && f.index < view.face_count();
}

}  // namespace

VClipBody3::VClipBody3(const Shape3& shape) : view_(shape) {
  if (view_.edges().empty()) return;
  vertex_edge_.resize(view_.vertices().size());
  for (std::uint32_t e = 0; e < view_.edges().size(); ++e) vertex_edge_[view_.edges()[e].origin] = e;
}

template <class Trace>
VClip3 vclip3(const VClipBody3& body_a, const VClipBody3& body_b, const Placement3& a_from_b, Feature hint_a,
              Feature hint_b, Trace trace) {
  const Side a{body_a, nullptr}, b{body_b, &a_from_b};
  VClip3 out;
  Closest now = measure(a, exists(body_a, hint_a) ? hint_a : Feature{}, b, exists(body_b, hint_b) ? hint_b : Feature{});
  const double size = body_a.view().size() + 2 * body_b.view().size() + max_abs(a_from_b.translation);
  const double rounding = kSupportRounding * size;
  std::size_t escapes = 8 + body_a.view().face_count() + body_b.view().face_count();
  const auto finish = [&](VClipOutcome outcome) {
    out.outcome = outcome;
    out.a = now.a;
    out.b = now.b;
    out.point_a = now.pa;
    out.point_b = now.pb;
    out.distance = outcome == VClipOutcome::overlap ? 0 : std::sqrt(now.squared);
    if constexpr (Trace::kEnabled)
      trace({.step = outcome == VClipOutcome::apart     ? "apart"
                     : outcome == VClipOutcome::overlap ? "overlap"
                                                        : "unclear",
             .value = out.distance});
    return out;
  };
  for (;;) {
    ++out.steps;
    if constexpr (Trace::kEnabled) {
      const std::uint32_t ids[] = {static_cast<std::uint32_t>(now.a.kind), now.a.index,
                                   static_cast<std::uint32_t>(now.b.kind), now.b.index};
      const Vec3d numbers[] = {now.pa, now.pb};
      trace({.step = "pair", .ids = ids, .numbers = {&numbers[0].x, 6}, .value = std::sqrt(now.squared)});
    }
    if (now.pierced || now.squared == 0) return finish(VClipOutcome::overlap);

    // Up to a larger feature of either body, when that is nearer
    Closest better = best_around(a, now.a, b, now.b);
    if (!better.pierced) keep_nearer(better, turned_around(best_around(b, now.b, a, now.a)));
    if (better.pierced || better.squared < now.squared * (1 - 8 * kRoundoff)) {
      now = better;
      continue;
    }

    // Nowhere nearer around: the closest features, when each point lies in the Voronoi region of the other's. It does not
    // behind a face, nor beside one that an edge is parallel to from the inside.
    const double noise = rounding + rounding * size / std::sqrt(now.squared);
    const bool astray_a = !holds(a, now.a, now.pa, now.pb, rounding, noise);
    const bool astray_b = !astray_a && !holds(b, now.b, now.pb, now.pa, rounding, noise);
    if (!astray_a && !astray_b) return finish(VClipOutcome::apart);
    const Side &with_face = astray_a ? a : b, &other = astray_a ? b : a;
    const Feature vertex = astray_a ? now.b : now.a;
    const Vec3d p = astray_a ? now.pb : now.pa;
    if (with_face.body.view().face_count() == 0) return finish(VClipOutcome::unclear);
    // Behind it: inside of the body, or in front of another face
    std::uint32_t front = 0;
    double most = -kInfinity;
    for (std::uint32_t f = 0; f < with_face.body.view().face_count(); ++f)
      if (const double h = with_face.height(f, p); h > most) {
        most = h;
        front = f;
      }
    if (most <= rounding) return finish(most < -rounding ? VClipOutcome::overlap : VClipOutcome::unclear);
    if (escapes-- == 0) return finish(VClipOutcome::unclear);
    if constexpr (Trace::kEnabled) trace({.step = "escape", .ids = {&front, 1}, .value = most});
    const Closest moved = measure(other, vertex, with_face, {FeatureKind::face, front});
    now = astray_a ? turned_around(moved) : moved;
  }
}

template VClip3 vclip3<NoTrace>(const VClipBody3&, const VClipBody3&, const Placement3&, Feature, Feature, NoTrace);
template VClip3 vclip3<TraceTo>(const VClipBody3&, const VClipBody3&, const Placement3&, Feature, Feature, TraceTo);

}  // namespace sudar
