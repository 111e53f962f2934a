// What:    The exact predicates against the naive expression and CGAL's: on points in a cube (every filter succeeds),
//          and on points next to a line, plane, circle or sphere (hardly any does). Every contestant must find the same
//          signs; the naive expression runs only where it does, and its wrong signs elsewhere are counted, as are ours, by
//          rational determinants where these are there.
#include "bench/peers/peers.hpp"
#include "bench/rational_oracle.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/math/sampling.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using sudar::Random;
using sudar::Vec2d;
using sudar::Vec3d;

int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// The expressions one would write first
struct Naive {
  static int orient(const Vec2d& a, const Vec2d& b, const Vec2d& c) { return sign(cross(a - c, b - c)); }
  static int orient(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    return sign(dot(cross(b - a, c - a), d - a));
  }
  static int in_ball(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d) {
    const Vec2d p = a - d, q = b - d, r = c - d;
    return sign(dot(p, p) * cross(q, r) + dot(q, q) * cross(r, p) + dot(r, r) * cross(p, q));
  }
  static int in_ball(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, const Vec3d& e) {
    const Vec3d p = a - e, q = b - e, r = c - e, s = d - e;
    const double pq = p.x * q.y - q.x * p.y, qr = q.x * r.y - r.x * q.y, rs = r.x * s.y - s.x * r.y;
    const double sp = s.x * p.y - p.x * s.y, pr = p.x * r.y - r.x * p.y, qs = q.x * s.y - s.x * q.y;
    return sign((dot(r, r) * (s.z * pq + p.z * qs + q.z * sp) - dot(s, s) * (p.z * qr - q.z * pr + r.z * pq)) +
                (dot(p, p) * (q.z * rs - r.z * qs + s.z * qr) - dot(q, q) * (r.z * sp + s.z * pr + p.z * rs)));
  }
};
struct Exact {
  static int orient(const Vec2d& a, const Vec2d& b, const Vec2d& c) { return sudar::orient2d(a, b, c); }
  static int orient(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    return sudar::orient3d(a, b, c, d);
  }
  static int in_ball(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d) {
    return sudar::incircle(a, b, c, d);
  }
  static int in_ball(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, const Vec3d& e) {
    return sudar::insphere(a, b, c, d, e);
  }
};

enum class Test { orient, in_ball };

// Points per call: a simplex, and one more for the ball
template <class V, Test kTest>
constexpr std::size_t kArity = V::kDim + (kTest == Test::orient ? 1 : 2);

template <class F, class V, Test kTest>
int call(const V* p) {
  if constexpr (kTest == Test::orient) {
    if constexpr (V::kDim == 2)
      return F::orient(p[0], p[1], p[2]);
    else
      return F::orient(p[0], p[1], p[2], p[3]);
  } else {
    if constexpr (V::kDim == 2)
      return F::in_ball(p[0], p[1], p[2], p[3]);
    else
      return F::in_ball(p[0], p[1], p[2], p[3], p[4]);
  }
}

// Points stay in the cache: the sum of all signs, `repeat` times over
template <class F, class V, Test kTest>
double sum_of_signs(const std::vector<V>& points, int repeat) {
  long sum = 0;
  for (int r = 0; r < repeat; ++r) {
    for (std::size_t i = 0; i < points.size(); i += kArity<V, kTest>) sum += call<F, V, kTest>(&points[i]);
    keep(sum);
  }
  return static_cast<double>(sum);
}

template <class V>
V in_cube(Random& random) {
  V lo, hi;
  for (int i = 0; i < V::kDim; ++i) lo[i] = -1, hi[i] = 1;
  return point_in_box(random, lo, hi);
}

