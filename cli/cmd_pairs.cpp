// What:    `sudar pairs`: the broad phase on its own, boxes of a file in, overlapping pairs out.
// Differs: Boxes are float, rounded outward, inside a broad phase. Where a file of doubles needs rounding, each pair is
//          tested once more with the doubles, so that the answer is that of the file.
#include "cli/commands.hpp"
#include "cli/out_place.hpp"
#include "cli/text.hpp"
#include <sudar/broadphase/adaptive.hpp>
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/hash.hpp>
#include <sudar/io/boxes_file.hpp>
#include <sudar/io/file_bytes.hpp>
#include <sudar/io/npy.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>

namespace sudar_cli {

namespace {

struct PairsArguments {
  std::string boxes, out, algorithm = "adaptive";
  unsigned threads = 1, repeat = 1;
  bool list = false, all_frames = false;
};

// What `adaptive` did
struct Choice {
  std::string in_use;
  std::size_t decisions;
  double trial_ms, watch_ms, regret_ms;
};

// The answer, and what was measured on the way to it
struct PairsRun {
  std::vector<std::size_t> counts;     // pairs of each frame
  std::vector<std::uint32_t> written;  // rows of the output file, flat
  std::vector<double> ms;              // each frame of each repeat
  std::uint64_t hash = 0, rounded_away = 0;
  std::size_t memory = 0;
  sudar::SearchCounters counters;
  std::optional<Choice> choice;
};

std::string names_of_algorithms() {
  std::string names;
  for (const auto& entry : sudar::broadphases()) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

// "row 17: the box has lo > hi", with the frame when there are several
std::string explain(const sudar::Error& error, std::size_t boxes, std::size_t frames) {
  if (error.element == sudar::Error::kNoElement) return error.reason;
  if (frames > 1 && boxes > 0)
    return "frame " + std::to_string(error.element / boxes) + ", row " + std::to_string(error.element % boxes) + ": " +
           error.reason;
  return "row " + std::to_string(error.element) + ": " + error.reason;
}

template <int D, class T>
sudar::Aabb<D, T> box_at(std::span<const T> frame, std::size_t i) {
  sudar::Aabb<D, T> box;
  for (int k = 0; k < D; ++k) {
    box.lo[k] = frame[i * 2 * D + static_cast<std::size_t>(k)];
    box.hi[k] = frame[i * 2 * D + static_cast<std::size_t>(D + k)];
  }
  return box;
}

// Some number of the frame is no float
bool needs_rounding(std::span<const double> frame) {
  return std::any_of(frame.begin(), frame.end(),
                     [](double x) { return sudar::float_down(x) != x || sudar::float_up(x) != x; });
}

template <int D, class T>
sudar::Result<PairsRun> run_pairs(const PairsArguments& arguments, std::span<const T> values, std::size_t frames) {
  using Clock = std::chrono::steady_clock;
  const auto executor = sudar::make_executor(arguments.threads);
  const auto algorithm = sudar::make_broadphase<D>(arguments.algorithm);
  if (!algorithm) return algorithm.error();
  (*algorithm)->set_executor(*executor);

  PairsRun run;
  sudar::Hash64 hash;
  sudar::BoxStore<D> store;
  std::vector<sudar::IdPair> exact;
  const std::size_t stride = values.size() / frames;
  for (unsigned round = 0; round < arguments.repeat; ++round) {
    for (std::size_t frame = 0; frame < frames; ++frame) {
      const std::span<const T> boxes = values.subspan(frame * stride, stride);
      bool rounded = false;
      if constexpr (std::is_same_v<T, double>) rounded = needs_rounding(boxes);

      // Timed: boxes in, pairs out
      const auto start = Clock::now();
      if (const auto done = store.assign(boxes, *executor); !done) return done.error();
      if (const auto done = (*algorithm)->update(store); !done) return done.error();
      const auto found = (*algorithm)->pairs(store);
      if (!found) return found.error();
      std::span<const sudar::IdPair> pairs = *found;
      if (rounded) {
        exact.clear();
        for (const sudar::IdPair& pair : pairs)
          if (overlap(box_at<D>(boxes, pair.lo), box_at<D>(boxes, pair.hi))) exact.push_back(pair);
        pairs = exact;
      }
      run.ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());

      if (round != 0) continue;
      run.rounded_away += found->size() - pairs.size();
      run.counts.push_back(pairs.size());
      const bool keep = !arguments.out.empty() && (arguments.all_frames || frame + 1 == frames);
      for (const sudar::IdPair& pair : pairs) {
        hash.add(pair.lo);
        hash.add(pair.hi);
        if (!keep) continue;
        if (arguments.all_frames) run.written.push_back(static_cast<std::uint32_t>(frame));
        run.written.push_back(pair.lo);
        run.written.push_back(pair.hi);
      }
    }
  }
  run.hash = hash.value();
  run.counters = (*algorithm)->counters();
  if (const auto* adaptive = dynamic_cast<const sudar::Adaptive<D>*>(algorithm->get()))
    run.choice = Choice{std::string(adaptive->in_use()), adaptive->decisions().size(), adaptive->trial_ms(),
                        adaptive->watch_ms(), adaptive->regret_ms()};
  run.memory = store.bytes() + run.counters.bytes + exact.capacity() * sizeof(sudar::IdPair);
  return run;
}

bool write_pairs(const std::string& path, const std::vector<std::uint32_t>& values, std::size_t columns) {
  if (path.ends_with(".npy")) return sudar::write_npy(path, values, columns).ok();
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += std::to_string(values[i]);
    text += (i + 1) % columns == 0 ? '\n' : ',';
  }
  return sudar::write_whole_file(path, text).ok();
}

nlohmann::ordered_json times_of(std::vector<double> ms) {
  double total = 0;
  for (const double x : ms) total += x;
  std::sort(ms.begin(), ms.end());
  const auto at = [&](double share) {
    return ms[static_cast<std::size_t>(share * static_cast<double>(ms.size() - 1) + 0.5)];
  };
  return {{"min", ms.front()}, {"median", at(0.5)}, {"p95", at(0.95)}, {"total", total}};
}

int run_pairs_command(const PairsArguments& arguments) {
  if (arguments.list) {
    for (const auto& entry : sudar::broadphases()) std::cout << entry.name << '\n';
    return kDone;
  }
  if (arguments.boxes.empty()) return refuse("pairs", "no file of boxes is given (see sudar pairs --help)");
  const auto entries = sudar::broadphases();
  if (std::none_of(entries.begin(), entries.end(), [&](const auto& e) { return e.name == arguments.algorithm; }))
    return refuse("pairs", "unknown algorithm '" + arguments.algorithm + "'; there are: " + names_of_algorithms());
  if (!arguments.out.empty() && !arguments.out.ends_with(".npy") && !arguments.out.ends_with(".csv"))
    return refuse("pairs", "the name after --out must end in .npy or .csv");
  if (const std::string fault = fault_of_places({arguments.out}); !fault.empty()) return refuse("pairs", fault);

  const auto file = sudar::read_boxes(arguments.boxes);
  if (!file) return refuse("pairs", arguments.boxes + ": " + explain(file.error(), 0, 1));
  if (const auto good = sudar::check_boxes(*file); !good)
    return refuse("pairs", arguments.boxes + ": " + explain(good.error(), file->boxes, file->frames));
  const auto run = std::visit(
      [&](const auto& values) {
        using T = typename std::decay_t<decltype(values)>::value_type;
        return file->dim == 2 ? run_pairs<2, T>(arguments, values, file->frames)
                              : run_pairs<3, T>(arguments, values, file->frames);
      },
      file->values);
  if (!run) return refuse("pairs", arguments.boxes + ": " + explain(run.error(), 0, 1));
  if (!arguments.out.empty() && !write_pairs(arguments.out, run->written, arguments.all_frames ? 3 : 2))
    return refuse("pairs", "cannot write " + arguments.out);

  nlohmann::ordered_json json;
  json["schema"] = "sudar/pairs-1";
  json["algorithm"] = arguments.algorithm;
  json["dim"] = file->dim;
  json["boxes"] = file->boxes;
  json["frames"] = file->frames;
  json["pairs"] = run->counts;
  json["ms"] = times_of(run->ms);
  json["first_ms"] = run->ms.front();
  json["memory_bytes"] = run->memory;
  json["threads"] = arguments.threads;
  json["stats"] = {{"box_tests", run->counters.box_tests},
                   {"swaps", run->counters.swaps},
                   {"nodes_visited", run->counters.nodes_visited},
                   {"duplicates", run->counters.duplicates},
                   {"rebuilds", run->counters.rebuilds},
                   {"bytes", run->counters.bytes},
                   {"rounded_away", run->rounded_away}};
  if (run->choice) {
    json["stats"]["in_use"] = run->choice->in_use;
    json["stats"]["decisions"] = run->choice->decisions;
    json["stats"]["trial_ms"] = run->choice->trial_ms;
    json["stats"]["watch_ms"] = run->choice->watch_ms;
    json["stats"]["regret_ms"] = run->choice->regret_ms;
  }
  json["hash"] = hex(run->hash);
  std::cout << json.dump() << '\n';
  return kDone;
}

}  // namespace

