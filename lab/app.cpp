#include "lab/app.hpp"

#include <sudar/core/info.hpp>

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>

namespace sudar::lab {

namespace {

constexpr double kFullHeight = 1080;  // lines of a screen at scale 1
constexpr float kGridAlpha = 0.055f, kAxisAlpha = 0.16f;

double rounded_scale(double scale) { return std::clamp(std::round(scale * 8) / 8, 0.5, 4.0); }

// 1, 2 or 5 times a power of ten, about a twelfth of the length
double grid_step(double extent) {
  if (!(extent > 0) || !std::isfinite(extent)) return 1;
  const double raw = extent / 12, ten = std::pow(10, std::floor(std::log10(raw)));
  return raw / ten > 5 ? 10 * ten : raw / ten > 2 ? 5 * ten : raw / ten > 1 ? 2 * ten : ten;
}

// ImGui's names for GLFW's keys, also where there is no window
void name_keys(ImGuiIO& io) {
  const std::pair<ImGuiKey, int> map[] = {{ImGuiKey_Tab, GLFW_KEY_TAB},
                                          {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
                                          {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
                                          {ImGuiKey_UpArrow, GLFW_KEY_UP},
                                          {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
                                          {ImGuiKey_Home, GLFW_KEY_HOME},
                                          {ImGuiKey_End, GLFW_KEY_END},
                                          {ImGuiKey_Delete, GLFW_KEY_DELETE},
                                          {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
                                          {ImGuiKey_Space, GLFW_KEY_SPACE},
                                          {ImGuiKey_Enter, GLFW_KEY_ENTER},
                                          {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
                                          {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
                                          {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN}};
  for (const auto& [name, key] : map) io.KeyMap[name] = key;
}

}  // namespace

std::vector<DrawnLine> grid_lines(const DrawList& list, const Camera& camera, double aspect) {
  std::vector<DrawnLine> lines;
  const Aabb3d bounds = list.bounds();
  double z = 0, lo[2], hi[2], step = 1;
  if (list.flat) {
    const double half[2] = {camera.height * aspect / 2, camera.height / 2};
    for (int i = 0; i < 2; ++i) lo[i] = camera.target[i] - half[i], hi[i] = camera.target[i] + half[i];
    step = grid_step(camera.height);
  } else {
    if (!is_valid(bounds)) return lines;
    const Vec3d size = bounds.hi - bounds.lo;
    const double half = 0.75 * std::max({size.x, size.y, 0.5 * size.z});
    for (int i = 0; i < 2; ++i) {
      const double middle = (bounds.lo[i] + bounds.hi[i]) / 2;
      lo[i] = middle - half, hi[i] = middle + half;
    }
    z = bounds.lo.z;
    step = grid_step(2 * half);
  }
  for (int axis = 0; axis < 2; ++axis) {
    const double first = std::ceil(lo[axis] / step), last = std::floor(hi[axis] / step);
    if (!(last - first < 400)) return {};
    for (double k = first; k <= last; ++k) {
      Vec3d p{0, 0, z}, q{0, 0, z};
      p[axis] = q[axis] = k * step;
      p[1 - axis] = lo[1 - axis], q[1 - axis] = hi[1 - axis];
      lines.push_back({vec_cast<float>(p), vec_cast<float>(q), 1, {1, 1, 1, k == 0 ? kAxisAlpha : kGridAlpha}});
    }
  }
  return lines;
}

std::string describe_machine() {
  std::string processor;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; processor.empty() && std::getline(file, line);)
    if (line.starts_with("model name")) processor = line.substr(std::min(line.size(), line.find(':') + 2));
  std::string told = std::string(instruction_set());
  const BuildInfo info = build_info();
  told += " · " + std::string(info.precision) + ", threads: " + std::string(info.threads);
  if (!processor.empty()) told += " · " + processor;
#if !defined(NDEBUG) || (defined(__GNUC__) && !defined(__OPTIMIZE__))
  told = "DEBUG BUILD: its times mean nothing · " + told;
#elif defined(SUDAR_ASSERTS)
  told += " · with assertions";
#endif
  return told;
}

std::unique_ptr<App> App::make(const Gl& gl, std::string& why_not) {
  std::unique_ptr<App> app(new App(gl));
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  name_keys(io);
  app->renderer_ = Renderer::make(gl, why_not);
  if (app->renderer_ != nullptr) app->painter_ = PanelPainter::make(gl, why_not);
  if (app->painter_ == nullptr) return nullptr;
  app->ui.machine = describe_machine();
  app->ui.renderer = gl.describe();
  return app;
}

App::~App() {
  painter_.reset();
  renderer_.reset();
  if (ImGui::GetCurrentContext() != nullptr) ImGui::DestroyContext();
}

void App::frame(int width, int height, double seconds, double density) {
  const auto start = std::chrono::steady_clock::now();
  ImGuiIO& io = ImGui::GetIO();
  const Settings& settings = ui.desk.settings;
  const double wanted = settings.scale > 0 ? settings.scale : std::max({density, height / kFullHeight, 1.0});
  painter_->set_scale(rounded_scale(wanted));
  const float scale = static_cast<float>(painter_->scale());
  ImGui::NewFrame();
  const float w = io.DisplaySize.x, h = io.DisplaySize.y;
  ViewArea area = view_area(ui, w, h, scale);
  ui.desk.aspect = area.width / std::max(area.height, 1.f);
  handle_input(ui, area, seconds);
  ui.desk.frame(seconds);
  area = view_area(ui, w, h, scale);
  ui.desk.aspect = area.width / std::max(area.height, 1.f);
  show_labels(ui, area, scale);
  show_panels(ui, area, w, h, scale);
  show_picker(ui, w, h, scale);
  show_help(ui, w, h, scale);
  ImGui::Render();

  if (!canvas_.resize(width, height) && trouble_.empty()) trouble_ = "OpenGL refuses a canvas of this size";
  ui.look.scale = painter_->scale();
  ui.look.shadows = settings.shadows;
  ui.look.outlines = settings.outlines;
  ui.look.grid.clear();
  if (settings.grid && ui.desk.has_exhibit()) ui.look.grid = grid_lines(ui.desk.list, ui.desk.camera, ui.desk.aspect);
  const float dx = static_cast<float>(width) / std::max(w, 1.f), dy = static_cast<float>(height) / std::max(h, 1.f);
  const Viewport viewport{static_cast<int>(area.x * dx), static_cast<int>((h - area.y - area.height) * dy),
                          std::max(1, static_cast<int>(area.width * dx)),
                          std::max(1, static_cast<int>(area.height * dy))};
  canvas_.bind_samples();
  renderer_->clear(ui.look, width, height);
  renderer_->draw(ui.desk.list, ui.desk.camera, viewport, ui.look, canvas_);
  canvas_.resolve();
  painter_->draw(*ImGui::GetDrawData());
  if (!ui.screenshot_to.empty()) save_picture();
  if (trouble_.empty()) trouble_ = gl_.check();
  const double total = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  ui.desk.times.render = total - ui.desk.times.advance - ui.desk.times.draw - ui.desk.times.tell;
  ui.frame_ms = ui.frame_ms == 0 ? total : 0.9 * ui.frame_ms + 0.1 * total;
}

void App::save_picture() {
  std::string name = ui.screenshot_to, why_not;
  ui.screenshot_to.clear();
  std::error_code none;
  if (name == "*")
    for (int i = 1;; ++i) {
      name = "sudar-lab-" + std::to_string(i) + ".png";
      if (!std::filesystem::exists(name, none)) break;
    }
  if (!write_png(name, picture(), why_not)) return ui.desk.say(why_not);
  ui.desk.say("picture written to " + name);
  std::string told = "picture " + name;
  for (const Badge& badge : ui.desk.panel.badges) told += "; " + badge.text;
  ui.log.push_back(std::move(told));
}

}  // namespace sudar::lab
