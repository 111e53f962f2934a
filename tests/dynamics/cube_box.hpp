// What:    The box from the origin to one width along every axis.
#pragma once

#include <sudar/bounding/aabb.hpp>

namespace sudar_test {

template <int D>
sudar::Aabb<D, double> cube_box(double width) {
  sudar::Aabb<D, double> box;
  for (int i = 0; i < D; ++i) box.hi[i] = width;
  return box;
}

}  // namespace sudar_test
