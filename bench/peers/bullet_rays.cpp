// What:    Bullet's triangle mesh with its quantised tree, one ray after another.
#include "bench/peers/ray_peer.hpp"

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>

#include <vector>

namespace sudar_bench {

namespace {

// Keeps the nearest triangle; the fraction shrinks as hits come in
class Nearest final : public btTriangleRaycastCallback {
 public:
  Nearest(const btVector3& from, const btVector3& to) : btTriangleRaycastCallback(from, to) {}
  btScalar reportHit(const btVector3&, btScalar fraction, int, int triangle) override {
    found = static_cast<std::uint32_t>(triangle);
    return fraction;
  }
  std::uint32_t found = sudar::kNoIndex;
};

class BulletRays final : public RayPeer {
 public:
  void build(const sudar::Mesh& mesh) override {
    vertices_.clear();
    indices_.clear();
    for (const sudar::Vec3d& v : mesh.vertices)
      for (int k = 0; k < 3; ++k) vertices_.push_back(static_cast<btScalar>(v[k]));
    for (const auto& t : mesh.triangles)
      for (const std::uint32_t v : t) indices_.push_back(static_cast<int>(v));
    array_ = std::make_unique<btTriangleIndexVertexArray>(static_cast<int>(mesh.triangles.size()), indices_.data(),
                                                          3 * sizeof(int), static_cast<int>(mesh.vertices.size()),
                                                          vertices_.data(), 3 * sizeof(btScalar));
    shape_ = std::make_unique<btBvhTriangleMeshShape>(array_.get(), true);
  }
  void load(std::span<const sudar::Ray<3, double>> rays) override {
    rays_.clear();
    // Bullet's rays have an end: far enough behind a mesh of about the size of the ray
    constexpr double kFar = 8;
    for (const auto& r : rays) {
      const sudar::Vec3d end = r.at(kFar / length(r.direction));
      const auto convert = [](const sudar::Vec3d& v) {
        return btVector3(static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z));
      };
      rays_.push_back({convert(r.origin), convert(end)});
    }
  }
  void cast(std::span<std::uint32_t> triangles) override {
    for (std::size_t i = 0; i < rays_.size(); ++i) {
      Nearest nearest(rays_[i].from, rays_[i].to);
      shape_->performRaycast(&nearest, rays_[i].from, rays_[i].to);
      triangles[i] = nearest.found;
    }
  }

 private:
  struct Segment {
    btVector3 from, to;
  };
  std::vector<btScalar> vertices_;
  std::vector<int> indices_;
  std::unique_ptr<btTriangleIndexVertexArray> array_;
  std::unique_ptr<btBvhTriangleMeshShape> shape_;
  std::vector<Segment> rays_;
};

}  // namespace

std::unique_ptr<RayPeer> make_bullet_rays() { return std::make_unique<BulletRays>(); }

}  // namespace sudar_bench
