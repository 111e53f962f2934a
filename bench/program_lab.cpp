// What:    `sudar lab` without a window: the time to a first picture, what the lab adds to the steps of its scenes, and how long
//          another algorithm takes on the living scene.
// Differs: Drawing is by software where there is no graphics card, and is not a part of what the lab adds.
#include "bench/child_program.hpp"
#include "bench/statistics.hpp"
#include "bench/suites.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

// Seconds to a picture, share of a step, ms of a swap
constexpr double kMostSeconds = 5, kMostShare = 0.1, kMostSwap = 100;

// A column of a CSV file by name
std::vector<double> column(const std::string& csv, const std::string& name) {
  std::istringstream lines(csv);
  std::string line, cell;
  std::vector<double> out;
  int wanted = -1;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    for (int k = 0; std::getline(cells, cell, ','); ++k) {
      if (wanted < 0 && cell == name) {
        wanted = k;
        break;
      }
      if (k == wanted) out.push_back(std::stod(cell));
    }
    if (wanted < 0) return out;
  }
  return out;
}

double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

ProgramRun draw(const ScratchFolder& folder, const std::string& scene, int frames, const std::string& keys) {
  // What an earlier run left is not to be taken for what this one did
  std::remove(folder.file("steps.csv").c_str());
  ProgramCall call;
  call.arguments = {"lab",          "--headless",
                    "--scene",      scene,
                    "--frames",     std::to_string(frames),
                    "--size",       "320x200",
                    "--settings",   folder.file("settings"),
                    "--metrics",    folder.file("steps.csv"),
                    "--screenshot", folder.file("last.png")};
  if (!keys.empty()) call.arguments.insert(call.arguments.end(), {"--keys", keys});
  return run_program(call);
}

}  // namespace

void bench_program_lab(Session& session) {
  const bool quick = session.options().quick;
  const ScratchFolder folder;
  Table table{"program_lab", {"scene", "what", "seen"}, {}};
  const std::string picture = "lab: seconds to a first picture without a window";
  const std::vector<std::string> scenes = {"uniform n=20000", "gather n=2000"};
  const std::string many = quick ? "uniform n=20000 drawing=off" : "uniform n=100000 drawing=off";
  const int swaps = quick ? 4 : 12;
  const auto code_of = [](const std::string& scene) { return "lab, " + scene + ": exit code"; };
  const auto share_of = [](const std::string& scene) {
    return "lab, " + scene + ": share of the step that it adds, but for drawing";
  };
  const std::string swaps_seen = "lab, " + many + ": swaps seen",
                    swap_time = "lab, " + many + ": slowest swap with its first step, ms";
  session.expect_bar(picture, kMostSeconds);
  for (const std::string& scene : scenes) {
    session.expect_bar(code_of(scene), 0);
    session.expect_bar(share_of(scene), kMostShare);
  }
  session.expect_bar(code_of(many), 0);
  session.expect_bar(swaps_seen, swaps / 2);
  session.expect_bar(swap_time, kMostSwap);

  double first = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 3; ++round) {
    session.progress("lab, first picture, round " + std::to_string(round + 1));
    const ProgramRun run = draw(folder, "pile n=100", 1, "");
    if (run.code != 0) {
      session.note("The lab could not draw here, or is no part of this build: its bars are not measured.");
      session.missing_input("the lab, which ended with code " + std::to_string(run.code));
      return;
    }
    first = std::min(first, run.seconds);
  }
  table.rows.push_back({"pile n=100", "seconds from the start to the end with one picture", number_text(first)});
  session.bar_at_most(picture, kMostSeconds, first);

  for (const std::string& scene : scenes) {
    session.progress("lab, " + scene);
    const ProgramRun run = draw(folder, scene, quick ? 15 : 41, "");
    session.bar_at_most(code_of(scene), 0, std::abs(run.code));
    const std::string csv = text_of_file(folder.file("steps.csv"));
    const std::vector<double> steps = column(csv, "step_ms"), added = column(csv, "lab_ms"),
                              drawn = column(csv, "draw_ms");
    // The list of what is to be drawn is the one of the frame before
    std::vector<double> shares, with_list;
    for (std::size_t i = 1; i < std::min({steps.size(), added.size(), drawn.size()}); ++i) {
      shares.push_back((added[i] - drawn[i - 1]) / steps[i]);
      with_list.push_back(added[i] / steps[i]);
    }
    if (shares.empty()) continue;
    table.rows.push_back(
        {scene, "share of the step that the lab adds, the middle one", number_text(middle_of(shares))});
    table.rows.push_back({scene, "the same with the list of what is drawn", number_text(middle_of(with_list))});
    session.bar_at_most(share_of(scene), kMostShare, middle_of(shares));
  }

  // From one algorithm to the one before it in the list; brute force, whose first step is its own, is not among these
  session.progress("lab, swaps");
  std::string keys = "pageup";
  for (int i = 1; i < swaps; ++i) keys += ",pageup";
  const ProgramRun swapped = draw(folder, many, swaps * 4 + 8, keys);
  session.bar_at_most(code_of(many), 0, std::abs(swapped.code));
  const std::vector<double> times = column(text_of_file(folder.file("steps.csv")), "swap_ms");
  double slowest = 0;
  int seen = 0;
  for (const double ms : times) {
    slowest = std::max(slowest, ms);
    seen += ms > 0;
  }
  table.rows.push_back({many, "swaps of the algorithm", std::to_string(seen)});
  table.rows.push_back({many, "slowest swap with its first step, ms", number_text(slowest)});
  session.bar_at_least(swaps_seen, swaps / 2, seen);
  // None is not a fast one
  if (seen > 0) session.bar_at_most(swap_time, kMostSwap, slowest);
  session.add_table(std::move(table));
}

}  // namespace sudar_bench
