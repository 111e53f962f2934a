// What:    Two to four broad phases on the same frames: what each takes, and whether they find the same pairs.
// Differs: All of them read the boxes of the living scene, in an order that is drawn anew for every frame, so that none is
//          always the one that finds the boxes in the cache. A time is that of update() and pairs(), sorted.
// Fails:   unknown_id for a name that is none; out_of_memory of an algorithm takes it out of the race, and is told.
#pragma once

#include "lab/panel.hpp"
#include <sudar/broadphase/broadphase.hpp>
#include <sudar/core/random.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sudar::lab {

struct RaceResult {
  std::string name;
  std::size_t frames = 0;
  double median = 0, p95 = 0, p99 = 0, least = 0;  // milliseconds
  double ratio = 1;                                // of medians, to the best one
  std::uint64_t differing_frames = 0;              // in which its pairs were not those of the first
  std::uint64_t wins = 0;                          // frames in which it was the fastest
  bool out = false;                                // it ran out of memory
};

template <int D>
class Race {
 public:
  static constexpr std::size_t kMost = 4, kKept = 2000;  // contestants; frames that percentiles are taken of

  // From nothing
  Result<void> enter(std::span<const std::string> names, Executor& executor);
  bool running() const { return contestants_.size() >= 2; }
  void stop() { contestants_.clear(); }
  // One frame
  void run(const BoxStore<D>& store);

  std::size_t frames() const { return frames_; }
  std::vector<RaceResult> results() const;
  void tell(Panel& panel) const;
  std::string csv() const;

 private:
  struct Contestant {
    std::string name;
    std::unique_ptr<Broadphase<D>> algorithm;
    std::vector<double> ms;  // of the last kKept frames, in a ring
    double last = 0;
    std::uint64_t hash = 0, differing = 0, wins = 0;
    std::size_t pairs = 0;
    bool out = false;
  };

  std::vector<Contestant> contestants_;
  std::vector<std::size_t> order_;
  std::size_t frames_ = 0;
  std::uint64_t disagreements_ = 0;
  Random random_{1};
};

}  // namespace sudar::lab
