// What:    What a person should know of each broad phase: how it works, what it costs, when it wins and loses, where it is
//          from.
#pragma once

#include "lab/panel.hpp"

#include <span>
#include <string_view>

namespace sudar::lab {

struct AlgorithmNote {
  std::string_view name;
  std::string_view how;   // a paragraph
  std::string_view cost;  // n boxes, k pairs
  std::string_view wins, loses;
  std::string_view source;
};

// One for every algorithm of the registry, and one for none
std::span<const AlgorithmNote> algorithm_notes();
// Null when there is none of that name
const AlgorithmNote* note_on(std::string_view algorithm);
void tell_note(const AlgorithmNote& note, Panel& panel);

}  // namespace sudar::lab
