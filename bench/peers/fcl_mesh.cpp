// What:    FCL's BVHModel of OBBRSS, in double as FCL is used: all contacts, the first one, the distance.
#include "bench/peers/fcl_pose.hpp"
#include "bench/peers/mesh_peer.hpp"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <vector>

namespace sudar_bench {

namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

void fill(Model& model, const sudar::Mesh& mesh) {
  std::vector<fcl::Vector3d> vertices;
  std::vector<fcl::Triangle> triangles;
  vertices.reserve(mesh.vertices.size());
  triangles.reserve(mesh.triangles.size());
  for (const sudar::Vec3d& v : mesh.vertices) vertices.emplace_back(v.x, v.y, v.z);
  for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  model.beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  model.addSubModel(vertices, triangles);
  model.endModel();
}

class FclMesh final : public MeshPeer {
 public:
  void build(const sudar::Mesh& mesh) override {
    Model model;
    fill(model, mesh);
  }
  void place(const sudar::Mesh& a, const sudar::Mesh& b, const sudar::Pose3d& a_from_b) override {
    a_ = std::make_unique<Model>();
    b_ = std::make_unique<Model>();
    fill(*a_, a);
    fill(*b_, b);
    pose_ = fcl_pose(a_from_b);
  }
  std::size_t all_pairs() override {
    const fcl::CollisionRequestd request(1u << 24, false);
    fcl::CollisionResultd result;
    fcl::collide(a_.get(), fcl::Transform3d::Identity(), b_.get(), pose_, request, result);
    return result.numContacts();
  }
  bool first_hit() override {
    const fcl::CollisionRequestd request(1, false);
    fcl::CollisionResultd result;
    fcl::collide(a_.get(), fcl::Transform3d::Identity(), b_.get(), pose_, request, result);
    return result.isCollision();
  }
  double distance() override {
    const fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    return fcl::distance(a_.get(), fcl::Transform3d::Identity(), b_.get(), pose_, request, result);
  }

 private:
  std::unique_ptr<Model> a_, b_;
  fcl::Transform3d pose_;
};

}  // namespace

std::unique_ptr<MeshPeer> make_fcl_mesh() { return std::make_unique<FclMesh>(); }

}  // namespace sudar_bench
