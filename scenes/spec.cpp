#include "scenes/spec.hpp"

#include "scenes/registry.hpp"
#include <sudar/io/double_text.hpp>

#include <charconv>
#include <cmath>

namespace sudar::scenes {

namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::string number_text(double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return {digits, end};
}

}  // namespace

Spec::Spec(const SceneEntry& scene) : scene_(&scene) {
  if (scene.physics())
    parameters_.assign(kPhysicsParameters.begin(), kPhysicsParameters.end());
  else
    parameters_.assign(kCommonParameters.begin(), kCommonParameters.end());
  // A scene may have its own default for a common parameter
  for (const SceneParameter& own : scene.parameters) {
    bool common = false;
    for (SceneParameter& p : parameters_)
      if (p.key == own.key) {
        p = own;
        common = true;
      }
    if (!common) parameters_.push_back(own);
  }
}

double Spec::operator[](std::string_view key) const {
  for (const SceneParameter& p : parameters_)
    if (p.key == key) return p.value;
  SUDAR_ASSERT(false);
  return 0;
}

Result<void> Spec::set(std::string_view key, double value) {
  for (SceneParameter& p : parameters_) {
    if (p.key != key) continue;
    if (!std::isfinite(value)) return Error{ErrorCode::non_finite, Error::kNoElement, "not a finite number"};
    if (value < p.lowest || value > p.highest)
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "out of range"};
    if (p.whole && value != std::floor(value))
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "not a whole number"};
    p.value = value;
    return {};
  }
  return Error{ErrorCode::unknown_id, Error::kNoElement, "the scene has no such parameter"};
}

std::string Spec::text() const {
  std::string text(scene_->name);
  for (const SceneParameter& p : parameters_) text += ' ' + std::string(p.key) + '=' + number_text(p.value);
  return text;
}

Result<Spec> parse(std::string_view text) {
  return guarded([&]() -> Result<Spec> {
    const auto words = words_of(text);
    if (words.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no scene is named"};
    const SceneEntry* scene = find(words[0]);
    if (scene == nullptr) return Error{ErrorCode::unknown_id, 0, "no scene of that name"};
    Spec spec(*scene);
    std::vector<std::string_view> seen;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::size_t equals = words[i].find('=');
      if (equals == std::string_view::npos) return Error{ErrorCode::invalid_argument, i, "not of the form key=value"};
      const std::string_view key = words[i].substr(0, equals), digits = words[i].substr(equals + 1);
      for (const std::string_view other : seen)
        if (other == key) return Error{ErrorCode::invalid_argument, i, "given twice"};
      seen.push_back(key);
      double value = 0;
      const auto [end, status] = read_double(digits, value);
      const bool number = status == std::errc() && end == digits.data() + digits.size();
      // An unknown key is named before its value is looked at
      const auto set = spec.set(key, number ? value : std::nan(""));
      if (!set && set.error().code == ErrorCode::unknown_id) return Error{ErrorCode::unknown_id, i, set.error().reason};
      if (!number) return Error{ErrorCode::invalid_argument, i, "not a number"};
      if (!set) return Error{set.error().code, i, set.error().reason};
    }
    return spec;
  });
}

std::string explain(std::string_view text, const Error& error) {
  const auto words = words_of(text);
  if (error.element >= words.size()) return std::string(error.reason);
  const std::string_view word = words[error.element];
  std::string line;
  if (error.element == 0) {
    line = "unknown scene '" + std::string(word) + "'; there are:";
    for (const std::span<const SceneEntry> list : {all(), physics_scenes()})
      for (const SceneEntry& entry : list) line += ' ' + std::string(entry.name);
    return line;
  }
  line = "scene parameter '" + std::string(word) + "': " + error.reason;
  const SceneEntry* scene = find(words[0]);
  if (scene == nullptr) return line;
  const Spec spec(*scene);
  const std::string_view key = word.substr(0, word.find('='));
  for (const SceneParameter& p : spec.parameters())
    if (p.key == key)
      return line + " (" + std::string(p.key) + " takes " + (p.whole ? "whole numbers" : "numbers") + " from " +
             number_text(p.lowest) + " to " + number_text(p.highest) + ')';
  line += "; " + std::string(scene->name) + " has:";
  for (const SceneParameter& p : spec.parameters()) line += ' ' + std::string(p.key);
  return line;
}

}  // namespace sudar::scenes
