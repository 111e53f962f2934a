// What:    CGAL's exact-predicates kernel on pairs of triangles, and the build of its tree over the triangles of a mesh.
#include "bench/peers/mesh_peer.hpp"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/version.h>

#include <vector>

namespace sudar_bench {

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Tri = Kernel::Triangle_3;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, std::vector<Tri>::const_iterator>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

Tri convert(const sudar::Triangle<3, double>& t) {
  return {Point(t.a.x, t.a.y, t.a.z), Point(t.b.x, t.b.y, t.b.z), Point(t.c.x, t.c.y, t.c.z)};
}

}  // namespace

std::string cgal_triangles_version() { return CGAL_VERSION_STR; }

std::function<double()> cgal_tree_build(const sudar::Mesh& mesh) {
  auto list = std::make_shared<std::vector<Tri>>();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) list->push_back(convert(mesh.corners(t)));
  return [list] {
    Tree tree(list->cbegin(), list->cend());
    tree.build();
    return static_cast<double>(tree.size());
  };
}

std::function<double()> cgal_triangle_hits(std::span<const sudar::Triangle<3, double>> pairs) {
  auto list = std::make_shared<std::vector<Tri>>();
  for (const auto& t : pairs) list->push_back(convert(t));
  return [list] {
    std::size_t hits = 0;
    for (std::size_t i = 0; i < list->size(); i += 2) hits += CGAL::do_intersect((*list)[i], (*list)[i + 1]);
    return static_cast<double>(hits);
  };
}

}  // namespace sudar_bench
