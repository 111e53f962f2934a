#include <sudar/narrowphase/gjk2.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

struct SimplexPoint2 {
  Vec2d v{};
  double vv = 0;
  double weight[3] = {0, 0, 0};
  bool inside = false;
};

SimplexPoint2 closest_on_edge(const DifferencePoint2* p, int i, int j) {
  SimplexPoint2 r;
  const Vec2d e = edge(p[i], p[j]);
  const double from_i = -dot(e, p[i].w), from_j = dot(e, p[j].w), whole = dot(e, e);
  if (!(from_i > 0)) {
    r.v = p[i].w;
    r.weight[i] = 1;
  } else if (!(from_j > 0)) {
    r.v = p[j].w;
    r.weight[j] = 1;
  } else {
    // Along the edge's normal, which keeps the direction of a short v
    const Vec2d n = perp(e);
    r.v = n * (dot(n, from_i <= from_j ? p[i].w : p[j].w) / whole);
    const double t = std::min(1.0, from_i / whole);
    r.weight[i] = 1 - t;
    r.weight[j] = t;
  }
  r.vv = dot(r.v, r.v);
  return r;
}

SimplexPoint2 closest(const Difference2& difference, const DifferencePoint2* p, int count) {
  SimplexPoint2 best;
  if (count == 1) {
    best.v = p[0].w;
    best.vv = dot(best.v, best.v);
    best.weight[0] = 1;
    return best;
  }
  if (count == 2) return closest_on_edge(p, 0, 1);
  // The triangle contains the origin when three areas say so beyond their rounding; a flat one never does
  const double m = std::max(std::max(max_abs(p[0].w), max_abs(p[1].w)), max_abs(p[2].w));
  const double error = difference.area_error(m);
  const double area[3] = {cross(p[1].w, p[2].w), cross(p[2].w, p[0].w), cross(p[0].w, p[1].w)};
  const double whole = area[0] + area[1] + area[2], side = whole < 0 ? -1 : 1;
  if (std::min(std::min(area[0] * side, area[1] * side), area[2] * side) > error) {
    best.inside = true;
    for (int i = 0; i < 3; ++i) best.weight[i] = area[i] / whole;
    return best;
  }
  best.vv = std::numeric_limits<double>::infinity();
  const bool flat = std::fabs(whole) <= 3 * error;
  for (int i = 0; i < 3; ++i) {
    if (!flat && area[i] * side > error) continue;
    const SimplexPoint2 r = closest_on_edge(p, (i + 1) % 3, (i + 2) % 3);
    if (r.vv < best.vv) best = r;
  }
  return best;
}

// Take over the closest point and drop the corners without weight
void keep(Gjk2& g, const SimplexPoint2& r, int count) {
  g.count = 0;
  for (int i = 0; i < count; ++i)
    if (r.weight[i] > 0) {
      g.simplex[g.count] = g.simplex[i];
      g.weight[g.count++] = r.weight[i];
    }
  g.v = r.v;
}

// How far the origin is from a point that is in the set whatever became of the weights: v, of a thin simplex, need not be
double spot(const Gjk2& g) {
  Vec2d p{};
  for (int i = 0; i < g.count; ++i) p += g.simplex[i].w * g.weight[i];
  return length(p);
}

// A cache of other shapes has vertices that these may not have
bool fits(const GjkCache2& cache, const Difference2& difference) {
  if (cache.count > 3) return false;
  for (std::uint32_t i = 0; i < cache.count; ++i)
    if (cache.a[i] >= difference.a.count || cache.b[i] >= difference.b.count) return false;
  return true;
}

template <class Trace>
void report(Trace& trace, std::string_view step, const Gjk2& g, double value) {
  if constexpr (Trace::kEnabled) {
    const auto count = static_cast<std::size_t>(g.count);
    std::uint32_t ids[6];
    Vec2d numbers[4] = {g.v};
    for (std::size_t i = 0; i < count; ++i) {
      ids[2 * i] = g.simplex[i].ia;
      ids[2 * i + 1] = g.simplex[i].ib;
      numbers[1 + i] = g.simplex[i].w;
    }
    trace({.step = step, .ids = {ids, 2 * count}, .numbers = {&numbers[0].x, 2 + 2 * count}, .value = value});
  }
}

}  // namespace

