#include <sudar/bounding/obb_fit.hpp>
#include <sudar/bounding/sphere_fit.hpp>
#include <sudar/geom/mesh_simplify.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/level_error.hpp>
#include <sudar/narrowphase/levels.hpp>
#include <sudar/narrowphase/mesh_depth.hpp>
#include <sudar/narrowphase/mesh_distance.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/convex_body3.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar {

namespace {

// Spheres around groups of triangles, the nodes of one level of the mesh's tree
Result<DetailLevel> sphere_level(const MeshShape3& body, int tree_level) {
  const TriangleMesh& mesh = *body.mesh;
  DetailLevel out{DetailKind::spheres, Shape3(PointShape3{})};
  const MeshTree& tree = mesh.tree();
  const std::uint32_t below = tree.triangles_below(tree_level);
  std::vector<CompoundChild3> children;
  for (std::uint32_t node = 0; node < tree.node_count(tree_level); ++node) {
    std::vector<Vec3d> corners;
    const std::uint32_t end = std::min(tree.triangle_count(), (node + 1) * below);
    for (std::uint32_t i = node * below; i < end; ++i) {
      const Triangle<3, double> t = mesh.triangle(tree.triangle(i / MeshTree::kWidth, i % MeshTree::kWidth));
      corners.insert(corners.end(), {t.a, t.b, t.c});
    }
    const auto sphere = smallest_sphere<3>(corners);
    if (!sphere) return sphere.error();
    const double radius = std::max(sphere->radius, kMinShapeSize);
    // Every point of the sphere is its radius from the middle at most. A middle that is deep in a solid has a ball of that
    // depth around it that is the body's as well.
    Vec3d nearest;
    const double away = distance_to_surface(mesh, sphere->center, nearest) * (1 - 64 * kRoundoff);
    const bool inside = body.solid && mesh.locate(sphere->center) == Containment::inside;
    out.excess = std::max(out.excess, inside ? radius - away : radius + away * (1 + 256 * kRoundoff));
    out.x.push_back(sphere->center.x), out.y.push_back(sphere->center.y), out.z.push_back(sphere->center.z);
    out.radius.push_back(radius);
    children.push_back({Shape3(SphereShape3{radius}), {sphere->center, {}}});
  }
  out.parts = children.size();
  // One sphere holds the body with its inside
  out.surface = children.size() > 1;
  Result<Shape3> shape = make_compound3(children);
  if (!shape) return shape.error();
  out.shape = *std::move(shape);
  out.excess *= 1 + 16 * kRoundoff;
  return out;
}

Result<std::vector<DetailLevel>> make_levels(const MeshShape3& body) {
  const TriangleMesh& mesh = *body.mesh;
  const double size = max_abs(extents(mesh.bounds())), accuracy = kLevelAccuracy * size;
  std::vector<DetailLevel> out;
  const auto add_spheres = [&](int level) -> Result<void> {
    Result<DetailLevel> spheres = sphere_level(body, level);
    if (!spheres) return spheres.error();
    out.push_back(*std::move(spheres));
    return {};
  };
  // One sphere, and the few below it
  const int top = mesh.tree().levels() - 1;
  for (int level = top; level >= std::max(0, top - 1); --level)
    if (const auto r = add_spheres(level); !r) return r.error();
  const Shape3* hull = mesh.hull();
  if (hull == nullptr) return Error{ErrorCode::out_of_memory, Error::kNoElement, "no hull"};
  const auto corners = hull->as<HullShape3>().body->vertices();

  const Result<Obb3d> box = smallest_box(corners);
  if (!box) return box.error();
  std::vector<Vec3d> box_corners;
  for (int i = 0; i < 8; ++i) {
    Vec3d p = box->center;
    for (int k = 0; k < 3; ++k) p += box->axes[k] * (i >> k & 1 ? box->half[k] : -box->half[k]);
    box_corners.push_back(p);
  }
  Result<Shape3> box_shape = make_hull_shape3(box_corners);
  if (!box_shape) return box_shape.error();
  // The corners of the box are rounded: what it may miss then
  const double rounding = 16 * kRoundoff * (max_abs(mesh.bounds().lo) + max_abs(mesh.bounds().hi) + size);
  out.push_back({DetailKind::oriented_box, *box_shape, rounding, hull_error(*box_shape, body, accuracy)});
  // The hull of a convex solid is the solid
  const bool convex = body.solid && mesh.is_convex();
  out.push_back({DetailKind::hull, *hull, 0, convex ? 0 : hull_error(*hull, body, accuracy)});
  out.back().parts = hull->as<HullShape3>().body->hull().face_count();

  // Spheres until there are so many that a simpler mesh is as fast
  constexpr std::uint32_t kMostSpheres = 128;
  for (int level = top - 2; level >= 0 && mesh.tree().node_count(level) <= kMostSpheres; --level) {
    if (const auto r = add_spheres(level); !r) return r.error();
    // What is slower than the hull has to be nearer to the body as well
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < out.size(); ++i) best = std::min(best, out[i].missing + out[i].excess);
    if (!(out.back().excess < best)) out.pop_back();
  }

