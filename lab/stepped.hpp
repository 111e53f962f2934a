// What:    What all exhibits of the microscope share: an algorithm is run once with its trace switched on, the trace becomes
//          steps, and a step is drawn by replaying the trace up to it. So forwards and backwards show the same picture.
// Differs: What is stepped through is the library's own code under TraceTo; nothing is computed a second time to be shown,
//          except for what only a picture needs (projections, hulls as ghosts).
// Fails:   when memory is exhausted; then there are no steps, and a note says so.
#pragma once

#include "lab/exhibit.hpp"
#include "lab/number_text.hpp"
#include <sudar/core/trace.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sudar::lab {

// As it is told. Events of the trace before `events` have happened in it.
struct Step {
  std::string name;
  std::string value;     // the number that decided
  std::string decision;  // one sentence
  std::size_t events = 0;
};

class Stepped : public Exhibit {
 public:
  std::span<Parameter> parameters() final { return parameters_; }
  Result<void> set(std::size_t) final { return restart(); }
  std::size_t steps() const final { return steps_.size(); }
  void go_to(std::size_t step) final { step_ = step < steps_.size() ? step : steps_.empty() ? 0 : steps_.size() - 1; }
  std::size_t step() const final { return step_; }
  void draw(DrawList& list) const final;
  void tell(Panel& panel) const final;
  // B follows the pointer, in the plane across the first look at it; the step that is shown stays
  bool grab(const Pick& pick) final;
  void drag(const Pick& pick) final;
  void release(bool) final { held_ = false; }

  // The parameters of a text, and the first run
  bool start(std::string_view text, std::string& why_not);

  // For tests: the steps as they are told
  std::span<const Step> told() const { return steps_; }

 protected:
  using Entry = TraceLog::Entry;

  // From the parameters to log_ and steps. May throw bad_alloc.
  virtual void run() = 0;
  // The first `events` events of the log have happened
  virtual void draw_at(DrawList& list, std::size_t events) const = 0;
  // The ray meets the body whose place is set by the parameters bx, by, bz
  virtual bool meets_b(const Pick&) const { return false; }
  // Badges, tables and plots of the exhibit's own
  virtual void tell_more(Panel& panel) const = 0;

  void add(std::string name, std::string value, std::string decision, std::size_t events);
  const Parameter& parameter(std::string_view name) const;
  // The named coordinate by ulps, and anew
  bool nudge_parameter(std::string_view name, int ulps);
  // The command line that opens the exhibit as it is
  std::string command_line(std::string_view name) const;

  const std::vector<Entry>& events() const { return log_.entries(); }
  TraceTo trace() { return {&log_}; }
  bool at_end() const { return step_ + 1 >= steps_.size(); }

  std::vector<Parameter> parameters_;
  TraceLog log_;

 private:
  Result<void> restart();
  Vec3d place_of_b() const;

  bool held_ = false;
  Vec3d drag_normal_{}, drag_anchor_{}, drag_start_{};
  std::vector<Step> steps_;
  std::size_t step_ = 0;
};

template <class T, class... Arguments>
std::unique_ptr<Exhibit> make_stepped(std::string_view text, std::string& why_not, const Arguments&... arguments) {
  auto made = std::make_unique<T>(arguments...);
  if (!made->start(text, why_not)) return nullptr;
  return made;
}

// "bx", "by", "bz": what nudge() and the pointer move
inline std::string_view coordinate_name(int axis) { return axis == 0 ? "bx" : axis == 1 ? "by" : "bz"; }

}  // namespace sudar::lab
