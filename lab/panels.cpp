// What:    The panels: at the left what is open and what may be set, at the right what is told, below time and machine.
#include "lab/ui.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace sudar::lab {

namespace {

constexpr float kLeftWidth = 272, kRightWidth = 372, kBottomHeight = 40, kPlotHeight = 150;
constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus;

ImU32 packed(Color c) { return ImGui::ColorConvertFloat4ToU32({c.r, c.g, c.b, c.a}); }
ImVec4 tone(Color c) { return {c.r, c.g, c.b, c.a}; }

bool has_right_side(const Panel& panel) {
  return !panel.badges.empty() || !panel.decision.empty() || !panel.tables.empty() || !panel.plots.empty() ||
         !panel.notes.empty() || !panel.hints.empty() || !panel.paragraph.empty();
}

void heading(const char* text) {
  ImGui::Spacing();
  ImGui::PushStyleColor(ImGuiCol_Text, tone(color_of(Ink::a)));
  ImGui::TextUnformatted(text);
  ImGui::PopStyleColor();
}

// Lines of at most this width, broken at spaces only: ImGui itself would break 0.078 at its point
std::string broken_at_spaces(const std::string& text, float width) {
  std::string lines;
  std::size_t line = 0;  // where the last one begins
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(' ', from), text.size());
    const std::size_t before = lines.size();
    if (from > 0) lines += ' ';
    lines.append(text, from, end - from);
    if (from > 0 && ImGui::CalcTextSize(lines.data() + line, lines.data() + lines.size()).x > width)
      lines[before] = '\n';
    if (const std::size_t last = lines.rfind('\n'); last != std::string::npos) line = last + 1;
    from = end + 1;
  }
  return lines;
}

// What has no spaces is broken anywhere
void wrapped(const std::string& text) {
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(broken_at_spaces(text, width).c_str());
  ImGui::PopTextWrapPos();
}

void quiet(const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
  wrapped(text);
  ImGui::PopStyleColor();
}

// Words in coloured boxes, as many in a row as fit
void show_badges(const std::vector<Badge>& badges, float scale) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float right = ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x;
  bool first = true;
  for (const Badge& badge : badges) {
    const float wrap = right - ImGui::GetCursorScreenPos().x - 16 * scale;
    const ImVec2 text = ImGui::CalcTextSize(badge.text.c_str(), nullptr, false, first ? wrap : -1);
    const ImVec2 size{text.x + 16 * scale, text.y + 8 * scale};
    if (!first) {
      ImGui::SameLine();
      if (ImGui::GetCursorScreenPos().x + size.x > right) ImGui::NewLine();
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Color c = color_of(badge.ink);
    draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, packed(c), 5 * scale);
    // Dark letters on light colours and the other way round
    const bool light = 0.3f * c.r + 0.6f * c.g + 0.1f * c.b > 0.42f;
    draw.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x + 8 * scale, at.y + 4 * scale},
                 light ? IM_COL32(12, 14, 18, 255) : IM_COL32(255, 255, 255, 255), badge.text.c_str(), nullptr, wrap);
    ImGui::Dummy(size);
    first = false;
  }
}

// The longest part of a text that must not be broken
float widest_word(const std::string& text) {
  float widest = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(' ', from), text.size());
    widest = std::max(widest, ImGui::CalcTextSize(text.data() + from, text.data() + end).x);
    from = end + 1;
  }
  return widest;
}

