// What:    `sudar check robot.urdf`: reads the robot, its states and its surroundings, runs the search, compares it with a
//          baseline and tells the answer.
#include "cli/check_baseline.hpp"
#include "cli/check_command.hpp"
#include "cli/check_progress.hpp"
#include "cli/commands.hpp"
#include "cli/contact_export.hpp"
#include "cli/leave.hpp"
#include "cli/robot_report.hpp"
#include "cli/text.hpp"
#include <sudar/io/file_bytes.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <set>

namespace sudar_cli {

namespace {

// All of one part's triangles as a shape that stands
RobotShape standing(const CheckPart& part) {
  const bool solid = part.is_solid();
  return {sudar::Shape3(sudar::MeshShape3{part.mesh, solid}), {}, part.mesh->mesh(), solid};
}

// New, persistent, and what is gone of the states and pairs that were looked at
void compare_robot(RobotReport& report, const std::vector<BaselineClash>& before,
                   const std::set<std::pair<std::uint32_t, std::uint32_t>>& tested) {
  std::set<std::string> known, now;
  std::map<std::string_view, std::uint32_t> bodies;
  for (std::uint32_t i = 0; i < report.bodies.size(); ++i) bodies.emplace(report.bodies[i].name, i);
  for (const BaselineClash& old : before) known.insert(old.id);
  for (StateClash& x : report.search.clashes) {
    const std::string id = report.id_of(x);
    now.insert(id);
    x.clash.status = known.contains(id) ? "persistent" : "new";
  }
  if (!report.complete()) return;
  std::vector<std::string> not_looked_at;
  for (const BaselineClash& old : before) {
    if (now.contains(old.id)) continue;
    const auto a = bodies.find(old.a), b = bodies.find(old.b);
    StateClash gone{static_cast<std::uint32_t>(std::min<std::uint64_t>(old.state.value_or(0), sudar::kNoIndex)),
                    old.clash};
    if (a == bodies.end() || b == bodies.end() || !tested.contains(std::minmax(a->second, b->second)) ||
        gone.state >= report.states.values.size() || !report.limits.types.has(old.clash.type)) {
      not_looked_at.push_back(old.a + " and " + old.b);
      continue;
    }
    gone.clash.a = a->second, gone.clash.b = b->second;
    gone.clash.status = "resolved";
    // One state has other ids than a list
    if (report.id_of(gone) != old.id) {
      not_looked_at.push_back(old.a + " and " + old.b);
      continue;
    }
    report.resolved.push_back(std::move(gone));
  }
  if (!not_looked_at.empty()) report.warnings.push_back(not_looked_at_text(not_looked_at));
}

int finish_robot(const CheckArguments& arguments, const RobotReport& report, CheckProgress& progress,
                 const std::atomic<bool>& stop, bool& left) {
  const std::string text = arguments.format == "json"   ? robot_json_text(report)
                           : arguments.format == "csv"  ? robot_csv(report)
                           : arguments.format == "html" ? robot_html(report)
                                                        : robot_text(report);
  const bool written = arguments.out.empty() || sudar::write_whole_file(arguments.out, text).ok();
  ContactExport contacts;
  if (!arguments.contacts.empty() && !report.interrupted) {
    // Two copies of bodies for each clash
    constexpr std::size_t kMostExported = 10000;
    std::vector<const StateClash*> now;
    for (const StateClash& clash : report.search.clashes) now.push_back(&clash);
    if (now.size() > kMostExported)
      progress.say("sudar check: warning: " + arguments.contacts + " has the first " + grouped(kMostExported) +
                   " clashes only");
    auto placed = std::make_shared<const CheckReport>(placed_clashes(report, now, kMostExported));
    contacts = export_or_leave(std::move(placed), arguments.contacts, stop);
  }
  left = left || contacts.left;
  const bool cut = !arguments.contacts.empty() && (report.interrupted || contacts.left);
  if (cut) progress.say("sudar check: " + arguments.contacts + " is not written: interrupted");
  progress.finish();
  if (arguments.out.empty() || !written) std::cout << text;
  if (arguments.format == "csv" || !arguments.out.empty()) std::cerr << "sudar check: " << robot_summary(report);
  if (!written) return refuse("check", "cannot write " + arguments.out + "; the result is on the standard output");
  if (!contacts.done)
    return refuse("check", "cannot write " + arguments.contacts + ": " + contacts.done.error().reason);
  if (!report.complete() || cut) return kPartial;
  return report.search.clashes.empty() && report.resolved.empty() ? kDone : kFound;
}

}  // namespace

bool is_robot_file(const std::string& path) {
  std::string ending = path.size() < 5 ? "" : path.substr(path.size() - 5);
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ending == ".urdf";
}

int run_robot_check(const CheckArguments& arguments) {
  RobotReport report;
  std::vector<BaselineClash> before;
  std::vector<CheckFile> files;
  try {
    if (std::count_if(arguments.files.begin(), arguments.files.end(), is_robot_file) > 1)
      throw RuleError("one robot at a time");
    report.limits = limits_of(arguments);
    report.baseline = arguments.baseline;
    if (!arguments.baseline.empty()) before = read_baseline(arguments.baseline);
    check_places(arguments);
    // What is inside of another is hard; the others are not looked for
    ClashTypes types;
    if (report.limits.types.has(ClashType::hard) || report.limits.types.has(ClashType::contain))
      types.add(ClashType::hard);
    for (const ClashType type : {ClashType::touch, ClashType::clearance})
      if (report.limits.types.has(type)) types.add(type);
    if (!types.has(ClashType::hard) && !types.has(ClashType::touch) && !types.has(ClashType::clearance))
      throw RuleError("of a robot, the modes hard, touch and clearance are looked for");
    report.limits.types = types;
    report.rules = rules_of(arguments);
    const auto start = std::chrono::steady_clock::now();
    for (const std::string& file : arguments.files)
      if (is_robot_file(file))
        report.robot_file = file;
      else
        files.push_back(parse_file(file, arguments.units));
    report.robot = read_robot(report.robot_file);
    report.joints_file = arguments.joints;
    if (!arguments.joints.empty())
      report.states = read_states(arguments.joints, report.robot);
    else
      report.states = {{""}, {std::vector<double>(report.robot.joints.size(), 0)}, {}};
    report.load_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  } catch (const std::runtime_error& error) {
    return refuse("check", error.what());
  }
  for (const std::string& mode : arguments.modes) report.mode += (report.mode.empty() ? "" : ",") + mode;
  if (report.mode.empty()) report.mode = "default";
  const auto executor = sudar::make_executor(arguments.threads > 0 ? arguments.threads : 1024);
  report.threads = executor->concurrency();
  ClashControl control;
  CheckProgress progress(control);
  bool left = false;
  const auto end = [&](int exit_code) {
    progress.finish();
    if (left) leave_process(exit_code);
    return exit_code;
  };
  // What the robot stands in
  control.total = files.size();
  progress.phase("reading", "files");
  ReadRun reading(files, arguments.per_part, arguments.max_triangles, control.stop);
  if (!files.empty()) {
    left = !run_or_leave([&] { reading.run(*executor, control.done); }, control.stop);
    report.around = reading.take();
  }
  report.warnings = report.robot.warnings;
  for (const auto& list : {report.states.warnings, report.around.warnings})
    report.warnings.insert(report.warnings.end(), list.begin(), list.end());
  for (const std::string& line : report.around.failures) progress.say("sudar check: " + line);
  for (const std::string& line : report.warnings) progress.say("sudar check: warning: " + line);
  if (const std::string assumed = assumed_units(files); !assumed.empty()) progress.say("sudar check: " + assumed);
  for (std::uint32_t i = 0; i < report.robot.links.size(); ++i) {
    const RobotLink& link = report.robot.links[i];
    if (link.shapes.empty()) continue;
    RobotBody body{link.name, i, 0, link.shapes};
    for (const RobotShape& shape : link.shapes) body.solid = body.solid && shape.solid;
    report.bodies.push_back(std::move(body));
  }
  for (std::uint32_t i = 0; i < report.around.parts.size(); ++i)
    report.bodies.push_back({report.around.parts[i].name,
                             std::nullopt,
                             i,
                             {standing(report.around.parts[i])},
                             report.around.parts[i].is_solid()});

  // Which pairs: all of two links, and of a link and what stands
  PairRules::Names names;
  for (const RobotBody& body : report.bodies) names.push_back({body.name});
  for (std::size_t i = 0, k = 0; i < names.size(); ++i)
    if (!report.bodies[i].link)
      names[i] = names_of_parts(std::span(report.around.parts).subspan(k++, 1), report.around.files)[0];
  PairRules rules(report.rules, names, arguments.set_a, arguments.set_b);
  if (const auto unmatched = rules.unmatched_sets(); !unmatched.empty()) {
    progress.finish();
    refuse("check", unmatched.front() + " matches no link and no part");
    return end(kBadInput);
  }
  for (const std::size_t rule : rules.unmatched_rules())
    report.warnings.push_back("the rule " + report.rules[rule].text() + " matches no links");
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> joined_by;
  for (const SkippedPair& pair : joined_pairs(report.robot, report.bodies)) joined_by[{pair.a, pair.b}] = pair.reason;
  std::vector<RobotPair> pairs;
  // Links come first
  for (std::uint32_t a = 0; a < report.bodies.size() && report.bodies[a].link; ++a)
    for (std::uint32_t b = a + 1; b < report.bodies.size(); ++b) {
      const auto adjacent = joined_by.find({a, b});
      if (adjacent != joined_by.end()) {
        report.skipped.push_back({a, b, adjacent->second});
      } else if (!rules.wanted(a, b)) {
        const std::size_t rule = rules.rule_of(a, b);
        std::string reason = "not in the sets";
        if (rule != PairRules::kNone) {
          const IgnoreRule& by = report.rules[rule];
          reason = "rule " + by.text() + (by.reason.empty() ? "" : ": " + by.reason);
        }
        report.skipped.push_back({a, b, std::move(reason)});
      } else {
        pairs.push_back({a, b});
      }
    }
  for (std::size_t i = 0; i < report.rules.size(); ++i) report.rules[i].used = rules.used(i);
  if (pairs.empty()) report.warnings.push_back("there is no pair to look at");

  std::set<std::pair<std::uint32_t, std::uint32_t>> tested;
  if (!arguments.baseline.empty())
    for (const RobotPair& pair : pairs) tested.emplace(pair.a, pair.b);
  control.total = 0;
  progress.phase("checking", "states");
  RobotRun run(report.robot, report.states, report.bodies, std::move(pairs), report.limits, control);
  if (!left && !control.stop) left = !run_or_leave([&] { run.run(*executor); }, control.stop);
  report.search = run.result();
  report.warnings.insert(report.warnings.end(), report.search.limits.begin(), report.search.limits.end());
  report.interrupted = control.stop && !report.search.counts.complete;
  if (!arguments.baseline.empty()) compare_robot(report, before, tested);
  control.total = 0;
  progress.phase("writing", "");
  const int exit_code = finish_robot(arguments, report, progress, control.stop, left);
  return end(exit_code);
}

}  // namespace sudar_cli
