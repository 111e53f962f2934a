// What:    The hard cases of shapes at rest (data/hard_cases.jsonl), which come from the trackers and the tests of many
//          libraries, put to ours and to the peers: who says yes where no is true, and whose numbers are off.
// Differs: Nothing is timed. A yes or no that the file leaves open, because rounding decides it, is not judged.
// Fails:   without the file, neither where this was built from nor in the current directory, its bars are not measured; a
//          line that cannot be read is named and left out.
#include "bench/peers/in_child.hpp"
#include "bench/plain_pairs.hpp"
#include "bench/suites.hpp"
#include "cli/json_text.hpp"
#include "cli/shape_json.hpp"
#include <sudar/narrowphase/collide3.hpp>

#if defined(SUDAR_PEER_BULLET) || defined(SUDAR_PEER_FCL) || defined(SUDAR_PEER_ODE)
#include "bench/peers/pair_peer.hpp"
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

// Where this was built from, and else the current directory
constexpr const char* kFiles[] = {SUDAR_HARD_CASES, "data/hard_cases.jsonl"};
constexpr const char* kWrong = "hard_cases: wrong decisions of sudar";
constexpr const char* kOff = "hard_cases: separations of sudar beyond the case's own tolerance";
// Of the smaller shape's size: an error that anyone would see
constexpr double kOffShare = 1e-3;

struct HardCase {
  std::string id;
  PlacedShape a, b;
  std::optional<bool> hit;
  std::optional<double> separation;
  double tolerance = 0;  // the case's own
  double limit = 0;      // beyond it a separation is off
};

struct Entrant {
  std::string name, version;
  AskCase asks;
  bool is_peer = true;

  // A peer may abort on a hard case
  CaseAnswer ask(const PlacedShape& a, const PlacedShape& b) const {
    return is_peer ? ask_in_child(asks, a, b) : asks(a, b);
  }
};

double size_of(const sudar::Shape3& shape) {
  const auto box = sudar::bounding_box(shape);
  return std::max({box.hi.x - box.lo.x, box.hi.y - box.lo.y, box.hi.z - box.lo.z});
}

PlacedShape placed(const sudar_cli::ShapeReader& reader, const nlohmann::json& object) {
  return {reader.shape3(sudar_cli::member(object, "shape")), reader.pose3(object)};
}

HardCase case_of(const nlohmann::json& line) {
  const sudar_cli::ShapeReader reader(false);
  const nlohmann::json& expect = line.at("expect");
  HardCase out{line.at("id").get<std::string>(), placed(reader, line.at("a")), placed(reader, line.at("b")), {}, {}};
  if (expect.contains("hit")) out.hit = expect["hit"].get<bool>();
  out.tolerance = expect.value("distance_tolerance", 0.0);
  if (expect.contains("separation")) {
    const double separation = expect["separation"].get<double>();
    out.separation = separation;
    // The number in the file is rounded itself
    out.tolerance = std::max(out.tolerance, 2 * std::numeric_limits<double>::epsilon() * std::abs(separation));
    if (!out.hit && std::abs(separation) > out.tolerance) out.hit = separation < 0;
  }
  out.limit = std::max(out.tolerance, kOffShare * std::min(size_of(out.a.shape), size_of(out.b.shape)));
  return out;
}

// Those of shapes at rest in space
std::vector<HardCase> read_cases(std::istream& file, Session& session) {
  std::vector<HardCase> cases;
  std::size_t number = 0;
  for (std::string text; std::getline(file, text);) {
    ++number;
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      if (const auto fault = sudar_cli::fault_of_json(text)) throw std::invalid_argument(fault->message);
      const nlohmann::json line = nlohmann::json::parse(text);
      if (line.contains("op") || line.value("dim", 3) != 3) continue;
      cases.push_back(case_of(line));
    } catch (const std::exception& error) {
      session.note("hard_cases: line " + std::to_string(number) +
                   " of data/hard_cases.jsonl is left out: " + error.what());
    }
  }
  return cases;
}

