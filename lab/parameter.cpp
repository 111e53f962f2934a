#include "lab/parameter.hpp"

#include "lab/exhibit.hpp"
#include <sudar/io/double_text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace sudar::lab {

namespace {

constexpr std::string_view kBetween = " ,\t";  // settings

std::string number_text(double value) {
  char text[32];
  const auto [end, status] = std::to_chars(text, text + sizeof text, value);
  return status == std::errc() ? std::string(text, end) : std::string("?");
}

std::string joined_names(std::span<const std::string> names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

Parameter blank(std::string name, std::string label, Parameter::Kind kind) {
  Parameter p;
  p.label = label.empty() ? name : std::move(label);
  p.name = std::move(name);
  p.kind = kind;
  return p;
}

}  // namespace

Parameter Parameter::number(std::string name, std::string label, std::string unit, double value, double lo, double hi,
                            bool logarithmic) {
  Parameter p = blank(std::move(name), std::move(label), Kind::number);
  p.unit = std::move(unit);
  p.value = value, p.lo = lo, p.hi = hi, p.logarithmic = logarithmic;
  return p;
}

Parameter Parameter::whole(std::string name, std::string label, double value, double lo, double hi, bool logarithmic) {
  Parameter p = blank(std::move(name), std::move(label), Kind::whole);
  p.value = value, p.lo = lo, p.hi = hi, p.logarithmic = logarithmic;
  return p;
}

Parameter Parameter::choice(std::string name, std::string label, std::vector<std::string> choices, std::size_t chosen) {
  Parameter p = blank(std::move(name), std::move(label), Kind::choice);
  p.choices = std::move(choices);
  p.value = static_cast<double>(chosen);
  p.hi = p.choices.empty() ? 0 : static_cast<double>(p.choices.size() - 1);
  return p;
}

Parameter Parameter::toggle(std::string name, std::string label, bool on) {
  Parameter p = blank(std::move(name), std::move(label), Kind::toggle);
  p.value = on ? 1 : 0;
  return p;
}

Parameter Parameter::action(std::string name, std::string label) {
  return blank(std::move(name), std::move(label), Kind::action);
}

Parameter Parameter::text(std::string name, std::string label, std::string content) {
  Parameter p = blank(std::move(name), std::move(label), Kind::text);
  p.content = std::move(content);
  return p;
}

std::string text_of(const Parameter& parameter) {
  switch (parameter.kind) {
    case Parameter::Kind::number:
    case Parameter::Kind::whole:
      return number_text(parameter.value);
    case Parameter::Kind::choice:
      return parameter.index() < parameter.choices.size() ? parameter.chosen() : std::string();
    case Parameter::Kind::toggle:
      return parameter.on() ? "on" : "off";
    case Parameter::Kind::action:
      return {};
    case Parameter::Kind::text:
      return parameter.content;
  }
  return {};
}

std::string written(const Parameter& parameter) {
  const std::string value = text_of(parameter);
  const bool plain = value.find_first_of(kBetween) == std::string::npos && !value.starts_with('"');
  if (parameter.kind != Parameter::Kind::text || plain) return parameter.name + '=' + value;
  std::string quoted = parameter.name + "=\"";
  for (const char c : value) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

bool read_value(Parameter& parameter, std::string_view value, std::string& why_not) {
  const std::string named = "'" + parameter.name + "'";
  const std::string given = "'" + std::string(value) + "'";
  switch (parameter.kind) {
    case Parameter::Kind::number:
    case Parameter::Kind::whole: {
      double number = 0;
      const auto [end, status] = read_double(value, number);
      if (status != std::errc() || end != value.data() + value.size() || !std::isfinite(number)) {
        why_not = named + ": " + given + " is no number";
        return false;
      }
      if (parameter.kind == Parameter::Kind::whole && number != std::floor(number)) {
        why_not = named + ": " + given + " is no whole number";
        return false;
      }
      if (!(number >= parameter.lo && number <= parameter.hi)) {
        why_not = named + " must lie in " + number_text(parameter.lo) + " … " + number_text(parameter.hi);
        return false;
      }
      parameter.value = number;
      return true;
    }
    case Parameter::Kind::choice: {
      const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), value);
      if (found == parameter.choices.end()) {
        why_not = named + " is one of: " + joined_names(parameter.choices);
        return false;
      }
      parameter.value = static_cast<double>(found - parameter.choices.begin());
      return true;
    }
    case Parameter::Kind::toggle: {
      const bool on = value == "on" || value == "1" || value == "true" || value == "yes";
      const bool off = value == "off" || value == "0" || value == "false" || value == "no";
      if (!on && !off) {
        why_not = named + " is 'on' or 'off', not " + given;
        return false;
      }
      parameter.value = on ? 1 : 0;
      return true;
    }
    case Parameter::Kind::action:
      return true;
    case Parameter::Kind::text:
      parameter.content = std::string(value);
      return true;
  }
  return false;
}

namespace {

Parameter* find_parameter(std::span<Parameter> parameters, std::string_view name, std::string& why_not) {
  std::vector<std::string> names;
  for (Parameter& parameter : parameters) {
    if (parameter.name == name) return &parameter;
    names.push_back(parameter.name);
  }
  why_not = "there is no parameter '" + std::string(name) + "'; there " +
            (names.empty() ? std::string("is none") : "are: " + joined_names(names));
  return nullptr;
}

// A value in quotes from the front of a text; false when they do not end, or something sticks to them
bool take_quoted(std::string_view& text, std::string& value) {
  value.clear();
  std::size_t i = 1;
  for (; i < text.size(); ++i) {
    if (text[i] == '"' && (++i == text.size() || text[i] != '"')) {
      text.remove_prefix(i);
      return text.empty() || kBetween.find(text.front()) != std::string_view::npos;
    }
    value += text[i];
  }
  return false;
}

}  // namespace

bool read_parameters(std::span<Parameter> parameters, std::string_view text, std::string& why_not) {
  while (true) {
    const std::size_t begin = text.find_first_not_of(kBetween);
    if (begin == std::string_view::npos) return true;
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(kBetween));
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      why_not = "'" + std::string(word) + "' is not written as name=value";
      return false;
    }
    Parameter* parameter = find_parameter(parameters, word.substr(0, equals), why_not);
    if (parameter == nullptr) return false;
    std::string value(word.substr(equals + 1));
    if (!value.starts_with('"')) {
      text.remove_prefix(word.size());
    } else {
      text.remove_prefix(equals + 1);
      if (!take_quoted(text, value)) {
        why_not = "'" + parameter->name + "': the quotes of the value do not end";
        return false;
      }
    }
    if (!read_value(*parameter, value, why_not)) return false;
  }
}

bool set_from_text(Exhibit& exhibit, std::string_view name, std::string_view value, std::string& why_not) {
  const std::span<Parameter> parameters = exhibit.parameters();
  Parameter* parameter = find_parameter(parameters, name, why_not);
  if (parameter == nullptr || !read_value(*parameter, value, why_not)) return false;
  if (const Result<void> done = exhibit.set(static_cast<std::size_t>(parameter - parameters.data())); !done) {
    why_not = "'" + std::string(name) + "': " + done.error().message();
    return false;
  }
  return true;
}

}  // namespace sudar::lab
