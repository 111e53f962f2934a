// What:    What a person may set at an exhibit. The shell makes sliders, lists, boxes and keys of it; the command line and
//          the tests write it as text, "n=100,algorithm=sap".
// Fails:   read_parameters and set_from_text say in one line which name or value is wrong, and what would be right.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sudar::lab {

class Exhibit;

struct Parameter {
  enum class Kind {
    number,  // value in lo…hi
    whole,   // the same, without a fraction
    choice,  // value is an index of choices
    toggle,  // value is 0 or 1
    action,  // a button
    text,
  };

  std::string name;   // lower case with underscores; what is written before '='
  std::string label;  // what is shown; the name when empty
  std::string unit;
  Kind kind = Kind::number;
  double value = 0, lo = 0, hi = 1;
  bool logarithmic = false;
  std::vector<std::string> choices;
  std::string content;  // of a text
  std::string help;     // one sentence

  static Parameter number(std::string name, std::string label, std::string unit, double value, double lo, double hi,
                          bool logarithmic = false);
  static Parameter whole(std::string name, std::string label, double value, double lo, double hi,
                         bool logarithmic = false);
  static Parameter choice(std::string name, std::string label, std::vector<std::string> choices,
                          std::size_t chosen = 0);
  static Parameter toggle(std::string name, std::string label, bool on);
  static Parameter action(std::string name, std::string label);
  static Parameter text(std::string name, std::string label, std::string content);

  bool on() const { return value != 0; }
  std::size_t index() const { return value > 0 ? static_cast<std::size_t>(value) : 0; }
  const std::string& chosen() const { return choices[index()]; }
};

// The value as it is written after '='
std::string text_of(const Parameter& parameter);
// "name=value" as read_parameters takes it: a text with blanks or commas is in quotes, and a quote in it is doubled
std::string written(const Parameter& parameter);
// Reads it; false, and why not, when it is no such value. The parameter is unchanged then.
bool read_value(Parameter& parameter, std::string_view value, std::string& why_not);
// "n=100,seed=1" (commas or blanks, but for those in "") into the parameters of these names, in the maker of an exhibit; nothing is
// told to anybody
bool read_parameters(std::span<Parameter> parameters, std::string_view text, std::string& why_not);
// Writes a parameter of a living exhibit by name and tells it; an action is pressed whatever the value
bool set_from_text(Exhibit& exhibit, std::string_view name, std::string_view value, std::string& why_not);

}  // namespace sudar::lab
