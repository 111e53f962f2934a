// What:    How deep brackets nest in a text of JSON, looked at before it is parsed.
// Differs: What the parser makes is copied, printed and destroyed by recursion, so a line of a million brackets would take
//          the stack. Nothing that Sudar reads nests deeper than a few compounds.
#pragma once

#include <cstddef>
#include <string_view>

namespace sudar_cli {

inline constexpr std::size_t kMaxJsonDepth = 256;

inline bool nests_too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxJsonDepth) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace sudar_cli
