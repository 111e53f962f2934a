#include <sudar/broadphase/scene_watch.hpp>

#include <algorithm>
#include <cmath>

namespace sudar::inline SUDAR_ABI {

namespace {
constexpr std::uint64_t kShapeEvery = 16;  // steps between two looks at sizes and crowding
constexpr double kCrowdCells = 8;          // cells an axis for the measure of crowding
}  // namespace

// Sizes and crowding of the sampled boxes. Crowding is the chance that two of them lie in one cell of a coarse division,
// over that chance when they are spread evenly.
template <int D>
void SceneWatch<D>::measure_shape(const BoxStore<D>& store) {
  sample_.clear();
  Random random(17);
  for (std::size_t i = 0; i < std::min(kSample, store.size()); ++i) {
    const auto row = static_cast<std::uint32_t>(random.below(store.size()));
    sample_.push_back({store.ids()[row], store.box(row)});
  }
  scratch_.clear();
  Aabb<D, double> all = Aabb<D, double>::empty();
  for (const Sampled& s : sample_) {
    double edge = 0;
    for (int k = 0; k < D; ++k) {
      edge += static_cast<double>(s.box.hi[k]) - s.box.lo[k];
      all.lo[k] = std::min<double>(all.lo[k], s.box.lo[k]);
      all.hi[k] = std::max<double>(all.hi[k], s.box.lo[k]);
    }
    scratch_.push_back(edge / D);
  }
  std::sort(scratch_.begin(), scratch_.end());
  median_edge_ = scratch_.empty() ? 0 : scratch_[scratch_.size() / 2];
  const double large = scratch_.empty() ? 0 : scratch_[scratch_.size() * 95 / 100];
  features_.size_spread = median_edge_ > 0 ? large / median_edge_ : 1;

  scratch_.clear();
  for (const Sampled& s : sample_) {
    double cell = 0;
    for (int k = 0; k < D; ++k) {
      const double extent = all.hi[k] - all.lo[k];
      const double place = extent > 0 ? (s.box.lo[k] - all.lo[k]) / extent * kCrowdCells : 0;
      cell = cell * kCrowdCells + std::floor(std::min(place, kCrowdCells - 1));
    }
    scratch_.push_back(cell);
  }
  std::sort(scratch_.begin(), scratch_.end());
  double together = 0;
  for (std::size_t i = 0, j = 0; i < scratch_.size(); i = j) {
    while (j < scratch_.size() && scratch_[j] == scratch_[i]) ++j;
    together += static_cast<double>(j - i) * static_cast<double>(j - i - 1);
  }
  const double count = static_cast<double>(scratch_.size());
  double cells = 1;
  for (int k = 0; k < D; ++k) cells *= kCrowdCells;
  const double evenly = count * (count - 1) / cells;
  features_.crowding = evenly > 0 ? std::max(1.0, together / evenly) : 1;
  shaped_boxes_ = static_cast<double>(store.size());
}

template <int D>
const SceneFeatures& SceneWatch<D>::look(const BoxStore<D>& store, std::size_t pairs) {
  const auto boxes = static_cast<double>(store.size());
  features_.boxes = boxes;
  features_.pairs = static_cast<double>(pairs);
  features_.fixed = boxes > 0 ? static_cast<double>(store.fixed_count()) / boxes : 0;

  // How far the sampled boxes went
  double went = 0, moving = 0, there = 0;
  for (Sampled& s : sample_) {
    if (!store.contains(s.id)) continue;
    ++there;
    const Aabb<D, float> box = store.box(store.row_of(s.id));
    if (box == s.box) continue;
    double square = 0;
    for (int k = 0; k < D; ++k) {
      const double d = static_cast<double>(box.lo[k]) - s.box.lo[k];
      square += d * d;
    }
    went += std::sqrt(square);
    ++moving;
    s.box = box;
  }
  features_.speed = moving > 0 && median_edge_ > 0 ? went / moving / median_edge_ : 0;

  // How many changed: by the journal when it reaches back, by the sample otherwise
  if (const auto changes = store.changes_since(seen_); changes && steps_ > 0) {
    double churned = 0;
    for (const JournalEntry& entry : *changes)
      churned += entry.change == BoxChange::moved || entry.change == BoxChange::refiltered ? 0 : 1;
    features_.churned = churned;
    features_.moved = std::min(boxes, static_cast<double>(changes->size()));
  } else {
    features_.churned = 0;
    features_.moved = there > 0 ? boxes * moving / there : boxes;
  }
  if (steps_ % kShapeEvery == 0 || boxes > 1.3 * shaped_boxes_ || 1.3 * boxes < shaped_boxes_) measure_shape(store);
  seen_ = store.revision();
  ++steps_;
  return features_;
}

template class SceneWatch<2>;
template class SceneWatch<3>;

}  // namespace sudar::inline SUDAR_ABI
