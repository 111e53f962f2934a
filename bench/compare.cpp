#include "bench/compare.hpp"

#include "bench/statistics.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <ostream>
#include <vector>

namespace sudar_bench {

namespace {

struct Row {
  double min = 0, median = 0, spread = 0, ratio = 0;
  bool peer = false;
  std::string trouble;
};
using Rows = std::map<std::string, Row>;

struct Run {
  Rows rows;
  std::map<std::string, bool> bars;          // whether they were met
  std::map<std::string, std::string> facts;  // what the times depend on
  std::string suite;
  bool peers = false;
};

double number_or_zero(const nlohmann::json& json) { return json.is_number() ? json.get<double>() : 0; }

// Two of a name are told apart by their order
template <class Value>
void add(std::map<std::string, Value>& all, const std::string& name, Value value) {
  std::string key = name;
  for (int i = 2; all.count(key) > 0; ++i) key = name + " (" + std::to_string(i) + ")";
  all.emplace(key, std::move(value));
}

std::string text_of(const nlohmann::json& json, const char* field, const char* in = nullptr) {
  const nlohmann::json& object = in != nullptr && json.contains(in) ? json.at(in) : json;
  if (!object.contains(field)) return {};
  return object.at(field).is_string() ? object.at(field).get<std::string>() : object.at(field).dump();
}

std::optional<Run> read_run(const std::string& file, std::ostream& errors) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    errors << "sudar bench: cannot read '" << file << "'\n";
    return std::nullopt;
  }
  try {
    const auto json = nlohmann::json::parse(stream);
    if (json.at("schema") != "sudar/bench-1") throw std::invalid_argument("another schema");
    Run run;
    for (const auto& m : json.at("measurements")) {
      const std::string key = m.at("table").get<std::string>() + ", " + m.at("workload").get<std::string>() + ": " +
                              m.at("contestant").get<std::string>();
      add(run.rows, key,
          {number_or_zero(m.at("ms_min")), number_or_zero(m.at("ms_median")), number_or_zero(m.at("spread")),
           number_or_zero(m.at("ratio_to_best")), m.at("version") != "", m.at("trouble").get<std::string>()});
    }
    for (const auto& bar : json.value("bars", nlohmann::json::array()))
      add(run.bars, bar.at("what").get<std::string>(), bar.at("passed").get<bool>());
    run.suite = text_of(json, "suite");
    run.peers = json.value("peers_asked", false);
    run.facts = {{"quick", text_of(json, "quick")},
                 {"seed", text_of(json, "seed")},
                 {"processor", text_of(json, "processor", "machine")},
                 {"compiler", text_of(json, "compiler", "build")},
                 {"flags", text_of(json, "flags", "build")},
                 {"instruction set", text_of(json, "instruction_set", "build")}};
    return run;
  } catch (const std::exception&) {
    errors << "sudar bench: '" << file << "' is no results.json of sudar bench\n";
    return std::nullopt;
  }
}

struct Change {
  std::string key;
  double factor, noise;
};

std::string percent(double factor) {
  const double change = 100 * (factor - 1);
  return (change >= 0 ? "+" : "") + number_text(std::round(change * 10) / 10) + " %";
}

}  // namespace

