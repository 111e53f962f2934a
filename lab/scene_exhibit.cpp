#include "lab/scene_exhibit.hpp"

namespace sudar::lab {

std::unique_ptr<Exhibit> make_scene_exhibit(std::string_view, std::string& why_not) {
  why_not = "living scenes are not built";
  return nullptr;
}

}  // namespace sudar::lab
