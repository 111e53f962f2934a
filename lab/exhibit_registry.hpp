// What:    Everything that the lab can show, by name: the exhibits of the list below, and every scene of scenes/.
// Fails:   open() gives null and one line that says which name, parameter or number is wrong.
#pragma once

#include "lab/exhibit.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sudar::lab {

struct ExhibitEntry {
  std::string_view name;       // lower-case words with underscores
  std::string_view title;      // a few words
  std::string_view group;      // "scene", "live", "microscope", "field" …
  std::string_view paragraph;  // the explanation
  std::string_view source;     // paper, book, seed
  // Null, and why not, when a parameter is unknown or out of range. "n=100,seed=1"
  std::unique_ptr<Exhibit> (*make)(std::string_view parameters, std::string& why_not);
};

// The list
std::span<const ExhibitEntry> exhibits();

// Exhibits, then scenes (group "scene", made by make_scene_exhibit): what the picker and --list show
std::span<const ExhibitEntry> catalogue();
// In the catalogue; null when there is none of that name
const ExhibitEntry* find_exhibit(std::string_view name);

// "NAME", "NAME:n=100,seed=1", or as scenes are written, "NAME n=100 seed=1"; "@FILE" or "@FILE:LINE" opens the exhibit that
// shows this line of a file of `sudar query`
std::unique_ptr<Exhibit> open(std::string_view text, std::string& why_not);
// The name at the beginning of such a text
std::string_view name_in(std::string_view text);
// What open() opens: that name, or of a case the exhibit that shows it; null when there is none
const ExhibitEntry* entry_of(std::string_view text);

}  // namespace sudar::lab
