#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/depth_descent3.hpp>
#include <sudar/narrowphase/epa3.hpp>
#include <sudar/narrowphase/exact_distance.hpp>
#include <sudar/narrowphase/exact_gjk3.hpp>
#include <sudar/narrowphase/face_depth3.hpp>
#include <sudar/narrowphase/far_pair.hpp>
#include <sudar/narrowphase/fine_simplex3.hpp>
#include <sudar/narrowphase/minkowski_check3.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

struct Query3 {
  const Difference3& difference;
  double radii;              // of both
  bool faces_tried = false;  // in vain
};

void set_hints(const Gjk3& g, VertexPair (&hints)[4]) {
  for (int i = 0; i < g.count; ++i) hints[i] = {g.simplex[i].ia, g.simplex[i].ib};
}

// Grow the bounds about the cores by the radii
void add_radii(DistanceAnswer3& answer, const Query3& query) {
  const double radii = query.radii;
  if (!(radii > 0)) return;
  answer.point_a += answer.normal * query.difference.a.radius;
  answer.point_b -= answer.normal * query.difference.b.radius;
  const double rounding = 4 * kRoundoff * (radii + std::fabs(answer.separation));
  answer.separation -= radii;
  answer.lower -= radii + rounding;
  answer.upper -= radii - rounding;
}
// Nearer than this, rounding cannot tell curved cores apart
double touch_of(const Query3& query) {
  return 4 * kNoiseErrors * query.difference.point_error + 8 * kRoundoff * query.radii;
}
// The decision for curved cores by the bounds: a plane that separates, or points that rounding cannot tell apart, or open
void settle_by_bounds(DistanceAnswer3& answer, const Query3& query) {
  // On slivers of the difference the distance is surer than the points that witness it
  const double near = std::min(answer.upper, answer.separation + 2 * query.difference.point_error);
  const bool hit = !(answer.lower > 0) && near <= touch_of(query);
  if (!hit && !(answer.lower > 0)) answer.status = QueryStatus::max_iterations;
  settle(answer, hit);
}

DistanceAnswer3 far_apart(const Query3& query) {
  return far_apart<3>(
      query.difference.a_from_b, [&](const Vec3d& d) { return support(query.difference.a, d).p; },
      [&](const Vec3d& d) { return support(query.difference.b, d).p; });
}

DistanceAnswer3 from_gjk(const Gjk3& g, const Difference3& difference) {
  DistanceAnswer3 answer;
  answer.iterations = g.iterations;
  answer.separation = g.distance;
  // Far from the ends of the range, one division does
  const bool plain = g.distance > 0x1p-400 && g.distance < 0x1p400;
  answer.normal = plain ? g.v * (-1 / g.distance) : normalized(-g.v);
  answer.point_a = g.point_a();
  answer.point_b = g.point_b(difference);
  answer.lower = std::max(0.0, g.lower);
  // Polytopes have integers for that
  const std::span<const DifferencePoint3> corners(g.simplex, static_cast<std::size_t>(g.count));
  if (!difference.polytopes && g.count <= 3 && !(distance(weighed(corners, g.weight), g.v) <= open_gap(difference))) {
    Gjk3 fine = g;
    fine_weights3(corners, fine.weight);
    answer.point_a = fine.point_a();
    answer.point_b = fine.point_b(difference);
  }
  // The witness points are convex combinations, off by rounding
  answer.upper = distance(answer.point_a, answer.point_b) + 2 * difference.point_error;
  if (g.exhausted) answer.status = QueryStatus::max_iterations;
  return answer;
}

DistanceAnswer3 from_epa(const Epa3& e, const Query3& query, int iterations) {
  const Difference3& difference = query.difference;
  DistanceAnswer3 answer;
  answer.hit = true;
  answer.iterations = iterations + e.iterations;
  answer.separation = -e.depth;
  answer.lower = -e.upper;
  answer.upper = -e.lower;
  answer.normal = e.normal;
  answer.point_a = e.point_a;
  answer.point_b = e.point_b;
  if (e.flat) answer.status = QueryStatus::degenerate;
  if (e.exhausted) {
    answer.status = QueryStatus::max_iterations;
    if (difference.polytopes) {
      // Every face of the explicit difference, however long it takes
      if (const Result<MinkowskiCheck3> check = minkowski_check3(difference)) {
        answer.status = QueryStatus::converged;
        answer.separation = std::min(0.0, check->separation);
        if (check->hit) answer.normal = check->normal;
        answer.point_a = check->point_a;
        answer.point_b = check->point_b;
        answer.lower = answer.separation - difference.plane_slack(answer.normal);
        answer.upper = std::min(0.0, difference.plane_slack(answer.normal) - check->inner);
      }
    }
  }
  add_radii(answer, query);
  settle(answer, true);
  return answer;
}
// Hulls by the faces of their difference; when that leaves something open, by EPA
template <class Trace>
DistanceAnswer3 depth(const Query3& query, std::span<const DifferencePoint3> simplex, int iterations, Trace trace) {
  if (query.difference.polytopes && !query.faces_tried) {
    Epa3 e;
    if (face_depth3(query.difference, {}, e, trace) == FaceDepthOutcome::inside) return from_epa(e, query, iterations);
  }
  return from_epa(epa3(query.difference, simplex, trace), query, iterations);
}

