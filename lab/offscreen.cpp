#include "lab/offscreen.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <cstring>

namespace sudar::lab {

namespace {

// Mesa's platform without any surface; where there is none, the default display
EGLDisplay find_display() {
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (extensions != nullptr && std::strstr(extensions, "EGL_MESA_platform_surfaceless") != nullptr) {
    const auto get = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (get != nullptr) {
      const EGLDisplay display = get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
      if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
    }
  }
  const EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  return display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr) ? display : EGL_NO_DISPLAY;
}

Gl::Anything find_function(const char* name) { return eglGetProcAddress(name); }

}  // namespace

std::unique_ptr<Offscreen> Offscreen::make(std::string& why_not) {
  const EGLDisplay display = find_display();
  if (display == EGL_NO_DISPLAY) {
    why_not = "EGL finds no renderer on this machine";
    return nullptr;
  }
  std::unique_ptr<Offscreen> made(new Offscreen);
  made->display_ = display;
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  const EGLint version[] = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &count) || count < 1) {
    why_not = "EGL has no configuration for OpenGL";
    return nullptr;
  }
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  if (context == EGL_NO_CONTEXT) {
    why_not = "OpenGL 3.3 is not there";
    return nullptr;
  }
  made->context_ = context;
  if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    why_not = "EGL cannot draw without a surface";
    return nullptr;
  }
  why_not = made->gl_.load(find_function);
  return why_not.empty() ? std::move(made) : nullptr;
}

Offscreen::~Offscreen() {
  if (display_ == nullptr) return;
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (context_ != nullptr) eglDestroyContext(display_, context_);
  eglTerminate(display_);
}

}  // namespace sudar::lab
