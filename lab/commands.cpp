// What:    Keys and pointer: one line for each command, which the help prints as well.
#include "lab/ui.hpp"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace sudar::lab {

namespace {

void open_picker(Ui& ui, bool commands_) {
  ui.picker = ui.picker_opened = true;
  ui.picks_commands = commands_;
  ui.pattern.clear();
  ui.picked = 0;
}

void close_all(Ui& ui) {
  ui.help = ui.picker = false;
  ImGui::SetWindowFocus(nullptr);
}

void set_camera(Ui& ui, CameraMode mode, const char* said) {
  if (ui.desk.camera.mode == CameraMode::plane) return ui.desk.say("the plane is seen from above");
  ui.desk.camera.set_mode(mode);
  ui.desk.say(said);
  ui.log.push_back(std::string("camera ") + said);
}

void place_light(Ui& ui) {
  if (ui.look.lights.size() >= 4) ui.look.lights.erase(ui.look.lights.begin());
  ui.look.lights.push_back({ui.desk.camera.eye(), 0.6 * ui.desk.camera.scene_size});
  ui.desk.say("a light where you are (" + std::to_string(ui.look.lights.size()) + " of 4)");
}

void copy_query(Ui& ui) {
  const std::string query = ui.desk.query();
  ImGui::SetClipboardText(query.c_str());
  ui.desk.say("copied: " + query);
  ui.log.push_back("copied " + query);
}

void choose(Ui& ui, int by) {
  ui.desk.cycle_choice(by);
  ui.log.push_back("chose " + ui.desk.message());
}

void next_case(Ui& ui, int by) {
  ui.desk.next_case(by);
  ui.grabbed = ui.by_key = false;
  ui.log.push_back("case " + ui.desk.message());
}

void step(Ui& ui, long by) {
  ui.desk.step(by);
  ui.log.push_back("position " + std::to_string(ui.desk.position()));
}

// Takes what is in the middle of the view, or lets go of it; whoever looks elsewhere meanwhile throws it
void take_or_let_go(Ui& ui) {
  if (!ui.desk.has_exhibit()) return;
  if (ui.grabbed) {
    ui.desk.exhibit().release(true);
    ui.grabbed = ui.by_key = false;
    ui.log.push_back("let go");
    return ui.desk.say("let go");
  }
  ui.grabbed = ui.by_key = ui.desk.exhibit().grab(ui.desk.camera.ray(0, 0, ui.desk.aspect));
  if (ui.grabbed) ui.log.push_back("grabbed");
  ui.desk.say(ui.grabbed ? "taken: move or turn the view to carry it; T lets go"
                         : "nothing to take in the middle of the view");
}

void bigger(Ui& ui, double factor) {
  Settings& s = ui.desk.settings;
  const double now = s.scale > 0 ? s.scale : ui.look.scale;
  s.scale = std::clamp(now * factor, 0.5, 4.0);
}

const Command kCommands[] = {
    {"F1 or ?", "Lab", "this help", GLFW_KEY_F1, 0, [](Ui& ui) { ui.help = !ui.help; }},
    {"Ctrl O", "Lab", "open an exhibit or a scene: type a few letters of its name; @FILE: a file of cases", GLFW_KEY_O,
     kControl, [](Ui& ui) { open_picker(ui, false); }},
    {"Ctrl P", "Lab", "find a command", GLFW_KEY_P, kControl, [](Ui& ui) { open_picker(ui, true); }},
    {"Tab", "Lab", "to the panel; there arrows, Enter and Space; Esc leaves it", GLFW_KEY_TAB, 0,
     [](Ui& ui) { ui.to_panel = true; }},
    {"Esc", "Lab", "close, back to the view", GLFW_KEY_ESCAPE, 0, close_all},
    {"H", "Lab", "panels on and off", GLFW_KEY_H, 0,
     [](Ui& ui) { ui.desk.settings.panels = !ui.desk.settings.panels; }},
    {"Ctrl +", "Lab", "larger letters", GLFW_KEY_EQUAL, kControl, [](Ui& ui) { bigger(ui, 1.15); }},
    {"Ctrl -", "Lab", "smaller letters", GLFW_KEY_MINUS, kControl, [](Ui& ui) { bigger(ui, 1 / 1.15); }},
    {"F11", "Lab", "full screen", GLFW_KEY_F11, 0, [](Ui& ui) { ui.fullscreen = !ui.fullscreen; }},
    {"F12", "Lab", "save a picture here", GLFW_KEY_F12, 0, [](Ui& ui) { ui.screenshot_to = "*"; }},
    {"F9", "Lab", "record the plots to CSV, and stop", GLFW_KEY_F9, 0, [](Ui& ui) { ui.desk.toggle_recording(); }},
    {"C", "Lab", "copy as a test case or a command line", GLFW_KEY_C, 0, copy_query},
    {"Ctrl Q", "Lab", "quit", GLFW_KEY_Q, kControl, [](Ui& ui) { ui.quit = true; }},

    {"Space", "Time", "play and pause", GLFW_KEY_SPACE, 0, toggle_play},
    {"→", "Time", "one step on", GLFW_KEY_RIGHT, 0, [](Ui& ui) { step(ui, 1); }, true},
    {"←", "Time", "one step back", GLFW_KEY_LEFT, 0, [](Ui& ui) { step(ui, -1); }, true},
    {".", "Time", "one stage of a step on", GLFW_KEY_PERIOD, 0, [](Ui& ui) { ui.desk.stage(); }, true},
    {"Home", "Time", "to the first step", GLFW_KEY_HOME, 0, [](Ui& ui) { ui.desk.go_to(0); }},
    {"End", "Time", "to the last step", GLFW_KEY_END, 0,
     [](Ui& ui) { ui.desk.go_to(ui.desk.positions() == 0 ? 0 : ui.desk.positions() - 1); }},
    {"R", "Time", "start again", GLFW_KEY_R, 0, [](Ui& ui) { ui.desk.restart(); }},

    {"PgDn", "Exhibit", "the next algorithm, or the next of its first choice", GLFW_KEY_PAGE_DOWN, 0,
     [](Ui& ui) { choose(ui, 1); }},
    {"PgUp", "Exhibit", "the one before", GLFW_KEY_PAGE_UP, 0, [](Ui& ui) { choose(ui, -1); }},
    {"N", "Exhibit", "the next case of the file of cases that is open", GLFW_KEY_N, 0,
     [](Ui& ui) { next_case(ui, 1); }},
    {"Shift N", "Exhibit", "the case before", GLFW_KEY_N, kShift, [](Ui& ui) { next_case(ui, -1); }},
    {"X Y Z", "Exhibit", "nudge what is selected by one ulp; with Shift back", 0, 0, nullptr},
    {"left button", "Exhibit", "pick and drag; let go while moving to throw", 0, 0, nullptr},
    {"T", "Exhibit", "take what is in the middle of the view; again to let go", GLFW_KEY_T, 0, take_or_let_go},
    {"F", "Exhibit", "shoot through the pointer, or through the middle of the view", 0, 0, nullptr},
    {"G", "Exhibit", "held: pull everything to the viewer", 0, 0, nullptr},

    {"1", "View", "orbit", GLFW_KEY_1, 0, [](Ui& ui) { set_camera(ui, CameraMode::orbit, "orbit"); }},
    {"2", "View", "walk", GLFW_KEY_2, 0, [](Ui& ui) { set_camera(ui, CameraMode::walk, "walk"); }},
    {"3", "View", "fly", GLFW_KEY_3, 0, [](Ui& ui) { set_camera(ui, CameraMode::fly, "fly"); }},
    {"W A S D Q E", "View", "held: move; with Shift faster", 0, 0, nullptr},
    {"Shift arrows", "View", "held: turn", 0, 0, nullptr},
    {"right button", "View", "turn; in the plane, pan", 0, 0, nullptr},
    {"middle button", "View", "pan", 0, 0, nullptr},
    {"wheel, + and -", "View", "nearer and farther", 0, 0, nullptr},
    {"B", "View", "back to where it began", GLFW_KEY_B, 0, [](Ui& ui) { ui.desk.go_home(ui.desk.aspect); }},
    {"L", "View", "place a light here; with Shift remove them", GLFW_KEY_L, 0, place_light},
    {"Shift L", "View", "remove the lights", GLFW_KEY_L, kShift, [](Ui& ui) { ui.look.lights.clear(); }},
};

constexpr double kTurnSpeed = 1.2;  // radians a second, by keys

bool held(int key) { return ImGui::IsKeyDown(key); }

// While a panel has the keyboard, arrows, Space and Enter are its own
bool panel_has_keys() { return ImGui::GetIO().NavActive && ImGui::GetIO().WantCaptureKeyboard; }

void move_camera(Ui& ui, double seconds) {
  const ImGuiIO& io = ImGui::GetIO();
  Walk walk;
  if (!io.WantTextInput && !io.KeyCtrl && !ui.picker) {
    const auto axis = [](int more, int less) { return (held(more) ? 1.0 : 0.0) - (held(less) ? 1.0 : 0.0); };
    if (io.KeyShift && !panel_has_keys())
      ui.desk.camera.turn(kTurnSpeed * seconds * axis(GLFW_KEY_LEFT, GLFW_KEY_RIGHT),
                          kTurnSpeed * seconds * axis(GLFW_KEY_UP, GLFW_KEY_DOWN));
    walk.forward = axis(GLFW_KEY_W, GLFW_KEY_S);
    walk.right = axis(GLFW_KEY_D, GLFW_KEY_A);
    walk.up = axis(GLFW_KEY_E, GLFW_KEY_Q);
    walk.fast = io.KeyShift;
  }
  Desk& desk = ui.desk;
  desk.camera.move(walk, seconds, [&](const Vec3d& at, double radius) {
    return desk.has_exhibit() ? desk.exhibit().push_out(at, radius) : Vec3d{};
  });
  // One line for each walk, when it has ended
  const bool moves = desk.camera.velocity != Vec3d{};
  if (ui.moving && !moves) {
    const Vec3d at = desk.camera.eye();
    ui.log.push_back("moved to " + std::to_string(at.x) + " " + std::to_string(at.y) + " " + std::to_string(at.z));
  }
  ui.moving = moves;
}

void handle_pointer(Ui& ui, const ViewArea& area) {
  const ImGuiIO& io = ImGui::GetIO();
  Camera& camera = ui.desk.camera;
  const double aspect = area.width / std::max(area.height, 1.f);
  const double x = 2 * (io.MousePos.x - area.x) / std::max(area.width, 1.f) - 1;
  const double y = 1 - 2 * (io.MousePos.y - area.y) / std::max(area.height, 1.f);
  const Pick pick = camera.ray(std::clamp(x, -2.0, 2.0), std::clamp(y, -2.0, 2.0), aspect);
  const Pick middle = camera.ray(0, 0, aspect);
  const bool over_view = ImGui::IsMousePosValid(&io.MousePos) && std::fabs(x) <= 1 && std::fabs(y) <= 1;
  Exhibit* exhibit = ui.desk.has_exhibit() ? &ui.desk.exhibit() : nullptr;
  const float height = std::max(area.height, 1.f);

  // A thing that was grabbed stays in the hand wherever the pointer goes
  if (ui.grabbed && exhibit != nullptr) {
    if (ui.by_key) {
      exhibit->drag(middle);
    } else if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
      exhibit->drag(pick);
    } else {
      exhibit->release(std::hypot(io.MouseDelta.x, io.MouseDelta.y) > 2);
      ui.grabbed = false;
    }
  }
  if (!io.WantTextInput && !io.KeyCtrl && exhibit != nullptr && !ui.picker) {
    if (ImGui::IsKeyPressed(GLFW_KEY_F, false)) exhibit->shoot(over_view ? pick : middle);
    if (held(GLFW_KEY_G)) exhibit->pull(camera.eye());
    for (int axis = 0; axis < 3; ++axis)
      if (ImGui::IsKeyPressed(GLFW_KEY_X + axis, true)) ui.desk.nudge(axis, io.KeyShift ? -1 : 1);
    for (const int key : {GLFW_KEY_EQUAL, GLFW_KEY_KP_ADD})
      if (ImGui::IsKeyPressed(key, true)) camera.zoom(1 / 1.1);
    for (const int key : {GLFW_KEY_MINUS, GLFW_KEY_KP_SUBTRACT})
      if (ImGui::IsKeyPressed(key, true)) camera.zoom(1.1);
  }
  // One line for each turn by the pointer, when it has ended
  if (ui.turning && !ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ImGui::IsMouseDown(ImGuiMouseButton_Right)) {
    ui.turning = false;
    ui.log.push_back("turned to " + std::to_string(camera.yaw) + " " + std::to_string(camera.pitch));
  }
  if (io.WantCaptureMouse) return;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && exhibit != nullptr && !ui.grabbed) {
    ui.grabbed = exhibit->grab(pick);
    if (ui.grabbed) ui.log.push_back("grabbed");
  }
  const bool free_left = ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ui.grabbed;
  const bool turns = ImGui::IsMouseDown(ImGuiMouseButton_Right) || free_left;
  if (ImGui::IsMouseDown(ImGuiMouseButton_Middle) || (turns && (camera.mode == CameraMode::plane || io.KeyShift)))
    camera.pan(-io.MouseDelta.x / height, io.MouseDelta.y / height);
  else if (turns)
    ui.turning = true, camera.turn(-3.0 * io.MouseDelta.x / height, -3.0 * io.MouseDelta.y / height);
  if (io.MouseWheel != 0) camera.zoom(std::pow(1.12, -static_cast<double>(io.MouseWheel)), x, y, aspect);
}

}  // namespace