void show_table(const Table& table, int number) {
  if (!table.title.empty()) heading(table.title.c_str());
  const int columns = static_cast<int>(table.columns.size());
  if (columns == 0 || columns > 64) return;
  // Room for the longest word of each column, in smaller letters where there are many columns; what is left goes to those
  // with long texts
  constexpr float kSmallest = 0.66f, kSlack = 1.04f;  // small letters are a little wider than their share
  const float padding = 2 * ImGui::GetStyle().CellPadding.x + 1, room = ImGui::GetContentRegionAvail().x;
  std::vector<float> word(table.columns.size()), text(table.columns.size());
  float words = 0, texts = 0;
  for (std::size_t c = 0; c < word.size(); ++c) {
    word[c] = widest_word(table.columns[c]), text[c] = ImGui::CalcTextSize(table.columns[c].c_str()).x;
    for (const auto& row : table.rows)
      if (c < row.size()) {
        word[c] = std::max(word[c], widest_word(row[c]));
        text[c] = std::max(text[c], ImGui::CalcTextSize(row[c].c_str()).x);
      }
    word[c] *= kSlack, text[c] *= kSlack;
    words += word[c], texts += text[c];
  }
  const float inside = std::max(1.0f, room - padding * static_cast<float>(columns));
  const float letters = std::clamp(inside / std::max(words, 1.0f), kSmallest, 1.0f);
  const float left = std::max(0.0f, inside - letters * words), wanted = std::max(1.0f, letters * (texts - words));
  ImGui::SetWindowFontScale(letters);
  ImGui::PushID(number);
  if (ImGui::BeginTable("table", columns,
                        ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_BordersInnerH)) {
    for (std::size_t c = 0; c < word.size(); ++c)
      ImGui::TableSetupColumn(table.columns[c].c_str(), ImGuiTableColumnFlags_WidthStretch,
                              letters * (word[c] + (text[c] - word[c]) * left / wanted));
    bool named = false;
    for (const std::string& column : table.columns) named = named || !column.empty();
    if (named) {
      ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        ImGui::TableSetColumnIndex(static_cast<int>(c));
        wrapped(table.columns[c]);
      }
    }
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      ImGui::TableNextRow();
      if (static_cast<int>(r) == table.highlighted_row)
        ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, packed(color_of(Ink::highlight, 0.25f)));
      for (std::size_t c = 0; c < table.rows[r].size() && c < table.columns.size(); ++c) {
        ImGui::TableSetColumnIndex(static_cast<int>(c));
        wrapped(table.rows[r][c]);
      }
    }
    ImGui::EndTable();
  }
  ImGui::PopID();
  ImGui::SetWindowFontScale(1);
}

// Digits that a person reads: three that count
std::string number_format(double value, bool whole) {
  if (whole) return "%.0f";
  const double size = std::fabs(value);
  return size != 0 && (size < 0.01 || size >= 1e6) ? "%.3g" : size < 1 ? "%.3f" : size < 100 ? "%.2f" : "%.1f";
}

