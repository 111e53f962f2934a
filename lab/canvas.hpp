// What:    The framebuffers that a picture is made in: one with several samples a pixel, and the plain one it is resolved to.
//          The window shows the plain one; without a window it is read. And shader programs.
#pragma once

#include "lab/gl.hpp"
#include "lab/picture.hpp"

#include <memory>

namespace sudar::lab {

// Compiled and linked; 0, and why not, when it cannot be
GLuint make_program(const Gl& gl, const char* vertex, const char* fragment, std::string& why_not);

class Canvas {
 public:
  explicit Canvas(const Gl& gl) : gl_(gl) {}
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  // Of this size; false when the graphics card refuses
  bool resize(int width, int height);
  int width() const { return width_; }
  int height() const { return height_; }

  // Draw into the one with many samples
  void bind_samples() const;
  // From many samples to one; then draw into that
  void resolve() const;
  // Into the window
  void show() const;
  Picture read() const;

 private:
  void release();

  const Gl& gl_;
  int width_ = 0, height_ = 0;
  GLuint many_ = 0, many_color_ = 0, many_depth_ = 0, one_ = 0, one_color_ = 0;
};

}  // namespace sudar::lab
