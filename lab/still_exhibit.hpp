// What:    The common ground of exhibits that are made anew whenever a parameter is set, and may be stepped through: fields,
//          motions, bodies. And the few words that all of them need.
// Fails:   what cannot be made keeps its last picture and tells why in a note.
#pragma once

#include "lab/exhibit.hpp"

#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sudar::lab {

// A number for people: so many digits that count
inline std::string shown(double x, int digits = 4) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return text;
}
inline std::string shown(const Vec2d& v, int digits = 4) {
  return "(" + shown(v.x, digits) + ", " + shown(v.y, digits) + ")";
}
inline std::string shown(const Vec3d& v, int digits = 4) {
  return "(" + shown(v.x, digits) + ", " + shown(v.y, digits) + ", " + shown(v.z, digits) + ")";
}

// Where things of the plane and of space are drawn. In the plane, what has a larger layer lies in front.
inline Vec3d drawn_at(const Vec2d& p, double layer = 0) { return {p.x, p.y, 0.001 * layer}; }
inline Vec3d drawn_at(const Vec3d& p, double = 0) { return p; }
inline Vec2d in_plane_of(const Pick& pick) { return {pick.origin.x, pick.origin.y}; }

// What the camera is to show, whatever is drawn: two points that are not seen
inline void frame(DrawList& list, const Vec2d& lo, const Vec2d& hi) {
  for (const Vec2d& p : {lo, hi}) list.point(drawn_at(p), {0, 0, 0, 0}, 1);
}
// A way with a tip of this size, however long it is
inline void draw_way(DrawList& list, const Vec3d& from, const Vec3d& to, Color c, float pixels, double tip) {
  const double way = distance(from, to);
  if (!(way > 0)) return;
  const Vec3d before = way > tip ? to + (from - to) * (tip / way) : from;
  list.line(from, before, c, pixels);
  list.arrow(before, to, c, pixels);
}

// So many neighbours up or down
inline double nudged(double x, int ulps) {
  for (; ulps > 0; --ulps) x = next_up(x);
  for (; ulps < 0; ++ulps) x = next_down(x);
  return x;
}

// Where a ray through the pointer meets the plane through a point, square to the ray: dragging in space
inline Vec3d dragged_to(const Pick& pick, const Vec3d& grabbed) {
  return pick.origin + pick.direction * dot(grabbed - pick.origin, pick.direction);
}
// How far a point is from the ray through the pointer
inline double off_the_ray(const Pick& pick, const Vec3d& p) { return distance(dragged_to(pick, p), p); }

class StillExhibit : public Exhibit {
 public:
  std::span<Parameter> parameters() override { return parameters_; }
  Result<void> set(std::size_t) override { return remake(); }
  std::size_t steps() const override { return steps_; }
  std::size_t step() const override { return step_; }
  void go_to(std::size_t step) override { step_ = steps_ == 0 ? 0 : step < steps_ ? step : steps_ - 1; }

  // What the parameters say, made; the step stays where it was as far as there is one
  Result<void> remake() {
    Result<void> done = guarded([this] { return make(); });
    trouble_ = done ? "" : done.error().message();
    go_to(step_);
    return done;
  }

 protected:
  virtual Result<void> make() = 0;

  double value(std::string_view name) const { return named(name).value; }
  bool on(std::string_view name) const { return named(name).on(); }
  std::size_t index(std::string_view name) const { return named(name).index(); }
  const std::string& chosen(std::string_view name) const { return named(name).chosen(); }
  const Parameter& named(std::string_view name) const {
    for (const Parameter& p : parameters_)
      if (p.name == name) return p;
    SUDAR_ASSERT(false);
    return parameters_.front();
  }
  void write(std::string_view name, double value) {
    for (Parameter& p : parameters_)
      if (p.name == name) p.value = value;
  }
  // A choice by its word, where there is one
  void choose(std::string_view name, std::string_view word) {
    for (Parameter& p : parameters_)
      for (std::size_t i = 0; p.name == name && i < p.choices.size(); ++i)
        if (p.choices[i] == word) p.value = static_cast<double>(i);
  }
  void tell_trouble(Panel& panel) const {
    if (!trouble_.empty()) panel.notes.push_back("Not shown: " + trouble_ + ".");
  }

  std::vector<Parameter> parameters_;
  std::size_t steps_ = 0, step_ = 0;
  std::string trouble_;
};

// The maker of an exhibit for the registry
template <class E>
std::unique_ptr<Exhibit> make_still(std::string_view parameters, std::string& why_not) {
  auto made = std::make_unique<E>();
  if (!read_parameters(made->parameters(), parameters, why_not)) return nullptr;
  if (const Result<void> done = made->remake(); !done) {
    why_not = done.error().message();
    return nullptr;
  }
  return made;
}

}  // namespace sudar::lab
