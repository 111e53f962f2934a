#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/sat3.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar {

namespace {

// The search so far, and how an axis is judged
template <class Trace>
struct Search {
  const PolytopeView3 &a, &b;
  const Placement3& a_from_b;
  Trace trace;
  SatAnswer3 best;
  double preference = 0;

  Search(const PolytopeView3& a_, const PolytopeView3& b_, const Placement3& place, Trace trace_)
      : a(a_), b(b_), a_from_b(place), trace(trace_) {
    const double size = a.size() + b.size() + max_abs(place.translation);
    best.separation = -std::numeric_limits<double>::infinity();
    best.error = kSatError * size;
    preference = kSatFacePreference * size;
  }

  // From the farthest vertex of A along n to the farthest of B against it
  double gap(const Vec3d& n) const {
    const Vec3d &p = a.vertices()[a.support(n)], n_b = to_b(a_from_b, n), &q = b.vertices()[b.support(-n_b)];
    return dot(n, a_from_b.translation) + dot(n, a_from_b.rest) + (dot(n_b, q) - dot(n, p));
  }
  void report(const Vec3d& n, double gap_here, const SatFeature& feature) {
    if constexpr (Trace::kEnabled) {
      static constexpr std::string_view kSteps[] = {"none", "face of a", "face of b", "edges", "other"};
      const std::uint32_t ids[] = {feature.a, feature.b};
      const double numbers[] = {n.x, n.y, n.z};
      trace({.step = kSteps[static_cast<int>(feature.kind)], .ids = ids, .numbers = numbers, .value = gap_here});
    }
  }
  void report_skipped(std::string_view step, std::uint32_t ea, std::uint32_t eb, double value) {
    if constexpr (Trace::kEnabled) {
      const std::uint32_t ids[] = {ea, eb};
      trace({.step = step, .ids = ids, .value = value});
    }
  }
  // Faces come first and edges must be clearly better: keeps features stable between steps
  void offer(const Vec3d& n, double gap_here, const SatFeature& feature, double ahead = 0) {
    ++best.axes;
    report(n, gap_here, feature);
    if (gap_here > best.separation + ahead) {
      best.separation = gap_here;
      best.normal = n;
      best.feature = feature;
    }
  }
};

// The directions that a flat set adds: a prism's sides, or a rod's two across, or a grain's three
template <class Visit>
void for_thin_normals(const PolytopeView3& p, Visit&& visit) {
  if (p.dimension() == 2) {
    for (std::uint32_t e = 0; e < p.edges().size(); ++e)
      if (p.edges()[e].face == 0) visit(normalized(cross(p.edge_vector(e), p.planes()[0].normal)));
  } else if (p.dimension() == 1) {
    Vec3d u, v;
    const Vec3d n = normalized(p.edge_vector(0));
    make_frame(n, u, v);
    visit(n), visit(u), visit(v);
  } else if (p.dimension() == 0) {
    visit(Vec3d{1, 0, 0}), visit(Vec3d{0, 1, 0}), visit(Vec3d{0, 0, 1});
  }
}
template <class Visit>
void for_edges(const PolytopeView3& p, bool thick, Visit&& visit) {
  for (std::uint32_t e = 0; e < p.edges().size(); ++e)
    if (p.names_edge(e)) visit(p.edge_vector(e), e, true);
  if (!thick) return;
  if (p.dimension() == 2) visit(p.planes()[0].normal, 0u, false);
  if (p.dimension() == 1) {
    Vec3d u, v;
    make_frame(normalized(p.edge_vector(0)), u, v);
    visit(u, 0u, false), visit(v, 0u, false);
  }
}

template <class Trace>
void all_axes(Search<Trace>& search) {
  const PolytopeView3 &a = search.a, &b = search.b;
  const auto both = [&](const Vec3d& n, SatFeature feature, double ahead) {
    for (const Vec3d& m : {n, -n}) search.offer(m, search.gap(m), feature, ahead);
  };
  for (std::uint32_t f = 0; f < a.face_count(); ++f)
    search.offer(a.planes()[f].normal, search.gap(a.planes()[f].normal), {SatKind::face_a, f, 0});
  for (std::uint32_t f = 0; f < b.face_count(); ++f) {
    const Vec3d n = -turn(search.a_from_b, b.planes()[f].normal);
    search.offer(n, search.gap(n), {SatKind::face_b, 0, f});
  }
  // Two flat sets: one of them as a prism
  const bool flat = a.dimension() < 3 && b.dimension() < 3, thick_a = flat && a.dimension() >= b.dimension();
  const bool thick_b = flat && !thick_a;
  if (thick_a) for_thin_normals(a, [&](const Vec3d& n) { both(n, {SatKind::other, 0, 0}, 0); });
  if (thick_b) for_thin_normals(b, [&](const Vec3d& n) { both(turn(search.a_from_b, n), {SatKind::other, 0, 0}, 0); });
  for_edges(a, thick_a, [&](const Vec3d& u, std::uint32_t ea, bool real_a) {
    for_edges(b, thick_b, [&](const Vec3d& w_b, std::uint32_t eb, bool real_b) {
      const Vec3d w = turn(search.a_from_b, w_b), n = cross(u, w);
      if (!(length(n) > kSatParallel * length(u) * length(w))) return;
      const SatFeature feature{real_a && real_b ? SatKind::edges : SatKind::other, ea, eb};
      both(normalized(n), feature, search.preference);
    });
  });
}

// One axis again, by its feature. False when it is none of these polyhedra.
template <class Trace>
bool axis_of(const Search<Trace>& search, const SatFeature& feature, Vec3d& n) {
  const PolytopeView3 &a = search.a, &b = search.b;
  if (feature.kind == SatKind::face_a && feature.a < a.face_count()) {
    n = a.planes()[feature.a].normal;
  } else if (feature.kind == SatKind::face_b && feature.b < b.face_count()) {
    n = -turn(search.a_from_b, b.planes()[feature.b].normal);
  } else if (feature.kind == SatKind::edges && feature.a < a.edges().size() && feature.b < b.edges().size()) {
    n = normalized(cross(a.edge_vector(feature.a), turn(search.a_from_b, b.edge_vector(feature.b))));
    if (search.gap(-n) > search.gap(n)) n = -n;
  } else {
    return false;
  }
  return n != Vec3d{};
}

// Edges whose arcs cross on the Gauss map. The work is done in B's frame, where B's many edges need no turning.
template <class Trace>
void edge_axes(Search<Trace>& search, SatGoal goal) {
  const PolytopeView3 &a = search.a, &b = search.b;
  const Placement3& place = search.a_from_b;
  for (std::uint32_t ea = 0; ea < a.edges().size(); ++ea) {
    if (!a.names_edge(ea)) continue;
    const HalfEdge& edge_a = a.edges()[ea];
    const Vec3d u_a = a.edge_vector(ea), u = to_b(place, u_a);
    const Vec3d n0 = to_b(place, a.planes()[edge_a.face].normal);
    const Vec3d n1 = to_b(place, a.planes()[a.edges()[edge_a.twin].face].normal);
    const Vec3d p = to_b(place, a.vertices()[edge_a.origin] - place.translation);
    const double length_u = length(u);
    for (std::uint32_t eb = 0; eb < b.edges().size(); ++eb) {
      if (!b.names_edge(eb)) continue;
      const HalfEdge& edge_b = b.edges()[eb];
      const Vec3d w = b.edge_vector(eb);
      const double c = dot(b.planes()[edge_b.face].normal, u);
      const double d = dot(b.planes()[b.edges()[edge_b.twin].face].normal, u);
      if (!(c * d < 0)) {
        search.report_skipped("no crossing", ea, eb, 0);
        continue;
      }
      const double e = dot(n0, w), f = dot(n1, w);
      if (!(e * f < 0 && c * f < 0)) {
        search.report_skipped("no crossing", ea, eb, 0);
        continue;
      }
      Vec3d n = cross(u, w);
      const double size = length(n);
      if (!(size > kSatParallel * length_u * length(w))) continue;
      // Out of A: on the side of its two faces
      if (dot(n, n0 + n1) < 0) n = -n;
      const double quick = dot(n, b.vertices()[edge_b.origin] - p) / size;
      if (quick <= search.best.separation + search.preference) {
        ++search.best.axes;
        search.report_skipped("no better", ea, eb, quick);
        continue;
      }
      const Vec3d n_a = normalized(turn(place, n));
      search.offer(n_a, search.gap(n_a), {SatKind::edges, ea, eb}, search.preference);
      if (goal == SatGoal::separate && search.best.proven_apart()) return;
    }
  }
}

template <class Trace>
void production_axes(Search<Trace>& search, SatGoal goal) {
  const PolytopeView3 &a = search.a, &b = search.b;
  const auto done = [&] { return goal == SatGoal::separate && search.best.proven_apart(); };
  for (std::uint32_t f = 0; f < a.face_count() && !done(); ++f) {
    const Vec3d& n = a.planes()[f].normal;
    search.offer(n, search.gap(n), {SatKind::face_a, f, 0});
  }
  for (std::uint32_t f = 0; f < b.face_count() && !done(); ++f) {
    const Vec3d n = -turn(search.a_from_b, b.planes()[f].normal);
    search.offer(n, search.gap(n), {SatKind::face_b, 0, f});
  }
  if (!done()) edge_axes(search, goal);
}

}  // namespace