// True when the exhibit is to be told
bool show_parameter(Parameter& p, bool first) {
  const std::string shown = (p.label.empty() ? p.name : p.label) + (p.unit.empty() ? "" : " (" + p.unit + ")");
  const std::string id = "##" + p.name;
  const bool labelled_above = p.kind == Parameter::Kind::number || p.kind == Parameter::Kind::whole ||
                              p.kind == Parameter::Kind::choice || p.kind == Parameter::Kind::text;
  if (labelled_above) ImGui::TextUnformatted(shown.c_str());
  if (labelled_above && !p.help.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", p.help.c_str());
  ImGui::SetNextItemWidth(-1);
  if (first) ImGui::SetItemDefaultFocus();
  bool told = false;
  switch (p.kind) {
    case Parameter::Kind::number:
    case Parameter::Kind::whole: {
      const bool whole = p.kind == Parameter::Kind::whole;
      const ImGuiSliderFlags flags =
          ImGuiSliderFlags_AlwaysClamp | (p.logarithmic ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None);
      const bool moved = ImGui::SliderScalar(id.c_str(), ImGuiDataType_Double, &p.value, &p.lo, &p.hi,
                                             number_format(p.value, whole).c_str(), flags);
      if (whole) p.value = std::round(p.value);
      // What is rebuilt for every value waits until the hand is off it
      told = whole || p.logarithmic ? ImGui::IsItemDeactivatedAfterEdit() : moved;
      break;
    }
    case Parameter::Kind::choice:
      if (ImGui::BeginCombo(id.c_str(), p.index() < p.choices.size() ? p.chosen().c_str() : "")) {
        for (std::size_t i = 0; i < p.choices.size(); ++i) {
          const bool is_chosen = i == p.index();
          if (ImGui::Selectable(p.choices[i].c_str(), is_chosen) && !is_chosen)
            p.value = static_cast<double>(i), told = true;
          if (is_chosen) ImGui::SetItemDefaultFocus();
        }
        ImGui::EndCombo();
      }
      break;
    case Parameter::Kind::toggle: {
      bool on = p.on();
      told = ImGui::Checkbox(shown.c_str(), &on);
      p.value = on ? 1 : 0;
      break;
    }
    case Parameter::Kind::action:
      told = ImGui::Button(shown.c_str(), {-1, 0});
      break;
    case Parameter::Kind::text:
      ImGui::InputText(id.c_str(), &p.content);
      told = ImGui::IsItemDeactivatedAfterEdit();
      break;
  }
  if (!labelled_above && !p.help.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", p.help.c_str());
  return told;
}

void show_left(Ui& ui, float width, float height, float scale) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({width, height});
  if (ui.to_panel) {
    ImGui::SetNextWindowFocus();
    ui.to_panel = false;
  }
  ImGui::Begin("exhibit", nullptr, kFixed);
  Desk& desk = ui.desk;
  if (const ExhibitEntry* entry = desk.entry()) {
    ImGui::SetWindowFontScale(1.25f);
    wrapped(std::string(entry->title));
    ImGui::SetWindowFontScale(1);
    quiet(std::string(entry->group) + (entry->title == entry->name ? "" : " · " + std::string(entry->name)));
  }
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  if (ImGui::Button("Open  Ctrl O", {half, 0})) {
    ui.picker = ui.picker_opened = true;
    ui.picks_commands = false;
    ui.pattern.clear(), ui.picked = 0;
  }
  ImGui::SameLine();
  if (ImGui::Button("Help  F1", {half, 0})) ui.help = !ui.help;
  if (desk.has_exhibit()) {
    const std::size_t count = desk.exhibit().parameters().size();
    if (count > 0) heading("Settings of the exhibit");
    for (std::size_t i = 0; i < desk.exhibit().parameters().size(); ++i)
      if (show_parameter(desk.exhibit().parameters()[i], i == 0)) {
        ui.log.push_back("set " + desk.exhibit().parameters()[i].name + "=" + text_of(desk.exhibit().parameters()[i]));
        desk.set(i);
      }
    if (ImGui::Button("Copy as test case  C", {-1, 0})) {
      ImGui::SetClipboardText(desk.query().c_str());
      desk.say("copied: " + desk.query());
    }
  }
  heading("View");
  if (desk.camera.mode != CameraMode::plane) {
    const char* names[] = {"orbit", "walk", "fly"};
    for (int i = 0; i < 3; ++i) {
      if (i > 0) ImGui::SameLine();
      if (ImGui::RadioButton(names[i], desk.camera.mode == static_cast<CameraMode>(i)))
        desk.camera.set_mode(static_cast<CameraMode>(i));
    }
    ImGui::Checkbox("shadows", &desk.settings.shadows);
    ImGui::SameLine();
    ImGui::Checkbox("edges", &desk.settings.outlines);
  }
  ImGui::Checkbox("grid", &desk.settings.grid);
  ImGui::SameLine();
  ImGui::Checkbox("labels", &desk.settings.labels);
  if (const ExhibitEntry* entry = desk.entry()) {
    heading("About");
    wrapped(std::string(entry->paragraph));
    if (!entry->source.empty()) quiet(std::string(entry->source));
  }
  (void)scale;
  ImGui::End();
}

void show_right(Ui& ui, float x, float width, float height, float scale) {
  ImGui::SetNextWindowPos({x, 0});
  ImGui::SetNextWindowSize({width, height});
  ImGui::Begin("told", nullptr, kFixed);
  const Panel& panel = ui.desk.panel;
  show_badges(panel.badges, scale);
  if (!panel.decision.empty()) {
    ImGui::Spacing();
    ImGui::PushStyleColor(ImGuiCol_Text, tone(color_of(Ink::highlight)));
    wrapped(panel.decision);
    ImGui::PopStyleColor();
  }
  for (const std::string& hint : panel.hints) {
    ImGui::PushStyleColor(ImGuiCol_Text, tone(color_of(Ink::b)));
    wrapped("! " + hint);
    ImGui::PopStyleColor();
  }
  for (std::size_t i = 0; i < panel.tables.size(); ++i) show_table(panel.tables[i], static_cast<int>(i));
  for (const Plot& plot : panel.plots) {
    heading(plot.title.c_str());
    show_plot(plot, ImGui::GetContentRegionAvail().x, kPlotHeight * scale, scale);
  }
  for (const std::string& note : panel.notes) quiet(note);
  const ExhibitEntry* entry = ui.desk.entry();
  if (!panel.paragraph.empty() && (entry == nullptr || panel.paragraph != entry->paragraph)) {
    heading("Explained");
    wrapped(panel.paragraph);
  }
  ImGui::End();
}

void show_time(Ui& ui, float top, float width, float height, float scale) {
  ImGui::SetNextWindowPos({0, top});
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{12 * scale, 6 * scale});
  ImGui::Begin("time", nullptr, kFixed | ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleVar();
  Desk& desk = ui.desk;
  if (ImGui::Button(desk.playing() ? "Pause" : "Play", {64 * scale, 0})) toggle_play(ui);
  ImGui::SameLine();
  if (ImGui::Button("<", {28 * scale, 0})) desk.step(-1);
  ImGui::SameLine();
  if (ImGui::Button(">", {28 * scale, 0})) desk.step(1);
  ImGui::SameLine();
  if (!desk.stepped()) {
    if (ImGui::Button("Stage", {56 * scale, 0})) desk.stage();
    ImGui::SameLine();
  }
  const std::size_t count = desk.positions();
  if (count > 1) {
    int at = static_cast<int>(desk.position());
    const std::string format =
        (desk.stepped() ? "step %d of " : "frame %d of ") + std::to_string(static_cast<int>(count) - 1);
    ImGui::SetNextItemWidth(300 * scale);
    if (ImGui::SliderInt("##position", &at, 0, static_cast<int>(count) - 1, format.c_str(),
                         ImGuiSliderFlags_AlwaysClamp))
      desk.go_to(static_cast<std::size_t>(std::max(at, 0)));
    ImGui::SameLine();
  }
  ImGui::SetNextItemWidth(110 * scale);
  const double slow = 0.05, fast = 8;
  ImGui::SliderScalar("##speed", ImGuiDataType_Double, &desk.settings.speed, &slow, &fast, "× %.2f",
                      ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  // The machine, as far as there is room, the most important first
  char frame_text[64];
  std::snprintf(frame_text, sizeof frame_text, "%.1f ms a frame", ui.frame_ms);
  std::string told = (desk.recording() ? "recording · " : "") + std::string(frame_text) + " · " + ui.machine;
  ImGui::SameLine();
  const float room = ImGui::GetContentRegionAvail().x;
  while (ImGui::CalcTextSize(told.c_str()).x > room && told.rfind(" · ") != std::string::npos)
    told.resize(told.rfind(" · "));
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.f, room - ImGui::CalcTextSize(told.c_str()).x));
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
  ImGui::TextUnformatted(told.c_str());
  ImGui::PopStyleColor();
  ImGui::End();
}

