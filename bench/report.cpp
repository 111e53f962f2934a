#include "bench/report.hpp"

#include "bench/losses.hpp"
#include "bench/part_file.hpp"
#include "bench/statistics.hpp"
#include "bench/suites.hpp"
#include "bench/tallies.hpp"
#include <sudar/io/part_file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <ostream>
#include <set>
#include <system_error>

namespace sudar_bench {

namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// A name that every file system and shell takes
std::string file_name(const std::string& table) {
  std::string name;
  for (const char c : table) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
    if (plain)
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() ? "table" : name;
}

std::string finite_text(double value) { return std::isfinite(value) ? number_text(value) : std::string(); }

Table& table_of(std::vector<Table>& tables, const std::string& name, const std::vector<std::string>& columns) {
  const auto same = [&](const Table& t) { return t.name == name && t.columns == columns; };
  if (const auto found = std::find_if(tables.begin(), tables.end(), same); found != tables.end()) return *found;
  // Two parts may name different tables alike
  std::string free_name = name;
  while (std::any_of(tables.begin(), tables.end(), [&](const Table& t) { return t.name == free_name; }))
    free_name += " rows";
  return tables.emplace_back(Table{free_name, columns, {}});
}

// Columns as wide as their widest cell, in characters, not bytes
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

void print_table(const Table& table, std::ostream& out) {
  std::vector<std::size_t> width(table.columns.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    width[c] = width_of(table.columns[c]);
    for (const auto& row : table.rows) width[c] = std::max(width[c], width_of(row[c]));
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c)
      out << "  " << cells[c] << std::string(width[c] - width_of(cells[c]), ' ');
    out << '\n';
  };
  out << '\n' << table.name << '\n';
  line(table.columns);
  // Thousands of steps are for the file
  constexpr std::size_t kMostLines = 120;
  for (std::size_t r = 0; r < std::min(table.rows.size(), kMostLines); ++r) line(table.rows[r]);
  if (table.rows.size() > kMostLines) out << "  … and " << table.rows.size() - kMostLines << " rows more\n";
}

std::string to_csv(const Table& table) {
  std::string text;
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c) text += (c == 0 ? "" : ",") + csv_field(cells[c]);
    text += '\n';
  };
  line(table.columns);
  for (const auto& row : table.rows) line(row);
  return text;
}

