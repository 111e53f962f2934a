#include "bench/harness.hpp"

#include <sudar/core/random.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <ostream>

namespace sudar_bench {

namespace {

// ms that one contestant may take for all its rounds; some peers break down on some workloads
constexpr double kPatience = 15000;

double percentile(const std::vector<double>& sorted, double p) {
  return sorted[static_cast<std::size_t>(std::lround(p * static_cast<double>(sorted.size() - 1)))];
}

bool agree(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * std::max({1.0, std::fabs(a), std::fabs(b)});
}

}  // namespace

Session::Session(Options options, std::ostream& progress) : options_(std::move(options)), progress_(progress) {}

std::vector<Measurement> Session::race(const std::string& table, const std::string& workload, int rounds,
                                       double tolerance, const std::vector<Contestant>& contestants) {
  using Clock = std::chrono::steady_clock;
  if (options_.quick) rounds = std::max(3, rounds / 3);
  progress_ << table << ": " << workload << " (" << contestants.size() << " contestants, " << rounds << " rounds)"
            << std::endl;

  std::vector<std::vector<double>> ms(contestants.size());
  std::vector<std::vector<double>> answers(contestants.size());
  std::vector<std::size_t> order(contestants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sudar::Random random(options_.seed);

  // Round 0 warms caches and memory and is not counted, unless it took so long that there is no second one
  std::vector<double> spent(contestants.size());
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    for (std::size_t i : order) {
      if (spent[i] > kPatience && !ms[i].empty()) continue;
      const auto start = Clock::now();
      const double answer = contestants[i].run();
      const double elapsed = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
      answers[i].push_back(contestants[i].answer ? contestants[i].answer() : answer);
      spent[i] += elapsed;
      if (round > 0 || elapsed > kPatience) ms[i].push_back(elapsed);
    }
  }

  std::vector<Measurement> result;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    std::sort(ms[i].begin(), ms[i].end());
    Measurement m{table, workload, contestants[i].name, contestants[i].version};
    m.rounds = static_cast<int>(ms[i].size());
    m.min_ms = ms[i].front();
    m.median_ms = percentile(ms[i], 0.5);
    m.spread = m.median_ms > 0 ? (percentile(ms[i], 0.9) - percentile(ms[i], 0.1)) / m.median_ms : 0;
    m.answer = answers[i].back();
    for (std::size_t k = 0; k < std::min(answers[i].size(), answers[0].size()); ++k)
      if (!agree(answers[i][k], answers[0][k], tolerance)) ++m.disagreements;
    result.push_back(m);
  }
  double best = result.front().min_ms;
  for (const Measurement& m : result) best = std::min(best, m.min_ms);
  for (Measurement& m : result) m.ratio_to_best = best > 0 ? m.min_ms / best : 1;
  measurements_.insert(measurements_.end(), result.begin(), result.end());
  return result;
}

void Session::progress(const std::string& text) { progress_ << text << std::endl; }

void Session::missing_peer(const std::string& table, const std::string& name) {
  missing_.push_back(table + ": " + name);
}

void Session::bar_at_least(const std::string& what, double required, double seen) {
  bars_.push_back({what, required, seen, seen >= required});
}

void Session::bar_at_most(const std::string& what, double required, double seen) {
  bars_.push_back({what, required, seen, seen <= required});
}

void Session::add_table(Table table) { tables_.push_back(std::move(table)); }

void Session::note(const std::string& text) { notes_.push_back(text); }

double speedup_over_best_peer(const std::vector<Measurement>& race) {
  double best_peer = 0;
  for (std::size_t i = 1; i < race.size(); ++i)
    if (!race[i].version.empty() && (best_peer == 0 || race[i].min_ms < best_peer)) best_peer = race[i].min_ms;
  return race.front().min_ms > 0 ? best_peer / race.front().min_ms : 0;
}

}  // namespace sudar_bench
