#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/depth_search.hpp>
#include <sudar/narrowphase/internal_edges.hpp>
#include <sudar/narrowphase/mesh_convex.hpp>
#include <sudar/narrowphase/mesh_depth.hpp>
#include <sudar/narrowphase/primitives3.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One view of the two kinds of surfaces
struct MeshSurface {
  const TriangleMesh& mesh;

  Triangle<3, double> triangle(std::uint32_t t) const { return mesh.triangle(t); }
  template <class F>
  void overlapping(const Aabb3d& box, F&& visit) const {
    for_each_overlap(mesh.tree(), box, visit);
  }
  template <class Bound, class F>
  void nearer(Bound&& bound, double& best, F&& visit) const {
    for_each_nearer(mesh.tree(), bound, best, visit);
  }
  std::optional<Vec3d> opposite(std::uint32_t t, int k) const {
    const std::uint32_t twin = mesh.twin(3 * t + static_cast<std::uint32_t>(k));
    if (twin == kNoIndex) return std::nullopt;
    return mesh.mesh().vertices[origin_of(mesh.mesh(), previous_half_edge(twin))];
  }
};
struct FieldSurface {
  const HeightField& field;

  Triangle<3, double> triangle(std::uint32_t t) const { return field.triangle(t); }
  template <class F>
  void overlapping(const Aabb3d& box, F&& visit) const {
    field.for_each_overlap(box, visit);
  }
  template <class Bound, class F>
  void nearer(Bound&& bound, double& best, F&& visit) const {
    field.for_each_nearer(bound, best, visit);
  }
  std::optional<Vec3d> opposite(std::uint32_t t, int k) const {
    const std::uint32_t cell = t / 2, i = cell % (field.columns() - 1), j = cell / (field.columns() - 1);
    // Across the diagonal is the other half of the cell; across the sides, the near half of the next cell
    if (t % 2 == 0) {
      if (k == 2) return field.vertex(i, j + 1);
      if (k == 0) return j == 0 ? std::nullopt : std::optional(field.vertex(i, j - 1));
      return i + 2 >= field.columns() ? std::nullopt : std::optional(field.vertex(i + 2, j + 1));
    }
    if (k == 0) return field.vertex(i + 1, j);
    if (k == 1) return j + 2 >= field.rows() ? std::nullopt : std::optional(field.vertex(i + 1, j + 2));
    return i == 0 ? std::nullopt : std::optional(field.vertex(i - 1, j));
  }
};

ConvexView3 view_of(const Triangle<3, double>& t) {
  ConvexView3 view;
  view.count = 3;
  for (int i = 0; i < 3; ++i) view.p[i] = t[i], view.size = std::max(view.size, max_abs(t[i]));
  return view;
}

