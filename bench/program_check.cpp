// What:    `sudar check` as it is used, from files to report: two thousand parts with two million triangles, and an assembly
//          of ten thousand planted clashes of every kind.
// Differs: The clock runs around the whole process. Two threads; no peer has such a command (mesh/check races the search).
#include "bench/child_program.hpp"
#include "bench/mesh_assembly.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/io/obj_file.hpp>
#include <sudar/io/stl_file.hpp>
#include <sudar/math/pose.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

namespace sudar_bench {

namespace {

using namespace sudar;

std::string text_of(double x) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g", x);
  return digits;
}

Mesh moved(Mesh mesh, const Pose3d& pose) {
  for (Vec3d& v : mesh.vertices) v = transform(pose, v);
  return mesh;
}
Mesh box_at(const Vec3d& half, const Vec3d& at) { return moved(*box_mesh(half), {at, {}}); }

constexpr std::array kPlanted = {"hard", "touch", "clearance", "contain", "duplicate", "self"};

// Cells far from each other with one thing each, half of them turned; every seventh has nothing
std::vector<MeshPart> planted_parts(std::size_t cells, std::uint64_t seed,
                                    std::map<std::string, std::size_t>& expected) {
  Random random(seed);
  std::vector<MeshPart> parts;
  const Vec3d one{1, 1, 1};
  for (std::size_t i = 0; i < cells; ++i) {
    const std::size_t kind = i % (kPlanted.size() + 1);
    std::vector<Mesh> pair = {box_at(one, {})};
    if (kind == 0) pair.push_back(box_at(one, {2 - std::pow(10.0, random.uniform(-4, -0.5)), 0.3, 0}));
    if (kind == 1) pair.push_back(box_at(one, {2, 0.5, 0.25}));
    if (kind == 2) pair.push_back(box_at(one, {2 + std::pow(10.0, random.uniform(-4, -2.1)), 0, 0}));
    if (kind == 3) pair = {*icosphere_mesh(2, 2), box_at(one * 0.3, {0.2, 0, 0})};
    if (kind == 4) pair = {*icosphere_mesh(1, 2), *icosphere_mesh(1, 2)};
    if (kind == 5) {
      const Mesh other = box_at(one, {0.5, 0.25, 0.125});
      const auto first = static_cast<std::uint32_t>(pair[0].vertices.size());
      pair[0].vertices.insert(pair[0].vertices.end(), other.vertices.begin(), other.vertices.end());
      for (auto triangle : other.triangles) {
        for (auto& corner : triangle) corner += first;
        pair[0].triangles.push_back(triangle);
      }
    }
    if (kind == kPlanted.size()) pair.push_back(box_at(one, {2.02, 0, 0}));
    Pose3d pose{{12.0 * static_cast<double>(i % 20), 12.0 * static_cast<double>(i / 20 % 20),
                 12.0 * static_cast<double>(i / 400)},
                {}};
    if (i % 2 == 1)
      pose.rotation = Quatd::from_axis_angle(normalized(Vec3d{1, random.uniform(-1, 1), random.uniform(-1, 1)}),
                                             random.uniform(0, 6));
    for (const Mesh& mesh : pair) parts.push_back({"p" + std::to_string(parts.size()), moved(mesh, pose)});
    if (kind < kPlanted.size()) ++expected[kPlanted[kind]];
  }
  return parts;
}

// The second column of the rows of a CSV file, counted
std::map<std::string, std::size_t> counted_kinds(const std::string& csv) {
  std::map<std::string, std::size_t> counts;
  std::size_t at = csv.find('\n');
  while (at != std::string::npos && at + 1 < csv.size()) {
    const std::size_t first = csv.find(',', at + 1), second = csv.find(',', first + 1);
    if (second == std::string::npos) break;
    ++counts[csv.substr(first + 1, second - first - 1)];
    at = csv.find('\n', second);
  }
  return counts;
}

void check_assembly(Session& session, Table& table) {
  const bool quick = session.options().quick;
  const std::uint32_t count = quick ? 300 : 2000, triangles = 1000;
  const ScratchFolder folder;
  std::vector<std::string> files;
  std::size_t in_all = 0;
  for (const Mesh& part : assembly_parts(count, triangles, session.options().seed)) {
    files.push_back(folder.file("part" + std::to_string(files.size()) + ".stl"));
    in_all += part.triangles.size();
    if (!write_stl(files.back(), part)) return session.note("program: the parts could not be written");
  }
  const std::string what = "check of " + std::to_string(count) + " parts, " + std::to_string(in_all) + " triangles";
  ProgramCall call;
  call.arguments = {"check"};
  call.arguments.insert(call.arguments.end(), files.begin(), files.end());
  for (const char* word : {"--units", "m", "--threads", "2"}) call.arguments.push_back(word);
  ProgramRun best;
  best.seconds = 1e9;
  double silence = 0, first = 0, memory = 0;
  int code = 1;
  for (int round = 0; round < (quick ? 1 : 3); ++round) {
    session.progress(what);
    const ProgramRun run = run_program(call);
    code = run.code == 1 ? code : run.code;
    if (run.seconds < best.seconds) best = run;
    silence = std::max(silence, run.longest_silence);
    first = std::max(first, run.first_word);
    memory = std::max(memory, run.peak_megabytes);
  }
  table.rows.push_back({what, text_of(best.seconds), text_of(memory), text_of(first), text_of(silence), ""});
  session.bar_at_most(what + ": exit code other than 1", 0, code == 1 ? 0 : 1);
  session.bar_at_most(what + ": seconds from files to report", 10, best.seconds);
  // A triangle as three corners in float
  const double loaded = static_cast<double>(in_all) * 36 / (1024 * 1024);
  session.bar_at_most(what + ": megabytes, against three times the triangles and 200", 3 * loaded + 200, memory);
  session.bar_at_most(what + ": seconds to the first word", 0.2, first);
  session.bar_at_most(what + ": longest silence, seconds", 0.5, silence);
  double slowest = 0;
  for (const double share : {0.15, 0.4, 0.7}) {
    call.interrupt_after = share * best.seconds;
    session.progress(what + ", Ctrl-C after " + text_of(call.interrupt_after) + " s");
    const ProgramRun run = run_program(call);
    slowest = std::max(slowest, run.stopped_after);
    table.rows.push_back({what + ", Ctrl-C after " + text_of(call.interrupt_after) + " s", text_of(run.seconds),
                          text_of(run.peak_megabytes), text_of(run.first_word), text_of(run.longest_silence),
                          text_of(run.stopped_after)});
  }
  session.bar_at_most(what + ": seconds from Ctrl-C to the end", 0.5, slowest);
}

void check_planted(Session& session, Table& table) {
  const std::size_t cells = session.options().quick ? 700 : 11670;
  const ScratchFolder folder;
  std::map<std::string, std::size_t> expected;
  const std::vector<MeshPart> parts = planted_parts(cells, session.options().seed, expected);
  if (!write_obj(folder.file("planted.obj"), parts)) return session.note("program: planted parts could not be written");
  const std::string what = "check of " + std::to_string(parts.size()) + " parts with planted clashes";
  session.progress(what);
  ProgramCall call;
  call.arguments = {"check",
                    folder.file("planted.obj"),
                    "--per-part",
                    "--units",
                    "m",
                    "--mode",
                    "all",
                    "--clearance",
                    "10mm",
                    "--threads",
                    "2",
                    "--format",
                    "csv",
                    "-o",
                    folder.file("found.csv")};
  const ProgramRun run = run_program(call);
  const auto found = counted_kinds(text_of_file(folder.file("found.csv")));
  double wrong = run.code == 1 ? 0 : 1, planted = 0;
  for (const char* kind : kPlanted) {
    const std::size_t seen = found.contains(kind) ? found.at(kind) : 0, want = expected[kind];
    wrong += static_cast<double>(seen > want ? seen - want : want - seen);
    planted += static_cast<double>(want);
  }
  table.rows.push_back({what, text_of(run.seconds), text_of(run.peak_megabytes), text_of(run.first_word),
                        text_of(run.longest_silence), ""});
  session.bar_at_most(
      "planted clashes, " + std::to_string(static_cast<long>(planted)) + " of six kinds: missed or invented", 0, wrong);
}

}  // namespace

void bench_program_check(Session& session) {
  Table table{
      "program_check", {"run", "seconds", "megabytes", "first_word_s", "longest_silence_s", "end_after_ctrl_c_s"}, {}};
  check_assembly(session, table);
  check_planted(session, table);
  session.add_table(std::move(table));
  session.note(
      "The command itself, started as its users start it: the clock runs around the process, with files read from a "
      "warm cache and a terminal on stderr.");
}

}  // namespace sudar_bench
