// What the lab reads: recordings of living scenes, which are replayed as it replays them, its settings, results of
// benchmarks, lines of sudar query, and scripts of boxes, which it plays. Which of them the first bytes say. Whatever they
// are, they are taken or refused with a reason, and what is written again is the same.
#include "lab/box_script.hpp"
#include "lab/live_recording.hpp"
#include "lab/query_case.hpp"
#include "lab/query_line.hpp"
#include "lab/results_file.hpp"
#include "lab/script_play.hpp"
#include "lab/settings.hpp"
#include "tests/fuzz/one_file.hpp"
#include <sudar/broadphase/registry.hpp>

#include <filesystem>
#include <span>
#include <utility>

namespace sudar_fuzz {

namespace {

namespace lab = sudar::lab;

// A recording may be of any scene: only small ones are made, and not for long
constexpr std::uint64_t kMostReplayed = 4;
constexpr double kMostOfScene = 30;
constexpr std::size_t kMostOfStore = 900;
constexpr lab::ScriptLimits kSmallScripts = {.boxes = 900, .kept = 20000, .compared = 1e6, .work = 1e7};
constexpr int kMostSubsteps = 8;

bool is_small(const sudar::scenes::Spec& spec) {
  for (const sudar::scenes::SceneParameter& parameter : spec.parameters())
    if (parameter.whole && parameter.key != "seed" && parameter.value > kMostOfScene) return false;
  return true;
}

template <int D>
void replay_recording(const lab::LiveRecording<D>& recording) {
  const auto spec = sudar::scenes::parse(recording.scene);
  if (!spec) {
    promise(!sudar::scenes::explain(recording.scene, spec.error()).empty(), "an error says why");
    return;
  }
  if (!is_small(*spec) || recording.options.substeps > kMostSubsteps) return;
  const auto live = lab::make_live<D>(*spec, recording.options);
  if (!live) {
    promise(*live.error().reason != '\0', "an error says why");
    return;
  }
  lab::LiveReplay<D> replay(recording);
  while (!replay.done(**live) && (*live)->steps() < kMostReplayed) {
    const auto done = (*live)->step(recording.dt, replay.inputs_of((*live)->steps()));
    if (!done) {
      promise(*done.error().reason != '\0', "an error says why");
      return;
    }
    replay.compare(**live);
  }
}

template <int D>
void look_at_recording(std::string_view text) {
  const auto recording = lab::parse_recording<D>(text);
  if (!recording) {
    promise(*recording.error().reason != '\0', "an error says why");
    return;
  }
  promise(recording->inputs.size() + recording->prints.size() <= text.size(), "lines are backed by bytes");
  const auto again = lab::parse_recording<D>(recording->text());
  promise(again.ok() && again->text() == recording->text(), "what is written is read as the same");
  replay_recording(*recording);
}

void look_at_settings(const std::string& path) {
  lab::Settings settings, again;
  std::string told;
  if (lab::read_settings(path, settings, told) != lab::SettingsFile::read) {
    promise(!told.empty() && settings == again, "what cannot be read is told, and changes nothing");
    std::filesystem::remove(path + ".broken");
    return;
  }
  promise(lab::write_settings(path, settings, told), "settings can be written");
  promise(lab::read_settings(path, again, told) == lab::SettingsFile::read && again == settings,
          "what is written is read as the same");
}

void look_at_results(const std::string& path, std::size_t bytes) {
  const auto results = lab::read_results(path);
  if (!results) {
    promise(*results.error().reason != '\0', "an error says why");
    return;
  }
  for (const lab::Table& table : results->tables) {
    promise(!table.rows.empty() && table.rows.size() <= bytes, "rows are backed by bytes");
    for (const auto& row : table.rows) promise(row.size() == table.columns.size(), "every row has every column");
    promise(lab::race_of(table).size() <= table.rows.size(), "a row is one bar at most");
    for (const lab::PlotSeries& curve : lab::plot_of(table).series)
      promise(curve.x.size() == curve.y.size(), "every point has both numbers");
  }
}

// What is read of a motion is read again when it is written
void look_at_motion(const std::string& text) {
  std::string why_not;
  const auto line = [](const auto& given, int dim, const auto& a, const auto& b) {
    return lab::query_line("toi", dim,
                           "\"a\":" + lab::body_text(given.pair.a, a) + ",\"b\":" + lab::body_text(given.pair.b, b) +
                               ",\"motion_a\":" + lab::json_text(given.motion_a) + ",\"motion_b\":" +
                               lab::json_text(given.motion_b) + ",\"t_max\":" + lab::json_text(given.t_max));
  };
  if (const auto given = lab::read_motion_case2(text, why_not))
    promise(lab::read_motion_case2(line(*given, 2, given->pair.at_a, given->pair.at_b), why_not).has_value(),
            "what is written of a motion in the plane is read");
  else
    promise(!why_not.empty(), "an error says why");
  why_not.clear();
  if (const auto given = lab::read_motion_case3(text, why_not))
    promise(lab::read_motion_case3(line(*given, 3, given->pair.pose_a, given->pair.pose_b), why_not).has_value(),
            "what is written of a motion in space is read");
  else
    promise(!why_not.empty(), "an error says why");
}

// The same of rays and of points that move
void look_at_rays_and_points(const std::string& text) {
  std::string why_not;
  const auto ray = [](const auto& given, int dim, const auto& at) {
    return lab::query_line("ray", dim,
                           "\"a\":" + lab::body_text(given.shape, at) +
                               ",\"origin\":" + lab::json_text(given.ray.origin) +
                               ",\"direction\":" + lab::json_text(given.ray.direction));
  };
  const auto points = [](const char* op, int dim, const auto& given) {
    return lab::query_line(
        op, dim,
        "\"t0\":" + lab::json_text(std::span(given.start)) + ",\"t1\":" + lab::json_text(std::span(given.end)));
  };
  if (const auto given = lab::read_ray_case2(text, why_not))
    promise(lab::read_ray_case2(ray(*given, 2, given->at), why_not).has_value(), "a written ray of the plane is read");
  else
    promise(!std::exchange(why_not, "").empty(), "an error says why");
  if (const auto given = lab::read_ray_case3(text, why_not))
    promise(lab::read_ray_case3(ray(*given, 3, given->pose), why_not).has_value(), "a written ray of space is read");
  else
    promise(!std::exchange(why_not, "").empty(), "an error says why");
  if (const auto given = lab::read_point_edge_case(text, why_not)) {
    const auto again = lab::read_point_edge_case(points("ccd_point_edge", 2, *given), why_not);
    promise(again && again->start == given->start && again->end == given->end, "written points are read as the same");
  } else {
    promise(!std::exchange(why_not, "").empty(), "an error says why");
  }
  for (const bool edges : {false, true}) {
    if (const auto given = lab::read_points_case(text, edges, why_not)) {
      const char* const op = edges ? "ccd_edge_edge" : "ccd_vertex_face";
      const auto again = lab::read_points_case(points(op, 3, *given), edges, why_not);
      promise(again && again->start == given->start && again->end == given->end, "written points are read as the same");
    } else {
      promise(!std::exchange(why_not, "").empty(), "an error says why");
    }
  }
}

// A store can follow whatever is read, and does what it should; so does a broad phase, in a picture that is finite
template <int D>
void look_at_play(const lab::BoxScript<D>& script) {
  const auto algorithms = sudar::broadphases();
  auto algorithm = sudar::make_broadphase<D>(algorithms[script.size() % algorithms.size()].name);
  promise(algorithm.ok(), "what is in the list can be made");
  const auto play =
      lab::make_script_play<D>(script, std::move(*algorithm), lab::ScriptPlaces::automatic, kSmallScripts);
  promise(play->lines() > 0 || script.empty(), "a script has lines");
  for (std::size_t i = 0; i < play->lines(); ++i) promise(!play->found(i).wrong, "the plain search says the same");
  lab::DrawList list;
  play->draw(list, play->lines());
  promise(is_finite(list.bounds().lo) && is_finite(list.bounds().hi), "a picture of a script is finite");
}

template <int D>
void look_at_script(std::string_view text) {
  std::string why_not;
  const auto script = lab::parse_script<D>(text, why_not);
  if (!script) {
    promise(!why_not.empty(), "an error says why");
    return;
  }
  const std::string written = lab::print_script(*script);
  const auto again = lab::parse_script<D>(written, why_not);
  promise(again && lab::print_script(*again) == written, "what is written of a script is read as the same");
  look_at_play(*script);
  sudar::BoxStore<D> store;
  for (const lab::BoxLine<D>& line : *script) {
    if (store.size() > kMostOfStore) return;
    const lab::ScriptedChange change = lab::follow_change(store, line);
    promise(change.done == change.good, "a store takes boxes and refuses what is none");
    for (const std::uint32_t id : change.born) promise(store.contains(id), "what was made is there");
  }
}

// What was pasted can be copied and pasted again
void look_at_case(const std::string& text) {
  std::string why_not;
  if (const auto pair = lab::read_case2(text, why_not)) {
    const std::string again = lab::query_text("distance", pair->a, pair->at_a, pair->b, pair->at_b);
    promise(lab::read_case2(again, why_not).has_value(), "what is written of the plane is read");
  } else {
    promise(!why_not.empty(), "an error says why");
  }
  why_not.clear();
  if (const auto pair = lab::read_case3(text, why_not)) {
    const std::string again = lab::query_text("distance", pair->a, pair->pose_a, pair->b, pair->pose_b);
    promise(lab::read_case3(again, why_not).has_value(), "what is written of space is read");
  } else {
    promise(!why_not.empty(), "an error says why");
  }
  look_at_motion(text);
  look_at_rays_and_points(text);
}

}  // namespace

void fuzz_lab_files(FuzzBytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool is_json = text.starts_with('{'), is_settings = text.starts_with("sudar/lab-1");
  if (is_json || is_settings) {
    if (!kStreamsAreSeen) return;
    static const OneFile kFile("lab");
    is_json ? look_at_results(kFile.holding(bytes), bytes.size()) : look_at_settings(kFile.holding(bytes));
    if (is_json && (text.find("\"shape\"") != text.npos || text.find("\"t0\"") != text.npos))
      look_at_case(std::string(text));
    return;
  }
  if (const int dim = lab::script_dimension(text); dim != 0) {
    dim == 2 ? look_at_script<2>(text) : look_at_script<3>(text);
    return;
  }
  const auto dimension = lab::recorded_dimension(text);
  if (dimension) *dimension == 2 ? look_at_recording<2>(text) : look_at_recording<3>(text);
}

}  // namespace sudar_fuzz
