// What:    What `adaptive` knows of a scene: how many boxes, how many of them move and how far, sizes, crowding, churn.
// Differs: Small changes are read from the journal of the store; otherwise a fixed random sample of boxes is compared with
//          where they were. Watching costs the same for any number of boxes, up to the length of the journal.
#pragma once

#include <sudar/broadphase/box_store.hpp>
#include <sudar/core/random.hpp>

#include <vector>

namespace sudar::inline SUDAR_ABI {

struct SceneFeatures {
  double boxes = 0;
  double moved = 0;        // boxes whose box changed since the last step
  double churned = 0;      // boxes inserted, removed or teleported
  double speed = 0;        // typical displacement a step, in typical edges
  double size_spread = 1;  // 95th percentile of edges over the median
  double fixed = 0;        // share that is fixed
  double pairs = 0;        // of the last step
  double crowding = 1;     // how much likelier two sampled boxes are near each other than if spread evenly

  friend bool operator==(const SceneFeatures&, const SceneFeatures&) = default;
};

template <int D>
class SceneWatch {
 public:
  // Called once a step; `pairs`: of the step before
  const SceneFeatures& look(const BoxStore<D>& store, std::size_t pairs);
  const SceneFeatures& features() const noexcept { return features_; }

 private:
  static constexpr std::size_t kSample = 128;
  struct Sampled {
    std::uint32_t id;
    Aabb<D, float> box;
  };

  void measure_shape(const BoxStore<D>& store);

  std::vector<Sampled> sample_;
  std::vector<double> scratch_;
  SceneFeatures features_;
  std::uint64_t seen_ = 0;
  std::uint64_t steps_ = 0;
  double shaped_boxes_ = 0;  // number of boxes when sizes and crowding were measured
  double median_edge_ = 0;
};

}  // namespace sudar::inline SUDAR_ABI