// Letters with a dark seam, so that they can be read on anything
void seamed_text(ImDrawList& draw, ImVec2 at, ImU32 color, const char* text, float scale) {
  const ImU32 dark = IM_COL32(10, 12, 16, 200);
  for (const ImVec2 by : {ImVec2{1, 0}, ImVec2{-1, 0}, ImVec2{0, 1}, ImVec2{0, -1}})
    draw.AddText({at.x + by.x * scale, at.y + by.y * scale}, dark, text);
  draw.AddText(at, color, text);
}

// Labels that would lie on each other move up or down by a few lines; the first one stays
class LabelPlaces {
 public:
  ImVec2 take(ImVec2 at, ImVec2 size) {
    constexpr std::size_t kMost = 200;  // with more of them there is no room anyway
    constexpr int kTries[] = {0, 1, -1, 2, -2, 3, -3};
    ImVec2 chosen = at;
    for (const int lines : kTries) {
      const ImVec2 tried{at.x, at.y + static_cast<float>(lines) * ImGui::GetFontSize()};
      if (taken_.size() > kMost || is_free(tried, size)) {
        chosen = tried;
        break;
      }
    }
    taken_.push_back({chosen, size});
    return chosen;
  }

 private:
  struct Place {
    ImVec2 at, size;
  };
  bool is_free(ImVec2 at, ImVec2 size) const {
    // Letters do not fill their line
    const float slack = 0.2f * ImGui::GetFontSize();
    return std::none_of(taken_.begin(), taken_.end(), [&](const Place& p) {
      return at.x < p.at.x + p.size.x && p.at.x < at.x + size.x && at.y + slack < p.at.y + p.size.y &&
             p.at.y + slack < at.y + size.y;
    });
  }
  std::vector<Place> taken_;
};

}  // namespace

