#include "cli/check_report.hpp"

#include "cli/text.hpp"
#include <sudar/core/hash.hpp>
#include <sudar/core/info.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace sudar_cli {

namespace {

using Out = nlohmann::ordered_json;

Out vector_json(const sudar::Vec3d& v) { return Out::array({v.x, v.y, v.z}); }
Out box_json(const sudar::Aabb3d& box) { return Out::array({vector_json(box.lo), vector_json(box.hi)}); }

std::string amount_text(const Clash& clash) {
  if (clash.depth) {
    const bool sure = clash.depth_lower && *clash.depth_lower >= 0.99 * *clash.depth;
    return "depth " + (sure ? length_text(*clash.depth)
                            : length_text(clash.depth_lower.value_or(0)) + " to " + length_text(*clash.depth));
  }
  if (clash.type == ClashType::self) return "along " + length_text(clash.contact_length.value_or(0));
  if (clash.type == ClashType::duplicate) return "";
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
  if (clash.type == ClashType::hard || clash.type == ClashType::contain || clash.type == ClashType::self) {
    out["depth"] = clash.depth ? Out(*clash.depth) : Out(nullptr);
    if (clash.depth_lower) out["depth_lower"] = *clash.depth_lower;
    if (!clash.unknown.empty()) out["depth_unknown"] = clash.unknown;
  }
  if (clash.type != ClashType::hard && clash.type != ClashType::contain && clash.type != ClashType::self)
    out["distance"] = clash.distance ? Out(*clash.distance) : Out(nullptr);
  if (clash.inner_is_a) out["inner"] = *clash.inner_is_a ? "a" : "b";
  out["direction"] = clash.direction == sudar::Vec3d{} ? Out(nullptr) : vector_json(clash.direction);
  out["point"] = vector_json(clash.point);
  out["bounds"] = clash.bounds.lo.x <= clash.bounds.hi.x ? box_json(clash.bounds) : Out(nullptr);
  if (clash.contact_length) out["contact_length"] = *clash.contact_length;
  if (!report.baseline.empty()) out["status"] = clash.status;
  return out;
}

}  // namespace

