#include "bench/part_file.hpp"

#include "bench/program_stamp.hpp"
#include "cli/json_text.hpp"
#include <sudar/io/file_bytes.hpp>

#include <nlohmann/json.hpp>

#include <limits>
#include <stdexcept>
#include <utility>

namespace sudar_bench {

namespace {

using PartJson = nlohmann::ordered_json;

// What is no number is null in JSON; here that is a time that never came
double real(const PartJson& json) {
  return json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();
}

// Nothing else is a count or the number of a name: a conversion would make some of anything
template <class Whole>
Whole whole(const PartJson& json, Whole last = std::numeric_limits<Whole>::max()) {
  const bool fits = json.is_number_unsigned()  ? std::in_range<Whole>(json.get<std::uint64_t>())
                    : json.is_number_integer() ? std::in_range<Whole>(json.get<std::int64_t>())
                                               : false;
  if (!fits || std::cmp_less(json.get<Whole>(), 0) || json.get<Whole>() > last)
    throw std::out_of_range("no such number");
  return json.get<Whole>();
}
template <class Name>
Name name_of(const PartJson& json, Name last) {
  return static_cast<Name>(whole<int>(json, static_cast<int>(last)));
}

// What the results depend on: another program, or other options, have others
PartJson key_of(const Options& options) {
  return {{"program", program_stamp()}, {"quick", options.quick}, {"peers", options.peers},
          {"seed", options.seed},       {"pin", options.pin},     {"patience", options.patience}};
}

PartJson to_json(const Measurement& m) {
  return {{"table", m.table},
          {"workload", m.workload},
          {"contestant", m.contestant},
          {"version", m.version},
          {"rounds", m.rounds},
          {"min_ms", m.min_ms},
          {"median_ms", m.median_ms},
          {"spread", m.spread},
          {"ratio_to_best", m.ratio_to_best},
          {"ratio_low", m.ratio_low},
          {"ratio_median", m.ratio_median},
          {"ratio_high", m.ratio_high},
          {"calls", m.calls},
          {"disturbed", m.disturbed},
          {"repeated", m.repeated},
          {"answer", m.answer},
          {"disagreements", m.disagreements},
          {"of", m.of},
          {"why", m.why},
          {"trouble", m.trouble}};
}
Measurement measurement_of(const PartJson& j) {
  Measurement m;
  m.table = j.at("table"), m.workload = j.at("workload"), m.contestant = j.at("contestant"),
  m.version = j.at("version");
  m.rounds = whole<int>(j.at("rounds")), m.min_ms = real(j.at("min_ms")), m.median_ms = real(j.at("median_ms"));
  m.spread = real(j.at("spread")), m.ratio_to_best = real(j.at("ratio_to_best"));
  m.ratio_low = real(j.at("ratio_low")), m.ratio_high = real(j.at("ratio_high"));
  m.ratio_median = real(j.at("ratio_median"));
  m.calls = whole<int>(j.at("calls")), m.disturbed = whole<int>(j.at("disturbed"));
  m.repeated = whole<int>(j.at("repeated"));
  m.answer = real(j.at("answer")), m.disagreements = whole<int>(j.at("disagreements")), m.trouble = j.at("trouble");
  m.of = whole<std::size_t>(j.at("of")), m.why = j.at("why");
  return m;
}

PartJson to_json(const Chart& c) {
  PartJson levels = PartJson::array();
  for (const Chart::Level& level : c.levels) levels.push_back({{"y", level.y}, {"label", level.label}});
  return {{"name", c.name},  {"title", c.title},   {"table", c.table}, {"kind", c.kind},   {"x", c.x},
          {"y", c.y},        {"series", c.series}, {"log_x", c.log_x}, {"log_y", c.log_y}, {"choices", c.choices},
          {"levels", levels}};
}
Chart chart_of(const PartJson& j) {
  Chart c;
  c.name = j.at("name"), c.title = j.at("title"), c.table = j.at("table"), c.kind = j.at("kind");
  c.x = j.at("x"), c.y = j.at("y"), c.series = j.at("series"), c.log_x = j.at("log_x"), c.log_y = j.at("log_y");
  c.choices = j.at("choices").get<std::vector<std::string>>();
  for (const PartJson& level : j.at("levels")) c.levels.push_back({real(level.at("y")), level.at("label")});
  return c;
}

PartJson to_json(const PartResult& part, const Options& options) {
  const Results& r = part.results;
  PartJson json = {{"schema", "sudar/bench-part-1"},
                   {"key", key_of(options)},
                   {"suite", part.suite},
                   {"part", part.part},
                   {"seconds", part.seconds},
                   {"megabytes", part.megabytes},
                   {"trouble", part.trouble},
                   {"measurements", PartJson::array()},
                   {"bars", PartJson::array()},
                   {"tables", PartJson::array()},
                   {"charts", PartJson::array()},
                   {"findings", PartJson::array()},
                   {"missing", r.missing},
                   {"missing_inputs", r.missing_inputs},
                   {"notes", r.notes}};
  for (const Measurement& m : r.measurements) json["measurements"].push_back(to_json(m));
  for (const Bar& b : r.bars)
    json["bars"].push_back({{"what", b.what},
                            {"required", b.required},
                            {"seen", b.seen},
                            {"passed", b.passed},
                            {"measured", b.measured},
                            {"seen_by_rounds", b.seen_by_rounds},
                            {"side", static_cast<int>(b.side)}});
  for (const Table& t : r.tables)
    json["tables"].push_back({{"name", t.name}, {"columns", t.columns}, {"rows", t.rows}});
  for (const Chart& c : r.charts) json["charts"].push_back(to_json(c));
  for (const Finding& f : r.findings)
    json["findings"].push_back({{"id", f.id},
                                {"claim", f.claim},
                                {"verdict", static_cast<int>(f.verdict)},
                                {"ours", f.ours},
                                {"chart", f.chart}});
  return json;
}

PartResult part_of(const PartJson& json) {
  PartResult part;
  part.suite = json.at("suite"), part.part = json.at("part");
  part.seconds = real(json.at("seconds")), part.megabytes = real(json.at("megabytes")),
  part.trouble = json.at("trouble");
  Results& r = part.results;
  for (const PartJson& j : json.at("measurements")) r.measurements.push_back(measurement_of(j));
  for (const PartJson& j : json.at("bars"))
    r.bars.push_back({j.at("what"), real(j.at("required")), real(j.at("seen")), j.at("passed"), j.at("measured"),
                      real(j.at("seen_by_rounds")), name_of(j.at("side"), Bar::Side::at_most)});
  for (const PartJson& j : json.at("tables"))
    r.tables.push_back({j.at("name"), j.at("columns").get<std::vector<std::string>>(),
                        j.at("rows").get<std::vector<std::vector<std::string>>>()});
  for (const PartJson& j : json.at("charts")) r.charts.push_back(chart_of(j));
  for (const PartJson& j : json.at("findings"))
    r.findings.push_back(
        {j.at("id"), j.at("claim"), name_of(j.at("verdict"), Verdict::open), j.at("ours"), j.at("chart")});
  r.missing = json.at("missing").get<std::vector<std::string>>();
  r.missing_inputs = json.at("missing_inputs").get<std::vector<std::string>>();
  r.notes = json.at("notes").get<std::vector<std::string>>();
  return part;
}

std::optional<PartResult> read(const std::string& file, const PartJson* key) {
  const auto text = sudar::read_whole_file(file);
  if (!text || sudar_cli::fault_of_json(*text)) return std::nullopt;
  try {
    const PartJson json = PartJson::parse(*text);
    if (json.at("schema") != "sudar/bench-part-1" || (key != nullptr && json.at("key") != *key)) return std::nullopt;
    return part_of(json);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

bool write_text(const std::string& file, const std::string& text) { return sudar::write_whole_file(file, text).ok(); }

bool write_part(const PartResult& part, const Options& options, const std::string& file) {
  try {
    return write_text(file, to_json(part, options).dump(1, ' ', false, PartJson::error_handler_t::replace) + "\n");
  } catch (const std::exception&) {
    return false;
  }
}

std::optional<PartResult> read_part(const std::string& file) { return read(file, nullptr); }

std::optional<PartResult> read_finished_part(const std::string& file, const Options& options) {
  const PartJson key = key_of(options);
  auto part = read(file, &key);
  if (!part || !part->trouble.empty()) return std::nullopt;
  part->resumed = true;
  return part;
}

}  // namespace sudar_bench
