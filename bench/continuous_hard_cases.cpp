// What:    The hard cases that move (times of impact of bodies, of vertices, edges and faces) or lie in the plane
//          (data/hard_cases.jsonl), and those of rays (data/hard_rays.jsonl), asked as lines of `sudar query`: how many answers
//          are wrong. Those of shapes at rest in space are in narrowphase_hard_cases.cpp, with the peers.
// Differs: Nothing is timed. What has four moving corners is asked in two orders and three sizes, which change no truth. In
//          single precision only those are asked whose numbers are floats, since the others become other cases.
// Fails:   without a file its bar is not measured; a line that cannot be read is named and counts as wrong.
#include "bench/suites.hpp"
#include "cli/json_text.hpp"
#include "cli/query_line.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using Json = nlohmann::json;

// Where this was built from, and else the current directory
constexpr const char* kCaseFiles[] = {SUDAR_DATA "/hard_cases.jsonl", "data/hard_cases.jsonl"};
constexpr const char* kRayFiles[] = {SUDAR_DATA "/hard_rays.jsonl", "data/hard_rays.jsonl"};
constexpr const char *kWrongMoving = "hard_cases: wrong answers on what moves or lies in the plane",
                     *kWrongRays = "hard_cases: wrong answers on rays",
                     *kWrongSingle = "hard_cases: wrong answers in single precision";
constexpr double kUnsaidTime = 1e-6, kUnsaidAngle = 1e-6,
                 kUnsaidPlace = 1e-6;  // where a case has no tolerance of its own
constexpr double kRounded = 0x1p-23;   // of numbers that go out as floats

struct AskedLine {
  std::string group, id;
  Json line, expect;
};

template <std::size_t N>
bool open_any(std::ifstream& file, const char* const (&paths)[N]) {
  for (const char* path : paths) {
    if (!file.is_open()) file.open(path);
  }
  return file.is_open();
}

bool is_all_floats(const Json& json) {
  if (json.is_number()) {
    const double x = json.get<double>();
    return static_cast<double>(static_cast<float>(x)) == x;
  }
  return !json.is_structured() || std::all_of(json.begin(), json.end(), is_all_floats);
}

// The corners of a case in another order and size
Json reordered(const Json& line, const std::vector<std::size_t>& order, int power) {
  Json out = line;
  for (const char* key : {"t0", "t1"})
    for (std::size_t i = 0; i < order.size(); ++i) {
      out[key][i] = line[key].at(order[i]);
      for (Json& x : out[key][i]) x = std::ldexp(x.get<double>(), power);
    }
  return out;
}

void add_corners(std::vector<AskedLine>& all, const AskedLine& asked, const std::string& op) {
  static const std::map<std::string, std::vector<std::size_t>> kTurns = {
      {"ccd_vertex_face", {0, 2, 3, 1}}, {"ccd_edge_edge", {3, 2, 0, 1}}, {"ccd_point_edge", {0, 2, 1}}};
  std::vector<std::size_t> same = kTurns.at(op);
  std::sort(same.begin(), same.end());
  for (const int power : {0, -20, 20})
    for (const auto& order : {same, kTurns.at(op)})
      all.push_back({asked.group, asked.id, reordered(asked.line, order, power), asked.expect});
  if (!asked.expect.contains("min_distance")) return;
  // Within a separation they meet when it is as large as the least distance, and not when it is smaller
  const double least = asked.expect["min_distance"].get<double>();
  for (const double share : {0.98, 1.02}) {
    AskedLine near = asked;
    near.line["min_separation"] = share * least;
    near.expect = {{"hit", share > 1}};
    all.push_back(std::move(near));
  }
}

// All lines that a case gives
void add_case(std::vector<AskedLine>& all, const Json& hard, const std::string& op) {
  AskedLine asked{op, hard.at("id").get<std::string>(), hard, hard.at("expect")};
  for (const char* key : {"expect", "why", "source"}) asked.line.erase(key);
  asked.line["op"] = op;
  if (op.starts_with("ccd_"))
    add_corners(all, asked, op);
  else
    all.push_back(std::move(asked));
}

// Of both files, but for shapes at rest in space
std::vector<AskedLine> read_lines(std::istream& file, bool rays, std::size_t& unread, Session& session) {
  std::vector<AskedLine> all;
  std::size_t number = 0;
  for (std::string text; std::getline(file, text);) {
    ++number;
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      if (const auto fault = sudar_cli::fault_of_json(text)) throw std::invalid_argument(fault->message);
      const Json hard = Json::parse(text);
      if (rays) {
        add_case(all, hard, "ray");
      } else if (hard.contains("op")) {
        add_case(all, hard, hard["op"].get<std::string>());
      } else if (hard.value("dim", 3) == 2) {
        if (hard.at("expect").contains("hit")) add_case(all, hard, "intersects");
        if (hard.at("expect").contains("separation")) add_case(all, hard, "distance");
      }
    } catch (const std::exception& error) {
      ++unread;
      session.note("hard_cases: line " + std::to_string(number) + (rays ? " of the rays" : "") + ": " + error.what());
    }
  }
  return all;
}

