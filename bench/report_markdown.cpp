// What:    A run as Markdown to read: verdicts and losses first, races as one line a workload, long tables left to the files.
#include "bench/losses.hpp"
#include "bench/report.hpp"
#include "bench/statistics.hpp"
#include "bench/suites.hpp"
#include "bench/tallies.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sudar_bench {

namespace {

// Of a table of a run of many parts; that of a single part is printed whole
constexpr std::size_t kMostRows = 40;
// Contestants beside each other, before a race is printed one row each
constexpr std::size_t kMostColumns = 9;

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.replace(at, 1, "\\|");
  return text;
}

void add_line(std::string& text, const std::vector<std::string>& cells) {
  for (const std::string& c : cells) text += "| " + cell(c) + ' ';
  text += "|\n";
}

void add_head(std::string& text, const std::vector<std::string>& columns) {
  add_line(text, columns);
  add_line(text, std::vector<std::string>(columns.size(), "---"));
}

std::string time_text(double ms) {
  if (ms < 1e-3) return number_text(ms * 1e6) + " ns";
  if (ms < 1) return number_text(ms * 1e3) + " µs";
  return ms < 1e4 ? number_text(ms) + " ms" : number_text(ms / 1e3) + " s";
}

// Workloads down, contestants across, the fastest in bold
void add_race(std::string& text, const std::string& name, const std::vector<const Measurement*>& rows) {
  std::vector<std::string> workloads, contestants;
  std::map<std::pair<std::string, std::string>, const Measurement*> at;
  const auto once = [](std::vector<std::string>& names, const std::string& one) {
    if (std::find(names.begin(), names.end(), one) == names.end()) names.push_back(one);
  };
  for (const Measurement* m : rows) {
    once(workloads, m->workload), once(contestants, m->contestant);
    at[{m->workload, m->contestant}] = m;
  }
  text += "\n#### " + name + "\n\n";
  const auto time_of = [](const Measurement& m) {
    if (!m.trouble.empty()) return m.trouble;
    std::string out = time_text(m.min_ms);
    if (m.ratio_to_best <= 1) out = "**" + out + "**";
    if (m.disagreements > 0)
      out += m.of > 0 ? " (" + std::to_string(m.disagreements) + " of " + std::to_string(m.of) + " wrong)"
                      : " (other answers)";
    return out;
  };
  if (contestants.size() <= kMostColumns) {
    std::vector<std::string> head = {"workload"};
    for (const std::string& c : contestants) {
      const Measurement* any = nullptr;
      for (const Measurement* m : rows)
        if (m->contestant == c) any = m;
      head.push_back(c + (any->version.empty() ? "" : " " + any->version));
    }
    add_head(text, head);
    for (const std::string& w : workloads) {
      std::vector<std::string> line = {w};
      for (const std::string& c : contestants) {
        const auto found = at.find({w, c});
        line.push_back(found == at.end() ? "" : time_of(*found->second));
      }
      add_line(text, line);
    }
    return;
  }
  add_head(text, {"workload", "contestant", "least", "median", "spread", "ratio to best"});
  for (const Measurement* m : rows)
    add_line(text, {m->workload, m->contestant + (m->version.empty() ? "" : " " + m->version), time_of(*m),
                    std::isfinite(m->median_ms) ? time_text(m->median_ms) : "", number_text(m->spread),
                    std::isfinite(m->ratio_to_best) ? number_text(m->ratio_to_best) : ""});
}

std::size_t column_of(const Table& table, const std::string& name) {
  return static_cast<std::size_t>(std::find(table.columns.begin(), table.columns.end(), name) - table.columns.begin());
}

// A long table as its chart shows it: x across, a line for each series (of a map: for each y), once for every choice. False when
// that is no shorter.
bool add_pivot(std::string& text, const Table& table, const Chart& chart) {
  constexpr std::size_t kMostAcross = 14, kMostTimes = 8;
  const bool map = chart.kind == "map";
  if (chart.kind != "lines" && !map) return false;
  const std::size_t x = column_of(table, chart.x), down = column_of(table, map ? chart.y : chart.series),
                    value = column_of(table, map ? chart.series : chart.y), width = table.columns.size();
  std::vector<std::size_t> choices;
  for (const std::string& choice : chart.choices)
    choices.push_back(column_of(table, choice.substr(0, choice.find('='))));
  if (x >= width || down >= width || value >= width) return false;
  for (const std::size_t choice : choices)
    if (choice >= width) return false;
  std::vector<std::string> across, times;
  std::map<std::string, std::vector<std::string>> lines;
  std::map<std::vector<std::string>, std::string> cells;
  const auto once = [](std::vector<std::string>& names, const std::string& one) {
    if (std::find(names.begin(), names.end(), one) == names.end()) names.push_back(one);
  };
  for (const auto& row : table.rows) {
    std::string time;
    for (const std::size_t choice : choices)
      time += (time.empty() ? "" : ", ") + table.columns[choice] + " " + row[choice];
    once(across, row[x]), once(times, time), once(lines[time], row[down]);
    cells[{time, row[down], row[x]}] = row[value];
  }
  if (across.size() > kMostAcross || times.size() > kMostTimes) return false;
  text += table.columns[value] + " by " + table.columns[down] + " and " + table.columns[x] + " (across):\n";
  for (const std::string& time : times) {
    text += "\n" + (time.empty() ? "" : time + ":\n\n");
    std::vector<std::string> head = {table.columns[down]};
    head.insert(head.end(), across.begin(), across.end());
    add_head(text, head);
    for (const std::string& line : lines[time]) {
      std::vector<std::string> out = {line};
      for (const std::string& a : across) out.push_back(cells[{time, line, a}]);
      add_line(text, out);
    }
  }
  return true;
}

