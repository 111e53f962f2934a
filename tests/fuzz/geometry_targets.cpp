// Geometry from any numbers: hulls, polygons and surfaces. Decisions are checked by the exact tests that the library has for
// its own answers.
#include "tests/fuzz/bytes.hpp"
#include <sudar/geom/hull2.hpp>
#include <sudar/geom/hull3.hpp>
#include <sudar/geom/mass3.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/mesh_from_hull.hpp>
#include <sudar/geom/mesh_weld.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/geom/polygon.hpp>
#include <sudar/math/predicates.hpp>
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
  // The proof is of one of them by turns, and the other is the same
  promise(validate(options.seed % 2 == 0 ? *quick : *plain, points).ok(), "a hull is proven");
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

}  // namespace sudar_fuzz