std::span<const Command> commands() { return kCommands; }

void open_or_say(Ui& ui, std::string_view text) {
  std::string why_not;
  if (!ui.desk.open(text, why_not)) return ui.desk.say(why_not);
  ui.grabbed = ui.by_key = false;
  ui.log.push_back("opened " + std::string(ui.desk.entry()->name));
}

void toggle_play(Ui& ui) {
  ui.desk.play(!ui.desk.playing());
  ui.log.push_back(ui.desk.playing() ? "playing" : "paused");
}

void handle_input(Ui& ui, const ViewArea& area, double seconds) {
  const ImGuiIO& io = ImGui::GetIO();
  const int modifiers = (io.KeyShift ? kShift : 0) | (io.KeyCtrl ? kControl : 0);
  if (!io.WantTextInput && modifiers == kShift && ImGui::IsKeyPressed(GLFW_KEY_SLASH, false)) ui.help = !ui.help;
  for (const Command& command : kCommands) {
    if (command.run == nullptr || command.modifiers != modifiers || !ImGui::IsKeyPressed(command.key, command.repeats))
      continue;
    const bool always = command.modifiers == kControl || command.key == GLFW_KEY_ESCAPE ||
                        (command.key >= GLFW_KEY_F1 && command.key <= GLFW_KEY_F12);
    const bool panels_own = command.key == GLFW_KEY_SPACE || command.key == GLFW_KEY_RIGHT ||
                            command.key == GLFW_KEY_LEFT || command.key == GLFW_KEY_HOME ||
                            command.key == GLFW_KEY_END || command.key == GLFW_KEY_TAB ||
                            command.key == GLFW_KEY_PAGE_UP || command.key == GLFW_KEY_PAGE_DOWN;
    if (!always && (io.WantTextInput || ui.picker || (panel_has_keys() && panels_own))) continue;
    command.run(ui);
  }
  move_camera(ui, seconds);
  handle_pointer(ui, area);
}

}  // namespace sudar::lab
