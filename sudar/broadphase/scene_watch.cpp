#include <sudar/broadphase/scene_watch.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {
constexpr std::uint64_t kShapeEvery = 8;    // looks between two measurements of sizes and crowding …
constexpr double kShapeChanged = 1.3;       // … unless the number of boxes or pairs changed by this factor
constexpr double kCrowdCells = 8;           // cells an axis for the measure of crowding
constexpr std::size_t kJournalSample = 64;  // entries looked at to tell moves from churn
constexpr double kInner = 0.8;              // share of the sample between the two quantiles of its extent
}  // namespace

template <int D>
void SceneWatch<D>::count(const BoxStore<D>& store, std::size_t pairs) noexcept {
  features_.plane = D == 2;
  features_.boxes = static_cast<double>(store.size());
  features_.pairs = static_cast<double>(pairs);
  features_.fixed = features_.boxes > 0 ? static_cast<double>(store.fixed_count()) / features_.boxes : 0;
  if (looks_ == 0) features_.moved = features_.boxes * (1 - features_.fixed);
}

template <int D>
void SceneWatch<D>::note(const BoxStore<D>& store) {
  sample_.clear();
  Random random(17 + looks_);
  for (std::size_t i = 0; i < std::min(kSample, store.size()); ++i) {
    const auto row = static_cast<std::uint32_t>(random.below(store.size()));
    sample_.push_back({store.ids()[row], store.box(row)});
  }
  seen_ = store.revision();
  noted_ = true;
}

template <int D>
void SceneWatch<D>::measure_shape() {
  scratch_.clear();
  for (const Sampled& s : sample_) {
    double edge = 0;
    for (int k = 0; k < D; ++k) edge += static_cast<double>(s.box.hi[k]) - s.box.lo[k];
    scratch_.push_back(edge / D);
  }
  std::sort(scratch_.begin(), scratch_.end());
  median_edge_ = scratch_.empty() ? 0 : scratch_[scratch_.size() / 2];
  const double large = scratch_.empty() ? 0 : scratch_[scratch_.size() * 95 / 100];
  features_.size_spread = median_edge_ > 0 ? large / median_edge_ : 1;
  measure_sweep();
  measure_crowding();
  shaped_boxes_ = features_.boxes;
  shaped_pairs_ = features_.pairs;
}

// What sweeps would meet. Two boxes overlap on an axis unless one ends before the other begins, so the sorted ends tell
// how many of the sampled pairs do. The density of ends is that of the middle of the scene.
template <int D>
void SceneWatch<D>::measure_sweep() {
  overlap_along_ = 1;
  ends_along_.fill(0);
  const std::size_t n = sample_.size();
  if (n < 2) return;
  for (int k = 0; k < D; ++k) {
    auto &lo = scratch_, &hi = other_scratch_;
    lo.clear();
    hi.clear();
    for (const Sampled& s : sample_) {
      lo.push_back(s.box.lo[k]);
      hi.push_back(s.box.hi[k]);
    }
    std::sort(lo.begin(), lo.end());
    std::sort(hi.begin(), hi.end());
    std::size_t apart = 0;
    for (std::size_t i = 0, j = 0; i < n; ++i) {
      while (j < n && hi[j] < lo[i]) ++j;
      apart += j;
    }
    const double all = 0.5 * static_cast<double>(n) * static_cast<double>(n - 1);
    overlap_along_ = std::min(overlap_along_, std::max(1.0, all - static_cast<double>(apart)) / all);
    const auto cut = static_cast<std::size_t>(0.5 * (1 - kInner) * static_cast<double>(n));
    const double inner = lo[n - 1 - cut] - lo[cut];
    ends_along_[static_cast<std::size_t>(k)] = inner > 0 ? 2 * kInner / inner : 0;
  }
}

// The chance that two sampled boxes lie in one cell of a coarse division, over that chance when they are spread evenly
template <int D>
void SceneWatch<D>::measure_crowding() {
  Aabb<D, double> all = Aabb<D, double>::empty();
  for (const Sampled& s : sample_)
    for (int k = 0; k < D; ++k) {
      all.lo[k] = std::min<double>(all.lo[k], s.box.lo[k]);
      all.hi[k] = std::max<double>(all.hi[k], s.box.lo[k]);
    }
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
}

// How far the sampled boxes went, and how differently: what all do together changes no order
template <int D>
void SceneWatch<D>::measure_motion(const BoxStore<D>& store) {
  for (auto& axis : went_) axis.clear();
  double went = 0, moving = 0, there = 0;
  for (const Sampled& s : sample_) {
    if (!store.contains(s.id)) continue;
    ++there;
    const Aabb<D, float> box = store.box(store.row_of(s.id));
    double square = 0;
    for (int k = 0; k < D; ++k) {
      const double d = static_cast<double>(box.lo[k]) - s.box.lo[k];
      went_[static_cast<std::size_t>(k)].push_back(d);
      square += d * d;
    }
    moving += box == s.box ? 0 : 1;
    went += std::sqrt(square);
  }
  features_.speed = moving > 0 && median_edge_ > 0 ? went / moving / median_edge_ : 0;
  moving_share_ = there > 0 ? moving / there : 1;
  features_.swaps = 0;
  for (int k = 0; k < D; ++k) {
    const auto& axis = went_[static_cast<std::size_t>(k)];
    if (axis.empty()) continue;
    // Of a copy: nth_element leaves an order of its own, and a sum rounds by its order
    scratch_ = axis;
    const auto middle = scratch_.begin() + static_cast<std::ptrdiff_t>(axis.size() / 2);
    std::nth_element(scratch_.begin(), middle, scratch_.end());
    const double common = *middle;
    double apart = 0;
    for (const double d : axis) apart += std::fabs(d - common);
    apart /= static_cast<double>(axis.size());
    features_.swaps += features_.boxes * features_.boxes * apart * ends_along_[static_cast<std::size_t>(k)];
  }
}

// By the journal when it reaches back, by the sample otherwise
template <int D>
void SceneWatch<D>::count_changes(const BoxStore<D>& store) {
  const auto changes = store.changes_since(seen_);
  if (!changes) {
    features_.churned = 0;
    features_.moved = features_.boxes * moving_share_;
    return;
  }
  const auto count = static_cast<double>(changes->size());
  features_.moved = std::min(features_.boxes, count);
  double churned = 0;
  const std::size_t stride = std::max<std::size_t>(1, changes->size() / kJournalSample);
  std::size_t seen = 0;
  for (std::size_t i = 0; i < changes->size(); i += stride, ++seen) {
    const BoxChange change = (*changes)[i].change;
    churned += change == BoxChange::moved || change == BoxChange::refiltered ? 0 : 1;
  }
  features_.churned = seen > 0 ? churned / static_cast<double>(seen) * count : 0;
}

template <int D>
const SceneFeatures& SceneWatch<D>::look(const BoxStore<D>& store, std::size_t pairs) {
  count(store, pairs);
  if (!noted_) note(store);
  const auto changed = [](double a, double b) { return a > kShapeChanged * b + 1 || b > kShapeChanged * a + 1; };
  if (looks_ % kShapeEvery == 0 || changed(features_.boxes, shaped_boxes_) || changed(features_.pairs, shaped_pairs_))
    measure_shape();
  measure_motion(store);
  count_changes(store);
  features_.along = 1 + features_.boxes * overlap_along_;
  ++looks_;
  noted_ = false;
  return features_;
}

template class SceneWatch<2>;
template class SceneWatch<3>;

}  // namespace sudar
