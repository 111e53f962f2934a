// What:    From triangles to cells: merge circumcentres of cocircular triangles, then turn around each site, see the
//          header.
#include <sudar/geom/bisector.hpp>
#include <sudar/geom/disjoint_sets.hpp>
#include <sudar/geom/voronoi2.hpp>
#include <sudar/math/dyadic.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/math/tolerance.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {
namespace {

// An exact integer rounded to mantissa · 2^exponent
struct Rounded {
  double mantissa = 0;
  int exponent = 0;
};
template <int N>
Rounded rounded(const Dyadic<N>& x) {
  if (x.size == 0) return {};
  double m = static_cast<double>(x.limb[x.size - 1]);
  if (x.size > 1) m += 0x1p-64 * static_cast<double>(x.limb[x.size - 2]);
  return {x.negative ? -m : m, 64 * (x.size - 1)};
}

// Circumcentre relative to a, exact up to the last rounding
Vec2d exact_offset(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
  const int e = common_exponent(std::initializer_list<double>{a.x, a.y, b.x, b.y, c.x, c.y});
  const auto difference = [e](double x, double y) { return to_dyadic(x, e) - to_dyadic(y, e); };
  const auto ux = difference(b.x, a.x), uy = difference(b.y, a.y);
  const auto vx = difference(c.x, a.x), vy = difference(c.y, a.y);
  const auto u_squared = ux * ux + uy * uy, v_squared = vx * vx + vy * vy;
  const Rounded det = rounded(ux * vy - uy * vx);
  const auto over_twice_det = [&](const Rounded& n) {
    return std::ldexp(n.mantissa / det.mantissa, n.exponent - det.exponent + e - 1);
  };
  return {over_twice_det(rounded(u_squared * vy - v_squared * uy)),
          over_twice_det(rounded(v_squared * ux - u_squared * vx))};
}

// Direction of the bisector of u and w with u's side on the left
Vec2d along_bisector(const Vec2d& u, const Vec2d& w) {
  const Vec2d apart = w - u;
  return normalized(perp(is_finite(apart) ? apart : w * 0.5 - u * 0.5));
}

struct Corner {
  std::uint32_t triangle, corner;
};

// One corner at every site; on the hull the one from which a counterclockwise turn meets all triangles
std::vector<Corner> first_corners(const Delaunay2& delaunay) {
  std::vector<Corner> first(delaunay.first_of.size(), {Delaunay2::kNone, 0});
  for (std::uint32_t t = 0; t < delaunay.triangles.size(); ++t)
    for (std::uint32_t i = 0; i < 3; ++i) {
      Corner& corner = first[delaunay.triangles[t][i]];
      const bool starts_fan = delaunay.neighbours[t][(i + 2) % 3] == Delaunay2::kNone;
      if (corner.triangle == Delaunay2::kNone || starts_fan) corner = {t, i};
    }
  return first;
}

// Sites on a line, in order: each cell is a strip between parallel bisectors
void collinear_cells(std::span<const Vec2d> sites, const Delaunay2& delaunay, Voronoi2& out) {
  const auto& chain = delaunay.hull;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    Voronoi2::Cell& cell = out.cells[chain[k]];
    cell.neighbour_begin = static_cast<std::uint32_t>(out.cell_neighbours.size());
    if (k + 1 < chain.size()) {
      out.cell_neighbours.push_back(chain[k + 1]);
      cell.last_ray = along_bisector(sites[chain[k]], sites[chain[k + 1]]);
      cell.first_ray = -cell.last_ray;
    }
    if (k > 0) {
      out.cell_neighbours.push_back(chain[k - 1]);
      cell.last_ray = along_bisector(sites[chain[k]], sites[chain[k - 1]]);
      if (k + 1 == chain.size()) cell.first_ray = -cell.last_ray;
    }
    cell.neighbour_end = static_cast<std::uint32_t>(out.cell_neighbours.size());
  }
}

}  // namespace

Vec2d circumcenter(const Vec2d& a, const Vec2d& b, const Vec2d& c) noexcept {
  const Vec2d u = b - a, v = c - a;
  const double det = cross(u, v), terms = std::fabs(u.x * v.y) + std::fabs(u.y * v.x);
  const double uu = dot(u, u), vv = dot(v, v);
  // Plain doubles unless the points are close to collinear or a product may over- or underflow
  const bool moderate = uu + vv < 0x1p300 && terms > 0x1p-300;
  if (!(moderate && std::fabs(det) * kCircumcenterCondition >= terms)) return a + exact_offset(a, b, c);
  return a + Vec2d{v.y * uu - u.y * vv, u.x * vv - v.x * uu} / (2 * det);
}

Result<Voronoi2> voronoi2(std::span<const Vec2d> sites) {
  const Result<Delaunay2> delaunay = delaunay2(sites);
  if (!delaunay) return delaunay.error();
  return voronoi2(sites, *delaunay);
}

