#include "bench/compare.hpp"

#include "bench/statistics.hpp"
#include "cli/json_text.hpp"
#include <sudar/io/file_bytes.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <ostream>
#include <vector>

namespace sudar_bench {

namespace {

struct Row {
  std::string race;  // that it is a row of
  double min = 0, spread = 0;
  double band = 0;  // how far its ratio to the best goes up and down between rounds, relative
  bool peer = false;
  std::string trouble;
};
using Rows = std::map<std::string, Row>;

struct Run {
  Rows rows;
  std::map<std::string, std::string> first;  // of ours by race, which is what others are divided by
  std::map<std::string, bool> bars;          // whether they were met
  std::map<std::string, std::string> facts;  // what the times depend on
  std::string suite;
  bool peers = false;
};

double number_or_zero(const nlohmann::json& json) { return json.is_number() ? json.get<double>() : 0; }

// Two of a name are told apart by their order: what stands behind the name of one
template <class Value>
std::string add(std::map<std::string, Value>& all, const std::string& name, Value value) {
  std::string behind;
  for (int i = 2; all.count(name + behind) > 0; ++i) behind = " (" + std::to_string(i) + ")";
  all.emplace(name + behind, std::move(value));
  return behind;
}

void add_row(Run& run, const nlohmann::json& m) {
  const std::string race = m.at("table").get<std::string>() + ", " + m.at("workload").get<std::string>();
  const std::string name = race + ": " + m.at("contestant").get<std::string>();
  const auto number = [&](const char* field) { return m.contains(field) ? number_or_zero(m.at(field)) : 0; };
  Row row;
  row.min = number("ms_min"), row.spread = number("spread");
  row.peer = m.at("version") != "", row.trouble = m.at("trouble").get<std::string>();
  const double low = number("ratio_p10"), high = number("ratio_p90");
  if (low > 0 && high > low) row.band = std::sqrt(high / low) - 1;
  const std::string behind = add(run.rows, name, row);
  run.rows[name + behind].race = race + behind;
  if (!row.peer) run.first.try_emplace(race + behind, name + behind);
}

std::string text_of(const nlohmann::json& json, const char* field, const char* in = nullptr) {
  const nlohmann::json& object = in != nullptr && json.contains(in) ? json.at(in) : json;
  if (!object.contains(field)) return {};
  return object.at(field).is_string() ? object.at(field).get<std::string>() : object.at(field).dump();
}

std::optional<Run> read_run(const std::string& file, std::ostream& errors) {
  const auto text = sudar::read_whole_file(file);
  if (!text) {
    errors << "sudar bench: cannot read '" << file << "'\n";
    return std::nullopt;
  }
  try {
    // What is told of a field is printed, which goes down by recursion
    if (const auto fault = sudar_cli::fault_of_json(*text)) throw std::invalid_argument(fault->message);
    const auto json = nlohmann::json::parse(*text);
    if (json.at("schema") != "sudar/bench-1") throw std::invalid_argument("another schema");
    Run run;
    for (const auto& m : json.at("measurements")) add_row(run, m);
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

// What scatters is not to be believed at once, but by no more than this: least times scatter less than rounds do
double noise_of(double seen) { return std::clamp(seen, kLeastChange, kMostNoise); }

bool beyond(double factor, double noise) { return factor > 1 + noise || factor < 1 / (1 + noise); }

void sort_by_size(std::vector<Change>& changes) {
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::fabs(std::log(a.factor)) > std::fabs(std::log(b.factor));
  });
}

bool is_ratio(double x) { return x > 0 && std::isfinite(x); }

// The time of a row over that of ours in the same race; nothing for ours, and where one of the two failed
struct RaceRatio {
  double value, noise;
};
std::optional<RaceRatio> ratio_of(const Run& run, const std::string& key) {
  const Row& row = run.rows.at(key);
  const auto first = run.first.find(row.race);
  if (first == run.first.end() || first->second == key) return std::nullopt;
  const Row& ours = run.rows.at(first->second);
  if (!row.trouble.empty() || !ours.trouble.empty() || !(row.min > 0 && ours.min > 0)) return std::nullopt;
  // Times of any size are taken from a file: what is no number cannot be put in order
  const double value = row.min / ours.min;
  if (!is_ratio(value)) return std::nullopt;
  // Most often one of the two is the best, and has no band
  return RaceRatio{value, row.band + ours.band};
}

struct RatioChanges {
  std::vector<Change> all;              // of every ratio that is in both
  std::vector<Change> changed, unsure;  // beyond the noise; beyond what should repeat, and within the noise
  std::size_t repeatable = 0;
  bool worse = false;  // against a peer, beyond the noise
};
RatioChanges changes_of_ratios(const Run& older, const Run& newer) {
  RatioChanges out;
  for (const auto& [key, now] : newer.rows) {
    if (older.rows.count(key) == 0) continue;
    const auto before = ratio_of(older, key), after = ratio_of(newer, key);
    if (!before || !after) continue;
    const Change change{key, after->value / before->value,
                        std::max(kRepeatable, noise_of(std::max(before->noise, after->noise)))};
    out.all.push_back(change);
    if (!beyond(change.factor, kRepeatable)) ++out.repeatable;
    if (beyond(change.factor, change.noise))
      out.changed.push_back(change), out.worse = out.worse || (now.peer && change.factor < 1);
    else if (beyond(change.factor, kRepeatable))
      out.unsure.push_back(change);
  }
  for (auto* changes : {&out.all, &out.changed, &out.unsure}) sort_by_size(*changes);
  return out;
}

std::string percent(double factor) {
  const double change = 100 * (factor - 1);
  return (change >= 0 ? "+" : "") + number_text(std::round(change * 10) / 10) + " %";
}

}  // namespace

bool is_results_file(const std::string& file, std::ostream& errors) { return read_run(file, errors).has_value(); }

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
      if (const double ratio = now.min / then->second.min; is_ratio(ratio)) peers.push_back(ratio);
  const double machine = peers.empty() ? 1 : median_of(peers);

