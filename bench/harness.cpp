#include "bench/harness.hpp"

#include "bench/part_run.hpp"
#include "bench/statistics.hpp"
#include <sudar/core/random.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <ostream>

namespace sudar_bench {

namespace {

// ms that one contestant may take for all its rounds; some peers break down on some workloads
constexpr double kPatience = 15000, kQuickPatience = 5000;
constexpr double kNever = std::numeric_limits<double>::infinity();

bool agree(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * std::max({1.0, std::fabs(a), std::fabs(b)});
}

}  // namespace

std::string contestant_key(const std::string& table, const std::string& workload, const std::string& contestant) {
  return table + " / " + workload + " / " + contestant;
}

Session::Session(Options options, std::ostream& progress) : options_(std::move(options)), progress_(progress) {}

std::vector<Measurement> Session::race(const std::string& table, const std::string& workload, int rounds,
                                       double tolerance, const std::vector<Contestant>& contestants) {
  using Clock = std::chrono::steady_clock;
  if (contestants.empty()) return {};
  if (options_.quick) rounds = std::max(3, rounds / 3);
  const double patience = options_.quick ? kQuickPatience : kPatience;
  progress(table + ": " + workload + " (" + std::to_string(contestants.size()) + " contestants, " +
           std::to_string(rounds) + " rounds)");

  std::vector<std::vector<double>> ms(contestants.size());
  std::vector<std::vector<double>> answers(contestants.size());
  std::vector<std::size_t> order;
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    keys.push_back(contestant_key(table, workload, contestants[i].name));
    if (failed_.find(keys.back()) == failed_.end()) order.push_back(i);
  }
  sudar::Random random(options_.seed);

  // Round 0 warms caches and memory and is not counted, unless it took so long that there is no second one
  std::vector<double> spent(contestants.size());
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    for (const std::size_t i : order) {
      if (spent[i] > patience && !ms[i].empty()) continue;
      if (marker_ != nullptr) marker_->begin(keys[i]);
      const auto start = Clock::now();
      const double answer = contestants[i].run();
      const double elapsed = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
      answers[i].push_back(contestants[i].answer ? contestants[i].answer() : answer);
      if (marker_ != nullptr) marker_->end();
      spent[i] += elapsed;
      if (round > 0 || elapsed > patience) ms[i].push_back(elapsed);
    }
  }

  std::vector<Measurement> result;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    Measurement m;
    m.table = table, m.workload = workload, m.contestant = contestants[i].name, m.version = contestants[i].version;
    const Summary summary = summarize(ms[i]);
    m.rounds = summary.count;
    m.min_ms = summary.min, m.median_ms = summary.median, m.spread = summary.spread;
    if (ms[i].empty()) {
      m.min_ms = m.median_ms = kNever;
      m.trouble = failed_[keys[i]];
    } else {
      m.answer = answers[i].back();
    }
    if (contestants[i].wrong && !ms[i].empty()) {
      m.disagreements = static_cast<int>(contestants[i].wrong());
      m.of = contestants[i].of, m.why = m.disagreements > 0 ? contestants[i].why : "";
    }
    for (std::size_t k = 0; !contestants[i].wrong && k < std::min(answers[i].size(), answers[0].size()); ++k)
      if (!agree(answers[i][k], answers[0][k], tolerance)) ++m.disagreements;
    result.push_back(m);
  }
  std::size_t best = 0;
  for (std::size_t i = 0; i < result.size(); ++i)
    if (result[i].min_ms < result[best].min_ms) best = i;
  for (std::size_t i = 0; i < result.size(); ++i) {
    Measurement& m = result[i];
    m.ratio_to_best = result[best].min_ms > 0 && m.trouble.empty() ? m.min_ms / result[best].min_ms : 1;
    const RatioRange range = ratio_range(ms[i], ms[best]);
    m.ratio_low = range.low, m.ratio_high = range.high;
    if (!m.trouble.empty()) m.ratio_to_best = kNever;
  }
  results_.measurements.insert(results_.measurements.end(), result.begin(), result.end());
  return result;
}

void Session::progress(const std::string& text) {
  progress_ << text << std::endl;
  if (marker_ != nullptr) marker_->say(text);
  if (on_progress_) on_progress_();
}

void Session::missing_peer(const std::string& table, const std::string& name) {
  const std::string who = table + ": " + name;
  if (std::find(results_.missing.begin(), results_.missing.end(), who) == results_.missing.end())
    results_.missing.push_back(who);
}

void Session::bar_at_least(const std::string& what, double required, double seen) {
  results_.bars.push_back({what, required, seen, seen >= required});
}

void Session::bar_at_most(const std::string& what, double required, double seen) {
  results_.bars.push_back({what, required, seen, seen <= required});
}

void Session::add_measurement(Measurement measurement) { results_.measurements.push_back(std::move(measurement)); }
void Session::add_table(Table table) { results_.tables.push_back(std::move(table)); }
void Session::add_chart(Chart chart) { results_.charts.push_back(std::move(chart)); }
void Session::add_finding(Finding finding) { results_.findings.push_back(std::move(finding)); }
void Session::note(const std::string& text) { results_.notes.push_back(text); }

double speedup_over_best_peer(const std::vector<Measurement>& race) {
  double best_peer = 0;
  for (std::size_t i = 1; i < race.size(); ++i)
    if (!race[i].version.empty() && race[i].trouble.empty() && (best_peer == 0 || race[i].min_ms < best_peer))
      best_peer = race[i].min_ms;
  return race.front().min_ms > 0 ? best_peer / race.front().min_ms : 0;
}

}  // namespace sudar_bench
