#include "lab/panel_painter.hpp"

#include "lab/canvas.hpp"
#include "lab/draw_list.hpp"
#include "lab/shaders.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>

namespace sudar::lab {

namespace {

// Letters of Latin and Greek, and the signs that mathematics needs
constexpr ImWchar kGlyphs[] = {0x0020, 0x024F, 0x0370, 0x03FF, 0x2010, 0x2027, 0x2030, 0x205E, 0x2070, 0x209C,
                               0x2190, 0x21FF, 0x2200, 0x22FF, 0x2500, 0x25FF, 0x2713, 0x2717, 0};
constexpr const char* kFonts[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/truetype/freefont/FreeSans.ttf",
    "/System/Library/Fonts/Helvetica.ttc",
};
constexpr float kLetterPixels = 15, kBuiltInPixels = 13;

void load_font(ImFontAtlas& atlas, float scale) {
  atlas.Clear();
  for (const char* path : kFonts) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) continue;
    if (atlas.AddFontFromFileTTF(path, std::round(kLetterPixels * scale), nullptr, kGlyphs) != nullptr) return;
  }
  // The one that ImGui carries has no Greek and looks best at whole multiples
  ImFontConfig config;
  config.SizePixels = kBuiltInPixels * std::max(1.f, std::round(scale));
  atlas.AddFontDefault(&config);
}

ImVec4 tone(float r, float g, float b, float a = 1) { return {r / 255, g / 255, b / 255, a}; }

void set_style(float scale) {
  ImGuiStyle style;
  ImGui::StyleColorsDark(&style);
  style.WindowRounding = 0;
  style.ChildRounding = style.FrameRounding = style.GrabRounding = style.PopupRounding = 4;
  style.WindowBorderSize = 0;
  style.FrameBorderSize = 0;
  style.WindowPadding = {12, 10};
  style.ItemSpacing = {8, 6};
  style.FramePadding = {7, 4};
  style.ScrollbarSize = 12;
  style.ScaleAllSizes(scale);
  ImVec4* c = style.Colors;
  c[ImGuiCol_Text] = tone(226, 230, 236);
  c[ImGuiCol_TextDisabled] = tone(150, 158, 170);
  c[ImGuiCol_WindowBg] = tone(29, 33, 40, 0.97f);
  c[ImGuiCol_PopupBg] = tone(36, 41, 50, 0.99f);
  c[ImGuiCol_Border] = tone(110, 124, 146);
  c[ImGuiCol_FrameBg] = tone(48, 54, 65);
  c[ImGuiCol_FrameBgHovered] = tone(60, 68, 82);
  c[ImGuiCol_FrameBgActive] = tone(70, 80, 97);
  c[ImGuiCol_Button] = tone(54, 66, 84);
  c[ImGuiCol_ButtonHovered] = tone(70, 88, 113);
  c[ImGuiCol_ButtonActive] = tone(86, 110, 143);
  c[ImGuiCol_Header] = tone(50, 59, 73);
  c[ImGuiCol_HeaderHovered] = tone(66, 82, 105);
  c[ImGuiCol_HeaderActive] = tone(80, 102, 132);
  // The number of a slider is written over it
  c[ImGuiCol_SliderGrab] = tone(22, 106, 160);
  c[ImGuiCol_SliderGrabActive] = tone(32, 130, 190);
  c[ImGuiCol_CheckMark] = tone(86, 180, 233);
  c[ImGuiCol_Separator] = tone(58, 65, 77);
  c[ImGuiCol_TableHeaderBg] = tone(42, 48, 58);
  c[ImGuiCol_TableRowBgAlt] = tone(255, 255, 255, 0.03f);
  c[ImGuiCol_NavHighlight] = tone(240, 228, 66);
  ImGui::GetStyle() = style;
}

}  // namespace

