#include <sudar/math/infinity.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/depth_search.hpp>
#include <sudar/narrowphase/internal_edges.hpp>
#include <sudar/narrowphase/mesh_convex.hpp>
#include <sudar/narrowphase/mesh_depth.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/pressed_normal.hpp>
#include <sudar/narrowphase/primitives3.hpp>
#include <sudar/narrowphase/stack_list.hpp>
#include <sudar/narrowphase/surface_view.hpp>
#include <sudar/narrowphase/view_box.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

ConvexView3 view_of(const Triangle<3, double>& t) {
  ConvexView3 view;
  view.count = 3;
  for (int i = 0; i < 3; ++i) view.p[i] = t[i], view.size = std::max(view.size, max_abs(t[i]));
  return view;
}

Aabb3d box_around(const Triangle<3, double>& t) {
  Aabb3d box;
  for (int k = 0; k < 3; ++k)
    box.lo[k] = std::min({t.a[k], t.b[k], t.c[k]}), box.hi[k] = std::max({t.a[k], t.b[k], t.c[k]});
  return box;
}
double gap_of(const Aabb3d& a, const Aabb3d& b) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double gap = std::max({0.0, a.lo[k] - b.hi[k], b.lo[k] - a.hi[k]});
    sum += gap * gap;
  }
  return std::sqrt(sum) * (1 - 8 * kRoundoff);
}

template <class Surface>
bool surface_hits(const Surface& surface, const ConvexView3& view, const Placement3& placement) {
  bool hit = false;
  surface.overlapping(view_box(view, placement), [&](std::uint32_t t) {
    hit = convex_intersects3(view_of(surface.triangle(t)), view, placement);
    return !hit;
  });
  return hit;
}
bool holds(const TriangleMesh& mesh, const ConvexView3& view, const Placement3& placement) {
  return mesh.locate(transform(placement, view.center()) + placement.rest) != Containment::outside;
}

// A half-space in the surface's frame: its lowest vertex against the plane
template <class Surface>
DistanceAnswer3 half_space_distance(const Surface& surface, const HalfSpaceShape3& half, const Placement3& a_from_b) {
  const Vec3d n = a_from_b.turned ? a_from_b.turn * half.normal : half.normal;
  const double offset = half.offset + dot(n, a_from_b.translation + a_from_b.rest);
  double best = kInfinity;
  Vec3d lowest{};
  const auto bound = [&](const Aabb3d& box) {
    double sum = 0, size = 0;
    for (int k = 0; k < 3; ++k) {
      sum += std::min(n[k] * box.lo[k], n[k] * box.hi[k]);
      size += std::max(std::fabs(box.lo[k]), std::fabs(box.hi[k]));
    }
    return sum - 16 * kRoundoff * size;
  };
  surface.nearer(bound, best, [&](std::uint32_t t) {
    const Triangle<3, double> x = surface.triangle(t);
    for (int i = 0; i < 3; ++i)
      if (const double d = dot(n, x[i]); d < best) best = d, lowest = x[i];
  });
  DistanceAnswer3 out;
  out.separation = best - offset;
  out.hit = out.separation <= 0;
  // Any vertex may be the lowest by rounding, also one with larger coordinates
  const Aabb3d bounds = surface.bounds();
  const double slack = kMeshDistanceSlack * (max_abs(bounds.lo) + max_abs(bounds.hi) + std::fabs(half.offset) +
                                             max_abs(a_from_b.translation));
  out.lower = out.separation - slack, out.upper = out.separation + slack;
  out.normal = -n;
  out.point_a = lowest;
  out.point_b = lowest - n * out.separation;
  return out;
}

// None is met, also where a corner of a triangle is so far away that rounding lets the two meet: they are as far apart as their
// boxes, or by as much more as rounding is at that size
void part(DistanceAnswer3& x, const Aabb3d& triangle, const Aabb3d& other) {
  Vec3d way{};
  double size = 0;
  for (int k = 0; k < 3; ++k) {
    way[k] = std::max(0.0, other.lo[k] - triangle.hi[k]) - std::max(0.0, triangle.lo[k] - other.hi[k]);
    size += std::fabs(triangle.lo[k]) + std::fabs(triangle.hi[k]) + std::fabs(other.lo[k]) + std::fabs(other.hi[k]);
  }
  const double gap = gap_of(triangle, other);
  if (gap > 0) x.normal = normalized(way);
  x.lower = x.separation = gap;
  x.upper = gap + kMeshDistanceSlack * size;
  settle(x, false);
  x.point_b = x.point_a + x.normal * x.separation;
}

