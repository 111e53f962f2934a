// What:    The `sudar` command: reads the line, runs one subcommand, gives its exit code.
#include "cli/commands.hpp"
#include "cli/text.hpp"
#include <sudar/core/info.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <iostream>

namespace {

// The parser's complaint as one line, with the place to look
int complain(const CLI::App& app, const CLI::ParseError& error) {
  std::string command;
  for (const CLI::App* sub : app.get_subcommands()) command = sub->get_name();
  std::string message = error.what();
  message.resize(std::min(message.size(), message.find('\n')));
  return sudar_cli::refuse(command, message + " (see sudar" + (command.empty() ? "" : ' ' + command) + " --help)");
}

// A variable of a script that is not set is no wish to leave the option out
void refuse_empty_values(CLI::App& app) {
  for (CLI::App* sub : app.get_subcommands({}))
    for (CLI::Option* option : sub->get_options())
      if (option->get_items_expected_max() > 0)
        option->check([](const std::string& text) { return std::string(text.empty() ? "an empty value" : ""); });
}

int run(int argc, char** argv) {
  CLI::App app("Sudar: collision detection in 2D and 3D. Without a command it runs the tour.", "sudar");
  app.set_version_flag("--version", std::string(sudar::build_info().version));
  app.require_subcommand(0, 1);
  app.footer(
      "Examples:\n  sudar                                  the tour: a table here, a report with pictures in out/tour\n"
      "  sudar check a.stl b.obj --units mm     which parts of mesh files clash, how deep and where\n"
      "  sudar pairs boxes.npy --out pairs.npy  all overlapping pairs of boxes\n"
      "  sudar sim 'pile n=1000' --steps 600    a scene of bodies, with its hash and times\n"
      "  sudar info --format json               what this build is and can do\n"
      "Exit codes: 0 done, 1 found or failed validation, 2 bad usage or input, 3 partial result.");
  int exit_code = sudar_cli::kDone;
  sudar_cli::add_tour(app, exit_code);
  sudar_cli::add_check(app, exit_code);
  sudar_cli::add_pairs(app, exit_code);
  sudar_cli::add_query(app, exit_code);
  sudar_cli::add_sim(app, exit_code);
  sudar_cli::add_lab(app, exit_code);
  sudar_cli::add_bench(app, exit_code);
  sudar_cli::add_info(app, exit_code);
  sudar_cli::add_shell(app, exit_code);
  refuse_empty_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : complain(app, error);
  }
  return app.get_subcommands().empty() ? sudar_cli::run_default_tour() : exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int exit_code = run(argc, argv);
    // An answer that did not arrive is no answer
    if (!std::cout.flush()) return sudar_cli::refuse("", "cannot write to the standard output");
    return exit_code;
  } catch (const std::bad_alloc&) {
    return sudar_cli::refuse("", "memory is exhausted");
  } catch (const std::exception& error) {
    return sudar_cli::refuse("", error.what());
  }
}