Result<Voronoi2> voronoi2(std::span<const Vec2d> sites, const Delaunay2& delaunay) {
  return guarded([&]() -> Result<Voronoi2> {
    if (delaunay.first_of.size() != sites.size())
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "the triangulation is of other points"};
    Voronoi2 out;
    out.dimension = delaunay.dimension;
    out.first_of = delaunay.first_of;
    out.cells.resize(sites.size());
    if (delaunay.dimension < 2) {
      collinear_cells(sites, delaunay, out);
      return out;
    }

    // One vertex for every set of adjacent triangles on the same circle
    const auto count = static_cast<std::uint32_t>(delaunay.triangles.size());
    DisjointSets same_circle(count);
    for (std::uint32_t t = 0; t < count; ++t) {
      const auto& v = delaunay.triangles[t];
      for (int i = 0; i < 3; ++i) {
        const std::uint32_t n = delaunay.neighbours[t][i];
        if (n == Delaunay2::kNone || n < t) continue;
        for (const std::uint32_t apex : delaunay.triangles[n])
          if (apex != v[0] && apex != v[1] && apex != v[2] &&
              incircle(sites[v[0]], sites[v[1]], sites[v[2]], sites[apex]) == 0)
            same_circle.join(t, n);
      }
    }
    std::vector<std::uint32_t> vertex(count);
    for (std::uint32_t t = 0; t < count; ++t) {
      const std::uint32_t lowest = same_circle.find(t);
      vertex[t] = lowest < t ? vertex[lowest] : static_cast<std::uint32_t>(out.vertices.size());
      if (lowest < t) continue;
      const auto& v = delaunay.triangles[t];
      out.vertices.push_back(circumcenter(sites[v[0]], sites[v[1]], sites[v[2]]));
      if (!is_finite(out.vertices.back()))
        return Error{ErrorCode::degenerate, v[0], "a Voronoi vertex lies beyond the range of double"};
    }

    // Turn around each site
    const std::vector<Corner> first = first_corners(delaunay);
    for (std::uint32_t site = 0; site < sites.size(); ++site) {
      Voronoi2::Cell& cell = out.cells[site];
      cell.vertex_begin = cell.vertex_end = static_cast<std::uint32_t>(out.cell_vertices.size());
      cell.neighbour_begin = cell.neighbour_end = static_cast<std::uint32_t>(out.cell_neighbours.size());
      if (first[site].triangle == Delaunay2::kNone) continue;
      std::uint32_t t = first[site].triangle, i = first[site].corner;
      cell.bounded = delaunay.neighbours[t][(i + 2) % 3] != Delaunay2::kNone;
      if (!cell.bounded) {
        const std::uint32_t right = delaunay.triangles[t][(i + 1) % 3];
        out.cell_neighbours.push_back(right);
        cell.first_ray = -along_bisector(sites[site], sites[right]);
      }
      out.cell_vertices.push_back(vertex[t]);
      do {
        // The edge of the cell across the edge of the triangle to its left corner
        const std::uint32_t left = delaunay.triangles[t][(i + 2) % 3], next = delaunay.neighbours[t][(i + 1) % 3];
        if (next == Delaunay2::kNone) {
          out.cell_neighbours.push_back(left);
          cell.last_ray = along_bisector(sites[site], sites[left]);
          break;
        }
        if (vertex[next] != vertex[t]) {
          out.cell_neighbours.push_back(left);
          out.cell_vertices.push_back(vertex[next]);
        }
        t = next;
        i = 0;
        while (delaunay.triangles[t][i] != site) ++i;
      } while (t != first[site].triangle);
      // A bounded loop ends with the vertex it began with
      if (cell.bounded && out.cell_vertices.size() > cell.vertex_begin + 1 &&
          out.cell_vertices.back() == out.cell_vertices[cell.vertex_begin])
        out.cell_vertices.pop_back();
      cell.vertex_end = static_cast<std::uint32_t>(out.cell_vertices.size());
      cell.neighbour_end = static_cast<std::uint32_t>(out.cell_neighbours.size());
    }
    return out;
  });
}

Result<std::vector<ClipPolygon>> clipped_cells(const Voronoi2& diagram, std::span<const Vec2d> sites,
                                               std::span<const Vec2d> polygon) {
  const Result<ClipPolygon> whole = make_clip_polygon(polygon);
  if (!whole) return whole.error();
  return guarded([&]() -> Result<std::vector<ClipPolygon>> {
    if (diagram.cells.size() != sites.size())
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "the diagram is of other sites"};
    for (std::size_t i = 0; i < sites.size(); ++i) {
      if (!is_finite(sites[i])) return Error{ErrorCode::non_finite, i, "a coordinate is NaN or infinite"};
      if (max_abs(sites[i]) > kMaxClipCoordinate)
        return Error{ErrorCode::invalid_argument, i, "a coordinate beyond 2^300"};
    }
    std::vector<ClipPolygon> cells(sites.size());
    ConvexClipper clipper;
    const double slack = clip_slack(*whole);
    for (std::size_t site = 0; site < sites.size(); ++site) {
      if (diagram.first_of[site] != site) continue;
      ClipPolygon cell = *whole;
      for (const std::uint32_t other : diagram.neighbours_of(site)) {
        const auto cut =
            clipper.clip(cell, polygon[0], bisector<2>(sites[site], sites[other], polygon[0]), other, slack);
        if (!cut) return cut.error();
        if (cell.empty()) break;
      }
      cells[site] = std::move(cell);
    }
    return cells;
  });
}

}  // namespace sudar
