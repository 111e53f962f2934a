// What:    `sudar bench`: runs a suite of the benchmark library.
#include "bench/suites.hpp"
#include "cli/commands.hpp"
#include "cli/stop_signal.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <string>

namespace sudar_cli {

void add_bench(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string suite = "all";
    bool no_pin = false;
    sudar_bench::Options options;
  };
  auto arguments = std::make_shared<Arguments>();
  sudar_bench::Options& options = arguments->options;
  CLI::App* bench =
      app.add_subcommand("bench", "The evaluation: tables and plots, against the seeds, the bars and peers");
  std::string names = "all";
  for (const auto& suite : sudar_bench::suites()) names += ", " + std::string(suite.name);
  bench->add_option("--suite", arguments->suite, "One of: " + names + "; or one part, as broadphase/trees")
      ->capture_default_str();
  bench->add_flag("--quick", options.quick, "Fewer rounds and smaller inputs");
  bench->add_flag("--peers", options.peers, "Race the peers that were found when this was built");
  bench->add_option("--seed", options.seed, "Of the random inputs")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "'" + text + "' is below zero" : std::string();
      })
      ->capture_default_str();
  bench->add_option("-o,--out", options.out_dir, "Folder for results.json, *.csv and report.html");
  bench->add_option("--markdown", options.markdown, "File for the results as Markdown");
  bench->add_flag("--resume", options.resume, "Go on where a run into the same folder was interrupted");
  bench->add_option("--compare", options.compare,
                    "results.json of an earlier run: says what got slower, and which ratios changed, beyond the noise");
  bench->add_option("--with", options.newer, "With --compare: compare it with this results.json, and run nothing")
      ->needs("--compare");
  bench->add_option("--patience", options.patience, "Seconds that one run of a contestant may take")
      ->capture_default_str();
  bench
      ->add_option("--part-limit", options.part_limit,
                   "Seconds that a part may take, all attempts together; 0: 1800, or 300 with --quick")
      ->capture_default_str();
  bench->add_flag("--no-pin", arguments->no_pin, "Do not pin single-threaded parts and races to one processor");
  bench->footer(
      "Ends with 0 when all bars are met, 1 when one is missed or something got slower, 2 for bad usage, 3 when a "
      "contestant\n"
      "or a part crashed or timed out, or a bar could not be measured (its row says so, the rest is there), or after\n"
      "Ctrl-C, which ends it with what is known; with -o DIR, --resume then goes on.\n\n"
      "Examples:\n  sudar bench --suite seeds --quick -o out/bench\n  sudar bench --suite all --peers -o out/bench\n"
      "  sudar bench --suite all --peers -o out/bench --resume\n"
      "  sudar bench --suite broadphase -o out/new --compare out/bench/results.json\n"
      "  sudar bench --suite narrowphase/accuracy --markdown docs/accuracy.md");
  bench->callback([arguments, &exit_code] {
    arguments->options.pin = !arguments->no_pin;
    if (!(arguments->options.patience >= 0.1 && arguments->options.patience <= 86400)) {
      std::cerr << "sudar bench: --patience must be 0.1 to 86400 seconds\n";
      exit_code = 2;
      return;
    }
    if (!(arguments->options.part_limit >= 0 && arguments->options.part_limit <= 86400)) {
      std::cerr << "sudar bench: --part-limit must be 0 to 86400 seconds\n";
      exit_code = 2;
      return;
    }
    const StopSignal stop;
    arguments->options.stop_asked = [&stop] { return stop.asked(); };
    exit_code = sudar_bench::run_suite(arguments->suite, arguments->options, std::cout, std::cerr);
  });
}

}  // namespace sudar_cli
