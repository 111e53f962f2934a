// What:    The fuzzy picker: a few letters, and the exhibits, scenes or commands that fit them best.
#include "lab/fuzzy.hpp"
#include "lab/ui.hpp"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace sudar::lab {

namespace {

struct Found {
  int score;
  std::size_t index;
};

template <class Name>
std::vector<Found> matches(std::size_t count, std::string_view pattern, Name name) {
  std::vector<Found> found;
  for (std::size_t i = 0; i < count; ++i)
    if (const int score = name(i, pattern); score >= 0) found.push_back({score, i});
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.score > b.score; });
  return found;
}

// The lines of the file that is typed, read when its name changes
void find_cases(Ui& ui, bool anew) {
  const std::string path = case_name(ui.pattern).path;
  if (path == ui.cases_of && !anew) return;
  ui.cases_of = path;
  ui.no_cases.clear();
  ui.cases = read_query_file(path, ui.no_cases);
}

}  // namespace

void show_picker(Ui& ui, float width, float height, float scale) {
  if (!ui.picker) return;
  const float w = std::min(width - 40 * scale, 760 * scale), h = std::min(height - 80 * scale, 480 * scale);
  ImGui::SetNextWindowPos({(width - w) / 2, std::min(60 * scale, (height - h) / 2)});
  ImGui::SetNextWindowSize({w, h});
  if (ui.picker_opened) ImGui::SetNextWindowFocus();
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4{0.12f, 0.138f, 0.17f, 0.99f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::Begin("picker", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNavInputs);
  if (ui.picker_opened) ImGui::SetKeyboardFocusHere();
  const bool just_opened = std::exchange(ui.picker_opened, false);
  ImGui::SetNextItemWidth(-1);
  const std::string before = ui.pattern;
  const bool entered = ImGui::InputTextWithHint(
      "##pattern",
      ui.picks_commands ? "a command"
                        : "an exhibit or a scene, with parameters after a colon if you like; @FILE: a file of cases",
      &ui.pattern, ImGuiInputTextFlags_EnterReturnsTrue);
  if (ui.pattern != before) ui.picked = 0;

  const auto all = catalogue();
  const auto all_commands = commands();
  const std::string_view typed = name_in(ui.pattern);
  std::vector<Found> found;
  const bool picks_cases = !ui.picks_commands && names_a_case(ui.pattern);
  if (picks_cases) {
    find_cases(ui, just_opened);
    for (std::size_t i = 0; i < ui.cases.size(); ++i) found.push_back({0, i});
    if (ui.pattern != before) ui.picked = static_cast<int>(case_name(ui.pattern).line) - 1;
  } else if (ui.picks_commands)
    found = matches(all_commands.size(), ui.pattern, [&](std::size_t i, std::string_view pattern) {
      return all_commands[i].run == nullptr ? -1 : fuzzy_score(pattern, all_commands[i].what);
    });
  else
    found = matches(all.size(), typed, [&](std::size_t i, std::string_view pattern) {
      return std::max(fuzzy_score(pattern, all[i].name), fuzzy_score(pattern, all[i].title));
    });
  if (ImGui::IsKeyPressed(GLFW_KEY_DOWN)) ++ui.picked;
  if (ImGui::IsKeyPressed(GLFW_KEY_UP)) --ui.picked;
  ui.picked = std::clamp(ui.picked, 0, std::max(0, static_cast<int>(found.size()) - 1));

  int chosen = entered && !found.empty() ? ui.picked : -1;
  ImGui::BeginChild("found", {0, 0}, false, ImGuiWindowFlags_NoNavInputs);
  for (std::size_t i = 0; i < found.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const bool is_picked = static_cast<int>(i) == ui.picked;
    const std::size_t index = found[i].index;
    const ImVec2 at = ImGui::GetCursorPos();
    if (ImGui::Selectable("##line", is_picked, 0, {0, ImGui::GetTextLineHeight() + 4 * scale}))
      chosen = static_cast<int>(i);
    if (is_picked && (ImGui::IsKeyPressed(GLFW_KEY_DOWN) || ImGui::IsKeyPressed(GLFW_KEY_UP))) ImGui::SetScrollHereY();
    const ImVec2 after = ImGui::GetCursorPos();
    const auto column = [&](float x, std::string_view text, bool is_quiet) {
      ImGui::SetCursorPos({at.x + x * scale, at.y + 2 * scale});
      const std::string line(text.substr(0, text.find('.')));
      if (is_quiet)
        ImGui::TextDisabled("%s", line.c_str());
      else
        ImGui::TextUnformatted(line.c_str());
    };
    if (ui.picks_commands) {
      column(6, all_commands[index].keys, true);
      column(140, all_commands[index].what, false);
    } else if (picks_cases) {
      column(6, "line " + std::to_string(index + 1), false);
      column(90, ui.cases[index].told(), true);
    } else {
      column(6, all[index].name, false);
      column(200, all[index].group, true);
      column(290, all[index].title == all[index].name ? all[index].paragraph : all[index].title, true);
    }
    ImGui::SetCursorPos(after);
    ImGui::PopID();
  }
  if (picks_cases && found.empty()) ImGui::TextDisabled("%s", ui.no_cases.c_str());
  ImGui::EndChild();
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  if (chosen < 0) return;
  ui.picker = false;
  ImGui::SetWindowFocus(nullptr);
  const std::size_t index = found[static_cast<std::size_t>(chosen)].index;
  if (ui.picks_commands) return all_commands[index].run(ui);
  if (picks_cases) return open_or_say(ui, CaseName{ui.cases_of, index + 1}.text());
  // Parameters that were typed behind the letters go to what was found
  const std::size_t end = typed.empty() ? 0 : static_cast<std::size_t>(typed.data() - ui.pattern.data()) + typed.size();
  open_or_say(ui, std::string(all[index].name) + ui.pattern.substr(end));
}

}  // namespace sudar::lab
