// What:    A run as one self-contained HTML page: verdicts, losses, bars and findings as text, charts and tables by the
//          script of report_page.hpp.
#include "bench/losses.hpp"
#include "bench/report.hpp"
#include "bench/report_overview.hpp"
#include "bench/report_page.hpp"
#include "bench/statistics.hpp"
#include "bench/suites.hpp"
#include "bench/tallies.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace sudar_bench {

std::string html_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

namespace {

// Nothing in it ends the script element
std::string data_of(const Report& report, const std::vector<Table>& tables) {
  using Json = nlohmann::ordered_json;
  Json json = {{"tables", Json::array()}, {"charts", Json::array()}};
  for (const Table& t : tables) json["tables"].push_back({{"name", t.name}, {"columns", t.columns}, {"rows", t.rows}});
  for (const PartResult& part : report.parts)
    for (const Chart& c : part.results.charts) {
      Json levels = Json::array();
      for (const Chart::Level& level : c.levels) levels.push_back({{"y", level.y}, {"label", level.label}});
      json["charts"].push_back({{"name", c.name},
                                {"title", c.title},
                                {"table", c.table},
                                {"kind", c.kind},
                                {"x", c.x},
                                {"y", c.y},
                                {"series", c.series},
                                {"log_x", c.log_x},
                                {"log_y", c.log_y},
                                {"choices", c.choices},
                                {"levels", levels}});
    }
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

std::string tile(const std::string& value, const std::string& what) {
  return "<div class=fact><b>" + html_text(value) + "</b>" + html_text(what) + "</div>";
}

std::string summary_of(const Report& report, const Balance& balance) {
  const BarTally tally = bars_of_all(report.parts);
  std::size_t confirmed = 0, refuted = 0;
  for (const PartResult& part : report.parts)
    for (const Finding& f : part.results.findings) {
      confirmed += f.verdict == Verdict::confirmed ? 1 : 0;
      refuted += f.verdict == Verdict::refuted ? 1 : 0;
    }
  std::string html = "<div class=facts>";
  if (tally.all > 0)
    html +=
        tile(std::to_string(tally.met) + " of " + std::to_string(tally.all),
             tally.unmeasured == 0 ? "bars met" : "bars met, " + std::to_string(tally.unmeasured) + " not measured");
  if (balance.races > 0)
    html += tile(
        std::to_string(balance.races - balance.losses.size() - balance.even) + " of " + std::to_string(balance.races),
        "races won against the best peer, " + std::to_string(balance.even) + " even");
  if (confirmed + refuted > 0)
    html += tile(std::to_string(confirmed) + " / " + std::to_string(refuted), "findings confirmed / refuted");
  html += tile(number_text(std::round(report.seconds)) + " s", "for " + std::to_string(report.parts.size()) + " parts");
  if (!report.complete()) html += tile(std::to_string(troubles_of(report).size()), "failures");
  return html + "</div>";
}

std::string bars_of(const Report& report) {
  std::string html;
  // The missed ones first
  for (const bool passed : {false, true})
    for (const PartResult& part : report.parts)
      for (const Bar& bar : part.results.bars)
        if (bar.passed == passed)
          html += "<tr><td>" + html_text(capability_of(part.suite, part.part)) + "<td>" + html_text(bar.what) +
                  "<td class=n>" + html_text(required_text(bar)) + "<td class=n>" +
                  html_text(bar.measured ? seen_text(bar) : "") + (passed ? "<td class=good>" : "<td class=bad>") +
                  html_text(verdict_text(bar));
  if (html.empty()) return html;
  const Table counts = capability_table(report.parts);
  std::string tally = "<table id=bar-counts><tr>";
  for (const std::string& column : counts.columns) tally += "<th>" + html_text(column);
  for (const auto& row : counts.rows) {
    tally += "<tr><td>" + html_text(row[0]);
    for (std::size_t c = 1; c < row.size(); ++c) tally += "<td class=n>" + html_text(row[c]);
  }
  tally += "</table><p>" + html_text(to_string(bars_of_all(report.parts))) + ".</p>";
  return "<h2 id=bars>Bars</h2>" + tally +
         "<div class=scroll><table><tr><th>capability<th>what<th>required<th>seen<th></tr>" + html + "</table></div>";
}

std::string findings_of(const Report& report) {
  std::string html;
  std::set<std::string> drawn;
  const auto figure = [&](const std::string& chart) {
    if (!chart.empty() && drawn.insert(chart).second)
      html += "<figure data-chart=\"" + html_text(chart) + "\"></figure>";
  };
  for (const PartResult& part : report.parts) {
    if (part.results.findings.empty() && part.results.charts.empty()) continue;
    html += "<h3>" + html_text(part.suite + "/" + part.part) + "</h3>";
    for (const Finding& f : part.results.findings) {
      const std::string verdict(to_string(f.verdict));
      const std::string tone = f.verdict == Verdict::confirmed ? "good"
                               : f.verdict == Verdict::refuted ? "bad"
                                                               : "soft";
      html += "<div class=\"finding " + verdict + "\"><b>" + html_text(f.id) + "</b> " + html_text(f.claim) +
              "<br><span class=\"badge " + tone + "\">" + verdict + "</span> Here: " + html_text(f.ours) + "</div>";
      figure(f.chart);
    }
    for (const Chart& chart : part.results.charts) figure(chart.name);
  }
  return html.empty() ? html : "<h2 id=seeds>The seeds' experiments</h2>" + html;
}

std::string races_of(const Report& report) {
  std::string html, suite;
  std::set<std::string> drawn;
  for (const PartResult& part : report.parts)
    for (const Measurement& m : part.results.measurements) {
      if (!drawn.insert(m.table).second) continue;
      if (suite != part.suite) html += "<h3>" + html_text(part.suite) + "</h3>";
      suite = part.suite;
      html += "<figure data-race=\"" + html_text(m.table) + "\"></figure>";
    }
  return html.empty() ? html : "<h2 id=races>Races</h2>" + html;
}

std::string list_of(const std::string& heading, const std::string& id, const std::set<std::string>& lines) {
  if (lines.empty()) return {};
  std::string html = "<h2 id=" + id + ">" + heading + "</h2><ul>";
  for (const std::string& line : lines) html += "<li>" + html_text(line);
  return html + "</ul>";
}

}  // namespace

std::string to_html(const Report& report) {
  const std::vector<Table> tables = tables_of(report);
  const Balance balance = balance_of(report.parts);
  std::set<std::string> missing, notes, troubles;
  for (const PartResult& part : report.parts) {
    missing.insert(part.results.missing.begin(), part.results.missing.end());
    notes.insert(part.results.notes.begin(), part.results.notes.end());
  }
  for (const std::string& line : troubles_of(report)) troubles.insert(line);

  std::string body = "<main><h1>Sudar: " + html_text(report.suite) + "</h1><p class=soft>";
  for (const auto& [name, value] : report.machine)
    if (name == "processor" || name == "date") body += html_text(value) + ". ";
  body +=
      "Contestants of a race ran in one process on the same data, in random order in every round. Times are the "
      "least of all rounds, on one thread unless the row says otherwise; only ratios carry over to other machines.</p>";
  body += summary_of(report, balance);
  const std::string findings = findings_of(report), races = races_of(report), bars = bars_of(report);
  body += "<nav>";
  if (!balance.standings.empty()) body += "<a href=#overview>all races at a glance</a>";
  if (balance.races > 0) body += "<a href=#losses>where we lose</a>";
  if (!findings.empty()) body += "<a href=#seeds>the seeds' experiments</a>";
  if (!bars.empty()) body += "<a href=#bars>bars</a>";
  if (!races.empty()) body += "<a href=#races>races</a>";
  body += "<a href=#tables>tables</a><a href=#how>how it was measured</a></nav>";
  body += list_of("What failed", "failed", troubles);
  body += overview_html(balance);
  if (balance.races > 0) {
    body += "<h2 id=losses>Where we lose</h2><p>Of " + std::to_string(balance.races) +
            " races with a peer, ours is behind in " + std::to_string(balance.losses.size()) + " and even in " +
            std::to_string(balance.even) + ".</p><ul>";
    for (const Loss& loss : balance.losses) body += "<li>" + html_text(sentence(loss));
    body += "</ul>";
  }
  body += findings + bars + races;
  body += "<h2 id=tables>Tables</h2>";
  for (const Table& table : tables)
    body += "<details data-table=\"" + html_text(table.name) + "\"><summary>" + html_text(table.name) +
            " <span class=soft>" + std::to_string(table.rows.size()) + " rows</span></summary></details>";
  body += list_of("Notes", "notes", notes);
  body += list_of("Peers that were not found", "missing", missing);
  body += "<h2 id=how>How it was measured, and how to repeat it</h2><p><code>" + html_text(command_of(report)) +
          " -o DIR</code></p><p>Every part runs in a process of its own" +
          (report.options.pin ? ", pinned to one processor; races of several threads, which their rows tell, are not"
                              : "") +
          ". A first round of every race warms up and is not counted. Spread is the distance of the 10th from the 90th "
          "percentile over the median; ratio_p10, ratio_p50 and ratio_p90 are percentiles of the ratio to the best in "
          "the same "
          "round. Work of less than a millisecond is repeated within a round (calls), and its time divided. A round is "
          "disturbed when the processor was given to another process, and is taken again then, as far as there is "
          "time. " +
          html_text(to_string(rounds_of_all(report.parts))) +
          " "
          "Answers of all contestants are compared with those of the first.</p><table>";
  for (const Facts& facts : {report.build, report.machine})
    for (const auto& [name, value] : facts) body += "<tr><td>" + html_text(name) + "<td>" + html_text(value);
  for (const auto& [name, version] : peers_of(report))
    body += "<tr><td>" + html_text(name) + "<td>" + html_text(version);
  body += "</table><h3>Parts</h3><table><tr><th>part<th>seconds<th>MB<th></tr>";
  for (const PartResult& part : report.parts)
    body += "<tr><td>" + html_text(part.suite + "/" + part.part) + "<td class=n>" + number_text(part.seconds) +
            "<td class=n>" + number_text(std::round(part.megabytes)) + "<td>" +
            (part.resumed ? "from an earlier run" : "") + html_text(part.trouble);
  body += "</table></main>";
  return "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
         "content=\"width=device-width,initial-scale=1\"><title>Sudar: benchmark</title><style>" +
         std::string(kReportStyle) + "</style></head><body>" + body + "\n<script id=data type=\"application/json\">" +
         data_of(report, tables) + "</script>\n<script>" + kReportScript + "</script></body></html>\n";
}

}  // namespace sudar_bench
