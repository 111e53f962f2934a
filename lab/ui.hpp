// What:    Panels, picker, help and keys over a Desk, with Dear ImGui; and the list of commands, which is also the help.
#pragma once

#include "lab/desk.hpp"
#include "lab/query_file.hpp"
#include "lab/renderer.hpp"

#include <string>
#include <vector>

namespace sudar::lab {

struct Ui {
  Desk desk;
  Look look;
  bool help = false, picker = false, quit = false, fullscreen = false;
  bool picks_commands = false;  // the picker shows commands in place of exhibits
  std::string pattern;          // what was typed into the picker
  int picked = 0;
  std::vector<CaseLine> cases;     // of the file that was typed, "@FILE"
  std::string cases_of, no_cases;  // its name, and why it has none
  bool picker_opened = false;      // this frame: the keyboard goes there
  bool to_panel = false;           // this frame: the keyboard goes to the parameters
  std::string screenshot_to;       // written at the end of this frame
  std::string machine, renderer;   // what this runs on
  bool grabbed = false, moving = false;
  bool by_key = false;           // what is grabbed hangs at the middle of the view, not at the pointer
  bool turning = false;          // by the pointer
  std::vector<std::string> log;  // what was done, for a test that watches a window
  double frame_ms = 0;           // smoothed
};

struct Command {
  const char* keys;   // as they are shown
  const char* group;  // heading in the help
  const char* what;
  int key, modifiers;    // GLFW's; 0 when the pointer or a held key does it
  void (*run)(Ui& ui);   // null: only told
  bool repeats = false;  // while it is held
};
inline constexpr int kShift = 1, kControl = 2;
std::span<const Command> commands();

// The part of the window between the panels, in ImGui's coordinates, from the top left
struct ViewArea {
  float x = 0, y = 0, width = 1, height = 1;
};
ViewArea view_area(const Ui& ui, float width, float height, float scale);

// Between ImGui's NewFrame and Render
void handle_input(Ui& ui, const ViewArea& area, double seconds);
void show_panels(Ui& ui, const ViewArea& area, float width, float height, float scale);
void show_labels(const Ui& ui, const ViewArea& area, float scale);
void show_picker(Ui& ui, float width, float height, float scale);
void show_help(Ui& ui, float width, float height, float scale);
void show_plot(const Plot& plot, float width, float height, float scale);

void open_or_say(Ui& ui, std::string_view text);
void toggle_play(Ui& ui);

}  // namespace sudar::lab
