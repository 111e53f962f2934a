// What:    `sudar sim`: a scene by name or from a file is run for a number of steps; states, metrics and a hash come out.
// Differs: Worlds of bodies step with their contacts; scenes of boxes move by themselves and go through the broad phase.
//          The hash is the same for every broad phase and thread count.
#include "cli/commands.hpp"
#include "cli/leave.hpp"
#include "cli/out_place.hpp"
#include "cli/scene_json.hpp"
#include "cli/sim_metrics.hpp"
#include "cli/sim_picture.hpp"
#include "cli/sim_recording.hpp"
#include "cli/stop_signal.hpp"
#include "cli/text.hpp"
#include "cli/world_strip.hpp"
#include <sudar/broadphase/adaptive.hpp>
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/hash.hpp>
#include <sudar/io/file_bytes.hpp>
#include <sudar/io/npy.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>
#include <mutex>

namespace sudar_cli {

namespace {

namespace scenes = sudar::scenes;

struct SimArguments {
  std::string scene, broadphase, metrics, state, screenshot, validate, record, replay, strip;
  std::uint64_t steps = 600;
  double dt = 0;  // 0: the scene's own, or 1/60
  unsigned threads = 1;
  bool hash = false, list = false;
};

// What a run leaves behind. It may be left in the middle of a step: `told` is free only while that changes nothing here.
struct SimRun {
  std::mutex told;
  std::function<void()> close;  // the files that grow with the run
  std::string scene, broadphase;
  int dim = 3;
  double dt = 0, time = 0;
  std::size_t bodies = 0;
  std::uint64_t steps = 0;
  std::optional<std::uint64_t> hash;     // of the last whole step, where that is known
  std::vector<std::uint32_t> taken_out;  // indices of bodies
  std::optional<std::string> difference;
  std::uint64_t asked = 0;  // steps; of a replay, those that the recording was asked for
  bool stopped = false;     // by a signal, before the last step
  bool recording_stopped = false;
  SimMetrics metrics;
  std::vector<double> state;
  std::size_t columns = 0;
  SimPicture picture;

