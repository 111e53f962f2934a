// What:    The subcommands of `sudar`. Each adds itself to the parser; when it is chosen it runs and sets the exit
// code.
#pragma once

namespace CLI {
class App;
}

namespace sudar_cli {

// Exit codes of every command
inline constexpr int kDone = 0;
inline constexpr int kFound = 1;     // clashes found, or a validation failed
inline constexpr int kBadInput = 2;  // bad usage or bad input
inline constexpr int kPartial = 3;   // something was skipped; the output says what

void add_bench(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_lab(CLI::App& app, int& exit_code);
void add_pairs(CLI::App& app, int& exit_code);
void add_query(CLI::App& app, int& exit_code);
void add_shell(CLI::App& app, int& exit_code);
void add_sim(CLI::App& app, int& exit_code);
void add_tour(CLI::App& app, int& exit_code);

// What `sudar` does without an argument
int run_default_tour();

}  // namespace sudar_cli
