#include "bench/report.hpp"

#include <sudar/core/info.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <ostream>
#include <sstream>
#include <system_error>

namespace sudar_bench {

namespace {

std::string number(double value) {
  std::ostringstream text;
  text << std::setprecision(4) << value;
  return text.str();
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string html_text(const std::string& text) {
  std::string safe;
  for (char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else
      safe += c;
  }
  return safe;
}

// Races become tables with the columns of the contract, beside the tables that the parts made themselves
std::vector<Table> all_tables(const Session& session) {
  std::map<std::string, Table> races;
  for (const Measurement& m : session.measurements()) {
    Table& table = races[m.table];
    table.name = m.table;
    table.columns = {"workload",  "contestant", "version",       "rounds", "ms_min",
                     "ms_median", "spread",     "ratio_to_best", "answer", "disagreements"};
    table.rows.push_back({m.workload, m.contestant, m.version, std::to_string(m.rounds), number(m.min_ms),
                          number(m.median_ms), number(m.spread), number(m.ratio_to_best), number(m.answer),
                          std::to_string(m.disagreements)});
  }
  std::vector<Table> tables;
  for (auto& [name, table] : races) tables.push_back(std::move(table));
  tables.insert(tables.end(), session.tables().begin(), session.tables().end());
  return tables;
}

void print_table(const Table& table, std::ostream& out) {
  std::vector<std::size_t> width(table.columns.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    width[c] = table.columns[c].size();
    for (const auto& row : table.rows) width[c] = std::max(width[c], row[c].size());
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c)
      out << (c == 0 ? "  " : "  ") << std::left << std::setw(static_cast<int>(width[c])) << cells[c];
    out << '\n';
  };
  out << '\n' << table.name << '\n';
  line(table.columns);
  for (const auto& row : table.rows) line(row);
}

bool write_file(const std::filesystem::path& path, const std::string& text) {
  // Written aside first, so that no half-written file is left under the final name
  const std::filesystem::path aside = path.string() + ".part";
  std::ofstream file(aside, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file.fail()) {
    std::filesystem::remove(aside, error);
    return false;
  }
  std::filesystem::rename(aside, path, error);
  return !error;
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

std::string to_json(const Session& session, std::string_view suite, const std::vector<Table>& tables) {
  const auto info = sudar::build_info();
  nlohmann::ordered_json json;
  json["schema"] = "sudar/bench-1";
  json["suite"] = suite;
  json["quick"] = session.options().quick;
  json["seed"] = session.options().seed;
  json["build"] = {{"version", info.version},
                   {"compiler", info.compiler},
                   {"simd", info.simd},
                   {"threads", info.threads},
                   {"processor", processor()}};
  for (const Table& table : tables) {
    auto& rows = json["tables"][table.name] = nlohmann::ordered_json::array();
    for (const auto& row : table.rows) {
      nlohmann::ordered_json object;
      for (std::size_t c = 0; c < row.size(); ++c) object[table.columns[c]] = row[c];
      rows.push_back(object);
    }
  }
  json["bars"] = nlohmann::ordered_json::array();
  for (const Bar& bar : session.bars())
    json["bars"].push_back(
        {{"what", bar.what}, {"required", bar.required}, {"seen", bar.seen}, {"passed", bar.passed}});
  json["missing_peers"] = session.missing();
  json["notes"] = session.notes();
  return json.dump(1) + "\n";
}

std::string to_markdown(const Session& session, std::string_view suite, const std::vector<Table>& tables) {
  const auto info = sudar::build_info();
  std::string text = "# Sudar: " + std::string(suite) + "\n\nMade by `sudar bench --suite " + std::string(suite) +
                     (session.options().quick ? " --quick" : "") + (session.options().peers ? " --peers" : "") +
                     " --markdown FILE`; version " + std::string(info.version) + ", " + std::string(info.compiler) +
                     ", seed " + std::to_string(session.options().seed) + ".\n";
  for (const std::string& note : session.notes()) text += '\n' + note + '\n';
  if (!session.bars().empty()) {
    text += "\n## Bars\n| what | required | seen | |\n|---|---|---|---|\n";
    for (const Bar& bar : session.bars())
      text += "| " + bar.what + " | " + number(bar.required) + " | " + number(bar.seen) + " | " +
              (bar.passed ? "pass" : "**missed**") + " |\n";
  }
  for (const Table& table : tables) {
    const auto line = [&](const std::vector<std::string>& cells) {
      for (const std::string& cell : cells) text += "| " + cell + ' ';
      text += "|\n";
    };
    text += "\n## " + table.name + '\n';
    line(table.columns);
    line(std::vector<std::string>(table.columns.size(), "---"));
    for (const auto& row : table.rows) line(row);
  }
  return text;
}

// A horizontal bar for each contestant of a workload, drawn in HTML alone
std::string race_chart(const Session& session, const std::string& table) {
  std::map<std::string, std::vector<const Measurement*>> workloads;
  for (const Measurement& m : session.measurements())
    if (m.table == table) workloads[m.workload].push_back(&m);
  std::string html;
  for (const auto& [workload, rows] : workloads) {
    double longest = 0;
    for (const Measurement* m : rows) longest = std::max(longest, m->min_ms);
    html += "<h3>" + html_text(workload) + "</h3><div class=race>";
    for (const Measurement* m : rows)
      html += "<span>" + html_text(m->contestant) + "</span><i class=" + (m->version.empty() ? "ours" : "peer") +
              " style=\"width:" + number(std::max(0.5, 100 * m->min_ms / longest)) + "%\"></i><b>" + number(m->min_ms) +
              " ms</b>";
    html += "</div>";
  }
  return html;
}

std::string to_html(const Session& session, std::string_view suite, const std::vector<Table>& tables) {
  const auto info = sudar::build_info();
  std::string html =
      "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
      "<title>Sudar: benchmark</title><style>"
      ":root{color-scheme:light dark;--ours:#0072b2;--peer:#999}"
      "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}"
      "table{border-collapse:collapse;margin:.5rem 0 1.5rem;display:block;overflow-x:auto}"
      "th,td{padding:.2rem .7rem;text-align:left;border-bottom:1px solid #8884;font-variant-numeric:tabular-nums}"
      ".race{display:grid;grid-template-columns:max-content 1fr max-content;gap:.2rem .8rem;align-items:center}"
      ".race i{height:.9rem;border-radius:2px;background:var(--peer)}.race i.ours{background:var(--ours)}"
      ".pass{color:#009e73}.miss{color:#d55e00;font-weight:600}</style>";
  html += "<h1>Sudar: " + html_text(std::string(suite)) + "</h1><p>Version " + std::string(info.version) + ", " +
          html_text(std::string(info.compiler)) + ", " + html_text(processor()) +
          ". Contestants ran in one process, interleaved in random order; times are minima, and only ratios carry over "
          "to other machines. Repeat with <code>sudar bench --suite " +
          html_text(std::string(suite)) + (session.options().peers ? " --peers" : "") +
          (session.options().quick ? " --quick" : "") + "</code>.</p>";
  if (!session.bars().empty()) {
    html += "<h2>Bars</h2><table><tr><th>what<th>required<th>seen<th></tr>";
    for (const Bar& bar : session.bars())
      html += "<tr><td>" + html_text(bar.what) + "<td>" + number(bar.required) + "<td>" + number(bar.seen) +
              (bar.passed ? "<td class=pass>pass" : "<td class=miss>missed");
    html += "</table>";
  }
  for (const std::string& text : session.notes()) html += "<p>" + html_text(text) + "</p>";
  for (const std::string& text : session.missing()) html += "<p>Peer not found: " + html_text(text) + "</p>";
  for (const Table& table : tables) {
    html += "<h2>" + html_text(table.name) + "</h2>" + race_chart(session, table.name) + "<table><tr>";
    for (const std::string& column : table.columns) html += "<th>" + html_text(column);
    for (const auto& row : table.rows) {
      html += "<tr>";
      for (const std::string& cell : row) html += "<td>" + html_text(cell);
    }
    html += "</table>";
  }
  return html + "</html>\n";
}

}  // namespace

void print_results(const Session& session, std::ostream& out) {
  for (const Table& table : all_tables(session)) print_table(table, out);
  for (const std::string& text : session.notes()) out << '\n' << text << '\n';
  for (const std::string& text : session.missing()) out << "peer not found: " << text << '\n';
  if (session.bars().empty()) return;
  int passed = 0;
  out << "\nbars\n";
  for (const Bar& bar : session.bars()) {
    passed += bar.passed ? 1 : 0;
    out << "  " << (bar.passed ? "pass  " : "MISSED") << "  " << bar.what << ": required " << number(bar.required)
        << ", seen " << number(bar.seen) << '\n';
  }
  out << passed << " of " << session.bars().size() << " bars met\n";
}

bool can_write(const std::string& dir) {
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (error) return false;
  const std::filesystem::path probe = std::filesystem::path(dir) / "results.json";
  const bool existed = std::filesystem::exists(probe, error);
  const bool open = static_cast<bool>(std::ofstream(probe, std::ios::app));
  if (!existed) std::filesystem::remove(probe, error);
  return open;
}

bool write_markdown(const Session& session, std::string_view suite, const std::string& file) {
  return write_file(file, to_markdown(session, suite, all_tables(session)));
}

bool write_results(const Session& session, std::string_view suite, const std::string& dir) {
  if (!can_write(dir)) return false;
  const std::vector<Table> tables = all_tables(session);
  const std::filesystem::path root(dir);
  for (const Table& table : tables)
    if (!write_file(root / (table.name + ".csv"), to_csv(table))) return false;
  return write_file(root / "results.json", to_json(session, suite, tables)) &&
         write_file(root / "report.html", to_html(session, suite, tables));
}

}  // namespace sudar_bench