template <class Trace>
SatAnswer3 sat3_plain(const PolytopeView3& a, const PolytopeView3& b, const Placement3& a_from_b, Trace trace) {
  Search<Trace> search(a, b, a_from_b, trace);
  all_axes(search);
  return search.best;
}

template <class Trace>
SatAnswer3 sat3(const PolytopeView3& a, const PolytopeView3& b, const Placement3& a_from_b, SatGoal goal,
                SatCache* cache, Trace trace) {
  Search<Trace> search(a, b, a_from_b, trace);
  // What separated last time still does most often
  Vec3d n;
  if (goal == SatGoal::separate && cache != nullptr && axis_of(search, cache->feature, n)) {
    const double gap = search.gap(n);
    if constexpr (Trace::kEnabled) {
      const double numbers[] = {n.x, n.y, n.z};
      trace({.step = "last axis", .numbers = numbers, .value = gap});
    }
    if (gap > search.best.error) {
      search.offer(n, gap, cache->feature);
      return search.best;
    }
  }
  // Flat sets have few features and arcs without an inside
  if (a.dimension() == 3 && b.dimension() == 3)
    production_axes(search, goal);
  else
    all_axes(search);
  if (cache != nullptr) cache->feature = search.best.feature;
  return search.best;
}

template SatAnswer3 sat3_plain<NoTrace>(const PolytopeView3&, const PolytopeView3&, const Placement3&, NoTrace);
template SatAnswer3 sat3_plain<TraceTo>(const PolytopeView3&, const PolytopeView3&, const Placement3&, TraceTo);
template SatAnswer3 sat3<NoTrace>(const PolytopeView3&, const PolytopeView3&, const Placement3&, SatGoal, SatCache*,
                                  NoTrace);
template SatAnswer3 sat3<TraceTo>(const PolytopeView3&, const PolytopeView3&, const Placement3&, SatGoal, SatCache*,
                                  TraceTo);

}  // namespace sudar