// Rounded points of one line or plane, or of the unit circle or sphere
template <class V, Test kTest>
std::vector<V> degenerate(Random& random, std::size_t calls) {
  std::vector<V> points;
  for (std::size_t n = 0; n < calls; ++n) {
    const V origin = in_cube<V>(random), u = in_cube<V>(random), v = V::kDim == 3 ? in_cube<V>(random) : V{};
    for (std::size_t i = 0; i < kArity<V, kTest>; ++i) {
      if (kTest == Test::in_ball)
        points.push_back(sudar::unit_vector<V::kDim>(random));
      else
        points.push_back(origin + u * random.uniform(-1, 1) + v * random.uniform(-1, 1));
    }
  }
  return points;
}

template <class V, Test kTest>
void race_predicate(Session& session, const std::string& name, Table& wrong) {
  const std::string table = "predicates";
  const std::size_t calls = 2000;
  const int rounds = session.options().quick ? 11 : 31;
  Random random(session.options().seed);
  std::vector<V> clear(calls * kArity<V, kTest>);
  for (V& p : clear) p = in_cube<V>(random);
  const std::vector<V> near = degenerate<V, kTest>(random, calls);

  const auto with_peers = [&](std::vector<Contestant> contestants, [[maybe_unused]] const std::vector<V>& points,
                              [[maybe_unused]] int repeat) {
    if (session.options().peers) {
#if defined(SUDAR_PEER_CGAL_PREDICATES)
      contestants.push_back({"CGAL", cgal_predicates_version(), cgal_signs(points, kTest == Test::in_ball, repeat)});
#else
      session.missing_peer(table, "CGAL");
#endif
    }
    return contestants;
  };
  // Short enough to run between two interruptions of a busy machine
  const int many = 50, few = 1;
  const auto rows =
      session.race(table, name + ", points in a cube, 100 000 calls", rounds, 0,
                   with_peers({{name, "", [&] { return sum_of_signs<Exact, V, kTest>(clear, many); }},
                               {"naive expression", "", [&] { return sum_of_signs<Naive, V, kTest>(clear, many); }}},
                              clear, many));
  session.bar_at_most(name + " on points in a cube: times the naive expression", 2, rows[0].min_ms / rows[1].min_ms);
  session.race(table, name + ", nearly degenerate, 2 000 calls", rounds, 0,
               with_peers({{name, "", [&] { return sum_of_signs<Exact, V, kTest>(near, few); }}}, near, few));

  std::size_t naive = 0, ours = 0;
  const auto truth = [](std::span<const V> p) {
    if constexpr (kTest == Test::orient)
      return rational_orientation(p);
    else
      return rational_side_of_ball(p);
  };
  for (std::size_t i = 0; i < near.size(); i += kArity<V, kTest>) {
    const int said = call<Exact, V, kTest>(&near[i]);
    naive += call<Naive, V, kTest>(&near[i]) != said;
    if (has_rational_oracle()) ours += said != truth(std::span(near).subspan(i, kArity<V, kTest>));
  }
  wrong.rows.push_back(
      {name, std::to_string(calls), std::to_string(naive), has_rational_oracle() ? std::to_string(ours) : ""});
  session.expect_bar(name + ", nearly degenerate: signs other than those of rational arithmetic", 0);
  if (has_rational_oracle())
    session.bar_at_most(name + ", nearly degenerate: signs other than those of rational arithmetic", 0,
                        static_cast<double>(ours));
}

}  // namespace

void bench_predicates(Session& session) {
  Table wrong{"wrong signs on nearly degenerate points", {"predicate", "calls", "naive expression", "exact"}, {}};
  if (!has_rational_oracle()) session.missing_input("rational arithmetic (GMP and Boost) for signs of predicates");
  race_predicate<Vec2d, Test::orient>(session, "orient2d", wrong);
  race_predicate<Vec3d, Test::orient>(session, "orient3d", wrong);
  race_predicate<Vec2d, Test::in_ball>(session, "incircle", wrong);
  race_predicate<Vec3d, Test::in_ball>(session, "insphere", wrong);
  session.add_table(std::move(wrong));
}

}  // namespace sudar_bench
