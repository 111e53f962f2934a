#include "cli/robot_report.hpp"

#include "cli/text.hpp"
#include <sudar/core/info.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace sudar_cli {

namespace {

using Out = nlohmann::ordered_json;

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
  if (!report.baseline.empty()) out["status"] = clash.status;
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
  options["baseline"] = report.baseline.empty() ? Out(nullptr) : Out(report.baseline);
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
         {"units", body.link ? "m" : report.around.units[report.around.parts[body.part].file]}});
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

}  // namespace

std::string RobotReport::id_of(const StateClash& x) const {
  // With several states, one pair may clash in each
  const std::string where = states.values.size() > 1 ? '@' + std::to_string(x.state) : "";
  return clash_id(bodies[x.clash.a].name + where, bodies[x.clash.b].name + where, x.clash.type);
}

std::vector<const StateClash*> RobotReport::all_clashes() const {
  std::vector<const StateClash*> out;
  for (const auto* list : {&search.clashes, &resolved})
    for (const StateClash& clash : *list) out.push_back(&clash);
  return out;
}

std::string robot_json_text(const RobotReport& report) {
  return robot_json(report, report.all_clashes()).dump(1, ' ', false, Out::error_handler_t::replace) + '\n';
}

std::string robot_csv(const RobotReport& report) {
  std::ostringstream out;
  out.precision(17);
  out << "state,state_name,type,a,b,depth,distance,direction_x,direction_y,direction_z,x,y,z,id,note,status\n";
  const auto number = [&](const std::optional<double>& x) {
    if (x) out << *x;
    out << ',';
  };
  const auto name_of = [&](std::size_t i) {
    return i < report.states.names.size() ? csv_cell(report.states.names[i]) : "";
  };
  const auto row = [&](const StateClash& clash) {
    const Clash& x = clash.clash;
    out << clash.state << ',' << name_of(clash.state) << ',' << to_string(x.type) << ','
        << csv_cell(report.bodies[x.a].name) << ',' << csv_cell(report.bodies[x.b].name) << ',';
    number(x.depth), number(x.distance);
    for (int k = 0; k < 3; ++k) number(x.direction[k]);
    for (int k = 0; k < 3; ++k) number(x.point[k]);
    out << report.id_of(clash) << ',' << csv_cell(x.unknown) << ',' << x.status << '\n';
  };
  auto clash = report.search.clashes.begin();
  for (std::size_t i = 0; i < report.search.states.size(); ++i) {
    for (; clash != report.search.clashes.end() && clash->state == i; ++clash) row(*clash);
    const StateResult& state = report.search.states[i];
    if (!state.a) continue;
    const sudar::Vec3d middle = (state.point_a + state.point_b) * 0.5;
    out << i << ',' << name_of(i) << ",nearest," << csv_cell(report.bodies[*state.a].name) << ','
        << csv_cell(report.bodies[*state.b].name) << ",," << state.distance << ",,,," << middle.x << ',' << middle.y
        << ',' << middle.z << ",,,\n";
  }
  for (const StateClash& gone : report.resolved) row(gone);
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
    out += !report.complete()        ? "nothing found in what was looked at\n"
           : report.resolved.empty() ? "clean: no state clashes\n"
                                     : "nothing found now\n";
  else
    out += grouped(report.search.clashes.size()) + " found in " + grouped(bad) + " states\n";
  if (!report.resolved.empty()) out += grouped(report.resolved.size()) + " resolved since the baseline\n";
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
  if (const auto clashes = report.all_clashes(); !clashes.empty()) {
    std::vector<std::string> heads = {"state", "type", "a", "b", "amount"};
    if (!report.baseline.empty()) heads.push_back("status");
    TextTable table(heads, {false, true, true, true, true, true});
    for (std::size_t i = 0; i < clashes.size() && i < kMostRows; ++i) {
      const auto& [state, clash] = *clashes[i];
      std::vector<std::string> cells = {std::to_string(state), std::string(to_string(clash.type)),
                                        printable(report.bodies[clash.a].name), printable(report.bodies[clash.b].name),
                                        clash.status == "resolved" ? ""
                                        : clash.depth              ? "depth " + length_text(*clash.depth)
                                        : clash.distance           ? "distance " + length_text(*clash.distance)
                                                                   : "depth unknown: " + printable(clash.unknown)};
      if (!report.baseline.empty()) cells.push_back(clash.status);
      table.add(std::move(cells));
    }
    table.print(out);
    if (clashes.size() > kMostRows) out << "… and " << grouped(clashes.size() - kMostRows) << " clashes more\n";
    out << '\n';
  }
  out << summary.substr(first);
  return out.str();
}

CheckReport placed_clashes(const RobotReport& report, const std::vector<const StateClash*>& order, std::size_t most) {
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
  for (std::size_t i = 0; i < order.size() && i < most; ++i) {
    const auto poses = body_poses(report.robot, report.bodies, report.states.values[order[i]->state]);
    Clash clash = order[i]->clash;
    const auto a = place(clash.a, poses[clash.a]), b = place(clash.b, poses[clash.b]);
    if (!a || !b) break;
    clash.a = *a, clash.b = *b;
    views.search.clashes.push_back(clash);
  }
  return views;
}

// The worst first
std::string robot_html(const RobotReport& report) {
  constexpr std::size_t kMostPlaced = 150;
  std::vector<const StateClash*> order = report.all_clashes();
  const auto weight = [](const StateClash* x) { return x->clash.depth.value_or(-x->clash.distance.value_or(-1)); };
  const auto gone = order.begin() + static_cast<std::ptrdiff_t>(report.search.clashes.size());
  std::stable_sort(order.begin(), gone,
                   [&](const StateClash* x, const StateClash* y) { return weight(x) > weight(y); });
  const std::vector<const StateClash*> now(order.begin(), gone);
  return check_html(placed_clashes(report, now, kMostPlaced), robot_json(report, order));
}

}  // namespace sudar_cli
