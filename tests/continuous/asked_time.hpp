// What:    The time of impact of two bodies that may be asked about, by every method that takes any of them.
// Frame:   any; metres, seconds.
#pragma once

#include "tests/continuous/moving_bodies.hpp"
#include <sudar/continuous/time_of_impact.hpp>

#include <gtest/gtest.h>

namespace sudar_test {

constexpr sudar::ToiMethod kMethods[] = {sudar::ToiMethod::automatic, sudar::ToiMethod::conservative,
                                         sudar::ToiMethod::halving};

template <int D>
sudar::ToiAnswer<D> toi(const MovingBody<D>& a, const MovingBody<D>& b, const sudar::ToiOptions& options = {}) {
  const auto x = sudar::time_of_impact(a.shape, a.pose, a.motion, b.shape, b.pose, b.motion, options);
  EXPECT_TRUE(x.ok());
  return *x;
}

}  // namespace sudar_test