double angle_between(const Json& u, const Json& v) {
  double dot = 0, uu = 0, vv = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double a = u[i].get<double>(), b = v.at(i).get<double>();
    dot += a * b, uu += a * a, vv += b * b;
  }
  return std::acos(std::clamp(dot / std::sqrt(uu * vv), -1.0, 1.0));
}

double farthest(const Json& p, const Json& q) {
  double out = 0;
  for (std::size_t i = 0; i < p.size(); ++i) out = std::max(out, std::fabs(p[i].get<double>() - q.at(i).get<double>()));
  return out;
}

// Empty when the answer is right. Comparisons are such that what is no number is wrong.
std::string wrong_because(const Json& expect, const Json& x, bool single) {
  if (x.contains("error")) return x["error"].dump();
  if (expect.contains("separation") && x.contains("separation")) {
    const double want = expect["separation"].get<double>(), said = x["separation"].get<double>();
    const double slack = std::max(expect.value("distance_tolerance", 0.0), 2 * 0x1p-52 * std::fabs(want));
    if (!(std::fabs(said - want) <= slack + (single ? kRounded * std::fabs(want) : 0))) return "separation";
  }
  if (expect.contains("hit") && x.contains("hit") && x["hit"] != expect["hit"]) return "hit";
  // A time of impact for want of work is no answer; depths may say that their normal is one of several
  if (x.contains("t_upper") && x["status"] != "converged") return "status";
  if (!x.value("hit", false)) return "";
  const double t = x.value("t", std::numeric_limits<double>::quiet_NaN());
  const double slack =
      expect.value("t_tolerance", expect.value("tolerance", kUnsaidTime)) + (single ? kRounded * std::fabs(t) : 0);
  if (expect.contains("t")) {
    const double want = expect["t"].get<double>();
    if (!(std::fabs(t - want) <= slack)) return "time";
    // What is proven to be free ends before the contact
    if (x.contains("t_lower") && !(x["t_lower"].get<double>() <= std::min(t, want + slack))) return "lower time";
  }
  if (expect.contains("t_upper") && !(t <= expect["t_upper"].get<double>())) return "time";
  if (expect.contains("normal") && !(angle_between(x.at("normal"), expect["normal"]) <= kUnsaidAngle)) return "normal";
  if (expect.contains("point") && !(farthest(x.at("point"), expect["point"]) <= kUnsaidPlace)) return "point";
  return "";
}

struct GroupScore {
  std::size_t asked = 0, wrong = 0, single = 0, single_wrong = 0;
  std::string which;
};

void ask_all(const std::vector<AskedLine>& all, std::map<std::string, GroupScore>& scores) {
  for (const bool single : {false, true}) {
    const sudar_cli::ShapeReader reader(single);
    std::size_t number = 0;
    for (const AskedLine& asked : all) {
      ++number;
      if (single && !is_all_floats(asked.line)) continue;
      const auto answer = sudar_cli::answer_line(asked.line.dump(), number, {.single = single}, reader);
      const std::string why = wrong_because(asked.expect, Json(answer.json), single);
      GroupScore& score = scores[asked.group];
      ++(single ? score.single : score.asked);
      if (why.empty()) continue;
      ++(single ? score.single_wrong : score.wrong);
      score.which += (score.which.empty() ? "" : "; ") + asked.id + ": " + why + (single ? ", single" : "");
    }
  }
}

}  // namespace

void bench_hard_queries(Session& session) {
  session.progress("hard_cases: what moves, and rays");
  for (const char* bar : {kWrongMoving, kWrongRays, kWrongSingle}) session.expect_bar(bar, 0);
  Table table{"hard_queries", {"operation", "asked", "wrong", "asked_single", "wrong_single", "which"}, {}};
  std::size_t single_wrong = 0, single = 0;
  bool both = true;
  for (const bool rays : {false, true}) {
    std::ifstream file;
    if (!(rays ? open_any(file, kRayFiles) : open_any(file, kCaseFiles))) {
      session.missing_input(rays ? "data/hard_rays.jsonl" : "data/hard_cases.jsonl");
      both = false;
      continue;
    }
    std::size_t wrong = 0;
    std::map<std::string, GroupScore> scores;
    ask_all(read_lines(file, rays, wrong, session), scores);
    for (const auto& [group, s] : scores) {
      table.rows.push_back({group, std::to_string(s.asked), std::to_string(s.wrong), std::to_string(s.single),
                            std::to_string(s.single_wrong), s.which});
      wrong += s.wrong, single += s.single, single_wrong += s.single_wrong;
    }
    if (scores.empty())
      session.missing_input("a line of the hard cases that can be read");
    else
      session.bar_at_most(rays ? kWrongRays : kWrongMoving, 0, static_cast<double>(wrong));
  }
  if (both && single > 0) session.bar_at_most(kWrongSingle, 0, static_cast<double>(single_wrong));
  session.add_table(std::move(table));
}

}  // namespace sudar_bench
