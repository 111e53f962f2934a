// What:    What a broad phase finds, as a list that can be compared and kept.
#pragma once

#include <sudar/broadphase/broadphase.hpp>
#include <sudar/broadphase/sort_sweep.hpp>

#include <gtest/gtest.h>

#include <span>
#include <vector>

namespace sudar_test {

using Pairs = std::vector<sudar::IdPair>;

template <class T>
std::vector<T> to_vector(std::span<const T> values) {
  return {values.begin(), values.end()};
}
template <class T>
std::vector<T> to_vector(const sudar::Result<std::span<const T>>& answer) {
  EXPECT_TRUE(answer.ok());
  return {answer->begin(), answer->end()};
}

template <int D>
Pairs built_pairs(sudar::Broadphase<D>& algorithm, const sudar::BoxStore<D>& store) {
  EXPECT_TRUE(algorithm.build(store).ok());
  return to_vector(algorithm.pairs(store));
}
template <int D>
Pairs updated_pairs(sudar::Broadphase<D>& algorithm, const sudar::BoxStore<D>& store) {
  EXPECT_TRUE(algorithm.update(store).ok());
  return to_vector(algorithm.pairs(store));
}

// The sweep is the oracle here: it is itself checked against the plain loop, which is too slow for large numbers
template <int D>
void expect_as_swept(sudar::Broadphase<D>& algorithm, const sudar::BoxStore<D>& store) {
  sudar::SortSweep<D> sweep;
  EXPECT_EQ(built_pairs<D>(algorithm, store), built_pairs<D>(sweep, store)) << algorithm.name();
}

}  // namespace sudar_test
