#include "lab/scene_exhibit.hpp"

#include "lab/live_exhibit.hpp"
#include "scenes/registry.hpp"

#include <algorithm>

namespace sudar::lab {

namespace {

struct SceneText {
  std::string scene;                                               // what scenes/spec.hpp reads
  std::vector<std::pair<std::string_view, std::string_view>> lab;  // the lab's own
};

// Words whose key the scene does not know are the lab's: "cluster n=1000 algorithm=sap"
SceneText split_scene_text(std::string_view text) {
  SceneText split;
  const scenes::SceneEntry* scene = nullptr;
  for (bool first = true;; first = false) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return split;
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(" \t\r\n"));
    text.remove_prefix(word.size());
    if (first) scene = scenes::find(word);
    const std::size_t equals = word.find('=');
    bool own = first || scene == nullptr || equals == std::string_view::npos;
    if (!own) {
      const scenes::Spec spec(*scene);
      for (const scenes::SceneParameter& p : spec.parameters()) own |= p.key == word.substr(0, equals);
    }
    if (own)
      split.scene += (split.scene.empty() ? "" : " ") + std::string(word);
    else
      split.lab.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
}

template <int D>
std::unique_ptr<Exhibit> make_living(const scenes::Spec& spec, std::string& why_not) {
  auto made = LiveExhibit<D>::make(spec);
  if (!made) {
    why_not = std::string(spec.scene().name) + ": " + made.error().message();
    return nullptr;
  }
  return *std::move(made);
}

}  // namespace

std::unique_ptr<Exhibit> make_scene_exhibit(std::string_view text, std::string& why_not) {
  const SceneText split = split_scene_text(text);
  const auto spec = scenes::parse(split.scene);
  if (!spec) {
    why_not = scenes::explain(split.scene, spec.error());
    return nullptr;
  }
  std::unique_ptr<Exhibit> exhibit = spec->dim() == 2 ? make_living<2>(*spec, why_not) : make_living<3>(*spec, why_not);
  if (exhibit == nullptr) return nullptr;
  for (const auto& [name, value] : split.lab)
    if (!set_from_text(*exhibit, name, value, why_not)) return nullptr;
  return exhibit;
}

}  // namespace sudar::lab
