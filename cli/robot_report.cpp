// What:    `sudar check robot.urdf`: reads the robot, its states and its surroundings, runs the search, and tells the answer
//          in the four forms of `sudar check`.
// Differs: A clash has the number of its state; every state has its nearest pair. docs/robots.md describes the fields.
#include "cli/check_command.hpp"
#include "cli/check_progress.hpp"
#include "cli/check_report.hpp"
#include "cli/commands.hpp"
#include "cli/leave.hpp"
#include "cli/robot_check.hpp"
#include "cli/text.hpp"
#include <sudar/core/info.hpp>
#include <sudar/io/file_bytes.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <sstream>

namespace sudar_cli {

namespace {

using Out = nlohmann::ordered_json;

struct RobotReport {
  Robot robot;
  RobotStates states;
  CheckInput around;  // the surroundings
  std::string robot_file, joints_file, mode;
  std::vector<RobotBody> bodies;
  std::vector<SkippedPair> skipped;
  std::vector<IgnoreRule> rules;
  ClashLimits limits;
  RobotSearch search;
  std::vector<std::string> warnings;
  double load_ms = 0;
  unsigned threads = 1;
  bool interrupted = false;

  bool complete() const { return search.counts.complete && around.failures.empty() && !interrupted; }
  std::string id_of(const StateClash& x) const {
    // With several states, one pair may clash in each
    const std::string where = states.values.size() > 1 ? '@' + std::to_string(x.state) : "";
    return clash_id(bodies[x.clash.a].name + where, bodies[x.clash.b].name + where, x.clash.type);
  }
};

Out triple(const sudar::Vec3d& v) { return Out::array({v.x, v.y, v.z}); }

Out robot_clash_json(const RobotReport& report, const StateClash& x) {
  const Clash& clash = x.clash;
  Out out;
  out["id"] = report.id_of(x);
  out["type"] = to_string(clash.type);
  out["a"] = report.bodies[clash.a].name;
  out["b"] = report.bodies[clash.b].name;
  out["state"] = x.state;
  if (clash.type == ClashType::hard) {
    out["depth"] = clash.depth ? Out(*clash.depth) : Out(nullptr);
    if (clash.depth_lower) out["depth_lower"] = *clash.depth_lower;
    if (!clash.unknown.empty()) out["depth_unknown"] = clash.unknown;
  } else {
    out["distance"] = clash.distance ? Out(*clash.distance) : Out(nullptr);
  }
  out["direction"] = clash.direction == sudar::Vec3d{} ? Out(nullptr) : triple(clash.direction);
  out["point"] = triple(clash.point);
  out["bounds"] = Out::array({triple(clash.bounds.lo), triple(clash.bounds.hi)});
  return out;
}

Out state_json(const RobotReport& report, std::size_t i) {
  const StateResult& x = report.search.states[i];
  Out out;
  out["state"] = i;
  out["name"] =
      i < report.states.names.size() && !report.states.names[i].empty() ? Out(report.states.names[i]) : Out(nullptr);
  out["clashes"] = x.clashes;
  out["nearest"] = nullptr;
  if (x.done && x.a)
    out["nearest"] = {{"a", report.bodies[*x.a].name},
                      {"b", report.bodies[*x.b].name},
                      {"distance", x.distance},
                      {"point_a", triple(x.point_a)},
                      {"point_b", triple(x.point_b)}};
  if (!x.done) out["looked_at"] = false;
  return out;
}

// `clashes` in their order, or the worst first
Out robot_json(const RobotReport& report, const std::vector<const StateClash*>& clashes) {
  Out out, options;
  out["schema"] = "sudar/check-1";
  out["version"] = sudar::build_info().version;
  options["mode"] = report.mode;
  options["types"] = Out::array();
  for (std::size_t i = 0; i < kClashTypeNames.size(); ++i)
    if (report.limits.types.has(static_cast<ClashType>(i))) options["types"].push_back(kClashTypeNames[i]);
  options["tolerance"] = report.limits.tolerance;
  options["clearance"] = report.limits.clearance;
  options["joints"] = report.joints_file.empty() ? Out(nullptr) : Out(report.joints_file);
  options["ignore"] = Out::array();
  for (const IgnoreRule& rule : report.rules)
    options["ignore"].push_back({{"rule", rule.text()}, {"reason", rule.reason}, {"pairs", rule.used}});
  options["baseline"] = nullptr;
  options["threads"] = report.threads;
  out["options"] = std::move(options);
  out["robot"] = {{"name", report.robot.name},
                  {"file", report.robot_file},
                  {"links", report.robot.links.size()},
                  {"joints", report.robot.joints.size()}};
  out["inputs"] = Out::array();
  const std::vector<double> zero(report.robot.joints.size(), 0);
  const auto poses = body_poses(report.robot, report.bodies, zero);
  for (std::size_t i = 0; i < report.bodies.size(); ++i) {
    const RobotBody& body = report.bodies[i];
    std::size_t vertices = 0, triangles = 0;
    sudar::Aabb3d box = sudar::Aabb3d::empty();
    for (const RobotShape& shape : body.shapes) {
      vertices += shape.surface.vertices.size();
      triangles += shape.surface.triangles.size();
      box = merge(box, bounding_box(shape.shape, poses[i] * shape.link_from_shape));
    }
    out["inputs"].push_back(
        {{"name", body.name},
         {"file", body.link ? report.robot_file : report.around.files[report.around.parts[body.part].file]},
         {"vertices", vertices},
         {"triangles", triangles},
         {"watertight", body.solid},
         {"bounds", Out::array({triple(box.lo), triple(box.hi)})},
         {"units", "m"}});
  }
  const ClashCounts& counts = report.search.counts;
  out["counts"] = {{"objects", counts.objects},
                   {"pairs", counts.pairs},
                   {"candidate_pairs", counts.candidate_pairs},
                   {"tested_pairs", counts.tested_pairs},
                   {"skipped_by_rule", report.skipped.size()},
                   {"triangle_tests", 0},
                   {"states", report.states.values.size()}};
  out["ms"] = {{"load", report.load_ms}, {"build", 0}, {"broad", 0}, {"narrow", report.search.narrow_ms}};
  out["skipped"] = Out::array();
  for (const SkippedPair& pair : report.skipped)
    out["skipped"].push_back(
        {{"a", report.bodies[pair.a].name}, {"b", report.bodies[pair.b].name}, {"reason", pair.reason}});
  out["clashes"] = Out::array();
  for (const StateClash* clash : clashes) out["clashes"].push_back(robot_clash_json(report, *clash));
  out["states"] = Out::array();
  for (std::size_t i = 0; i < report.search.states.size(); ++i) out["states"].push_back(state_json(report, i));
  out["warnings"] = report.warnings;
  out["failures"] = report.around.failures;
  out["complete"] = report.complete();
  return out;
}

std::string robot_csv(const RobotReport& report) {
  std::ostringstream out;
  out.precision(17);
  out << "state,state_name,type,a,b,depth,distance,direction_x,direction_y,direction_z,x,y,z,id,note\n";
  const auto number = [&](const std::optional<double>& x) {
    if (x) out << *x;
    out << ',';
  };
  auto clash = report.search.clashes.begin();
  for (std::size_t i = 0; i < report.search.states.size(); ++i) {
    const std::string name = i < report.states.names.size() ? csv_cell(report.states.names[i]) : "";
    for (; clash != report.search.clashes.end() && clash->state == i; ++clash) {
      const Clash& x = clash->clash;
      out << i << ',' << name << ',' << to_string(x.type) << ',' << csv_cell(report.bodies[x.a].name) << ','
          << csv_cell(report.bodies[x.b].name) << ',';
      number(x.depth), number(x.distance);
      for (int k = 0; k < 3; ++k) number(x.direction[k]);
      for (int k = 0; k < 3; ++k) number(x.point[k]);
      out << report.id_of(*clash) << ',' << csv_cell(x.unknown) << '\n';
    }
    const StateResult& state = report.search.states[i];
    if (!state.a) continue;
    const sudar::Vec3d middle = (state.point_a + state.point_b) * 0.5;
    out << i << ',' << name << ",nearest," << csv_cell(report.bodies[*state.a].name) << ','
        << csv_cell(report.bodies[*state.b].name) << ",," << state.distance << ",,,," << middle.x << ',' << middle.y
        << ',' << middle.z << ",,\n";
  }
  return out.str();
}

std::string robot_summary(const RobotReport& report) {
  const ClashCounts& counts = report.search.counts;
  std::size_t bad = 0;
  for (const StateResult& x : report.search.states) bad += x.clashes > 0;
  std::string out = report.robot.name + ": " + grouped(report.states.values.size()) + " states, " +
                    grouped(counts.objects) + " bodies, " + grouped(counts.pairs) + " pairs, " +
                    grouped(report.skipped.size()) + " of them left out by rules; " + grouped(counts.tested_pairs) +
                    " tested in all states\n";
  if (report.search.clashes.empty())
    out += report.complete() ? "clean: no state clashes\n" : "nothing found in what was looked at\n";
  else
    out += grouped(report.search.clashes.size()) + " found in " + grouped(bad) + " states\n";
  if (!report.complete()) out += "NOT COMPLETE: see the messages\n";
  return printable(out.substr(0, out.find('\n'))) + out.substr(out.find('\n'));
}

std::string robot_text(const RobotReport& report) {
  std::ostringstream out;
  const std::string summary = robot_summary(report);
  const std::size_t first = summary.find('\n') + 1;
  out << summary.substr(0, first) << "tolerance " << length_text(report.limits.tolerance);
  if (report.limits.types.has(ClashType::clearance)) out << ", clearance " << length_text(report.limits.clearance);
  out << '\n';
  for (const SkippedPair& pair : report.skipped)
    out << "left out: " << printable(report.bodies[pair.a].name) << " and " << printable(report.bodies[pair.b].name)
        << " (" << printable(pair.reason) << ")\n";
  for (const std::string& line : report.warnings) out << "warning: " << printable(line) << '\n';
  out << '\n';
  constexpr std::size_t kMostRows = 500;
  TextTable states({"state", "name", "clashes", "nearest pair", "", "distance"},
                   {false, true, false, true, true, false});
  for (std::size_t i = 0; i < report.search.states.size() && i < kMostRows; ++i) {
    const StateResult& x = report.search.states[i];
    states.add({std::to_string(i), i < report.states.names.size() ? printable(report.states.names[i]) : "",
                x.done ? std::to_string(x.clashes) : "not looked at", x.a ? printable(report.bodies[*x.a].name) : "",
                x.b ? printable(report.bodies[*x.b].name) : "", x.a ? length_text(x.distance) : ""});
  }
  states.print(out);
  if (report.search.states.size() > kMostRows)
    out << "… and " << grouped(report.search.states.size() - kMostRows) << " states more: --format csv has all\n";
  out << '\n';
  if (!report.search.clashes.empty()) {
    TextTable table({"state", "type", "a", "b", "amount"}, {false, true, true, true, true});
    for (std::size_t i = 0; i < report.search.clashes.size() && i < kMostRows; ++i) {
      const auto& [state, clash] = report.search.clashes[i];
      table.add({std::to_string(state), std::string(to_string(clash.type)), printable(report.bodies[clash.a].name),
                 printable(report.bodies[clash.b].name),
                 clash.depth      ? "depth " + length_text(*clash.depth)
                 : clash.distance ? "distance " + length_text(*clash.distance)
                                  : "depth unknown: " + printable(clash.unknown)});
    }
    table.print(out);
    if (report.search.clashes.size() > kMostRows)
      out << "… and " << grouped(report.search.clashes.size() - kMostRows) << " clashes more\n";
    out << '\n';
  }
  out << summary.substr(first);
  return out.str();
}

// The worst clashes with the two bodies where they are then
std::string robot_html(const RobotReport& report) {
  constexpr std::size_t kMostPlaced = 150;
  std::vector<const StateClash*> order;
  for (const StateClash& clash : report.search.clashes) order.push_back(&clash);
  const auto weight = [](const StateClash* x) { return x->clash.depth.value_or(-x->clash.distance.value_or(-1)); };
  std::stable_sort(order.begin(), order.end(),
                   [&](const StateClash* x, const StateClash* y) { return weight(x) > weight(y); });
  CheckReport views;
  views.interrupted = report.interrupted;
  const auto place = [&](std::uint32_t body, const sudar::Pose3d& pose) -> std::optional<std::uint32_t> {
    sudar::Mesh mesh;
    for (const RobotShape& shape : report.bodies[body].shapes) {
      const auto moved = transformed(shape.surface, pose * shape.link_from_shape);
      if (!moved) return std::nullopt;
      auto both = mesh.triangles.empty() ? moved : joined(mesh, *moved);
      if (!both) return std::nullopt;
      mesh = *std::move(both);
    }
    auto made = sudar::TriangleMesh::make(std::move(mesh));
    if (!made) return std::nullopt;
    views.input.parts.push_back({report.bodies[body].name, 0, *std::move(made)});
    return static_cast<std::uint32_t>(views.input.parts.size() - 1);
  };
  for (std::size_t i = 0; i < order.size() && i < kMostPlaced; ++i) {
    const auto poses = body_poses(report.robot, report.bodies, report.states.values[order[i]->state]);
    Clash clash = order[i]->clash;
    const auto a = place(clash.a, poses[clash.a]), b = place(clash.b, poses[clash.b]);
    if (!a || !b) break;
    clash.a = *a, clash.b = *b;
    views.search.clashes.push_back(clash);
  }
  return check_html(views, robot_json(report, order));
}

// All of one part's triangles as a shape that stands
RobotShape standing(const CheckPart& part) {
  const bool solid = part.is_solid();
  return {sudar::Shape3(sudar::MeshShape3{part.mesh, solid}), {}, part.mesh->mesh(), solid};
}

int finish_robot(const CheckArguments& arguments, const RobotReport& report, CheckProgress& progress) {
  std::vector<const StateClash*> order;
  for (const StateClash& clash : report.search.clashes) order.push_back(&clash);
  const std::string text = arguments.format == "json"
                               ? robot_json(report, order).dump(1, ' ', false, Out::error_handler_t::replace) + '\n'
                           : arguments.format == "csv"  ? robot_csv(report)
                           : arguments.format == "html" ? robot_html(report)
                                                        : robot_text(report);
  const bool written = arguments.out.empty() || sudar::write_whole_file(arguments.out, text).ok();
  progress.finish();
  if (arguments.out.empty() || !written) std::cout << text;
  if (arguments.format == "csv" || !arguments.out.empty()) std::cerr << "sudar check: " << robot_summary(report);
  if (!written) return refuse("check", "cannot write " + arguments.out + "; the result is on the standard output");
  if (!report.complete()) return kPartial;
  return report.search.clashes.empty() ? kDone : kFound;
}

}  // namespace

bool is_robot_file(const std::string& path) {
  std::string ending = path.size() < 5 ? "" : path.substr(path.size() - 5);
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ending == ".urdf";
}

int run_robot_check(const CheckArguments& arguments) {
  RobotReport report;
  std::vector<CheckFile> files;
  try {
    if (std::count_if(arguments.files.begin(), arguments.files.end(), is_robot_file) > 1)
      throw RuleError("one robot at a time");
    for (const auto& [name, value] :
         {std::pair("--baseline", &arguments.baseline), std::pair("--export-contacts", &arguments.contacts)})
      if (!value->empty()) throw RuleError(std::string(name) + " is not for robots");
    report.limits = limits_of(arguments);
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
  for (std::uint32_t a = 0; a < report.bodies.size(); ++a)
    for (std::uint32_t b = a + 1; b < report.bodies.size(); ++b) {
      if (!report.bodies[a].link && !report.bodies[b].link) continue;
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

  control.total = 0;
  progress.phase("checking", "states");
  RobotRun run(report.robot, report.states, report.bodies, std::move(pairs), report.limits, control);
  if (!left && !control.stop) left = !run_or_leave([&] { run.run(*executor); }, control.stop);
  report.search = run.result();
  report.warnings.insert(report.warnings.end(), report.search.limits.begin(), report.search.limits.end());
  report.interrupted = control.stop && !report.search.counts.complete;
  control.total = 0;
  progress.phase("writing", "");
  return end(finish_robot(arguments, report, progress));
}

}  // namespace sudar_cli
