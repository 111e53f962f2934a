// What:    `sudar check` as it is used, from files to report: two thousand parts with two million triangles, and an assembly
//          of ten thousand planted clashes of every kind.
// Differs: The clock runs around the whole process. Two threads; no peer has such a command (mesh/check races the search).
#include "bench/child_program.hpp"
#include "bench/mesh_assembly.hpp"
#include "bench/statistics.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/io/obj_file.hpp>
#include <sudar/io/stl_file.hpp>
#include <sudar/math/pose.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <sstream>

namespace sudar_bench {

namespace {

using namespace sudar;

Mesh moved(Mesh mesh, const Pose3d& pose) {
  for (Vec3d& v : mesh.vertices) v = transform(pose, v);
  return mesh;
}
Mesh box_at(const Vec3d& half, const Vec3d& at) { return moved(*box_mesh(half), {at, {}}); }

// "p12", which the file may have lengthened, as 12
long number_in(const std::string& name) {
  const std::size_t at = name.find_last_of('p');
  return at == std::string::npos ? -1 : std::strtol(name.c_str() + at + 1, nullptr, 10);
}

constexpr std::array kPlanted = {"hard", "touch", "clearance", "contain", "duplicate", "self"};

// What is found, or is to be: a kind and the names of both parts, of a part with itself twice the same
using Found = std::set<std::array<std::string, 3>>;

// Cells far from each other with one thing each, half of them turned; every seventh has nothing
std::vector<MeshPart> planted_parts(std::size_t cells, std::uint64_t seed, Found& expected) {
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
    if (kind < kPlanted.size())
      expected.insert({kPlanted[kind], parts[parts.size() - pair.size()].name, parts.back().name});
  }
  return parts;
}

// The kinds and names in the rows of a CSV file: its second to fourth cell, which have no commas here
Found found_in(const std::string& csv) {
  Found found;
  std::istringstream lines(csv);
  std::string line, id;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::array<std::string, 3> row;
    std::getline(cells, id, ',');
    for (std::string& cell : row) std::getline(cells, cell, ',');
    // A part with itself has one name, or the same one twice
    if (row[2].empty()) row[2] = row[1];
    if (number_in(row[2]) < number_in(row[1])) std::swap(row[1], row[2]);
    found.insert(row);
  }
  return found;
}

