// What:    Pairs that nobody may get wrong, of every kind of shape that the peers have: apart by much, or overlapping by
//          much. A peer's adapter that makes a shape too large, turned or misplaced fails on them.
#pragma once

#include "bench/peers/case_peer.hpp"

#include <string>
#include <vector>

namespace sudar_bench {

struct PlainPair {
  std::string name;
  PlacedShape a, b;
  bool hit;
  double gap_lower, gap_upper;  // proven, when apart
};

std::vector<PlainPair> plain_pairs();

}  // namespace sudar_bench
