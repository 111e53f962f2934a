#include "cli/tour_report.hpp"

#include "cli/pictures.hpp"
#include "cli/svg.hpp"
#include "cli/text.hpp"
#include <sudar/core/info.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace sudar_cli {

namespace {

// The style of the page. Colours are variables, so that one set of rules serves light and dark.
constexpr const char* kStyle = R"css(
:root{--ground:#f6f7f9;--card:#fff;--ink:#171c26;--soft:#5b6575;--line:#e1e5eb;--fine:#eef1f4;--world:#f9fafb;
--box:#b9c6d8;--box-l:#9fb0c7;--box-r:#8799b3;--edge:#6d7f9a;--fix:#dcd9d2;--fix-l:#c4c0b6;--fix-r:#aba699;--fix-e:#8c877a;
--hit:#f08a4b;--hit-l:#d96f2e;--hit-r:#b95719;--hit-e:#9a4510;--good:#12805c;--good-ground:#e3f4ed;--bad:#b42318;--bad-ground:#fde8e6;
--s0:#98a1ae;--s1:#d98a00;--s2:#1f6fc4;--s3:#12805c;--s4:#8b4bbf;--s5:#c0396b;--s6:#0f8a9d;--s7:#7a6a1f}
@media (prefers-color-scheme:dark){:root{--ground:#0f131a;--card:#171d27;--ink:#e8ecf2;--soft:#9aa6b6;--line:#28313f;--fine:#1f2733;--world:#121822;
--box:#4a5b75;--box-l:#3c4b63;--box-r:#303d52;--edge:#7388a8;--fix:#55524a;--fix-l:#45423b;--fix-r:#37352f;--fix-e:#837e70;
--hit:#f59b5f;--hit-l:#d9783a;--hit-r:#b25d26;--hit-e:#ffc49c;--good:#5ad1a4;--good-ground:#12352a;--bad:#ff8a80;--bad-ground:#40191a;
--s0:#7b8696;--s1:#f0ad3a;--s2:#5aa2f0;--s3:#4ecb9b;--s4:#b98be0;--s5:#ee7ba5;--s6:#4cc3d4;--s7:#c9b95a}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:1380px;margin:0 auto;padding:40px 24px 64px}
h1{font-size:32px;line-height:1.2;letter-spacing:-.02em;margin:0 0 6px}
h2{font-size:20px;letter-spacing:-.01em;margin:44px 0 4px}
p{margin:0}.soft{color:var(--soft)}
.verdict{display:inline-block;margin-top:16px;padding:7px 14px;border-radius:999px;font-weight:600;color:var(--good);background:var(--good-ground)}
.verdict.no{color:var(--bad);background:var(--bad-ground)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin-top:24px}
.tile,.card,.panel{background:var(--card);border:1px solid var(--line);border-radius:12px}
.tile{padding:14px 16px}.tile b{display:block;white-space:nowrap;font-size:24px;line-height:1.25;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.tile span{color:var(--soft);font-size:13px}
.panel{margin-top:14px;padding:18px;overflow-x:auto}.panel svg{min-width:860px}
.key{display:flex;flex-wrap:wrap;gap:6px 20px;margin-top:12px;font-size:13px;color:var(--soft)}
.key i{display:inline-block;width:11px;height:11px;border-radius:3px;margin-right:7px;vertical-align:-1px}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:18px;margin-top:16px}
.card{overflow:hidden;display:flex;flex-direction:column}
.card>svg{display:block;background:var(--card);border-bottom:1px solid var(--line)}
.card .text{padding:14px 16px 12px;display:flex;flex-direction:column;gap:10px;flex:1}
.card h3{margin:0;font-size:17px;display:flex;align-items:center;gap:8px}
.chip{font-size:12px;font-weight:600;color:var(--soft);border:1px solid var(--line);border-radius:6px;padding:0 7px}
.card p{font-size:13px;color:var(--soft);flex:1}
.facts{display:flex;gap:22px;font-size:13px;color:var(--soft)}.facts b{color:var(--ink);font-variant-numeric:tabular-nums}
svg{width:100%;height:auto;display:block}.text svg{max-width:300px}
svg text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;fill:var(--soft)}
svg .best{font-weight:700;fill:var(--ink)}svg .label{fill:var(--ink)}svg .tick{fill:var(--soft)}
.giant{fill:var(--hit);stroke:var(--hit-e);fill-opacity:.3;stroke-width:3;stroke-linejoin:round}
.world{fill:var(--world);stroke:var(--line);stroke-width:2}
.box{fill:var(--box);stroke:var(--edge)}.fix{fill:var(--fix);stroke:var(--fix-e)}.hit{fill:var(--hit);stroke:var(--hit-e)}
.box,.fix,.hit{stroke-width:1;stroke-linejoin:round;fill-opacity:.85}
.l,.r,.t{fill-opacity:1;stroke-width:.6}
.box.l{fill:var(--box-l)}.box.r{fill:var(--box-r)}.fix.l{fill:var(--fix-l)}.fix.r{fill:var(--fix-r)}.hit.l{fill:var(--hit-l)}.hit.r{fill:var(--hit-r)}
.axis{stroke:var(--line);stroke-width:1.2}.fine{stroke:var(--fine);stroke-width:1}.span{stroke:var(--line);stroke-width:3}
circle{stroke:var(--card);stroke-width:1.5}
table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:7px 12px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--soft);font-weight:600}tr:last-child td{border-bottom:0}
th:first-child,td:first-child,th:last-child,td:last-child{text-align:left}td.best{font-weight:700}
footer{margin-top:40px;font-size:13px;color:var(--soft)}code{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (max-width:520px){main{padding:24px 14px 48px}h1{font-size:26px}}
)css";

std::string series_rules() {
  std::string rules;
  for (std::size_t i = 0; i < kSeriesCount; ++i) {
    const std::string name = series_style(i);
    rules += '.' + name + "{fill:var(--" + name + ")}i." + name + "{background:var(--" + name + ")}";
  }
  return rules;
}

std::string dim_name(int dim) { return dim == 2 ? "2D" : "3D"; }

// How often each algorithm was the fastest, as "grid 14, sort_sweep 6"
std::vector<std::pair<std::string, std::size_t>> wins(const Tour& tour) {
  std::vector<std::pair<std::string, std::size_t>> list;
  for (const TourTime& time : tour.stops.front().times) list.push_back({time.algorithm, 0});
  for (const TourStop& stop : tour.stops) ++list[stop.fastest].second;
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return list;
}

std::uint64_t pairs_in_all(const Tour& tour) {
  std::uint64_t sum = 0;
  for (const TourStop& stop : tour.stops) sum += stop.pairs_in_all;
  return sum;
}

// How many times faster the fastest is than the first (brute force), at most over all scenes
double best_speedup(const Tour& tour) {
  double best = 0;
  for (const TourStop& stop : tour.stops)
    best = std::max(best, stop.times.front().median_ms / stop.times[stop.fastest].median_ms);
  return best;
}

std::string verdict(const Tour& tour) {
  const std::size_t algorithms = tour.stops.front().times.size();
  if (tour.agree())
    return "All " + std::to_string(algorithms) + " broad phases found the same pairs at every step of all " +
           std::to_string(tour.stops.size()) + " scenes";
  std::string text = "The broad phases DISAGREE in:";
  for (const TourStop& stop : tour.stops)
    if (!stop.agree) text += ' ' + stop.scene + ' ' + dim_name(stop.dim);
  return text;
}

std::string build_line() {
  const sudar::BuildInfo info = sudar::build_info();
  return "Sudar " + std::string(info.version) + ", " + std::string(info.precision) + ", " +
         std::string(sudar::instruction_set()) + ", " + std::string(info.compiler);
}

std::string tile(const std::string& number, const std::string& what) {
  return "<div class=\"tile\"><b>" + number + "</b><span>" + what + "</span></div>";
}

std::string card(const TourStop& stop) {
  const std::string label = stop.scene + " in " + dim_name(stop.dim) + ": " + grouped(stop.boxes) + " boxes, " +
                            grouped(stop.pairs) + " overlapping pairs";
  return "<article class=\"card\">" + scene_picture(stop.snapshot, label) + "<div class=\"text\"><h3>" + stop.scene +
         " <span class=\"chip\">" + dim_name(stop.dim) + "</span></h3><p>" + escaped(stop.what) +
         "</p><div class=\"facts\"><span><b>" + grouped(stop.boxes) + "</b> boxes</span><span><b>" +
         grouped(stop.pairs) + "</b> pairs</span></div>" + bar_chart(stop) + "</div></article>\n";
}

std::string html_table(const Tour& tour) {
  std::string out = "<div class=\"panel\"><table><thead><tr><th>scene</th><th>boxes</th><th>pairs</th>";
  for (const TourTime& time : tour.stops.front().times) out += "<th>" + time.algorithm + " ms</th>";
  out += "<th>box tests saved</th><th>fastest</th></tr></thead><tbody>\n";
  for (const TourStop& stop : tour.stops) {
    out += "<tr><td>" + stop.scene + ' ' + dim_name(stop.dim) + "</td><td>" + grouped(stop.boxes) + "</td><td>" +
           grouped(stop.pairs) + "</td>";
    for (std::size_t i = 0; i < stop.times.size(); ++i)
      out += std::string(i == stop.fastest ? "<td class=\"best\">" : "<td>") + three_digits(stop.times[i].median_ms) +
             "</td>";
    const double all = static_cast<double>(stop.times.front().box_tests);
    const double saved = all > 0 ? 100 * (1 - static_cast<double>(stop.times[stop.fastest].box_tests) / all) : 0;
    out += "<td>" + fixed(saved, 1) + " %</td><td>" + stop.times[stop.fastest].algorithm + "</td></tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

void print_table(const Tour& tour, std::ostream& out) {
  out << build_line() << '\n'
      << "Processor time of a step in ms, from the boxes to the sorted pairs, on one thread: median of "
      << tour.options.steps << " steps, best of " << tour.options.rounds << " rounds\n\n";
  // There are too many algorithms for a line: the fastest three, the one that chooses, and the one without ideas
  TextTable table({"scene", "dim", "boxes", "pairs", "fastest", "ms", "second", "ms", "third", "ms", "adaptive",
                   "brute_force", "pairs equal"},
                  {true, false, false, false, true, false, true, false, true, false, false, false, true});
  for (const TourStop& stop : tour.stops) {
    std::vector<TourTime> ranked = stop.times;
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const TourTime& x, const TourTime& y) { return x.median_ms < y.median_ms; });
    const auto time_of = [&](std::string_view name) {
      for (const TourTime& time : ranked)
        if (time.algorithm == name) return fixed(time.median_ms, 3);
      return std::string("-");
    };
    std::vector<std::string> row = {stop.scene, dim_name(stop.dim), grouped(stop.boxes), grouped(stop.pairs)};
    for (std::size_t i = 0; i < 3; ++i) {
      row.push_back(i < ranked.size() ? ranked[i].algorithm : "-");
      row.push_back(i < ranked.size() ? fixed(ranked[i].median_ms, 3) : "-");
    }
    row.insert(row.end(), {time_of("adaptive"), time_of("brute_force"), stop.agree ? "yes" : "NO"});
    table.add(std::move(row));
  }
  table.print(out);
  out << '\n' << verdict(tour) << " (" << grouped(pairs_in_all(tour)) << " pairs).\n";
}

std::string tour_csv(const Tour& tour) {
  std::string out = "scene,dim,boxes,pairs,algorithm,ms_median,ms_min,box_tests,bytes,fastest,hash\n";
  for (const TourStop& stop : tour.stops)
    for (std::size_t i = 0; i < stop.times.size(); ++i) {
      const TourTime& time = stop.times[i];
      out += stop.scene + ',' + std::to_string(stop.dim) + ',' + std::to_string(stop.boxes) + ',' +
             std::to_string(stop.pairs) + ',' + time.algorithm + ',' + fixed(time.median_ms, 6) + ',' +
             fixed(time.min_ms, 6) + ',' + std::to_string(time.box_tests) + ',' + std::to_string(time.bytes) + ',' +
             (i == stop.fastest ? "1," : "0,") + hex(time.hash) + '\n';
    }
  return out;
}

std::string tour_json(const Tour& tour) {
  nlohmann::ordered_json json;
  json["schema"] = "sudar/tour-1";
  json["version"] = sudar::build_info().version;
  json["instruction_set"] = sudar::instruction_set();
  json["steps"] = tour.options.steps;
  json["rounds"] = tour.options.rounds;
  json["seed"] = tour.options.seed;
  json["agree"] = tour.agree();
  json["scenes"] = nlohmann::ordered_json::array();
  for (const TourStop& stop : tour.stops) {
    nlohmann::ordered_json scene = {{"scene", stop.scene},
                                    {"spec", stop.spec},
                                    {"dim", stop.dim},
                                    {"boxes", stop.boxes},
                                    {"pairs", stop.pairs},
                                    {"agree", stop.agree},
                                    {"fastest", stop.times[stop.fastest].algorithm}};
    scene["algorithms"] = nlohmann::ordered_json::array();
    for (const TourTime& time : stop.times)
      scene["algorithms"].push_back({{"name", time.algorithm},
                                     {"ms_median", time.median_ms},
                                     {"ms_min", time.min_ms},
                                     {"box_tests", time.box_tests},
                                     {"bytes", time.bytes},
                                     {"hash", hex(time.hash)}});
    json["scenes"].push_back(std::move(scene));
  }
  return json.dump(2) + '\n';
}

std::string tour_html(const Tour& tour) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Sudar tour</title><style>" +
      std::string(kStyle) + series_rules() + "</style></head><body><main>\n";
  out +=
      "<header><h1>Sudar: a tour of the broad phases</h1><p class=\"soft\">Which boxes overlap? The built-in scenes, "
      "in 2D and 3D, under every broad phase.</p><div class=\"verdict" +
      std::string(tour.agree() ? "\">&#10003; " : " no\">&#10007; ") + verdict(tour) + "</div></header>\n";