void check_assembly(Session& session, Table& table) {
  const bool quick = session.options().quick;
  const std::uint32_t count = quick ? 300 : 2000, triangles = 1000;
  const ScratchFolder folder;
  std::vector<Mesh> parts = assembly_parts(count, triangles, session.options().seed);
  std::size_t in_all = 0;
  for (const Mesh& part : parts) in_all += part.triangles.size();
  const std::string what = "check of " + std::to_string(count) + " parts, " + std::to_string(in_all) + " triangles";
  // A triangle as three corners in float
  const double loaded = static_cast<double>(in_all) * 36 / (1024 * 1024);
  const std::pair<std::string, double> no_report{what + ": exit code other than 1, or no report", 0},
      to_report{what + ": seconds from files to an HTML report", 10},
      most_memory{what + ": megabytes, against three times the triangles and 200", 3 * loaded + 200},
      first_word{what + ": seconds to the first word", 0.2}, silent{what + ": longest silence, seconds", 0.5},
      to_end{what + ": seconds from Ctrl-C to the end", 0.5},
      unclean_ends{what + ": ends by Ctrl-C without exit code 3 and \"complete\": false", 0};
  for (const auto* bar : {&no_report, &to_report, &most_memory, &first_word, &silent, &to_end, &unclean_ends})
    session.expect_bar(bar->first, bar->second);
  const auto at_most = [&](const std::pair<std::string, double>& bar, double seen) {
    session.bar_at_most(bar.first, bar.second, seen);
  };
  std::vector<std::string> files;
  for (const Mesh& part : parts) {
    files.push_back(folder.file("part" + std::to_string(files.size()) + ".stl"));
    if (!write_stl(files.back(), part)) return session.missing_input("room for the files of " + what);
  }
  // The memory of a child counts from what this process has when it makes it
  std::vector<Mesh>().swap(parts);
  const auto asked = [&](const std::string& format, const std::string& file) {
    ProgramCall call;
    call.arguments = {"check"};
    call.arguments.insert(call.arguments.end(), files.begin(), files.end());
    for (const std::string& word : {std::string("--units"), std::string("m"), std::string("--threads"),
                                    std::string("2"), std::string("--format"), format, std::string("-o"), file})
      call.arguments.push_back(word);
    return call;
  };
  ProgramCall call = asked("html", folder.file("report.html"));
  ProgramRun best;
  best.seconds = std::numeric_limits<double>::infinity();
  double silence = 0, first = 0, memory = 0;
  int code = 1;
  for (int round = 0; round < (quick ? 1 : 3); ++round) {
    session.progress(what);
    const ProgramRun run = run_program(call);
    // Nothing but a report counts
    const bool whole = text_of_file(folder.file("report.html")).find("</html>") != std::string::npos;
    std::remove(folder.file("report.html").c_str());
    code = run.code == 1 && whole ? code : -1;
    if (run.seconds < best.seconds) best = run;
    silence = std::max(silence, run.longest_silence);
    first = std::max(first, run.first_word);
    memory = std::max(memory, run.peak_megabytes);
  }
  table.rows.push_back(
      {what, number_text(best.seconds), number_text(memory), number_text(first), number_text(silence), ""});
  at_most(no_report, code == 1 ? 0 : 1);
  at_most(to_report, best.seconds);
  at_most(most_memory, memory);
  at_most(first_word, first);
  at_most(silent, silence);
  double slowest = 0, unclean = 0;
  for (const double share : {0.15, 0.4, 0.7}) {
    call = asked("json", folder.file("partial.json"));
    call.interrupt_after = std::isfinite(best.seconds) ? share * best.seconds : share;
    session.progress(what + ", Ctrl-C after " + number_text(call.interrupt_after) + " s");
    const ProgramRun run = run_program(call);
    // Interrupted, it says that there is more, and what it knows is on the page; before it knows anything it may end without one
    const std::string page = text_of_file(folder.file("partial.json"));
    std::remove(folder.file("partial.json").c_str());
    const bool partial = run.code == 3 && page.find("\"complete\": false") != std::string::npos;
    unclean += partial ? 0 : 1;
    slowest = std::max(slowest, run.stopped_after);
    table.rows.push_back(
        {what + ", Ctrl-C after " + number_text(call.interrupt_after) + " s" + (partial ? "" : ", unclean"),
         number_text(run.seconds), number_text(run.peak_megabytes), number_text(run.first_word),
         number_text(run.longest_silence), number_text(run.stopped_after)});
  }
  at_most(to_end, slowest);
  at_most(unclean_ends, unclean);
}

void check_planted(Session& session, Table& table) {
  const std::size_t cells = session.options().quick ? 700 : 11670;
  const ScratchFolder folder;
  Found expected;
  const std::vector<MeshPart> parts = planted_parts(cells, session.options().seed, expected);
  const std::string what = "check of " + std::to_string(parts.size()) + " parts with planted clashes";
  const std::string other =
      "planted clashes, " + std::to_string(expected.size()) + " of six kinds: missed or invented, by name";
  session.expect_bar(other, 0);
  if (!write_obj(folder.file("planted.obj"), parts)) return session.missing_input("room for the file of " + what);
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
  Found found = found_in(text_of_file(folder.file("found.csv")));
  // A contained pair may be listed as hard, too
  std::erase_if(found, [&](const auto& row) {
    return row[0] == "hard" && expected.contains({"contain", row[1], row[2]});
  });
  double wrong = run.code == 1 ? 0 : 1;
  for (const auto& row : expected) wrong += found.contains(row) ? 0 : 1;
  for (const auto& row : found) wrong += expected.contains(row) ? 0 : 1;
  table.rows.push_back({what, number_text(run.seconds), number_text(run.peak_megabytes), number_text(run.first_word),
                        number_text(run.longest_silence), ""});
  session.bar_at_most(other, 0, wrong);
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