ViewArea view_area(const Ui& ui, float width, float height, float scale) {
  if (!ui.desk.settings.panels) return {0, 0, width, height};
  const float left = std::min(kLeftWidth * scale, width / 3);
  const float right = has_right_side(ui.desk.panel) ? std::min(kRightWidth * scale, width / 3) : 0;
  return {left, 0, std::max(1.f, width - left - right), std::max(1.f, height - kBottomHeight * scale)};
}

void show_panels(Ui& ui, const ViewArea& area, float width, float height, float scale) {
  if (ui.desk.settings.panels) {
    show_left(ui, area.x, area.height, scale);
    const float right = area.x + area.width;
    if (right < width) show_right(ui, right, width - right, area.height, scale);
    show_time(ui, area.height, width, height - area.height, scale);
  }
  // Who points leaves the keys to the view, and so does who has just come; Tab takes them to the panel
  if (ImGui::GetFrameCount() <= 2 && !ui.picker && !ui.help) ImGui::SetWindowFocus(nullptr);
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !ImGui::IsAnyItemActive() && !ui.picker && !ui.help &&
      !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup))
    ImGui::SetWindowFocus(nullptr);
  // What T takes and, without a pointer, F shoots at
  const CameraMode mode = ui.desk.camera.mode;
  if (ui.by_key || mode == CameraMode::walk || mode == CameraMode::fly) {
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const ImVec2 at{area.x + area.width / 2, area.y + area.height / 2};
    const ImU32 color = packed(color_of(ui.by_key ? Ink::highlight : Ink::text, 0.8f));
    for (const ImVec2 way : {ImVec2{1, 0}, ImVec2{-1, 0}, ImVec2{0, 1}, ImVec2{0, -1}})
      draw.AddLine({at.x + 3 * scale * way.x, at.y + 3 * scale * way.y},
                   {at.x + 9 * scale * way.x, at.y + 9 * scale * way.y}, color, 1.5f * scale);
  }
  if (!ui.desk.message().empty()) {
    ImDrawList& draw = *ImGui::GetForegroundDrawList();
    const float wrap = 0.8f * area.width;
    const ImVec2 size = ImGui::CalcTextSize(ui.desk.message().c_str(), nullptr, false, wrap);
    const ImVec2 at{area.x + (area.width - size.x) / 2, area.y + area.height - size.y - 24 * scale};
    draw.AddRectFilled({at.x - 12 * scale, at.y - 7 * scale}, {at.x + size.x + 12 * scale, at.y + size.y + 7 * scale},
                       IM_COL32(20, 23, 29, 235), 6 * scale);
    draw.AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, IM_COL32(240, 228, 66, 255), ui.desk.message().c_str(),
                 nullptr, wrap);
  }
}