Vec2d Gjk2::point_a() const {
  Vec2d p{};
  for (int i = 0; i < count; ++i) p += simplex[i].a * weight[i];
  return p;
}
Vec2d Gjk2::point_b(const Difference2& difference) const {
  Vec2d p{};
  for (int i = 0; i < count; ++i) p += simplex[i].turned_b * weight[i];
  return difference.point_b(p);
}

template <class Trace>
Gjk2 gjk2(const Difference2& difference, GjkGoal goal, double radii, const GjkCache2* warm, Trace trace) {
  Gjk2 g;
  g.lower = -std::numeric_limits<double>::infinity();
  double vv = 0;
  // Returned by name, so that it is made in its place: copies of it would cost as much as a step
  const auto finish = [&](GjkOutcome outcome) {
    g.outcome = outcome;
    g.distance = std::sqrt(vv);
    report(trace,
           outcome == GjkOutcome::apart ? "apart"
           : outcome == GjkOutcome::hit ? "hit"
                                        : "unclear",
           g, g.distance);
  };
  // The distance of cores at which the grown sets touch, rounding included
  const auto grown = [&](double squared) {
    return radii > 0 ? radii + 4 * kRoundoff * (radii + std::sqrt(squared)) : 0;
  };

  // The plane of the last time separates most often still: nothing else is needed then
  if (goal == GjkGoal::decide && radii == 0 && warm != nullptr && warm->count <= 2 && !(warm->axis == Vec2d{})) {
    g.v = max_abs(warm->axis) < kLeastDirection ? normalized(warm->axis) : warm->axis;
    g.simplex[0] = difference.least(g.v);
    ++g.iterations;
    const double vw = dot(g.v, g.simplex[0].w), slack = difference.plane_slack(g.v);
    if (vw > slack) {
      g.lower = (vw - slack) / length(g.v);
      g.axis = g.v;
      g.count = 1;
      g.weight[0] = 1;
      vv = dot(g.simplex[0].w, g.simplex[0].w);
      finish(GjkOutcome::apart);
      return g;
    }
  }

  // Start from the simplex of the last time, or its direction, or the centres
  if (warm != nullptr && warm->count > 0 && difference.polygons && fits(*warm, difference)) {
    const int count = static_cast<int>(warm->count);
    for (int i = 0; i < count; ++i) g.simplex[i] = difference.of_vertices(warm->a[i], warm->b[i]);
    const SimplexPoint2 r = closest(difference, g.simplex, count);
    keep(g, r, count);
    vv = r.vv;
    if (r.inside) {
      finish(GjkOutcome::hit);
      return g;
    }
  } else {
    g.v = warm != nullptr && !(warm->axis == Vec2d{}) ? warm->axis : difference.center();
    if (!(max_abs(g.v) > 0)) g.v = {1, 0};
    if (max_abs(g.v) < kLeastDirection) g.v = normalized(g.v);
  }
  report(trace, "start", g, 0);

  // Below this length v is rounding
  const double noise = kNoiseErrors * difference.point_error;
  const double sure_hit = radii * (1 - 4 * kRoundoff);
  for (;;) {
    if (g.count > 0 && !(vv > noise * noise)) break;
    if (g.iterations == kMaxGjkIterations) {
      g.exhausted = true;
      break;
    }
    g.simplex[g.count] = difference.least(g.v);
    ++g.iterations;
    const DifferencePoint2& p = g.simplex[g.count];
    const double vw = dot(g.v, p.w), slack = difference.plane_slack(g.v);

    const auto tell_support = [&] {
      if constexpr (Trace::kEnabled) {
        const std::uint32_t ids[] = {p.ia, p.ib};
        trace({.step = "support", .ids = ids, .numbers = {&p.w.x, 2}, .value = g.lower});
      }
    };

    // The line across v through w bounds the distance from below
    if (vw > slack) {
      const double bound = (vw - slack) / length(g.v);
      if (bound > g.lower) {
        g.lower = bound;
        g.axis = g.v;
      }
      if (goal == GjkGoal::decide && g.lower > grown(vv)) {
        tell_support();
        finish(GjkOutcome::apart);
        return g;
      }
    }
    tell_support();

    // Nothing nearer in sight: the gap is closed, or the vertex is known already
    if (g.count > 0) {
      const double gap = difference.polygons ? 2 * kRoundoff * vv : difference.point_error * std::sqrt(vv);
      if (vv - vw <= gap) break;
      bool known = false;
      for (int i = 0; difference.polygons && i < g.count; ++i) known = known || p.same_vertices(g.simplex[i]);
      if (known) break;
    }
    const int count = g.count + 1;
    const SimplexPoint2 r = closest(difference, g.simplex, count);
    if (r.inside) {
      keep(g, r, count);
      vv = 0;
      finish(GjkOutcome::hit);
      return g;
    }
    if (g.count > 0 && !(r.vv < vv)) break;
    keep(g, r, count);
    vv = r.vv;
    report(trace, "closest", g, std::sqrt(vv));
    if (goal == GjkGoal::decide && radii > 0 && std::sqrt(vv) + noise < sure_hit && spot(g) + noise < sure_hit) {
      finish(GjkOutcome::hit);
      return g;
    }
  }
  const double limit = goal == GjkGoal::decide ? grown(vv) : 0;
  finish(g.lower > limit ? GjkOutcome::apart : GjkOutcome::unclear);
  return g;
}

