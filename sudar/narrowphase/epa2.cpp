#include <sudar/math/infinity.hpp>
#include <sudar/narrowphase/epa2.hpp>

#include <algorithm>
#include <vector>

namespace sudar {

namespace {

constexpr int kMaxVertices = 256;

// Where between two vertices a point is, before it is brought back to between them
double place_on(const DifferencePoint2& p, const DifferencePoint2& q, const Vec2d& point) {
  const Vec2d e = edge(p, q);
  const double whole = dot(e, e);
  return whole > 0 ? dot(e, point - p.w) / whole : 0;
}

// Left uninitialised: setting up the arrays would cost more than most queries
struct Ring {
  union Slot {
    DifferencePoint2 value;
    Slot() {}
  } vertex[kMaxVertices];
  union Normal {
    Vec2d value;
    Normal() {}
  } normal[kMaxVertices];
  double distance[kMaxVertices];  // of the edge from vertex i to next[i]; infinity for an edge without length
  int next[kMaxVertices], previous[kMaxVertices];
  int count = 0;

  int add(const DifferencePoint2& p) {
    vertex[count].value = p;
    return count++;
  }
  void connect(int i, int j) {
    next[i] = j;
    previous[j] = i;
    const Vec2d e = edge(vertex[i].value, vertex[j].value);
    const double l = length(e);
    normal[i].value = l > 0 ? Vec2d{e.y / l, -e.x / l} : Vec2d{};
    distance[i] = l > 0 ? dot(normal[i].value, vertex[j].value.w) : kInfinity;
  }
  bool sees(const Vec2d& p, int i, double slack) const {
    return !(distance[i] < kInfinity) || dot(normal[i].value, p) > distance[i] - slack;
  }
  // Replace the edges that the new point sees, those in line with it included, by two edges to it
  void expand(int from, const DifferencePoint2& p, double slack) {
    int first = from, last = next[from];
    distance[first] = kInfinity;
    while (previous[first] != last && sees(p.w, previous[first], slack)) {
      first = previous[first];
      distance[first] = kInfinity;
    }
    while (next[last] != first && sees(p.w, last, slack)) {
      distance[last] = kInfinity;
      last = next[last];
    }
    const int added = add(p);
    connect(first, added);
    connect(added, last);
  }
  bool has(const DifferencePoint2& p) const {
    for (int i = 0; i < count; ++i)
      if (vertex[i].value.same_vertices(p)) return true;
    return false;
  }
  int nearest() const {
    int best = 0;
    for (int i = 1; i < count; ++i)
      if (distance[i] < distance[best]) best = i;
    return best;
  }
  bool holds(int i, const Vec2d& point) const {
    const double t = place_on(vertex[i].value, vertex[next[i]].value, point);
    return t >= 0 && t <= 1;
  }
  int nearest_to(const Vec2d& point, int from) const {
    int best = from, i = from;
    double least = kInfinity;
    do {
      const DifferencePoint2 &p = vertex[i].value, &q = vertex[next[i]].value;
      const double t = std::clamp(place_on(p, q, point), 0.0, 1.0);
      if (const double d = max_abs(p.w + edge(p, q) * t - point); d < least) least = d, best = i;
      i = next[i];
    } while (i != from);
    return best;
  }
};

template <class Trace>
void report_ring(Trace& trace, const Ring& ring, int from) {
  if constexpr (Trace::kEnabled) {
    std::vector<std::uint32_t> ids;
    std::vector<double> numbers;
    int i = from;
    do {
      const DifferencePoint2& p = ring.vertex[i].value;
      ids.insert(ids.end(), {p.ia, p.ib});
      numbers.insert(numbers.end(), {p.w.x, p.w.y});
      i = ring.next[i];
    } while (i != from);
    const std::size_t corners = ids.size() / 2;
    trace({.step = "polygon", .ids = ids, .numbers = numbers, .value = static_cast<double>(corners)});
  }
}

// The place of a point between two vertices
void set_points(Epa2& out, const Difference2& difference, const DifferencePoint2& p, const DifferencePoint2& q,
                const Vec2d& point = {}) {
  const Vec2d e = edge(p, q);
  const double t = std::clamp(place_on(p, q, point), 0.0, 1.0);
  out.point_a = p.a * (1 - t) + q.a * t;
  out.point_b = difference.point_b(p.turned_b * (1 - t) + q.turned_b * t);
  out.near = length(p.w + e * t);
}

}  // namespace

template <class Trace>
Epa2 epa2(const Difference2& difference, std::span<const DifferencePoint2> simplex, Trace trace) {
  Epa2 out;
  const double tiny = 2 * kNoiseErrors * difference.point_error;
  DifferencePoint2 p[3];
  int count = 0;
  for (const DifferencePoint2& s : simplex) p[count++] = s;
  const auto height = [&](const DifferencePoint2& s) {
    const Vec2d e = edge(p[0], p[1]);
    const double l = length(e);
    return l > 0 ? cross(e, edge(p[0], s)) / l : 0;
  };
  // A flat triangle: the two corners farthest apart hold the origin as well
  if (count == 3 && !(std::fabs(height(p[2])) > tiny)) {
    const double sides[3] = {length(edge(p[0], p[1])), length(edge(p[1], p[2])), length(edge(p[2], p[0]))};
    const int longest = static_cast<int>(std::max_element(sides, sides + 3) - sides);
    if (longest != 0) std::swap(p[longest == 1 ? 0 : 1], p[2]);
    count = 2;
  }
  if (count == 2 && !(length(edge(p[0], p[1])) > tiny)) count = 1;
  if (count == 1) {
    double best = tiny;
    for (const Vec2d& d : {Vec2d{1, 0}, Vec2d{-1, 0}, Vec2d{0, 1}, Vec2d{0, -1}}) {
      const DifferencePoint2 q = difference.least(d);
      if (const double l = length(edge(p[0], q)); l > best) {
        best = l;
        p[1] = q;
        count = 2;
      }
    }
  }
  Vec2d across{1, 0};
  if (count >= 2) across = normalized(perp(edge(p[0], p[1])));
  if (count == 2) {
    double best = tiny;
    for (const Vec2d& d : {across, -across}) {
      const DifferencePoint2 q = difference.least(d);
      if (const double h = std::fabs(height(q)); h > best) {
        best = h;
        p[2] = q;
        count = 3;
      }
    }
  }
  if (count < 3) {
    // No inside: moving across costs nothing
    out.flat = true;
    const double front = dot(difference.least(-across).w, across), back = -dot(difference.least(across).w, across);
    out.normal = back < front ? -across : across;
    out.least = std::min(front, back);
    out.inner = -kInfinity;
    out.upper = std::max(0.0, out.least) + difference.plane_slack(out.normal);
    set_points(out, difference, p[0], p[count - 1]);
    return out;
  }

  Ring ring;
  if (height(p[2]) < 0) std::swap(p[1], p[2]);
  for (const DifferencePoint2& s : p) ring.add(s);
  for (int i = 0; i < 3; ++i) ring.connect(i, (i + 1) % 3);
  const double noise = kNoiseErrors * difference.point_error;
  const double tolerance =
      std::max(noise, difference.polygons ? 0.0 : kCurvedDepthGap * (difference.a.size + difference.b.size));
  double best = kInfinity;
  int chosen;
  for (;;) {
    chosen = ring.nearest();
    const double d = ring.distance[chosen];
    const Vec2d n = ring.normal[chosen].value;
    const DifferencePoint2 q = difference.least(-n);
    ++out.iterations;
    const double h = dot(n, q.w);
    if (h < best) {
      best = h;
      out.normal = n;
    }
    if constexpr (Trace::kEnabled) {
      const DifferencePoint2& from = ring.vertex[chosen].value;
      const DifferencePoint2& to = ring.vertex[ring.next[chosen]].value;
      const std::uint32_t ids[] = {from.ia, from.ib, to.ia, to.ib}, id[] = {q.ia, q.ib};
      report_ring(trace, ring, chosen);
      trace({.step = "nearest edge", .ids = ids, .numbers = {&n.x, 2}, .value = d});
      trace({.step = "expand", .ids = id, .numbers = {&q.w.x, 2}, .value = h});
    }
    // A vertex that is known already bounds no more: the edge is as good as rounding lets it be. While the origin is
    // outside, the sign is open, which is worth every digit.
    if (best - d <= (d < 0 ? noise : tolerance) || (difference.polygons && ring.has(q))) break;
    if (ring.count == kMaxVertices) {
      out.exhausted = true;
      break;
    }
    ring.expand(chosen, q, noise);
  }
  out.least = best;
  out.inner = ring.distance[chosen];
  out.depth = std::max(0.0, best);
  out.upper = out.depth + difference.plane_slack(out.normal);
  out.lower = std::max(0.0, ring.distance[chosen] - difference.plane_slack(out.normal));
  // The foot of the origin. Where this edge has not the normal, or does not hold it, another one is as near up to rounding.
  Vec2d foot{};
  if ((difference.polygons || out.inner >= 0) &&
      !(ring.normal[chosen].value == out.normal && ring.holds(chosen, foot))) {
    foot = out.normal * out.depth;
    chosen = ring.nearest_to(foot, chosen);
  }
  set_points(out, difference, ring.vertex[chosen].value, ring.vertex[ring.next[chosen]].value, foot);
  if constexpr (Trace::kEnabled) trace({.step = "done", .numbers = {&out.normal.x, 2}, .value = out.depth});
  return out;
}

template Epa2 epa2<NoTrace>(const Difference2&, std::span<const DifferencePoint2>, NoTrace);
template Epa2 epa2<TraceTo>(const Difference2&, std::span<const DifferencePoint2>, TraceTo);

}  // namespace sudar
