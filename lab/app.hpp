// What:    The program between a source of events (a window, or none) and OpenGL: one frame at a time.
#pragma once

#include "lab/panel_painter.hpp"
#include "lab/ui.hpp"

namespace sudar::lab {

class App {
 public:
  // Makes ImGui's context
  static std::unique_ptr<App> make(const Gl& gl, std::string& why_not);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  // ImGui has been told about the window and its events. Sizes are those of the framebuffer; `density` is what the screen
  // says of its letters.
  void frame(int width, int height, double seconds, double density);
  // Into the window that is current
  void show() const { canvas_.show(); }
  Picture picture() const { return canvas_.read(); }
  // The first error of OpenGL since the start, or nothing
  const std::string& trouble() const { return trouble_; }

  Ui ui;

 private:
  explicit App(const Gl& gl) : gl_(gl), canvas_(gl) {}
  void save_picture();

  const Gl& gl_;
  Canvas canvas_;
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<PanelPainter> painter_;
  std::string trouble_;
};

// Faint lines: of the plane all over the view, in space on the floor of what is drawn
std::vector<DrawnLine> grid_lines(const DrawList& list, const Camera& camera, double aspect);
// "Xeon …, AVX3, float, debug build: times mean nothing"
std::string describe_machine();

}  // namespace sudar::lab
