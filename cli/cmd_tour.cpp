// What:    `sudar tour`, which is also what `sudar` does without an argument.
#include "cli/commands.hpp"
#include "cli/text.hpp"
#include "cli/tour_report.hpp"
#include <sudar/io/file_bytes.hpp>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iostream>

namespace sudar_cli {

namespace {

struct TourArguments {
  TourOptions options;
  std::string out = "out/tour", format = "text";
  bool quick = false;
};

bool write_file(const std::filesystem::path& path, const std::string& text) {
  return sudar::write_whole_file(path.string(), text).ok();
}

int run_tour_command(TourArguments arguments) {
  if (arguments.quick) {
    arguments.options.boxes = std::min<std::size_t>(arguments.options.boxes, 400);
    arguments.options.steps = std::min(arguments.options.steps, 6);
    arguments.options.rounds = 1;
  }
  // Know that the report can be written before working for it
  const std::filesystem::path folder(arguments.out);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!std::filesystem::is_directory(folder, failed)) return refuse("tour", "cannot make the folder " + arguments.out);

  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto start = std::chrono::steady_clock::now();
  const auto tour = run_tour(arguments.options, [&](std::size_t done, std::size_t total, const std::string& next) {
    if (terminal)
      std::cerr << "\r\x1b[K" << (next.empty() ? "" : grouped(done) + '/' + grouped(total) + ' ' + next) << std::flush;
  });
  if (!tour) return refuse("tour", tour.error().message());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const std::string json = tour_json(*tour);
  if (!write_file(folder / "tour.json", json) || !write_file(folder / "tour.csv", tour_csv(*tour)) ||
      !write_file(folder / "report.html", tour_html(*tour)))
    return refuse("tour", "cannot write to the folder " + arguments.out);
  if (arguments.format == "json") {
    std::cout << json;
  } else {
    print_table(*tour, std::cout);
    std::cout << "\nReport with pictures: "
              << std::filesystem::absolute(folder / "report.html").lexically_normal().string()
              << "\nTables: tour.csv and tour.json beside it (" << fixed(seconds, 1) << " s)\n";
  }
  return tour->agree() ? kDone : kFound;
}

}  // namespace

void add_tour(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<TourArguments>();
  CLI::App* tour = app.add_subcommand("tour", "Every built-in scene under every broad phase: table, report, pictures");
  tour->add_option("-o,--out", arguments->out, "Folder for report.html, tour.csv and tour.json")->capture_default_str();
  tour->add_option("--boxes", arguments->options.boxes, "Boxes of each scene")
      ->check(CLI::Range(std::size_t{10}, std::size_t{100000}))
      ->capture_default_str();
  tour->add_option("--steps", arguments->options.steps, "Steps of each scene")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  tour->add_option("--seed", arguments->options.seed, "Of the scenes")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 53))
      ->capture_default_str();
  tour->add_flag("--quick", arguments->quick, "Small scenes and few steps");
  tour->add_option("--format", arguments->format, "What goes to the terminal: text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  tour->footer(
      "Ends with 1 when the broad phases disagree.\nExamples:\n  sudar\n  sudar tour --quick -o /tmp/tour\n"
      "  sudar tour --boxes 20000 --steps 5");
  tour->callback([arguments, &exit_code] { exit_code = run_tour_command(*arguments); });
}

int run_default_tour() { return run_tour_command({}); }

}  // namespace sudar_cli