  // Work that may take long, and may be left
  template <class F>
  auto apart(F&& work) {
    struct Lock {
      std::mutex& mutex;
      explicit Lock(std::mutex& of) : mutex(of) { mutex.unlock(); }
      ~Lock() { mutex.lock(); }
    };
    const Lock lock(told);
    return work();
  }
};

std::string broadphase_names() {
  std::string names;
  for (const auto& entry : sudar::broadphases()) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

template <int D>
std::string algorithm_in_use(const sudar::Broadphase<D>& broadphase) {
  if (const auto* adaptive = dynamic_cast<const sudar::Adaptive<D>*>(&broadphase))
    return "adaptive:" + std::string(adaptive->in_use());
  return std::string(broadphase.name());
}

[[noreturn]] void give_up(const sudar::Error& error, const std::string& what) {
  throw QueryError(std::string(to_string(error.code)), what + ": " + error.message());
}

std::string text_of(const std::string& path) {
  auto text = sudar::read_whole_file(path);
  if (!text) throw QueryError("io_failure", path + ": " + text.error().reason);
  if (text->empty()) throw QueryError("empty_input", path + ": the file is empty");
  return *std::move(text);
}

// What is wrong in a scene file is said with its name
template <class F>
auto in_file(const std::string& path, F&& body) {
  try {
    return body();
  } catch (const QueryError& error) {
    throw QueryError(error.code(), path + ": " + error.what());
  }
}

// Position, rotation, velocity, angular velocity of every body
void write_row(std::vector<double>& out, const sudar::Pose2d& pose, const sudar::Vec2d& velocity, double spin) {
  const double angle = sudar::arc_tangent(pose.rotation.s, pose.rotation.c);
  out.insert(out.end(), {pose.position.x, pose.position.y, angle, velocity.x, velocity.y, spin});
}
void write_row(std::vector<double>& out, const sudar::Pose3d& pose, const sudar::Vec3d& velocity,
               const sudar::Vec3d& spin) {
  const sudar::Vec3d& p = pose.position;
  const sudar::Quatd& q = pose.rotation;
  out.insert(out.end(),
             {p.x, p.y, p.z, q.w, q.x, q.y, q.z, velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z});
}

template <int D>
void take_state(const sudar::World<D>& world, SimRun& run) {
  run.columns = D == 2 ? 6 : 13;
  run.bodies = 0;
  for (std::uint32_t i = 0; i < world.bodies().size(); ++i) {
    if (!world.bodies()[i].used) continue;
    const auto id = world.id_of(i);
    write_row(run.state, world.pose(id), world.velocity(id), world.angular_velocity(id));
    ++run.bodies;
  }
}

template <int D>
sudar::WorldOptions<D> options_of(const SimArguments& arguments, const std::string& broadphase, double dt,
                                  sudar::Executor& executor) {
  sudar::WorldOptions<D> options;
  options.broadphase = broadphase;
  options.executor = &executor;
  options.hash_steps = arguments.hash;
  // A step that was asked for is taken whole
  options.max_dt = std::max(options.max_dt, dt);
  return options;
}

// What a run is made of, and what it is compared with
struct SimSource {
  std::optional<SceneFile> file;
  std::string file_text;  // of the file
  std::optional<sudar::RecordingReader> recording;
};

// `step` moves the world on; `figures` are the scene's own
template <int D, class Step, class Figures>
void run_world(const SimArguments& arguments, const std::atomic<bool>& stop, SimSource& source, sudar::World<D>& world,
               Step step, Figures figures, SimRun& run) {
  using Clock = std::chrono::steady_clock;
  SimTape<D> tape;
  if (!arguments.record.empty()) tape.record(arguments.record, {run.scene, source.file_text, run.dt, arguments.steps});
  if (source.recording) tape.replay(*source.recording);
  run.close = [&tape] { tape.finish(true); };
  constexpr std::uint64_t kPictures = 4;
  WorldStrip<D> strip;
  if (!arguments.strip.empty()) strip.add(world);
  for (std::uint64_t i = 0; i < arguments.steps; ++i) {
    if ((run.stopped = stop) || !tape.goes_on()) break;
    const auto start = Clock::now();
    if (const sudar::Result<void> done = run.apart(step); !done) give_up(done.error(), "step " + std::to_string(i));
    SimRow row;
    row.ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    ++run.steps;
    for (const auto& event : world.events())
      if (event.kind == sudar::WorldEventKind::taken_out) run.taken_out.push_back(event.a.index);
    const sudar::WorldStats& stats = world.stats();
    row.time = world.time();
    row.stages = stats.stages.stage_ms;
    row.search = world.scene().stats().search;
    row.pairs = world.scene().stats().pairs;
    row.contacts = world.scene().stats().contacts;
    row.points = world.scene().point_count();
    row.bodies = stats.bodies;
    row.awake = stats.awake;
    row.islands = stats.islands;
    row.fast_hits = stats.fast_hits;
    row.algorithm = algorithm_in_use(world.scene().broadphase());
    row.hash = stats.hash;
    run.time = row.time, run.bodies = row.bodies;
    run.hash = arguments.hash ? std::optional(row.hash) : std::nullopt;
    for (const scenes::Figure& figure : figures()) row.figures.emplace_back(figure.name, figure.value);
    run.metrics.add(std::move(row));
    if (!arguments.strip.empty() && (i + 1) * (kPictures - 1) >= strip.pictures() * arguments.steps) strip.add(world);
    if (!tape.take(world)) break;
  }
  run.close = {};
  tape.finish(run.stopped);
  run.recording_stopped = tape.ended();
  // The last state of a run that ended early
  if (!arguments.strip.empty() && run.steps < arguments.steps && run.steps > 0) strip.add(world);
  if (!arguments.strip.empty() && !strip.write(arguments.strip, run.scene))
    throw QueryError("io_failure", "cannot write " + arguments.strip);
  run.difference = tape.difference();
  run.time = world.time();
  run.hash = world.state_hash();
  take_state(world, run);
  if (!arguments.screenshot.empty()) run.picture.take<D>(world);
}

template <int D>
void run_physics(const SimArguments& arguments, const std::atomic<bool>& stop, SimSource& source,
                 const scenes::Spec& spec, sudar::Executor& executor, SimRun& run) {
  sudar::WorldOptions<D> options = options_of<D>(arguments, run.broadphase, run.dt, executor);
  if (source.file) options = file_options<D>(*source.file, options);
  auto scene = run.apart([&] { return scenes::make_physics<D>(spec, options); });
  if (!scene) give_up(scene.error(), run.scene);
  if (source.file) check_options_kept<D>(*source.file, (*scene)->world().options());
  run_world<D>(
      arguments, stop, source, (*scene)->world(), [&] { return (*scene)->step(run.dt); },
      [&] { return (*scene)->figures(); }, run);
}

template <int D>
void run_file(const SimArguments& arguments, const std::atomic<bool>& stop, SimSource& source,
              sudar::Executor& executor, SimRun& run) {
  sudar::World<D> world = in_file(arguments.scene, [&] {
    return run.apart(
        [&] { return make_world<D>(*source.file, options_of<D>(arguments, run.broadphase, run.dt, executor)); });
  });
  const auto step = [&]() -> sudar::Result<void> {
    const auto done = world.step(run.dt);
    return done ? sudar::Result<void>() : sudar::Result<void>(done.error());
  };
  run_world<D>(
      arguments, stop, source, world, step, [] { return std::vector<scenes::Figure>(); }, run);
}

// Boxes that move by themselves: the hash is over the pairs of all steps
template <int D>
void run_boxes(const SimArguments& arguments, const std::atomic<bool>& stop, const scenes::Spec& spec,
               sudar::Executor& executor, SimRun& run) {
  using Clock = std::chrono::steady_clock;
  const auto scene = run.apart([&] { return scenes::make<D>(spec); });
  if (!scene) give_up(scene.error(), run.scene);
  const auto broadphase = sudar::make_broadphase<D>(run.broadphase);
  if (!broadphase) give_up(broadphase.error(), run.broadphase);
  (*broadphase)->set_executor(executor);
  sudar::Hash64 hash;
  run.bodies = (*scene)->bodies().size();
  for (std::uint64_t i = 0; i < arguments.steps; ++i) {
    if ((run.stopped = stop)) break;
    const auto start = Clock::now();
    auto placed = start, found = start;
    const auto pairs = run.apart([&] {
      const std::string what = "step " + std::to_string(i);
      if (const auto moved = (*scene)->step(run.dt); !moved) give_up(moved.error(), what);
      placed = Clock::now();
      if (const auto updated = (*broadphase)->update((*scene)->boxes()); !updated) give_up(updated.error(), what);
      auto all = (*broadphase)->pairs((*scene)->boxes());
      if (!all) give_up(all.error(), what);
      found = Clock::now();
      return *std::move(all);
    });
    SimRow row;
    row.stages[static_cast<std::size_t>(sudar::Stage::boxes)] =
        std::chrono::duration<double, std::milli>(placed - start).count();
    row.stages[static_cast<std::size_t>(sudar::Stage::pairs)] =
        std::chrono::duration<double, std::milli>(found - placed).count();
    row.ms = std::chrono::duration<double, std::milli>(found - start).count();
    for (const sudar::IdPair& pair : pairs) hash.add(pair.lo), hash.add(pair.hi);
    run.time = row.time = (*scene)->time();
    row.search = (*broadphase)->counters();
    row.pairs = pairs.size();
    row.bodies = run.bodies;
    row.algorithm = algorithm_in_use(**broadphase);
    run.hash = row.hash = hash.value();
    run.metrics.add(std::move(row));
    ++run.steps;
  }
  run.time = (*scene)->time();
  run.hash = hash.value();
  run.columns = 3 * D;
  for (const scenes::Body<D>& body : (*scene)->bodies()) {
    for (int a = 0; a < D; ++a) run.state.push_back(body.center[a]);
    for (int a = 0; a < D; ++a) run.state.push_back(body.half[a]);
    for (int a = 0; a < D; ++a) run.state.push_back(body.velocity[a]);
  }
  if (!arguments.screenshot.empty()) run.picture.take<D>((*scene)->bodies());
}

// A name, or a file that is there
bool names_a_file(const std::string& scene) {
  std::error_code none;
  return scene.ends_with(".json") || std::filesystem::is_regular_file(scene, none);
}

void run_scene(SimArguments arguments, const std::atomic<bool>& stop, SimRun& run) {
  const std::lock_guard lock(run.told);
  const auto executor = sudar::make_executor(arguments.threads);
  run.metrics = SimMetrics(!arguments.metrics.empty());
  SimSource source;
  if (!arguments.replay.empty()) {
    source.recording = value_or_throw(sudar::RecordingReader::make(arguments.replay), arguments.replay);
    const RecordedRun recorded = run_from_text(source.recording->text());
    arguments.scene = recorded.scene;
    arguments.dt = recorded.dt;
    arguments.steps = recorded.steps;
    source.file_text = recorded.file;
  } else if (names_a_file(arguments.scene)) {
    source.file_text = text_of(arguments.scene);
  }
  run.asked = arguments.steps;
  std::string text = arguments.scene;
  if (!source.file_text.empty()) {
    source.file = in_file(arguments.scene, [&] { return read_scene_file(source.file_text); });
    text = source.file->builtin;
  }
  const std::optional<SceneFile>& file = source.file;
  run.broadphase = !arguments.broadphase.empty()          ? arguments.broadphase
                   : file && file->broadphase.has_value() ? *file->broadphase
                                                          : "adaptive";
  run.dt = arguments.dt > 0 ? arguments.dt : file && file->dt ? *file->dt : 1.0 / 60;
  if (!(run.dt > 0) || !std::isfinite(run.dt)) throw QueryError("invalid_argument", "'dt' must be positive");
  const auto entries = sudar::broadphases();
  if (std::none_of(entries.begin(), entries.end(), [&](const auto& e) { return e.name == run.broadphase; }))
    throw QueryError("unknown_id", "unknown broad phase '" + run.broadphase + "'; there are: " + broadphase_names());
  const auto with_dim = [&](int dim, auto&& in_plane, auto&& in_space) {
    run.dim = dim;
    if (source.recording && source.recording->dim() != dim)
      throw QueryError("bad_format", "the recording has another dimension than its scene");
    dim == 2 ? in_plane() : in_space();
  };
  if (file && text.empty()) {
    run.scene = arguments.scene;
    with_dim(
        file->dim, [&] { run_file<2>(arguments, stop, source, *executor, run); },
        [&] { run_file<3>(arguments, stop, source, *executor, run); });
    return;
  }
  const auto spec = scenes::parse(text);
  if (!spec) throw QueryError(std::string(to_string(spec.error().code)), scenes::explain(text, spec.error()));
  run.scene = spec->text();
  if (file && file->json.contains("dim") && file->json["dim"] != spec->dim())
    throw QueryError("bad_format", "'dim': the scene '" + text + "' has another");
  if (spec->scene().physics()) {
    with_dim(
        spec->dim(), [&] { run_physics<2>(arguments, stop, source, *spec, *executor, run); },
        [&] { run_physics<3>(arguments, stop, source, *spec, *executor, run); });
    return;
  }
  // Boxes without physics
  for (const char* key : {"gravity", "substeps", "margin", "sleeping", "continuous"})
    if (file && file->json.contains(key))
      throw QueryError("bad_format", std::string("'") + key + "': the scene '" + text + "' has no bodies");
  if (!arguments.record.empty() || source.recording || !arguments.strip.empty())
    throw QueryError("unsupported", "only worlds of bodies are recorded and drawn");
  with_dim(
      spec->dim(), [&] { run_boxes<2>(arguments, stop, *spec, *executor, run); },
      [&] { run_boxes<3>(arguments, stop, *spec, *executor, run); });
}

// Sixteen hexadecimal digits, with or without 0x
std::optional<std::uint64_t> hash_from(std::string text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text = text.substr(2);
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.empty() || status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

int print_summary(const SimArguments& arguments, const SimRun& run, std::optional<std::uint64_t> wanted) {
  nlohmann::ordered_json json;
  json["schema"] = "sudar/sim-1";
  json["scene"] = run.scene;
  json["dim"] = run.dim;
  json["steps"] = run.steps;
  if (run.stopped) json["stopped"] = true;
  if (run.recording_stopped) json["recording_stopped"] = true;
  json["dt"] = run.dt;
  json["time"] = run.time;
  json["bodies"] = run.bodies;
  json["taken_out"] = run.taken_out.size();
  if (!run.taken_out.empty()) json["taken_out_bodies"] = run.taken_out;
  json["complete"] = run.taken_out.empty() && !run.stopped;
  json["broadphase"] = run.broadphase;
  json["threads"] = arguments.threads;
  run.metrics.summarize(json);
  if (run.hash) json["hash"] = hex(*run.hash);
  if (wanted && run.hash) json["valid"] = *wanted == *run.hash;
  if (!arguments.replay.empty()) json["differs"] = run.difference ? nlohmann::ordered_json(*run.difference) : nullptr;
  std::cout << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  if (run.stopped) {
    std::cerr << "sudar sim: stopped after " << run.steps << " of " << run.asked << " steps\n";
    return kPartial;
  }
  if (run.difference) {
    std::cerr << "sudar sim: " << *run.difference << '\n';
    return kFound;
  }
  if (wanted && *wanted != *run.hash) {
    std::cerr << "sudar sim: the hash is " << hex(*run.hash) << ", not " << hex(*wanted) << '\n';
    return kFound;
  }
  if (run.taken_out.empty()) return kDone;
  std::cerr << "sudar sim: " << run.taken_out.size()
            << " bodies were taken out: their states were not finite, or too far\n";
  return kPartial;
}

int write_and_tell(const SimArguments& arguments, const SimRun& run, std::optional<std::uint64_t> wanted) {
  // One that finds no place takes nothing from the others
  std::vector<std::string> unwritten;
  if (!arguments.metrics.empty() && !run.metrics.write(arguments.metrics, run.scene))
    unwritten.push_back("cannot write " + arguments.metrics);
  if (!arguments.state.empty()) {
    const std::size_t shape[] = {run.bodies, run.columns};
    if (!sudar::write_npy(arguments.state, run.state, shape)) unwritten.push_back("cannot write " + arguments.state);
  }
  std::string why_not;
  if (!arguments.screenshot.empty() && !run.picture.write(arguments.screenshot, why_not))
    unwritten.push_back("--screenshot: " + why_not);
  const int exit_code = print_summary(arguments, run, wanted);
  for (const std::string& line : unwritten) refuse("sim", line);
  return unwritten.empty() ? exit_code : kBadInput;
}

// Of a run that is left in the middle of a step: the steps before it. The state is not that of a step, and is not written.
int tell_left(const SimArguments& arguments, SimRun& run) {
  run.stopped = true;
  const bool metrics = arguments.metrics.empty() || run.metrics.write(arguments.metrics, run.scene);
  if (run.close) run.close();
  const int exit_code = print_summary(arguments, run, std::nullopt);
  for (const std::string* place : {&arguments.state, &arguments.screenshot, &arguments.strip})
    if (!place->empty()) std::cerr << "sudar sim: " << *place << " is not written: a step had not ended\n";
  return metrics ? exit_code : refuse("sim", "cannot write " + arguments.metrics);
}

int run_sim_command(const SimArguments& arguments) {
  if (arguments.list) {
    for (const auto list : {scenes::all(), scenes::physics_scenes()})
      for (const scenes::SceneEntry& entry : list)
        std::cout << entry.name << "  " << entry.what.substr(0, entry.what.find(". ")) << '\n';
    return kDone;
  }
  if (arguments.scene.empty() == arguments.replay.empty())
    return refuse("sim", arguments.scene.empty() ? "no scene is given (see sudar sim --help)"
                                                 : "--replay has its scene in its file: no other can be given");
  if (!arguments.screenshot.empty() && !SimPicture::available())
    return refuse("sim", "--screenshot: this build makes no pictures, because it has no lab");
  if (!arguments.screenshot.empty() && !arguments.screenshot.ends_with(".png"))
    return refuse("sim", "the name after --screenshot must end in .png");
  if (!arguments.metrics.empty() && !arguments.metrics.ends_with(".csv") && !arguments.metrics.ends_with(".json"))
    return refuse("sim", "the name after --metrics must end in .csv or .json");
  if (!arguments.state.empty() && !arguments.state.ends_with(".npy"))
    return refuse("sim", "the name after --state must end in .npy");
  if (!arguments.strip.empty() && !arguments.strip.ends_with(".svg"))
    return refuse("sim", "the name after --strip must end in .svg");
  std::optional<std::uint64_t> wanted;
  if (!arguments.validate.empty()) {
    wanted = hash_from(arguments.validate);
    if (!wanted) return refuse("sim", "--validate-hash: '" + arguments.validate + "' is no hash");
  }
  // A long run is not lost to a place that cannot be written
  if (const std::string fault = fault_of_places(
          {arguments.metrics, arguments.state, arguments.screenshot, arguments.strip, arguments.record});
      !fault.empty())
    return refuse("sim", fault);
  try {
    SimRun run;
    std::optional<StopSignal> stop(std::in_place);
    const bool left = !run_or_leave([&] { run_scene(arguments, stop->flag(), run); }, stop->flag(),
                                    [&] { return run.told.try_lock(); });
    if (left) leave_process(tell_left(arguments, run));
    stop.reset();
    return write_and_tell(arguments, run, wanted);
  } catch (const QueryError& error) {
    return refuse("sim", error.what());
  } catch (const std::bad_alloc&) {
    return refuse("sim", "memory is exhausted");
  }
}

}  // namespace

void add_sim(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<SimArguments>();
  CLI::App* sim = app.add_subcommand("sim", "Run a scene: states, metrics and a hash");
  sim->add_option("scene", arguments->scene,
                  "A scene by name with parameters, 'pyramid rows=10', or a scene file (JSON, sudar/scene-1)");
  sim->add_option("--steps", arguments->steps, "Number of steps")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1000000000}))
      ->capture_default_str();
  sim->add_option("--dt", arguments->dt, "Seconds a step (1/60 when the scene does not say)")
      ->check([](const std::string& text) -> std::string {
        double seconds = 0;
        if (CLI::detail::lexical_cast(text, seconds) && seconds > 0 && std::isfinite(seconds)) return {};
        return "'" + text + "' is no number of seconds above zero";
      });
  sim->add_option("--broadphase", arguments->broadphase, "One of: " + broadphase_names());
  sim->add_option("--threads", arguments->threads, "Threads to use")
      ->check(CLI::Range(1u, 1024u))
      ->capture_default_str();
  sim->add_option("--metrics", arguments->metrics, "Write one row a step to this .csv or .json");
  sim->add_option("--state", arguments->state, "Write the bodies at the end to this .npy");
  sim->add_option("--screenshot", arguments->screenshot, "Write a picture of the end to this .png");
  sim->add_flag("--hash", arguments->hash, "Hash every step; the metrics have them");
  sim->add_option("--validate-hash", arguments->validate, "Exit code 1 unless the hash at the end is this one");
  sim->add_option("--record", arguments->record, "Write the state after every step to this file, for --replay");
  sim->add_option(
      "--replay", arguments->replay,
      "Run what this file recorded once more and compare: exit code 1 and the step, body and field that first "
      "differ");
  sim->add_option("--strip", arguments->strip,
                  "Draw the world at four times, from the start to the end, into this .svg");
  sim->add_flag("--list", arguments->list, "Print the scenes, a name first on each line");
  sim->footer(
      "stdout has one line of JSON with times, counts and the hash at the end. Rows of the state: position, rotation\n"
      "(3D: w x y z; 2D: an angle), velocity, angular velocity of each body; of scenes of boxes: centre, half size, "
      "velocity.\n"
      "Examples:\n  sudar sim pyramid\n  sudar sim 'pile n=1000' --steps 600 --metrics m.csv --state s.npy\n"
      "  sudar sim 'domino n=20' --record d.rec && sudar sim --replay d.rec --threads 2\n"
      "  sudar sim 'cluster n=10000 speed=0.2 seed=7' --broadphase sap\n  sudar sim scene.json --validate-hash "
      "0123456789abcdef");
  sim->callback([arguments, &exit_code] { exit_code = run_sim_command(*arguments); });
}

}  // namespace sudar_cli
