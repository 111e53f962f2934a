#include <sudar/geom/closest.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/depth_search.hpp>
#include <sudar/narrowphase/mesh_depth.hpp>
#include <sudar/narrowphase/mesh_mesh.hpp>
#include <sudar/narrowphase/mesh_near.hpp>
#include <sudar/narrowphase/part_placement.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

// The vertex of the mesh that lies farthest in a direction, which is given in the mesh's frame
Vec3d farthest_vertex(const TriangleMesh& mesh, const Vec3d& direction) {
  Vec3d best{};
  double most = -std::numeric_limits<double>::infinity();
  for (const MeshTriangle& t : mesh.mesh().triangles)
    for (const std::uint32_t v : t)
      if (const double d = dot(mesh.mesh().vertices[v], direction); d > most) most = d, best = mesh.mesh().vertices[v];
  return best;
}

// Overlap of the shadows on a direction: B moved so far along it is beyond A
double overlap_along(const TriangleMesh& a, const TriangleMesh& b, const Placement3& a_from_b, const Vec3d& direction) {
  const Vec3d p = farthest_vertex(a, direction), q_b = farthest_vertex(b, -to_b(a_from_b, direction));
  return dot(p, direction) - dot(transform(a_from_b, q_b) + a_from_b.rest, direction);
}

// What the search for a depth asks (depth_search.hpp)
struct MeshBodies {
  const MeshShape3 &a, &b;
  const Placement3& a_from_b;

  bool hits(const Vec3d& by) const { return intersects(a, b, moved(a_from_b, by)); }
  void near(const Vec3d& by, NearPieces<3>& out) const {
    for_each_near_pair(
        *a.mesh, *b.mesh, moved(a_from_b, by), [&] { return out.reach(); },
        [&](std::uint32_t, std::uint32_t, const DistanceAnswer3& x) {
          out.add(x);
          return !out.meets();
        });
  }
};

}  // namespace

double distance_to_surface(const TriangleMesh& mesh, const Vec3d& p, Vec3d& nearest) noexcept {
  double best = std::numeric_limits<double>::infinity();  // squared
  const auto bound = [&](const Aabb3d& box) {
    return length_squared(closest_point_in_box(box.lo, box.hi, p) - p) * (1 - 16 * kRoundoff);
  };
  for_each_nearer(mesh.tree(), bound, best, [&](std::uint32_t t) {
    const auto x = closest_point(mesh.triangle(t), p);
    if (x.distance_squared < best) best = x.distance_squared, nearest = x.point;
  });
  return std::sqrt(best);
}

double deepest_inside(const TriangleMesh& solid, const TriangleMesh& other, const Placement3& solid_from_other,
                      std::uint32_t most_points, Vec3d& direction) noexcept {
  const std::uint32_t stride = std::max(1u, other.triangle_count() / most_points);
  double deepest = 0;
  for (std::uint32_t t = 0; t < other.triangle_count(); t += stride) {
    // Corners of triangles: a vertex that none of them names is no part of the body
    const Vec3d p = transform(solid_from_other, other.triangle(t)[static_cast<int>(t % 3)]) + solid_from_other.rest;
    if (solid.locate(p) != Containment::inside) continue;
    Vec3d nearest{};
    if (const double d = distance_to_surface(solid, p, nearest); d > deepest) {
      deepest = d;
      direction = normalized(nearest - p);
    }
  }
  // The point was rounded to this frame, and so was its distance
  const double size = max_abs(solid.bounds().lo) + max_abs(solid.bounds().hi);
  return std::max(0.0, deepest - kMeshDistanceSlack * 2 * size);
}

DistanceAnswer3 mesh_depth(const MeshShape3& a, const MeshShape3& b, const Placement3& a_from_b) noexcept {
  const MeshBodies bodies{a, b, a_from_b};
  DepthSearch<3> search;
  search.size = max_abs(a.mesh->bounds().lo) + max_abs(a.mesh->bounds().hi) + max_abs(a_from_b.translation) +
                2 * (max_abs(b.mesh->bounds().lo) + max_abs(b.mesh->bounds().hi));
  Vec3d candidates[8];
  std::size_t count = 0;
  double least = 0;
  // The hulls first; for convex bodies they are the answer
  const Shape3 *hull_a = a.mesh->hull(), *hull_b = b.mesh->hull();
  if (hull_a != nullptr && hull_b != nullptr) {
    const DistanceAnswer3 hulls = convex_distance3(*hull_a, *hull_b, a_from_b);
    if (a.mesh->is_convex() && b.mesh->is_convex() && a.solid && b.solid && hulls.hit) return hulls;
    candidates[count++] = hulls.normal;
    // Bodies that are nearly convex are nearly as deep
    if (a.solid && b.solid && hulls.hit)
      least = std::max(0.0, -hulls.upper - (a.mesh->hull_excess() + b.mesh->hull_excess()));
  }
  // The boxes of the two, along every direction that is looked at
  const auto beyond = [&](const Vec3d& direction) {
    return overlap_along(*a.mesh, *b.mesh, a_from_b, direction) + 64 * kRoundoff * search.size;
  };
  const auto start = [&](const Vec3d& direction) {
    if (const double x = beyond(direction); x < search.best) search.best = x, search.direction = direction;
  };
  if (count > 0) start(candidates[0]);
  for (int k = 0; k < 3; ++k) {
    Vec3d axis{};
    axis[k] = 1;
    start(axis), start(-axis);
  }
  // From below: points of one inside of the other
  constexpr std::uint32_t kMostPoints = 256;
  Vec3d out_of_a{}, out_of_b{};
  if (a.solid) least = std::max(least, deepest_inside(*a.mesh, *b.mesh, a_from_b, kMostPoints, out_of_a));
  if (b.solid) least = std::max(least, deepest_inside(*b.mesh, *a.mesh, inverse(a_from_b), kMostPoints, out_of_b));
  candidates[count++] = out_of_a;
  candidates[count++] = -turn(a_from_b, out_of_b);
  // The way between the middles, and out of the planes of triangles that meet
  candidates[count++] = normalized(transform(a_from_b, center(b.mesh->bounds())) - center(a.mesh->bounds()));
  if (const auto pair = first_hit(*a.mesh, *b.mesh, a_from_b)) {
    candidates[count++] = normalized(double_area(a.mesh->triangle(pair->a)));
    candidates[count++] = -turn(a_from_b, normalized(double_area(b.mesh->triangle(pair->b))));
  }
  candidates[count++] = search.direction;
  search_depth<3>(search, {candidates, count}, least, bodies);
  return depth_answer(search, least, bodies);
}

}  // namespace sudar
