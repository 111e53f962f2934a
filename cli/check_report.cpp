#include "cli/check_report.hpp"

#include "cli/text.hpp"
#include <sudar/core/hash.hpp>
#include <sudar/core/info.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace sudar_cli {

namespace {

using Out = nlohmann::ordered_json;

Out vector_json(const sudar::Vec3d& v) { return Out::array({v.x, v.y, v.z}); }
Out box_json(const sudar::Aabb3d& box) { return Out::array({vector_json(box.lo), vector_json(box.hi)}); }

// "1.25 mm", "3 m"
std::string length_text(double metres) {
  const double size = std::fabs(metres);
  if (size == 0) return "0";
  if (size < 1e-6) return three_digits(metres * 1e9) + " nm";
  if (size < 1e-3) return three_digits(metres * 1e6) + " um";
  if (size < 1) return three_digits(metres * 1e3) + " mm";
  return three_digits(metres) + " m";
}
std::string amount_text(const Clash& clash) {
  if (clash.depth) {
    const bool sure = clash.depth_lower && *clash.depth_lower >= 0.99 * *clash.depth;
    return "depth " + (sure ? length_text(*clash.depth)
                            : length_text(clash.depth_lower.value_or(0)) + " to " + length_text(*clash.depth));
  }
  if (clash.distance) return "distance " + length_text(*clash.distance);
  if (!clash.unknown.empty()) return "depth unknown: " + clash.unknown;
  return "";
}
std::string point_text(const sudar::Vec3d& p) {
  return "(" + three_digits(p.x) + ", " + three_digits(p.y) + ", " + three_digits(p.z) + ")";
}

Out clash_json(const CheckReport& report, const Clash& clash, const std::string& a, const std::string& b) {
  Out out;
  out["id"] = clash_id(a, b, clash.type);
  out["type"] = to_string(clash.type);
  out["a"] = a;
  out["b"] = b;
  if (clash.type == ClashType::hard || clash.type == ClashType::contain) {
    out["depth"] = clash.depth ? Out(*clash.depth) : Out(nullptr);
    if (clash.depth_lower) out["depth_lower"] = *clash.depth_lower;
    if (!clash.unknown.empty()) out["depth_unknown"] = clash.unknown;
  }
  if (clash.distance) out["distance"] = *clash.distance;
  if (clash.status == "resolved") {
    out["status"] = clash.status;
    return out;
  }
  out["direction"] = clash.direction == sudar::Vec3d{} ? Out(nullptr) : vector_json(clash.direction);
  out["point"] = vector_json(clash.point);
  out["bounds"] = box_json(clash.bounds);
  if (clash.contact_length) out["contact_length"] = *clash.contact_length;
  if (!report.baseline.empty()) out["status"] = clash.status;
  return out;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace

std::string clash_id(std::string_view a, std::string_view b, ClashType type) {
  if (b < a) std::swap(a, b);
  sudar::Hash64 hash;
  for (const std::string_view text : {a, b, to_string(type)}) {
    for (const char c : text) hash.add_byte(static_cast<std::uint8_t>(c));
    hash.add_byte(0);
  }
  return hex(hash.value());
}

Out check_json(const CheckReport& report) {
  Out out;
  out["schema"] = "sudar/check-1";
  out["version"] = sudar::build_info().version;
  Out options;
  options["mode"] = report.mode;
  options["types"] = Out::array();
  for (std::size_t i = 0; i < kClashTypeNames.size(); ++i)
    if (report.limits.types.has(static_cast<ClashType>(i))) options["types"].push_back(kClashTypeNames[i]);
  options["tolerance"] = report.limits.tolerance;
  options["clearance"] = report.limits.clearance;
  options["per_part"] = report.per_part;
  options["ignore_same_file"] = report.ignore_same_file;
  options["ignore"] = Out::array();
  for (const IgnoreRule& rule : report.rules)
    options["ignore"].push_back({{"rule", rule.text()}, {"reason", rule.reason}, {"pairs", rule.used}});
  options["set_a"] = report.set_a.empty() ? Out(nullptr) : Out(report.set_a);
  options["set_b"] = report.set_b.empty() ? Out(nullptr) : Out(report.set_b);
  options["baseline"] = report.baseline.empty() ? Out(nullptr) : Out(report.baseline);
  options["threads"] = report.threads;
  out["options"] = std::move(options);
  out["inputs"] = Out::array();
  for (const CheckPart& part : report.input.parts)
    out["inputs"].push_back({{"name", part.name},
                             {"file", report.input.files[part.file]},
                             {"vertices", part.mesh->mesh().vertices.size()},
                             {"triangles", part.mesh->triangle_count()},
                             {"watertight", part.is_solid()},
                             {"bounds", box_json(part.mesh->bounds())},
                             {"units", report.input.units[part.file]}});
  const ClashCounts& counts = report.search.counts;
  out["counts"] = {{"objects", counts.objects},
                   {"pairs", counts.pairs},
                   {"candidate_pairs", counts.candidate_pairs},
                   {"tested_pairs", counts.tested_pairs},
                   {"skipped_by_rule", counts.skipped_by_rule},
                   {"triangle_tests", counts.triangle_tests}};
  out["ms"] = {{"load", report.input.load_ms},
               {"build", report.input.build_ms},
               {"broad", report.search.broad_ms},
               {"narrow", report.search.narrow_ms}};
  out["clashes"] = Out::array();
  for (const Clash& clash : report.search.clashes)
    out["clashes"].push_back(clash_json(report, clash, report.name_of(clash.a), report.name_of(clash.b)));
  for (std::size_t i = 0; i < report.resolved.size(); ++i)
    out["clashes"].push_back(
        clash_json(report, report.resolved[i], report.resolved_names[i].first, report.resolved_names[i].second));
  out["warnings"] = report.input.warnings;
  out["failures"] = report.input.failures;
  out["complete"] = report.complete();
  return out;
}

std::string check_csv(const CheckReport& report) {
  std::ostringstream out;
  out << "id,type,a,b,depth,depth_lower,distance,direction_x,direction_y,direction_z,x,y,z,contact_length,status,"
         "note\n";
  out.precision(17);
  const auto number = [&](const std::optional<double>& x) {
    if (x) out << *x;
    out << ',';
  };
  const auto row = [&](const Clash& clash, const std::string& a, const std::string& b) {
    out << clash_id(a, b, clash.type) << ',' << to_string(clash.type) << ',' << csv_cell(a) << ',' << csv_cell(b)
        << ',';
    number(clash.depth), number(clash.depth_lower), number(clash.distance);
    const bool gone = clash.status == "resolved";
    for (int k = 0; k < 3; ++k) number(gone ? std::nullopt : std::optional(clash.direction[k]));
    for (int k = 0; k < 3; ++k) number(gone ? std::nullopt : std::optional(clash.point[k]));
    number(clash.contact_length);
    out << clash.status << ',' << csv_cell(clash.unknown) << '\n';
  };
  for (const Clash& clash : report.search.clashes) row(clash, report.name_of(clash.a), report.name_of(clash.b));
  for (std::size_t i = 0; i < report.resolved.size(); ++i)
    row(report.resolved[i], report.resolved_names[i].first, report.resolved_names[i].second);
  return out.str();
}

std::string check_text(const CheckReport& report) {
  std::ostringstream out;
  const ClashCounts& counts = report.search.counts;
  std::uint64_t triangles = 0;
  for (const CheckPart& part : report.input.parts) triangles += part.mesh->triangle_count();
  out << grouped(counts.objects) << (counts.objects == 1 ? " part" : " parts") << ", " << grouped(triangles)
      << " triangles, " << grouped(counts.pairs) << " pairs: " << grouped(counts.candidate_pairs)
      << " came near each other, " << grouped(counts.tested_pairs) << " tested";
  if (counts.skipped_by_rule > 0) out << ", " << grouped(counts.skipped_by_rule) << " left out by rules";
  out << "\nlooked for:";
  for (std::size_t i = 0; i < kClashTypeNames.size(); ++i)
    if (report.limits.types.has(static_cast<ClashType>(i))) out << ' ' << kClashTypeNames[i];
  out << "; tolerance " << length_text(report.limits.tolerance);
  if (report.limits.types.has(ClashType::clearance)) out << ", clearance " << length_text(report.limits.clearance);
  out << '\n';
  for (const IgnoreRule& rule : report.rules)
    out << "rule " << rule.text() << ": " << grouped(rule.used) << " pairs left out"
        << (rule.reason.empty() ? "" : " (" + rule.reason + ")") << '\n';
  std::size_t open = 0;
  std::string first_open;
  for (const CheckPart& part : report.input.parts)
    if (!part.is_solid() && open++ == 0) first_open = part.name;
  if (open > 0)
    out << open << (open == 1 ? " part is" : " parts are") << " not watertight (" << first_open
        << (open > 1 ? ", …" : "") << "): what is inside of them is not known\n";
  out << '\n';
  const bool compared = !report.baseline.empty();
  if (!report.search.clashes.empty() || !report.resolved.empty()) {
    std::vector<std::string> heads = {"type", "a", "b", "amount", "at (m)"};
    if (compared) heads.push_back("status");
    TextTable table(heads, std::vector<bool>(heads.size(), true));
    const auto row = [&](const Clash& clash, const std::string& a, const std::string& b) {
      const bool gone = clash.status == "resolved";
      std::vector<std::string> cells = {std::string(to_string(clash.type)), a, clash.type == ClashType::self ? "" : b,
                                        gone ? "" : amount_text(clash), gone ? "" : point_text(clash.point)};
      if (compared) cells.push_back(clash.status);
      table.add(std::move(cells));
    };
    for (const Clash& clash : report.search.clashes) row(clash, report.name_of(clash.a), report.name_of(clash.b));
    for (std::size_t i = 0; i < report.resolved.size(); ++i)
      row(report.resolved[i], report.resolved_names[i].first, report.resolved_names[i].second);
    table.print(out);
    out << '\n';
  }
  std::array<std::size_t, kClashTypeNames.size()> of_type{};
  for (const Clash& clash : report.search.clashes) ++of_type[static_cast<std::size_t>(clash.type)];
  if (report.search.clashes.empty()) {
    out << (report.complete() ? "clean: nothing found\n" : "nothing found in what was looked at\n");
  } else {
    out << report.search.clashes.size() << " found:";
    for (std::size_t i = 0; i < of_type.size(); ++i)
      if (of_type[i] > 0) out << ' ' << of_type[i] << ' ' << kClashTypeNames[i];
    out << '\n';
  }
  if (!report.complete()) {
    out << "NOT COMPLETE:";
    if (report.interrupted) out << " interrupted;";
    if (!report.search.counts.complete) out << " not all pairs were tested;";
    if (!report.input.failures.empty()) out << ' ' << report.input.failures.size() << " inputs were left out;";
    out << " see above\n";
  }
  return out.str();
}

}  // namespace sudar_cli
