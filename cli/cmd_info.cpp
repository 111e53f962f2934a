// What:    `sudar info`: what this build is, what it found on this machine, and what it can do.
#include "cli/commands.hpp"
#include "cli/text.hpp"
#include "scenes/registry.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/info.hpp>
#include <sudar/core/parallel.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>

namespace sudar_cli {

namespace {

template <class List>
nlohmann::ordered_json named_list(const List& list) {
  auto array = nlohmann::ordered_json::array();
  for (const auto& entry : list) array.push_back({{"name", entry.name}, {"what", entry.what}});
  return array;
}

// The method of every pair of shapes, each pair once
template <class Kind>
nlohmann::ordered_json shape_pairs(int kinds) {
  auto array = nlohmann::ordered_json::array();
  for (int i = 0; i < kinds; ++i)
    for (int j = i; j < kinds; ++j) {
      const Kind a = static_cast<Kind>(i), b = static_cast<Kind>(j);
      array.push_back({{"a", to_string(a)}, {"b", to_string(b)}, {"method", method_of(a, b)}});
    }
  return array;
}

// The kinds of shapes, which all go with each other
template <class Kind>
std::string shape_names(int kinds) {
  std::string names;
  for (int i = 0; i < kinds; ++i) names += (i > 0 ? ", " : "") + std::string(to_string(static_cast<Kind>(i)));
  return names;
}

void print_json() {
  const sudar::BuildInfo info = sudar::build_info();
  nlohmann::ordered_json json;
  json["schema"] = "sudar/info-1";
  json["version"] = info.version;
  json["precision"] = info.precision;
  json["compiler"] = info.compiler;
  json["instruction_set"] = sudar::instruction_set();
  json["threads"] = sudar::default_executor().concurrency();
  json["back_ends"] = {{"simd", info.simd}, {"threads", info.threads}};
  json["algorithms"] = named_list(sudar::broadphases());
  json["shape_pairs"] = {{"2D", shape_pairs<sudar::ShapeKind2>(sudar::kShapeKinds2)},
                         {"3D", shape_pairs<sudar::ShapeKind3>(sudar::kShapeKinds3)}};
  json["scenes"] = named_list(sudar::scenes::all());
  json["worlds"] = named_list(sudar::scenes::physics_scenes());
  std::cout << json.dump(2) << '\n';
}

void print_text() {
  const sudar::BuildInfo info = sudar::build_info();
  std::cout << "Sudar " << info.version << '\n';
  const auto line = [](std::string_view name, const auto& value) {
    std::cout << "  " << name << std::string(18 - name.size(), ' ') << value << '\n';
  };
  line("precision", info.precision);
  line("compiler", info.compiler);
  line("instruction set", sudar::instruction_set());
  line("threads", sudar::default_executor().concurrency());
  line("SIMD by", info.simd);
  line("threads by", info.threads);
  std::cout << "Broad phases\n";
  for (const auto& entry : sudar::broadphases()) line(entry.name, entry.what);
  std::cout << "Shapes, each against each\n";
  line("2D", shape_names<sudar::ShapeKind2>(sudar::kShapeKinds2));
  line("3D", shape_names<sudar::ShapeKind3>(sudar::kShapeKinds3));
  // The first sentence is enough here
  std::cout << "Scenes of boxes\n";
  for (const auto& entry : sudar::scenes::all()) line(entry.name, entry.what.substr(0, entry.what.find(". ")));
  std::cout << "Worlds of bodies\n";
  for (const auto& entry : sudar::scenes::physics_scenes())
    line(entry.name, entry.what.substr(0, entry.what.find(". ")));
}

}  // namespace

void add_info(CLI::App& app, int& exit_code) {
  CLI::App* info = app.add_subcommand("info", "Version, precision, instruction set, threads, algorithms and scenes");
  auto format = std::make_shared<std::string>("text");
  info->add_option("--format", *format, "text or json")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
  info->footer("Examples:\n  sudar info\n  sudar info --format json");
  info->callback([format, &exit_code] {
    *format == "json" ? print_json() : print_text();
    exit_code = kDone;
  });
}

}  // namespace sudar_cli
