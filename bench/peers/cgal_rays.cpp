// What:    CGAL's AABB tree over triangles with its exact-predicates kernel, one ray after another.
#include "bench/peers/ray_peer.hpp"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/version.h>

#include <vector>

namespace sudar_bench {

namespace {

using RayKernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using RayTriangle = RayKernel::Triangle_3;
using RayPrimitive = CGAL::AABB_triangle_primitive<RayKernel, std::vector<RayTriangle>::const_iterator>;
using TriangleTree = CGAL::AABB_tree<CGAL::AABB_traits<RayKernel, RayPrimitive>>;

class CgalRays final : public RayPeer {
 public:
  void build(const sudar::Mesh& mesh) override {
    const auto convert = [](const sudar::Vec3d& v) { return RayKernel::Point_3(v.x, v.y, v.z); };
    triangles_.clear();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const auto c = mesh.corners(t);
      triangles_.emplace_back(convert(c.a), convert(c.b), convert(c.c));
    }
    tree_ = std::make_unique<TriangleTree>(triangles_.cbegin(), triangles_.cend());
    tree_->build();
  }
  void load(std::span<const sudar::Ray<3, double>> rays) override {
    rays_.clear();
    for (const auto& r : rays)
      rays_.emplace_back(RayKernel::Point_3(r.origin.x, r.origin.y, r.origin.z),
                         RayKernel::Vector_3(r.direction.x, r.direction.y, r.direction.z));
  }
  void cast(std::span<std::uint32_t> triangles) override {
    for (std::size_t i = 0; i < rays_.size(); ++i) {
      const auto hit = tree_->first_intersected_primitive(rays_[i]);
      triangles[i] = hit ? static_cast<std::uint32_t>(*hit - triangles_.cbegin()) : sudar::kNoIndex;
    }
  }

 private:
  std::vector<RayTriangle> triangles_;
  std::unique_ptr<TriangleTree> tree_;
  std::vector<RayKernel::Ray_3> rays_;
};

}  // namespace

std::string cgal_rays_version() { return CGAL_VERSION_STR; }
std::unique_ptr<RayPeer> make_cgal_rays() { return std::make_unique<CgalRays>(); }

}  // namespace sudar_bench
