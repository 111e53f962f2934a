// What:    The sets of boxes that broad phases race on, standing and moving.
// Frame:   Edges uniform in [0.5, 1.5], world [0, 2 n^(1/D)]^D: each box overlaps about one other.
#pragma once

#include "bench/pair_search.hpp"

#include <cstdint>

namespace sudar_bench {

template <int D>
double world_width(std::size_t n);

// Edges `scale` times as long
template <int D>
BoxRows uniform_boxes(std::size_t n, std::uint64_t seed, double scale = 1);
// One box in a hundred is twenty times larger
template <int D>
BoxRows mixed_boxes(std::size_t n, std::uint64_t seed);
// A hundred clusters, each a tenth of the world wide
template <int D>
BoxRows clustered_boxes(std::size_t n, std::uint64_t seed);
// Centres by a normal distribution
template <int D>
BoxRows blob_boxes(std::size_t n, std::uint64_t seed);
// All but ten in one crowd as dense as `uniform`, in a world a million times as wide
template <int D>
BoxRows crowd_boxes(std::size_t n, std::uint64_t seed);

// `frames` steps of `uniform`, each body straight on by `step` widths of the world and reflected at the walls
template <int D>
std::vector<BoxRows> moving_boxes(std::size_t n, double step, std::size_t frames, std::uint64_t seed);
// All centres shrink towards the middle, until the density is 23 times that of the first frame
template <int D>
std::vector<BoxRows> converging_boxes(std::size_t n, std::size_t frames, std::uint64_t seed);

}  // namespace sudar_bench
