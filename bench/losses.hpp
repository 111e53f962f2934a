// What:    Where we lose: the races in which a peer was faster than ours, or ours failed, read from the rows alone.
// Differs: Ours is the first contestant, the one a user gets without asking; when another of ours is faster than it, the
//          sentence says so. A peer whose answers were not the same is named as such: being fast is no merit then.
#pragma once

#include "bench/results.hpp"

#include <span>
#include <string>
#include <vector>

namespace sudar_bench {

struct Loss {
  std::string table, workload, ours, peer;
  double ratio = 1;             // our time over the peer's
  double low = 0, high = 0;     // of the ratio of minima and of medians, the lesser and the larger
  bool peer_disagrees = false;  // in some round its answer was another, or some of its answers are wrong
  std::string faster_of_ours;   // another of ours, if it beats the first
  double ratio_of_faster = 0;   // its time over the peer's
  std::size_t wrong = 0;        // answers of the peer, `of` so many that were judged one by one
  std::size_t of = 0;
  std::string why;  // they are, where that is known
};

// One race: how many times as long the best peer took as ours
struct Standing {
  std::string table, workload, peer;
  double ratio = 1;             // of the least times
  double low = 0, high = 0;     // 10th and 90th percentile of single rounds; 0: not known
  bool peer_disagrees = false;  // as in Loss
};

struct Balance {
  std::vector<Loss> losses;  // the worst first
  std::size_t races = 0;     // with a peer in them
  std::size_t even = 0;      // within kEven of each other
  std::vector<Standing> standings;
};

// Closer than this is no difference on a shared machine
inline constexpr double kEven = 1.05;

Balance balance_of(std::span<const PartResult> parts);
std::string sentence(const Loss& loss);

}  // namespace sudar_bench