CaseAnswer sudar_case(const PlacedShape& a, const PlacedShape& b) {
  const sudar::DistanceAnswer3 x = sudar::distance(a.shape, a.pose, b.shape, b.pose);
  CaseAnswer answer;
  answer.answered = true;
  answer.hit = sudar::intersects(a.shape, a.pose, b.shape, b.pose);
  if (x.status != sudar::QueryStatus::unsupported) answer.separation = x.separation;
  return answer;
}

std::vector<Entrant> entrants(Session& session) {
  std::vector<Entrant> out{{"sudar", "", sudar_case, false}};
  if (!session.options().peers) return out;
#if defined(SUDAR_PEER_BULLET)
  out.push_back({"Bullet", bullet_pairs_version(), bullet_case});
#else
  session.missing_peer("hard_cases", "Bullet");
#endif
#if defined(SUDAR_PEER_FCL)
  out.push_back({"FCL collide", fcl_pairs_version(), fcl_collide_case});
  out.push_back({"FCL distance", fcl_pairs_version(), fcl_distance_case});
#else
  session.missing_peer("hard_cases", "FCL");
#endif
#if defined(SUDAR_PEER_ODE)
  out.push_back({"ODE", ode_version(), ode_case});
#else
  session.missing_peer("hard_cases", "ODE");
#endif
  return out;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value == 0 ? 0 : value);  // no minus zero
  return text;
}

// The separation, with the decision where it isn't the sign
std::string said(std::optional<bool> hit, std::optional<double> separation) {
  const std::string decision = !hit ? "" : *hit ? "hit" : "apart";
  if (!separation) return decision;
  return !hit || *hit == (*separation <= 0) ? number(*separation) : decision + ' ' + number(*separation);
}

struct Score {
  std::size_t answered = 0, decisions = 0, wrong = 0, clearly_wrong = 0;
  std::size_t separations = 0, off = 0, beyond_own = 0, threw = 0, died = 0;
};

// Adds an answer to the score and says what goes into the table
std::string judge(const HardCase& c, const CaseAnswer& x, Score& score) {
  score.threw += x.threw ? 1 : 0;
  score.died += x.died ? 1 : 0;
  if (x.failed()) return x.died ? "died" : "threw";
  if (!x.answered) return "-";
  ++score.answered;
  std::string cell = said(x.hit, x.separation);
  if (x.hit && c.hit) {
    ++score.decisions;
    if (*x.hit != *c.hit) {
      ++score.wrong;
      score.clearly_wrong += c.separation && std::abs(*c.separation) > c.limit ? 1 : 0;
      cell += " WRONG";
    }
  }
  if (x.separation && c.separation) {
    ++score.separations;
    // Written so that a NaN is off
    const double error = std::abs(*x.separation - *c.separation);
    score.beyond_own += !(error <= c.tolerance) ? 1 : 0;
    if (!(error <= c.limit)) {
      ++score.off;
      cell += " off";
    }
  }
  return cell;
}

bool is_right(const PlainPair& pair, const CaseAnswer& x) {
  if (x.failed() || (x.hit && *x.hit != pair.hit)) return false;
  if (!x.separation) return true;
  if (pair.hit) return *x.separation <= kOffShare;
  return *x.separation >= pair.gap_lower - kOffShare && *x.separation <= pair.gap_upper + kOffShare;
}

