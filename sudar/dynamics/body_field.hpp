// What:    The names of the parts of a body's state, for hashes, comparisons and reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sudar {

// presence: one has the body and the other has not
enum class BodyField : std::uint8_t { presence, position, rotation, momentum, angular_momentum, asleep };

constexpr std::string_view to_string(BodyField field) {
  constexpr std::string_view kNames[] = {"presence", "position", "rotation", "momentum", "angular momentum", "asleep"};
  return kNames[static_cast<std::size_t>(field)];
}

}  // namespace sudar
