#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/box_box2.hpp>
#include <sudar/narrowphase/contact_set2.hpp>
#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/features2.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/primitives2.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

namespace sudar {

namespace {

Feature feature_at(const Patch2& patch, const Vec2d& p, double close) {
  if (patch.unbounded) return patch.inside;
  for (int i = 0; i < patch.count; ++i)
    if (distance(patch.points[i], p) <= close) return patch.corners[i];
  return patch.inside;
}

template <class Trace>
void tell(Trace& trace, std::string_view step, std::span<const Vec2d> points, double value) {
  if constexpr (Trace::kEnabled)
    trace({.step = step, .numbers = {points.empty() ? nullptr : &points[0].x, 2 * points.size()}, .value = value});
}

}  // namespace

template <class Trace>
ContactSet2 contact_set2(const Shape2& a, const Shape2& b, const Placement2& a_from_b, const DistanceAnswer2& answer,
                         double margin, Trace trace) {
  ContactSet2 set;
  const Vec2d n = set.normal = answer.normal;
  set.separation = answer.separation;
  set.status = answer.status;
  if (answer.status == QueryStatus::unsupported || !(answer.separation <= margin)) return set;

  const auto patch_of = [&](bool of_a, bool widest) {
    if (of_a) return patch_towards(a, n, answer.point_a, widest);
    const Vec2d witness_b = to_b(a_from_b, answer.point_b - a_from_b.translation);
    Patch2 out = patch_towards(b, to_b(a_from_b, -n), witness_b, widest);
    for (int i = 0; i < out.count; ++i) out.points[i] = transform(a_from_b, out.points[i]);
    out.normal = turn(a_from_b, out.normal);
    return out;
  };
  const Patch2 from_a = patch_of(true, false), from_b = patch_of(false, false);
  const auto corners_of = [](const Patch2& patch) {
    return std::span<const Vec2d>(patch.points, static_cast<std::size_t>(patch.count));
  };
  tell(trace, "patch of a", corners_of(from_a), from_a.faces ? 1 : 0);
  tell(trace, "patch of b", corners_of(from_b), from_b.faces ? 1 : 0);
  double size = std::fabs(answer.separation);
  for (const Patch2* patch : {&from_a, &from_b})
    size = std::max(size, patch->radius + (patch->count == 2 ? distance(patch->points[0], patch->points[1]) : 0));
  const double close = 4 * kContactMerge * size;
  const double cutoff = std::max(margin, answer.separation + kContactMerge * size);

  // What the other shape turns to the edge, cut at its ends
  if (from_a.faces || from_b.faces) {
    const bool reference_is_a = from_a.faces && !from_b.unbounded;
    const Patch2 &reference = reference_is_a ? from_a : from_b, incident = patch_of(!reference_is_a, true);
    const Vec2d outward = reference_is_a ? n : -n;
    tell(trace, "reference", corners_of(incident), reference_is_a ? 0 : 1);
    Vec2d p = incident.points[0], q = incident.points[incident.count - 1];
    bool over = !incident.unbounded;
    if (!reference.unbounded) {
      // Across the normal of the decision, so that what is cut at an end lies over it
      const Vec2d along = reference.points[1] - reference.points[0];
      const Vec2d u = dot(along, perp(outward)) < 0 ? -perp(outward) : perp(outward);
      const auto cut = [&](const Vec2d& side, double offset) {
        const double f = dot(side, p) - offset, g = dot(side, q) - offset;
        if (f > close && g > close) over = false;
        if ((f > close) == (g > close)) return;
        (f > close ? p : q) = lerp(p, q, std::clamp(f / (f - g), 0.0, 1.0));
      };
      const auto tell_cut = [&] {
        const Vec2d left[] = {p, q};
        tell(trace, "cut", {left, over ? corners_of(incident).size() : 0}, over ? incident.count : 0);
      };
      cut(-u, -dot(u, reference.points[0]));
      tell_cut();
      if (over) {
        cut(u, dot(u, reference.points[1]));
        tell_cut();
      }
    }
    const bool two = incident.count == 2 && distance(p, q) > close;
    for (int i = 0; over && i < (two ? 2 : 1); ++i) {
      const Vec2d& at = i == 0 ? p : q;
      const double height = dot(reference.normal, at - reference.points[0]) / dot(reference.normal, outward);
      const Vec2d foot = at - outward * height;
      const Vec2d &core_a = reference_is_a ? foot : at, &core_b = reference_is_a ? at : foot;
      const double separation = dot(core_b - core_a, n) - from_a.radius - from_b.radius;
      const Vec2d middle = (core_a + n * from_a.radius + (core_b - n * from_b.radius)) * 0.5;
      tell(trace, separation <= cutoff ? "keep" : "leave out", {&middle, 1}, separation);
      if (!(separation <= cutoff)) continue;
      const Feature on_incident = feature_at(incident, at, close), on_reference = feature_at(reference, foot, close);
      set.points.push_back({middle, separation, reference_is_a ? on_reference : on_incident,
                            reference_is_a ? on_incident : on_reference});
    }
  }
  const bool deep = std::any_of(set.points.begin(), set.points.end(), [&](const auto& point) {
    return point.separation <= answer.separation + kContactMiss * size;
  });
  if (!deep) {
    set.points.clear();
    set.points.push_back({(answer.point_a + answer.point_b) * 0.5, answer.separation,
                          feature_at(from_a, answer.point_a - n * from_a.radius, close),
                          feature_at(from_b, answer.point_b + n * from_b.radius, close)});
    tell(trace, "witness", {&set.points[0].position, 1}, answer.separation);
  }
  set.kind = set.points.size() == 1 ? ContactKind::point : ContactKind::segment;
  return set;
}

template ContactSet2 contact_set2<NoTrace>(const Shape2&, const Shape2&, const Placement2&, const DistanceAnswer2&,
                                           double, NoTrace);
template ContactSet2 contact_set2<TraceTo>(const Shape2&, const Shape2&, const Placement2&, const DistanceAnswer2&,
                                           double, TraceTo);

ContactSet2 contact_set2(const Shape2& a, const Shape2& b, const Placement2& a_from_b, double margin) {
  const auto decide = [&]() -> DistanceAnswer2 {
    if (a.kind() == ShapeKind2::box && b.kind() == ShapeKind2::box)
      return box_box_distance2(a.as<BoxShape2>().half, b.as<BoxShape2>().half, a_from_b);
    if (a.is_convex() && b.is_convex() && (!a.is_bounded() || !b.is_bounded()))
      return primitive_distance2(a, b, a_from_b);
    if (a.is_convex() && b.is_convex()) return convex_distance2(a, b, a_from_b);
    DistanceAnswer2 none;
    none.status = QueryStatus::unsupported;
    return none;
  };
  DistanceAnswer2 answer = decide();
  if (!a.is_bounded() && !b.is_bounded()) answer.status = QueryStatus::unsupported;
  return contact_set2(a, b, a_from_b, answer, margin);
}

}  // namespace sudar
