// What:    Which contact point of a pair is which one of the update before: by the features that made it.
// Source:  seed A20 (new and persisting points); the features: narrowphase/features2.hpp and features3.hpp.
// Differs: First among the points of the same patch, then among those of the others: patches are counted by depth, which
//          changes from step to step. Of several points with one feature, as round shapes have, the first goes with the
//          first. Few points are compared each with each; many, as of two meshes, are sorted, with the same result
//          (PointMatching.SortedIsThePlainOne).
// Fails:   throws bad_alloc where `scratch` grows.
#pragma once

#include <sudar/scene/scene_types.hpp>

#include <span>
#include <vector>

namespace sudar {

// A point without its pair
struct FeatureInPatch {
  std::uint64_t feature;
  std::uint32_t patch, index;  // index: its place in the pair

  friend auto operator<=>(const FeatureInPatch&, const FeatureInPatch&) = default;
};

struct MatchScratch {
  std::vector<FeatureInPatch> old_points, new_points;
};

// `previous[i]` of new point i: the index of the old point that it continues, or kNoIndex; no old point is taken twice.
// The plain one changes nothing in the scratch but reads it; the sorted one sorts it.
SUDAR_API void match_plain(const MatchScratch& points, std::span<std::uint32_t> previous);
SUDAR_API void match_sorted(MatchScratch& points, std::span<std::uint32_t> previous);
// The one that is sooner done
SUDAR_API void match_points(MatchScratch& points, std::span<std::uint32_t> previous);

}  // namespace sudar
