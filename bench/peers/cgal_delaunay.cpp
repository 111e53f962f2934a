// What:    CGAL's Delaunay triangulations as contestants: inexact constructions with exact predicates, all points at once
//          (its own spatial sort).
#include "bench/peers/peers.hpp"

#include <CGAL/Delaunay_triangulation_2.h>
#include <CGAL/Delaunay_triangulation_3.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/version.h>

#include <memory>
#include <vector>

namespace sudar_bench {

namespace {
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
}

std::string cgal_delaunay_version() { return CGAL_VERSION_STR; }

// Their points are made outside of the race
std::function<double()> cgal_delaunay2_triangles(std::span<const sudar::Vec2d> points) {
  auto converted = std::make_shared<std::vector<Kernel::Point_2>>();
  for (const sudar::Vec2d& p : points) converted->emplace_back(p.x, p.y);
  return [converted] {
    const CGAL::Delaunay_triangulation_2<Kernel> d(converted->begin(), converted->end());
    return static_cast<double>(d.number_of_faces());
  };
}

std::function<double()> cgal_delaunay3_tetrahedra(std::span<const sudar::Vec3d> points, bool count_tetrahedra) {
  auto converted = std::make_shared<std::vector<Kernel::Point_3>>();
  for (const sudar::Vec3d& p : points) converted->emplace_back(p.x, p.y, p.z);
  return [converted, count_tetrahedra] {
    const CGAL::Delaunay_triangulation_3<Kernel> d(converted->begin(), converted->end());
    return static_cast<double>(count_tetrahedra ? d.number_of_finite_cells() : d.number_of_vertices());
  };
}

}  // namespace sudar_bench
