#include "lab/gl.hpp"

namespace sudar::lab {

std::string Gl::load(Finder find) {
#define SUDAR_LAB_GL_LOAD(type, name)                   \
  name = reinterpret_cast<type>(find("gl" #name));      \
  if (name == nullptr) return "OpenGL has no gl" #name; \
  static_assert(sizeof(type) == sizeof(Anything));
  SUDAR_LAB_GL_FUNCTIONS(SUDAR_LAB_GL_LOAD)
#undef SUDAR_LAB_GL_LOAD
  GLint major = 0, minor = 0;
  GetIntegerv(GL_MAJOR_VERSION, &major);
  GetIntegerv(GL_MINOR_VERSION, &minor);
  if (major < 3 || (major == 3 && minor < 3))
    return "OpenGL 3.3 is needed, here is " + std::to_string(major) + "." + std::to_string(minor);
  return {};
}

std::string Gl::check() const {
  std::string first;
  // A lost context may answer for ever
  for (int i = 0; i < 16; ++i) {
    const GLenum error = GetError();
    if (error == GL_NO_ERROR) break;
    if (!first.empty()) continue;
    first = error == GL_INVALID_ENUM                    ? "GL_INVALID_ENUM"
            : error == GL_INVALID_VALUE                 ? "GL_INVALID_VALUE"
            : error == GL_INVALID_OPERATION             ? "GL_INVALID_OPERATION"
            : error == GL_INVALID_FRAMEBUFFER_OPERATION ? "GL_INVALID_FRAMEBUFFER_OPERATION"
            : error == GL_OUT_OF_MEMORY                 ? "GL_OUT_OF_MEMORY"
                                                        : "OpenGL error " + std::to_string(error);
  }
  return first;
}

std::string Gl::describe() const {
  const auto text = [&](GLenum name) {
    const GLubyte* found = GetString(name);
    return std::string(found == nullptr ? "?" : reinterpret_cast<const char*>(found));
  };
  std::string version = text(GL_VERSION);
  return text(GL_RENDERER) + ", OpenGL " + version.substr(0, version.find(' '));
}

}  // namespace sudar::lab
