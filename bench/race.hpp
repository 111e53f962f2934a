// What:    What all races do: the order of a round, and the ratios of the rows once all times are known.
#pragma once

#include "bench/results.hpp"
#include <sudar/core/random.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace sudar_bench {

void shuffle(std::vector<std::size_t>& order, sudar::Random& random);

// To the best, by the least times and by those of the rounds
void set_ratios(std::span<Measurement> race);

}  // namespace sudar_bench
