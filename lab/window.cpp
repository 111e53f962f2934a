// What:    The lab in a window, through GLFW.
#include "lab/app.hpp"
#include "lab/input_queue.hpp"
#include "lab/lab_run.hpp"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <algorithm>

namespace sudar::lab {

namespace {

std::string& window_error() {
  static std::string last;
  return last;
}
void note_error(int, const char* text) { window_error() = text == nullptr ? "" : text; }

// Ends GLFW on every way out
struct Windows {
  bool started = glfwInit() == GLFW_TRUE;
  ~Windows() {
    if (started) glfwTerminate();
  }
};

struct WindowEnd {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};

// ImGui's backend for GLFW, which must end before the window and before ImGui. It has the clipboard, the shape of the pointer
// and the size of the window; keys, letters and buttons wait in a queue.
class Events {
 public:
  explicit Events(GLFWwindow* window) : window_(window) {
    ImGui_ImplGlfw_InitForOther(window, false);
    glfwSetWindowUserPointer(window, &queue_);
    glfwSetWindowFocusCallback(window, ImGui_ImplGlfw_WindowFocusCallback);
    glfwSetCursorEnterCallback(window, ImGui_ImplGlfw_CursorEnterCallback);
    glfwSetScrollCallback(window, ImGui_ImplGlfw_ScrollCallback);
    glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int) {
      if (action != GLFW_REPEAT) queue_of(w).key(key, action == GLFW_PRESS);
    });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned c) { queue_of(w).letter(c); });
    glfwSetMouseButtonCallback(
        window, [](GLFWwindow* w, int button, int action, int) { queue_of(w).button(button, action == GLFW_PRESS); });
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) { queue_of(w).pointer(x, y); });
  }
  ~Events() {
    glfwSetWindowUserPointer(window_, nullptr);
    glfwSetWindowFocusCallback(window_, nullptr);
    glfwSetCursorEnterCallback(window_, nullptr);
    glfwSetScrollCallback(window_, nullptr);
    glfwSetKeyCallback(window_, nullptr);
    glfwSetCharCallback(window_, nullptr);
    glfwSetMouseButtonCallback(window_, nullptr);
    glfwSetCursorPosCallback(window_, nullptr);
    ImGui_ImplGlfw_Shutdown();
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  // Tells ImGui about the window, and what this frame sees
  void frame() {
    ImGui_ImplGlfw_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    const InputState& state = queue_.next(io.WantTextInput);
    std::copy(state.keys.begin(), state.keys.end(), io.KeysDown);
    std::copy(state.buttons.begin(), state.buttons.end(), io.MouseDown);
    io.KeyCtrl = state.control(), io.KeyShift = state.shift(), io.KeyAlt = state.alt(), io.KeySuper = state.super();
    for (const char32_t c : state.typed) io.AddInputCharacter(c);
    // Where the pointer was when it clicked; outside of the window it is nowhere
    if (state.has_pointer && ImGui::IsMousePosValid(&io.MousePos))
      io.MousePos = {static_cast<float>(state.x), static_cast<float>(state.y)};
  }

 private:
  static InputQueue& queue_of(GLFWwindow* window) {
    return *static_cast<InputQueue*>(glfwGetWindowUserPointer(window));
  }

  GLFWwindow* window_;
  InputQueue queue_;
};

void follow_fullscreen(GLFWwindow* window, bool wanted, bool& is, int (&before)[4]) {
  if (wanted == is) return;
  is = wanted;
  if (!wanted) return glfwSetWindowMonitor(window, nullptr, before[0], before[1], before[2], before[3], 0);
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
  if (mode == nullptr) return;
  glfwGetWindowPos(window, &before[0], &before[1]);
  glfwGetWindowSize(window, &before[2], &before[3]);
  glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

}  // namespace

int run_window(const LabOptions& options, std::string& why_not) {
  // What is wrong without a window is told without one
  Ui trial;
  if (!options.exhibit.empty() && find_exhibit(name_in(options.exhibit)) == nullptr)
    return trial.desk.open(options.exhibit, why_not), 2;
  glfwSetErrorCallback(note_error);
  const Windows windows;
  if (!windows.started) {
    why_not = "there is no display to open a window on (" + window_error() + "); sudar lab --headless needs none";
    return 2;
  }
  Settings saved;
  const std::string path = options.settings.empty() ? settings_path() : options.settings;
  if (read_settings(path, saved, why_not) == SettingsFile::broken) return 2;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  const int width = options.width > 0 ? options.width : saved.width;
  const int height = options.height > 0 ? options.height : saved.height;
  const std::unique_ptr<GLFWwindow, WindowEnd> window(
      glfwCreateWindow(width, height, "Sudar: the lab", nullptr, nullptr));
  if (window == nullptr) {
    why_not = "a window with OpenGL 3.3 cannot be opened (" + window_error() + ")";
    return 2;
  }
  glfwMakeContextCurrent(window.get());
  glfwSwapInterval(1);
  Gl gl;
  why_not = gl.load([](const char* name) { return static_cast<Gl::Anything>(glfwGetProcAddress(name)); });
  if (!why_not.empty()) return 2;
  const std::unique_ptr<App> app = App::make(gl, why_not);
  if (app == nullptr) return 2;
  Events events(window.get());
  LabOptions begun = options;
  begun.width = width, begun.height = height;
  if (!begin_lab(begun, app->ui, why_not)) return 2;

  RunLog log(options);
  bool is_full = false;
  int before[4] = {};
  double last = glfwGetTime();
  while (!glfwWindowShouldClose(window.get()) && !app->ui.quit) {
    glfwPollEvents();
    int w = 0, h = 0;
    glfwGetFramebufferSize(window.get(), &w, &h);
    if (w <= 0 || h <= 0) {
      glfwWaitEventsTimeout(0.1);
      continue;
    }
    float density = 1, unused = 1;
    glfwGetWindowContentScale(window.get(), &density, &unused);
    events.frame();
    const double now = glfwGetTime();
    app->frame(w, h, std::clamp(now - last, 0.0, 0.25), density);
    last = now;
    app->show();
    glfwSwapBuffers(window.get());
    log.add(app->ui);
    follow_fullscreen(window.get(), app->ui.fullscreen, is_full, before);
    if (!app->trouble().empty()) {
      why_not = "OpenGL: " + app->trouble();
      return 2;
    }
  }
  if (!is_full) glfwGetWindowSize(window.get(), &app->ui.desk.settings.width, &app->ui.desk.settings.height);
  if (!options.screenshot.empty() && !write_png(options.screenshot, app->picture(), why_not)) return 2;
  app->ui.desk.settings.exhibit = app->ui.desk.text();
  if (!write_settings(path, app->ui.desk.settings, why_not)) return 2;
  return log.write(why_not) ? 0 : 2;
}

}  // namespace sudar::lab