// The adapters on pairs that leave no doubt
void check_adapters(Session& session, const std::vector<Entrant>& all) {
  const std::vector<PlainPair> pairs = plain_pairs();
  Table table{"hard_cases_check", {"contestant", "plain_pairs", "asked", "failed", "which"}, {}};
  for (const Entrant& entrant : all) {
    std::size_t asked = 0, failed = 0;
    std::string which;
    for (const PlainPair& pair : pairs) {
      const CaseAnswer x = entrant.ask(pair.a, pair.b);
      if (!x.answered && !x.failed()) continue;
      ++asked;
      if (is_right(pair, x)) continue;
      ++failed;
      which += (which.empty() ? "" : "; ") + pair.name + (pair.hit ? ", overlapping" : ", apart");
    }
    table.rows.push_back(
        {entrant.name, std::to_string(pairs.size()), std::to_string(asked), std::to_string(failed), which});
    session.bar_at_most("hard_cases: plain pairs that fail, " + entrant.name, 0, static_cast<double>(failed));
  }
  session.add_table(std::move(table));
}

}  // namespace

void bench_hard_cases(Session& session) {
  session.progress("hard_cases: shapes at rest, ours and the peers");
  session.expect_bar(kWrong, 0);
  session.expect_bar(kOff, 0);
  std::ifstream file;
  for (const char* path : kFiles)
    if (!file.is_open()) file.open(path);
  if (!file.is_open()) return session.missing_input("data/hard_cases.jsonl");
  const std::vector<HardCase> cases = read_cases(file, session);
  const std::vector<Entrant> all = entrants(session);

  Table table{"hard_cases", {"case", "a", "b", "truth"}, {}};
  for (const Entrant& entrant : all) table.columns.push_back(entrant.name);
  std::vector<Score> scores(all.size());
  for (const HardCase& c : cases) {
    std::vector<std::string> row{c.id, std::string(to_string(c.a.shape.kind())),
                                 std::string(to_string(c.b.shape.kind())), said(c.hit, c.separation)};
    for (std::size_t i = 0; i < all.size(); ++i) row.push_back(judge(c, all[i].ask(c.a, c.b), scores[i]));
    table.rows.push_back(std::move(row));
  }

  Table summary{"hard_cases_summary",
                {"contestant", "version", "cases", "answered", "threw", "died", "decisions", "wrong", "clearly_wrong",
                 "separations", "off", "beyond_own_tolerance"},
                {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Score& s = scores[i];
    std::vector<std::string> row{all[i].name, all[i].version};
    for (const std::size_t count : {cases.size(), s.answered, s.threw, s.died, s.decisions, s.wrong, s.clearly_wrong,
                                    s.separations, s.off, s.beyond_own})
      row.push_back(std::to_string(count));
    summary.rows.push_back(std::move(row));
  }
  session.note(
      "Hard cases: pairs that a tracker or a test of some library tells of; data/hard_cases.jsonl says which, and why. "
      "A "
      "number is a signed separation in metres; hit or apart stands where there is none, or where the sign says "
      "otherwise. WRONG: yes for no, or no for yes; not judged where the file leaves it open, because rounding "
      "decides. "
      "off: by more than the case's own tolerance and a thousandth of the smaller shape. threw: an exception. died: a "
      "failed assertion or a crash, which would end the program. A dash: no such shape or query. clearly_wrong counts "
      "the wrong decisions on pairs farther from touching than that thousandth.");
  if (session.options().peers)
    session.note(
        "The peers are as their packages built them. Bullet is in float, where the smallest of these gaps are rounded "
        "away; it is asked through its GJK and EPA, boxes too, with margins of zero, because with the margins that it "
        "gives "
        "boxes and cylinders more of its answers are wrong or off; without a result it makes no contact, and that "
        "counts as apart. FCL is asked "
        "twice: collide for a decision with a depth, distance for a signed distance, which is not taken for a "
        "decision. "
        "ODE has decisions and depths. The adapters are checked on plain pairs, far apart or deep in each other.");
  if (cases.empty()) return session.missing_input("a case in data/hard_cases.jsonl that can be read");
  session.bar_at_most(kWrong, 0, static_cast<double>(scores[0].wrong));
  session.bar_at_most(kOff, 0, static_cast<double>(scores[0].beyond_own));
  session.add_table(std::move(summary));
  check_adapters(session, all);
  session.add_table(std::move(table));
}

}  // namespace sudar_bench