int compare_results(const std::string& older, const std::string& newer, std::ostream& out, std::ostream& errors) {
  const auto old_run = read_run(older, errors);
  const auto new_run = old_run ? read_run(newer, errors) : std::nullopt;
  if (!new_run) return 2;
  const Rows &old_rows = old_run->rows, &new_rows = new_run->rows;
  const bool same_suite = old_run->suite == new_run->suite && old_run->facts.at("quick") == new_run->facts.at("quick");

  // How the machine itself changed, by those whose code did not
  std::vector<double> peers;
  for (const auto& [key, now] : new_rows)
    if (const auto then = old_rows.find(key); then != old_rows.end() && now.peer && then->second.min > 0 && now.min > 0)
      peers.push_back(now.min / then->second.min);
  const double machine = peers.empty() ? 1 : median_of(peers);

  std::vector<Change> slower, faster;
  std::vector<std::string> failing, gone;
  std::vector<double> ratios;
  std::size_t both = 0, repeatable = 0;
  std::size_t in_common = 0;
  for (const auto& [key, then] : old_rows) {
    const auto found = new_rows.find(key);
    if (found == new_rows.end()) {
      // Peers are gone when they were not asked for
      if (!then.peer || new_run->peers || !old_run->peers) gone.push_back(key);
      continue;
    }
    ++in_common;
    const Row& now = found->second;
    if (!now.trouble.empty() && then.trouble.empty()) failing.push_back(key + ": " + now.trouble);
    if (!(then.min > 0 && now.min > 0) || !then.trouble.empty() || !now.trouble.empty()) continue;
    ++both;
    if (then.ratio > 0 && now.ratio > 0) {
      const double change = std::max(now.ratio / then.ratio, then.ratio / now.ratio);
      ratios.push_back(change);
      repeatable += change <= 1 + kRepeatable ? 1 : 0;
    }
    if (now.peer) continue;
    const double factor = now.min / then.min / machine;
    const double noise = std::max(kLeastChange, std::max(then.spread, now.spread) / 2);
    if (factor > 1 + noise) slower.push_back({key, factor, noise});
    if (factor < 1 / (1 + noise)) faster.push_back({key, factor, noise});
  }
  std::vector<std::string> missed;
  for (const auto& [what, met] : old_run->bars) {
    const auto now = new_run->bars.find(what);
    in_common += now != new_run->bars.end() ? 1 : 0;
    if (met && now != new_run->bars.end() && !now->second) missed.push_back(what);
    // A bar against peers is gone with them
    if (now == new_run->bars.end() && old_run->peers == new_run->peers) gone.push_back("bar: " + what);
  }
  if (in_common == 0) {
    errors << "sudar bench: '" << older << "' and '" << newer << "' have no row in common\n";
    return 2;
  }
  const auto by_size = [](const Change& a, const Change& b) {
    return std::fabs(std::log(a.factor)) > std::fabs(std::log(b.factor));
  };
  std::stable_sort(slower.begin(), slower.end(), by_size);
  std::stable_sort(faster.begin(), faster.end(), by_size);

  out << "compared with " << older << ": " << both << " rows in both";
  if (peers.empty())
    out << "; no peers in both, so the machine is taken to be as fast as then\n";
  else
    out << "; by " << peers.size() << " rows of peers the machine takes " << number_text(machine)
        << " times as long, which is taken out\n";
  for (const auto& [what, then] : old_run->facts)
    if (const std::string& now = new_run->facts.at(what); now != then)
      out << "warning: another " << what << ": '" << then << "' then, '" << now << "' now\n";
  for (const Change& c : slower)
    out << "slower  " << c.key << ": " << percent(c.factor) << " (noise " << number_text(100 * c.noise) << " %)\n";
  for (const Change& c : faster)
    out << "faster  " << c.key << ": " << percent(c.factor) << " (noise " << number_text(100 * c.noise) << " %)\n";
  for (const std::string& text : failing) out << "fails   " << text << '\n';
  for (const std::string& what : missed) out << "missed  " << what << ", which was met\n";
  if (same_suite) {
    constexpr std::size_t kMostTold = 20;
    for (std::size_t i = 0; i < std::min(gone.size(), kMostTold); ++i) out << "gone    " << gone[i] << '\n';
    if (gone.size() > kMostTold) out << "gone    and " << gone.size() - kMostTold << " more\n";
  } else if (!gone.empty()) {
    out << gone.size() << " rows and bars are not in the newer results, which are of another suite or size\n";
  }
  if (!ratios.empty()) {
    std::sort(ratios.begin(), ratios.end());
    out << "ratios to the best: " << repeatable << " of " << ratios.size() << " within "
        << number_text(100 * kRepeatable) << " % of those before; half within "
        << number_text(100 * (percentile(ratios, 0.5) - 1)) << " %, nine of ten within "
        << number_text(100 * (percentile(ratios, 0.9) - 1)) << " %\n";
  }
  out << slower.size() << " slower beyond the noise, " << faster.size() << " faster\n";
  return slower.empty() && failing.empty() && missed.empty() && (gone.empty() || !same_suite) ? 0 : 1;
}

}  // namespace sudar_bench
