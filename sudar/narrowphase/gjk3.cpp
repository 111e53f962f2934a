#include <sudar/narrowphase/gjk3.hpp>
#include <sudar/narrowphase/simplex3.hpp>

namespace sudar {

namespace {

double largest_coordinate(const DifferencePoint3* p, int count) {
  double m = 0;
  for (int i = 0; i < count; ++i) m = std::max(m, max_abs(p[i].w));
  return m;
}

SimplexPoint3 closest(const Difference3& difference, const DifferencePoint3* p, int count) {
  if (count == 1) {
    SimplexPoint3 r;
    r.v = p[0].w;
    r.vv = dot(r.v, r.v);
    r.weight[0] = 1;
    return r;
  }
  if (count == 2) return closest_on_edge(p, 0, 1);
  if (count == 3) return closest_on_triangle(p, 0, 1, 2);
  return closest_on_tetrahedron(p, difference.volume_error(largest_coordinate(p, 4)));
}

// Take over the closest point and drop the corners without weight
void keep(Gjk3& g, const SimplexPoint3& r, int count) {
  g.count = 0;
  for (int i = 0; i < count; ++i)
    if (r.weight[i] > 0) {
      g.simplex[g.count] = g.simplex[i];
      g.weight[g.count++] = r.weight[i];
    }
  g.v = r.v;
}

// How far the origin is from a point that is in the set whatever became of the weights: v, of a thin simplex, need not be
double spot(const Gjk3& g) {
  Vec3d p{};
  for (int i = 0; i < g.count; ++i) p += g.simplex[i].w * g.weight[i];
  return length(p);
}

// A cache of other shapes has vertices that these may not have
bool fits(const GjkCache3& cache, const Difference3& difference) {
  if (cache.count > 4) return false;
  for (std::uint32_t i = 0; i < cache.count; ++i)
    if (cache.a[i] >= difference.a.count || cache.b[i] >= difference.b.count) return false;
  return true;
}

template <class Trace>
void report(Trace& trace, std::string_view step, const Gjk3& g, double value) {
  if constexpr (Trace::kEnabled) {
    const auto corners = static_cast<std::size_t>(g.count);
    std::uint32_t ids[8];
    Vec3d numbers[5] = {g.v};
    for (std::size_t i = 0; i < corners; ++i) {
      ids[2 * i] = g.simplex[i].ia;
      ids[2 * i + 1] = g.simplex[i].ib;
      numbers[1 + i] = g.simplex[i].w;
    }
    trace({.step = step, .ids = {ids, 2 * corners}, .numbers = {&numbers[0].x, 3 + 3 * corners}, .value = value});
  }
}

}  // namespace

Vec3d Gjk3::point_a() const {
  Vec3d p{};
  for (int i = 0; i < count; ++i) p += simplex[i].a * weight[i];
  return p;
}
Vec3d Gjk3::point_b(const Difference3& difference) const {
  Vec3d p{};
  for (int i = 0; i < count; ++i) p += simplex[i].turned_b * weight[i];
  return difference.point_b(p);
}

template <class Trace>
Gjk3 gjk3(const Difference3& difference, GjkGoal goal, double radii, const GjkCache3* warm, Trace trace) {
  Gjk3 g;
  double vv = 0;
  // The best bound from below so far is lead / sqrt(lead_vv); roots are taken at the end
  double lead = 0, lead_vv = 1;
  // Returned by name, so that it is made in its place: copies of it would cost as much as a step
  const auto finish = [&](GjkOutcome outcome) {
    g.outcome = outcome;
    g.distance = std::sqrt(vv);
    g.lower = lead > 0 ? lead / std::sqrt(lead_vv) : -std::numeric_limits<double>::infinity();
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
  if (goal == GjkGoal::decide && radii == 0 && warm != nullptr && warm->count <= 3 && !(warm->axis == Vec3d{})) {
    g.v = max_abs(warm->axis) < kLeastDirection ? normalized(warm->axis) : warm->axis;
    g.simplex[0] = difference.least(g.v);
    ++g.iterations;
    const double vw = dot(g.v, g.simplex[0].w), slack = difference.plane_slack(g.v);
    if (vw > slack) {
      lead = vw - slack;
      lead_vv = dot(g.v, g.v);
      g.axis = g.v;
      g.count = 1;
      g.weight[0] = 1;
      vv = dot(g.simplex[0].w, g.simplex[0].w);
      finish(GjkOutcome::apart);
      return g;
    }
  }

  // Start from the simplex of the last time, or its direction, or the centres
  bool from_center = false;
  if (warm != nullptr && warm->count > 0 && difference.polytopes && fits(*warm, difference)) {
    const int count = static_cast<int>(warm->count);
    for (int i = 0; i < count; ++i) g.simplex[i] = difference.of_vertices(warm->a[i], warm->b[i]);
    const SimplexPoint3 r = closest(difference, g.simplex, count);
    keep(g, r, count);
    vv = r.vv;
    if (r.inside) {
      finish(GjkOutcome::hit);
      return g;
    }
  } else {
    g.v = warm != nullptr && !(warm->axis == Vec3d{}) ? warm->axis : difference.center();
    from_center = goal == GjkGoal::decide && radii == 0 && difference.polytopes && max_abs(g.v) > kLeastDirection &&
                  (warm == nullptr || warm->axis == Vec3d{});
    if (!(max_abs(g.v) > 0)) g.v = {1, 0, 0};
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
    const DifferencePoint3& p = g.simplex[g.count];
    const double vw = dot(g.v, p.w), slack = difference.plane_slack(g.v);

    const auto tell_support = [&] {
      if constexpr (Trace::kEnabled) {
        const std::uint32_t ids[] = {p.ia, p.ib};
        trace({.step = "support", .ids = ids, .numbers = {&p.w.x, 3}, .value = lead / std::sqrt(lead_vv)});
      }
    };

    // The plane across v through w bounds the distance from below
    if (vw > slack) {
      const double ahead = vw - slack, axis_vv = dot(g.v, g.v);
      if (ahead * ahead * lead_vv > lead * lead * axis_vv) {
        lead = ahead;
        lead_vv = axis_vv;
        g.axis = g.v;
      }
      if (goal == GjkGoal::decide && (radii == 0 || ahead > grown(vv) * std::sqrt(axis_vv))) {
        tell_support();
        finish(GjkOutcome::apart);
        return g;
      }
    }
    tell_support();

    // Not apart at first sight: two more corners at once
    if (from_center && g.iterations == 1) {
      const Spread3 more = spread(g.v, p.w);
      for (int i = 0; i < 2; ++i) g.simplex[1 + i] = difference.least(more.direction[i]);
      for (int i = 0; i < 2; ++i) {
        const Vec3d& d = more.direction[i];
        const DifferencePoint3& q = g.simplex[1 + i];
        ++g.iterations;
        const double ahead = dot(d, q.w) - difference.plane_slack(d), axis_vv = dot(d, d);
        if constexpr (Trace::kEnabled) {
          const std::uint32_t ids[] = {q.ia, q.ib};
          trace({.step = "support",
                 .ids = ids,
                 .numbers = {&q.w.x, 3},
                 .value = std::max(0.0, ahead / std::sqrt(axis_vv))});
        }
        if (!(ahead > 0)) continue;
        lead = ahead;
        lead_vv = axis_vv;
        g.axis = g.v = d;
        g.simplex[0] = q;
        g.weight[0] = 1;
        g.count = 1;
        vv = dot(q.w, q.w);
        finish(GjkOutcome::apart);
        return g;
      }
      if (surrounded_with_center(difference, g.simplex, g.v)) {
        g.count = 3;
        for (int i = 0; i < 3; ++i) g.weight[i] = 1.0 / 3;
        // For the next time a corner instead of the centre
        if (warm != nullptr) g.simplex[g.count++] = difference.least(-g.v);
        finish(GjkOutcome::hit);
        return g;
      }
      const SimplexPoint3 r = closest(difference, g.simplex, 3);
      keep(g, r, 3);
      vv = r.vv;
      report(trace, "closest", g, std::sqrt(vv));
      continue;
    }

    // Nothing nearer in sight: the gap is closed, or the vertex is known already
    if (g.count > 0) {
      const double gap = difference.polytopes ? 2 * kRoundoff * vv : difference.point_error * std::sqrt(vv);
      if (vv - vw <= gap) break;
      bool known = false;
      for (int i = 0; difference.polytopes && i < g.count; ++i) known = known || p.same_vertices(g.simplex[i]);
      if (known) break;
    }
    const int count = g.count + 1;
    const SimplexPoint3 r = closest(difference, g.simplex, count);
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
  finish(lead > limit * std::sqrt(lead_vv) ? GjkOutcome::apart : GjkOutcome::unclear);
  return g;
}

template Gjk3 gjk3<NoTrace>(const Difference3&, GjkGoal, double, const GjkCache3*, NoTrace);
template Gjk3 gjk3<TraceTo>(const Difference3&, GjkGoal, double, const GjkCache3*, TraceTo);

void store(const Gjk3& result, const Difference3& difference, GjkCache3& cache) {
  cache.axis = result.v;
  cache.count = difference.polytopes ? static_cast<std::uint32_t>(result.count) : 0;
  for (std::uint32_t i = 0; i < cache.count; ++i) {
    cache.a[i] = result.simplex[i].ia;
    cache.b[i] = result.simplex[i].ib;
  }
}

}  // namespace sudar
