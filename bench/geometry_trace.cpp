// What:    Shows that a trace argument that is not used costs nothing: the same loop with no hook, with NoTrace and
//          with a recording sink.
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/core/trace.hpp>
#include <sudar/math/vec.hpp>

#include <vector>

namespace sudar_bench {

namespace {

using sudar::Vec3d;

// Aligned alike and not inlined, so that the place of the loop in memory is not what is measured
#define SUDAR_TIMED_ALIKE __attribute__((noinline, aligned(64)))

template <class Trace>
SUDAR_TIMED_ALIKE double farthest(const std::vector<Vec3d>& points, const Vec3d& direction, Trace trace) {
  double best = -1e300;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const double d = dot(points[i], direction);
    if (d <= best) continue;
    best = d;
    if constexpr (Trace::kEnabled) trace({.step = "farther", .ids = {&i, 1}, .value = d});
  }
  return best;
}

// The same without the line that reports
SUDAR_TIMED_ALIKE double farthest_without_hook(const std::vector<Vec3d>& points, const Vec3d& direction) {
  double best = -1e300;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const double d = dot(points[i], direction);
    if (d <= best) continue;
    best = d;
  }
  return best;
}

}  // namespace

void bench_trace(Session& session) {
  sudar::Random random(session.options().seed);
  std::vector<Vec3d> points(1000);
  for (Vec3d& p : points) p = {random.uniform(), random.uniform(), random.uniform()};
  std::vector<Vec3d> directions(200);
  for (Vec3d& d : directions) d = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  const auto sum_over = [&](auto&& query) {
    double sum = 0;
    for (const Vec3d& d : directions) sum += query(d);
    return sum;
  };
  const auto rows = session.race(
      "trace", "support point of 1000 points, 200 directions", 60, 0,
      {{"NoTrace", "", [&] { return sum_over([&](const Vec3d& d) { return farthest(points, d, sudar::NoTrace{}); }); }},
       {"no hook", "", [&] { return sum_over([&](const Vec3d& d) { return farthest_without_hook(points, d); }); }},
       {"TraceLog", "", [&] {
          return sum_over([&](const Vec3d& d) {
            sudar::TraceLog log;
            return farthest(points, d, sudar::TraceTo{&log});
          });
        }}});
  session.bar_at_most("an unused trace costs nothing (time against no hook)", 1.1, rows[0].min_ms / rows[1].min_ms);
}

}  // namespace sudar_bench
