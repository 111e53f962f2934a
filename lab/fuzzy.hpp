// What:    How well a few typed letters fit a name: all of them in order, better at the beginnings of words and side by side.
#pragma once

#include <string_view>

namespace sudar::lab {

// Negative when they do not fit; an empty pattern fits everything with 0. Letters of either case.
int fuzzy_score(std::string_view pattern, std::string_view text);

}  // namespace sudar::lab