// The nearest triangle, where none is met
template <class Surface>
DistanceAnswer3 triangle_distance(const Surface& surface, const ConvexView3& view, const Placement3& placement) {
  const Aabb3d box = view_box(view, placement);
  DistanceAnswer3 answer;
  answer.separation = kInfinity;
  int tested = 0;
  double best = kInfinity;
  surface.nearer([&](const Aabb3d& other) { return gap_of(box, other); }, best,
                 [&](std::uint32_t t) {
                   const Triangle<3, double> triangle = surface.triangle(t);
                   DistanceAnswer3 x = convex_distance3(view_of(triangle), view, placement);
                   if (x.hit) part(x, box_around(triangle), box);
                   const double lower = tested++ == 0 ? x.lower : std::min(answer.lower, x.lower);
                   if (x.separation < answer.separation) answer = x;
                   answer.lower = lower;
                   best = answer.separation;
                 });
  answer.iterations = tested;
  return answer;
}

DistanceAnswer3 unsupported() {
  DistanceAnswer3 out;
  out.status = QueryStatus::unsupported;
  return out;
}

// What the search for a depth asks (depth_search.hpp)
template <class Surface>
struct SurfaceBodies {
  const Surface& surface;
  const TriangleMesh* solid;  // or a surface only
  const ConvexView3& view;
  const Placement3& placement;

  bool hits(const Vec3d& by) const {
    const Placement3 there = moved(placement, by);
    return surface_hits(surface, view, there) || (solid != nullptr && holds(*solid, view, there));
  }
  void near(const Vec3d& by, NearPieces<3>& out) const {
    const Placement3 there = moved(placement, by);
    surface.overlapping(expand(view_box(view, there), out.reach()), [&](std::uint32_t t) {
      out.add(convex_distance3(view_of(surface.triangle(t)), view, there));
      return !out.meets();
    });
  }
};

