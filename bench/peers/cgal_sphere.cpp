// What:    CGAL's two smallest spheres of points as contestants, both in doubles: Min_sphere_of_spheres_d (Fischer
//          and Gärtner, farthest-first) and Min_sphere_d (Welzl, move-to-front).
#include "bench/peers/peers.hpp"

#include <CGAL/Cartesian.h>
#include <CGAL/Min_sphere_annulus_d_traits_3.h>
#include <CGAL/Min_sphere_d.h>
#include <CGAL/Min_sphere_of_points_d_traits_3.h>
#include <CGAL/Min_sphere_of_spheres_d.h>
#include <CGAL/version.h>

#include <cmath>
#include <memory>
#include <vector>

namespace sudar_bench {

namespace {
using Kernel = CGAL::Cartesian<double>;
using Points = std::vector<Kernel::Point_3>;

// Their points are made outside of the race
std::shared_ptr<Points> convert(std::span<const sudar::Vec3d> points) {
  auto converted = std::make_shared<Points>();
  for (const sudar::Vec3d& p : points) converted->emplace_back(p.x, p.y, p.z);
  return converted;
}
}  // namespace

std::string cgal_sphere_version() { return CGAL_VERSION_STR; }

std::function<double()> cgal_sphere_of_spheres_radius(std::span<const sudar::Vec3d> points) {
  return [converted = convert(points)] {
    using Traits = CGAL::Min_sphere_of_points_d_traits_3<Kernel, double>;
    CGAL::Min_sphere_of_spheres_d<Traits> sphere(converted->begin(), converted->end());
    return sphere.radius();
  };
}

std::function<double()> cgal_sphere_radius(std::span<const sudar::Vec3d> points) {
  return [converted = convert(points)] {
    using Traits = CGAL::Min_sphere_annulus_d_traits_3<Kernel>;
    const CGAL::Min_sphere_d<Traits> sphere(converted->begin(), converted->end());
    return std::sqrt(sphere.squared_radius());
  };
}

}  // namespace sudar_bench
