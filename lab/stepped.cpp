// What:    See stepped.hpp.
#include "lab/stepped.hpp"

#include <algorithm>
#include <cmath>

namespace sudar::lab {

namespace {

constexpr std::size_t kRowsShown = 15;  // of the table of steps

}  // namespace

bool Stepped::start(std::string_view text, std::string& why_not) {
  if (!read_parameters(parameters_, text, why_not)) return false;
  if (const Result<void> done = restart(); !done) {
    why_not = done.error().message();
    return false;
  }
  return true;
}

Result<void> Stepped::restart() {
  const Result<void> done = guarded([&]() -> Result<void> {
    log_ = TraceLog();
    steps_.clear();
    run();
    return {};
  });
  if (!done) steps_.clear();
  go_to(step_);
  return done;
}

void Stepped::add(std::string name, std::string value, std::string decision, std::size_t events) {
  steps_.push_back({std::move(name), std::move(value), std::move(decision), events});
}

const Parameter& Stepped::parameter(std::string_view name) const {
  const auto at =
      std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.name == name; });
  SUDAR_ASSERT(at != parameters_.end());
  return *at;
}

bool Stepped::nudge_parameter(std::string_view name, int ulps) {
  for (Parameter& p : parameters_) {
    if (p.name != name) continue;
    for (int i = 0; i < std::abs(ulps); ++i) p.value = std::nextafter(p.value, ulps < 0 ? p.lo : p.hi);
    return restart().ok();
  }
  return false;
}

Vec3d Stepped::place_of_b() const {
  Vec3d place{};
  for (const Parameter& p : parameters_)
    for (int axis = 0; axis < 3; ++axis)
      if (p.name == coordinate_name(axis)) place[axis] = p.value;
  return place;
}

bool Stepped::grab(const Pick& pick) {
  held_ = meets_b(pick);
  if (!held_) return false;
  drag_start_ = place_of_b();
  drag_normal_ = normalized(pick.direction);
  if (drag_normal_ == Vec3d{}) drag_normal_ = {0, 0, 1};
  drag_anchor_ = pick.origin + drag_normal_ * dot(drag_normal_, drag_start_ - pick.origin);
  return true;
}

void Stepped::drag(const Pick& pick) {
  const double toward = dot(drag_normal_, pick.direction);
  if (!held_ || !(std::fabs(toward) > 0)) return;
  const Vec3d at = pick.origin + pick.direction * (dot(drag_normal_, drag_anchor_ - pick.origin) / toward);
  const Vec3d place = drag_start_ + (at - drag_anchor_);
  if (!is_finite(place)) return;
  for (Parameter& p : parameters_)
    for (int axis = 0; axis < 3; ++axis)
      if (p.name == coordinate_name(axis)) p.value = std::clamp(place[axis], p.lo, p.hi);
  // Out of memory: there are no steps then, and a note says so
  [[maybe_unused]] const Result<void> done = restart();
}

std::string Stepped::command_line(std::string_view name) const {
  std::string text(name);
  char separator = ':';
  for (const Parameter& p : parameters_) {
    if (p.kind == Parameter::Kind::action) continue;
    text += separator + written(p);
    separator = ',';
  }
  // Within '' of a shell there is no '
  std::string command = "sudar lab --exhibit '";
  for (const char c : text) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return command + "'";
}

void Stepped::draw(DrawList& list) const {
  if (!steps_.empty()) draw_at(list, steps_[step_].events);
}

void Stepped::tell(Panel& panel) const {
  if (steps_.empty()) {
    panel.notes.push_back("There is nothing to show: memory is exhausted.");
    return;
  }
  panel.decision = steps_[step_].decision;
  tell_more(panel);
  // The steps around this one
  Table table{"Steps", {"#", "step", "number"}, {}, -1};
  const std::size_t first = step_ > kRowsShown / 2
                                ? std::min(step_ - kRowsShown / 2, steps_.size() - std::min(steps_.size(), kRowsShown))
                                : 0;
  for (std::size_t i = first; i < std::min(first + kRowsShown, steps_.size()); ++i) {
    if (i == step_) table.highlighted_row = static_cast<int>(table.rows.size());
    table.rows.push_back({num(i + 1), steps_[i].name, steps_[i].value});
  }
  panel.tables.insert(panel.tables.begin(), std::move(table));
}

}  // namespace sudar::lab
