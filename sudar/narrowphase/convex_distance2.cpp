#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/epa2.hpp>
#include <sudar/narrowphase/exact_distance.hpp>
#include <sudar/narrowphase/exact_gjk2.hpp>
#include <sudar/narrowphase/far_pair.hpp>

#include <algorithm>

namespace sudar {

namespace {

struct Query2 {
  const Difference2& difference;
  double radii;  // of both
};

void set_hints(const Gjk2& g, VertexPair (&hints)[3]) {
  for (int i = 0; i < g.count; ++i) hints[i] = {g.simplex[i].ia, g.simplex[i].ib};
}

// Grow the bounds about the cores by the radii
void add_radii(DistanceAnswer2& answer, const Query2& query) {
  const double radii = query.radii;
  if (!(radii > 0)) return;
  answer.point_a += answer.normal * query.difference.a.radius;
  answer.point_b -= answer.normal * query.difference.b.radius;
  const double rounding = 4 * kRoundoff * (radii + std::fabs(answer.separation));
  answer.separation -= radii;
  answer.lower -= radii + rounding;
  answer.upper -= radii - rounding;
}
// The decision for curved cores by the bounds: a plane that separates, or points that rounding cannot tell apart, or open
void settle_by_bounds(DistanceAnswer2& answer, const Query2& query) {
  const double touch = 4 * kNoiseErrors * query.difference.point_error + 8 * kRoundoff * query.radii;
  const bool hit = !(answer.lower > 0) && answer.upper <= touch;
  if (!hit && !(answer.lower > 0)) answer.status = QueryStatus::max_iterations;
  settle(answer, hit);
}

DistanceAnswer2 far_apart(const Query2& query) {
  return far_apart<2>(
      query.difference.a_from_b, [&](const Vec2d& d) { return support(query.difference.a, d).p; },
      [&](const Vec2d& d) { return support(query.difference.b, d).p; });
}

DistanceAnswer2 from_gjk(const Gjk2& g, const Difference2& difference) {
  DistanceAnswer2 answer;
  answer.iterations = g.iterations;
  answer.separation = g.distance;
  // Far from the ends of the range, one division does
  const bool plain = g.distance > 0x1p-400 && g.distance < 0x1p400;
  answer.normal = plain ? g.v * (-1 / g.distance) : normalized(-g.v);
  answer.point_a = g.point_a();
  answer.point_b = g.point_b(difference);
  answer.lower = std::max(0.0, g.lower);
  // The witness points are convex combinations, off by rounding
  answer.upper = distance(answer.point_a, answer.point_b) + 2 * difference.point_error;
  if (g.exhausted) answer.status = QueryStatus::max_iterations;
  return answer;
}

DistanceAnswer2 from_epa(const Epa2& e, const Query2& query, int iterations) {
  DistanceAnswer2 answer;
  answer.hit = true;
  answer.iterations = iterations + e.iterations;
  answer.separation = -e.depth;
  answer.lower = -e.upper;
  answer.upper = -e.lower;
  answer.normal = e.normal;
  answer.point_a = e.point_a;
  answer.point_b = e.point_b;
  if (e.flat) answer.status = QueryStatus::degenerate;
  if (e.exhausted) answer.status = QueryStatus::max_iterations;
  add_radii(answer, query);
  settle(answer, true);
  return answer;
}
template <class Trace>
DistanceAnswer2 depth(const Query2& query, std::span<const DifferencePoint2> simplex, int iterations, Trace trace) {
  return from_epa(epa2(query.difference, simplex, trace), query, iterations);
}

// Bounds of curved cores that are farther apart than this are not what GJK ends with, but where rounding stopped it
double open_gap(const Difference2& difference) {
  return 0x1p-7 * kCurvedDepthGap * (difference.a.size + difference.b.size) + 64 * difference.point_error;
}

// Curved cores that GJK could neither separate nor join, or whose bounds it left open. The search goes on with all points
// that it finds: it ends with a polygon around the origin, or with a line that separates and points that are no farther
// apart than that, up to rounding. Where rounding ends it earlier, nearer than kCurvedDepthGap counts as touching; what is
// not even that is "apart, as far as was found", with its bounds open.
template <class Trace>
DistanceAnswer2 of_curved(const Query2& query, const Gjk2& g, Trace trace) {
  const Difference2& difference = query.difference;
  const Epa2 e = epa2(difference, {g.simplex, static_cast<std::size_t>(g.count)}, trace);
  const double slack = difference.plane_slack(e.normal), error = 2 * difference.point_error;
  const double gap = kCurvedDepthGap * (difference.a.size + difference.b.size);
  const bool apart = g.lower > 0 || e.least < -slack;
  const double near = std::min(g.distance, e.near);
  if (!apart && (e.inner >= 0 || near <= gap || near + gap < query.radii)) {
    DistanceAnswer2 answer = from_epa(e, query, g.iterations);
    if (e.inner < 0) answer.upper = std::max(answer.upper, near + error - query.radii);
    return answer;
  }
  DistanceAnswer2 answer = from_gjk(g, difference);
  answer.iterations += e.iterations;
  if (e.near < g.distance) {
    answer.point_a = e.point_a;
    answer.point_b = e.point_b;
    answer.separation = e.near;
    answer.upper = distance(e.point_a, e.point_b) + error;
  }
  answer.lower = g.lower;
  if (-e.least - slack > g.lower) {
    answer.lower = -e.least - slack;
    answer.normal = e.normal;
  }
  answer.separation = std::max(answer.separation, answer.lower);
  answer.upper = std::max(answer.upper, answer.separation);
  add_radii(answer, query);
  answer.status = answer.upper - answer.lower <= gap ? QueryStatus::converged : QueryStatus::max_iterations;
  settle_by_bounds(answer, query);
  return answer;
}

}  // namespace

template <class Trace>
DistanceAnswer2 convex_distance2(const ConvexView2& a, const ConvexView2& b, const Placement2& a_from_b,
                                 GjkCache2* cache, Trace trace) {
  const Difference2 difference(a, b, a_from_b);
  const Query2 query{difference, a.radius + b.radius};
  if (is_far(a_from_b)) return far_apart(query);
  const Gjk2 g = gjk2(difference, GjkGoal::measure, 0, cache, trace);
  if (cache != nullptr) store(g, difference, *cache);
  if (g.outcome == GjkOutcome::hit)
    return depth(query, {g.simplex, static_cast<std::size_t>(g.count)}, g.iterations, trace);
  if (!difference.polygons && (g.outcome == GjkOutcome::unclear || g.distance - g.lower > open_gap(difference)))
    return of_curved(query, g, trace);
  DistanceAnswer2 answer = from_gjk(g, difference);
  const bool closed = is_closed(answer, difference);
  add_radii(answer, query);
  if (!difference.polygons) {
    settle_by_bounds(answer, query);
    return answer;
  }
  const bool clear = answer.lower > 0 || answer.upper < 0;
  if (g.outcome == GjkOutcome::apart && !g.exhausted && clear && closed) {
    settle(answer, !(answer.lower > 0));
    return answer;
  }
  // Integers have the word
  VertexPair hints[3];
  set_hints(g, hints);
  const ExactGjk2 exact = exact_gjk2(difference, {hints, static_cast<std::size_t>(g.count)}, true, trace);
  if (exact.hit) {
    DifferencePoint2 points[3];
    const int count = load(exact, difference, points);
    return depth(query, {points, static_cast<std::size_t>(count)}, g.iterations + exact.iterations, trace);
  }
  answer = from_exact<2>(exact, g, difference);
  add_radii(answer, query);
  settle(answer, exact.beyond <= 0);
  return answer;
}

template <class Trace>
bool convex_intersects2(const ConvexView2& a, const ConvexView2& b, const Placement2& a_from_b, GjkCache2* cache,
                        Trace trace) {
  const Difference2 difference(a, b, a_from_b);
  if (is_far(a_from_b)) return false;
  const double radii = a.radius + b.radius;
  const Gjk2 g = gjk2(difference, GjkGoal::decide, radii, cache, trace);
  if (cache != nullptr) store(g, difference, *cache);
  if (g.outcome != GjkOutcome::unclear) return g.outcome == GjkOutcome::hit;
  if (!difference.polygons) return convex_distance2(a, b, a_from_b, static_cast<GjkCache2*>(nullptr), trace).hit;
  VertexPair hints[3];
  set_hints(g, hints);
  const ExactGjk2 exact = exact_gjk2(difference, {hints, static_cast<std::size_t>(g.count)}, radii > 0, trace);
  return exact.hit || (radii > 0 && exact.beyond <= 0);
}

template DistanceAnswer2 convex_distance2<NoTrace>(const ConvexView2&, const ConvexView2&, const Placement2&,
                                                   GjkCache2*, NoTrace);
template DistanceAnswer2 convex_distance2<TraceTo>(const ConvexView2&, const ConvexView2&, const Placement2&,
                                                   GjkCache2*, TraceTo);
template bool convex_intersects2<NoTrace>(const ConvexView2&, const ConvexView2&, const Placement2&, GjkCache2*,
                                          NoTrace);
template bool convex_intersects2<TraceTo>(const ConvexView2&, const ConvexView2&, const Placement2&, GjkCache2*,
                                          TraceTo);

}  // namespace sudar
