#include <sudar/bounding/aabb.hpp>
#include <sudar/geom/angle_sum.hpp>
#include <sudar/geom/disjoint_sets.hpp>
#include <sudar/geom/moved_side.hpp>
#include <sudar/sdf/field_tolerance.hpp>
#include <sudar/sdf/surface_caps.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace sudar {

namespace {

// How many more half-edges run from the lower to the higher vertex than back
int net_direction(const Mesh& mesh, const MeshAdjacency& who, const MeshEdge& edge) {
  int net = 0;
  for (std::uint32_t i = edge.first; i < edge.end; ++i) net += origin_of(mesh, who.around[i]) == edge.lo ? 1 : -1;
  return net;
}

// Adds the solid angles of caps; false on an edge of one
bool add_caps(std::span<const Triangle<3, double>> caps, const Vec3d& p, AngleSum& sum) {
  for (const Triangle<3, double>& t : caps) {
    const Vec3d a = t.a - p, b = t.b - p, c = t.c - p;
    const double la = length(a), lb = length(b), lc = length(c);
    const double x = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    double y = dot(a, cross(b, c));
    if (!(std::fabs(x) + std::fabs(y) > kCapEdge * (la * lb * lc))) return false;
    // Only where the plane of the cap is seen nearly edge on, from within the cap, does the sign decide a full turn
    if (x <= 0) {
      const int behind = -moved_side(t, p);
      if (behind == 0) continue;
      y = behind * std::max({std::fabs(y), kCapSlant * -x, std::numeric_limits<double>::min()});
    }
    sum.add(x, y);
  }
  return true;
}

}  // namespace

std::optional<double> SurfaceCaps::winding(const Vec3d& p) const noexcept {
  AngleSum sum;
  if (!add_caps(triangles, p, sum)) return std::nullopt;
  return sum.turns();
}

std::optional<double> SurfaceCaps::winding(const Vec3d& p, const CapsAround& around) const noexcept {
  AngleSum sum;
  for (const std::uint32_t i : around.near)
    if (!add_caps(std::span(triangles).subspan(chains[i].first, chains[i].end - chains[i].first), p, sum))
      return std::nullopt;
  return sum.turns();
}

CapsAround SurfaceCaps::around(const Vec3d& p, double reach) const {
  // What is left out when a chain counts as nothing, or as what it is at p
  struct Cost {
    double error;
    std::uint32_t chain;
    bool nothing;
  };
  CapsAround out;
  std::vector<Cost> costs;
  for (std::uint32_t i = 0; i < chains.size(); ++i) {
    const CapChain& c = chains[i];
    const double d = distance(p, c.middle) - c.radius - reach, scale = 1 / (4 * kPi * d * d);
    if (d > 0) {
      costs.push_back({std::min(c.area, reach * c.length) * scale, i, c.area <= reach * c.length});
    } else {
      out.near.push_back(i);
    }
  }
  // As many as there is room for, the cheapest first
  std::sort(costs.begin(), costs.end(),
            [](const Cost& a, const Cost& b) { return a.error != b.error ? a.error < b.error : a.chain < b.chain; });
  AngleSum sum;
  for (const Cost& cost : costs) {
    const CapChain& c = chains[cost.chain];
    AngleSum more = sum;
    if (out.error + cost.error > kCapsLeftOut ||
        (!cost.nothing && !add_caps(std::span(triangles).subspan(c.first, c.end - c.first), p, more))) {
      out.near.push_back(cost.chain);
      continue;
    }
    out.error += cost.error;
    sum = more;
  }
  out.far = sum.turns();
  return out;
}

SurfaceCaps make_surface_caps(const Mesh& mesh, const MeshAdjacency& who) {
  SurfaceCaps out;
  struct Border {
    std::uint32_t chain, from, to;
    int times;
  };
  std::vector<Border> border;
  DisjointSets chains(static_cast<std::uint32_t>(mesh.vertices.size()));
  for (const MeshEdge& edge : who.edges) {
    const int net = net_direction(mesh, who, edge);
    if (net == 0) continue;
    // The cap runs against the surface's own direction
    border.push_back({0, net > 0 ? edge.hi : edge.lo, net > 0 ? edge.lo : edge.hi, std::abs(net)});
    chains.join(edge.lo, edge.hi);
  }
  for (Border& edge : border) edge.chain = chains.find(edge.from);
  std::stable_sort(border.begin(), border.end(), [](const Border& a, const Border& b) { return a.chain < b.chain; });
  for (std::size_t i = 0; i < border.size();) {
    CapChain chain;
    chain.first = static_cast<std::uint32_t>(out.triangles.size());
    const std::uint32_t apex = border[i].chain;
    Aabb3d box = Aabb3d::empty();
    std::size_t end = i;
    for (; end < border.size() && border[end].chain == apex; ++end) {
      const Border& edge = border[end];
      const Vec3d &from = mesh.vertices[edge.from], &to = mesh.vertices[edge.to];
      box = merge(merge(box, from), to);
      chain.length += edge.times * distance(from, to);
      if (edge.from == apex || edge.to == apex) continue;
      const Triangle<3, double> cap{from, to, mesh.vertices[apex]};
      chain.area += edge.times * length(double_area(cap)) / 2;
      for (int k = 0; k < edge.times; ++k) out.triangles.push_back(cap);
    }
    chain.end = static_cast<std::uint32_t>(out.triangles.size());
    chain.middle = center(box);
    for (; i < end; ++i) chain.radius = std::max(chain.radius, distance(chain.middle, mesh.vertices[border[i].from]));
    chain.radius *= 1 + kCapSlack;  // and the rounding of distances
    if (chain.end > chain.first) out.chains.push_back(chain);
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
