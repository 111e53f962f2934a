// What:    `sudar lab` alone, for who works on the lab: it links in seconds. Not built by default.
#include "cli/commands.hpp"
#include "cli/text.hpp"

#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  CLI::App app("Sudar's lab alone", "sudar_lab_alone");
  app.require_subcommand(1, 1);
  int exit_code = sudar_cli::kDone;
  sudar_cli::add_lab(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : sudar_cli::refuse("lab", error.what());
  }
  return exit_code;
}
