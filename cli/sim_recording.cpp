#include "cli/sim_recording.hpp"

#include "cli/json_text.hpp"

#include <cmath>

namespace sudar_cli {

std::string to_text(const RecordedRun& run) {
  nlohmann::ordered_json json;
  json["schema"] = "sudar/recording-1";
  json["scene"] = run.scene;
  if (!run.file.empty()) json["file"] = run.file;
  json["dt"] = run.dt;
  json["steps"] = run.steps;
  // A path is any bytes
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

RecordedRun run_from_text(const std::string& text) {
  if (const auto fault = fault_of_json(text)) throw QueryError(fault->code, fault->message);
  RecordedRun run;
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    if (json.at("schema") != "sudar/recording-1") throw QueryError("bad_format", "a recording of another kind");
    run.scene = json.at("scene").get<std::string>();
    run.file = json.value("file", "");
    run.dt = json.at("dt").get<double>();
    if (!json.at("steps").is_number_unsigned()) throw QueryError("bad_format", "the recording has no number of steps");
    run.steps = json["steps"].get<std::uint64_t>();
  } catch (const nlohmann::json::exception&) {
    throw QueryError("bad_format", "the recording does not say how it was made");
  }
  if (!(run.dt > 0) || !std::isfinite(run.dt)) throw QueryError("bad_format", "the recording has no step");
  return run;
}

template <int D>
void SimTape<D>::cannot_write(const sudar::Error& error) const {
  throw QueryError(std::string(to_string(error.code)), "cannot write " + path_ + ": " + error.message());
}

template <int D>
void SimTape<D>::record(const std::string& path, const RecordedRun& run) {
  path_ = path;
  auto made = sudar::RecordingWriter<D>::make(path, to_text(run));
  if (!made) cannot_write(made.error());
  writer_ = *std::move(made);
}

template <int D>
bool SimTape<D>::goes_on() {
  ended_ = reader_ != nullptr && !value_or_throw(reader_->template next<D>(step_), "the recording");
  return !ended_;
}

template <int D>
bool SimTape<D>::take(const sudar::World<D>& world) {
  if (writer_)
    if (const auto added = writer_->add(world); !added) cannot_write(added.error());
  if (reader_ == nullptr) return true;
  const std::size_t step = steps_++;
  // The states themselves: a hash does not tell that one of them was changed in the file
  if (const auto found = sudar::first_difference<D>(step, step_.bodies, sudar::recorded_bodies(world)))
    difference_ = found->message();
  else if (step_.hash != world.state_hash())
    difference_ = sudar::Divergence{step, std::nullopt, sudar::BodyField::presence}.message() + ", hash";
  return !difference_;
}

template <int D>
void SimTape<D>::finish(bool stopped) {
  if (writer_)
    if (const auto done = writer_->finish(); !done) cannot_write(done.error());
  if (reader_ == nullptr || stopped || ended_ || difference_) return;
  if (value_or_throw(reader_->template next<D>(step_), "the recording"))
    throw QueryError("bad_format", "the recording has more steps than it says");
}

template class SimTape<2>;
template class SimTape<3>;

}  // namespace sudar_cli
