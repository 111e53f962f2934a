// What:    The contact solvers alone: milliseconds a step and nanoseconds a point and pass, for a block of cubes (squares) with
//          contacts made by hand, on each instruction set and by the plain twin.
// Differs: All contestants must give the same bits: the answer is a sum over the velocities, compared exactly. Every step
//          begins from the same state, with the impulses of a step before, so work does not change from round to round.
#include "bench/suites.hpp"
#include <sudar/core/instruction_sets.hpp>
#include <sudar/core/random.hpp>
#include <sudar/dynamics/contact_solver2.hpp>
#include <sudar/dynamics/contact_solver3.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using namespace sudar;

template <int D>
struct Block {
  std::vector<SolverBody<D>> bodies;
  std::vector<ContactInput<D>> contacts;
  std::vector<ContactPointInput<D>> points;
  std::vector<PointImpulse<D>> impulses;
};

template <int D>
void add_contact(Block<D>& block, std::uint32_t a, std::uint32_t b, Vec<D, double> normal, const Vec<D, double>& middle,
                 Random& random) {
  if (a > b) {
    std::swap(a, b);
    normal = -normal;
  }
  ContactInput<D> c;
  c.a = a;
  c.b = b;
  c.normal = normal;
  c.friction = 0.6;
  c.first = static_cast<std::uint32_t>(block.points.size());
  c.count = kMaxContactPoints<D>;
  Vec<D, double> u{}, v{};
  if constexpr (D == 2) {
    u = perp(normal);
  } else {
    make_frame(normal, u, v);
  }
  for (unsigned i = 0; i < c.count; ++i)
    block.points.push_back(
        {middle + u * ((i & 1) != 0 ? 0.5 : -0.5) + v * ((i & 2) != 0 ? 0.5 : -0.5), random.uniform(-1e-3, 1e-3)});
  block.contacts.push_back(c);
}

// `n` cubes along each axis on the ground, each touching its neighbours and most of those on one diagonal; the numbers of
// the bodies say nothing about where they are
template <int D>
Block<D> block_of_cubes(int n, std::uint64_t seed) {
  Block<D> block;
  Random random(seed);
  std::size_t count = 1;
  for (int i = 0; i < D; ++i) count *= static_cast<std::size_t>(n);
  std::vector<std::uint32_t> name(count);
  std::iota(name.begin(), name.end(), 0u);
  for (std::size_t i = count; i-- > 1;)
    std::swap(name[i], name[static_cast<std::size_t>(random.uniform(0, static_cast<double>(i + 1)))]);
  block.bodies.resize(count + 1);
  const auto ground = static_cast<std::uint32_t>(count);
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t rest = k, stride = 1;
    int cell[D];
    SolverBody<D>& body = block.bodies[name[k]];
    for (int i = 0; i < D; ++i, rest /= static_cast<std::size_t>(n)) {
      cell[i] = static_cast<int>(rest % static_cast<std::size_t>(n));
      body.position[i] = cell[i] + 0.5;
    }
    body.inverse_mass = 1e-3;
    body.acceleration[D - 1] = -9.81;
    if constexpr (D == 2) {
      body.inverse_inertia = 6e-3;
    } else {
      body.inverse_inertia = Mat3d::diagonal({6e-3, 6e-3, 6e-3});
    }
    const Vec<D, double> at = body.position;
    for (int i = 0; i < D; ++i, stride *= static_cast<std::size_t>(n)) {
      Vec<D, double> axis{};
      axis[i] = 1;
      if (cell[i] + 1 < n) add_contact<D>(block, name[k], name[k + stride], axis, at + axis * 0.5, random);
    }
    Vec<D, double> up{};
    up[D - 1] = 1;
    if (cell[D - 1] == 0) add_contact<D>(block, name[k], ground, -up, at - up * 0.5, random);
    if (cell[0] + 1 < n && cell[D - 1] + 1 < n && random.uniform(0, 1) < 0.85) {
      Vec<D, double> diagonal = up;
      diagonal[0] = 1;
      const std::size_t over = k + 1 + stride / static_cast<std::size_t>(n);
      add_contact<D>(block, name[k], name[over], normalized(diagonal), at + diagonal * 0.5, random);
    }
  }
  std::sort(block.contacts.begin(), block.contacts.end(),
            [](const auto& x, const auto& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  block.impulses.resize(block.points.size());
  return block;
}

template <int D>
void race_of(Session& session, int n) {
  using Solver = std::conditional_t<D == 2, ContactSolver2, ContactSolver3>;
  Block<D> block = block_of_cubes<D>(n, session.options().seed);
  Solver solver;
  SolverSettings settings;
  settings.substeps = 4;
  {  // The impulses of a step before
    std::vector<SolverBody<D>> bodies = block.bodies;
    keep(solver.solve(bodies, block.contacts, block.points, block.impulses, {}, settings).ok());
  }
  std::vector<SolverBody<D>> bodies;
  std::vector<PointImpulse<D>> impulses;
  SolverStats stats;
  const auto solve = [&](std::size_t set, bool plain) {
    hold_to_instruction_set(set);
    bodies = block.bodies;
    impulses = block.impulses;
    settings.plain = plain;
    const auto done = solver.solve(bodies, block.contacts, block.points, impulses, {}, settings);
    hold_to_instruction_set(static_cast<std::size_t>(-1));
    if (done) stats = *done;
    return 0.0;
  };
  const auto answer = [&] {
    double sum = 0;
    for (const SolverBody<D>& b : bodies)
      for (int i = 0; i < D; ++i) sum += b.velocity[i] * (i + 1);
    return sum;
  };
  std::vector<Contestant> contestants;
  const std::vector<std::string_view> sets = instruction_sets();
  for (std::size_t k = 0; k < sets.size(); ++k)
    contestants.push_back({std::string(sets[k]), "", [&, k] { return solve(k, false); }, answer});
  contestants.push_back({"plain twin", "", [&] { return solve(static_cast<std::size_t>(-1), true); }, answer});

  const std::string workload =
      std::to_string(block.contacts.size()) + " contacts of " + (D == 2 ? "squares" : "cubes") + ", 4 substeps";
  const auto race = session.race("contact solver", workload, 100, 0, contestants);
  Table table{"contact solver " + std::to_string(D) + "D",
              {"lanes", "ms a step", "ns a point and pass", "colours", "bundles"},
              {}};
  // Warm start, and two passes in each substep
  const double passes = static_cast<double>(stats.points) * (1 + 2.0 * settings.substeps);
  for (const Measurement& m : race) {
    char ms[32], ns[32];
    std::snprintf(ms, sizeof ms, "%.3f", m.min_ms);
    std::snprintf(ns, sizeof ns, "%.2f", m.min_ms * 1e6 / passes);
    table.rows.push_back({m.contestant, ms, ns, std::to_string(stats.contact_colours), std::to_string(stats.bundles)});
  }
  session.add_table(std::move(table));
  if (D == 3 && sets.front().substr(0, 4) == "AVX3")
    session.bar_at_most("14 000 points of cubes, 4 substeps, one thread, AVX-512: ms", 1.5, race.front().min_ms);
}

}  // namespace

void bench_contact_solver(Session& session) {
  race_of<3>(session, 10);
  race_of<2>(session, 35);
}

}  // namespace sudar_bench
