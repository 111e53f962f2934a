// What:    Who wins where (seed E15): number of bodies × speed × clustering → the fastest broad phase, and how near `adaptive`,
//          which has to find out while it runs, comes to it.
// Differs: Clustering is the share of bodies that live in eight crowds, each a tenth of the world wide; the others are spread
//          evenly. Bodies keep to their crowd. Who is six times behind after a few steps is out.
#include "bench/lockstep.hpp"
#include "bench/suites.hpp"
#include <sudar/math/sampling.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace sudar_bench {

namespace {

constexpr double kOut = 6;
constexpr double kCrowd = 0.1;     // width of a crowd
constexpr double kOverlaps = 0.2;  // others that a body overlaps when all are spread evenly

// Bodies that move straight on in their cell and are reflected at its walls
class Crowds {
 public:
  Crowds(std::size_t n, double speed, double share, std::uint64_t seed) {
    sudar::Random random(seed);
    // Equal cubes of edge e overlap with probability (2 e)³
    const double edge = std::cbrt(kOverlaps / static_cast<double>(n)) / 2;
    std::array<sudar::Vec3d, 8> corners;
    for (sudar::Vec3d& c : corners)
      for (int k = 0; k < 3; ++k) c[k] = random.uniform(0, 1 - kCrowd);
    bodies_.resize(n);
    for (Body& b : bodies_) {
      const bool crowd = random.uniform() < share;
      const sudar::Vec3d lo = crowd ? corners[random.below(corners.size())] : sudar::Vec3d{};
      b.velocity = sudar::point_in_ball<3>(random) * (speed * 4 / 3);  // the mean length in a ball is 3/4
      for (int k = 0; k < 3; ++k) {
        b.lo[k] = lo[k], b.hi[k] = lo[k] + (crowd ? kCrowd : 1);
        b.at[k] = random.uniform(b.lo[k], b.hi[k]);
      }
      b.half = edge / 2 * random.uniform(0.5, 1.5);
    }
    rows_.resize(n * 6);
    write();
  }
  void step(double dt) {
    for (Body& b : bodies_)
      for (int k = 0; k < 3; ++k) {
        b.at[k] += b.velocity[k] * dt;
        if (b.at[k] < b.lo[k])
          b.at[k] = std::min(b.hi[k], 2 * b.lo[k] - b.at[k]), b.velocity[k] = std::fabs(b.velocity[k]);
        if (b.at[k] > b.hi[k])
          b.at[k] = std::max(b.lo[k], 2 * b.hi[k] - b.at[k]), b.velocity[k] = -std::fabs(b.velocity[k]);
      }
    write();
  }
  const sudar::BoxStore<3>& boxes() const { return store_; }

 private:
  struct Body {
    sudar::Vec3d at, velocity, lo, hi;
    double half = 0;
  };
  void write() {
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        rows_[i * 6 + static_cast<std::size_t>(k)] = static_cast<float>(bodies_[i].at[k] - bodies_[i].half);
        rows_[i * 6 + 3 + static_cast<std::size_t>(k)] = static_cast<float>(bodies_[i].at[k] + bodies_[i].half);
      }
    (void)store_.assign(rows_).ok();
  }

  std::vector<Body> bodies_;
  std::vector<float> rows_;
  sudar::BoxStore<3> store_;
};

struct WinnerCell {
  std::string winner, runner_up;
  double ms = 0, second_ms = 0, adaptive_ms = 0;
  std::size_t disagreements = 0;
};

WinnerCell race_cell(std::size_t n, double speed, double share, std::size_t steps, std::uint64_t seed) {
  Crowds crowds(n, speed, share, seed);
  Lockstep track(seed);
  for (const sudar::BroadphaseEntry& entry : sudar::broadphases())
    if (entry.name != "brute_force" || n <= kMostForBruteForce) track.add(entry.name);
  for (std::size_t step = 0; step < steps; ++step) {
    track.step(crowds.boxes());
    crowds.step(kFrameMs / 1000);
    if (step < kWarmUpSteps + 1) continue;
    double best = 1e300;
    for (const Follower& f : track.followers()) best = std::min(best, f.summary().median);
    for (Follower& f : track.followers())
      if (f.name != "adaptive" && f.summary().median > kOut * best) f.out = true;
  }
  WinnerCell cell;
  cell.ms = cell.second_ms = 1e300;
  for (const Follower& f : track.followers()) {
    const double ms = f.summary().median;
    if (f.name == "adaptive") {
      cell.adaptive_ms = ms;
    } else if (!f.out && ms < cell.ms) {
      cell.runner_up = cell.winner, cell.second_ms = cell.ms;
      cell.winner = f.name, cell.ms = ms;
    } else if (!f.out && ms < cell.second_ms) {
      cell.runner_up = f.name, cell.second_ms = ms;
    }
  }
  cell.disagreements = track.disagreements();
  return cell;
}

}  // namespace

