#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/epa2.hpp>
#include <sudar/narrowphase/exact_gjk2.hpp>

#include <algorithm>

namespace sudar {

namespace {

// Beyond this offset shapes (up to kMaxShapeSize) are points to each other, and cubes of it would leave the range
constexpr double kFarAway = 0x1p150;

struct Query2 {
  const Difference2& difference;
  double radii;  // of both
};

void set_hints(const Gjk2& g, VertexPair (&hints)[3]) {
  for (int i = 0; i < g.count; ++i) hints[i] = {g.simplex[i].ia, g.simplex[i].ib};
}

// Grow the answer about the cores by the radii and give it its sign
void grow(DistanceAnswer2& answer, const Query2& query) {
  const double radii = query.radii;
  if (radii > 0) {
    answer.point_a += answer.normal * query.difference.a.radius;
    answer.point_b -= answer.normal * query.difference.b.radius;
    const double rounding = 4 * kRoundoff * (radii + std::fabs(answer.separation));
    answer.separation -= radii;
    answer.lower -= radii + rounding;
    answer.upper -= radii - rounding;
    answer.hit = answer.hit || !(answer.lower > 0);
  }
  if (answer.hit) {
    answer.separation = std::min(answer.separation, 0.0);
    answer.lower = std::min(answer.lower, answer.separation);
    answer.upper = std::max(answer.upper, answer.separation);
  } else {
    answer.lower = std::max(0.0, std::min(answer.lower, answer.separation));
    answer.upper = std::max(answer.upper, answer.separation);
  }
}

DistanceAnswer2 far_apart(const Query2& query) {
  const Difference2& difference = query.difference;
  DistanceAnswer2 answer;
  const double scale = max_abs(difference.a_from_b.translation);
  const Vec2d direction = difference.a_from_b.translation / scale;
  answer.normal = normalized(direction);
  const DifferencePoint2 p = difference.least(-answer.normal);
  answer.point_a = p.a;
  answer.point_b = difference.point_b(p.turned_b);
  answer.separation = answer.lower = answer.upper = length(direction) * scale;
  answer.lower -= 8 * kRoundoff * answer.separation;
  answer.upper += 8 * kRoundoff * answer.separation;
  return answer;
}

DistanceAnswer2 from_gjk(const Gjk2& g, const Difference2& difference) {
  DistanceAnswer2 answer;
  answer.iterations = g.iterations;
  answer.separation = g.distance;
  answer.normal = normalized(-g.v);
  answer.point_a = g.point_a();
  answer.point_b = g.point_b(difference);
  answer.lower = std::max(0.0, g.lower);
  // The witness points are convex combinations, off by rounding
  answer.upper = distance(answer.point_a, answer.point_b) + 2 * difference.point_error;
  if (g.exhausted) answer.status = QueryStatus::max_iterations;
  return answer;
}

// The rounded simplex of exact vertices
int load(const ExactGjk2& exact, const Difference2& difference, DifferencePoint2 (&points)[3]) {
  for (int i = 0; i < exact.count; ++i) points[i] = difference.of_vertices(exact.simplex[i].a, exact.simplex[i].b);
  return exact.count;
}

template <class Trace>
DistanceAnswer2 depth(const Query2& query, std::span<const DifferencePoint2> simplex, int iterations, Trace trace) {
  const Difference2& difference = query.difference;
  const Epa2 e = epa2(difference, simplex, trace);
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
  grow(answer, query);
  return answer;
}

}  // namespace

template <class Trace>
DistanceAnswer2 convex_distance2(const ConvexView2& a, const ConvexView2& b, const Placement2& a_from_b,
                                 GjkCache2* cache, Trace trace) {
  const Difference2 difference(a, b, a_from_b);
  const Query2 query{difference, a.radius + b.radius};
  if (max_abs(a_from_b.translation) > kFarAway) return far_apart(query);
  const Gjk2 g = gjk2(difference, GjkGoal::measure, 0, cache, trace);
  if (cache != nullptr) store(g, difference, *cache);
  if (g.outcome == GjkOutcome::hit)
    return depth(query, {g.simplex, static_cast<std::size_t>(g.count)}, g.iterations, trace);
  if (g.outcome == GjkOutcome::unclear) {
    if (!difference.polygons) return depth(query, {g.simplex, static_cast<std::size_t>(g.count)}, g.iterations, trace);
    VertexPair hints[3];
    set_hints(g, hints);
    const ExactGjk2 exact = exact_gjk2(difference, {hints, static_cast<std::size_t>(g.count)}, true, trace);
    DifferencePoint2 points[3];
    const int count = load(exact, difference, points);
    if (exact.hit)
      return depth(query, {points, static_cast<std::size_t>(count)}, g.iterations + exact.iterations, trace);
    DistanceAnswer2 answer = from_gjk(g, difference);
    answer.iterations += exact.iterations;
    answer.separation = exact.distance;
    answer.normal = normalized(-exact.axis);
    answer.lower = exact.distance * (1 - 16 * kRoundoff);
    answer.upper = exact.distance * (1 + 16 * kRoundoff);
    grow(answer, query);
    return answer;
  }
  DistanceAnswer2 answer = from_gjk(g, difference);
  grow(answer, query);
  return answer;
}

template <class Trace>
bool convex_intersects2(const ConvexView2& a, const ConvexView2& b, const Placement2& a_from_b, GjkCache2* cache,
                        Trace trace) {
  const Difference2 difference(a, b, a_from_b);
  const Query2 query{difference, a.radius + b.radius};
  if (max_abs(a_from_b.translation) > kFarAway) return false;
  const Gjk2 g = gjk2(difference, GjkGoal::decide, query.radii, cache, trace);
  if (cache != nullptr) store(g, difference, *cache);
  if (g.outcome != GjkOutcome::unclear) return g.outcome == GjkOutcome::hit;
  if (query.radii > 0 || !difference.polygons) return true;
  VertexPair hints[3];
  set_hints(g, hints);
  return exact_gjk2(difference, {hints, static_cast<std::size_t>(g.count)}, false, trace).hit;
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
