// What:    What a text must be before it is parsed as JSON.
// Differs: What the parser makes is copied, printed and destroyed by recursion, so a line of a million brackets would take
//          the stack. Nothing that Sudar reads nests deeper than a few compounds. A byte of zero is the end of the text for the
//          parser, and what follows it would not be looked at.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace sudar_cli {

inline constexpr std::size_t kMaxJsonDepth = 256;

struct JsonFault {
  const char* code;
  const char* message;
};

// Why it is not parsed
inline std::optional<JsonFault> fault_of_json(std::string_view text) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == 0) return JsonFault{"bad_format", "a byte of zero is no JSON"};
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxJsonDepth) return JsonFault{"too_large", "brackets are nested too deeply"};
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return std::nullopt;
}

}  // namespace sudar_cli
