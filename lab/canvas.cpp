#include "lab/canvas.hpp"

#include "lab/shaders.hpp"

#include <algorithm>

namespace sudar::lab {

namespace {

constexpr GLsizei kSamples = 4;

GLuint compile(const Gl& gl, GLenum kind, const char* source, std::string& why_not) {
  const GLuint shader = gl.CreateShader(kind);
  const char* parts[] = {kShaderHeader, source};
  gl.ShaderSource(shader, 2, parts, nullptr);
  gl.CompileShader(shader);
  GLint done = 0;
  gl.GetShaderiv(shader, GL_COMPILE_STATUS, &done);
  if (done) return shader;
  char log[512] = "";
  gl.GetShaderInfoLog(shader, sizeof log, nullptr, log);
  why_not = std::string("a shader does not compile: ") + log;
  std::replace(why_not.begin(), why_not.end(), '\n', ' ');
  gl.DeleteShader(shader);
  return 0;
}

}  // namespace

GLuint make_program(const Gl& gl, const char* vertex, const char* fragment, std::string& why_not) {
  const GLuint v = compile(gl, GL_VERTEX_SHADER, vertex, why_not);
  const GLuint f = v == 0 ? 0 : compile(gl, GL_FRAGMENT_SHADER, fragment, why_not);
  GLuint program = 0;
  if (f != 0) {
    program = gl.CreateProgram();
    gl.AttachShader(program, v);
    gl.AttachShader(program, f);
    gl.LinkProgram(program);
    GLint done = 0;
    gl.GetProgramiv(program, GL_LINK_STATUS, &done);
    if (!done) {
      why_not = "a shader program does not link";
      gl.DeleteProgram(program);
      program = 0;
    }
  }
  if (v != 0) gl.DeleteShader(v);
  if (f != 0) gl.DeleteShader(f);
  return program;
}

Canvas::~Canvas() { release(); }

void Canvas::release() {
  gl_.DeleteFramebuffers(1, &many_);
  gl_.DeleteFramebuffers(1, &one_);
  gl_.DeleteRenderbuffers(1, &many_color_);
  gl_.DeleteRenderbuffers(1, &many_depth_);
  gl_.DeleteTextures(1, &one_color_);
  many_ = one_ = many_color_ = many_depth_ = one_color_ = 0;
}

bool Canvas::resize(int width, int height) {
  width = std::max(width, 1), height = std::max(height, 1);
  if (width == width_ && height == height_ && many_ != 0) return true;
  release();
  width_ = width, height_ = height;
  GLint samples = 0;
  gl_.GetIntegerv(GL_MAX_SAMPLES, &samples);
  samples = std::min(samples, kSamples);
  gl_.GenFramebuffers(1, &many_);
  gl_.BindFramebuffer(GL_FRAMEBUFFER, many_);
  gl_.GenRenderbuffers(1, &many_color_);
  gl_.BindRenderbuffer(GL_RENDERBUFFER, many_color_);
  gl_.RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
  gl_.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, many_color_);
  gl_.GenRenderbuffers(1, &many_depth_);
  gl_.BindRenderbuffer(GL_RENDERBUFFER, many_depth_);
  gl_.RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
  gl_.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, many_depth_);
  const bool many_done = gl_.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;

  gl_.GenFramebuffers(1, &one_);
  gl_.BindFramebuffer(GL_FRAMEBUFFER, one_);
  gl_.GenTextures(1, &one_color_);
  gl_.BindTexture(GL_TEXTURE_2D, one_color_);
  gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, one_color_, 0);
  return many_done && gl_.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void Canvas::bind_samples() const { gl_.BindFramebuffer(GL_FRAMEBUFFER, many_); }

void Canvas::resolve() const {
  gl_.BindFramebuffer(GL_READ_FRAMEBUFFER, many_);
  gl_.BindFramebuffer(GL_DRAW_FRAMEBUFFER, one_);
  gl_.BlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  gl_.BindFramebuffer(GL_FRAMEBUFFER, one_);
}

void Canvas::show() const {
  gl_.BindFramebuffer(GL_READ_FRAMEBUFFER, one_);
  gl_.BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  gl_.BlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

Picture Canvas::read() const {
  const std::size_t row = static_cast<std::size_t>(width_), rows = static_cast<std::size_t>(height_);
  std::vector<std::uint8_t> rgba(4 * row * rows);
  gl_.BindFramebuffer(GL_READ_FRAMEBUFFER, one_);
  gl_.PixelStorei(GL_PACK_ALIGNMENT, 1);
  gl_.ReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  Picture picture{width_, height_, std::vector<std::uint8_t>(3 * row * rows)};
  // OpenGL begins at the bottom
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < row; ++x)
      for (std::size_t k = 0; k < 3; ++k) picture.rgb[3 * (y * row + x) + k] = rgba[4 * ((rows - 1 - y) * row + x) + k];
  return picture;
}

}  // namespace sudar::lab
