// What:    What `adaptive` knows of a scene: how many boxes, how many of them move, how far and how differently, sizes,
//          crowding, churn, and what a sweep along an axis would meet.
// Differs: Everything comes from counts that the store keeps, its journal, and a small random sample of boxes, so that a
//          look costs the same for any number of boxes. Motion is what the sampled boxes do between two steps: note()
//          writes down where they are, and the look() at the next step sees how far they went.
#pragma once

#include <sudar/broadphase/box_store.hpp>
#include <sudar/core/random.hpp>

#include <array>
#include <vector>

namespace sudar {

struct SceneFeatures {
  bool plane = false;  // boxes of 2D
  double boxes = 0;
  double moved = 0;        // boxes whose box changed since the last step
  double churned = 0;      // boxes inserted, removed or teleported
  double speed = 0;        // typical displacement a step, in typical edges
  double size_spread = 1;  // 95th percentile of edges over the median
  double fixed = 0;        // share that is fixed
  double pairs = 0;        // of the last step
  double crowding = 1;     // how much likelier two sampled boxes are near each other than if spread evenly
  double along = 1;        // boxes that a box meets in a sweep along the best axis
  double swaps = 0;        // ends of boxes that pass each other in a step, over all axes

  friend bool operator==(const SceneFeatures&, const SceneFeatures&) = default;
};

template <int D>
class SceneWatch {
 public:
  // What needs no look at boxes
  void count(const BoxStore<D>& store, std::size_t pairs) noexcept;
  // Where the sampled boxes are: one step before a look
  void note(const BoxStore<D>& store);
  // `pairs`: of the step before
  const SceneFeatures& look(const BoxStore<D>& store, std::size_t pairs);
  const SceneFeatures& features() const noexcept { return features_; }

 private:
  static constexpr std::size_t kSample = 128;
  struct Sampled {
    std::uint32_t id;
    Aabb<D, float> box;
  };

  void measure_shape();
  void measure_sweep();
  void measure_crowding();
  void measure_motion(const BoxStore<D>& store);
  void count_changes(const BoxStore<D>& store);

  std::vector<Sampled> sample_;
  std::vector<double> scratch_, other_scratch_;
  std::array<std::vector<double>, D> went_;
  SceneFeatures features_;
  std::uint64_t seen_ = 0;                      // revision at the last note
  bool noted_ = false;                          // at an earlier step
  std::uint64_t looks_ = 0;                     // so far
  double shaped_boxes_ = 0, shaped_pairs_ = 0;  // when sizes and crowding were measured
  double moving_share_ = 1;                     // of the sample
  double median_edge_ = 0;
  double overlap_along_ = 1;          // chance that two boxes meet along the best axis
  std::array<double, D> ends_along_;  // ends of boxes in a unit of length, for one box in the scene
};

}  // namespace sudar
