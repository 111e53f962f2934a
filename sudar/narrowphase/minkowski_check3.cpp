#include <sudar/geom/hull3.hpp>
#include <sudar/geom/minkowski3.hpp>
#include <sudar/narrowphase/minkowski_check3.hpp>
#include <sudar/narrowphase/simplex3.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace sudar {

namespace {

// The face's fan of triangles, the nearest point of the nearest one
SimplexPoint3 nearest_of_fan(std::span<const DifferencePoint3> corners, DifferencePoint3 (&of)[3]) {
  SimplexPoint3 best;
  best.vv = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i<corners.size(); i += corners.size()> 2 ? 1 : corners.size()) {
    const DifferencePoint3 t[3] = {corners[0], corners[std::min(i, corners.size() - 1)],
                                   corners[std::min(i + 1, corners.size() - 1)]};
    const SimplexPoint3 r =
        corners.size() == 2 ? closest_on_edge(corners.data(), 0, 1) : closest_on_triangle(t, 0, 1, 2);
    if (r.vv < best.vv) {
      best = r;
      std::copy(t, t + 3, of);
      if (corners.size() == 2) of[1] = corners[1];
    }
  }
  return best;
}

Result<MinkowskiCheck3> check(const Difference3& difference) {
  std::vector<DifferencePoint3> points;
  std::vector<Vec3d> w;
  const std::size_t count = std::size_t{difference.a.count} * difference.b.count;
  if (count > kMaxHullPoints) return Error{ErrorCode::too_large};
  for (std::uint32_t i = 0; i < difference.a.count; ++i)
    for (std::uint32_t j = 0; j < difference.b.count; ++j) {
      points.push_back(difference.of_vertices(i, j));
      w.push_back(points.back().w);
    }
  const Result<Hull3> made = quickhull3(w, {.merge_coplanar = true});
  if (!made) return made.error();
  const Hull3& hull = *made;

  MinkowskiCheck3 out;
  out.hit = contains(hull, {0, 0, 0});
  SimplexPoint3 best;
  DifferencePoint3 of[3]{}, candidate[3]{};
  best.vv = std::numeric_limits<double>::infinity();
  const auto consider = [&](std::span<const DifferencePoint3> corners) {
    const SimplexPoint3 r = nearest_of_fan(corners, candidate);
    if (!(r.vv < best.vv)) return false;
    best = r;
    std::copy(candidate, candidate + 3, of);
    return true;
  };
  std::vector<DifferencePoint3> corners;
  if (hull.dimension < 2) {
    for (const std::uint32_t s : hull.source) corners.push_back(points[s]);
    if (corners.size() == 1) corners.push_back(corners[0]);
    consider(corners);
  }
  double least_plane = std::numeric_limits<double>::infinity(), least_corner = least_plane;
  for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
    corners.clear();
    for (std::uint32_t i = 0; i < hull.face_degree(f); ++i)
      corners.push_back(points[hull.source[hull.face_vertex(f, i)]]);
    consider(corners);
    // Inside, the nearest plane counts: its foot lies in the face. Rounded differences make faces so thin that no double
    // holds their normal: what counts is how far the set reaches along it, which is never less than the depth.
    const Vec3d& n = hull.planes[f].normal;
    const double plane = out.hit && dot(n, n) > 0.5 ? dot(n, difference.least(-n).w) : least_plane;
    if (plane < least_plane) {
      least_plane = plane;
      out.normal = n;
    }
    if (dot(n, n) > 0.5)
      for (const DifferencePoint3& corner : corners) least_corner = std::min(least_corner, dot(n, corner.w));
  }
  if (out.hit) {
    out.separation = hull.dimension < 3 ? 0 : -std::max(0.0, least_plane);
    out.inner = std::clamp(least_corner, 0.0, -out.separation);
  } else {
    out.separation = std::sqrt(best.vv);
    out.normal = normalized(-best.v);
  }
  Vec3d turned_b{};
  for (int i = 0; i < 3; ++i) {
    out.point_a += of[i].a * best.weight[i];
    turned_b += of[i].turned_b * best.weight[i];
  }
  out.point_b = difference.point_b(turned_b);
  return out;
}

}  // namespace

Result<MinkowskiCheck3> minkowski_check3(const Difference3& difference) noexcept {
  return guarded([&] { return check(difference); });
}

}  // namespace sudar
