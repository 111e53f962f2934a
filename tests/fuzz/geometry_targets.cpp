// Geometry from any numbers: hulls, polygons, surfaces and pairs of bodies. Decisions are checked by the exact tests that
// the library has for its own answers.
#include "tests/fuzz/bytes.hpp"
#include "tests/support/thin_pair.hpp"
#include <sudar/geom/hull2.hpp>
#include <sudar/geom/hull3.hpp>
#include <sudar/geom/mass3.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/mesh_from_hull.hpp>
#include <sudar/geom/mesh_weld.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/geom/polygon.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/shapes/polygon_parts.hpp>
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <vector>

namespace sudar_fuzz {

namespace {

using namespace sudar;

constexpr std::size_t kMostPoints = 64;

template <int D>
std::vector<Vec<D, double>> points_of(Bytes& bytes) {
  std::vector<Vec<D, double>> points;
  const bool any = bytes.below(8) == 0;
  while (!bytes.empty() && points.size() < kMostPoints)
    points.push_back(any ? bytes.any_vector<D>() : bytes.vector<D>());
  return points;
}
template <int D>
bool all_finite(const std::vector<Vec<D, double>>& points) {
  return std::all_of(points.begin(), points.end(), [](const auto& p) { return is_finite(p); });
}

Shape3 body_of(Bytes& bytes) {
  const auto or_point = [](const Result<Shape3>& made) { return made ? *made : *make_point3({0, 0, 0}); };
  switch (bytes.below(10)) {
    case 0:
      return or_point(make_sphere3(bytes.size()));
    case 1: {
      const Vec3d p = bytes.vector<3>(), q = bytes.vector<3>();
      return or_point(make_capsule3(p, q, bytes.size()));
    }
    case 2:
    case 3:
      return or_point(make_box3({bytes.size(), bytes.size(), bytes.size()}));
    case 4: {
      const double half_height = bytes.size();
      return or_point(make_cylinder3(half_height, bytes.size()));
    }
    case 5: {
      const double half_height = bytes.size();
      return or_point(make_cone3(half_height, bytes.size()));
    }
    case 6: {
      const Vec3d p = bytes.vector<3>(), q = bytes.vector<3>();
      return or_point(make_triangle3(p, q, bytes.vector<3>()));
    }
    case 7: {
      const Vec3d p = bytes.vector<3>();
      return or_point(make_segment3(p, bytes.vector<3>()));
    }
    case 8: {
      const Vec3d normal = bytes.vector<3>();
      return or_point(make_halfspace3(normal, bytes.number()));
    }
    default: {
      std::vector<Vec3d> points(1 + bytes.below(12));
      for (Vec3d& p : points) p = bytes.vector<3>();
      return or_point(make_hull_shape3(points, bytes.below(4) == 0 ? bytes.size() : 0));
    }
  }
}

Pose3d pose_of(Bytes& bytes) {
  Pose3d pose{bytes.vector<3>(), {}};
  if (bytes.below(3) != 0) return pose;
  const Quatd q{bytes.number(), bytes.number(), bytes.number(), bytes.number()};
  const double size = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  if (size > 1e-6 && size < 1e12) pose.rotation = normalized(q);
  return pose;
}

}  // namespace

void fuzz_hull(FuzzBytes all) {
  Bytes bytes(all);
  const HullOptions options{.merge_coplanar = bytes.coin(), .seed = bytes.byte()};
  const std::vector<Vec3d> points = points_of<3>(bytes);
  const auto quick = quickhull3<>(points, options);
  const auto plain = incremental_hull3<>(points, options);
  promise(quick.ok() == (!points.empty() && all_finite<3>(points)), "a hull of all finite points and of no other");
  promise(quick.ok() == plain.ok(), "both algorithms know what has a hull");
  if (!quick) {
    promise(quick.error() == plain.error(), "both name the same point");
    return;
  }
  promise(validate(*quick, points).ok() && validate(*plain, points).ok(), "a hull is proven");
  promise(same_hull(*quick, *plain), "both are the same hull");
  if (quick->dimension == 3)
    if (const auto mesh = to_mesh(*quick)) promise(check_solid(*mesh).ok(), "a hull is a solid");
}

void fuzz_polygon(FuzzBytes all) {
  Bytes bytes(all);
  const std::vector<Vec2d> points = points_of<2>(bytes);
  const bool good = !points.empty() && all_finite<2>(points);
  const auto hull = convex_hull2<>(points);
  promise(hull.ok() == good, "a hull of all finite points and of no other");
  if (!good) return;
  for (std::size_t i = 0; hull->size() > 2 && i < hull->size(); ++i)
    for (const Vec2d& p : points)
      promise(orient2d(points[(*hull)[i]], points[(*hull)[(i + 1) % hull->size()]], p) >= 0,
              "no point is outside of a hull");
  const auto crossing = find_crossing(points);
  const auto plain = find_crossing_plain(points);
  promise(crossing.ok() == plain.ok() && (!crossing || crossing->has_value() == plain->has_value()),
          "the sweep finds a crossing where the plain loop does");
  const auto triangles = triangulate(points);
  if (triangles) promise(triangles->size() + 2 <= points.size(), "a simple polygon is cut into n - 2 triangles");
  const auto parts = convex_parts(points);
  promise(parts.ok() == triangles.ok(), "what can be cut into triangles has convex parts");
  (void)make_polygon2(points).ok();
}

void fuzz_mesh_check(FuzzBytes all) {
  Bytes bytes(all);
  Mesh mesh;
  mesh.vertices.resize(bytes.below(24));
  const bool any = bytes.below(8) == 0;
  for (Vec3d& p : mesh.vertices) p = any ? bytes.any_vector<3>() : bytes.vector<3>();
  while (!bytes.empty() && mesh.triangles.size() < kMostPoints) {
    // Now and then one that is not there
    const auto index = [&] { return bytes.byte() % static_cast<std::uint32_t>(mesh.vertices.size() + 1); };
    mesh.triangles.push_back({index(), index(), index()});
  }
  const bool good = check_mesh(mesh).ok();
  const auto report = check_surface(mesh);
  promise(report.ok() == good, "every mesh has a report");
  const auto welded = weld(mesh);
  promise(welded.ok() || !good || welded.error().code == ErrorCode::degenerate, "every mesh is welded");
  if (!good) return;
  if (welded) promise(check_mesh(welded->mesh).ok(), "what is welded is a mesh");
  promise(check_solid(mesh).ok() == (report->triangles > 0 && report->solid()) || report->repeated_index_triangles,
          "both checks agree on what is solid");
  (void)mass_properties(mesh).ok();
  (void)winding_number(mesh, {0.1, 0.2, 0.3});
  (void)make_mesh_shape3(mesh.vertices, mesh.triangles, bytes.coin()).ok();
}

void fuzz_bodies(FuzzBytes all) {
  Bytes bytes(all);
  const Shape3 a = body_of(bytes), b = body_of(bytes);
  const Pose3d at_a = pose_of(bytes), at_b = pose_of(bytes);
  const bool hit = intersects(a, at_a, b, at_b);
  promise(hit == intersects(b, at_b, a, at_a), "the order of two bodies is no matter");
  const DistanceAnswer3 x = distance(a, at_a, b, at_b);
  if (x.status == QueryStatus::unsupported) return;
  promise(std::isfinite(x.separation) && is_finite(x.normal) && is_finite(x.point_a) && is_finite(x.point_b),
          "an answer is finite");
  promise(x.lower <= x.separation && x.separation <= x.upper, "an answer lies within its bounds");
  // But where a round body is so thin, or so small beside the other, that rounding leaves little of it (docs/guarantees.md)
  promise(x.status != QueryStatus::max_iterations || sudar_test::is_thin_pair(a, b), "no search ends at its limit");
  promise(hit ? x.separation <= 0 : x.separation >= 0, "yes and no is the sign of the distance");
  const ContactSet3 set = contacts(a, at_a, b, at_b, bytes.coin() ? 0.125 : 0);
  for (const auto& point : set.points)
    promise(is_finite(point.position) && std::isfinite(point.separation), "contacts are finite");
}

}  // namespace sudar_fuzz