// The box of the convex shape in the surface's frame, rounded outward
Aabb3d box_of(const ConvexView3& view, const Placement3& a_from_b) {
  Aabb3d box;
  const double slack = kPoseSlack<double> * (3 * (view.size + view.radius) + max_abs(a_from_b.translation)) +
                       std::numeric_limits<double>::min();
  for (int k = 0; k < 3; ++k) {
    Vec3d axis{};
    axis[k] = 1;
    const Vec3d high = transform(a_from_b, support(view, to_b(a_from_b, axis)).p);
    const Vec3d low = transform(a_from_b, support(view, to_b(a_from_b, -axis)).p);
    box.lo[k] = low[k] + a_from_b.rest[k] - view.radius - slack;
    box.hi[k] = high[k] + a_from_b.rest[k] + view.radius + slack;
  }
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
  surface.overlapping(box_of(view, placement), [&](std::uint32_t t) {
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
  const double slack = kMeshDistanceSlack * (max_abs(lowest) + std::fabs(half.offset) + max_abs(a_from_b.translation));
  out.lower = out.separation - slack, out.upper = out.separation + slack;
  out.normal = -n;
  out.point_a = lowest;
  out.point_b = lowest - n * out.separation;
  return out;
}

// The nearest or, where they meet, the deepest triangle
template <class Surface>
DistanceAnswer3 triangle_distance(const Surface& surface, const ConvexView3& view, const Placement3& placement,
                                  bool hit) {
  const Aabb3d box = box_of(view, placement);
  DistanceAnswer3 answer;
  answer.separation = kInfinity;
  int tested = 0;
  const auto take = [&](std::uint32_t t) {
    const DistanceAnswer3 x = convex_distance3(view_of(surface.triangle(t)), view, placement);
    ++tested;
    const double lower = std::min(answer.lower, x.lower);
    const bool first = answer.separation == kInfinity;
    if (x.separation < answer.separation) answer = x;
    answer.lower = first ? x.lower : lower;
  };
  if (hit) {
    surface.overlapping(box, [&](std::uint32_t t) {
      take(t);
      return true;
    });
  } else {
    double best = kInfinity;
    surface.nearer([&](const Aabb3d& other) { return gap_of(box, other); }, best,
                   [&](std::uint32_t t) {
                     take(t);
                     best = answer.separation;
                   });
  }
  answer.iterations = tested;
  return answer;
}

DistanceAnswer3 unsupported() {
  DistanceAnswer3 out;
  out.status = QueryStatus::unsupported;
  return out;
}

// The depth of a solid mesh and a convex body
DistanceAnswer3 solid_depth(const MeshShape3& mesh, const ConvexView3& view, const Placement3& placement) {
  DepthSearch search{kInfinity, {0, 0, 1}};
  if (const Shape3* hull = mesh.mesh->hull()) {
    const DistanceAnswer3 hulls = convex_distance3(make_view(*hull), view, placement);
    if (mesh.mesh->is_convex() && hulls.hit) return hulls;
    search.best = std::max(0.0, -hulls.lower), search.direction = hulls.normal;
  }
  const Aabb3d box = box_of(view, placement), &bounds = mesh.mesh->bounds();
  Vec3d candidates[9];
  int count = 0;
  for (int k = 0; k < 3; ++k) {
    Vec3d axis{};
    axis[k] = 1;
    if (bounds.hi[k] - box.lo[k] < search.best) search.best = bounds.hi[k] - box.lo[k], search.direction = axis;
    if (box.hi[k] - bounds.lo[k] < search.best) search.best = box.hi[k] - bounds.lo[k], search.direction = -axis;
    candidates[count++] = axis, candidates[count++] = -axis;
  }
  // From below: points of the convex body that are inside
  double least = 0;
  const auto look = [&](const Vec3d& p) {
    Vec3d nearest{};
    if (mesh.mesh->locate(p) != Containment::inside) return;
    if (const double d = distance_to_surface(*mesh.mesh, p, nearest); d > least)
      least = d, candidates[6] = normalized(nearest - p);
  };
  count = 7;
  look(transform(placement, view.center()) + placement.rest);
  for (int k = 0; k < 6; ++k)
    look(transform(placement, support(view, to_b(placement, candidates[k])).p) + placement.rest);
  least = std::max(0.0, least - kMeshDistanceSlack * 2 * (max_abs(bounds.lo) + max_abs(bounds.hi)));
  candidates[count++] = normalized(center(box) - center(bounds));
  candidates[count++] = search.direction;
  shorten(search, {candidates, static_cast<std::size_t>(count)}, [&](const Vec3d& by) {
    Placement3 moved = placement;
    moved.translation += by;
    return surface_hits(MeshSurface{*mesh.mesh}, view, moved) || holds(*mesh.mesh, view, moved);
  });
  const Vec3d deepest =
      transform(placement, support(view, -to_b(placement, search.direction)).p) - search.direction * view.radius;
  return depth_answer(search, least, deepest);
}

template <class Surface>
Result<void> contacts(const Surface& surface, const Shape3& convex, const Placement3& placement, double margin,
                      std::vector<TriangleContact>& out) noexcept {
  return guarded([&]() -> Result<void> {
    out.clear();
    if (!convex.is_convex() || !convex.is_bounded())
      return Error{ErrorCode::unsupported, Error::kNoElement, "not a bounded convex shape"};
    const ConvexView3 view = make_view(convex);
    surface.overlapping(expand(box_of(view, placement), std::max(0.0, margin)), [&](std::uint32_t t) {
      const Triangle<3, double> corners = surface.triangle(t);
      DistanceAnswer3 x = convex_distance3(view_of(corners), view, placement);
      if (x.separation > margin) return true;
      const TriangleFeature feature = closest_point(corners, x.point_a).feature;
      const Vec3d normal = corrected_normal(corners, feature, x.normal, [&](int k) { return surface.opposite(t, k); });
      if (!(normal == x.normal)) {
        x.normal = normal;
        x.separation = dot(x.point_b - x.point_a, normal);
        x.lower = std::min(x.lower, x.separation), x.upper = std::max(x.upper, x.separation);
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
  const bool touches = surface_hits(surface, view, mesh_from_convex);
  if (mesh.solid && (touches || holds(*mesh.mesh, view, mesh_from_convex)))
    return solid_depth(mesh, view, mesh_from_convex);
  return triangle_distance(surface, view, mesh_from_convex, touches);
}
DistanceAnswer3 mesh_convex_distance(const HeightFieldShape3& field, const Shape3& convex,
                                     const Placement3& field_from_convex) noexcept {
  if (!convex.is_convex()) return unsupported();
  const FieldSurface surface{*field.field};
  if (!convex.is_bounded()) return half_space_distance(surface, convex.as<HalfSpaceShape3>(), field_from_convex);
  const ConvexView3 view = make_view(convex);
  return triangle_distance(surface, view, field_from_convex, surface_hits(surface, view, field_from_convex));
}

Result<void> mesh_convex_contacts(const TriangleMesh& mesh, const Shape3& convex, const Placement3& mesh_from_convex,
                                  double margin, std::vector<TriangleContact>& out) noexcept {
  return contacts(MeshSurface{mesh}, convex, mesh_from_convex, margin, out);
}
Result<void> mesh_convex_contacts(const HeightField& field, const Shape3& convex, const Placement3& field_from_convex,
                                  double margin, std::vector<TriangleContact>& out) noexcept {
  return contacts(FieldSurface{field}, convex, field_from_convex, margin, out);
}

}  // namespace sudar
