// What:    Hard balls event by event: collisions a second with ten thousand of them, in the plane and in space, of one size
//          and of many, against the plain version and against steps; the energy of an elastic gas by events and by steps.
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/dynamics/event_balls_plain.hpp>
#include <sudar/dynamics/stepped_balls.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

namespace sudar_bench {

namespace {

using namespace sudar;

constexpr double kEndless = std::numeric_limits<double>::infinity();

// On a lattice; radii from `least` to 0.5 with a share of the box filled as if all were 0.5
template <int D>
std::vector<Ball<D>> gas_of(std::uint64_t seed, std::size_t count, double fill, double least, Aabb<D, double>& box) {
  Random random(seed);
  const double width = std::pow(static_cast<double>(count) * (D == 2 ? kPi / 4 : kPi / 6) / fill, 1.0 / D);
  const double side = std::ceil(std::pow(static_cast<double>(count), 1.0 / D) - 0.001);
  std::vector<Ball<D>> balls(count);
  for (std::size_t i = 0; i < count; ++i) {
    double rest = static_cast<double>(i);
    for (int a = 0; a < D; ++a) {
      balls[i].position[a] = (std::fmod(rest, side) + 0.5) * width / side;
      balls[i].velocity[a] = random.uniform(-1, 1);
      rest = std::floor(rest / side);
    }
    balls[i].radius = least + (0.5 - least) * random.uniform() * random.uniform();
    if (least == 0.5) balls[i].radius = 0.5;
    balls[i].mass = balls[i].radius * balls[i].radius * 4;
  }
  for (int a = 0; a < D; ++a) box.hi[a] = width;
  return balls;
}

std::string short_number(double x) {
  char out[32];
  std::snprintf(out, sizeof out, "%.4g", x);
  return out;
}

template <int D>
double event_rate(Session& session, const std::string& what, std::size_t count, double fill, double least,
                  Table& table) {
  EventBallsOptions<D> options;
  const auto balls = gas_of<D>(session.options().seed, count, fill, least, options.box);
  auto gas = EventBalls<D>::make(balls, options);
  if (!gas) return 0;
  const double energy = gas->energy();
  // Off the lattice first; then the best of many short runs, because other work on the machine only slows
  (void)gas->run(kEndless, 4 * count);
  double best = 0;
  const EventCounts start = gas->counts();
  for (int round = 0; round < (session.options().quick ? 10 : 60); ++round) {
    const std::uint64_t before = gas->counts().collisions;
    const auto began = std::chrono::steady_clock::now();
    (void)gas->run(kEndless, count);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    best = std::max(best, static_cast<double>(gas->counts().collisions - before) / seconds);
  }
  const EventCounts& end = gas->counts();
  const double collisions = static_cast<double>(end.collisions - start.collisions);
  table.rows.push_back({what, std::to_string(D), std::to_string(count), short_number(fill), short_number(best),
                        short_number(static_cast<double>(end.crossings - start.crossings) / collisions),
                        short_number(static_cast<double>(end.stale - start.stale) / collisions),
                        short_number(std::fabs(gas->energy() - energy) / energy),
                        short_number(static_cast<double>(gas->bytes()) / static_cast<double>(count))});
  return best;
}

// The plain version needs a look at all pairs for each event
template <int D>
void plain_rate(Session& session, std::size_t count, Table& table) {
  EventBallsOptions<D> options;
  auto balls = gas_of<D>(session.options().seed, count, 0.2, 0.5, options.box);
  const auto began = std::chrono::steady_clock::now();
  (void)run_events_plain<D>(balls, options, kEndless, 300);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  table.rows.push_back({"all pairs at each event", std::to_string(D), std::to_string(count), "0.2",
                        short_number(300 / seconds), "0", "0", "", ""});
}

constexpr double kMostEventDrift = 1e-9, kMostStepDrift = 0.01;

void gas_energy(Session& session) {
  Table table{"c7_gas_energy", {"method", "balls", "steps", "collisions", "energy_drift", "ms_a_step"}, {}};
  const int steps = session.options().quick ? 1000 : 10000;
  const double dt = 1.0 / 100;
  EventBallsOptions<3> exact;
  const auto balls = gas_of<3>(session.options().seed, 1000, 0.2, 0.5, exact.box);
  constexpr const char* kByEvents = "energy drift of 1000 elastic balls by events";
  constexpr std::pair<const char*, BallResponse> kBySteps[] = {
      {"steps, impulses", BallResponse::impulse}, {"steps, minimum translation", BallResponse::translation}};
  const auto bar_of = [](const char* name) { return std::string("energy drift of 1000 elastic balls by ") + name; };
  session.expect_bar(kByEvents, kMostEventDrift);
  for (const auto& [name, response] : kBySteps) session.expect_bar(bar_of(name), kMostStepDrift);
  auto events = EventBalls<3>::make(balls, exact);
  if (!events) return;
  const double energy = events->energy();
  const auto row = [&](const std::string& method, std::uint64_t collisions, double after, double seconds) {
    const double drift = std::fabs(after - energy) / energy;
    table.rows.push_back({method, "1000", std::to_string(steps), std::to_string(collisions), short_number(drift),
                          short_number(1000 * seconds / steps)});
    return drift;
  };
  session.progress("gas by events");
  auto began = std::chrono::steady_clock::now();
  const auto since = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
  for (int i = 1; i <= steps; ++i) (void)events->run(i * dt);
  session.bar_at_most(kByEvents, kMostEventDrift,
                      row("events", events->counts().collisions, events->energy(), since()));
  for (const auto& [name, response] : kBySteps) {
    session.progress(name);
    SteppedBallsOptions<3> options;
    options.box = exact.box;
    options.response = response;
    auto gas = SteppedBalls<3>::make(balls, options);
    if (!gas) continue;
    began = std::chrono::steady_clock::now();
    for (int i = 0; i < steps; ++i) (void)gas->step(dt);
    session.bar_at_most(bar_of(name), kMostStepDrift, row(name, gas->collisions(), gas->energy(), since()));
  }
  session.add_table(std::move(table));
}

}  // namespace

void bench_balls(Session& session) {
  Table table{"c7_event_balls",
              {"workload", "dim", "balls", "fill", "collisions_a_second", "crossings_a_collision", "stale_a_collision",
               "energy_drift", "bytes_a_ball"},
              {}};
  session.progress("balls event by event");
  const double flat = event_rate<2>(session, "equal", 10000, 0.4, 0.5, table);
  const double space = event_rate<3>(session, "equal", 10000, 0.2, 0.5, table);
  event_rate<3>(session, "dense", 10000, 0.4, 0.5, table);
  event_rate<3>(session, "thin", 10000, 0.02, 0.5, table);
  event_rate<2>(session, "radii 1:50", 10000, 0.4, 0.01, table);
  event_rate<3>(session, "radii 1:50", 10000, 0.2, 0.01, table);
  event_rate<3>(session, "equal", 100000, 0.2, 0.5, table);
  plain_rate<3>(session, 1000, table);
  session.add_table(std::move(table));
  session.bar_at_least("collisions a second, 10 000 balls in the plane", 200000, flat);
  session.bar_at_least("collisions a second, 10 000 balls in space", 200000, space);
  gas_energy(session);
}

}  // namespace sudar_bench
