#include <sudar/geom/mesh_adjacency.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/geom/projection.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/shapes/convex_body3.hpp>
#include <sudar/shapes/mesh_convexity.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace sudar {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A body that is less convex than that has no excess worth knowing
constexpr double kNearlyConvex = 0x1p-6;
// Of a normal: slivers that are worse say nothing about their plane
constexpr double kClearNormal = 0x1p-20;
// Products of edges below it lose digits when they are squared
constexpr double kLeastArea = 0x1p-450;

// Every edge is convex or flat, seen from one and the same side
bool is_convex_along_edges(const Mesh& mesh, const std::vector<std::uint32_t>& twin) {
  bool in = false, out = false;
  for (std::uint32_t h = 0; h < twin.size(); ++h) {
    const std::uint32_t other = twin[h];
    if (other == kNoIndex) return false;
    if (other < h) continue;
    const Triangle<3, double> t = mesh.corners(triangle_of(h));
    const int side = orient3d(t.a, t.b, t.c, mesh.vertices[origin_of(mesh, previous_half_edge(other))]);
    in = in || side < 0;
    out = out || side > 0;
    if (in && out) return false;
  }
  return in || out;
}

enum class NoArea { refused, passed_over };

// From the point every triangle is seen from the same side, and the surface goes round it once: rays from there meet it once
bool is_star_about(const Mesh& mesh, const Vec3d& point, NoArea without_area) {
  int side = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle<3, double> t = mesh.corners(i);
    const int s = orient3d(t.a, t.b, t.c, point);
    if (s == 0 && without_area == NoArea::passed_over && collinear(t.a, t.b, t.c)) continue;
    if (s == 0 || s == -side) return false;
    side = s;
  }
  return side != 0 && std::abs(winding_number(mesh, point)) == 1;
}

Vec3d mean_of_corners(const Mesh& mesh) {
  Vec3d sum{};
  const double share = 1 / (3.0 * static_cast<double>(mesh.triangles.size()));
  for (const MeshTriangle& t : mesh.triangles)
    for (const std::uint32_t v : t) sum += mesh.vertices[v] * share;
  return sum;
}

}  // namespace

bool bounds_its_hull(const Mesh& mesh, const std::vector<std::uint32_t>& twin) {
  return is_convex_along_edges(mesh, twin) && is_star_about(mesh, mean_of_corners(mesh), NoArea::refused);
}

double excess_of_hull(const Mesh& mesh, const ConvexBody3& hull) {
  const Vec3d middle = hull.center();
  double radius = 0;
  for (const Vec3d& v : hull.vertices()) radius = std::max(radius, length(v - middle));
  radius *= 1 + 16 * kRoundoff;
  double most = 0;
  std::uint32_t far = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle<3, double> t = mesh.corners(i);
    if (collinear(t.a, t.b, t.c)) continue;
    Vec3d normal = cross(t.b - t.a, t.c - t.a);
    if (dot(normal, t.a - middle) < 0) normal = -normal;
    const double area = length(normal), error = 16 * kRoundoff * length(t.b - t.a) * length(t.c - t.a) / area;
    if (!(area > kLeastArea) || !(error <= kClearNormal)) return kInfinity;
    normal = normal / area;
    far = hull.support_climb(normal, far);
    const double rounding = (error + 16 * kRoundoff) * radius + 16 * kRoundoff * hull.size();
    const double plane = dot(normal, t.a - middle) - rounding;
    const double beyond = dot(normal, hull.vertices()[far] - middle) + rounding - plane;
    if (!(beyond <= kNearlyConvex * plane)) return kInfinity;
    most = std::max(most, beyond / plane);
  }
  // The dearest question comes last: most bodies are not convex, and a few triangles have told so
  if (!is_star_about(mesh, middle, NoArea::passed_over)) return kInfinity;
  return most * radius * (1 + 16 * kRoundoff);
}

}  // namespace sudar