template Gjk2 gjk2<NoTrace>(const Difference2&, GjkGoal, double, const GjkCache2*, NoTrace);
template Gjk2 gjk2<TraceTo>(const Difference2&, GjkGoal, double, const GjkCache2*, TraceTo);

void store(const Gjk2& result, const Difference2& difference, GjkCache2& cache) {
  cache.axis = result.v;
  cache.count = difference.polygons ? static_cast<std::uint32_t>(result.count) : 0;
  for (std::uint32_t i = 0; i < cache.count; ++i) {
    cache.a[i] = result.simplex[i].ia;
    cache.b[i] = result.simplex[i].ib;
  }
}

// Line by line as the seed has it: newest corner first, the direction turned towards the origin by cross products
template <class Trace>
bool gjk_plain2(const Difference2& difference, Trace trace) {
  const auto toward = [](const Vec2d& e, const Vec2d& ao) { return perp(e) * cross(e, ao); };
  Vec2d p[3];
  int count = 0;
  const Vec2d first = difference.center();
  p[count++] = difference.least(max_abs(first) > 0 ? first : Vec2d{1, 0}).w;
  Vec2d d = -p[0];
  const auto say = [&](std::string_view step) {
    if constexpr (Trace::kEnabled) {
      const Vec2d numbers[] = {d, p[0], p[1], p[2]};
      trace({.step = step, .numbers = {&numbers[0].x, static_cast<std::size_t>(2 + 2 * count)}});
    }
    return step == "hit";
  };
  say("point");
  for (int iteration = 0; iteration < kMaxGjkIterations; ++iteration) {
    if (d == Vec2d{}) return say("hit");  // the origin lies on the simplex
    const DifferencePoint2 found = difference.least(-d);
    if constexpr (Trace::kEnabled) {
      const std::uint32_t ids[] = {found.ia, found.ib};
      trace({.step = "support", .ids = ids, .numbers = {&found.w.x, 2}, .value = dot(found.w, d)});
    }
    if (dot(found.w, d) < 0) return say("apart");
    if (count == 1) {
      const Vec2d a = found.w, b = p[0];
      p[0] = a;
      p[1] = b;
      count = dot(b - a, -a) > 0 ? 2 : 1;
      d = count == 2 ? toward(b - a, -a) : -a;
    } else {
      const Vec2d a = found.w, b = p[0], c = p[1];
      const double turn = cross(b - a, c - a);
      const bool beyond_ab = cross(b - a, -a) * turn < 0, beyond_ac = cross(-a, c - a) * turn < 0;
      if (!beyond_ab && !beyond_ac) {
        p[2] = a;
        count = 3;
        return say("hit");
      }
      const Vec2d other = beyond_ab && (!beyond_ac || dot(b - a, -a) > 0) ? b : c;
      p[0] = a;
      p[1] = other;
      count = dot(other - a, -a) > 0 ? 2 : 1;
      d = count == 2 ? toward(other - a, -a) : -a;
    }
    say(count == 2 ? "line" : "point");
  }
  return true;
}

template bool gjk_plain2<NoTrace>(const Difference2&, NoTrace);
template bool gjk_plain2<TraceTo>(const Difference2&, TraceTo);

}  // namespace sudar
