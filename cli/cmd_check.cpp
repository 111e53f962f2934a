// What:    `sudar check`: which parts of mesh files clash, touch, contain each other or come too near.
// Differs: Ctrl-C ends the search, not the command: what is known by then is printed, with "complete": false.
#include "cli/check_baseline.hpp"
#include "cli/check_command.hpp"
#include "cli/check_progress.hpp"
#include "cli/check_report.hpp"
#include "cli/commands.hpp"
#include "cli/contact_export.hpp"
#include "cli/leave.hpp"
#include "cli/out_place.hpp"
#include "cli/text.hpp"
#include <sudar/io/file_bytes.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <set>

namespace sudar_cli {

namespace {

ClashTypes types_of(const CheckArguments& arguments) {
  ClashTypes types;
  if (arguments.modes.empty())
    for (const ClashType type : {ClashType::hard, ClashType::contain, ClashType::duplicate}) types.add(type);
  for (const std::string& mode : arguments.modes) {
    if (mode == "all")
      for (std::size_t i = 0; i < kClashTypeNames.size(); ++i)
        if (const auto type = static_cast<ClashType>(i); type != ClashType::clearance) types.add(type);
    for (std::size_t i = 0; i < kClashTypeNames.size(); ++i)
      if (mode == kClashTypeNames[i]) types.add(static_cast<ClashType>(i));
  }
  if (!arguments.clearance.empty()) types.add(ClashType::clearance);
  return types;
}

// New, persistent, and what is gone. What was not looked at is not known to be gone: a run that is not complete calls nothing
// resolved; nor is a clash whose type, parts or pair this run does not look at, or of which it cannot tell.
void compare(CheckReport& report, const std::vector<BaselineClash>& before, const PairRules& rules) {
  std::set<std::string> known, now;
  std::map<std::string_view, std::uint32_t> parts;
  for (std::uint32_t i = 0; i < report.input.parts.size(); ++i) parts.emplace(report.input.parts[i].name, i);
  for (const BaselineClash& old : before) known.insert(old.id);
  for (Clash& clash : report.search.clashes) {
    const std::string id = clash_id(report.name_of(clash.a), report.name_of(clash.b), clash.type);
    now.insert(id);
    clash.status = known.contains(id) ? "persistent" : "new";
  }
  if (!report.complete()) return;
  std::set<std::pair<std::uint32_t, std::uint32_t>> undecided;
  for (const UndecidedPair& pair : report.search.undecided) undecided.emplace(pair.a, pair.b);
  std::vector<std::string> not_looked_at;
  for (const BaselineClash& old : before) {
    if (now.contains(old.id)) continue;
    const auto a = parts.find(old.a), b = parts.find(old.b);
    const bool looked = report.limits.types.has(old.clash.type) && a != parts.end() && b != parts.end() &&
                        !(report.ignore_same_file && a != b &&
                          report.input.parts[a->second].file == report.input.parts[b->second].file) &&
                        rules.would_want(a->second, b->second) &&
                        !undecided.contains(std::minmax(a->second, b->second));
    if (!looked) {
      not_looked_at.push_back(old.a + " and " + old.b);
      continue;
    }
    report.resolved.push_back(old.clash);
    report.resolved.back().status = "resolved";
    report.resolved_names.emplace_back(old.a, old.b);
  }
  if (!not_looked_at.empty()) report.warnings.push_back(not_looked_at_text(not_looked_at));
}

int finish(const CheckArguments& arguments, const CheckReport& report, CheckProgress& progress,
           const std::atomic<bool>& stop, bool& left) {
  const std::string text = arguments.format == "json"   ? check_json_text(report)
                           : arguments.format == "csv"  ? check_csv(report)
                           : arguments.format == "html" ? check_html(report)
                                                        : check_text(report);
  bool written = true;
  if (!arguments.out.empty()) written = sudar::write_whole_file(arguments.out, text).ok();
  ContactExport contacts;
  if (!arguments.contacts.empty() && !report.interrupted) {
    // It stays where it is until the process ends
    const std::shared_ptr<const CheckReport> lasting(std::shared_ptr<void>(), &report);
    contacts = export_or_leave(lasting, arguments.contacts, stop);
  }
  left = left || contacts.left;
  const bool cut = !arguments.contacts.empty() && (report.interrupted || contacts.left);
  if (cut) progress.say("sudar check: " + arguments.contacts + " is not written: interrupted");
  progress.finish();
  // A result that found no place is not lost
  if (arguments.out.empty() || !written) std::cout << text;
  // A form that does not say how much was looked at, or goes elsewhere
  if (arguments.format == "csv" || !arguments.out.empty()) std::cerr << "sudar check: " << check_summary(report);
  if (!written) return refuse("check", "cannot write " + arguments.out + "; the result is on the standard output");
  if (!contacts.done)
    return refuse("check", "cannot write " + arguments.contacts + ": " + contacts.done.error().reason);
  if (!report.complete() || cut) return kPartial;
  return report.search.clashes.empty() && report.resolved.empty() ? kDone : kFound;
}

// What the answer says beside the clashes
void add_warnings(CheckReport& report, const PairRules& rules) {
  for (const std::size_t rule : rules.unmatched_rules())
    report.warnings.push_back("the rule " + report.rules[rule].text() + " matches no parts");
  for (const std::string& limit : report.search.limits) report.warnings.push_back(limit);
  constexpr std::size_t kMostLines = 1000;
  for (std::size_t i = 0; i < report.search.undecided.size() && i < kMostLines; ++i)
    report.warnings.push_back(report.search.undecided[i].why);
  if (report.search.undecided.size() > kMostLines)
    report.warnings.push_back("… and " + std::to_string(report.search.undecided.size() - kMostLines) +
                              " more pairs of which it is unknown");
  const ClashCounts& counts = report.search.counts;
  if (report.complete() && !report.looked() && (counts.pairs == 0 || counts.candidate_pairs > 0))
    report.warnings.push_back(counts.pairs == 0 ? "there is one part and no pair to look at (--per-part cuts a file)"
                                                : "rules and sets leave every pair out: nothing was looked at");
}

int run_check_command(const CheckArguments& arguments) {
  if (std::any_of(arguments.files.begin(), arguments.files.end(), is_robot_file)) return run_robot_check(arguments);
  if (!arguments.joints.empty()) return refuse("check", "--joints needs a robot: a file that ends in .urdf");
  CheckReport report;
  std::vector<BaselineClash> before;
  std::vector<CheckFile> files;
  try {
    report.limits = limits_of(arguments);
    report.rules = rules_of(arguments);
    if (!arguments.baseline.empty()) before = read_baseline(arguments.baseline);
    for (const std::string& file : arguments.files) files.push_back(parse_file(file, arguments.units));
    check_places(arguments);
  } catch (const std::runtime_error& error) {
    return refuse("check", error.what());
  }
  for (const std::string& mode : arguments.modes) report.mode += (report.mode.empty() ? "" : ",") + mode;
  if (report.mode.empty()) report.mode = "default";
  report.per_part = arguments.per_part;
  report.ignore_same_file = arguments.ignore_same_file;
  report.set_a = arguments.set_a;
  report.set_b = arguments.set_b;
  report.baseline = arguments.baseline;
  const auto executor = sudar::make_executor(arguments.threads > 0 ? arguments.threads : 1024);
  report.threads = executor->concurrency();

  // Everything that work in a left thread may still use is destroyed only where nothing was left
  ClashControl control;
  CheckProgress progress(control);
  control.total = files.size();
  progress.phase("reading", "files");
  const std::string assumed = assumed_units(files);
  ReadRun reading(std::move(files), arguments.per_part, arguments.max_triangles, control.stop);
  bool left = !run_or_leave([&] { reading.run(*executor, control.done); }, control.stop);
  report.input = reading.take();
  report.warnings = report.input.warnings;
  for (const std::string& line : report.input.failures) progress.say("sudar check: " + line);
  for (const std::string& line : report.input.warnings) progress.say("sudar check: warning: " + line);
  if (!assumed.empty()) progress.say("sudar check: " + assumed);
  const auto end = [&](int exit_code) {
    progress.finish();
    if (left) leave_process(exit_code);
    return exit_code;
  };
  if (report.input.parts.empty() && !control.stop) {
    progress.finish();
    return refuse("check", "no file could be read");
  }

  // Many rules of many parts take a while. Without an answer they say nothing.
  std::optional<PairRules> matched;
  if (!left)
    left = !run_or_leave(
        [&] {
          matched.emplace(report.rules, names_of_parts(report.input.parts, report.input.files), report.set_a,
                          report.set_b);
        },
        control.stop);
  PairRules unmatched_yet(report.rules, {}, report.set_a, report.set_b);
  PairRules& rules = left ? unmatched_yet : *matched;
  if (const auto unmatched = rules.unmatched_sets(); !unmatched.empty() && !control.stop) {
    progress.finish();
    return refuse("check", unmatched.front() + " matches no part");
  }
  control.total = 0;
  progress.phase("checking", "pairs");
  ClashRun run(
      report.input.parts, report.limits,
      [&](std::uint32_t a, std::uint32_t b) {
        const auto& parts = report.input.parts;
        return !(report.ignore_same_file && a != b && parts[a].file == parts[b].file) && rules.wanted(a, b);
      },
      control);
  if (!left && !control.stop) left = !run_or_leave([&] { run.run(*executor); }, control.stop);
  auto found = run.take();
  if (!found) {
    progress.finish();
    refuse("check", found.error().reason);
    return end(kBadInput);
  }
  report.search = std::move(*found);
  report.interrupted = control.stop && !report.search.counts.complete;
  for (std::size_t i = 0; i < report.rules.size(); ++i) report.rules[i].used = rules.used(i);
  add_warnings(report, rules);
  if (!arguments.baseline.empty()) compare(report, before, rules);
  control.total = 0;
  progress.phase("writing", "");
  const int exit_code = finish(arguments, report, progress, control.stop, left);
  return end(exit_code);
}

}  // namespace

void check_places(const CheckArguments& arguments) {
  if (const std::string fault = fault_of_places({arguments.out, arguments.contacts}); !fault.empty())
    throw RuleError(fault);
  if (!arguments.contacts.empty() && !arguments.contacts.ends_with(".ply"))
    throw RuleError("cannot write " + arguments.contacts + ": the name must end in .ply");
}

std::string assumed_units(const std::vector<CheckFile>& files) {
  const auto assumed = [](const CheckFile& file) { return file.assumed; };
  const auto first = std::find_if(files.begin(), files.end(), assumed);
  if (first == files.end()) return {};
  const auto count = std::count_if(files.begin(), files.end(), assumed);
  return "units of " +
         (count == static_cast<std::ptrdiff_t>(files.size()) ? "all files" : first->path + (count > 1 ? " …" : "")) +
         " are assumed to be metres (say --units mm or file@mm)";
}

ClashLimits limits_of(const CheckArguments& arguments) {
  ClashLimits limits;
  limits.tolerance = parse_length(arguments.tolerance);
  if (!arguments.clearance.empty()) limits.clearance = parse_length(arguments.clearance);
  limits.types = types_of(arguments);
  if (std::find(arguments.modes.begin(), arguments.modes.end(), "clearance") != arguments.modes.end() &&
      arguments.clearance.empty())
    throw RuleError("the mode clearance needs --clearance LENGTH");
  return limits;
}

std::vector<IgnoreRule> rules_of(const CheckArguments& arguments) {
  std::vector<IgnoreRule> rules;
  for (const std::string& rule : arguments.ignore) rules.push_back(parse_rule(rule));
  for (const std::string& path : arguments.ignore_files)
    for (IgnoreRule& rule : read_rules(path)) rules.push_back(std::move(rule));
  return rules;
}

void add_check(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* check = app.add_subcommand("check", "Which parts of mesh files clash, touch, contain or come too near");
  check
      ->add_option(
          "files", arguments->files,
          "STL, OBJ, PLY, OFF, glTF or GLB files; file@mm says the units of one; a robot.urdf with its surroundings")
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
  check
      ->add_option("--ignore-file", arguments->ignore_files,
                   "Rules from a file, one a line, # before the reason; or an SRDF")
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
  check
      ->add_option("--max-triangles", arguments->max_triangles,
                   "Of one glTF file that uses its meshes many times; about one a byte by default")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 30));
  check->add_option("--joints", arguments->joints,
                    "States of a robot: CSV, one column a joint, one row a state; without it all joints are at zero");
  check->add_option("--export-contacts", arguments->contacts,
                    "Write the triangles that meet, and the curves along which they do, to this .ply");
  check->footer(
      "Depth is the length of a shortest translation that takes two bodies apart. Lengths take mm, cm, m, in, ft;\n"
      "results are in metres. What touches is no clash unless --mode has touch, with --clearance as well. Exit codes:\n"
      "0 no clash, 1 clashes found, 2 bad usage or nothing readable, 3 not complete (clashes or not).\n"
      "Examples:\n  sudar check housing.stl shaft.stl --units mm\n"
      "  sudar check assembly.obj --per-part --mode all --clearance 5mm --units mm\n"
      "  sudar check a.stl@mm b.stl@in --format json -o result.json\n"
      "  sudar check assembly.obj --per-part --ignore 'bolt*:plate*' --baseline old.json --format html -o report.html\n"
      "  sudar check robot.urdf table.stl --joints states.csv --ignore-file robot.srdf");
  check->callback([arguments, &exit_code] { exit_code = run_check_command(*arguments); });
}

}  // namespace sudar_cli
