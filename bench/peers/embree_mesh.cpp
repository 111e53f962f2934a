// What:    Embree's rtcCollide between two meshes: triangles as user geometry, one thread. It reports pairs of leaves; the
//          exact test of this library decides on each.
#include "bench/peers/mesh_peer.hpp"
#include <sudar/narrowphase/triangle_triangle.hpp>

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar_bench {

namespace {

class Scene {
 public:
  Scene(RTCDevice device, RTCBuildQuality quality) : scene_(rtcNewScene(device)) {
    rtcSetSceneBuildQuality(scene_, quality);
    geometry_ = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryBuildQuality(geometry_, quality);
    rtcSetGeometryBoundsFunction(geometry_, bounds, this);
    rtcSetGeometryUserData(geometry_, this);
    rtcAttachGeometry(scene_, geometry_);
  }
  ~Scene() {
    rtcReleaseGeometry(geometry_);
    rtcReleaseScene(scene_);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  void build(const sudar::Mesh& mesh) {
    mesh_ = &mesh;
    rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(mesh.triangles.size()));
    rtcCommitGeometry(geometry_);
    rtcCommitScene(scene_);
  }
  RTCScene scene() const { return scene_; }
  const sudar::Mesh& mesh() const { return *mesh_; }

 private:
  static void bounds(const RTCBoundsFunctionArguments* arguments) {
    const auto t = static_cast<const Scene*>(arguments->geometryUserPtr)->mesh_->corners(arguments->primID);
    const sudar::Vec3d lo = min(t.a, min(t.b, t.c)), hi = max(t.a, max(t.b, t.c));
    const auto down = [](double x) {
      return std::nextafter(static_cast<float>(x), -std::numeric_limits<float>::max());
    };
    const auto up = [](double x) { return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::max()); };
    *arguments->bounds_o = {down(lo.x), down(lo.y), down(lo.z), 0, up(hi.x), up(hi.y), up(hi.z), 0};
  }

  RTCScene scene_;
  RTCGeometry geometry_;
  const sudar::Mesh* mesh_ = nullptr;
};

class EmbreeMesh final : public MeshPeer {
 public:
  EmbreeMesh() : device_(rtcNewDevice("threads=1,set_affinity=0")) {}
  ~EmbreeMesh() override {
    a_.reset();
    b_.reset();
    rtcReleaseDevice(device_);
  }
  void build(const sudar::Mesh& mesh) override {
    // Low quality is the builder by Morton codes, its fastest
    Scene scene(device_, RTC_BUILD_QUALITY_LOW);
    scene.build(mesh);
  }
  void place(const sudar::Mesh& a, const sudar::Mesh& b, const sudar::Pose3d& a_from_b) override {
    mesh_a_ = a;
    mesh_b_ = given_b_ = b;
    pose_ = a_from_b;
    moved_ = !(a_from_b == sudar::Pose3d{});
    a_ = std::make_unique<Scene>(device_, RTC_BUILD_QUALITY_HIGH);
    // A tree that is rebuilt for every query is built by its fastest builder
    b_ = std::make_unique<Scene>(device_, moved_ ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_HIGH);
    a_->build(mesh_a_);
    b_->build(mesh_b_);
  }
  std::size_t all_pairs() override {
    hits_ = 0;
    if (moved_) {
      for (std::size_t i = 0; i < given_b_.vertices.size(); ++i)
        mesh_b_.vertices[i] = transform(pose_, given_b_.vertices[i]);
      b_->build(mesh_b_);
    }
    rtcCollide(a_->scene(), b_->scene(), collide, this);
    return hits_;
  }
  bool first_hit() override { return all_pairs() > 0; }
  double distance() override { return -1; }

 private:
  static void collide(void* opaque, RTCCollision* collisions, unsigned count) {
    EmbreeMesh& self = *static_cast<EmbreeMesh*>(opaque);
    for (unsigned i = 0; i < count; ++i)
      self.hits_ +=
          intersects_exact(self.mesh_a_.corners(collisions[i].primID0), self.mesh_b_.corners(collisions[i].primID1));
  }

  RTCDevice device_;
  sudar::Mesh mesh_a_, mesh_b_, given_b_;
  sudar::Pose3d pose_;
  bool moved_ = false;
  std::unique_ptr<Scene> a_, b_;
  std::size_t hits_ = 0;
};

}  // namespace

std::unique_ptr<MeshPeer> make_embree_mesh() { return std::make_unique<EmbreeMesh>(); }

}  // namespace sudar_bench
