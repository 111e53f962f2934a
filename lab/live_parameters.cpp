// What:    What may be set at a living scene, and what setting it does. See live_exhibit.hpp.
// Source:  seed E11: number, size, speed, container, leaf capacity, depth, resolution, drawing, algorithm.
// Differs: A scene's own parameters are those of its string; a change of them starts it anew. So does a change of what a
//          world is made with. Everything else changes on the living scene.
#include "lab/case_file.hpp"
#include "lab/live_exhibit.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/instruction_sets.hpp>
#include <sudar/io/file_bytes.hpp>

#include <algorithm>
#include <chrono>
#include <sstream>

namespace sudar::lab {

namespace {

constexpr double kWideRange = 1000;  // of a slider from which on it is logarithmic
constexpr double kMostThreads = 64;

std::vector<std::string> algorithm_names(bool with_none) {
  std::vector<std::string> names;
  if (with_none) names.emplace_back(kNoAlgorithm);
  for (const BroadphaseEntry& entry : broadphases()) names.emplace_back(entry.name);
  return names;
}
std::size_t place_in(const std::vector<std::string>& names, std::string_view name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

Parameter with_help(Parameter parameter, std::string_view help) {
  parameter.help = std::string(help);
  return parameter;
}

Parameter of_range(std::string name, std::string_view what, double value, double lo, double hi, bool whole) {
  const bool wide = lo > 0 && hi / lo > kWideRange;
  Parameter p = whole ? Parameter::whole(name, name, value, lo, hi, wide)
                      : Parameter::number(name, name, "", value, lo, hi, wide);
  p.help = std::string(what);
  return p;
}

}  // namespace

template <int D>
Parameter* LiveExhibit<D>::find(std::string_view name) {
  for (Parameter& parameter : parameters_)
    if (parameter.name == name) return &parameter;
  return nullptr;
}

template <int D>
double LiveExhibit<D>::value(std::string_view name) const {
  for (const Parameter& parameter : parameters_)
    if (parameter.name == name) return parameter.value;
  return 0;
}

template <int D>
const std::string& LiveExhibit<D>::text(std::string_view name) const {
  static const std::string kNothing;
  for (const Parameter& parameter : parameters_)
    if (parameter.name == name) return parameter.content;
  return kNothing;
}

// The list for the scene and the algorithm as they are; what a person has set stays
template <int D>
void LiveExhibit<D>::list_parameters() {
  const std::vector<Parameter> before = std::move(parameters_);
  parameters_.clear();
  for (const scenes::SceneParameter& p : spec_.parameters())
    if (p.key != "dim")
      parameters_.push_back(of_range(std::string(p.key), p.what, p.value, p.lowest, p.highest, p.whole));

  const std::vector<std::string> names = algorithm_names(true);
  parameters_.push_back(
      with_help(Parameter::choice("algorithm", "algorithm", names, place_in(names, options_.algorithm)),
                "the broad phase; it is swapped while the scene lives, and changes no result"));
  if (live_->broadphase() != nullptr)
    for (const sudar::Parameter& p : live_->broadphase()->parameters()) {
      std::string name(p.name);
      if (find(name) != nullptr) name = "bp_" + name;
      parameters_.push_back(of_range(name, p.what, p.value, p.lowest, p.highest, p.whole));
    }
  parameters_.push_back(with_help(Parameter::whole("threads", "threads", 1, 1, kMostThreads), "changes no result"));
  std::vector<std::string> sets = {"best"};
  for (const std::string_view set : instruction_sets()) sets.emplace_back(set);
  parameters_.push_back(with_help(Parameter::choice("instruction_set", "instruction set", sets),
                                  "for the whole program; changes no result"));

  parameters_.push_back(with_help(Parameter::number("dt", "step", "s", dt_, 1.0 / 960, 1.0 / 15, true),
                                  "seconds of one step, and of one frame"));
  if (live_->is_world()) {
    parameters_.push_back(with_help(Parameter::whole("substeps", "substeps", options_.substeps, 1, 32),
                                    "of the contact solver in a step; starts the scene anew"));
    parameters_.push_back(with_help(Parameter::number("margin", "margin", "m", options_.margin, 0, 1),
                                    "contacts are known from this separation on; starts the scene anew"));
    parameters_.push_back(with_help(
        Parameter::choice("integrator", "integrator", {"semi_implicit_euler", "explicit_euler", "runge_kutta4"},
                          static_cast<std::size_t>(options_.integrator)),
        "of bodies that nothing touches; starts the scene anew"));
    parameters_.push_back(
        with_help(Parameter::toggle("continuous_detection", "continuous detection", options_.continuous),
                  "off: fast bodies go through thin ones; starts the scene anew"));
    parameters_.push_back(with_help(Parameter::toggle("resolution", "resolution", true),
                                    "off: contacts are found, but nothing pushes and nothing falls"));
  }
  parameters_.push_back(with_help(Parameter::toggle("pull_to_middle", "pull to the middle", false),
                                  "all bodies towards one point, until they cluster"));
  parameters_.push_back(Parameter::action("restart", "start anew"));

  parameters_.push_back(Parameter::toggle("drawing", "draw bodies", true));
  parameters_.push_back(Parameter::choice("color", "colour by", {"kind", "touching", "speed", "sleep"}, 1));
  parameters_.push_back(Parameter::toggle("contacts", "draw contacts", true));
  if (live_->has_joints()) parameters_.push_back(Parameter::toggle("joints", "draw joints", true));
  parameters_.push_back(
      with_help(Parameter::choice("view", "inside", std::vector<std::string>(kInsideViews.begin(), kInsideViews.end())),
                "what is inside of the broad phase"));
  parameters_.push_back(
      with_help(Parameter::whole("level", "level of the tree", -1, -1, 40), "-1: all, or the leaves"));
  parameters_.push_back(with_help(Parameter::toggle("check", "check the pairs", true), "against brute force"));

  const std::vector<std::string> racers = algorithm_names(true);
  parameters_.push_back(
      with_help(Parameter::toggle("race", "race", false), "two to four algorithms on the same frames"));
  constexpr std::string_view kFirstRacers[4] = {"adaptive", "columns", "sap", "dynamic_tree"};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string name = std::string("race_") + static_cast<char>('a' + i);
    parameters_.push_back(
        Parameter::choice(name, "contestant " + std::to_string(i + 1), racers, place_in(racers, kFirstRacers[i])));
  }
  const std::string scene(spec_.scene().name);
  parameters_.push_back(Parameter::text("case_path", "case file", "case_" + scene + ".npy"));
  parameters_.push_back(with_help(Parameter::action("save_case", "save the case"), "for sudar pairs"));
  parameters_.push_back(Parameter::text("csv_path", "CSV file", "lab_" + scene + ".csv"));
  parameters_.push_back(Parameter::action("save_csv", "save the graphs"));
  parameters_.push_back(Parameter::text("recording_path", "recording", "lab_" + scene + ".rec"));
  parameters_.push_back(
      with_help(Parameter::toggle("record", "record", false), "starts the scene anew; off writes the file"));
  parameters_.push_back(with_help(Parameter::action("replay", "replay"), "starts anew as the file says, and compares"));

