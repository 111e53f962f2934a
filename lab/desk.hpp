// What:    The lab without its window: the exhibit that is open, its clock (play, step, stage, back), the viewer, what is drawn
//          and told in this frame, and the recording of plots. Keys and buttons call it; so do tests.
#pragma once

#include "lab/camera.hpp"
#include "lab/exhibit_registry.hpp"
#include "lab/plot_csv.hpp"
#include "lab/settings.hpp"

#include <optional>

namespace sudar::lab {

// Milliseconds of the last frame
struct FrameTimes {
  double advance = 0, draw = 0, tell = 0, render = 0;
};

class Desk {
 public:
  // False, and why not: the one before stays open
  bool open(std::string_view text, std::string& why_not);
  // As it was when it was opened
  void restart();
  bool has_exhibit() const { return exhibit_ != nullptr; }
  Exhibit& exhibit() { return *exhibit_; }
  const ExhibitEntry* entry() const { return entry_; }
  // With the parameters that are set now
  std::string text();

  // Moves on when playing, and draws and tells anew. A slow machine gets slow motion, not leaps.
  void frame(double seconds);
  bool stepped() { return has_exhibit() && exhibit_->steps() > 0; }
  bool playing() const { return playing_; }
  void play(bool on);
  // Forwards or backwards, by steps of an algorithm or frames of a living scene; pauses
  void step(long by);
  void go_to(std::size_t step);
  void stage();
  // Where it is among how many: of a stepped exhibit, or of the frames that a living one remembers
  std::size_t position();
  std::size_t positions();

  // A parameter was written: tells the exhibit. A refusal becomes a message.
  void set(std::size_t parameter);
  // The next or previous value of "algorithm", or of the first choice that there is
  void cycle_choice(int by);
  void nudge(int axis, int ulps);
  // The next line of the file of cases that is open, or the one before; in another exhibit where this one does not show it
  void next_case(int by);
  std::string query();

  // Frames what is drawn, as seen from where the exhibit wants to be seen
  void go_home(double aspect);
  void toggle_recording();
  bool recording() const { return recorder_.has_value(); }

  // A line for the person, for some seconds
  void say(std::string message);
  const std::string& message() const { return message_; }

  DrawList list;
  Panel panel;
  Camera camera;
  Settings settings;
  FrameTimes times;
  std::uint64_t frames = 0;
  double aspect = 16.0 / 9;  // of the view, as it is drawn

 private:
  void refresh();

  std::unique_ptr<Exhibit> exhibit_;
  const ExhibitEntry* entry_ = nullptr;
  std::string opened_;
  bool playing_ = true, at_home_ = false;
  double waiting_ = 0;  // of a stepped exhibit that plays: seconds towards its next step
  double time_ = 0;
  std::optional<PlotRecorder> recorder_;
  std::string message_;
  double message_left_ = 0;
};

}  // namespace sudar::lab
