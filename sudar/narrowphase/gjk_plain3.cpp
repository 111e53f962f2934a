// What:    gjk_plain3 of gjk3.hpp: the vector form of the seed, yes or no, for reading and for checking the other one.
#include <sudar/narrowphase/gjk3.hpp>

#include <array>

namespace sudar {

namespace {

// The corners of the seed's simplex, the newest first, and the direction in which the origin lies
struct PlainSimplex {
  std::array<Vec3d, 4> p{};
  int count = 0;
  Vec3d d;

  void set(std::initializer_list<Vec3d> corners, const Vec3d& direction) {
    count = 0;
    for (const Vec3d& c : corners) p[count++] = c;
    d = direction;
  }
  void push(const Vec3d& w) {
    for (int i = count; i > 0; --i) p[i] = p[i - 1];
    p[0] = w;
    ++count;
  }
};

// Across an edge, in the plane of the edge and the origin
Vec3d toward_origin(const Vec3d& edge, const Vec3d& ao) { return cross(cross(edge, ao), edge); }

// The newest corner A was found in the direction of the origin, so the origin is not beyond the others
void line(PlainSimplex& s) {
  const Vec3d a = s.p[0], b = s.p[1], ab = b - a;
  if (dot(ab, -a) > 0)
    s.set({a, b}, toward_origin(ab, -a));
  else
    s.set({a}, -a);
}
void triangle(PlainSimplex& s) {
  const Vec3d a = s.p[0], b = s.p[1], c = s.p[2], ab = b - a, ac = c - a, n = cross(ab, ac);
  const auto beyond = [&](const Vec3d& edge, const Vec3d& other) {
    if (dot(edge, -a) > 0)
      s.set({a, other}, toward_origin(edge, -a));
    else
      s.set({a}, -a);
  };
  if (dot(cross(n, ac), -a) > 0)
    dot(ac, -a) > 0 ? beyond(ac, c) : beyond(ab, b);
  else if (dot(cross(ab, n), -a) > 0)
    beyond(ab, b);
  else if (dot(n, -a) > 0)
    s.set({a, b, c}, n);
  else
    s.set({a, c, b}, -n);
}
bool tetrahedron(PlainSimplex& s) {
  const Vec3d a = s.p[0], b = s.p[1], c = s.p[2], d = s.p[3];
  const auto outside = [&](const Vec3d& x, const Vec3d& y) { return dot(cross(x - a, y - a), -a) > 0; };
  const Vec3d faces[3][2] = {{b, c}, {c, d}, {d, b}};
  for (const auto& f : faces)
    if (outside(f[0], f[1])) {
      s.set({a, f[0], f[1]}, {});
      triangle(s);
      return false;
    }
  return true;
}

}  // namespace

template <class Trace>
bool gjk_plain3(const Difference3& difference, Trace trace) {
  PlainSimplex s;
  const Vec3d first = difference.center();
  s.push(difference.least(max_abs(first) > 0 ? first : Vec3d{1, 0, 0}).w);
  s.d = -s.p[0];
  const auto say = [&](std::string_view step) {
    if constexpr (Trace::kEnabled) {
      const Vec3d numbers[] = {s.d, s.p[0], s.p[1], s.p[2], s.p[3]};
      trace({.step = step, .numbers = {&numbers[0].x, static_cast<std::size_t>(3 + 3 * s.count)}});
    }
    return step == "hit";
  };
  say("point");
  for (int iteration = 0; iteration < kMaxGjkIterations; ++iteration) {
    if (s.d == Vec3d{}) return say("hit");  // the origin lies on the simplex
    const DifferencePoint3 p = difference.least(-s.d);
    if constexpr (Trace::kEnabled) {
      const std::uint32_t ids[] = {p.ia, p.ib};
      trace({.step = "support", .ids = ids, .numbers = {&p.w.x, 3}, .value = dot(p.w, s.d)});
    }
    if (dot(p.w, s.d) < 0) return say("apart");
    s.push(p.w);
    static constexpr std::string_view kNames[] = {"", "", "line", "triangle", "tetrahedron"};
    const std::string_view name = kNames[s.count];
    if (s.count == 2)
      line(s);
    else if (s.count == 3)
      triangle(s);
    else if (tetrahedron(s))
      return say("hit");
    say(name);
  }
  return true;
}

template bool gjk_plain3<NoTrace>(const Difference3&, NoTrace);
template bool gjk_plain3<TraceTo>(const Difference3&, TraceTo);

}  // namespace sudar
