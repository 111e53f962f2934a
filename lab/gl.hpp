// What:    The functions of OpenGL that the lab calls, found at run time: OpenGL 3.3 core, and no more of it than WebGL 2 has.
// Fails:   load() names the first function that is missing; check() names the error that the calls before it left.
#pragma once

#include <GL/glcorearb.h>

#include <string>

namespace sudar::lab {

// clang-format off
#define SUDAR_LAB_GL_FUNCTIONS(X)                                                                                       \
  X(PFNGLACTIVETEXTUREPROC, ActiveTexture) X(PFNGLATTACHSHADERPROC, AttachShader) X(PFNGLBINDBUFFERPROC, BindBuffer)    \
  X(PFNGLBINDFRAMEBUFFERPROC, BindFramebuffer) X(PFNGLBINDRENDERBUFFERPROC, BindRenderbuffer)                           \
  X(PFNGLBINDTEXTUREPROC, BindTexture) X(PFNGLBINDVERTEXARRAYPROC, BindVertexArray)                                     \
  X(PFNGLBLENDEQUATIONPROC, BlendEquation) X(PFNGLBLENDFUNCSEPARATEPROC, BlendFuncSeparate)                             \
  X(PFNGLBLITFRAMEBUFFERPROC, BlitFramebuffer) X(PFNGLBUFFERDATAPROC, BufferData)                                       \
  X(PFNGLCHECKFRAMEBUFFERSTATUSPROC, CheckFramebufferStatus) X(PFNGLCLEARPROC, Clear)                                   \
  X(PFNGLCLEARCOLORPROC, ClearColor) X(PFNGLCOLORMASKPROC, ColorMask) X(PFNGLCOMPILESHADERPROC, CompileShader)          \
  X(PFNGLCREATEPROGRAMPROC, CreateProgram) X(PFNGLCREATESHADERPROC, CreateShader) X(PFNGLCULLFACEPROC, CullFace)        \
  X(PFNGLDELETEBUFFERSPROC, DeleteBuffers) X(PFNGLDELETEFRAMEBUFFERSPROC, DeleteFramebuffers)                           \
  X(PFNGLDELETEPROGRAMPROC, DeleteProgram) X(PFNGLDELETERENDERBUFFERSPROC, DeleteRenderbuffers)                         \
  X(PFNGLDELETESHADERPROC, DeleteShader) X(PFNGLDELETETEXTURESPROC, DeleteTextures)                                     \
  X(PFNGLDELETEVERTEXARRAYSPROC, DeleteVertexArrays) X(PFNGLDEPTHFUNCPROC, DepthFunc)                                   \
  X(PFNGLDEPTHMASKPROC, DepthMask) X(PFNGLDISABLEPROC, Disable) X(PFNGLDRAWARRAYSPROC, DrawArrays)                      \
  X(PFNGLDRAWARRAYSINSTANCEDPROC, DrawArraysInstanced) X(PFNGLDRAWBUFFERSPROC, DrawBuffers)                             \
  X(PFNGLDRAWELEMENTSPROC, DrawElements) X(PFNGLDRAWELEMENTSINSTANCEDPROC, DrawElementsInstanced)                       \
  X(PFNGLENABLEPROC, Enable) X(PFNGLENABLEVERTEXATTRIBARRAYPROC, EnableVertexAttribArray)                               \
  X(PFNGLFRAMEBUFFERRENDERBUFFERPROC, FramebufferRenderbuffer)                                                          \
  X(PFNGLFRAMEBUFFERTEXTURE2DPROC, FramebufferTexture2D) X(PFNGLGENBUFFERSPROC, GenBuffers)                             \
  X(PFNGLGENFRAMEBUFFERSPROC, GenFramebuffers) X(PFNGLGENRENDERBUFFERSPROC, GenRenderbuffers)                           \
  X(PFNGLGENTEXTURESPROC, GenTextures) X(PFNGLGENVERTEXARRAYSPROC, GenVertexArrays) X(PFNGLGETERRORPROC, GetError)      \
  X(PFNGLGETINTEGERVPROC, GetIntegerv) X(PFNGLGETPROGRAMINFOLOGPROC, GetProgramInfoLog)                                 \
  X(PFNGLGETPROGRAMIVPROC, GetProgramiv) X(PFNGLGETSHADERINFOLOGPROC, GetShaderInfoLog)                                 \
  X(PFNGLGETSHADERIVPROC, GetShaderiv) X(PFNGLGETSTRINGPROC, GetString)                                                 \
  X(PFNGLGETUNIFORMLOCATIONPROC, GetUniformLocation) X(PFNGLLINKPROGRAMPROC, LinkProgram)                               \
  X(PFNGLPIXELSTOREIPROC, PixelStorei) X(PFNGLPOLYGONOFFSETPROC, PolygonOffset) X(PFNGLREADPIXELSPROC, ReadPixels)      \
  X(PFNGLRENDERBUFFERSTORAGEMULTISAMPLEPROC, RenderbufferStorageMultisample) X(PFNGLSCISSORPROC, Scissor)               \
  X(PFNGLSHADERSOURCEPROC, ShaderSource) X(PFNGLTEXIMAGE2DPROC, TexImage2D) X(PFNGLTEXPARAMETERIPROC, TexParameteri)    \
  X(PFNGLUNIFORM1FPROC, Uniform1f) X(PFNGLUNIFORM1IPROC, Uniform1i) X(PFNGLUNIFORM2FPROC, Uniform2f)                    \
  X(PFNGLUNIFORM3FPROC, Uniform3f) X(PFNGLUNIFORM4FVPROC, Uniform4fv) X(PFNGLUNIFORMMATRIX4FVPROC, UniformMatrix4fv)    \
  X(PFNGLUSEPROGRAMPROC, UseProgram) X(PFNGLVERTEXATTRIB3FPROC, VertexAttrib3f)                                         \
  X(PFNGLVERTEXATTRIBDIVISORPROC, VertexAttribDivisor) X(PFNGLDISABLEVERTEXATTRIBARRAYPROC, DisableVertexAttribArray)   \
  X(PFNGLVERTEXATTRIBPOINTERPROC, VertexAttribPointer) X(PFNGLVIEWPORTPROC, Viewport)
// clang-format on

struct Gl {
  using Anything = void (*)();
  using Finder = Anything (*)(const char* name);

#define SUDAR_LAB_GL_MEMBER(type, name) type name = nullptr;
  SUDAR_LAB_GL_FUNCTIONS(SUDAR_LAB_GL_MEMBER)
#undef SUDAR_LAB_GL_MEMBER

  // Empty, or what is missing: a function, or the version
  std::string load(Finder find);
  // Empty, or the name of the first error since the last call
  std::string check() const;
  // "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5"
  std::string describe() const;
};

}  // namespace sudar::lab
