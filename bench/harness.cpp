#include "bench/harness.hpp"

#include "bench/part_run.hpp"
#include "bench/pinning.hpp"
#include "bench/statistics.hpp"
#include <sudar/core/random.hpp>

#include <sys/resource.h>

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

// A round of less than this is mostly clock; ms
constexpr double kLeastRound = 1;
constexpr int kMostCalls = 1 << 16;

// How often this thread lost its processor to another one
long involuntary_switches() {
  rusage used{};
#if defined(RUSAGE_THREAD)
  getrusage(RUSAGE_THREAD, &used);
#else
  getrusage(RUSAGE_SELF, &used);
#endif
  return used.ru_nivcsw;
}

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
  const PinnedHere pinned(options_.pin && all_cores_ == 0);

  std::vector<double> spent(contestants.size());
  std::vector<int> calls(contestants.size(), 1), disturbed(contestants.size());
  std::vector<char> threw(contestants.size());
  // One round of one contestant: the time of a call
  const auto take_turn = [&](std::size_t i, bool counts) {
    double answer = 0;
    const auto work = [&] {
      const auto start = Clock::now();
      for (int call = 0; call < calls[i]; ++call) answer = contestants[i].run();
      return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    };
    const long before = involuntary_switches();
    double elapsed = work();
    const bool alone = involuntary_switches() == before;
    spent[i] += elapsed;
    // How many calls fill a round is found while warming up
    while (!counts && elapsed < kLeastRound && calls[i] < kMostCalls) {
      const double wanted = calls[i] * std::max(2.0, kLeastRound / std::max(elapsed, 1e-6));
      calls[i] = static_cast<int>(std::min(wanted, static_cast<double>(kMostCalls)));
      elapsed = work();
      spent[i] += elapsed;
    }
    answers[i].push_back(contestants[i].answer ? contestants[i].answer() : answer);
    if (counts || elapsed > patience) {
      ms[i].push_back(elapsed / calls[i]);
      disturbed[i] += alone ? 0 : 1;
    }
  };
  // Round 0 warms caches and memory and is not counted, unless it took so long that there is no second one
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    for (const std::size_t i : order) {
      if (threw[i] != 0 || (spent[i] > patience && !ms[i].empty())) continue;
      if (marker_ != nullptr) marker_->begin(keys[i]);
      try {
        take_turn(i, round > 0);
      } catch (const std::exception& error) {
        threw[i] = 1, failed_[keys[i]] = std::string("threw: ") + error.what();
      } catch (...) {
        threw[i] = 1, failed_[keys[i]] = "threw something that is no exception";
      }
      if (marker_ != nullptr) marker_->end();
    }
  }
  for (std::size_t i = 0; i < contestants.size(); ++i)
    if (threw[i] != 0) ms[i].clear(), answers[i].clear(), disturbed[i] = 0;

  std::vector<Measurement> result;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    Measurement m;
    m.table = table, m.workload = workload, m.contestant = contestants[i].name, m.version = contestants[i].version;
    const Summary summary = summarize(ms[i]);
    m.rounds = summary.count, m.calls = calls[i], m.disturbed = disturbed[i];
    m.min_ms = summary.min, m.median_ms = summary.median, m.spread = summary.spread;
    if (ms[i].empty()) {
      m.min_ms = m.median_ms = kNever;
      m.trouble = failed_[keys[i]];
    } else {
      m.answer = answers[i].back();
    }
    if (contestants[i].wrong && !ms[i].empty()) {
      // Like its answers, it may throw
      if (marker_ != nullptr) marker_->begin(keys[i]);
      try {
        m.disagreements = static_cast<int>(contestants[i].wrong());
        m.of = contestants[i].of, m.why = m.disagreements > 0 ? contestants[i].why : "";
      } catch (const std::exception& error) {
        m.trouble = std::string("threw when it was judged: ") + error.what();
        m.min_ms = m.median_ms = kNever;
      }
      if (marker_ != nullptr) marker_->end();
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
    m.ratio_low = range.low, m.ratio_median = range.middle, m.ratio_high = range.high;
    m.of_first = ratio_range(ms[i], ms[0]).middle;
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

void Session::missing_input(const std::string& what) { results_.missing_inputs.push_back(what); }

void Session::expect_bar(const std::string& what, double required) {
  results_.bars.push_back({what, required, std::numeric_limits<double>::quiet_NaN(), false, false});
}

void Session::set_bar(Bar bar) {
  for (Bar& expected : results_.bars)
    if (!expected.measured && expected.what == bar.what) {
      expected = std::move(bar);
      return;
    }
  results_.bars.push_back(std::move(bar));
}

void Session::bar_at_least(const std::string& what, double required, double seen) {
  set_bar({what, required, seen, seen >= required});
}

void Session::bar_at_least(const std::string& what, double required, const Speedup& seen) {
  set_bar({what, required, seen.minima, seen.minima >= required, true, seen.rounds});
}

void Session::bar_at_most(const std::string& what, double required, double seen) {
  set_bar({what, required, seen, seen <= required});
}

bool Session::made(const std::string& table, const std::string& workload, const std::string& contestant,
                   const std::string& version, const std::function<void()>& make) {
  const std::string key = contestant_key(table, workload, contestant);
  if (failed_.find(key) == failed_.end()) {
    if (marker_ != nullptr) marker_->begin(key);
    try {
      make();
    } catch (const std::exception& error) {
      failed_[key] = std::string("threw: ") + error.what();
    } catch (...) {
      failed_[key] = "threw something that is no exception";
    }
    if (marker_ != nullptr) marker_->end();
  }
  const auto failed = failed_.find(key);
  if (failed == failed_.end()) return true;
  Measurement m;
  m.table = table, m.workload = workload, m.contestant = contestant, m.version = version;
  m.min_ms = m.median_ms = m.ratio_to_best = kNever;
  m.trouble = failed->second;
  results_.measurements.push_back(std::move(m));
  return false;
}

void Session::add_measurement(Measurement measurement) { results_.measurements.push_back(std::move(measurement)); }
void Session::add_table(Table table) { results_.tables.push_back(std::move(table)); }
void Session::add_chart(Chart chart) { results_.charts.push_back(std::move(chart)); }
void Session::add_finding(Finding finding) { results_.findings.push_back(std::move(finding)); }
void Session::note(const std::string& text) { results_.notes.push_back(text); }

Speedup speedup_over_best_peer(const std::vector<Measurement>& race) {
  const Measurement* best = nullptr;
  for (std::size_t i = 1; i < race.size(); ++i)
    if (!race[i].version.empty() && race[i].trouble.empty() && (best == nullptr || race[i].min_ms < best->min_ms))
      best = &race[i];
  if (best == nullptr || !(race.front().min_ms > 0)) return {};
  return {best->min_ms / race.front().min_ms, best->of_first};
}

}  // namespace sudar_bench
