// What:    `sudar query` as it is used: a hundred thousand lines in, as many answers out.
// Differs: The clock runs around the whole process. The answers are compared with the library's own on the same shapes.
#include "bench/child_program.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/collide3.hpp>

#include <cstdio>
#include <fstream>
#include <string>

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

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

}  // namespace

void bench_program_query(Session& session) {
  const int lines = session.options().quick ? 20000 : 100000;
  const ScratchFolder folder;
  Random random(session.options().seed);
  std::size_t hits = 0;
  {
    std::ofstream file(folder.file("lines.jsonl"));
    constexpr const char* kOps[] = {"intersects", "distance", "contacts"};
    for (int i = 0; i < lines; ++i) {
      const Written a = some_body(random), b = some_body(random);
      const int op = i % 3;
      file << R"({"id":)" << i << R"(,"op":")" << kOps[op] << R"(","dim":3,"a":)" << a.text << R"(,"b":)" << b.text
           << "}\n";
      if (op == 0) hits += intersects(a.shape, a.pose, b.shape, b.pose);
    }
  }
  ProgramRun best;
  best.seconds = 1e9;
  double wrong = 0;
  for (int round = 0; round < (session.options().quick ? 2 : 5); ++round) {
    session.progress("query, round " + std::to_string(round + 1));
    const ProgramRun run = run_program(
        {{"query", folder.file("lines.jsonl"), "--out", folder.file("answers.jsonl")}, "/dev/null", 0, 300});
    if (run.code != 0) wrong += 1;
    if (run.seconds < best.seconds) best = run;
  }
  const std::string answers = text_of_file(folder.file("answers.jsonl"));
  wrong += static_cast<double>(static_cast<std::size_t>(lines) != occurrences(answers, "\n"));
  // Yes/no lines have nothing but the hit
  const std::size_t seen = occurrences(answers, R"("hit":true})");
  wrong += static_cast<double>(seen > hits ? seen - hits : hits - seen);
  const std::string what = std::to_string(lines) + " query lines";
  session.add_table(
      {"program_query",
       {"lines", "seconds", "lines_a_second", "megabytes"},
       {{std::to_string(lines), number(best.seconds), number(lines / best.seconds), number(best.peak_megabytes)}}});
  session.bar_at_least(what + ": lines a second", 50000, lines / best.seconds);
  session.bar_at_most(what + ": answers missing or other than the library's", 0, wrong);
}

}  // namespace sudar_bench
