// What:    The hull of points that have one.
#pragma once

#include <sudar/geom/hull3.hpp>

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace sudar_test {

inline sudar::Hull3 hull_of(const std::vector<sudar::Vec3d>& points, bool merge_coplanar = true) {
  auto hull = sudar::quickhull3(points, {.merge_coplanar = merge_coplanar});
  EXPECT_TRUE(hull.ok());
  return *std::move(hull);
}

}  // namespace sudar_test