std::unique_ptr<PanelPainter> PanelPainter::make(const Gl& gl, std::string& why_not) {
  std::unique_ptr<PanelPainter> painter(new PanelPainter(gl));
  painter->program_ = make_program(gl, kPanelVertex, kPanelFragment, why_not);
  if (painter->program_ == 0) return nullptr;
  gl.GenVertexArrays(1, &painter->array_);
  gl.GenBuffers(1, &painter->vertices_);
  gl.GenBuffers(1, &painter->indices_);
  gl.GenTextures(1, &painter->letters_);
  gl.BindVertexArray(painter->array_);
  gl.BindBuffer(GL_ARRAY_BUFFER, painter->vertices_);
  gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, painter->indices_);
  const auto attribute = [&](GLuint index, GLint size, GLenum type, GLboolean as_share, std::size_t offset) {
    gl.EnableVertexAttribArray(index);
    gl.VertexAttribPointer(index, size, type, as_share, sizeof(ImDrawVert), reinterpret_cast<const void*>(offset));
  };
  attribute(0, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, pos));
  attribute(1, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, uv));
  attribute(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(ImDrawVert, col));
  gl.BindVertexArray(0);
  return painter;
}

PanelPainter::~PanelPainter() {
  if (program_ != 0) gl_.DeleteProgram(program_);
  gl_.DeleteVertexArrays(1, &array_);
  gl_.DeleteBuffers(1, &vertices_);
  gl_.DeleteBuffers(1, &indices_);
  gl_.DeleteTextures(1, &letters_);
}

void PanelPainter::set_scale(double scale) {
  if (scale == scale_) return;
  scale_ = scale;
  const float s = static_cast<float>(scale);
  set_style(s);
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  load_font(atlas, s);
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
  gl_.BindTexture(GL_TEXTURE_2D, letters_);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl_.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
  gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  atlas.SetTexID(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(letters_)));
}

void PanelPainter::draw(const ImDrawData& data) {
  const int width = static_cast<int>(data.DisplaySize.x * data.FramebufferScale.x);
  const int height = static_cast<int>(data.DisplaySize.y * data.FramebufferScale.y);
  if (width <= 0 || height <= 0) return;
  gl_.Viewport(0, 0, width, height);
  gl_.Enable(GL_BLEND);
  gl_.BlendEquation(GL_FUNC_ADD);
  gl_.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  gl_.Disable(GL_CULL_FACE);
  gl_.Disable(GL_DEPTH_TEST);
  gl_.Enable(GL_SCISSOR_TEST);
  gl_.UseProgram(program_);
  gl_.Uniform2f(gl_.GetUniformLocation(program_, "half_size"), data.DisplaySize.x / 2, data.DisplaySize.y / 2);
  gl_.ActiveTexture(GL_TEXTURE0);
  gl_.BindTexture(GL_TEXTURE_2D, letters_);
  gl_.Uniform1i(gl_.GetUniformLocation(program_, "letters"), 0);
  gl_.BindVertexArray(array_);
  gl_.BindBuffer(GL_ARRAY_BUFFER, vertices_);
  gl_.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
  for (int n = 0; n < data.CmdListsCount; ++n) {
    const ImDrawList& list = *data.CmdLists[n];
    gl_.BufferData(GL_ARRAY_BUFFER, list.VtxBuffer.Size * static_cast<GLsizeiptr>(sizeof(ImDrawVert)),
                   list.VtxBuffer.Data, GL_STREAM_DRAW);
    gl_.BufferData(GL_ELEMENT_ARRAY_BUFFER, list.IdxBuffer.Size * static_cast<GLsizeiptr>(sizeof(ImDrawIdx)),
                   list.IdxBuffer.Data, GL_STREAM_DRAW);
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback != nullptr) continue;
      const int x0 = static_cast<int>(command.ClipRect.x * data.FramebufferScale.x);
      const int y0 = static_cast<int>(command.ClipRect.y * data.FramebufferScale.y);
      const int x1 = static_cast<int>(command.ClipRect.z * data.FramebufferScale.x);
      const int y1 = static_cast<int>(command.ClipRect.w * data.FramebufferScale.y);
      if (x1 <= x0 || y1 <= y0) continue;
      gl_.Scissor(x0, height - y1, x1 - x0, y1 - y0);
      gl_.DrawElements(GL_TRIANGLES, static_cast<GLsizei>(command.ElemCount),
                       sizeof(ImDrawIdx) == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT,
                       reinterpret_cast<const void*>(command.IdxOffset * sizeof(ImDrawIdx)));
    }
  }
  gl_.Disable(GL_SCISSOR_TEST);
  gl_.BindVertexArray(0);
}

}  // namespace sudar::lab
