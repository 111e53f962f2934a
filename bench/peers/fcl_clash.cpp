// What:    FCL on an assembly: its dynamic tree of boxes over the parts, and its collide for every pair that this finds.
#include "bench/peers/clash_peer.hpp"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <cstdint>

namespace sudar_bench {

namespace {

using ClashModel = fcl::BVHModel<fcl::OBBRSSd>;

class FclClash final : public ClashPeer {
 public:
  void build(std::span<const sudar::Mesh> parts) override {
    manager_ = std::make_unique<fcl::DynamicAABBTreeCollisionManagerd>();
    objects_.clear();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::vector<fcl::Vector3d> vertices;
      std::vector<fcl::Triangle> triangles;
      for (const sudar::Vec3d& v : parts[i].vertices) vertices.emplace_back(v.x, v.y, v.z);
      for (const auto& t : parts[i].triangles) triangles.emplace_back(t[0], t[1], t[2]);
      auto model = std::make_shared<ClashModel>();
      model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
      model->addSubModel(vertices, triangles);
      model->endModel();
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(model));
      objects_.back()->setUserData(reinterpret_cast<void*>(static_cast<std::uintptr_t>(i)));
      manager_->registerObject(objects_.back().get());
    }
    manager_->setup();
  }
  std::vector<sudar::IdPair> pairs() override {
    std::vector<sudar::IdPair> out;
    manager_->collide(&out, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* list) {
      const fcl::CollisionRequestd request(1, false);
      fcl::CollisionResultd result;
      fcl::collide(a, b, request, result);
      if (result.isCollision()) {
        const auto number = [](const fcl::CollisionObjectd* x) {
          return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(x->getUserData()));
        };
        static_cast<std::vector<sudar::IdPair>*>(list)->push_back(sudar::make_pair_of(number(a), number(b)));
      }
      return false;
    });
    return out;
  }

 private:
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  std::unique_ptr<fcl::DynamicAABBTreeCollisionManagerd> manager_;
};

}  // namespace

std::unique_ptr<ClashPeer> make_fcl_clash() { return std::make_unique<FclClash>(); }

}  // namespace sudar_bench
