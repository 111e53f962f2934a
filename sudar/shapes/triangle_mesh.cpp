#include <sudar/geom/disjoint_sets.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/mesh_convexity.hpp>
#include <sudar/shapes/ray_tree.hpp>
#include <sudar/shapes/shape_check.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <utility>

namespace sudar {

namespace {

std::vector<std::uint32_t> one_vertex_of_each_part(const Mesh& mesh) {
  DisjointSets sets(static_cast<std::uint32_t>(mesh.vertices.size()));
  std::vector<char> used(mesh.vertices.size(), 0);
  for (const MeshTriangle& t : mesh.triangles) {
    for (const std::uint32_t v : t) used[v] = 1;
    sets.join(t[0], t[1]);
    sets.join(t[1], t[2]);
  }
  std::vector<std::uint32_t> out;
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v)
    if (used[v] != 0 && sets.find(v) == v) out.push_back(v);
  return out;
}

}  // namespace

Result<std::shared_ptr<const TriangleMesh>> TriangleMesh::make(Mesh mesh) noexcept {
  return guarded([&]() -> Result<std::shared_ptr<const TriangleMesh>> {
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
      if (const auto r = check_position(mesh.vertices[i], i); !r) return r.error();
    Result<MeshAdjacency> who = adjacency(mesh);  // checks the mesh
    if (!who) return who.error();
    std::shared_ptr<TriangleMesh> out(new TriangleMesh);
    out->closed_ = !who->edges.empty();
    for (const MeshEdge& edge : who->edges) out->closed_ = out->closed_ && edge.count() % 2 == 0;
    out->oriented_ = out->closed_;
    for (const MeshEdge& edge : who->edges) {
      int forward = 0;
      for (std::uint32_t i = edge.first; i < edge.end; ++i)
        forward += origin_of(mesh, who->around[i]) == edge.lo ? 1 : -1;
      out->oriented_ = out->oriented_ && forward == 0;
    }
    out->twin_ = std::move(who->twin);
    out->mesh_ = std::move(mesh);
    out->part_vertices_ = one_vertex_of_each_part(out->mesh_);
    out->convex_ = out->closed_ && bounds_its_hull(out->mesh_, out->twin_);
    out->tree_ = MeshTree::build(out->mesh_);
    return std::shared_ptr<const TriangleMesh>(std::move(out));
  });
}

const Shape3* TriangleMesh::make_hull() const noexcept {
  const std::lock_guard lock(hull_mutex_);
  if (hull_) return &*hull_;
  if (no_hull_) return nullptr;
  no_hull_ = true;
  // A vertex that no triangle names is no part of the body
  const auto corners = guarded([&]() -> Result<std::vector<Vec3d>> {
    std::vector<char> used(mesh_.vertices.size(), 0);
    for (const MeshTriangle& t : mesh_.triangles)
      for (const std::uint32_t v : t) used[v] = 1;
    std::vector<Vec3d> out;
    for (std::size_t v = 0; v < used.size(); ++v)
      if (used[v] != 0) out.push_back(mesh_.vertices[v]);
    return out;
  });
  if (!corners) return nullptr;
  Result<Shape3> hull = make_hull_shape3(*corners);
  if (!hull) return nullptr;
  no_hull_ = false;
  hull_ = *std::move(hull);
  if (convex_)
    hull_excess_ = 0;
  else if (closed_ && hull_->kind() == ShapeKind3::hull)
    hull_excess_ = excess_of_hull(mesh_, *hull_->as<HullShape3>().body);
  hull_ready_.store(&*hull_, std::memory_order_release);
  return &*hull_;
}

void TriangleMesh::forget_hull() const noexcept {
  const std::lock_guard lock(hull_mutex_);
  hull_ready_.store(nullptr, std::memory_order_release);
  hull_.reset();
  no_hull_ = false;
}

const RayTree* TriangleMesh::make_ray_tree() const noexcept {
  std::call_once(ray_once_, [this] {
    auto tree = guarded([&]() -> Result<std::shared_ptr<const RayTree>> {
      return std::make_shared<const RayTree>(RayTree::build(mesh_));
    });
    if (!tree) return;
    ray_tree_ = *std::move(tree);
    ray_tree_ready_.store(ray_tree_.get(), std::memory_order_release);
  });
  return ray_tree_ready_.load(std::memory_order_acquire);
}

Containment TriangleMesh::locate(const Vec3d& p) const noexcept {
  if (!is_finite(p) || !contains(bounds(), p)) return Containment::outside;
  // The ray is the box from p upward
  RayCrossings count;
  Aabb3d ray{p, p};
  ray.hi.z = bounds().hi.z;
  for_each_overlap(tree_, ray, [&](std::uint32_t t) {
    count.add(triangle(t), p);
    return !count.touches;
  });
  return oriented_ ? count.containment_by_winding() : count.containment();
}

Result<std::shared_ptr<const TriangleMesh>> make_triangle_mesh(std::span<const Vec3d> vertices,
                                                               std::span<const MeshTriangle> triangles) noexcept {
  Result<Mesh> mesh = make_mesh(vertices, triangles);
  if (!mesh) return mesh.error();
  return TriangleMesh::make(*std::move(mesh));
}

Result<std::shared_ptr<const TriangleMesh>> make_triangle_mesh(const HeightField& field) noexcept {
  return guarded([&]() -> Result<std::shared_ptr<const TriangleMesh>> {
    Mesh mesh;
    for (std::uint32_t j = 0; j < field.rows(); ++j)
      for (std::uint32_t i = 0; i < field.columns(); ++i) mesh.vertices.push_back(field.vertex(i, j));
    for (std::uint32_t j = 0; j + 1 < field.rows(); ++j)
      for (std::uint32_t i = 0; i + 1 < field.columns(); ++i) {
        const std::uint32_t v = j * field.columns() + i, above = v + field.columns();
        mesh.triangles.push_back({v, v + 1, above + 1});
        mesh.triangles.push_back({v, above + 1, above});
      }
    return TriangleMesh::make(std::move(mesh));
  });
}

Result<Shape3> make_mesh_shape3(std::span<const Vec3d> vertices, std::span<const MeshTriangle> triangles,
                                bool solid) noexcept {
  auto mesh = make_triangle_mesh(vertices, triangles);
  if (!mesh) return mesh.error();
  if (solid)
    if (const auto r = check_solid((*mesh)->mesh()); !r) return r.error();
  return Shape3(MeshShape3{*std::move(mesh), solid});
}

}  // namespace sudar