// Curved cores that GJK could neither separate nor join, or whose bounds it left open. The search goes on with all points
// that it finds: it ends with a polytope around the origin, or with a plane that separates and points that are no farther
// apart than that, up to rounding. Where rounding ends it earlier, nearer than kCurvedDepthGap counts as touching; what is
// not even that is "apart, as far as was found", with its bounds open.
template <class Trace>
DistanceAnswer3 of_curved(const Query3& query, const Gjk3& g, Trace trace) {
  const Difference3& difference = query.difference;
  const Epa3 e = epa3(difference, {g.simplex, static_cast<std::size_t>(g.count)}, trace);
  const double slack = difference.plane_slack(e.normal), error = 2 * difference.point_error;
  const double gap = kCurvedDepthGap * (difference.a.size + difference.b.size);
  const bool apart = g.lower > 0 || e.least < -slack;
  const double near = std::min(g.distance, e.near);
  if (!apart && (e.inner >= 0 || near <= gap || near + gap < query.radii)) {
    DistanceAnswer3 answer = from_epa(e, query, g.iterations);
    if (e.inner < 0) answer.upper = std::max(answer.upper, near + error - query.radii);
    // However the search ended, bounds that are close are what it is for
    if (e.exhausted && answer.upper - answer.lower <= gap) answer.status = QueryStatus::converged;
    return answer;
  }
  DistanceAnswer3 answer = from_gjk(g, difference);
  answer.iterations += e.iterations;
  answer.separation = near;
  // Of slivers the points are less sure than the distance: what counts is how far apart they are
  if (distance(e.point_a, e.point_b) < distance(answer.point_a, answer.point_b)) {
    answer.point_a = e.point_a;
    answer.point_b = e.point_b;
    answer.upper = distance(e.point_a, e.point_b) + error;
  }
  answer.lower = g.lower;
  if (-e.least - slack > g.lower) {
    answer.lower = -e.least - slack;
    answer.normal = e.normal;
  }
  // The corner of one over the rim of the other: the points are found sooner than the plane, which is a kink of its bound
  if (answer.upper - answer.lower > gap) {
    Vec3d normal = answer.normal;
    double beyond = std::numeric_limits<double>::infinity();
    answer.iterations += descend3(difference, kNoiseErrors * difference.point_error, normal, beyond);
    if (const double lower = -beyond - difference.plane_slack(normal); lower > answer.lower) {
      answer.lower = lower;
      answer.normal = normal;
    }
  }
  answer.separation = std::max(answer.separation, answer.lower);
  answer.upper = std::max(answer.upper, answer.separation);
  add_radii(answer, query);
  // Where nothing ended the search but rounding, bounds are as close as it allows
  const bool ended = g.exhausted || e.exhausted;
  answer.status = ended && answer.upper - answer.lower > gap ? QueryStatus::max_iterations : QueryStatus::converged;
  settle_by_bounds(answer, query);
  return answer;
}

// Apart by a plane, and that is all that is known
DistanceAnswer3 part_of_gap(const Vec3d& normal, double lower, int iterations) {
  DistanceAnswer3 answer;
  answer.normal = normal;
  answer.separation = answer.lower = lower;
  answer.upper = std::numeric_limits<double>::infinity();
  answer.iterations = iterations;
  settle(answer, false);
  return answer;
}

// All that follows the search
template <class Trace>
DistanceAnswer3 conclude(const Query3& query, const Gjk3& g, Trace trace) {
  const Difference3& difference = query.difference;
  if (g.outcome == GjkOutcome::hit)
    return depth(query, {g.simplex, static_cast<std::size_t>(g.count)}, g.iterations, trace);
  if (!difference.polytopes && (g.outcome == GjkOutcome::unclear || g.distance - g.lower > open_gap(difference)))
    return of_curved(query, g, trace);
  DistanceAnswer3 answer = from_gjk(g, difference);
  const bool closed = is_closed(answer, difference);
  add_radii(answer, query);
  if (!difference.polytopes) {
    settle_by_bounds(answer, query);
    // Neither a plane nor a common point of the grown sets: the search goes on
    return answer.status == QueryStatus::max_iterations ? of_curved(query, g, trace) : answer;
  }
  const bool clear = answer.lower > 0 || answer.upper < 0;
  if (g.outcome == GjkOutcome::apart && !g.exhausted && clear && closed) {
    settle(answer, !(answer.lower > 0));
    return answer;
  }
  // Integers have the word
  VertexPair hints[4];
  set_hints(g, hints);
  const ExactGjk3 exact = exact_gjk3(difference, {hints, static_cast<std::size_t>(g.count)}, true, trace);
  if (exact.hit) {
    DifferencePoint3 points[4];
    const int count = load(exact, difference, points);
    return depth(query, {points, static_cast<std::size_t>(count)}, g.iterations + exact.iterations, trace);
  }
  answer = from_exact<3>(exact, g, difference);
  add_radii(answer, query);
  settle(answer, exact.beyond <= 0);
  return answer;
}

}  // namespace

