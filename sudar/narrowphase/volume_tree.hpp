// What:    The tree of a mesh with another bounding volume: boxes, spheres, oriented boxes or k-DOPs on one and the same
//          topology, to compare them.
// Source:  Gottschalk, Lin, Manocha, "OBBTree", 1996; Hubbard, "Collision detection for interactive graphics
//          applications", 1995 (spheres); Klosowski et al. 1998 (k-DOPs); seed B5.
// Differs: One builder for all: nodes and order are those of MeshTree, only the volumes around them differ. Plain code,
//          one pair at a time; the fast tree is MeshTree with mesh_pairs.hpp.
// Frame:   A's; B's volumes are moved there when a pair is looked at.
// Fails:   never. Volumes contain their triangles up to the slack that their kinds document.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/bounding/kdop.hpp>
#include <sudar/bounding/obb.hpp>
#include <sudar/bounding/obb_fit.hpp>
#include <sudar/bounding/sphere.hpp>
#include <sudar/bounding/sphere_fit.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <vector>

namespace sudar {

// The volume around points, at least one
template <class V>
V fit_volume(std::span<const Vec3d> points);
template <>
inline Aabb3d fit_volume(std::span<const Vec3d> points) {
  Aabb3d box = Aabb3d::empty();
  for (const Vec3d& p : points) box = merge(box, p);
  return box;
}
template <>
inline Sphere<3, double> fit_volume(std::span<const Vec3d> points) {
  return *smallest_sphere<3>(points);
}
template <>
inline Obb3d fit_volume(std::span<const Vec3d> points) {
  const Result<Obb3d> box = principal_box(points);
  return box ? *box : to_obb(fit_volume<Aabb3d>(points));
}
template <>
inline Dop18<double> fit_volume(std::span<const Vec3d> points) {
  return *bounding_kdop<3, 18, double>(points);
}

template <class V>
class VolumeTree {
 public:
  // Throws bad_alloc
  explicit VolumeTree(const TriangleMesh& mesh) : mesh_(&mesh) {
    const MeshTree& tree = mesh.tree();
    std::vector<Vec3d> points;
    for (int level = 0; level < tree.levels(); ++level) {
      const std::uint32_t span = tree.triangles_below(level);
      volumes_.emplace_back();
      for (std::uint32_t n = 0; n < tree.node_count(level); ++n) {
        points.clear();
        const std::uint32_t end = std::min(tree.triangle_count(), (n + 1) * span);
        for (std::uint32_t t = n * span; t < end; ++t)
          for (const std::uint32_t v : tree.vertices_of(t / MeshTree::kWidth, t % MeshTree::kWidth))
            points.push_back(mesh.mesh().vertices[v]);
        volumes_.back().push_back(fit_volume<V>(points));
      }
    }
  }

  const TriangleMesh& mesh() const { return *mesh_; }
  int levels() const { return static_cast<int>(volumes_.size()); }
  const V& volume(int level, std::uint32_t node) const { return volumes_[static_cast<std::size_t>(level)][node]; }

 private:
  const TriangleMesh* mesh_;
  std::vector<std::vector<V>> volumes_;
};

// visit(leaf of a, leaf of b) for nodes of level 0 whose volumes overlap; returns how many pairs of volumes were compared
template <class V, class Visit>
std::size_t for_each_leaf_pair(const VolumeTree<V>& a, const VolumeTree<V>& b, const Pose3d& a_from_b, Visit&& visit) {
  struct Entry {
    int level_a, level_b;
    std::uint32_t a, b;
  };
  std::size_t compared = 0;
  std::vector<Entry> stack = {{a.levels() - 1, b.levels() - 1, 0, 0}};
  while (!stack.empty()) {
    const Entry e = stack.back();
    stack.pop_back();
    ++compared;
    if (!overlap(a.volume(e.level_a, e.a), transform(a_from_b, b.volume(e.level_b, e.b)))) continue;
    if (e.level_a == 0 && e.level_b == 0) {
      visit(e.a, e.b);
    } else if (e.level_a >= e.level_b) {
      const int children = a.mesh().tree().child_count(e.level_a, e.a);
      for (int k = 0; k < children; ++k)
        stack.push_back(
            {e.level_a - 1, e.level_b, a.mesh().tree().child(e.level_a, e.a, static_cast<std::uint32_t>(k)), e.b});
    } else {
      const int children = b.mesh().tree().child_count(e.level_b, e.b);
      for (int k = 0; k < children; ++k)
        stack.push_back(
            {e.level_a, e.level_b - 1, e.a, b.mesh().tree().child(e.level_b, e.b, static_cast<std::uint32_t>(k))});
    }
  }
  return compared;
}

}  // namespace sudar
