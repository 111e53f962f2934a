// What:    `sudar completions SHELL` and `sudar manual`: what a shell and man(1) know of the command.
// Differs: Both are made from the parser itself, so they cannot fall behind it.
#include "cli/commands.hpp"
#include "cli/text.hpp"
#include <sudar/core/info.hpp>

#include <CLI/CLI.hpp>

#include <iostream>
#include <sstream>

namespace sudar_cli {

namespace {

struct ShellOption {
  std::vector<std::string> names;  // "-o", "--out"
  std::string what;
  std::vector<std::string> values;  // that it takes, where they are a list
  bool takes_value = false;
};
struct ShellCommand {
  std::string name, what, footer;
  std::vector<ShellOption> options;
  std::vector<ShellOption> operands;
};

// "TEXT:{text,json,csv}" → text json csv
std::vector<std::string> values_of(const std::string& type) {
  std::vector<std::string> out;
  const std::size_t open = type.find('{'), close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return out;
  std::istringstream words(type.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(words, word, ',');) out.push_back(word);
  return out;
}

ShellCommand command_of(const CLI::App& app) {
  ShellCommand out{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    ShellOption x;
    x.what = option->get_description();
    x.values = values_of(option->get_type_name());
    x.takes_value = option->get_items_expected_max() > 0;
    if (option->get_positional() && option->get_lnames().empty() && option->get_snames().empty()) {
      x.names = {option->get_name(true)};
      out.operands.push_back(std::move(x));
      continue;
    }
    for (const std::string& name : option->get_snames()) x.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) x.names.push_back("--" + name);
    out.options.push_back(std::move(x));
  }
  return out;
}

std::vector<ShellCommand> all_commands(const CLI::App& app) {
  std::vector<ShellCommand> out;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) out.push_back(command_of(*sub));
  return out;
}

std::string joined_words(const std::vector<std::string>& words, const char* between = " ") {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
  return out;
}

std::string bash_script(const std::vector<ShellCommand>& commands) {
  std::ostringstream out;
  std::vector<std::string> names;
  for (const ShellCommand& c : commands) names.push_back(c.name);
  out << "# bash completion for sudar: source this file, or put it where bash-completion looks\n_sudar() {\n"
      << "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
      << "  COMPREPLY=()\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W \"" << joined_words(names)
      << " --help --version\" -- \"$word\"))\n    return\n  fi\n  case \"$command\" in\n";
  for (const ShellCommand& c : commands) {
    out << "    " << c.name << ")\n      case \"$before\" in\n";
    std::vector<std::string> all;
    for (const ShellOption& o : c.options) {
      all.insert(all.end(), o.names.begin(), o.names.end());
      if (!o.values.empty())
        out << "        " << joined_words(o.names, "|") << ") COMPREPLY=($(compgen -W \"" << joined_words(o.values)
            << "\" -- \"$word\")); return ;;\n";
    }
    out << "      esac\n      case \"$word\" in\n        -*) COMPREPLY=($(compgen -W \"" << joined_words(all)
        << "\" -- \"$word\")) ;;\n        *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n      esac ;;\n";
  }
  out << "  esac\n}\ncomplete -o filenames -F _sudar sudar\n";
  return out.str();
}

// Inside of single quotes
std::string quoted(const std::string& text, bool for_zsh) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '\n')
      out += ' ';
    else if (for_zsh && (c == '[' || c == ']' || c == ':'))
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string zsh_script(const std::vector<ShellCommand>& commands) {
  std::ostringstream out;
  out << "#compdef sudar\n# zsh completion for sudar: put this file as _sudar into a folder of $fpath\n_sudar() {\n"
      << "  local -a commands\n  commands=(\n";
  for (const ShellCommand& c : commands) out << "    '" << c.name << ':' << quoted(c.what, true) << "'\n";
  out << "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      << "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const ShellCommand& c : commands) {
    out << "    " << c.name << ")\n      _arguments";
    for (const ShellOption& o : c.options)
      for (const std::string& name : o.names) {
        out << " \\\n        '" << name << '[' << quoted(o.what, true) << ']';
        if (!o.values.empty())
          out << ":value:(" << joined_words(o.values) << ')';
        else if (o.takes_value)
          out << ":value:_files";
        out << '\'';
      }
    out << " \\\n        '*:file:_files' ;;\n";
  }
  out << "  esac\n}\n_sudar \"$@\"\n";
  return out.str();
}

