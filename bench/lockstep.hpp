// What:    Several broad phases that follow one scene of space in lockstep, step by step on one store, in random order, each with
//          the time of every step.
// Differs: Nobody follows the same one all the time, because what the one before leaves in the caches matters. Times are of the
//          processor, so that other programs on the machine do not count.
#pragma once

#include "bench/statistics.hpp"
#include "scenes/registry.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/random.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sudar_bench {

// The frame of a screen at 60 Hz, by which the seed divides a step: above 1 it is late
inline constexpr double kFrameMs = 1000.0 / 60;
// Steps that build, and are not counted
inline constexpr std::size_t kWarmUpSteps = 3;
inline constexpr std::size_t kMostForBruteForce = 10000;  // bodies

// Of this thread, milliseconds
double processor_ms();

struct Follower {
  std::string name;
  std::unique_ptr<sudar::Broadphase<3>> algorithm;
  std::vector<double> ms;  // of every step, the first one included
  std::size_t pairs = 0;   // of the last step
  bool out = false;        // takes no part any more

  // Without the first steps, which build
  Summary summary() const;
};

class Lockstep {
 public:
  using Settings = std::vector<std::pair<std::string_view, double>>;

  explicit Lockstep(std::uint64_t seed) : random_(seed) {}

  // By the name of the registry, under a title of its own; settings that the algorithm has not are left out
  void add(std::string_view algorithm, const std::string& title = {}, const Settings& settings = {});
  // Every one that is not out takes in the store as it is now and finds its pairs
  void step(const sudar::BoxStore<3>& store);

  std::vector<Follower>& followers() { return followers_; }
  const Follower* find(std::string_view name) const;
  // Steps in which not all found the same number of pairs
  std::size_t disagreements() const { return disagreements_; }

 private:
  sudar::Random random_;
  std::vector<Follower> followers_;
  std::vector<std::size_t> order_;
  std::size_t disagreements_ = 0;
};

// A scene of the registry; null when it cannot be made
std::unique_ptr<sudar::scenes::Scene<3>> make_scene3(const std::string& text);

// Two digits and the zeros behind them: "about 12 000"
std::string about(double count);

}  // namespace sudar_bench