// The depth of a mesh or a field and a convex body that meet
template <class Surface>
DistanceAnswer3 surface_depth(const Surface& surface, const TriangleMesh* solid, const ConvexView3& view,
                              const Placement3& placement, bool touches) {
  // For a convex solid its hull is the answer
  const Shape3* hull = solid != nullptr ? solid->hull() : nullptr;
  DistanceAnswer3 hulls;
  if (hull != nullptr) hulls = convex_distance3(make_view(*hull), view, placement);
  if (hull != nullptr && solid->is_convex())
    return hulls.hit ? hulls : pressed<3>(make_view(*hull), view, placement, hulls);
  const SurfaceBodies<Surface> bodies{surface, solid, view, placement};
  const Aabb3d box = view_box(view, placement), bounds = surface.bounds();
  DepthSearch<3> search;
  search.size = max_abs(bounds.lo) + max_abs(bounds.hi) + max_abs(placement.translation) + view.size + view.radius;
  if (!view.is_polytope()) search.unclear = kUnclearTouch * search.size;

  // The deepest triangle: no translation that separates is shorter. A shallow contact ends here.
  constexpr int kMostNormals = 16, kMostTriangles = 1024;
  StackList<Vec3d, 32> candidates;
  double least = hull != nullptr && hulls.hit ? std::max(0.0, -hulls.upper - solid->hull_excess()) : 0;
  if (touches) {
    DistanceAnswer3 deepest;
    deepest.upper = kInfinity;
    const auto start_along = [&](const Vec3d& direction) {
      bool known = candidates.size() >= kMostNormals;
      for (const Vec3d& other : candidates) known = known || dot(other, direction) > kSameDirection;
      if (!known) candidates.push_back(direction);
    };
    int count = 0;
    surface.overlapping(box, [&](std::uint32_t t) {
      const DistanceAnswer3 x = convex_distance3(view_of(surface.triangle(t)), view, placement);
      ++search.tries;
      if (!x.hit) return true;
      if (x.upper < deepest.upper) deepest = x;
      start_along(x.normal);
      if (solid != nullptr) start_along(normalized(double_area(surface.triangle(t))));
      return solid == nullptr || ++count < kMostTriangles;
    });
    least = std::max(least, -deepest.upper);
    if (is_depth(search, deepest, bodies)) return depth_answer(search, least, bodies);
  }

  // Out of the box, or out of the hull
  search.best = kInfinity;
  for (int k = 0; k < 3; ++k) {
    const double slack = 2 * kPoseSlack<double> * search.size;
    for (const double side : {1.0, -1.0}) {
      Vec3d axis{};
      axis[k] = side;
      const double way = (side > 0 ? bounds.hi[k] - box.lo[k] : box.hi[k] - bounds.lo[k]) + slack;
      if (way < search.best) search.best = way, search.direction = axis;
    }
  }
  if (hull != nullptr) {
    candidates.push_back(hulls.normal);
    const double way = -hulls.lower;
    if (way < search.best && !bodies.hits(hulls.normal * way)) search.best = way, search.direction = hulls.normal;
  }
  // From below, too: points of the convex body that are inside
  if (solid != nullptr) {
    double inner = 0;
    Vec3d out_of{};
    const auto look = [&](const Vec3d& p) {
      Vec3d nearest{};
      if (solid->locate(p) != Containment::inside) return;
      if (const double d = distance_to_surface(*solid, p, nearest); d > inner)
        inner = d, out_of = normalized(nearest - p);
    };
    look(transform(placement, view.center()) + placement.rest);
    for (int k = 0; k < 6; ++k) {
      Vec3d axis{};
      axis[k / 2] = k % 2 == 0 ? 1 : -1;
      look(transform(placement, support(view, to_b(placement, axis)).p) + placement.rest);
    }
    // A point of the core is its radius deeper. For small bodies that is the way out.
    if (inner > 0) {
      const double slack = kMeshDistanceSlack * 2 * search.size;
      DistanceAnswer3 way;
      way.normal = out_of;
      way.separation = -(inner + view.radius);
      way.lower = way.separation - slack, way.upper = way.separation + slack;
      least = std::max(least, -way.upper);
      if (is_depth(search, way, bodies)) return depth_answer(search, least, bodies);
      candidates.push_back(out_of);
    }
  }
  candidates.push_back(normalized(center(box) - center(bounds)));
  candidates.push_back(search.direction);
  search_depth<3>(search, {candidates.begin(), candidates.size()}, least, bodies);
  return depth_answer(search, least, bodies);
}

// A triangle of a solid is touched from outside only: by the plane of the triangle
DistanceAnswer3 from_outside(DistanceAnswer3 x, const Triangle<3, double>& t, const Vec3d& face,
                             const ConvexView3& view, const Placement3& placement) {
  const Vec3d lowest = transform(placement, support(view, to_b(placement, -face)).p) + placement.rest;
  x.normal = face;
  x.point_b = lowest - face * view.radius;
  x.separation = dot(x.point_b - t.a, face);
  x.point_a = x.point_b - face * x.separation;
  x.lower = std::min(x.lower, x.separation), x.upper = std::max(x.upper, x.separation);
  return x;
}

template <class Surface>
Result<void> contacts(const Surface& surface, bool solid, const Shape3& convex, const Placement3& placement,
                      double margin, std::vector<TriangleContact>& out) noexcept {
  return guarded([&]() -> Result<void> {
    out.clear();
    if (!convex.is_convex() || !convex.is_bounded())
      return Error{ErrorCode::unsupported, Error::kNoElement, "not a bounded convex shape"};
    const ConvexView3 view = make_view(convex);
    surface.overlapping(expand(view_box(view, placement), std::max(0.0, margin)), [&](std::uint32_t t) {
      const Triangle<3, double> corners = surface.triangle(t);
      DistanceAnswer3 x = convex_distance3(view_of(corners), view, placement);
      if (x.separation > margin) return true;
      TriangleFeature feature = closest_point(corners, x.point_a).feature;
      const Vec3d face = normalized(double_area(corners));
      if (solid && dot(x.normal, face) < -kNormalLean) {
        // Seen through the body from behind
        if (!x.hit) return true;
        x = from_outside(x, corners, face, view, placement);
        feature = TriangleFeature::face;
      } else {
        // The way out stays as long as it is: only its direction is put right
        x.normal = corrected_normal(corners, feature, x.normal, [&](int k) { return surface.opposite(t, k); });
      }
      out.push_back({t, feature, x});
      return true;
    });
    std::sort(out.begin(), out.end(),
              [](const TriangleContact& p, const TriangleContact& q) { return p.triangle < q.triangle; });
    return {};
  });
}

}  // namespace

