#include "bench/harness.hpp"

#include "bench/part_run.hpp"
#include "bench/statistics.hpp"

#include <algorithm>
#include <limits>
#include <ostream>

namespace sudar_bench {

std::string contestant_key(const std::string& table, const std::string& workload, const std::string& contestant) {
  return table + " / " + workload + " / " + contestant;
}

Session::Session(Options options, std::ostream& progress) : options_(std::move(options)), progress_(progress) {}

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
  set_bar({what, required, seen, seen >= required, true, 0, Bar::Side::at_least});
}

void Session::bar_at_least(const std::string& what, double required, const Speedup& seen) {
  set_bar({what, required, seen.minima, seen.minima >= required, true, seen.rounds, Bar::Side::at_least});
}

void Session::bar_at_most(const std::string& what, double required, double seen) {
  set_bar({what, required, seen, seen <= required, true, 0, Bar::Side::at_most});
}

void Session::bar_against_peers(const std::string& what, double required, const Speedup& seen) {
  if (seen.minima > 0)
    bar_at_least(what, required, seen);
  else if (seen.raced)
    expect_bar(what, required);
}

bool Session::guarded(const std::string& key, const std::function<void()>& action) {
  if (failed_.count(key) > 0) return false;
  if (marker_ != nullptr) marker_->begin(key);
  try {
    action();
  } catch (const std::exception& error) {
    failed_[key] = std::string("threw: ") + error.what();
  } catch (...) {
    failed_[key] = "threw something that is no exception";
  }
  if (marker_ != nullptr) marker_->end();
  return failed_.count(key) == 0;
}

std::string Session::trouble_of(const std::string& key) const {
  const auto failed = failed_.find(key);
  return failed == failed_.end() ? std::string() : failed->second;
}

bool Session::made(const std::string& table, const std::string& workload, const std::string& contestant,
                   const std::string& version, const std::function<void()>& make) {
  const std::string key = contestant_key(table, workload, contestant);
  if (guarded(key, make)) return true;
  Measurement m;
  m.table = table, m.workload = workload, m.contestant = contestant, m.version = version;
  m.min_ms = m.median_ms = m.ratio_to_best = std::numeric_limits<double>::infinity();
  m.trouble = trouble_of(key);
  results_.measurements.push_back(std::move(m));
  return false;
}

void Session::add_measurement(Measurement measurement) { results_.measurements.push_back(std::move(measurement)); }
void Session::add_table(Table table) { results_.tables.push_back(std::move(table)); }
void Session::add_chart(Chart chart) { results_.charts.push_back(std::move(chart)); }
void Session::add_finding(Finding finding) { results_.findings.push_back(std::move(finding)); }
void Session::note(const std::string& text) { results_.notes.push_back(text); }

Speedup speedup_over(const Measurement& ours, const Measurement& other) {
  if (!ours.trouble.empty() || !other.trouble.empty() || !(ours.min_ms > 0)) return {.raced = true};
  return {other.min_ms / ours.min_ms, ratio_range(other.times, ours.times).middle, true};
}

const Measurement* best_peer(const std::vector<Measurement>& race) {
  const Measurement* best = nullptr;
  for (const Measurement& m : race)
    if (!m.version.empty() && m.trouble.empty() && (best == nullptr || m.min_ms < best->min_ms)) best = &m;
  return best;
}

Speedup speedup_over_best_peer(const std::vector<Measurement>& race) {
  if (const Measurement* best = best_peer(race)) return speedup_over(race.front(), *best);
  return {.raced = std::any_of(race.begin(), race.end(), [](const Measurement& m) { return !m.version.empty(); })};
}

}  // namespace sudar_bench
