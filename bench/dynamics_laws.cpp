// What:    What worlds must keep, as numbers: elastic collisions against closed forms, momentum of isolated systems, the order
//          of the integrators, what stands and comes to rest, shots at a thin plate, one hash for every way to compute it.
// Differs: The tests ask the same of fewer or of more cases (the million shots are a part of ./test --soak); here the
//          numbers are written down.
#include "bench/statistics.hpp"
#include "bench/suites.hpp"
#include "scenes/physics.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/hash.hpp>
#include <sudar/core/instruction_sets.hpp>
#include <sudar/core/parallel.hpp>
#include <sudar/core/random.hpp>
#include <sudar/dynamics/elastic.hpp>
#include <sudar/math/sampling.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <string>

namespace sudar_bench {

namespace {

using namespace sudar;

// Bars of functions that may end early
constexpr const char* kDrift = "momentum of an isolated system: relative drift a step";
constexpr const char* kOrder = "free rotation by Runge–Kutta 4: order of the energy's error";
constexpr const char* kHashes = "hashes of a world over broad phases, threads and instruction sets: different values";
constexpr const char* kUnguarded =
    "500 shots without continuous detection: through (so that the row above means something)";

// Along a line: v₁' = ((m₁ − m₂) v₁ + 2 m₂ v₂) / (m₁ + m₂), in long double
void elastic_pairs(Session& session) {
  Random random(session.options().seed);
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    Ball3 a, b;
    a.mass = std::pow(10.0, random.uniform(-3, 3));
    b.mass = std::pow(10.0, random.uniform(-3, 3));
    b.position.x = 2;
    a.velocity.x = random.uniform(0, 1);
    b.velocity.x = random.uniform(-1, 0);
    using Long = long double;
    const Long m = a.mass, n = b.mass, v = a.velocity.x, w = b.velocity.x;
    const Long v_after = ((m - n) * v + 2 * n * w) / (m + n), w_after = ((n - m) * w + 2 * m * v) / (m + n);
    (void)collide(a, b);
    const double size = std::max(std::fabs(static_cast<double>(v)), std::fabs(static_cast<double>(w)));
    worst = std::max({worst, static_cast<double>(std::fabs(a.velocity.x - v_after)) / size,
                      static_cast<double>(std::fabs(b.velocity.x - w_after)) / size});
  }
  session.bar_at_most("elastic collisions of two balls, masses 1e-3 to 1e3: error against the closed form", 1e-12,
                      worst);
}

// Boxes that fly into each other far from everything
void momentum_drift(Session& session) {
  session.expect_bar(kDrift, 1e-12);
  WorldOptions<3> options;
  options.gravity = {};
  options.sleeping = false;
  auto world = World<3>::make(options);
  Random random(session.options().seed);
  if (!world) return;
  for (int i = 0; i < 60; ++i) {
    BodySpec<3> spec{.shape = *make_box3({0.5, 0.4, 0.3})};
    spec.pose = {point_in_ball<3>(random) * 4.0, unit_quaternion(random)};
    spec.velocity = -spec.pose.position * random.uniform(0.5, 3);
    spec.density = random.uniform(1, 100);
    spec.material.restitution = 0.5;
    if (!world->add_body(spec)) return;
  }
  double size = 0, worst = 0;
  for (const WorldBody<3>& body : world->bodies()) size += length(body.state.momentum);
  for (int i = 0; i < 300; ++i) {
    const Vec3d before = world->momentum();
    if (!world->step(1.0 / 60)) return;
    worst = std::max(worst, length(world->momentum() - before) / size);
  }
  session.bar_at_most(kDrift, 1e-12, worst);
}

// A body with three different moments that turns freely near its unstable axis
void integrator_order(Session& session) {
  session.expect_bar(kOrder, 3.5);
  Table table{"d3_integrators", {"method", "steps_a_second", "energy_drift"}, {}};
  const auto mass = make_mass(2, Mat3d::diagonal({1, 2, 3}));
  if (!mass) return;
  RigidState3 start;
  start.angular_momentum = {0.05, 2, 0.05};
  const double energy = kinetic_energy(start, *mass);
  const auto none = [](double, const RigidState3&) { return Wrench3{}; };
  double order = 0;
  for (const auto& [name, method] : {std::pair("semi-implicit Euler", Integrator::semi_implicit_euler),
                                     std::pair("explicit Euler", Integrator::explicit_euler),
                                     std::pair("Runge–Kutta 4", Integrator::runge_kutta4)}) {
    double first = 0, last = 0;
    for (const int rate : {20, 40, 80, 160}) {
      RigidState3 state = start;
      for (int i = 0; i < 10 * rate; ++i) state = advance(method, state, *mass, 0, 1.0 / rate, none);
      last = std::fabs(kinetic_energy(state, *mass) - energy) / energy;
      if (rate == 20) first = last;
      table.rows.push_back({name, std::to_string(rate), number_text(last)});
    }
    if (method == Integrator::runge_kutta4) order = std::log2(first / last) / 3;
  }
  session.add_table(std::move(table));
  session.add_chart({"d3_integrators", "Energy of free rotation after ten seconds", "d3_integrators", "lines",
                     "steps_a_second", "energy_drift", "method", true, true});
  session.bar_at_least(kOrder, 3.5, order);
}

template <int D>
double deepest_point(const World<D>& world) {
  double out = 0;
  for (const ScenePoint<D>& point : world.scene().points()) out = std::max(out, -point.separation);
  return out;
}

template <int D>
void tower(Session& session, int cubes, bool sleeping, bool is_bar, Table& table) {
  const std::string what =
      "tower of " + std::to_string(cubes) + (D == 2 ? ", plane" : ", space") + (sleeping ? "" : ", kept awake");
  const std::string at_rest = what + " after 60 s: residual speed, metres a second";
  const std::string upright = what + " after 60 s: tilt, degrees";
  if (is_bar) {
    session.expect_bar(at_rest, 1e-3);
    session.expect_bar(upright, 0.1);
  }
  WorldOptions<D> options;
  options.sleeping = sleeping;
  const auto spec = scenes::parse("tower n=" + std::to_string(cubes) + (D == 2 ? " dim=2" : ""));
  if (!spec) return;
  const auto scene = scenes::make_physics<D>(*spec, options);
  if (!scene) return;
  const World<D>& world = (*scene)->world();
  for (int i = 0; i < 3600; ++i)
    if (!(*scene)->step(1.0 / 60)) return;
  double speed = 0, tilt = 0;
  Vec<D, double> up{};
  up[D - 1] = 1;
  for (const WorldBody<D>& body : world.bodies()) {
    if (!body.is_dynamic()) continue;
    speed = std::max(speed, length(body.state.momentum) / body.mass.mass);
    const double cosine = std::min(1.0, dot(rotate(body.state.rotation, up), up));
    tilt = std::max(tilt, arc_cosine(cosine) * 180 / kPi);
  }
  table.rows.push_back({what, "60", number_text(speed), number_text(tilt), number_text(deepest_point(world)), ""});
  if (!is_bar) return;
  session.bar_at_most(at_rest, 1e-3, speed);
  session.bar_at_most(upright, 0.1, tilt);
}

// Until all sleep
template <int D>
void comes_to_rest(Session& session, const std::string& what, const std::string& text, Table& table) {
  const std::string asleep = what + ": bodies that are still awake after 50 s", here = what + ": bodies that left";
  const std::string apart = what + ": largest lasting overlap, share of the size";
  session.expect_bar(asleep, 0);
  session.expect_bar(here, 0);
  session.expect_bar(apart, 0.01);
  const auto spec = scenes::parse(text);
  if (!spec) return;
  const auto scene = scenes::make_physics<D>(*spec, WorldOptions<D>{});
  if (!scene) return;
  const World<D>& world = (*scene)->world();
  const int most = 3000;
  int steps = 0, gone = 0;
  for (; steps < most && (steps < 60 || world.stats().awake > 0); ++steps)
    if (!(*scene)->step(1.0 / 60)) return;
  for (const WorldBody<D>& body : world.bodies()) gone += body.is_dynamic() && body.state.position[D - 1] < 0;
  const double deep = deepest_point(world);
  table.rows.push_back({what, number_text(steps / 60.0), "0", "", number_text(deep), std::to_string(gone)});
  session.bar_at_most(asleep, 0, world.stats().awake);
  session.bar_at_most(here, 0, gone);
  session.bar_at_most(apart, 0.01, deep);
}

void what_stands(Session& session) {
  Table table{"d_rest", {"world", "seconds", "speed_m_s", "tilt_degrees", "deepest_m", "left"}, {}};
  session.progress("towers");
  tower<3>(session, 20, false, true, table);
  tower<2>(session, 20, false, true, table);
  tower<3>(session, 40, true, true, table);
  tower<2>(session, 40, true, true, table);
  tower<3>(session, 40, false, false, table);
  tower<2>(session, 40, false, false, table);
  session.progress("pyramids and piles");
  comes_to_rest<3>(session, "pyramid of 20 rows, space", "pyramid rows=20", table);
  comes_to_rest<2>(session, "pyramid of 20 rows, plane", "pyramid rows=20 dim=2", table);
  const std::string count = session.options().quick ? "200" : "1000";
  comes_to_rest<3>(session, "pile of " + count + " in a pit, space", "pile n=" + count, table);
  comes_to_rest<2>(session, "pile of " + count + " in a pit, plane", "pile dim=2 n=" + count, table);
  session.add_table(std::move(table));
}

// At a plate 4 cm thick, faster than its thickness a step by a hundred
void shots(Session& session) {
  const int rounds = session.options().quick ? 4 : 200;
  const std::string stopped = number_text(500 * rounds) + " shots at a thin plate: through";
  session.expect_bar(stopped, 0);
  session.expect_bar(kUnguarded, 100);
  double with = 0, without = 0;
  for (int round = 0; round < rounds; ++round) {
    session.progress("shots " + std::to_string(round));
    for (const int continuous : {0, 1}) {
      if (continuous == 0 && round > 0) continue;
      const auto spec =
          scenes::parse("bullet n=500 seed=" + std::to_string(round + 1) + " continuous=" + std::to_string(continuous));
      if (!spec) return;
      const auto scene = scenes::make_physics<3>(*spec, WorldOptions<3>{});
      if (!scene) return;
      for (int i = 0; i < 36; ++i)
        if (!(*scene)->step(1.0 / 60)) return;
      for (const scenes::Figure& figure : (*scene)->figures())
        if (figure.name == "through") (continuous == 1 ? with : without) += figure.value;
    }
  }
  session.bar_at_most(stopped, 0, with);
  session.bar_at_least(kUnguarded, 100, without);
}

// One value, however it is computed. Compilers and processors: tools/check_hashes.sh.
void hashes(Session& session) {
  session.expect_bar(kHashes, 1);
  Table table{"d_hashes", {"world", "hash", "values", "broad_phases", "thread_counts", "instruction_sets"}, {}};
  const auto searches = broadphases();
  const auto sets = instruction_sets();
  const unsigned threads[] = {1, 2, 3, 8};
  std::unique_ptr<Executor> executors[4];
  for (int i = 0; i < 4; ++i) executors[i] = make_executor(threads[i]);
  std::size_t values = 0;
  for (const char* text : {"pile n=200", "ragdolls n=4", "gather n=300 speed=30"}) {
    session.progress(std::string("hashes of ") + text);
    std::set<std::uint64_t> seen;
    for (std::size_t search = 0; search < searches.size(); ++search)
      for (std::size_t set = 0; set < sets.size(); ++set) {
        if (session.options().quick && search % sets.size() != set) continue;
        hold_to_instruction_set(set);
        WorldOptions<3> options;
        options.broadphase = searches[search].name;
        options.executor = executors[(search + set) % 4].get();
        const auto scene = scenes::make_physics<3>(*scenes::parse(text), options);
        if (!scene) return;
        Hash64 hash;
        for (int i = 0; i < 30; ++i) {
          if (!(*scene)->step(1.0 / 60)) return;
          hash.add((*scene)->world().state_hash());
        }
        seen.insert(hash.value());
      }
    hold_to_instruction_set(sets.size());
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(*seen.begin()));
    table.rows.push_back(
        {text, digits, std::to_string(seen.size()), std::to_string(searches.size()), "4", std::to_string(sets.size())});
    values = std::max(values, seen.size());
  }
  session.add_table(std::move(table));
  session.bar_at_most(kHashes, 1, static_cast<double>(values));
}

}  // namespace

void bench_laws(Session& session) {
  elastic_pairs(session);
  momentum_drift(session);
  integrator_order(session);
  what_stands(session);
  shots(session);
  hashes(session);
}

}  // namespace sudar_bench