bool intersects(const MeshShape3& mesh, const Shape3& convex, const Placement3& mesh_from_convex) noexcept {
  if (!convex.is_convex()) return false;
  const MeshSurface surface{*mesh.mesh};
  if (!convex.is_bounded()) return half_space_distance(surface, convex.as<HalfSpaceShape3>(), mesh_from_convex).hit;
  const ConvexView3 view = make_view(convex);
  return surface_hits(surface, view, mesh_from_convex) || (mesh.solid && holds(*mesh.mesh, view, mesh_from_convex));
}
bool intersects(const HeightFieldShape3& field, const Shape3& convex, const Placement3& field_from_convex) noexcept {
  if (!convex.is_convex()) return false;
  const FieldSurface surface{*field.field};
  if (!convex.is_bounded()) return half_space_distance(surface, convex.as<HalfSpaceShape3>(), field_from_convex).hit;
  return surface_hits(surface, make_view(convex), field_from_convex);
}

DistanceAnswer3 mesh_convex_distance(const MeshShape3& mesh, const Shape3& convex,
                                     const Placement3& mesh_from_convex) noexcept {
  if (!convex.is_convex()) return unsupported();
  const MeshSurface surface{*mesh.mesh};
  if (!convex.is_bounded()) return half_space_distance(surface, convex.as<HalfSpaceShape3>(), mesh_from_convex);
  const ConvexView3 view = make_view(convex);
  const TriangleMesh* solid = mesh.solid ? mesh.mesh.get() : nullptr;
  const bool touches = surface_hits(surface, view, mesh_from_convex);
  if (touches || (solid != nullptr && holds(*solid, view, mesh_from_convex)))
    return surface_depth(surface, solid, view, mesh_from_convex, touches);
  return triangle_distance(surface, view, mesh_from_convex);
}
DistanceAnswer3 mesh_convex_distance(const HeightFieldShape3& field, const Shape3& convex,
                                     const Placement3& field_from_convex) noexcept {
  if (!convex.is_convex()) return unsupported();
  const FieldSurface surface{*field.field};
  if (!convex.is_bounded()) return half_space_distance(surface, convex.as<HalfSpaceShape3>(), field_from_convex);
  const ConvexView3 view = make_view(convex);
  if (surface_hits(surface, view, field_from_convex))
    return surface_depth(surface, nullptr, view, field_from_convex, true);
  return triangle_distance(surface, view, field_from_convex);
}

Result<void> mesh_convex_contacts(const TriangleMesh& mesh, const Shape3& convex, const Placement3& mesh_from_convex,
                                  double margin, std::vector<TriangleContact>& out) noexcept {
  return contacts(MeshSurface{mesh}, false, convex, mesh_from_convex, margin, out);
}
Result<void> mesh_convex_contacts(const MeshShape3& mesh, const Shape3& convex, const Placement3& mesh_from_convex,
                                  double margin, std::vector<TriangleContact>& out) noexcept {
  return contacts(MeshSurface{*mesh.mesh}, mesh.solid, convex, mesh_from_convex, margin, out);
}
Result<void> mesh_convex_contacts(const HeightField& field, const Shape3& convex, const Placement3& field_from_convex,
                                  double margin, std::vector<TriangleContact>& out) noexcept {
  return contacts(FieldSurface{field}, false, convex, field_from_convex, margin, out);
}

}  // namespace sudar
