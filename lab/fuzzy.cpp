#include "lab/fuzzy.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace sudar::lab {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

}  // namespace

int fuzzy_score(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return 0;
  if (pattern.size() > text.size()) return -1;
  // best[j]: the best score of the letters so far with the last of them at j; -1 when there is none
  constexpr int kNone = -1;
  std::vector<int> best(text.size(), kNone), next(text.size());
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    int before = i == 0 ? 0 : kNone;  // the best of those that end before j - 1
    for (std::size_t j = 0; j < text.size(); ++j) {
      next[j] = kNone;
      if (i > 0 && j >= 2) before = std::max(before, best[j - 2]);
      if (lower(pattern[i]) != lower(text[j])) continue;
      const bool at_word = j == 0 || !is_letter(text[j - 1]);
      const int own = 1 + (at_word ? 8 : 0) + (j == 0 ? 4 : 0);
      if (before != kNone) next[j] = before + own;
      if (i > 0 && j > 0 && best[j - 1] != kNone) next[j] = std::max(next[j], best[j - 1] + own + 6);
    }
    best.swap(next);
  }
  const int score = *std::max_element(best.begin(), best.end());
  // Of two that fit equally, the shorter name
  return score == kNone ? kNone : 64 * score - std::min<int>(static_cast<int>(text.size()), 63);
}

}  // namespace sudar::lab