std::string fish_script(const std::vector<ShellCommand>& commands) {
  std::ostringstream out;
  out << "# fish completion for sudar: put this file as sudar.fish into ~/.config/fish/completions\n";
  for (const ShellCommand& c : commands) {
    out << "complete -c sudar -n __fish_use_subcommand -f -a " << c.name << " -d '" << quoted(c.what, false) << "'\n";
    for (const ShellOption& o : c.options) {
      out << "complete -c sudar -n '__fish_seen_subcommand_from " << c.name << '\'';
      for (const std::string& name : o.names)
        out << (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
      if (!o.values.empty())
        out << " -x -a '" << joined_words(o.values) << '\'';
      else if (o.takes_value)
        out << " -r";
      out << " -d '" << quoted(o.what, false) << "'\n";
    }
  }
  return out.str();
}

// Text in troff: a line must not begin with a dot or a quote, and a hyphen is one only when it is escaped
std::string troff(const std::string& text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    begins = c == '\n';
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string manual_page(const CLI::App& app, const std::vector<ShellCommand>& commands) {
  std::ostringstream out;
  out << ".TH SUDAR 1 \"\" \"sudar " << sudar::build_info().version << "\" \"User Commands\"\n.SH NAME\n"
      << "sudar \\- collision detection in 2D and 3D\n.SH SYNOPSIS\n.B sudar\n[COMMAND] [OPTIONS]\n.SH DESCRIPTION\n"
      << troff(app.get_description()) << "\n.SH COMMANDS\n";
  for (const ShellCommand& c : commands) {
    out << ".SS sudar " << c.name;
    for (const ShellOption& o : c.operands) out << ' ' << troff(o.names.front());
    out << " [OPTIONS]\n" << troff(c.what) << ".\n";
    for (const ShellOption& o : c.operands)
      out << ".TP\n.I " << troff(o.names.front()) << '\n' << troff(o.what) << '\n';
    for (const ShellOption& o : c.options) {
      out << ".TP\n.B " << troff(joined_words(o.names, ", "));
      if (!o.values.empty())
        out << " \\fR" << troff(joined_words(o.values, "|")) << "\\fP";
      else if (o.takes_value)
        out << " \\fIVALUE\\fP";
      out << '\n' << troff(o.what) << '\n';
    }
    if (!c.footer.empty()) out << ".PP\n.nf\n" << troff(c.footer) << "\n.fi\n";
  }
  out << ".SH EXIT STATUS\n0 done; 1 found or failed validation; 2 bad usage or input; 3 partial result.\n";
  return out.str();
}

}  // namespace

void add_shell(CLI::App& app, int& exit_code) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completions = app.add_subcommand("completions", "Print the completions for a shell");
  completions->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completions->footer("Example:\n  sudar completions bash > ~/.local/share/bash-completion/completions/sudar");
  completions->callback([shell, &app, &exit_code] {
    const auto commands = all_commands(app);
    std::cout << (*shell == "bash"  ? bash_script(commands)
                  : *shell == "zsh" ? zsh_script(commands)
                                    : fish_script(commands));
    exit_code = kDone;
  });
  CLI::App* manual = app.add_subcommand("manual", "Print the manual page, for man(1)");
  manual->footer("Example:\n  sudar manual | man -l -");
  manual->callback([&app, &exit_code] {
    std::cout << manual_page(app, all_commands(app));
    exit_code = kDone;
  });
}

}  // namespace sudar_cli