  out += "<div class=\"tiles\">" + tile(std::to_string(tour.stops.size()), "scenes, half in 2D and half in 3D") +
         tile(std::to_string(tour.stops.front().times.size()), "broad phases, one contract") +
         tile(grouped(pairs_in_all(tour)), "pairs found and compared") +
         tile(fixed(best_speedup(tour), 0) + "&times;", "largest gain over brute force");
  for (const auto& [name, count] : wins(tour))
    if (count > 0) out += tile(std::to_string(count), "scenes won by <code>" + name + "</code>");
  out +=
      "</div>\n<h2>Time of a step</h2><p class=\"soft\">One row a scene, one dot a broad phase, on a logarithmic "
      "axis.</p><div class=\"key\">";
  for (std::size_t i = 0; i < tour.stops.front().times.size(); ++i)
    out += "<span><i class=\"" + series_style(i) + "\"></i>" + tour.stops.front().times[i].algorithm + "</span>";
  out += "</div><div class=\"panel\">" + overview_chart(tour) + "</div>\n";

  for (const int dim : {2, 3}) {
    out += "<h2>Scenes in " + dim_name(dim) +
           "</h2><div class=\"key\"><span><i style=\"background:var(--hit)\"></i>overlaps another box</span><span><i "
           "style=\"background:var(--box)\"></i>free</span><span><i style=\"background:var(--fix)\"></i>fixed</span>"
           "</div><div class=\"cards\">\n";
    for (const TourStop& stop : tour.stops)
      if (stop.dim == dim) out += card(stop);
    out += "</div>\n";
  }
  out +=
      "<h2>All numbers</h2><p class=\"soft\">Median ms a step; box tests saved by the fastest against brute "
      "force.</p>" +
      html_table(tour);
  out += "<footer><p>" + escaped(build_line()) +
         ". One thread. Each step was given to all broad phases one after "
         "another; the processor time is counted from the boxes to the sorted list of pairs. " +
         std::to_string(tour.options.steps) + " steps, best of " + std::to_string(tour.options.rounds) +
         " rounds, seed " + std::to_string(tour.options.seed) +
         ". The same numbers are in <code>tour.csv</code> and <code>tour.json</code>.</p></footer>\n";
  return out + "</main></body></html>\n";
}

}  // namespace sudar_cli
