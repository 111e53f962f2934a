// What:    Draws Dear ImGui's triangles with our own OpenGL functions, and keeps its letters: a font of the system, rendered at
//          the size that the screen asks for.
#pragma once

#include "lab/gl.hpp"

#include <memory>
#include <string>

struct ImDrawData;

namespace sudar::lab {

class PanelPainter {
 public:
  // The context of ImGui must be there
  static std::unique_ptr<PanelPainter> make(const Gl& gl, std::string& why_not);
  ~PanelPainter();
  PanelPainter(const PanelPainter&) = delete;
  PanelPainter& operator=(const PanelPainter&) = delete;

  // Letters and spacing for this scale, where 1 is a screen of 1080 lines. Not between ImGui's NewFrame and Render.
  void set_scale(double scale);
  double scale() const { return scale_; }
  void draw(const ImDrawData& data);

 private:
  explicit PanelPainter(const Gl& gl) : gl_(gl) {}

  const Gl& gl_;
  GLuint program_ = 0, array_ = 0, vertices_ = 0, indices_ = 0, letters_ = 0;
  double scale_ = 0;
};

}  // namespace sudar::lab
