// What:    An OpenGL context without a window, through EGL: on a machine without a display, and without a GPU when there is a
//          software renderer.
// Fails:   make() gives null and one line that says what is missing.
#pragma once

#include "lab/gl.hpp"

#include <memory>

namespace sudar::lab {

class Offscreen {
 public:
  static std::unique_ptr<Offscreen> make(std::string& why_not);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  const Gl& gl() const { return gl_; }

 private:
  Offscreen() = default;

  Gl gl_;
  void* display_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace sudar::lab
