// What:    `sudar query` as it is used: a hundred thousand lines in, as many answers out.
// Differs: The clock runs around the whole process. The answers are compared with the library's own on the same shapes, line by
//          line: the hit, or the separation.
#include "bench/child_program.hpp"
#include "bench/statistics.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/collide3.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using namespace sudar;

std::string number(double x) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", x);
  return digits;
}
std::string list(std::initializer_list<double> values) {
  std::string text = "[";
  for (const double x : values) text += (text.size() > 1 ? "," : "") + number(x);
  return text + "]";
}

// A shape and where it is, as the library and the line have it
struct Written {
  Shape3 shape;
  Pose3d pose;
  std::string text;
};
Written some_body(Random& random) {
  const double size = random.uniform(0.2, 1);
  Written out{*make_sphere3(size), {}, {}};
  std::string shape;
  switch (random.below(3)) {
    case 0:
      shape = R"({"type":"sphere","radius":)" + number(size) + "}";
      break;
    case 1: {
      const Vec3d half{size, random.uniform(0.2, 1), random.uniform(0.2, 1)};
      out.shape = *make_box3(half);
      shape = R"({"type":"box","half":)" + list({half.x, half.y, half.z}) + "}";
      break;
    }
    default:
      out.shape = *make_capsule3({0, 0, -0.5}, {0, 0, 0.5}, size);
      shape = R"({"type":"capsule","p":[0,0,-0.5],"q":[0,0,0.5],"radius":)" + number(size) + "}";
  }
  const auto at = [&] { return random.uniform(-1.5, 1.5); };
  out.pose.position = {at(), at(), at()};
  out.pose.rotation = normalized(Quatd{at(), at(), at(), at()});
  const Quatd& q = out.pose.rotation;
  out.text = R"({"shape":)" + shape + R"(,"pose":{"position":)" +
             list({out.pose.position.x, out.pose.position.y, out.pose.position.z}) + R"(,"rotation":)" +
             list({q.w, q.x, q.y, q.z}) + "}}";
  return out;
}

// What the library says: a hit, or a separation
struct Expected {
  bool hit = false;
  double separation = 0;
};

// Lengths on a line are rounded to this, relative
constexpr double kPrinted = 1e-12;

// Of all lines, by their ids: those that are missing, twice there, or say something else than the library
std::size_t wrong_answers(const std::string& text, const std::vector<Expected>& expected) {
  using Json = nlohmann::json;
  std::vector<char> seen(expected.size());
  std::size_t wrong = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const Json answer = Json::parse(line, nullptr, false);
    const std::size_t id = answer.is_object() ? answer.value("id", expected.size()) : expected.size();
    if (id >= expected.size() || seen[id] != 0) {
      ++wrong;
      continue;
    }
    seen[id] = 1;
    const Expected& want = expected[id];
    if (id % 3 == 0) {
      wrong += answer.contains("hit") && answer["hit"] == want.hit ? 0 : 1;
      continue;
    }
    // Contacts that are apart are none
    if (id % 3 == 2 && !want.hit) {
      wrong += answer.contains("kind") && answer["kind"] == "none" ? 0 : 1;
      continue;
    }
    const bool there = answer.contains("separation") && answer["separation"].is_number();
    const double separation = there ? answer["separation"].get<double>() : 0;
    const double off = std::fabs(separation - want.separation);
    wrong += there && off <= kPrinted * std::max(1.0, std::fabs(want.separation)) ? 0 : 1;
  }
  for (const char once : seen) wrong += once == 0 ? 1 : 0;
  return wrong;
}

}  // namespace

void bench_program_query(Session& session) {
  const int lines = session.options().quick ? 20000 : 100000;
  const ScratchFolder folder;
  Random random(session.options().seed);
  std::vector<Expected> expected;
  {
    std::ofstream file(folder.file("lines.jsonl"));
    constexpr const char* kOps[] = {"intersects", "distance", "contacts"};
    for (int i = 0; i < lines; ++i) {
      const Written a = some_body(random), b = some_body(random);
      const int op = i % 3;
      file << R"({"id":)" << i << R"(,"op":")" << kOps[op] << R"(","dim":3,"a":)" << a.text << R"(,"b":)" << b.text
           << "}\n";
      expected.push_back({intersects(a.shape, a.pose, b.shape, b.pose),
                          op == 0 ? 0 : distance(a.shape, a.pose, b.shape, b.pose).separation});
    }
  }
  ProgramRun best;
  best.seconds = std::numeric_limits<double>::infinity();
  double wrong = 0;
  for (int round = 0; round < (session.options().quick ? 2 : 5); ++round) {
    session.progress("query, round " + std::to_string(round + 1));
    const ProgramRun run = run_program(
        {{"query", folder.file("lines.jsonl"), "--out", folder.file("answers.jsonl")}, "/dev/null", 0, 300});
    if (run.code != 0) wrong += 1;
    if (run.seconds < best.seconds) best = run;
  }
  wrong += static_cast<double>(wrong_answers(text_of_file(folder.file("answers.jsonl")), expected));
  const std::string what = std::to_string(lines) + " query lines";
  session.add_table({"program_query",
                     {"lines", "seconds", "lines_a_second", "megabytes"},
                     {{std::to_string(lines), number_text(best.seconds), number_text(lines / best.seconds),
                       number_text(best.peak_megabytes)}}});
  session.bar_at_least(what + ": lines a second", 50000, lines / best.seconds);
  session.bar_at_most(what + ": answers missing or other than the library's", 0, wrong);
}

}  // namespace sudar_bench
