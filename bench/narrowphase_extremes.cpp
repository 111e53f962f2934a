// What:    The farthest vertex of a convex body in a direction (seed A4): from how many vertices on do bisection over a
//          polygon and the walk over a hull's neighbours beat looking at all vertices, in SIMD and plain?
// Differs: The thesis compares with a plain loop and quotes 32 to 64 vertices; against the SIMD scan that ships, the
//          turning point lies elsewhere: the table a4_extremes says where. Directions are independent of each other, or
//          drift by about a degree, which lets a walk start where the last one ended.
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/convex_body3.hpp>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using sudar::ConvexBody2;
using sudar::ConvexBody3;
using sudar::Vec2d;
using sudar::Vec3d;

// So many that the processor cannot learn the branches of all searches by heart
constexpr std::size_t kQueries = 16384;

Vec3d unit3(sudar::Random& random) {
  for (;;) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    const Vec3d p{x, y, random.uniform(-1, 1)};
    if (const double l = length(p); l > 0.1 && l <= 1) return p / l;
  }
}
Vec2d unit2(sudar::Random& random) {
  const sudar::SinCos sc = sudar::sin_cos(random.uniform(-sudar::kPi, sudar::kPi));
  return {sc.cos, sc.sin};
}
std::vector<Vec3d> directions3(sudar::Random& random, bool drift) {
  std::vector<Vec3d> d{unit3(random)};
  while (d.size() < kQueries) d.push_back(drift ? normalized(d.back() + unit3(random) * 0.02) : unit3(random));
  return d;
}
std::vector<Vec2d> directions2(sudar::Random& random, bool drift) {
  std::vector<Vec2d> d{unit2(random)};
  while (d.size() < kQueries) d.push_back(drift ? normalized(d.back() + unit2(random) * 0.02) : unit2(random));
  return d;
}

// Every contestant sums the products of what it finds: equal but for rounding. The next direction depends on the vertex
// found, as in a query, so that searches cannot overlap.
template <class Body, class V, class Find>
double sum_of(const Body& body, const std::vector<V>& directions, Find&& find) {
  double sum = 0, chain = 0;
  std::uint32_t last = 0;
  for (const V& direction : directions) {
    V d = direction;
    d.x += chain;
    last = find(d, last);
    const double value = dot(body.vertices()[last], d);
    chain = value * 0;
    sum += value;
  }
  return sum;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

struct Extremes {
  Session& session;
  Table table{"a4_extremes", {"dim", "vertices", "directions", "method", "ns_min", "ns_median", "ratio_to_scan"}, {}};
  // For a line of the report: the smallest body on which a method beat the scan there and on every larger one
  std::map<std::string, int> from{};
  // The same against the plain scan, which is what the seed compares with
  std::map<std::string, int> from_plain{};

  // The scan is the first contestant
  void race(int dim, int vertices, bool drift, const std::vector<Contestant>& contestants) {
    const std::string directions = drift ? "drifting" : "independent";
    const std::string workload =
        std::to_string(dim) + "D, " + std::to_string(vertices) + " vertices, " + directions + " directions";
    const auto rows = session.race("extremes", workload, 9, 1e-9, contestants);
    for (const Measurement& m : rows) {
      const auto ns = [](double ms) { return ms * 1e6 / static_cast<double>(kQueries); };
      table.rows.push_back({std::to_string(dim), std::to_string(vertices), directions, m.contestant,
                            number(ns(m.min_ms)), number(ns(m.median_ms)), number(m.min_ms / rows.front().min_ms)});
      if (&m == &rows.front()) continue;
      const std::string key = std::to_string(dim) + "D, " + directions + " directions: " + m.contestant;
      if (m.min_ms < rows.front().min_ms)
        from.try_emplace(key, vertices);
      else
        from.erase(key);
      if (m.min_ms < rows[1].min_ms)
        from_plain.try_emplace(key, vertices);
      else
        from_plain.erase(key);
    }
  }

  void finish() {
    for (const auto& [key, vertices] : from)
      session.note("a4_extremes: " + key + " beats the SIMD scan from " + std::to_string(vertices) + " vertices on");
    session.add_table(std::move(table));
    session.add_chart({"a4_extremes",
                       "Nanoseconds for the farthest vertex in a direction",
                       "a4_extremes",
                       "lines",
                       "vertices",
                       "ns_min",
                       "method",
                       true,
                       true,
                       {"dim", "directions"},
                       {}});
    const std::string bisection = "2D, independent directions: bisection";
    const auto plain = from_plain.find(bisection), simd = from.find(bisection);
    const bool there = plain != from_plain.end();
    session.add_finding(
        {"A4", "Bisection over a convex polygon starts to pay at 32 to 64 vertices.",
         there && plain->second >= 16 && plain->second <= 128 ? Verdict::confirmed : Verdict::refuted,
         (there ? "it beats a plain loop from " + std::to_string(plain->second) + " vertices on"
                : std::string("it beats a plain loop at no size that was measured")) +
             (simd != from.end() ? ", and the SIMD scan that ships from " + std::to_string(simd->second) +
                                       " on (of the sizes that were measured)."
                                 : ", and the SIMD scan that ships at none."),
         "a4_extremes"});
    const std::string walk = "3D, drifting directions: walk from the last",
                      cold = "3D, independent directions: walk from vertex 0";
    const auto warm_from = from.find(walk), cold_from = from.find(cold);
    session.add_finding(
        {"A4", "On polyhedra a walk over neighbours, from the last extreme vertex, is the counterpart.",
         warm_from != from.end() ? Verdict::confirmed : Verdict::refuted,
         (warm_from != from.end() ? "with directions that drift it beats the SIMD scan from " +
                                        std::to_string(warm_from->second) + " vertices on; "
                                  : std::string("it beats the SIMD scan at no size; ")) +
             (cold_from != from.end() ? "from a cold start only from " + std::to_string(cold_from->second) + " on."
                                      : std::string("from a cold start at no size.")),
         "a4_extremes"});
  }
};

}  // namespace

