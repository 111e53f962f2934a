#include "lab/desk.hpp"

#include "lab/query_file.hpp"
#include <sudar/io/file_bytes.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <sstream>

namespace sudar::lab {

namespace {

constexpr double kStepsPerSecond = 2.5;  // of a stepped exhibit at speed 1
constexpr double kLongestFrame = 1.0 / 30;
constexpr double kMessageSeconds = 4;
constexpr double kOneFrame = 1.0 / 60;

double ms_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

std::string free_name(const std::string& stem, const std::string& ending) {
  for (int i = 1;; ++i) {
    const std::string name = stem + "-" + std::to_string(i) + ending;
    std::error_code none;
    if (!std::filesystem::exists(name, none)) return name;
  }
}

}  // namespace

bool Desk::open(std::string_view text, std::string& why_not) {
  std::unique_ptr<Exhibit> made = lab::open(text, why_not);
  if (made == nullptr) return false;
  exhibit_ = std::move(made);
  opened_ = std::string(text);
  entry_ = entry_of(text);
  settings.exhibit = opened_;
  recorder_.reset();
  waiting_ = time_ = 0;
  at_home_ = false;
  // An algorithm begins at its first step and waits; a living scene lives
  playing_ = exhibit_->steps() == 0;
  if (exhibit_->steps() > 0) exhibit_->go_to(0);
  refresh();
  // The view's shape depends on what is told; the first frame frames it once more
  at_home_ = false;
  return true;
}

void Desk::restart() {
  std::string why_not;
  const Camera before = camera;
  const bool ran = playing_;
  if (!has_exhibit()) return;
  if (!open(opened_, why_not)) return say(why_not);
  camera = before;
  at_home_ = true;
  playing_ = ran && !stepped();
}

std::string Desk::text() {
  if (!has_exhibit() || entry_ == nullptr) return {};
  std::string text(entry_->name);
  char separator = ':';
  for (const Parameter& parameter : exhibit_->parameters()) {
    if (parameter.kind == Parameter::Kind::action || parameter.kind == Parameter::Kind::text) continue;
    text += separator + parameter.name + '=' + text_of(parameter);
    separator = ',';
  }
  return text;
}

void Desk::refresh() {
  auto start = std::chrono::steady_clock::now();
  list.clear();
  exhibit_->draw(list);
  times.draw = ms_since(start);
  start = std::chrono::steady_clock::now();
  panel.clear();
  exhibit_->tell(panel);
  times.tell = ms_since(start);
  if (!at_home_) go_home(aspect);
}

void Desk::frame(double seconds) {
  message_left_ -= seconds;
  if (message_left_ <= 0) message_.clear();
  if (!has_exhibit()) return;
  ++frames;
  const double passed = std::min(seconds, kLongestFrame);
  times.advance = 0;
  if (playing_ && exhibit_->steps() > 0) {
    waiting_ += passed * kStepsPerSecond * settings.speed;
    const std::size_t last = exhibit_->steps() - 1, at = exhibit_->step();
    if (waiting_ >= 1) {
      exhibit_->go_to(std::min(last, at + static_cast<std::size_t>(waiting_)));
      waiting_ -= std::floor(waiting_);
    }
    if (exhibit_->step() >= last) play(false);
  } else if (playing_) {
    const auto start = std::chrono::steady_clock::now();
    exhibit_->advance(passed * settings.speed);
    times.advance = ms_since(start);
    time_ += passed * settings.speed;
  }
  refresh();
  if (recorder_) recorder_->add(panel, time_);
}

void Desk::play(bool on) {
  if (on && stepped() && exhibit_->step() + 1 >= exhibit_->steps()) exhibit_->go_to(0);
  playing_ = on;
  waiting_ = 0;
}

void Desk::step(long by) {
  if (!has_exhibit() || by == 0) return;
  playing_ = false;
  if (exhibit_->steps() > 0) {
    const long last = static_cast<long>(exhibit_->steps()) - 1;
    return exhibit_->go_to(static_cast<std::size_t>(std::clamp(static_cast<long>(exhibit_->step()) + by, 0l, last)));
  }
  const History history = exhibit_->history();
  if (by > 0) {
    // Forwards through what is remembered, then anew
    if (history.current + 1 < history.frames) return exhibit_->recall(history.current + 1);
    time_ += kOneFrame;
    return exhibit_->advance(kOneFrame);
  }
  if (history.frames == 0) return say("this exhibit remembers no frames to go back to");
  if (history.current == 0) return say("this is the oldest frame that is remembered");
  exhibit_->recall(history.current - 1);
}

void Desk::go_to(std::size_t step) {
  if (!has_exhibit()) return;
  playing_ = false;
  if (exhibit_->steps() > 0)
    exhibit_->go_to(std::min(step, exhibit_->steps() - 1));
  else if (const History history = exhibit_->history(); history.frames > 0)
    exhibit_->recall(std::min(step, history.frames - 1));
}

void Desk::stage() {
  if (!has_exhibit()) return;
  playing_ = false;
  if (!exhibit_->advance_stage()) say("this exhibit has no stages; a whole step is →");
}

std::size_t Desk::position() {
  if (!has_exhibit()) return 0;
  return exhibit_->steps() > 0 ? exhibit_->step() : exhibit_->history().current;
}

std::size_t Desk::positions() {
  if (!has_exhibit()) return 0;
  return exhibit_->steps() > 0 ? exhibit_->steps() : exhibit_->history().frames;
}

void Desk::set(std::size_t parameter) {
  if (!has_exhibit()) return;
  const std::size_t before = exhibit_->steps();
  if (const Result<void> done = exhibit_->set(parameter); !done) say(done.error().message());
  if (exhibit_->steps() != before && exhibit_->steps() > 0 && exhibit_->step() >= exhibit_->steps())
    exhibit_->go_to(exhibit_->steps() - 1);
}

void Desk::cycle_choice(int by) {
  if (!has_exhibit()) return;
  const std::span<Parameter> parameters = exhibit_->parameters();
  const auto is_choice = [](const Parameter& p) { return p.kind == Parameter::Kind::choice && p.choices.size() > 1; };
  auto found = std::find_if(parameters.begin(), parameters.end(),
                            [&](const Parameter& p) { return is_choice(p) && p.name == "algorithm"; });
  if (found == parameters.end()) found = std::find_if(parameters.begin(), parameters.end(), is_choice);
  if (found == parameters.end()) return say("this exhibit has nothing to choose");
  const long count = static_cast<long>(found->choices.size());
  found->value = static_cast<double>(((static_cast<long>(found->index()) + by) % count + count) % count);
  say(found->label + ": " + found->chosen());
  set(static_cast<std::size_t>(found - parameters.begin()));
}

void Desk::nudge(int axis, int ulps) {
  if (!has_exhibit()) return;
  const char* sign = ulps > 0 ? "+" : "";
  if (exhibit_->nudge(axis, ulps))
    say(std::string(1, "xyz"[axis]) + " nudged by " + sign + std::to_string(ulps) + " ulp");
  else
    say("nothing to nudge here");
}

void Desk::next_case(int by) {
  if (!has_exhibit()) return;
  const std::span<Parameter> parameters = exhibit_->parameters();
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [](const Parameter& p) { return p.name == "case" && names_a_case(p.content); });
  if (found == parameters.end()) return say("no file of cases is open: @FILE in Ctrl O, or in Case, opens one");
  std::string why_not;
  CaseName name = case_name(found->content);
  const std::vector<CaseLine> lines = read_query_file(name.path, why_not);
  if (lines.empty()) return say(why_not);
  const long count = static_cast<long>(lines.size());
  name.line = static_cast<std::size_t>(((static_cast<long>(name.line) - 1 + by) % count + count) % count) + 1;
  const CaseLine& line = lines[name.line - 1];
  const bool here = std::find(line.exhibits.begin(), line.exhibits.end(), entry_->name) != line.exhibits.end();
  if (here || line.exhibits.empty()) {
    // Also a line that nothing shows: the exhibit says so, and the next key goes on from there
    found->content = name.text();
    set(static_cast<std::size_t>(found - parameters.begin()));
    at_home_ = false;
  } else if (!open(name.text(), why_not)) {
    return say(why_not);
  }
  say("line " + std::to_string(name.line) + " of " + std::to_string(count) + ": " + line.told());
}

std::string Desk::query() {
  if (!has_exhibit()) return {};
  std::string query = exhibit_->as_query();
  return query.empty() ? "sudar lab --exhibit '" + text() + "'" : query;
}

void Desk::go_home(double aspect_) {
  if (!has_exhibit()) return;
  camera.frame(exhibit_->home(), list.bounds(), list.flat, aspect_);
  // What is drawn first may be nothing yet
  at_home_ = list.size() > 0;
}

void Desk::toggle_recording() {
  if (!has_exhibit()) return;
  if (!recorder_) {
    recorder_.emplace();
    return say("recording the plots; the same key ends it");
  }
  const std::string name = free_name("sudar-lab-" + std::string(entry_->name), ".csv");
  std::ostringstream rows;
  recorder_->write(rows);
  // What could not be written is not lost: the same key tries again
  if (!write_whole_file(name, rows.str())) return say("cannot write " + name + "; still recording");
  say(std::to_string(recorder_->frames()) + " frames written to " + name);
  recorder_.reset();
}

void Desk::say(std::string message) {
  message_ = std::move(message);
  message_left_ = kMessageSeconds;
}

}  // namespace sudar::lab
