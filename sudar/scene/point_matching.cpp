#include <sudar/scene/point_matching.hpp>

#include <algorithm>

namespace sudar {

namespace {

// Comparisons up to which each with each is sooner done than sorting
constexpr std::size_t kFewPoints = 1024;

// Walk along two lists in order and pair off what `key` says is equal, the first with the first
template <class Key>
void pair_off(std::span<const FeatureInPatch> old_points, std::span<const FeatureInPatch> new_points, Key&& key,
              std::span<std::uint32_t> previous, std::vector<FeatureInPatch>& old_left,
              std::vector<FeatureInPatch>& new_left) {
  std::size_t i = 0, j = 0;
  while (i < old_points.size() || j < new_points.size()) {
    if (j == new_points.size() || (i < old_points.size() && key(old_points[i]) < key(new_points[j])))
      old_left.push_back(old_points[i++]);
    else if (i == old_points.size() || key(new_points[j]) < key(old_points[i]))
      new_left.push_back(new_points[j++]);
    else
      previous[new_points[j++].index] = old_points[i++].index;
  }
}

}  // namespace

void match_plain(const MatchScratch& points, std::span<std::uint32_t> previous) {
  std::fill(previous.begin(), previous.end(), kNoIndex);
  const auto taken = [&](std::uint32_t index) {
    return std::find(previous.begin(), previous.end(), index) != previous.end();
  };
  for (const bool same_patch : {true, false})
    for (const FeatureInPatch& now : points.new_points) {
      if (previous[now.index] != kNoIndex) continue;
      for (const FeatureInPatch& then : points.old_points) {
        if (then.feature != now.feature || (same_patch && then.patch != now.patch) || taken(then.index)) continue;
        previous[now.index] = then.index;
        break;
      }
    }
}

void match_sorted(MatchScratch& points, std::span<std::uint32_t> previous) {
  std::fill(previous.begin(), previous.end(), kNoIndex);
  MatchScratch left, rest;
  std::sort(points.old_points.begin(), points.old_points.end());
  std::sort(points.new_points.begin(), points.new_points.end());
  pair_off(
      points.old_points, points.new_points, [](const FeatureInPatch& x) { return std::pair(x.feature, x.patch); },
      previous, left.old_points, left.new_points);
  // What is left, patch or no patch
  for (auto* list : {&left.old_points, &left.new_points})
    std::sort(list->begin(), list->end(), [](const FeatureInPatch& a, const FeatureInPatch& b) {
      return a.feature != b.feature ? a.feature < b.feature : a.index < b.index;
    });
  pair_off(
      left.old_points, left.new_points, [](const FeatureInPatch& x) { return x.feature; }, previous, rest.old_points,
      rest.new_points);
}

void match_points(MatchScratch& points, std::span<std::uint32_t> previous) {
  if (points.old_points.size() * points.new_points.size() <= kFewPoints)
    match_plain(points, previous);
  else
    match_sorted(points, previous);
}

}  // namespace sudar