void bench_extremes(Session& session) {
  sudar::Random random(session.options().seed);
  Extremes extremes{session};
  const std::vector<int> sizes = session.options().quick ? std::vector<int>{16, 32, 64, 128, 1024}
                                                         : std::vector<int>{8, 16, 32, 64, 128, 256, 512, 1024, 4096};
  for (const int n : sizes) {
    std::vector<Vec2d> circle;
    for (int i = 0; i < n; ++i) {
      const sudar::SinCos sc = sudar::sin_cos(2 * sudar::kPi * i / n);
      circle.push_back({sc.cos, sc.sin});
    }
    const auto body = *ConvexBody2::make(circle);
    for (const bool drift : {false, true}) {
      const std::vector<Vec2d> d = directions2(random, drift);
      const auto all = [&](auto find) { return [&, find] { return sum_of(*body, d, find); }; };
      using I = std::uint32_t;
      extremes.race(2, n, drift,
                    {{"scan", "", all([&](const Vec2d& x, I) { return body->support(x); })},
                     {"plain scan", "", all([&](const Vec2d& x, I) { return body->support_plain(x); })},
                     {"bisection", "", all([&](const Vec2d& x, I) { return body->support_bisect(x); })},
                     {"walk from the last", "", all([&](const Vec2d& x, I v) { return body->support_climb(x, v); })}});
    }
  }
  for (const int n : sizes) {
    std::vector<Vec3d> ball;
    for (int i = 0; i < n; ++i) ball.push_back(unit3(random));
    const auto body = *ConvexBody3::make(ball);
    for (const bool drift : {false, true}) {
      const std::vector<Vec3d> d = directions3(random, drift);
      const auto all = [&](auto find) { return [&, find] { return sum_of(*body, d, find); }; };
      using I = std::uint32_t;
      const auto scan_f = [&](const Vec3d& x, I) {
        return sudar::farthest_vertex(body->xs_f(), body->ys_f(), body->zs_f(), body->padded_count(),
                                      sudar::vec_cast<float>(x));
      };
      std::vector<Contestant> contestants = {
          {"scan", "", all([&](const Vec3d& x, I) { return body->support(x); })},
          {"plain scan", "", all([&](const Vec3d& x, I) { return body->support_plain(x); })},
          {"walk from vertex 0", "", all([&](const Vec3d& x, I) { return body->support_climb(x, 0); })},
          {"walk from the last", "", all([&](const Vec3d& x, I v) { return body->support_climb(x, v); })}};
      extremes.race(3, n, drift, contestants);
      // Single precision finds a vertex that is farthest up to its rounding
      session.race("extremes in float",
                   std::to_string(n) + " vertices, " + (drift ? "drifting" : "independent") + " directions", 9, 1e-5,
                   {contestants.front(), {"float scan", "", all(scan_f)}});
    }
  }
  extremes.finish();
}

}  // namespace sudar_bench