std::string to_json_text(const Report& report, const std::vector<Table>& tables) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["schema"] = "sudar/bench-1";
  json["suite"] = report.suite;
  json["quick"] = report.options.quick;
  json["peers_asked"] = report.options.peers;
  json["seed"] = report.options.seed;
  json["complete"] = report.complete();
  json["seconds"] = report.seconds;
  for (const auto& [name, value] : report.build) json["build"][name] = value;
  for (const auto& [name, value] : report.machine) json["machine"][name] = value;
  json["peers"] = Json::object();
  for (const auto& [name, version] : peers_of(report)) json["peers"][name] = version;
  json["missing_peers"] = Json::array();
  json["parts"] = Json::array();
  json["measurements"] = Json::array();
  json["bars"] = Json::array();
  json["findings"] = Json::array();
  json["notes"] = Json::array();
  for (const PartResult& part : report.parts) {
    json["parts"].push_back({{"suite", part.suite},
                             {"part", part.part},
                             {"seconds", part.seconds},
                             {"megabytes", part.megabytes},
                             {"resumed", part.resumed},
                             {"trouble", part.trouble}});
    const Results& r = part.results;
    for (const Measurement& m : r.measurements)
      json["measurements"].push_back({{"table", m.table},
                                      {"workload", m.workload},
                                      {"contestant", m.contestant},
                                      {"version", m.version},
                                      {"rounds", m.rounds},
                                      {"ms_min", m.min_ms},
                                      {"ms_median", m.median_ms},
                                      {"spread", m.spread},
                                      {"ratio_to_best", m.ratio_to_best},
                                      {"ratio_p10", m.ratio_low},
                                      {"ratio_p50", m.ratio_median},
                                      {"ratio_p90", m.ratio_high},
                                      {"calls", m.calls},
                                      {"disturbed", m.disturbed},
                                      {"repeated", m.repeated},
                                      {"answer", m.answer},
                                      {"disagreements", m.disagreements},
                                      {"of", m.of},
                                      {"why", m.why},
                                      {"trouble", m.trouble}});
    for (const Bar& bar : r.bars)
      json["bars"].push_back({{"what", bar.what},
                              {"required", bar.required},
                              {"side", bar.side == Bar::Side::at_least  ? "at least"
                                       : bar.side == Bar::Side::at_most ? "at most"
                                                                        : ""},
                              {"seen", bar.seen},
                              {"passed", bar.passed},
                              {"measured", bar.measured},
                              {"seen_by_rounds", bar.seen_by_rounds},
                              {"part", part.suite + "/" + part.part},
                              {"capability", capability_of(part.suite, part.part)}});
    for (const Finding& f : r.findings)
      json["findings"].push_back(
          {{"id", f.id}, {"claim", f.claim}, {"verdict", to_string(f.verdict)}, {"ours", f.ours}, {"chart", f.chart}});
    for (const std::string& text : r.missing) json["missing_peers"].push_back(text);
    for (const std::string& text : r.notes) json["notes"].push_back(text);
  }
  json["bars_by_capability"] = Json::array();
  for (const CapabilityTally& c : bars_by_capability(report.parts))
    json["bars_by_capability"].push_back({{"capability", c.capability},
                                          {"bars", c.bars.all},
                                          {"met", c.bars.met},
                                          {"missed", c.bars.missed()},
                                          {"not_measured", c.bars.unmeasured},
                                          {"failed_parts", c.failed_parts}});
  const BarTally bars = bars_of_all(report.parts);
  json["bar_count"] = {
      {"bars", bars.all}, {"met", bars.met}, {"missed", bars.missed()}, {"not_measured", bars.unmeasured}};
  const RoundTally rounds = rounds_of_all(report.parts);
  json["rounds"] = {{"timed", rounds.timed}, {"repeated", rounds.repeated}, {"disturbed", rounds.disturbed}};
  json["where_we_lose"] = Json::array();
  for (const Loss& loss : balance_of(report.parts).losses)
    json["where_we_lose"].push_back({{"table", loss.table},
                                     {"workload", loss.workload},
                                     {"ours", loss.ours},
                                     {"peer", loss.peer},
                                     {"ratio", loss.ratio},
                                     {"text", sentence(loss)}});
  json["tables"] = Json::object();
  for (const Table& table : tables) {
    auto& rows = json["tables"][table.name] = Json::array();
    for (const auto& row : table.rows) {
      Json object;
      for (std::size_t c = 0; c < row.size(); ++c) object[table.columns[c]] = row[c];
      rows.push_back(object);
    }
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

bool Report::complete() const { return troubles_of(*this).empty(); }

std::string seen_text(const Bar& bar) {
  if (!bar.measured) return "not measured";
  return number_text(bar.seen) +
         (bar.seen_by_rounds > 0 ? " (" + number_text(bar.seen_by_rounds) + " in the middle round)" : std::string());
}

std::string required_text(const Bar& bar) {
  const char* side = bar.side == Bar::Side::at_least ? "≥ " : bar.side == Bar::Side::at_most ? "≤ " : "";
  return side + number_text(bar.required);
}

std::string verdict_text(const Bar& bar) {
  if (!bar.measured) return "not measured";
  if (bar.passed) return "pass";
  const double lacking = std::fabs(bar.seen - bar.required);
  if (!std::isfinite(lacking)) return "missed";
  if (bar.required == 0) return "missed by " + number_text(lacking);
  char percent[32];
  std::snprintf(percent, sizeof percent, "%.2g", std::min(100 * lacking / std::fabs(bar.required), 1e6));
  return "missed by " + number_text(std::strtod(percent, nullptr)) + " %";
}

std::vector<Table> tables_of(const Report& report) {
  static const std::vector<std::string> kRace = {
      "workload",  "contestant", "version",       "rounds",        "calls",     "ms_min",
      "ms_median", "spread",     "ratio_to_best", "ratio_p10",     "ratio_p50", "ratio_p90",
      "disturbed", "repeated",   "answer",        "disagreements", "of",        "trouble"};
  std::vector<Table> tables;
  for (const PartResult& part : report.parts) {
    for (const Measurement& m : part.results.measurements)
      table_of(tables, m.table, kRace)
          .rows.push_back({m.workload, m.contestant, m.version, std::to_string(m.rounds), std::to_string(m.calls),
                           finite_text(m.min_ms), finite_text(m.median_ms), finite_text(m.spread),
                           finite_text(m.ratio_to_best), finite_text(m.ratio_low), finite_text(m.ratio_median),
                           finite_text(m.ratio_high), std::to_string(m.disturbed), std::to_string(m.repeated),
                           finite_text(m.answer), std::to_string(m.disagreements), m.of > 0 ? std::to_string(m.of) : "",
                           m.trouble});
    for (const Table& table : part.results.tables) {
      Table& out = table_of(tables, table.name, table.columns);
      out.rows.insert(out.rows.end(), table.rows.begin(), table.rows.end());
    }
  }
  return tables;
}

std::string command_of(const Report& report) {
  return "sudar bench --suite " +
         (report.suite.find(' ') == std::string::npos ? report.suite : "'" + report.suite + "'") +
         (report.options.quick ? " --quick" : "") + (report.options.peers ? " --peers" : "") +
         (report.options.seed != 1 ? " --seed " + std::to_string(report.options.seed) : "");
}

std::vector<std::pair<std::string, std::string>> peers_of(const Report& report) {
  std::set<std::pair<std::string, std::string>> peers;
  for (const PartResult& part : report.parts)
    for (const Measurement& m : part.results.measurements)
      if (!m.version.empty()) peers.emplace(m.contestant, m.version);
  return {peers.begin(), peers.end()};
}

std::string_view to_string(Verdict verdict) {
  constexpr std::array<std::string_view, 3> kNames = {"confirmed", "refuted", "open"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::vector<std::string> troubles_of(const Report& report) {
  std::vector<std::string> lines;
  for (const PartResult& part : report.parts) {
    if (!part.trouble.empty()) lines.push_back(part.suite + "/" + part.part + ": " + part.trouble);
    for (const Measurement& m : part.results.measurements)
      if (!m.trouble.empty()) lines.push_back(contestant_key(m.table, m.workload, m.contestant) + ": " + m.trouble);
    for (const std::string& input : part.results.missing_inputs)
      lines.push_back(part.suite + "/" + part.part + ": input not found: " + input);
    for (const Bar& bar : part.results.bars)
      if (!bar.measured) lines.push_back(part.suite + "/" + part.part + ": bar not measured: " + bar.what);
  }
  return lines;
}

void print_results(const Report& report, std::ostream& out) {
  for (const Table& table : tables_of(report)) print_table(table, out);
  bool heading = false;
  for (const PartResult& part : report.parts)
    for (const Finding& f : part.results.findings) {
      if (!heading) out << "\nwhat the seeds found\n";
      heading = true;
      out << "  " << f.id << ' ' << to_string(f.verdict) << ". " << f.claim << " Here: " << f.ours << '\n';
    }
  for (const PartResult& part : report.parts)
    for (const std::string& text : part.results.notes) out << '\n' << text << '\n';
  for (const PartResult& part : report.parts)
    for (const std::string& text : part.results.missing) out << "peer not found: " << text << '\n';
  const Balance balance = balance_of(report.parts);
  if (balance.races > 0) {
    out << "\nwhere we lose: " << balance.losses.size() << " of " << balance.races << " races with a peer ("
        << balance.even << " even)\n";
    for (const Loss& loss : balance.losses) out << "  " << sentence(loss) << '\n';
  }
  if (const std::string text = to_string(rounds_of_all(report.parts)); !text.empty()) out << '\n' << text << '\n';
  for (const std::string& text : troubles_of(report)) out << "FAILED  " << text << '\n';
  const BarTally tally = bars_of_all(report.parts);
  if (tally.all == 0) return;
  out << "\nbars\n";
  for (const PartResult& part : report.parts)
    for (const Bar& bar : part.results.bars) {
      out << "  "
          << (bar.passed     ? "pass  "
              : bar.measured ? "MISSED"
                             : "UNSEEN")
          << "  " << bar.what << ": required " << required_text(bar) << ", " << (bar.measured ? "seen " : "")
          << seen_text(bar);
      if (bar.measured && !bar.passed) out << ", " << verdict_text(bar);
      out << '\n';
    }
  print_table(capability_table(report.parts), out);
  out << '\n' << to_string(tally) << '\n';
}

bool can_write(const std::string& dir) {
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  return !error && sudar::can_write_file((std::filesystem::path(dir) / "results.json").string()).ok();
}

bool write_results(const Report& report, const std::string& dir) {
  if (!can_write(dir)) return false;
  const std::vector<Table> tables = tables_of(report);
  const std::filesystem::path root(dir);
  for (const Table& table : tables)
    if (!write_text((root / (file_name(table.name) + ".csv")).string(), to_csv(table))) return false;
  return write_text((root / "results.json").string(), to_json_text(report, tables)) &&
         write_text((root / "report.html").string(), to_html(report));
}

}  // namespace sudar_bench
