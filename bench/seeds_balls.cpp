// What:    Balls with gravity between walls (seeds C4 to C6): the time of a step with pairs from all against all, from the kd-tree of
//          the seed, and from other broad phases, against the number of balls.
// Differs: All see the same balls, since sorted pairs make every broad phase give the same motion.
#include "bench/lockstep.hpp"
#include "bench/suites.hpp"
#include <sudar/dynamics/stepped_balls.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace sudar_bench {

namespace {

constexpr double kBallsTooLong = 60;  // ms a step: left out from there on
constexpr double kFill = 0.05;        // share of the room that balls take
constexpr const char* kMethods[] = {"brute_force",  "kd_tree", "octree", "bvh_top_down",
                                    "dynamic_tree", "grid",    "columns"};

std::vector<sudar::Ball3> make_balls(std::size_t n, std::uint64_t seed, double width) {
  sudar::Random random(seed);
  const double side = std::ceil(std::cbrt(static_cast<double>(n)));
  std::vector<sudar::Ball3> balls(n);
  for (std::size_t i = 0; i < n; ++i) {
    double rest = static_cast<double>(i);
    for (int k = 0; k < 3; ++k) {
      balls[i].position[k] = (std::fmod(rest, side) + 0.5) * width / side;
      balls[i].velocity[k] = random.uniform(-2, 2);
      rest = std::floor(rest / side);
    }
    balls[i].radius = 0.5;
  }
  return balls;
}

}  // namespace

void bench_seed_balls(Session& session) {
  const bool quick = session.options().quick;
  const std::vector<std::size_t> sizes =
      quick ? std::vector<std::size_t>{50, 200, 500, 2000, 8000}
            : std::vector<std::size_t>{50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000};
  const int steps = quick ? 20 : 60;
  Table table{"c6_balls", {"balls", "method", "ms_median", "ms_min", "relative_dt", "collisions"}, {}};
  std::map<std::string, std::vector<CurvePoint>> curves;
  std::size_t disagreements = 0;
  for (const std::size_t n : sizes) {
    session.progress("c6: " + std::to_string(n) + " balls");
    const double width = std::cbrt(static_cast<double>(n) * (sudar::kPi / 6) / kFill);
    sudar::SteppedBallsOptions<3> options;
    for (int k = 0; k < 3; ++k) options.box.hi[k] = width;
    options.gravity = {0, 0, -9.81};
    const auto balls = make_balls(n, session.options().seed, width);
    struct Runner {
      std::string name;
      sudar::SteppedBalls<3> world;
      std::vector<double> ms;
    };
    std::vector<Runner> runners;
    for (const char* name : kMethods) {
      const auto& so_far = curves[name];
      if (!so_far.empty() && so_far.back().y * kFrameMs > kBallsTooLong) continue;
      options.broadphase = name;
      if (auto made = sudar::SteppedBalls<3>::make(balls, options)) runners.push_back({name, *std::move(made), {}});
    }
    sudar::Random random(session.options().seed);
    std::vector<std::size_t> order(runners.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (int step = 0; step < steps; ++step) {
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
      for (const std::size_t i : order) {
        const double begin = processor_ms();
        keep(runners[i].world.step(kFrameMs / 1000).ok());
        runners[i].ms.push_back(processor_ms() - begin);
      }
    }
    for (Runner& r : runners) {
      const Summary s = summarize({r.ms.begin() + 1, r.ms.end()});
      table.rows.push_back({std::to_string(n), r.name, number_text(s.median), number_text(s.min),
                            number_text(s.median / kFrameMs), std::to_string(r.world.collisions())});
      curves[r.name].push_back({static_cast<double>(n), s.median / kFrameMs});
      disagreements += r.world.collisions() != runners.front().world.collisions() ? 1 : 0;
    }
  }
  session.add_table(std::move(table));
  session.add_chart({"c6_balls",
                     "Relative dt of balls between walls",
                     "c6_balls",
                     "lines",
                     "balls",
                     "relative_dt",
                     "method",
                     true,
                     true,
                     {},
                     {{1, "60 steps/s"}, {2, "30 steps/s"}}});
  const auto &brute = curves["brute_force"], &kd = curves["kd_tree"];
  if (brute.size() < 2 || kd.size() < 2) return;
  double overtaken = 0;
  for (std::size_t i = std::min(brute.size(), kd.size()); i-- > 0 && kd[i].y < brute[i].y;) overtaken = kd[i].x;
  const double last = brute.back().x;
  double kd_there = 0;
  for (const CurvePoint& p : kd)
    if (p.x == last) kd_there = p.y;
  session.add_finding({"C6", "All against all takes n² tests and works for 50 balls; the kd-tree is faster for more.",
                       overtaken > 0 ? Verdict::confirmed : Verdict::refuted,
                       (overtaken > 0 ? "the kd-tree is faster from " + about(overtaken) + " balls on, "
                                      : "the kd-tree is never faster here, ") +
                           number_text(brute.back().y / kd_there) + " times with " + about(last) +
                           "; all against all grows with the power " +
                           number_text(growth_exponent(std::span(brute).subspan(brute.size() / 2))) + " at the end.",
                       "c6_balls"});
  const auto kd_late = crossing(kd, 1), brute_late = crossing(brute, 1);
  const auto text = [](const std::optional<double>& x, double most) {
    return x ? "at about " + about(*x) + " balls" : "not before " + about(most) + " balls";
  };
  session.add_finding({"C5", "With a kd-tree built in every frame, balls stop being real-time at about 500.",
                       kd_late && *kd_late < 1000 ? Verdict::confirmed : Verdict::refuted,
                       "with the kd-tree a step falls under 60 a second " + text(kd_late, kd.back().x) +
                           ", with all against all " + text(brute_late, brute.back().x) + ".",
                       "c6_balls"});
  session.bar_at_most("c6: numbers of balls for which a broad phase gave other collisions", 0,
                      static_cast<double>(disagreements));
}

}  // namespace sudar_bench