void show_labels(const Ui& ui, const ViewArea& area, float scale) {
  if (!ui.desk.settings.labels) return;
  const double aspect = area.width / std::max(area.height, 1.f);
  const Mat4 clip = ui.desk.camera.projection(aspect, ui.desk.list.bounds()) * ui.desk.camera.view();
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  draw.PushClipRect({area.x, area.y}, {area.x + area.width, area.y + area.height});
  LabelPlaces places;
  for (const DrawnLabel& label : ui.desk.list.labels()) {
    const std::array<float, 4> p = apply(clip, label.p);
    if (!(p[3] > 0)) continue;
    const ImVec2 at{area.x + (p[0] / p[3] * 0.5f + 0.5f) * area.width + 6 * scale,
                    area.y + (0.5f - p[1] / p[3] * 0.5f) * area.height - ImGui::GetFontSize() / 2};
    // What is seen is read: a label does not go over the right border
    const ImVec2 size = ImGui::CalcTextSize(label.text.c_str());
    const float right = area.x + area.width - size.x - 4 * scale;
    const bool seen = at.x < area.x + area.width && at.x + size.x > area.x;
    const ImVec2 inside{seen ? std::max(std::min(at.x, right), area.x) : at.x, at.y};
    seamed_text(draw, places.take(inside, size), packed(label.color), label.text.c_str(), scale);
  }
  // Lights that were placed, as far as they are ahead
  for (std::size_t i = 0; i < ui.look.lights.size() && !ui.desk.list.flat; ++i) {
    const std::array<float, 4> p = apply(clip, ui.look.lights[i].position);
    if (!(p[3] > 0)) continue;
    const ImVec2 at{area.x + (p[0] / p[3] * 0.5f + 0.5f) * area.width,
                    area.y + (0.5f - p[1] / p[3] * 0.5f) * area.height};
    draw.AddCircleFilled(at, 5 * scale, packed(color_of(Ink::highlight)));
    seamed_text(draw, {at.x + 9 * scale, at.y - ImGui::GetFontSize() / 2}, packed(color_of(Ink::highlight)),
                ("light " + std::to_string(i + 1)).c_str(), scale);
  }
  draw.PopClipRect();
}

void show_help(Ui& ui, float width, float height, float scale) {
  if (!ui.help) return;
  const float w = std::min(width - 40 * scale, 1000 * scale), h = std::min(height - 40 * scale, 640 * scale);
  ImGui::SetNextWindowPos({(width - w) / 2, (height - h) / 2});
  ImGui::SetNextWindowSize({w, h});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4{0.11f, 0.125f, 0.155f, 0.985f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::Begin("help", nullptr, kFixed & ~ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::SetWindowFontScale(1.25f);
  ImGui::TextUnformatted("Sudar's lab: keys and pointer");
  ImGui::SetWindowFontScale(1);
  ImGui::Columns(2, "halves", false);
  const char* group = "";
  for (const Command& command : commands()) {
    if (std::string_view(command.group) != group) {
      if (std::string_view(command.group) == "Exhibit") ImGui::NextColumn();
      heading(command.group);
      group = command.group;
    }
    ImGui::PushStyleColor(ImGuiCol_Text, tone(color_of(Ink::highlight)));
    ImGui::TextUnformatted(command.keys);
    ImGui::PopStyleColor();
    ImGui::SameLine(120 * scale);
    wrapped(command.what);
  }
  ImGui::Columns(1);
  ImGui::Spacing();
  quiet(ui.machine + " · " + ui.renderer);
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

}  // namespace sudar::lab
