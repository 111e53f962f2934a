// What:    The lab without a window: the same frames, off screen; keys come from a list, the end is a picture.
#include "lab/app.hpp"
#include "lab/lab.hpp"
#include "lab/lab_run.hpp"
#include "lab/offscreen.hpp"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <fstream>

namespace sudar::lab {

namespace {

constexpr double kFrameSeconds = 1.0 / 60;

struct KeyName {
  std::string_view name;
  int key;
};
constexpr KeyName kKeyNames[] = {
    {"space", GLFW_KEY_SPACE},   {"enter", GLFW_KEY_ENTER},    {"escape", GLFW_KEY_ESCAPE},
    {"tab", GLFW_KEY_TAB},       {"left", GLFW_KEY_LEFT},      {"right", GLFW_KEY_RIGHT},
    {"up", GLFW_KEY_UP},         {"down", GLFW_KEY_DOWN},      {"home", GLFW_KEY_HOME},
    {"end", GLFW_KEY_END},       {"pageup", GLFW_KEY_PAGE_UP}, {"pagedown", GLFW_KEY_PAGE_DOWN},
    {"period", GLFW_KEY_PERIOD}, {"f1", GLFW_KEY_F1},          {"f9", GLFW_KEY_F9},
    {"f12", GLFW_KEY_F12},
};

// One entry of the list: a key with its modifiers, held for some frames, or text
struct Stroke {
  int key = 0;
  bool control = false, shift = false;
  std::string text;
  int hold = 1;
};

// "ctrl+o", "w*30" (held for thirty frames), "text=race"
bool read_stroke(std::string_view word, Stroke& stroke) {
  if (word.starts_with("text=")) {
    stroke.text = std::string(word.substr(5));
    return true;
  }
  if (word.starts_with("ctrl+")) stroke.control = true, word.remove_prefix(5);
  if (word.starts_with("shift+")) stroke.shift = true, word.remove_prefix(6);
  if (const std::size_t star = word.find('*'); star != std::string_view::npos) {
    stroke.hold = std::clamp(std::atoi(std::string(word.substr(star + 1)).c_str()), 1, 100000);
    word = word.substr(0, star);
  }
  for (const KeyName& known : kKeyNames)
    if (known.name == word) return stroke.key = known.key, true;
  if (word.size() != 1) return false;
  const char c = word[0];
  if (c >= 'a' && c <= 'z') return stroke.key = GLFW_KEY_A + (c - 'a'), true;
  if (c >= '0' && c <= '9') return stroke.key = GLFW_KEY_0 + (c - '0'), true;
  return false;
}

bool read_strokes(std::string_view text, std::vector<Stroke>& strokes, std::string& why_not) {
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    strokes.emplace_back();
    if (!read_stroke(word, strokes.back())) {
      why_not = "--keys: '" + std::string(word) + "' is no key";
      return false;
    }
  }
  return true;
}

// Presses and lets go, one stroke after the other, with a frame between them
class Typist {
 public:
  explicit Typist(std::vector<Stroke> strokes) : strokes_(std::move(strokes)) {}
  bool done() const { return at_ >= strokes_.size(); }

  void type(ImGuiIO& io) {
    if (pause_ > 0) {
      --pause_;
      return;
    }
    if (done()) return;
    const Stroke& stroke = strokes_[at_];
    const bool down = held_ < stroke.hold;
    if (!stroke.text.empty() && down) io.AddInputCharactersUTF8(stroke.text.c_str());
    if (stroke.key != 0) io.KeysDown[stroke.key] = down;
    io.KeyCtrl = stroke.control && down;
    io.KeyShift = stroke.shift && down;
    if (down) {
      ++held_;
      return;
    }
    held_ = 0, pause_ = 1;
    ++at_;
  }

 private:
  std::vector<Stroke> strokes_;
  std::size_t at_ = 0;
  int held_ = 0, pause_ = 2;
};

}  // namespace

int run_headless(const LabOptions& options, std::string& why_not) {
  std::vector<Stroke> strokes;
  if (!read_strokes(options.keys, strokes, why_not)) return 2;
  const std::unique_ptr<Offscreen> screen = Offscreen::make(why_not);
  if (screen == nullptr) return 2;
  const std::unique_ptr<App> app = App::make(screen->gl(), why_not);
  if (app == nullptr) return 2;
  const int width = options.width > 0 ? options.width : 1280, height = options.height > 0 ? options.height : 720;
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DeltaTime = static_cast<float>(kFrameSeconds);
  io.MousePos = {-1, -1};
  if (!begin_lab(options, app->ui, why_not)) return 2;
  Typist typist(std::move(strokes));
  RunLog log(options);
  for (long i = 0; i < options.frames || !typist.done(); ++i) {
    typist.type(io);
    app->frame(width, height, kFrameSeconds, 1);
    log.add(app->ui);
    if (!app->trouble().empty()) {
      why_not = "OpenGL: " + app->trouble();
      return 2;
    }
    if (app->ui.quit) break;
  }
  if (!options.screenshot.empty() && !write_png(options.screenshot, app->picture(), why_not)) return 2;
  return log.write(why_not) ? 0 : 2;
}

bool write_picture(const DrawList& list, const std::string& path, int width, int height, std::string& why_not) {
  const std::unique_ptr<Offscreen> screen = Offscreen::make(why_not);
  if (screen == nullptr) return false;
  const std::unique_ptr<Renderer> renderer = Renderer::make(screen->gl(), why_not);
  if (renderer == nullptr) return false;
  Canvas canvas(screen->gl());
  if (!canvas.resize(width, height)) {
    why_not = "OpenGL refuses a canvas of this size";
    return false;
  }
  const Viewport viewport{0, 0, width, height};
  Camera camera;
  camera.frame(View{}, list.bounds(), list.flat, viewport.aspect());
  Look look;
  look.grid = grid_lines(list, camera, viewport.aspect());
  canvas.bind_samples();
  renderer->clear(look, width, height);
  renderer->draw(list, camera, viewport, look, canvas);
  canvas.resolve();
  return write_png(path, canvas.read(), why_not);
}

}  // namespace sudar::lab
