#include "cli/check_baseline.hpp"

#include "cli/json_text.hpp"
#include "cli/name_pattern.hpp"
#include <sudar/io/file_bytes.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace sudar_cli {

std::vector<BaselineClash> read_baseline(const std::string& path) {
  const auto text = sudar::read_whole_file(path);
  if (!text) throw RuleError("cannot read the baseline " + path);
  return parse_baseline(*text, path);
}

std::vector<BaselineClash> parse_baseline(const std::string& text, const std::string& path) {
  if (const auto fault = fault_of_json(text)) throw RuleError(path + ": " + fault->message);
  const auto json = nlohmann::json::parse(text, nullptr, false);
  const auto broken = [&] { return RuleError(path + " is no result of sudar check --format json"); };
  const auto word = [](const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (!json.is_object() || word(json, "schema") != "sudar/check-1" || !json.contains("clashes") ||
      !json["clashes"].is_array())
    throw broken();
  const auto number = [](const nlohmann::json& object, const char* key) -> std::optional<double> {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number()) return std::nullopt;
    return found->get<double>();
  };
  const auto vector = [](const nlohmann::json& x) -> std::optional<sudar::Vec3d> {
    if (!x.is_array() || x.size() != 3 || !x[0].is_number() || !x[1].is_number() || !x[2].is_number())
      return std::nullopt;
    return sudar::Vec3d{x[0].get<double>(), x[1].get<double>(), x[2].get<double>()};
  };
  const auto at = [](const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? nlohmann::json() : *found;
  };
  std::vector<BaselineClash> out;
  for (const auto& clash : json["clashes"]) {
    if (!clash.is_object()) throw broken();
    for (const char* key : {"id", "a", "b", "type"})
      if (word(clash, key).empty()) throw broken();
    if (word(clash, "status") == "resolved") continue;
    const auto type = std::find(kClashTypeNames.begin(), kClashTypeNames.end(), word(clash, "type"));
    if (type == kClashTypeNames.end()) throw broken();
    BaselineClash old{word(clash, "id"), word(clash, "a"), word(clash, "b"), {}, {}};
    if (const auto state = clash.find("state"); state != clash.end() && state->is_number_unsigned())
      old.state = state->get<std::uint64_t>();
    old.clash.type = static_cast<ClashType>(type - kClashTypeNames.begin());
    old.clash.depth = number(clash, "depth"), old.clash.depth_lower = number(clash, "depth_lower");
    old.clash.distance = number(clash, "distance");
    old.clash.unknown = word(clash, "depth_unknown");
    old.clash.direction = vector(at(clash, "direction")).value_or(sudar::Vec3d{});
    old.clash.point = vector(at(clash, "point")).value_or(sudar::Vec3d{});
    if (const auto bounds = at(clash, "bounds"); bounds.is_array() && bounds.size() == 2)
      if (const auto lo = vector(bounds[0]), hi = vector(bounds[1]); lo && hi) old.clash.bounds = {*lo, *hi};
    out.push_back(std::move(old));
  }
  return out;
}

std::string not_looked_at_text(const std::vector<std::string>& pairs) {
  return std::to_string(pairs.size()) +
         (pairs.size() == 1 ? " clash of the baseline was" : " clashes of the baseline were") +
         " not looked at (its type, parts or pair are not in this run, or unknown in it): " + pairs.front() +
         (pairs.size() > 1 ? ", …" : "");
}

}  // namespace sudar_cli