  // What was set before stays, but for what the scene, the algorithm and the options say themselves
  for (Parameter& parameter : parameters_) {
    const bool lasting = parameter.name == "threads" || parameter.name == "instruction_set" ||
                         parameter.name == "resolution" || parameter.name == "pull_to_middle" ||
                         parameter.name == "drawing" || parameter.name == "color" || parameter.name == "contacts" ||
                         parameter.name == "joints" || parameter.name == "view" || parameter.name == "level" ||
                         parameter.name == "check" || parameter.name.starts_with("race") ||
                         parameter.name.ends_with("_path") || parameter.name == "record";
    if (!lasting) continue;
    for (const Parameter& old : before)
      if (old.name == parameter.name) parameter.value = old.value, parameter.content = old.content;
  }
}

template <int D>
Result<void> LiveExhibit<D>::set(std::size_t index) {
  if (index >= parameters_.size()) return Error{ErrorCode::index_out_of_range, index, "no such parameter"};
  return guarded([&]() -> Result<void> {
    const std::string name = parameters_[index].name;
    const double value_now = parameters_[index].value;
    for (const scenes::SceneParameter& p : spec_.parameters())
      if (p.key == name) return set_scene(name, value_now);
    if (parameters_[index].kind == Parameter::Kind::action) return act(name);
    if (name == "algorithm") return set_algorithm(std::string(parameters_[index].chosen()));
    if (name == "threads") return set_threads(static_cast<unsigned>(value_now));
    if (name == "instruction_set") {
      // The first choice is the best one, which no number is
      const std::size_t sets = instruction_sets().size();
      hold_to_instruction_set(parameters_[index].index() == 0 ? sets : parameters_[index].index() - 1);
      return {};
    }
    if (name == "dt") {
      dt_ = value_now;
      return {};
    }
    if (name == "substeps" || name == "margin" || name == "integrator" || name == "continuous_detection") {
      const LiveOptions old = options_;
      options_.substeps = static_cast<int>(value("substeps"));
      options_.margin = value("margin");
      options_.integrator = static_cast<int>(value("integrator"));
      options_.continuous = value("continuous_detection") != 0;
      if (const auto started = restart(); !started) {
        options_ = old;
        return started;
      }
      return {};
    }
    if (name == "resolution") {
      pending_.push_back({LiveInputKind::resolution, 0, {}, {}, value_now});
      return {};
    }
    if (name == "view" || name == "level") {
      look_inside_now();
      return {};
    }
    if (name == "check") {
      check_.forget();
      return {};
    }
    if (name.starts_with("race")) return set_race();
    if (name == "record") return act(value_now != 0 ? "start_recording" : "save_recording");
    // What is left and has a number is the broad phase's
    if (live_->broadphase() != nullptr)
      for (const sudar::Parameter& p : live_->broadphase()->parameters())
        if (name == p.name || name == "bp_" + std::string(p.name)) return live_->set_parameter(p.name, value_now);
    return {};
  });
}

template <int D>
Result<void> LiveExhibit<D>::set_scene(std::string_view key, double wanted) {
  const scenes::Spec old = spec_;
  if (const auto set = spec_.set(key, wanted); !set) return set;
  if (const auto started = restart(); !started) {
    spec_ = old;
    return started;
  }
  list_parameters();
  return {};
}

// On the living scene; what began and ended is told by the scene, so no event is missed
template <int D>
Result<void> LiveExhibit<D>::set_algorithm(const std::string& name) {
  using Clock = std::chrono::steady_clock;
  if (stage_ > 0) finish_stages();
  const bool had_none = options_.algorithm == kNoAlgorithm;
  const auto start = Clock::now();
  if (const auto set = live_->set_algorithm(name); !set) return set;
  swap_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  swapped_ = true;
  options_.algorithm = name;
  const bool has_none = name == kNoAlgorithm;
  if (had_none != has_none) pending_.push_back({LiveInputKind::detection, 0, {}, {}, has_none ? 0.0 : 1.0});
  adaptive_.clear();
  list_parameters();
  return {};
}

template <int D>
Result<void> LiveExhibit<D>::set_race() {
  if (value("race") == 0) {
    race_.stop();
    return {};
  }
  std::vector<std::string> names;
  for (const char* slot : {"race_a", "race_b", "race_c", "race_d"}) {
    const Parameter* parameter = find(slot);
    if (parameter == nullptr || parameter->chosen() == kNoAlgorithm) continue;
    if (std::find(names.begin(), names.end(), parameter->chosen()) == names.end()) names.push_back(parameter->chosen());
  }
  return race_.enter(names, *executor_);
}

template <int D>
Result<void> LiveExhibit<D>::set_threads(unsigned threads) {
  auto executor = make_executor(threads);
  if (const auto set = live_->set_executor(*executor); !set) return set;
  options_.executor = executor.get();
  // The race holds on to the old one
  race_.stop();
  executor_ = std::move(executor);
  return value("race") != 0 ? set_race() : Result<void>{};
}

template <int D>
Result<void> LiveExhibit<D>::write_text(const std::string& path, const std::string& content) {
  if (const auto written = write_whole_file(path, content); !written) return written;
  say("written: " + path);
  return {};
}

template <int D>
Result<void> LiveExhibit<D>::act(std::string_view action) {
  if (action == "restart") {
    if (const auto started = restart(); !started) return started;
    list_parameters();
    return {};
  }
  if (action == "save_case") {
    const std::string& path = text("case_path");
    if (const auto saved = save_case(live_->boxes(), path); !saved) return saved;
    say("written: " + path + ". Run: " + as_query());
    return {};
  }
  if (action == "save_csv") {
    const auto written = write_text(text("csv_path"), graphs_.csv());
    if (!written || !race_.running()) return written;
    return write_text(text("csv_path") + ".race.csv", race_.csv());
  }
  if (action == "start_recording") {
    if (const auto started = restart(); !started) return started;
    recording_.emplace();
    recording_->scene = spec_.text();
    recording_->options = options_;
    recording_->options.executor = nullptr;
    recording_->dt = dt_;
    return {};
  }
  if (action == "save_recording") {
    if (!recording_) return {};
    if (const auto written = write_recording(*recording_, text("recording_path")); !written) return written;
    say("written: " + text("recording_path") + ", " + std::to_string(recording_->steps) + " steps");
    recording_.reset();
    return {};
  }
  if (action == "replay") return start_replay();
  return Error{ErrorCode::unknown_id, Error::kNoElement, "no such action"};
}

template <int D>
Result<void> LiveExhibit<D>::start_replay() {
  auto read = read_recording<D>(text("recording_path"));
  if (!read) return read.error();
  const auto spec = scenes::parse(read->scene);
  if (!spec) return spec.error();
  if (spec->scene().name != spec_.scene().name)
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "the recording is of another scene"};
  const scenes::Spec old_spec = spec_;
  const LiveOptions old_options = options_;
  spec_ = *spec;
  options_ = read->options;
  options_.executor = executor_.get();
  if (const auto started = restart(); !started) {
    spec_ = old_spec;
    options_ = old_options;
    return started;
  }
  dt_ = read->dt;
  replay_.emplace(*std::move(read));
  list_parameters();
  return {};
}

template <int D>
std::string LiveExhibit<D>::as_query() const {
  std::string algorithm(live_->broadphase() != nullptr ? live_->broadphase()->name() : "adaptive");
  return case_command(live_->boxes(), text("case_path"), algorithm);
}

template void LiveExhibit<2>::list_parameters();
template void LiveExhibit<3>::list_parameters();
template double LiveExhibit<2>::value(std::string_view) const;
template double LiveExhibit<3>::value(std::string_view) const;
template Result<void> LiveExhibit<2>::set(std::size_t);
template Result<void> LiveExhibit<3>::set(std::size_t);
template std::string LiveExhibit<2>::as_query() const;
template std::string LiveExhibit<3>::as_query() const;

}  // namespace sudar::lab