void bench_seed_winners(Session& session) {
  const bool quick = session.options().quick;
  const std::vector<std::size_t> sizes = quick
                                             ? std::vector<std::size_t>{100, 1000, 10000}
                                             : std::vector<std::size_t>{30, 100, 300, 1000, 3000, 10000, 30000, 100000};
  const std::vector<double> speeds =
      quick ? std::vector<double>{0.003, 0.2} : std::vector<double>{0.0003, 0.003, 0.03, 0.2, 1};
  const std::vector<double> shares = quick ? std::vector<double>{0, 0.9} : std::vector<double>{0, 0.5, 0.9};
  Table table{"e15_winners",
              {"bodies", "speed", "clustering", "winner", "ms", "runner_up", "runner_up_ms", "adaptive_ms",
               "adaptive_over_winner"},
              {}};
  std::map<std::string, int> wins;
  std::vector<double> regrets;
  std::size_t cells = 0, disagreements = 0, slow_cells = 0, slow_sap = 0;
  for (const std::size_t n : sizes) {
    session.progress("e15: who wins with " + std::to_string(n) + " bodies");
    for (const double speed : speeds)
      for (const double share : shares) {
        const std::size_t steps = kWarmUpSteps + (quick ? 10 : n > 20000 ? 15 : n > 2000 ? 40 : 120);
        const WinnerCell cell = race_cell(n, speed, share, steps, session.options().seed);
        const double regret = cell.adaptive_ms / cell.ms;
        table.rows.push_back({std::to_string(n), number_text(speed), number_text(share), cell.winner,
                              number_text(cell.ms), cell.runner_up, number_text(cell.second_ms),
                              number_text(cell.adaptive_ms), number_text(regret)});
        ++cells, ++wins[cell.winner], disagreements += cell.disagreements;
        if (n >= 1000) regrets.push_back(regret);
        if (n >= 1000 && speed <= 0.003) ++slow_cells, slow_sap += cell.winner == "sap" ? 1 : 0;
      }
  }
  session.add_table(std::move(table));
  session.add_chart({"e15_winners",
                     "The fastest broad phase by number of bodies, speed and clustering",
                     "e15_winners",
                     "map",
                     "bodies",
                     "speed",
                     "winner",
                     false,
                     false,
                     {"clustering"},
                     {}});
  session.add_chart({"e15_regret",
                     "adaptive over the winner of each case",
                     "e15_winners",
                     "lines",
                     "bodies",
                     "adaptive_over_winner",
                     "speed",
                     true,
                     false,
                     {"clustering"},
                     {{1, "the winner"}}});
  std::string who;
  std::vector<std::pair<int, std::string>> ranked;
  for (const auto& [name, count] : wins) ranked.push_back({-count, name});
  std::sort(ranked.begin(), ranked.end());
  for (const auto& [count, name] : ranked) who += (who.empty() ? "" : ", ") + name + " " + std::to_string(-count);
  session.add_finding({"E15", "Different numbers, speeds and places of bodies have different best algorithms.",
                       wins.size() > 1 ? Verdict::confirmed : Verdict::refuted,
                       "of " + std::to_string(cells) + " cases win: " + who + ".", "e15_winners"});
  session.add_finding(
      {"E14", "Sweep and prune is the best choice when bodies need 100 seconds and more to cross the container.",
       2 * slow_sap > slow_cells ? Verdict::confirmed : Verdict::refuted,
       "at speeds of 0.003 and less (300 s and more) and from 1 000 bodies on it wins " + std::to_string(slow_sap) +
           " of " + std::to_string(slow_cells) + " cases against all of ours, whole frames being given.",
       "e15_winners"});
  if (!regrets.empty()) {
    const double median = median_of(regrets), worst = *std::max_element(regrets.begin(), regrets.end());
    session.add_finding({"E15", "Left open there: an algorithm that is chosen automatically while the program runs.",
                         median < 1.25 ? Verdict::confirmed : Verdict::refuted,
                         "adaptive takes " + number_text(median) +
                             " times as long as the winner of each case in the median, " + number_text(worst) +
                             " at worst, from 1 000 bodies on, trials included.",
                         "e15_regret"});
  }
  session.bar_at_most("e15: steps in which an algorithm found another number of pairs", 0,
                      static_cast<double>(disagreements));
}

}  // namespace sudar_bench