void add_pairs(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<PairsArguments>();
  CLI::App* pairs = app.add_subcommand("pairs", "All overlapping pairs of boxes: the broad phase on its own");
  pairs->add_option("boxes", arguments->boxes,
                    ".npy (float32 or float64) of shape (N, 4), (N, 6), (F, N, 4) or (F, N, 6), or .csv: the minima, "
                    "then the maxima of each box; or .aabbs, a recording of Broadmark");
  pairs->add_option("--algorithm", arguments->algorithm, "One of: " + names_of_algorithms())->capture_default_str();
  pairs->add_option("--out", arguments->out, "Write the pairs of the last frame to this .npy or .csv");
  pairs->add_flag("--all-frames", arguments->all_frames, "Write (frame, a, b) rows of all frames");
  pairs->add_option("--threads", arguments->threads, "Threads to use")
      ->check(CLI::Range(1u, 1024u))
      ->capture_default_str();
  pairs->add_option("--repeat", arguments->repeat, "Run all frames so many times, for better times")
      ->check(CLI::Range(1u, 1000000u))
      ->capture_default_str();
  pairs->add_flag("--list", arguments->list, "Print the names of all algorithms, one a line");
  pairs->footer(
      "Touching boxes overlap. Output rows are a < b, sorted; stdout has one line of JSON with counts, times and\n"
      "a hash (FNV-1a, 64 bits, over the little-endian 32-bit ids of the sorted pairs of all frames).\n"
      "Examples:\n  sudar pairs boxes.npy\n  sudar pairs frames.npy --algorithm sort_sweep --repeat 5\n"
      "  sudar pairs boxes.csv --out pairs.npy\n  sudar pairs recording.aabbs --all-frames --out pairs.npy");
  pairs->callback([arguments, &exit_code] { exit_code = run_pairs_command(*arguments); });
}

}  // namespace sudar_cli
