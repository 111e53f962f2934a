// What:    The headless tour: every built-in scene, in 2D and 3D, under every broad phase.
// Differs: All algorithms see the same step one after another, so what disturbs the machine disturbs all of them; each
//          scene is played several times from its start, and the best time of a step counts. The pairs of every step
//          are hashed and compared.
#pragma once

#include <sudar/core/result.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sudar_cli {

struct TourOptions {
  std::size_t boxes = 4000;  // of each scene whose answer is not quadratic
  int steps = 16;
  int rounds = 2;  // the best time of so many counts
  std::uint64_t seed = 1;
};

inline constexpr double kLeastTime = 1e-6;  // milliseconds

struct TourTime {
  std::string algorithm;
  double median_ms = 0, min_ms = 0;
  std::uint64_t box_tests = 0;  // of the last step
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;  // of the pairs of all steps of all rounds
};

// The boxes at the last step
struct Snapshot {
  struct Item {
    std::array<float, 3> lo, hi;  // z is 0 in 2D
    bool fixed, overlaps;
  };
  int dim = 2;
  std::vector<Item> items;
};

struct TourStop {
  std::string scene, spec, what;
  int dim = 2;
  std::size_t boxes = 0, pairs = 0;  // pairs of the last step
  std::uint64_t pairs_in_all = 0;    // of all steps and rounds
  std::vector<TourTime> times;
  std::size_t fastest = 0;
  bool agree = true;
  Snapshot snapshot;
};

struct Tour {
  TourOptions options;
  std::vector<TourStop> stops;

  bool agree() const;
};

// Calls progress(done, total, name of the next stop)
sudar::Result<Tour> run_tour(const TourOptions& options,
                             const std::function<void(std::size_t, std::size_t, const std::string&)>& progress);

}  // namespace sudar_cli