  std::vector<Change> slower, faster, unsure;
  std::vector<std::string> failing, gone;
  std::size_t both = 0, in_common = 0;
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
    if (now.peer) continue;
    const double factor = now.min / then.min / machine, noise = noise_of(std::max(then.spread, now.spread) / 2);
    if (beyond(factor, noise))
      (factor > 1 ? slower : faster).push_back({key, factor, noise});
    else if (beyond(factor, kLeastChange))
      unsure.push_back({key, factor, noise});
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
  for (auto* changes : {&slower, &faster, &unsure}) sort_by_size(*changes);
  const RatioChanges ratios = changes_of_ratios(*old_run, *new_run);

  out << "compared with " << older << ": " << both << " rows in both";
  if (peers.empty())
    out << "; no peers in both, so the machine is taken to be as fast as then\n";
  else
    out << "; by " << peers.size() << " rows of peers the machine takes " << number_text(machine)
        << " times as long, which is taken out\n";
  for (const auto& [what, then] : old_run->facts)
    if (const std::string& now = new_run->facts.at(what); now != then)
      out << "warning: another " << what << ": '" << then << "' then, '" << now << "' now\n";
  const auto tell = [&](const char* word, const std::vector<Change>& changes, const char* of, std::size_t most) {
    for (std::size_t i = 0; i < std::min(changes.size(), most); ++i)
      out << word << changes[i].key << of << ": " << percent(changes[i].factor) << " (noise "
          << number_text(100 * changes[i].noise) << " %)\n";
    if (changes.size() > most) out << word << "and " << changes.size() - most << " more\n";
  };
  constexpr std::size_t kMostTold = 20;
  tell("slower  ", slower, "", slower.size());
  tell("faster  ", faster, "", faster.size());
  tell("unsure  ", unsure, "", kMostTold);
  tell("ratio   ", ratios.changed, ", over ours", ratios.changed.size());
  tell("unsure  ", ratios.unsure, ", over ours", kMostTold);
  for (const std::string& text : failing) out << "fails   " << text << '\n';
  for (const std::string& what : missed) out << "missed  " << what << ", which was met\n";
  if (same_suite) {
    for (std::size_t i = 0; i < std::min(gone.size(), kMostTold); ++i) out << "gone    " << gone[i] << '\n';
    if (gone.size() > kMostTold) out << "gone    and " << gone.size() - kMostTold << " more\n";
  } else if (!gone.empty()) {
    out << gone.size() << " rows and bars are not in the newer results, which are of another suite or size\n";
  }
  if (!ratios.all.empty()) {
    std::vector<double> sizes;
    for (const Change& c : ratios.all) sizes.push_back(std::max(c.factor, 1 / c.factor));
    std::sort(sizes.begin(), sizes.end());
    const auto within = [&](double share) {
      return number_text(std::round(1000 * (percentile(sizes, share) - 1)) / 10);
    };
    out << "ratios to ours in the same race: " << ratios.all.size() << " compared, " << ratios.repeatable << " within "
        << number_text(100 * kRepeatable) << " % of those before, " << ratios.changed.size()
        << " changed beyond the noise; half within " << within(0.5) << " %, nine of ten within " << within(0.9)
        << " %; the worst is " << ratios.all.front().key << ": " << percent(ratios.all.front().factor) << '\n';
  }
  out << slower.size() << " slower beyond the noise, " << faster.size() << " faster, " << unsure.size()
      << " changed by more than " << number_text(100 * kLeastChange) << " %, but no more than they scatter\n";
  const bool worse = !slower.empty() || !failing.empty() || !missed.empty() || ratios.worse;
  return worse || (!gone.empty() && same_suite) ? 1 : 0;
}

}  // namespace sudar_bench
