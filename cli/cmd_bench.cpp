// What:    `sudar bench`: runs a suite of the benchmark library.
#include "bench/suites.hpp"
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

namespace sudar_cli {

void add_bench(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string suite = "all";
    sudar_bench::Options options;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* bench = app.add_subcommand("bench", "The evaluation: tables and plots, against the bars and the peers");
  std::string names = "all";
  for (const auto& suite : sudar_bench::suites()) names += ", " + std::string(suite.name);
  bench->add_option("--suite", arguments->suite, "One of: " + names + "; or one part, as broadphase/trees")
      ->capture_default_str();
  bench->add_flag("--quick", arguments->options.quick, "Fewer rounds and smaller inputs");
  bench->add_flag("--peers", arguments->options.peers, "Race the peers that were found when this was built");
  bench->add_option("--seed", arguments->options.seed, "Of the random inputs")->capture_default_str();
  bench->add_option("-o,--out", arguments->options.out_dir, "Folder for results.json, *.csv and report.html");
  bench->add_option("--markdown", arguments->options.markdown, "File for the tables as Markdown");
  bench->footer(
      "Examples:\n  sudar bench --suite geometry --quick\n  sudar bench --suite geometry --peers -o out/bench\n"
      "  sudar bench --suite narrowphase/accuracy --markdown docs/accuracy.md");
  bench->callback([arguments, &exit_code] {
    exit_code = sudar_bench::run_suite(arguments->suite, arguments->options, std::cout, std::cerr);
  });
}

}  // namespace sudar_cli
