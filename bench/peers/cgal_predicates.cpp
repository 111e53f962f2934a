// What:    CGAL's filtered exact predicates as contestants: the sum of all signs over consecutive groups of points.
#include "bench/peers/peers.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/version.h>

#include <memory>
#include <vector>

namespace sudar_bench {

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

template <class Point, int kArity, class F>
std::function<double()> repeated(std::vector<Point> points, int repeat, F predicate) {
  const auto shared = std::make_shared<const std::vector<Point>>(std::move(points));
  return [shared, repeat, predicate] {
    long sum = 0;
    for (int r = 0; r < repeat; ++r)
      for (std::size_t i = 0; i < shared->size(); i += kArity) sum += static_cast<int>(predicate(&(*shared)[i]));
    return static_cast<double>(sum);
  };
}

}  // namespace

std::string cgal_predicates_version() { return CGAL_VERSION_STR; }

std::function<double()> cgal_signs(std::span<const sudar::Vec2d> points, bool in_circle, int repeat) {
  using Point = Kernel::Point_2;
  std::vector<Point> converted;
  for (const sudar::Vec2d& p : points) converted.emplace_back(p.x, p.y);
  if (in_circle)
    return repeated<Point, 4>(std::move(converted), repeat,
                              [](const Point* p) { return CGAL::side_of_oriented_circle(p[0], p[1], p[2], p[3]); });
  return repeated<Point, 3>(std::move(converted), repeat,
                            [](const Point* p) { return CGAL::orientation(p[0], p[1], p[2]); });
}

std::function<double()> cgal_signs(std::span<const sudar::Vec3d> points, bool in_sphere, int repeat) {
  using Point = Kernel::Point_3;
  std::vector<Point> converted;
  for (const sudar::Vec3d& p : points) converted.emplace_back(p.x, p.y, p.z);
  if (in_sphere)
    return repeated<Point, 5>(std::move(converted), repeat, [](const Point* p) {
      return CGAL::side_of_oriented_sphere(p[0], p[1], p[2], p[3], p[4]);
    });
  return repeated<Point, 4>(std::move(converted), repeat,
                            [](const Point* p) { return CGAL::orientation(p[0], p[1], p[2], p[3]); });
}

}  // namespace sudar_bench