void add_part(std::string& text, const PartResult& part, bool whole) {
  text += "\n### " + part.suite + "/" + part.part + "\n";
  if (!part.trouble.empty()) text += "\n**It did not get to its end: " + part.trouble + "**\n";
  for (const std::string& note : part.results.notes) text += '\n' + note + '\n';
  std::vector<std::string> names;
  std::map<std::string, std::vector<const Measurement*>> races;
  for (const Measurement& m : part.results.measurements) {
    if (races[m.table].empty()) names.push_back(m.table);
    races[m.table].push_back(&m);
  }
  for (const std::string& name : names) add_race(text, name, races[name]);
  for (const Table& table : part.results.tables) {
    text += "\n#### " + table.name + "\n\n";
    const std::size_t shown = whole ? table.rows.size() : std::min(table.rows.size(), kMostRows);
    if (shown < table.rows.size()) {
      const auto drawn = std::find_if(part.results.charts.begin(), part.results.charts.end(),
                                      [&](const Chart& chart) { return chart.table == table.name; });
      if (drawn != part.results.charts.end() && add_pivot(text, table, *drawn)) continue;
      text += std::to_string(table.rows.size()) + " rows, in the CSV of that name.\n";
      continue;
    }
    add_head(text, table.columns);
    for (const auto& row : table.rows) add_line(text, row);
  }
}

}  // namespace

std::string to_markdown(const Report& report) {
  const bool whole = report.parts.size() == 1;
  std::string text = "# Sudar: " + report.suite + "\n\nMade by `" + command_of(report) + " --markdown FILE`";
  // Those of the peers are a list of their own
  const auto of_peer = [](const std::string& name) { return name.starts_with("peer "); };
  for (const auto& [name, value] : report.build)
    if (!of_peer(name)) text += (name == "version" ? "; " : ", ") + name + " " + value;
  text += ", seed " + std::to_string(report.options.seed) + ".\n";
  if (!whole) {
    text += "\n";
    for (const auto& [name, value] : report.machine) text += (name == "processor" ? "" : ", ") + name + " " + value;
    text += "; " + number_text(std::round(report.seconds)) + " s in all.\n";
    text +=
        "\nContestants of a race ran in one process on the same data, in random order in every round; times are the "
        "least of all rounds, on one thread unless the row says otherwise. Only ratios carry over to other machines.\n";
    if (const std::string rounds = to_string(rounds_of_all(report.parts)); !rounds.empty()) text += rounds + "\n";
    const Balance balance = balance_of(report.parts);
    text += "\n**" + to_string(bars_of_all(report.parts)) + ".**\n";
    if (const Table counts = capability_table(report.parts); !counts.rows.empty()) {
      text += "\n";
      add_head(text, counts.columns);
      for (const auto& row : counts.rows) add_line(text, row);
    }
    if (balance.races > 0)
      text += "\n## Where we lose\n\nOf " + std::to_string(balance.races) + " races with a peer, ours is behind in " +
              std::to_string(balance.losses.size()) + " and even in " + std::to_string(balance.even) + ".\n\n";
    for (const Loss& loss : balance.losses) text += "- " + sentence(loss) + "\n";
  }
  const auto troubles = troubles_of(report);
  if (!troubles.empty()) text += "\n## What failed\n\n";
  for (const std::string& line : troubles) text += "- " + line + "\n";

  std::string findings;
  for (const PartResult& part : report.parts)
    for (const Finding& f : part.results.findings)
      findings +=
          "- **" + f.id + ", " + std::string(to_string(f.verdict)) + ".** " + f.claim + " *Here:* " + f.ours + "\n";
  if (!findings.empty()) text += "\n## What the seeds found, and our numbers\n\n" + findings;

  const auto add_bars = [&](bool passed, const std::string& title) {
    std::string rows;
    for (const PartResult& part : report.parts)
      for (const Bar& bar : part.results.bars)
        if (bar.passed == passed || whole)
          add_line(rows, {std::string(capability_of(part.suite, part.part)), bar.what, required_text(bar),
                          bar.measured ? seen_text(bar) : "",
                          bar.passed ? verdict_text(bar) : "**" + verdict_text(bar) + "**"});
    if (rows.empty()) return;
    text += "\n## " + title + "\n\n";
    add_head(text, {"capability", "what", "required", "seen", ""});
    text += rows;
    if (whole) text += "\n" + to_string(bars_of_all(report.parts)) + ".\n";
  };
  if (whole) {
    add_bars(true, "Bars");
  } else {
    add_bars(false, "Bars that are missed or not measured");
    add_bars(true, "Bars that are met");
  }

  std::set<std::string> missing;
  for (const PartResult& part : report.parts) missing.insert(part.results.missing.begin(), part.results.missing.end());
  if (!missing.empty()) text += "\n## Peers that were not found\n\n";
  for (const std::string& line : missing) text += "- " + line + "\n";

  std::string builds;
  for (const auto& [name, value] : report.build)
    if (of_peer(name)) builds += "- " + name.substr(name.find(' ') + 1) + ": " + value + "\n";
  if (!builds.empty()) text += "\n## Where the peers come from\n\n" + builds;

  text += "\n## What was measured\n";
  for (const PartResult& part : report.parts) add_part(text, part, whole);
  return text;
}

}  // namespace sudar_bench
