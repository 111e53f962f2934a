// What:    A hull as FCL wants it.
#pragma once

#include <sudar/geom/hull3.hpp>

#include <fcl/geometry/shape/convex.h>

#include <memory>
#include <vector>

namespace sudar_bench {

inline fcl::Convex<double> fcl_convex(const sudar::Hull3& hull) {
  auto vertices = std::make_shared<std::vector<fcl::Vector3<double>>>();
  for (const sudar::Vec3d& p : hull.vertices) vertices->emplace_back(p.x, p.y, p.z);
  auto faces = std::make_shared<std::vector<int>>();
  for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
    faces->push_back(static_cast<int>(hull.face_degree(f)));
    for (std::uint32_t i = 0; i < hull.face_degree(f); ++i) faces->push_back(static_cast<int>(hull.face_vertex(f, i)));
  }
  return fcl::Convex<double>(vertices, static_cast<int>(hull.face_count()), faces);
}

}  // namespace sudar_bench
