#include "lab/exhibit_registry.hpp"

#include "lab/field_exhibits.hpp"
#include "lab/microscope.hpp"
#include "lab/query_file.hpp"
#include "lab/scene_exhibit.hpp"
#include "lab/shape_gallery.hpp"
#include "scenes/registry.hpp"

#include <algorithm>

namespace sudar::lab {

namespace {

// One line for each exhibit, by group and name
const std::vector<ExhibitEntry>& list() {
  static const std::vector<ExhibitEntry> entries = [] {
    std::vector<ExhibitEntry> all = {
        shape_gallery2_entry(), shape_gallery3_entry(), box_script_exhibit(), calipers_exhibit(), contacts2_exhibit(),
        contacts3_exhibit(),    delaunay2_exhibit(),    epa2_exhibit(),       epa3_exhibit(),     gjk2_exhibit(),
        gjk3_exhibit(),         hull2_exhibit(),        hull3_exhibit(),      sat2_exhibit(),     sat3_exhibit(),
        sweep_exhibit(),        tree_build_exhibit(),   triangles_exhibit(),  vclip_exhibit(),    welzl2_exhibit(),
        welzl3_exhibit(),
    };
    const auto fields = field_exhibits();
    all.insert(all.end(), fields.begin(), fields.end());
    return all;
  }();
  return entries;
}

// The exhibit with the case in it. One that does not show it says why.
std::unique_ptr<Exhibit> open_case(std::string_view text, std::string& why_not) {
  const CaseName name = case_name(text);
  CaseLine line;
  if (!find_case(name, line, why_not)) return nullptr;
  const std::string where = "line " + std::to_string(name.line) + " of " + name.path + ": ";
  if (line.exhibits.empty()) {
    why_not = where + shown_elsewhere(line);
    return nullptr;
  }
  std::unique_ptr<Exhibit> made = find_exhibit(line.exhibits.front())->make({}, why_not);
  if (made == nullptr || !set_from_text(*made, "case", name.text(), why_not)) return nullptr;
  Panel panel;
  made->tell(panel);
  for (const std::string& hint : panel.hints)
    if (hint.starts_with(kCaseNotShown)) {
      why_not = where + hint.substr(kCaseNotShown.size());
      return nullptr;
    }
  return made;
}

}  // namespace

std::span<const ExhibitEntry> exhibits() { return list(); }

std::span<const ExhibitEntry> catalogue() {
  static const std::vector<ExhibitEntry> entries = [] {
    std::vector<ExhibitEntry> all(list());
    for (const auto scenes : {sudar::scenes::all(), sudar::scenes::physics_scenes()})
      for (const sudar::scenes::SceneEntry& scene : scenes)
        all.push_back({scene.name, scene.name, "scene", scene.what, "", nullptr});
    return all;
  }();
  return entries;
}

const ExhibitEntry* find_exhibit(std::string_view name) {
  for (const ExhibitEntry& entry : catalogue())
    if (entry.name == name) return &entry;
  return nullptr;
}

std::string_view name_in(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_first_of(": \t", begin) - begin);
}

const ExhibitEntry* entry_of(std::string_view text) {
  if (!names_a_case(text)) return find_exhibit(name_in(text));
  CaseLine line;
  std::string unheard;
  return find_case(case_name(text), line, unheard) && !line.exhibits.empty() ? find_exhibit(line.exhibits.front())
                                                                             : nullptr;
}

std::unique_ptr<Exhibit> open(std::string_view text, std::string& why_not) {
  if (names_a_case(text)) return open_case(text, why_not);
  const std::string_view name = name_in(text);
  if (name.empty()) {
    why_not = "no exhibit is named";
    return nullptr;
  }
  const ExhibitEntry* entry = find_exhibit(name);
  if (entry == nullptr) {
    why_not = "there is no scene or exhibit '" + std::string(name) + "'; sudar lab --list prints those that there are";
    return nullptr;
  }
  const std::size_t end = static_cast<std::size_t>(name.data() - text.data()) + name.size();
  std::string parameters(end < text.size() ? text.substr(end + 1) : std::string_view());
  if (entry->make != nullptr) return entry->make(parameters, why_not);
  std::replace(parameters.begin(), parameters.end(), ',', ' ');
  return make_scene_exhibit(parameters.empty() ? std::string(name) : std::string(name) + " " + parameters, why_not);
}

}  // namespace sudar::lab
