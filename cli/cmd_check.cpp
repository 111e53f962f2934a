// What:    `sudar check`: which parts of mesh files clash, touch, contain each other or come too near.
// Differs: Ctrl-C ends the search, not the command: what is known by then is printed, with "complete": false.
#include "cli/check_progress.hpp"
#include "cli/check_report.hpp"
#include "cli/commands.hpp"
#include "cli/contact_export.hpp"
#include "cli/text.hpp"
#include <sudar/io/file_bytes.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <set>

namespace sudar_cli {

namespace {

struct CheckArguments {
  std::vector<std::string> files, modes, ignore, ignore_files;
  std::string tolerance = "1e-6m", clearance, units, set_a, set_b, baseline, format = "text", out, contacts;
  bool per_part = false, ignore_same_file = false;
  unsigned threads = 0;
};

ClashTypes types_of(const CheckArguments& arguments) {
  ClashTypes types;
  if (arguments.modes.empty())
    for (const ClashType type : {ClashType::hard, ClashType::contain, ClashType::duplicate}) types.add(type);
  for (const std::string& mode : arguments.modes) {
    if (mode == "all") return ClashTypes::all();
    for (std::size_t i = 0; i < kClashTypeNames.size(); ++i)
      if (mode == kClashTypeNames[i]) types.add(static_cast<ClashType>(i));
  }
  if (!arguments.clearance.empty()) types.add(ClashType::clearance);
  return types;
}

struct BaselineClash {
  std::string id, a, b;
  ClashType type = ClashType::hard;
};

std::vector<BaselineClash> read_baseline(const std::string& path) {
  const auto text = sudar::read_whole_file(path);
  if (!text) throw RuleError("cannot read the baseline " + path);
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  const auto broken = [&] { return RuleError(path + " is no result of sudar check --format json"); };
  if (!json.is_object() || json.value("schema", "") != "sudar/check-1" || !json.contains("clashes") ||
      !json["clashes"].is_array())
    throw broken();
  std::vector<BaselineClash> out;
  for (const auto& clash : json["clashes"]) {
    if (!clash.is_object()) throw broken();
    for (const char* key : {"id", "a", "b", "type"})
      if (!clash.contains(key) || !clash[key].is_string()) throw broken();
    if (clash.value("status", "") == "resolved") continue;
    const auto name = clash["type"].get<std::string>();
    const auto type = std::find(kClashTypeNames.begin(), kClashTypeNames.end(), name);
    if (type == kClashTypeNames.end()) throw broken();
    out.push_back({clash["id"].get<std::string>(), clash["a"].get<std::string>(), clash["b"].get<std::string>(),
                   static_cast<ClashType>(type - kClashTypeNames.begin())});
  }
  return out;
}

// New, persistent, and what is gone
void compare(CheckReport& report, const std::vector<BaselineClash>& before) {
  std::set<std::string> known, now;
  for (const BaselineClash& clash : before) known.insert(clash.id);
  for (Clash& clash : report.search.clashes) {
    const std::string id = clash_id(report.name_of(clash.a), report.name_of(clash.b), clash.type);
    now.insert(id);
    clash.status = known.contains(id) ? "persistent" : "new";
  }
  // What was not looked at is not known to be gone
  if (!report.complete()) return;
  for (const BaselineClash& clash : before) {
    if (now.contains(clash.id) || !report.limits.types.has(clash.type)) continue;
    Clash gone;
    gone.type = clash.type;
    gone.status = "resolved";
    report.resolved.push_back(gone);
    report.resolved_names.emplace_back(clash.a, clash.b);
  }
}

// Sets, rules and files: which pairs are looked at
PairWanted wanted_pairs(CheckReport& report, const PartNames& names) {
  return [&report, &names](std::uint32_t a, std::uint32_t b) {
    const auto& parts = report.input.parts;
    if (report.ignore_same_file && parts[a].file == parts[b].file) return false;
    const auto in = [&](const std::string& pattern, std::uint32_t part) {
      return pattern.empty() || names.match(pattern, part);
    };
    if (!(in(report.set_a, a) && in(report.set_b, b)) && !(in(report.set_a, b) && in(report.set_b, a))) return false;
    for (IgnoreRule& rule : report.rules) {
      const bool hit = rule.second.empty() ? names.match(rule.first, a) || names.match(rule.first, b)
                                           : (names.match(rule.first, a) && names.match(rule.second, b)) ||
                                                 (names.match(rule.first, b) && names.match(rule.second, a));
      if (!hit) continue;
      ++rule.used;
      return false;
    }
    return true;
  };
}

int finish(const CheckArguments& arguments, const CheckReport& report) {
  const std::string text =
      arguments.format == "json"
          ? check_json(report).dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n'
      : arguments.format == "csv"  ? check_csv(report)
      : arguments.format == "html" ? check_html(report)
                                   : check_text(report);
  if (arguments.out.empty()) {
    std::cout << text;
  } else if (!sudar::write_whole_file(arguments.out, text)) {
    return refuse("check", "cannot write " + arguments.out);
  }
  if (!arguments.contacts.empty())
    if (const auto done = export_contacts(report, arguments.contacts); !done)
      return refuse("check", "cannot write " + arguments.contacts + ": " + done.error().reason);
  if (report.input.parts.empty()) return kBadInput;
  if (!report.complete()) return kPartial;
  return report.search.clashes.empty() && report.resolved.empty() ? kDone : kFound;
}

int run_check_command(const CheckArguments& arguments) {
  CheckReport report;
  std::vector<BaselineClash> before;
  std::vector<CheckFile> files;
  try {
    report.limits.tolerance = parse_length(arguments.tolerance);
    if (!arguments.clearance.empty()) report.limits.clearance = parse_length(arguments.clearance);
    for (const std::string& rule : arguments.ignore) report.rules.push_back(parse_rule(rule));
    for (const std::string& path : arguments.ignore_files)
      for (IgnoreRule& rule : read_rules(path)) report.rules.push_back(std::move(rule));
    if (!arguments.baseline.empty()) before = read_baseline(arguments.baseline);
    for (const std::string& file : arguments.files) files.push_back(parse_file(file, arguments.units));
  } catch (const std::runtime_error& error) {
    return refuse("check", error.what());
  }
  report.limits.types = types_of(arguments);
  if (std::find(arguments.modes.begin(), arguments.modes.end(), "clearance") != arguments.modes.end() &&
      arguments.clearance.empty())
    return refuse("check", "the mode clearance needs --clearance LENGTH");
  for (const std::string& mode : arguments.modes) report.mode += (report.mode.empty() ? "" : ",") + mode;
  if (report.mode.empty()) report.mode = "default";
  report.per_part = arguments.per_part;
  report.ignore_same_file = arguments.ignore_same_file;
  report.set_a = arguments.set_a;
  report.set_b = arguments.set_b;
  report.baseline = arguments.baseline;
  const auto executor = sudar::make_executor(arguments.threads > 0 ? arguments.threads : 1024);
  report.threads = executor->concurrency();

  ClashControl control;
  CheckProgress progress(control);
  progress.phase("reading", files.size());
  report.input = read_parts(files, arguments.per_part, *executor, control.stop);
  for (const std::string& line : report.input.failures) std::cerr << "sudar check: " << line << '\n';
  for (const std::string& line : report.input.warnings) std::cerr << "sudar check: warning: " << line << '\n';
  std::set<std::string> assumed;
  for (const CheckFile& file : files)
    if (file.assumed) assumed.insert(file.path);
  if (!assumed.empty())
    std::cerr << "sudar check: units of " << (assumed.size() == files.size() ? "all files" : *assumed.begin() + " …")
              << " are assumed to be metres (say --units mm or file@mm)\n";
  if (report.input.parts.empty()) return refuse("check", "no file could be read");

  progress.phase("checking", 0);
  const PartNames names(report.input.parts, report.input.files, !arguments.per_part);
  auto found = find_clashes(report.input.parts, report.limits, wanted_pairs(report, names), *executor, control);
  if (!found) return refuse("check", found.error().reason);
  report.search = std::move(*found);
  report.interrupted = control.stop;
  progress.finish();
  if (!arguments.baseline.empty()) compare(report, before);
  return finish(arguments, report);
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* check = app.add_subcommand("check", "Which parts of mesh files clash, touch, contain or come too near");
  check->add_option("files", arguments->files, "STL, OBJ, PLY, OFF, glTF or GLB files; file@mm says the units of one")
      ->required();
  check->add_flag("--per-part", arguments->per_part,
                  "Objects of a file, or its separate shells, are parts of their own");
  check
      ->add_option("--mode", arguments->modes,
                   "What to look for: hard, touch, clearance, contain, duplicate, self, all; several with commas. "
                   "Default: hard, contain, duplicate")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"hard", "touch", "clearance", "contain", "duplicate", "self", "all"}));
  check->add_option("--tolerance", arguments->tolerance, "What is not deeper than this touches only")
      ->capture_default_str();
  check->add_option("--clearance", arguments->clearance, "Report parts that come nearer than this: 30mm");
  check->add_option("--units", arguments->units, "Of files that do not say: mm, cm, m, in, ft")
      ->check(CLI::IsMember({"mm", "cm", "m", "in", "ft"}));
  check->add_option("--ignore", arguments->ignore, "Leave such pairs out: 'bolt*:plate*'")->allow_extra_args(false);
  check->add_option("--ignore-file", arguments->ignore_files, "Rules from a file, one a line, # before the reason")
      ->allow_extra_args(false);
  check->add_flag("--ignore-same-file", arguments->ignore_same_file, "Leave pairs of one file out");
  check->add_option("--set-a", arguments->set_a, "Only pairs of a part like this …");
  check->add_option("--set-b", arguments->set_b, "… and one like this");
  check->add_option("--baseline", arguments->baseline, "An older JSON result: says what is new, persistent, resolved");
  check->add_option("--threads", arguments->threads, "Threads to use; all of them by default")
      ->check(CLI::Range(1u, 1024u));
  check->add_option("--format", arguments->format, "text, json, csv or html")
      ->check(CLI::IsMember({"text", "json", "csv", "html"}))
      ->capture_default_str();
  check->add_option("-o,--out", arguments->out, "Write the result to this file");
  check->add_option("--export-contacts", arguments->contacts,
                    "Write the triangles that meet, and the curves along which they do, to this .ply");
  check->footer(
      "Depth is the length of a shortest translation that takes two bodies apart. Lengths take mm, cm, m, in, ft;\n"
      "results are in metres. Exit codes: 0 no clash, 1 clashes found, 2 bad usage or nothing readable, 3 not "
      "complete.\n"
      "Examples:\n  sudar check housing.stl shaft.stl --units mm\n"
      "  sudar check assembly.obj --per-part --mode all --clearance 5mm --units mm\n"
      "  sudar check a.stl@mm b.stl@in --format json -o result.json\n"
      "  sudar check assembly.obj --per-part --ignore 'bolt*:plate*' --baseline old.json --format html -o report.html");
  check->callback([arguments, &exit_code] { exit_code = run_check_command(*arguments); });
}

}  // namespace sudar_cli
