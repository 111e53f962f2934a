// What:    `sudar lab`: the interactive lab, or the same program without a window.
#include "cli/commands.hpp"
#include "cli/text.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <iostream>

#if SUDAR_HAVE_LAB
#include "lab/exhibit_registry.hpp"
#include "lab/lab.hpp"
#endif

namespace sudar_cli {

namespace {

#if SUDAR_HAVE_LAB

namespace lab = sudar::lab;

struct LabArguments {
  lab::LabOptions options;
  std::string scene, size;
  std::vector<std::string> set;
  bool list = false, no_panels = false, no_labels = false;
};

// "1280x720"
bool read_size(std::string_view text, int& width, int& height) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return false;
  const auto whole = [](std::string_view digits, int& out) {
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return status == std::errc() && end == digits.data() + digits.size() && out >= 64 && out <= 8192;
  };
  return whole(text.substr(0, cross), width) && whole(text.substr(cross + 1), height);
}

int list_exhibits() {
  std::size_t widest = 0;
  for (const lab::ExhibitEntry& entry : lab::catalogue()) widest = std::max(widest, entry.name.size());
  for (const lab::ExhibitEntry& entry : lab::catalogue()) {
    const std::string_view told =
        entry.title == entry.name ? entry.paragraph.substr(0, entry.paragraph.find(". ")) : entry.title;
    std::cout << entry.name << std::string(widest + 2 - entry.name.size(), ' ') << entry.group
              << std::string(entry.group.size() < 12 ? 12 - entry.group.size() : 1, ' ') << told << '\n';
  }
  return kDone;
}

int run_lab_command(LabArguments& arguments) {
  if (arguments.list) return list_exhibits();
  lab::LabOptions& options = arguments.options;
  if (!arguments.scene.empty() && !options.exhibit.empty())
    return refuse("lab", "either --scene or --exhibit, not both");
  if (!arguments.scene.empty()) options.exhibit = arguments.scene;
  if (!arguments.size.empty() && !read_size(arguments.size, options.width, options.height))
    return refuse("lab", "--size: '" + arguments.size + "' is not written as 1280x720, or is out of 64 … 8192");
  if (!options.screenshot.empty() && !options.screenshot.ends_with(".png"))
    return refuse("lab", "the name after --screenshot must end in .png");
  if (!options.metrics.empty() && !options.metrics.ends_with(".csv"))
    return refuse("lab", "the name after --metrics must end in .csv");
  if (!options.keys.empty() && !options.headless) return refuse("lab", "--keys needs --headless");
  for (const std::string& pair : arguments.set) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0)
      return refuse("lab", "--set: '" + pair + "' is not written as name=value");
    options.set.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  options.panels = !arguments.no_panels;
  options.labels = !arguments.no_labels;
  std::string why_not;
  const int code = lab::run_lab(options, why_not);
  return code == kDone ? kDone : refuse("lab", why_not);
}

#endif

}  // namespace

void add_lab(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("lab", "The interactive lab: swap algorithms, see inside them, measure them");
#if SUDAR_HAVE_LAB
  auto arguments = std::make_shared<LabArguments>();
  lab::LabOptions& options = arguments->options;
  command->add_option("--scene", arguments->scene, "A scene by name with parameters, 'cluster n=10000 speed=0.2'");
  command->add_option(
      "--exhibit", options.exhibit,
      "An exhibit or a scene, NAME or NAME:name=value,…; or @FILE, @FILE:LINE: what shows a line of sudar query");
  command->add_flag("--list", arguments->list, "Print the exhibits and scenes, a name first on each line");
  command->add_option("--size", arguments->size, "Width and height, 1280x720");
  command->add_option("--set", arguments->set, "name=value of the exhibit's settings; may be given several times");
  command->add_option("--step", options.step, "Go to this step of a stepped exhibit")
      ->check(CLI::Range(0l, 100000000l));
  command->add_flag("--headless", options.headless, "Without a window: draw off screen, then end");
  command->add_option("--frames", options.frames, "Frames to run without a window")
      ->check(CLI::Range(1l, 100000000l))
      ->capture_default_str();
  command->add_option("--screenshot", options.screenshot, "Write the last frame to this .png");
  command->add_option("--metrics", options.metrics, "Write the times of every frame to this .csv");
  command->add_option("--scale", options.scale, "Size of letters and lines; without it that of the screen")
      ->check([](const std::string& text) -> std::string {
        double scale = 0;
        if (CLI::detail::lexical_cast(text, scale) && scale >= 0.5 && scale <= 4) return {};
        return "'" + text + "' is no number from 0.5 to 4";
      });
  command->add_flag("--no-panels", arguments->no_panels, "Without a window: the view alone");
  command->add_flag("--no-labels", arguments->no_labels, "Without a window: no letters in the view");
  command->add_option("--settings", options.settings, "The file that remembers settings");
  command->add_option("--keys", options.keys, "Without a window: keys to press, 'ctrl+o,text=race,enter'");
  command->add_option("--log", options.log, "Write what was done to this file, a line each");
  command->footer(
      "F1 in the window shows keys and pointer.\n"
      "Examples:\n  sudar lab\n  sudar lab --scene 'pile n=500'\n"
      "  sudar lab --headless --exhibit shapes3 --frames 60 --size 1920x1080 --screenshot shapes.png");
  command->callback([arguments, &exit_code] { exit_code = run_lab_command(*arguments); });
#else
  command->allow_extras();
  command->callback([&exit_code] {
    exit_code = refuse("lab", "this build has no lab: GLFW, Dear ImGui or EGL were not found when it was made");
  });
#endif
}

}  // namespace sudar_cli