  constexpr std::size_t kFewest = 64;
  for (const std::size_t share : {64, 16, 4}) {
    const std::size_t most = mesh.triangle_count() / share;
    if (most < kFewest || !mesh.is_oriented()) continue;
    const Result<Mesh> fewer = simplified(mesh.mesh(), most);
    if (!fewer) {
      if (fewer.error().code == ErrorCode::out_of_memory) return fewer.error();
      break;
    }
    Result<std::shared_ptr<const TriangleMesh>> shape = TriangleMesh::make(*fewer);
    if (!shape) return shape.error();
    DetailLevel level{DetailKind::simplified, Shape3(MeshShape3{*shape, false})};
    level.surface = true;
    level.missing = surface_error(mesh, **shape, accuracy / 8);
    level.excess = surface_error(**shape, mesh, accuracy / 8);
    level.parts = (*shape)->triangle_count();
    out.push_back(std::move(level));
  }
  DetailLevel full{DetailKind::full, Shape3(body)};
  full.parts = mesh.triangle_count();
  out.push_back(std::move(full));
  return out;
}

// The least distance between two sets of spheres, and what rounding leaves of it
double sphere_distance(const DetailLevel& a, const DetailLevel& b, const Placement3& a_from_b, double& rounding) {
  double best = std::numeric_limits<double>::infinity(), size = 0;
  for (std::size_t j = 0; j < b.radius.size(); ++j) {
    const Vec3d q = transform(a_from_b, Vec3d{b.x[j], b.y[j], b.z[j]}) + a_from_b.rest;
    size = std::max(size, max_abs(q) + b.radius[j]);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < a.radius.size(); ++i) {
      const double x = a.x[i] - q.x, y = a.y[i] - q.y, z = a.z[i] - q.z;
      least = std::min(least, std::sqrt(x * x + y * y + z * z) - a.radius[i]);
    }
    best = std::min(best, least - b.radius[j]);
  }
  for (std::size_t i = 0; i < a.radius.size(); ++i)
    size = std::max(size, std::max({std::fabs(a.x[i]), std::fabs(a.y[i]), std::fabs(a.z[i])}) + a.radius[i]);
  rounding = kMeshDistanceSlack * (size + max_abs(a_from_b.translation));
  return best;
}

// A part of the body lies inside of the solid, when the surfaces are apart
bool holds(const MeshShape3& solid, const MeshShape3& body, const Placement3& solid_from_body) {
  if (!solid.solid) return false;
  for (const std::uint32_t v : body.mesh->part_vertices()) {
    const Vec3d p = transform(solid_from_body, body.mesh->mesh().vertices[v]) + solid_from_body.rest;
    if (solid.mesh->locate(p) != Containment::outside) return true;
  }
  return false;
}

}  // namespace