template <class Trace>
DistanceAnswer3 convex_distance3(const ConvexView3& a, const ConvexView3& b, const Placement3& a_from_b,
                                 GjkCache3* cache, Trace trace) {
  const Difference3 difference(a, b, a_from_b);
  const Query3 query{difference, a.radius + b.radius};
  if (is_far(a_from_b)) return far_apart(query);
  const Gjk3 g = gjk3(difference, GjkGoal::measure, 0, cache, trace);
  if (cache != nullptr) store(g, difference, *cache);
  return conclude(query, g, trace);
}

DistanceAnswer3 convex_gap3(const ConvexView3& a, const ConvexView3& b, const Placement3& a_from_b, GjkCache3* cache) {
  const Difference3 difference(a, b, a_from_b);
  const Query3 query{difference, a.radius + b.radius};
  if (is_far(a_from_b)) return far_apart(query);
  const Gjk3 g = gjk3(difference, GjkGoal::measure, 0, cache);
  if (cache != nullptr) store(g, difference, *cache);
  if (g.outcome != GjkOutcome::hit) return conclude(query, g, NoTrace{});
  DistanceAnswer3 answer;
  answer.hit = true;
  answer.lower = -std::numeric_limits<double>::infinity();
  answer.iterations = g.iterations;
  return answer;
}

DistanceAnswer3 convex_depth3(const ConvexView3& a, const ConvexView3& b, const Placement3& a_from_b,
                              GjkCache3* cache) {
  const Difference3 difference(a, b, a_from_b);
  Query3 query{difference, a.radius + b.radius};
  if (is_far(a_from_b)) return far_apart(query);
  // A decision about grown sets does not measure their cores
  const bool plain = difference.polytopes && query.radii == 0;
  // The faces of the difference of two hulls decide as well, most often, beyond any rounding
  if (plain) {
    Epa3 e;
    const FaceDepthOutcome outcome = face_depth3(difference, cache != nullptr ? -cache->axis : Vec3d{}, e);
    if (outcome != FaceDepthOutcome::open && cache != nullptr) cache->axis = -e.normal;
    if (outcome == FaceDepthOutcome::inside) return from_epa(e, query, 0);
    if (outcome == FaceDepthOutcome::apart) return part_of_gap(e.normal, -e.least, e.iterations);
    query.faces_tried = true;
  }
  const Gjk3 g = gjk3(difference, plain ? GjkGoal::decide : GjkGoal::measure, 0, cache);
  if (cache != nullptr) store(g, difference, *cache);
  if (!plain || g.outcome == GjkOutcome::hit) return conclude(query, g, NoTrace{});
  // Not seen to meet and not seen apart either: only the whole query knows
  if (g.outcome != GjkOutcome::apart) return convex_distance3(a, b, a_from_b);
  return part_of_gap(normalized(-g.axis), g.lower, g.iterations);
}

template <class Trace>
bool convex_intersects3(const ConvexView3& a, const ConvexView3& b, const Placement3& a_from_b, GjkCache3* cache,
                        Trace trace) {
  const Difference3 difference(a, b, a_from_b);
  if (is_far(a_from_b)) return false;
  const double radii = a.radius + b.radius;
  const Gjk3 g = gjk3(difference, GjkGoal::decide, radii, cache, trace);
  if (cache != nullptr) store(g, difference, *cache);
  // A plane that separates curved sets by rounding alone is not yet the decision
  const bool barely =
      !difference.polytopes && g.outcome == GjkOutcome::apart && g.lower - radii <= touch_of({difference, radii});
  if (g.outcome != GjkOutcome::unclear && !barely) return g.outcome == GjkOutcome::hit;
  if (!difference.polytopes) return convex_distance3(a, b, a_from_b, static_cast<GjkCache3*>(nullptr), trace).hit;
  VertexPair hints[4];
  set_hints(g, hints);
  const ExactGjk3 exact = exact_gjk3(difference, {hints, static_cast<std::size_t>(g.count)}, radii > 0, trace);
  return exact.hit || (radii > 0 && exact.beyond <= 0);
}

template DistanceAnswer3 convex_distance3<NoTrace>(const ConvexView3&, const ConvexView3&, const Placement3&,
                                                   GjkCache3*, NoTrace);
template DistanceAnswer3 convex_distance3<TraceTo>(const ConvexView3&, const ConvexView3&, const Placement3&,
                                                   GjkCache3*, TraceTo);
template bool convex_intersects3<NoTrace>(const ConvexView3&, const ConvexView3&, const Placement3&, GjkCache3*,
                                          NoTrace);
template bool convex_intersects3<TraceTo>(const ConvexView3&, const ConvexView3&, const Placement3&, GjkCache3*,
                                          TraceTo);

}  // namespace sudar
