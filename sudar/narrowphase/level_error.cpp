#include <sudar/geom/closest.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/level_error.hpp>
#include <sudar/narrowphase/mesh_depth.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace sudar {

namespace {

constexpr std::size_t kMostTries = 100000, kMostCells = 4000;

// The triangle of a mesh that is nearest to a point
std::uint32_t nearest_triangle(const TriangleMesh& mesh, const Vec3d& p, double& distance) {
  double best = std::numeric_limits<double>::infinity();
  std::uint32_t found = 0;
  const auto bound = [&](const Aabb3d& box) {
    return length_squared(closest_point_in_box(box.lo, box.hi, p) - p) * (1 - 16 * kRoundoff);
  };
  for_each_nearer(mesh.tree(), bound, best, [&](std::uint32_t t) {
    if (const auto x = closest_point(mesh.triangle(t), p); x.distance_squared < best)
      best = x.distance_squared, found = t;
  });
  distance = std::sqrt(best);
  return found;
}

// The queues give the largest: the farthest, of equals what was found first
struct Piece {
  double bound;
  std::size_t number;
  Triangle<3, double> t;

  friend bool operator<(const Piece& x, const Piece& y) {
    return x.bound != y.bound ? x.bound < y.bound : x.number > y.number;
  }
};
struct SpaceCell {
  double bound;
  std::size_t number;
  Vec3d middle, half;

  friend bool operator<(const SpaceCell& x, const SpaceCell& y) {
    return x.bound != y.bound ? x.bound < y.bound : x.number > y.number;
  }
};

}  // namespace

double surface_error(const TriangleMesh& from, const TriangleMesh& to, double accuracy) {
  double reached = 0;  // by some point
  std::priority_queue<Piece> queue;
  std::size_t found = 0;
  const auto add = [&](const Triangle<3, double>& t) {
    const Vec3d c = (t.a + t.b + t.c) / 3;
    double at_center;
    const Triangle<3, double> nearest = to.triangle(nearest_triangle(to, c, at_center));
    reached = std::max(reached, at_center);
    double at_corners = 0, way = 0;
    for (int k = 0; k < 3; ++k) {
      at_corners = std::max(at_corners, closest_point(nearest, t[k]).distance_squared);
      way = std::max(way, distance(t[k], c));
    }
    queue.push({std::min(std::sqrt(at_corners), at_center + way), found++, t});
  };
  for (std::uint32_t t = 0; t < from.triangle_count(); ++t) add(from.triangle(t));
  std::size_t tries = 0;
  while (queue.top().bound > reached + accuracy && tries++ < kMostTries) {
    const Triangle<3, double> t = queue.top().t;
    queue.pop();
    // The longest edge in two
    int k = 0;
    for (int i = 1; i < 3; ++i)
      if (distance(t[i], t[(i + 1) % 3]) > distance(t[k], t[(k + 1) % 3])) k = i;
    const Vec3d middle = (t[k] + t[(k + 1) % 3]) * 0.5, &apex = t[(k + 2) % 3];
    add({t[k], middle, apex});
    add({middle, t[(k + 1) % 3], apex});
  }
  const double size = max_abs(from.bounds().lo) + max_abs(from.bounds().hi) + max_abs(to.bounds().hi);
  return std::max(queue.top().bound, reached) + kMeshDistanceSlack * size;
}

double hull_error(const Shape3& hull, const MeshShape3& to, double accuracy) {
  const Aabb3d box = bounding_box(hull);
  const ConvexView3 view = make_view(hull);
  double reached = 0;
  std::priority_queue<SpaceCell> queue;
  std::size_t found = 0;
  const auto add = [&](const Vec3d& middle, const Vec3d& half) {
    // A cell beside the hull does not count, one that sticks out of it counts as a whole
    ConvexView3 cell;
    cell.kind = CoreKind3::box;
    cell.count = 8;
    cell.p[0] = half;
    cell.size = max_abs(half);
    Placement3 there;
    there.translation = middle;
    if (!convex_intersects3(view, cell, there)) return;
    const auto error_at = [&](const Vec3d& p) {
      Vec3d nearest;
      const bool inside = to.solid && to.mesh->locate(p) != Containment::outside;
      return inside ? 0.0 : distance_to_surface(*to.mesh, p, nearest);
    };
    const double d = error_at(middle);
    // Only what is in the hull was reached
    if (d + length(half) > reached) {
      const DistanceAnswer3 x = convex_distance3(view, ConvexView3{}, there);
      reached = std::max(reached, x.hit ? d : error_at(x.point_a));
    }
    queue.push({d + length(half), found++, middle, half});
  };
  add(center(box), half_extents(box));
  std::size_t tries = 0;
  while (!queue.empty() && queue.top().bound > reached + accuracy && tries++ < kMostCells) {
    const SpaceCell cell = queue.top();
    queue.pop();
    int axis = 0;
    for (int i = 1; i < 3; ++i)
      if (cell.half[i] > cell.half[axis]) axis = i;
    Vec3d half = cell.half, step{};
    half[axis] /= 2;
    step[axis] = half[axis];
    add(cell.middle - step, half);
    add(cell.middle + step, half);
  }
  const double size = max_abs(box.lo) + max_abs(box.hi);
  return (queue.empty() ? reached : std::max(queue.top().bound, reached)) + kMeshDistanceSlack * size;
}

}  // namespace sudar
