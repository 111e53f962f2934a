#include <sudar/geom/angle_sum.hpp>
#include <sudar/geom/closest.hpp>
#include <sudar/geom/disjoint_sets.hpp>
#include <sudar/geom/moved_side.hpp>
#include <sudar/sdf/field_tolerance.hpp>
#include <sudar/sdf/surface_caps.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

// How many more half-edges run from the lower to the higher vertex than back
int net_direction(const Mesh& mesh, const MeshAdjacency& who, const MeshEdge& edge) {
  int net = 0;
  for (std::uint32_t i = edge.first; i < edge.end; ++i) net += origin_of(mesh, who.around[i]) == edge.lo ? 1 : -1;
  return net;
}

}  // namespace

std::optional<double> SurfaceCaps::winding(const Vec3d& p) const noexcept {
  AngleSum sum;
  for (const Triangle<3, double>& t : triangles) {
    const Vec3d a = t.a - p, b = t.b - p, c = t.c - p;
    const double la = length(a), lb = length(b), lc = length(c);
    const double x = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    double y = dot(a, cross(b, c));
    if (!(std::fabs(x) + std::fabs(y) > kCapEdge * (la * lb * lc))) return std::nullopt;
    // Only where the plane of the cap is seen nearly edge on, from within the cap, does the sign decide a full turn
    if (x <= 0) {
      const int behind = -moved_side(t, p);
      if (behind == 0) continue;
      y = behind * std::max({std::fabs(y), kCapSlant * -x, std::numeric_limits<double>::min()});
    }
    sum.add(x, y);
  }
  return sum.turns();
}

std::optional<double> SurfaceCaps::steady_winding(const Vec3d& p, double reach) const noexcept {
  for (const Triangle<3, double>& t : triangles)
    if (closest_point(t, p).distance_squared <= reach * reach) return std::nullopt;
  double change = 0;
  for (const Segment<3, double>& edge : border) {
    const double d = std::sqrt(closest_point(edge, p).distance_squared) - reach;
    if (!(d > 0)) return std::nullopt;
    change += reach * distance(edge.a, edge.b) / (4 * kPi * d * d);
  }
  const std::optional<double> here = winding(p);
  if (!here || !(change < 0.5)) return std::nullopt;
  const double from_half = std::fabs(*here - std::floor(*here) - 0.5);
  if (!(from_half > change + kWindingError)) return std::nullopt;
  return here;
}

SurfaceCaps make_surface_caps(const Mesh& mesh, const MeshAdjacency& who) {
  SurfaceCaps out;
  std::vector<std::pair<const MeshEdge*, int>> border;
  for (const MeshEdge& edge : who.edges)
    if (const int net = net_direction(mesh, who, edge); net != 0) border.emplace_back(&edge, net);
  if (border.empty()) return out;
  DisjointSets chains(static_cast<std::uint32_t>(mesh.vertices.size()));
  for (const auto& [edge, net] : border) chains.join(edge->lo, edge->hi);
  for (const auto& [edge, net] : border) {
    // The cap runs against the surface's own direction
    const std::uint32_t apex = chains.find(edge->lo), from = net > 0 ? edge->hi : edge->lo,
                        to = net > 0 ? edge->lo : edge->hi;
    for (int i = 0; i < std::abs(net); ++i) out.border.push_back({mesh.vertices[from], mesh.vertices[to]});
    if (from == apex || to == apex) continue;
    for (int i = 0; i < std::abs(net); ++i)
      out.triangles.push_back({mesh.vertices[from], mesh.vertices[to], mesh.vertices[apex]});
  }
  return out;
}

std::optional<std::uint32_t> open_triangle(const MeshAdjacency& who) noexcept {
  std::optional<std::uint32_t> lowest;
  for (const MeshEdge& edge : who.edges)
    if (edge.count() % 2 != 0) {
      const std::uint32_t t = triangle_of(who.around[edge.first]);
      if (!lowest || t < *lowest) lowest = t;
    }
  return lowest;
}

}  // namespace sudar