std::string_view to_string(DetailKind kind) noexcept {
  switch (kind) {
    case DetailKind::spheres:
      return "spheres";
    case DetailKind::oriented_box:
      return "oriented box";
    case DetailKind::hull:
      return "hull";
    case DetailKind::simplified:
      return "simplified mesh";
    case DetailKind::full:
      return "full mesh";
  }
  return "";
}

Result<std::shared_ptr<const DetailLevels>> DetailLevels::make(std::span<const Vec3d> vertices,
                                                               std::span<const MeshTriangle> triangles,
                                                               bool solid) noexcept {
  return guarded([&]() -> Result<std::shared_ptr<const DetailLevels>> {
    const Result<Shape3> shape = make_mesh_shape3(vertices, triangles, solid);
    if (!shape) return shape.error();
    Result<std::vector<DetailLevel>> levels = make_levels(shape->as<MeshShape3>());
    if (!levels) return levels.error();
    std::shared_ptr<DetailLevels> out(new DetailLevels);
    out->levels_ = *std::move(levels);
    return std::shared_ptr<const DetailLevels>(std::move(out));
  });
}

LevelAnswer level_distance(const DetailLevels& a, std::size_t level_a, const DetailLevels& b, std::size_t level_b,
                           const Placement3& a_from_b) {
  LevelAnswer out;
  out.level_a = std::min(level_a, a.levels().size() - 1);
  out.level_b = std::min(level_b, b.levels().size() - 1);
  const DetailLevel &x = a.levels()[out.level_a], &y = b.levels()[out.level_b];
  if (x.kind == DetailKind::spheres && y.kind == DetailKind::spheres) {
    double rounding;
    const double d = sphere_distance(x, y, a_from_b, rounding);
    out.lower = d - rounding;
    out.upper = std::max(0.0, d) + rounding;
  } else if (!intersects(x.shape, y.shape, a_from_b)) {
    const DistanceAnswer3 d = distance(x.shape, y.shape, a_from_b);
    out.lower = d.lower, out.upper = d.upper;
  } else if (x.kind == DetailKind::full && y.kind == DetailKind::full) {
    out.verdict = LevelVerdict::meet;
    return out;
  }
  out.lower = std::max(0.0, out.lower - x.missing - y.missing);
  out.upper = out.upper + x.excess + y.excess;
  // The full meshes are decided exactly, however near
  const bool decided = x.kind == DetailKind::full && y.kind == DetailKind::full;
  if (!(out.lower > 0) && !decided) return out;
  const bool inside =
      (x.surface && holds(a.body(), b.body(), a_from_b)) || (y.surface && holds(b.body(), a.body(), inverse(a_from_b)));
  out.verdict = inside ? LevelVerdict::meet : LevelVerdict::apart;
  if (inside) out.lower = out.upper = 0;
  return out;
}

LevelAnswer distance_within(const DetailLevels& a, const DetailLevels& b, const Placement3& a_from_b,
                            double tolerance) {
  LevelAnswer best;
  best.upper = std::numeric_limits<double>::infinity();
  for (std::size_t level = 0;; ++level) {
    LevelAnswer next = level_distance(a, level, b, level, a_from_b);
    const bool last = next.level_a + 1 == a.levels().size() && next.level_b + 1 == b.levels().size();
    // What was proven stays so
    if (next.verdict == LevelVerdict::unsure) next.verdict = best.verdict;
    next.lower = std::max(next.lower, best.lower), next.upper = std::min(next.upper, best.upper);
    best = next;
    if (last || best.verdict == LevelVerdict::meet || best.upper - best.lower <= tolerance) return best;
  }
}

LevelAnswer decide_by_level(const DetailLevels& a, const DetailLevels& b, const Placement3& a_from_b,
                            std::size_t last_level) {
  for (std::size_t level = 0;; ++level) {
    const LevelAnswer next = level_distance(a, level, b, level, a_from_b);
    const bool last =
        level >= last_level || (next.level_a + 1 == a.levels().size() && next.level_b + 1 == b.levels().size());
    if (last || next.verdict != LevelVerdict::unsure) return next;
  }
}

}  // namespace sudar
