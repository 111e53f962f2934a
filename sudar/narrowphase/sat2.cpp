#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/sat2.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

template <class Trace>
struct Search {
  const PolytopeView2 &a, &b;
  const Placement2& a_from_b;
  Trace trace;
  SatAnswer2 best;

  Search(const PolytopeView2& a_, const PolytopeView2& b_, const Placement2& place, Trace trace_)
      : a(a_), b(b_), a_from_b(place), trace(trace_) {
    best.separation = -std::numeric_limits<double>::infinity();
    best.error = kSatError * (a.size() + b.size() + max_abs(place.translation));
  }

  // From p of A to q of B (each in its own frame)
  double across(const Vec2d& n, const Vec2d& p_a, const Vec2d& q_b) const {
    return dot(n, a_from_b.translation) + dot(n, a_from_b.rest) + (dot(to_b(a_from_b, n), q_b) - dot(n, p_a));
  }
  // Every vertex of both
  double gap_plain(const Vec2d& n) const {
    return across(n, a.vertices()[a.support_plain(n)], b.vertices()[b.support_plain(-to_b(a_from_b, n))]);
  }
  // Behind edge i of A, or of B: the edge's own end is an extreme already
  double gap_edge_a(std::uint32_t i) const {
    const Vec2d& n = a.normals()[i];
    return across(n, a.vertices()[i], b.vertices()[b.support(-to_b(a_from_b, n))]);
  }
  double gap_edge_b(std::uint32_t i, const Vec2d& n) const {
    return across(n, a.vertices()[a.support(n)], b.vertices()[i]);
  }
  void offer(const Vec2d& n, double gap, const SatFeature& feature) {
    ++best.axes;
    if constexpr (Trace::kEnabled) {
      static constexpr std::string_view kSteps[] = {"none", "edge of a", "edge of b", "edges", "other"};
      const std::uint32_t ids[] = {feature.a, feature.b};
      const double numbers[] = {n.x, n.y};
      trace({.step = kSteps[static_cast<int>(feature.kind)], .ids = ids, .numbers = numbers, .value = gap});
    }
    if (gap > best.separation) {
      best.separation = gap;
      best.normal = n;
      best.feature = feature;
    }
  }
  Vec2d normal_b(std::uint32_t i) const { return -turn(a_from_b, b.normals()[i]); }

  // The short sides of a thin rectangle around a segment, or any two directions around a point
  void thin_axes() {
    if (a.dimension() == 2 || b.dimension() == 2) return;
    const auto both = [this](const Vec2d& n) {
      for (const Vec2d& m : {n, -n}) offer(m, gap_plain(m), {SatKind::other, 0, 0});
    };
    if (a.dimension() == 1)
      both(perp(a.normals()[0]));
    else if (b.dimension() == 1)
      both(perp(normal_b(0)));
    else
      both({1, 0}), both({0, 1});
  }
};

}  // namespace

template <class Trace>
SatAnswer2 sat2_plain(const PolytopeView2& a, const PolytopeView2& b, const Placement2& a_from_b, Trace trace) {
  Search<Trace> search(a, b, a_from_b, trace);
  for (std::uint32_t i = 0; i < a.edge_count(); ++i)
    search.offer(a.normals()[i], search.gap_plain(a.normals()[i]), {SatKind::face_a, i, 0});
  for (std::uint32_t i = 0; i < b.edge_count(); ++i) {
    const Vec2d n = search.normal_b(i);
    search.offer(n, search.gap_plain(n), {SatKind::face_b, 0, i});
  }
  search.thin_axes();
  return search.best;
}

template <class Trace>
SatAnswer2 sat2(const PolytopeView2& a, const PolytopeView2& b, const Placement2& a_from_b, SatGoal goal,
                SatCache* cache, Trace trace) {
  Search<Trace> search(a, b, a_from_b, trace);
  const auto done = [&] { return goal == SatGoal::separate && search.best.proven_apart(); };
  const auto try_a = [&](std::uint32_t i) {
    search.offer(a.normals()[i], search.gap_edge_a(i), {SatKind::face_a, i, 0});
  };
  const auto try_b = [&](std::uint32_t i) {
    const Vec2d n = search.normal_b(i);
    search.offer(n, search.gap_edge_b(i, n), {SatKind::face_b, 0, i});
  };
  // What separated last time still does most often
  if (goal == SatGoal::separate && cache != nullptr) {
    const SatFeature last = cache->feature;
    if (last.kind == SatKind::face_a && last.a < a.edge_count()) try_a(last.a);
    if (last.kind == SatKind::face_b && last.b < b.edge_count()) try_b(last.b);
    if constexpr (Trace::kEnabled) {
      if (search.best.axes > 0) trace({.step = "last axis", .value = search.best.separation});
    }
  }
  for (std::uint32_t i = 0; i < a.edge_count() && !done(); ++i) try_a(i);
  for (std::uint32_t i = 0; i < b.edge_count() && !done(); ++i) try_b(i);
  if (!done()) search.thin_axes();
  if (cache != nullptr) cache->feature = search.best.feature;
  return search.best;
}

template SatAnswer2 sat2_plain<NoTrace>(const PolytopeView2&, const PolytopeView2&, const Placement2&, NoTrace);
template SatAnswer2 sat2_plain<TraceTo>(const PolytopeView2&, const PolytopeView2&, const Placement2&, TraceTo);
template SatAnswer2 sat2<NoTrace>(const PolytopeView2&, const PolytopeView2&, const Placement2&, SatGoal, SatCache*,
                                  NoTrace);
template SatAnswer2 sat2<TraceTo>(const PolytopeView2&, const PolytopeView2&, const Placement2&, SatGoal, SatCache*,
                                  TraceTo);

}  // namespace sudar