std::string csv_cell(const std::string& text) {
  const std::string cell =
      !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos ? '\'' + text : text;
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string out = "\"";
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string length_text(double metres) {
  const double size = std::fabs(metres);
  if (size == 0) return "0";
  if (size < 1e-6) return three_digits(metres * 1e9) + " nm";
  if (size < 1e-3) return three_digits(metres * 1e6) + " um";
  if (size < 1) return three_digits(metres * 1e3) + " mm";
  return three_digits(metres) + " m";
}

std::string clash_id(std::string_view a, std::string_view b, ClashType type) {
  if (b < a) std::swap(a, b);
  sudar::Hash64 hash;
  for (const std::string_view text : {a, b, to_string(type)}) {
    for (const char c : text) hash.add_byte(static_cast<std::uint8_t>(c));
    hash.add_byte(0);
  }
  return hex(hash.value());
}

namespace {

// All but the parts and the clashes, whose lists are there and empty
Out head_json(const CheckReport& report) {
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
  out["undecided"] = Out::array();
  constexpr std::size_t kMostUndecided = 10000;
  for (std::size_t i = 0; i < report.search.undecided.size() && i < kMostUndecided; ++i) {
    const UndecidedPair& pair = report.search.undecided[i];
    out["undecided"].push_back({{"a", report.name_of(pair.a)}, {"b", report.name_of(pair.b)}, {"reason", pair.why}});
  }
  out["warnings"] = report.warnings;
  out["failures"] = report.input.failures;
  out["complete"] = report.complete();
  return out;
}

Out input_json(const CheckReport& report, const CheckPart& part) {
  return {{"name", part.name},
          {"file", report.input.files[part.file]},
          {"vertices", part.mesh->mesh().vertices.size()},
          {"triangles", part.mesh->triangle_count()},
          {"watertight", part.is_solid()},
          {"bounds", box_json(part.mesh->bounds())},
          {"units", report.input.units[part.file]}};
}

// visit(JSON) for every clash, those that are gone last
template <class F>
void for_each_clash(const CheckReport& report, F&& visit) {
  for (const Clash& clash : report.search.clashes)
    visit(clash_json(report, clash, report.name_of(clash.a), report.name_of(clash.b)));
  for (std::size_t i = 0; i < report.resolved.size(); ++i)
    visit(clash_json(report, report.resolved[i], report.resolved_names[i].first, report.resolved_names[i].second));
}

}  // namespace

Out check_json(const CheckReport& report, std::size_t most_parts, std::size_t most_clashes) {
  Out out = head_json(report);
  for (std::size_t i = 0; i < report.input.parts.size() && i < most_parts; ++i)
    out["inputs"].push_back(input_json(report, report.input.parts[i]));
  for_each_clash(report, [&](Out clash) {
    if (out["clashes"].size() < most_clashes) out["clashes"].push_back(std::move(clash));
  });
  return out;
}

std::string check_json_text(const CheckReport& report) {
  const auto text = [](const Out& json) { return json.dump(-1, ' ', false, Out::error_handler_t::replace); };
  const Out head = head_json(report);
  std::string out;
  const auto open = [&](const std::string& key) { out += (out.empty() ? "{\"" : ",\n \"") + key + "\": "; };
  const auto element = [&](bool first, const Out& json) { out += (first ? "\n  " : ",\n  ") + text(json); };
  for (const auto& item : head.items()) {
    open(item.key());
    bool first = true;
    if (item.key() == "inputs") {
      out += '[';
      for (const CheckPart& part : report.input.parts) element(std::exchange(first, false), input_json(report, part));
      out += ']';
    } else if (item.key() == "clashes") {
      out += '[';
      for_each_clash(report, [&](const Out& clash) { element(std::exchange(first, false), clash); });
      out += ']';
    } else {
      out += text(item.value());
    }
  }
  return out + "}\n";
}

std::string check_csv(const CheckReport& report) {
  std::ostringstream out;
  out << "id,type,a,b,depth,depth_lower,distance,direction_x,direction_y,direction_z,x,y,z,contact_length,status,"
         "note,lo_x,lo_y,lo_z,hi_x,hi_y,hi_z\n";
  out.precision(17);
  const auto number = [&](const std::optional<double>& x) {
    if (x) out << *x;
    out << ',';
  };
  const auto row = [&](const Clash& clash, const std::string& a, const std::string& b) {
    out << clash_id(a, b, clash.type) << ',' << to_string(clash.type) << ',' << csv_cell(a) << ',' << csv_cell(b)
        << ',';
    number(clash.depth), number(clash.depth_lower), number(clash.distance);
    const bool directed = clash.direction != sudar::Vec3d{}, bounded = clash.bounds.lo.x <= clash.bounds.hi.x;
    for (int k = 0; k < 3; ++k) number(directed ? std::optional(clash.direction[k]) : std::nullopt);
    for (int k = 0; k < 3; ++k) number(bounded ? std::optional(clash.point[k]) : std::nullopt);
    number(clash.contact_length);
    out << clash.status << ',' << csv_cell(clash.unknown);
    for (const sudar::Vec3d& corner : {clash.bounds.lo, clash.bounds.hi})
      for (int k = 0; k < 3; ++k) {
        out << ',';
        if (bounded) out << corner[k];
      }
    out << '\n';
  };
  for (const Clash& clash : report.search.clashes) row(clash, report.name_of(clash.a), report.name_of(clash.b));
  for (std::size_t i = 0; i < report.resolved.size(); ++i)
    row(report.resolved[i], report.resolved_names[i].first, report.resolved_names[i].second);
  return out.str();
}

namespace {

// "3 parts, 36 triangles, 3 pairs: 2 came near each other, 2 tested"
std::string looked_at(const CheckReport& report) {
  const ClashCounts& counts = report.search.counts;
  std::uint64_t triangles = 0;
  for (const CheckPart& part : report.input.parts) triangles += part.mesh->triangle_count();
  std::string out = grouped(counts.objects) + (counts.objects == 1 ? " part" : " parts") + ", " + grouped(triangles) +
                    " triangles, " + grouped(counts.pairs) + (counts.pairs == 1 ? " pair: " : " pairs: ") +
                    grouped(counts.candidate_pairs) + " came near each other, " + grouped(counts.tested_pairs) +
                    " tested";
  if (counts.skipped_by_rule > 0) out += ", " + grouped(counts.skipped_by_rule) + " left out by rules";
  return out;
}

std::string found_text(const CheckReport& report) {
  std::ostringstream out;
  std::array<std::size_t, kClashTypeNames.size()> of_type{};
  for (const Clash& clash : report.search.clashes) ++of_type[static_cast<std::size_t>(clash.type)];
  if (!report.search.clashes.empty()) {
    out << report.search.clashes.size() << " found:";
    for (std::size_t i = 0; i < of_type.size(); ++i)
      if (of_type[i] > 0) out << ' ' << of_type[i] << ' ' << kClashTypeNames[i];
  } else if (!report.resolved.empty()) {
    out << "nothing found now";
  } else if (!report.complete()) {
    out << "nothing found in what was looked at";
  } else if (report.search.counts.candidate_pairs > 0 && !report.looked()) {
    out << "nothing was looked at: rules and sets leave every pair out";
  } else if (report.search.counts.pairs == 0 && !report.looked()) {
    out << "nothing was looked at: one part makes no pair";
  } else if (!report.search.undecided.empty()) {
    out << "nothing found, and of " << grouped(report.search.undecided.size())
        << (report.search.undecided.size() == 1 ? " pair it is" : " pairs it is") << " unknown: see the warnings";
  } else {
    out << "clean: nothing found";
  }
  if (!report.resolved.empty()) out << "; " << report.resolved.size() << " resolved since the baseline";
  out << '\n';
  if (!report.complete()) {
    out << "NOT COMPLETE:";
    if (report.interrupted) out << " interrupted;";
    if (!report.search.counts.complete && !report.interrupted) out << " not all pairs were tested;";
    if (!report.input.failures.empty())
      out << ' ' << report.input.failures.size()
          << (report.input.failures.size() == 1 ? " input was left out;" : " inputs were left out;");
    out << " see the messages\n";
  }
  return out.str();
}

}  // namespace

std::string check_summary(const CheckReport& report) { return looked_at(report) + '\n' + found_text(report); }

std::string check_text(const CheckReport& report) {
  std::ostringstream out;
  out << looked_at(report);
  out << "\nlooked for:";
  for (std::size_t i = 0; i < kClashTypeNames.size(); ++i)
    if (report.limits.types.has(static_cast<ClashType>(i))) out << ' ' << kClashTypeNames[i];
  out << "; tolerance " << length_text(report.limits.tolerance);
  if (report.limits.types.has(ClashType::clearance)) out << ", clearance " << length_text(report.limits.clearance);
  out << '\n';
  for (const IgnoreRule& rule : report.rules)
    out << "rule " << printable(rule.text()) << ": " << grouped(rule.used) << " pairs left out"
        << (rule.reason.empty() ? "" : " (" + printable(rule.reason) + ")") << '\n';
  std::size_t open = 0;
  std::string first_open;
  for (const CheckPart& part : report.input.parts)
    if (!part.is_solid() && open++ == 0) first_open = part.name;
  if (open > 0)
    out << open << (open == 1 ? " part is" : " parts are") << " not watertight (" << printable(first_open)
        << (open > 1 ? ", …" : "") << "): they have no depth, and what they hold may be unknown\n";
  for (const std::string& line : report.warnings) out << "warning: " << printable(line) << '\n';
  out << '\n';
  const bool compared = !report.baseline.empty();
  if (!report.search.clashes.empty() || !report.resolved.empty()) {
    std::vector<std::string> heads = {"type", "a", "b", "amount", "at (m)"};
    if (compared) heads.push_back("status");
    TextTable table(heads, std::vector<bool>(heads.size(), true));
    const auto row = [&](const Clash& clash, const std::string& a, const std::string& b) {
      const bool gone = clash.status == "resolved";
      std::vector<std::string> cells = {std::string(to_string(clash.type)), printable(a),
                                        clash.type == ClashType::self ? "" : printable(b),
                                        gone ? "" : printable(amount_text(clash)), gone ? "" : point_text(clash.point)};
      if (compared) cells.push_back(clash.status);
      table.add(std::move(cells));
    };
    for (const Clash& clash : report.search.clashes) row(clash, report.name_of(clash.a), report.name_of(clash.b));
    for (std::size_t i = 0; i < report.resolved.size(); ++i)
      row(report.resolved[i], report.resolved_names[i].first, report.resolved_names[i].second);
    table.print(out);
    out << '\n';
  }
  out << found_text(report);
  return out.str();
}

}  // namespace sudar_cli
