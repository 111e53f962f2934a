// What:    CGAL::convex_hull_3 as a contestant: inexact constructions with exact predicates, into a Surface_mesh.
#include "bench/peers/peers.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>
#include <CGAL/version.h>

#include <memory>
#include <vector>

namespace sudar_bench {

namespace {
using Point = CGAL::Exact_predicates_inexact_constructions_kernel::Point_3;
}

std::string cgal_version() { return CGAL_VERSION_STR; }

std::function<double()> cgal_hull_vertex_count(std::span<const sudar::Vec3d> points) {
  // Its points are made outside of the race
  auto converted = std::make_shared<std::vector<Point>>();
  for (const sudar::Vec3d& p : points) converted->emplace_back(p.x, p.y, p.z);
  return [converted] {
    CGAL::Surface_mesh<Point> mesh;
    CGAL::convex_hull_3(converted->begin(), converted->end(), mesh);
    return static_cast<double>(mesh.number_of_vertices());
  };
}

}  // namespace sudar_bench
