// What:    A scene by name with its parameters, as people write it: 'cluster n=10000 speed=0.2 seed=7 dim=2'.
// Differs: One grammar for the command line, the lab, the benchmarks, the tests and Python: a name, then key=value
//          separated by blanks. Every parameter has a default and a range, so a spec that was read is a good one.
// Fails:   unknown_id for a name or key that does not exist, invalid_argument for a number that is none or is out of
//          range or given twice, non_finite for NaN and infinity. The element is the position of the word, 0 for the
//          name; explain() says it in a sentence.
#pragma once

#include <sudar/core/result.hpp>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sudar::scenes {

struct SceneEntry;

struct SceneParameter {
  std::string_view key, what;
  double value, lowest, highest;
  bool whole;
};

// What every scene of boxes understands
inline constexpr std::array<SceneParameter, 5> kCommonParameters = {{
    {"n", "number of boxes", 1000, 1, 20000000, true},
    {"dim", "dimension, 2 or 3", 3, 2, 3, true},
    {"seed", "of the random numbers", 1, 0, 9007199254740992.0, true},
    {"speed", "mean speed in widths of the world a second", 0.1, 0, 1000, false},
    {"overlap", "mean number of boxes that a box overlaps when all are spread evenly", 1, 0, 1000, false},
}};

// What every world of bodies understands; others have their own number of bodies, or none
inline constexpr std::array<SceneParameter, 2> kPhysicsParameters = {{
    {"dim", "dimension, 2 or 3", 3, 2, 3, true},
    {"seed", "of the random numbers", 1, 0, 9007199254740992.0, true},
}};

class Spec {
 public:
  explicit Spec(const SceneEntry& scene);

  const SceneEntry& scene() const noexcept { return *scene_; }
  // The key must exist
  double operator[](std::string_view key) const;
  std::size_t count() const { return static_cast<std::size_t>((*this)["n"]); }
  std::uint64_t seed() const { return static_cast<std::uint64_t>((*this)["seed"]); }
  int dim() const { return static_cast<int>((*this)["dim"]); }
  // All parameters of the scene, the common ones first, with their values here
  std::span<const SceneParameter> parameters() const noexcept { return parameters_; }

  Result<void> set(std::string_view key, double value);
  // Everything spelled out; reading it again gives the same spec
  std::string text() const;

 private:
  const SceneEntry* scene_;
  std::vector<SceneParameter> parameters_;
};

Result<Spec> parse(std::string_view text);

// One line for a person: what is wrong with which word of the text, and what would be right
std::string explain(std::string_view text, const Error& error);

}  // namespace sudar::scenes
