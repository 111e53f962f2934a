// What:    Embree's rtcIntersect1, one ray after another.
#include "bench/peers/ray_peer.hpp"

#include <embree3/rtcore.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace sudar_bench {

namespace {

class EmbreeRays final : public RayPeer {
 public:
  explicit EmbreeRays(bool robust) : device_(rtcNewDevice("threads=1,set_affinity=0")), robust_(robust) {}
  ~EmbreeRays() override {
    if (scene_ != nullptr) rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  void build(const sudar::Mesh& mesh) override {
    scene_ = rtcNewScene(device_);
    if (robust_) rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertices = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                                 3 * sizeof(float), mesh.vertices.size()));
    for (const sudar::Vec3d& v : mesh.vertices)
      for (int k = 0; k < 3; ++k) *vertices++ = static_cast<float>(v[k]);
    auto* indices = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                                   3 * sizeof(unsigned), mesh.triangles.size()));
    for (const auto& t : mesh.triangles) indices = std::copy(t.begin(), t.end(), indices);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  void load(std::span<const sudar::Ray<3, double>> rays) override {
    rays_.clear();
    for (const auto& r : rays) {
      RTCRayHit x{};
      x.ray.org_x = static_cast<float>(r.origin.x), x.ray.org_y = static_cast<float>(r.origin.y);
      x.ray.org_z = static_cast<float>(r.origin.z);
      x.ray.dir_x = static_cast<float>(r.direction.x), x.ray.dir_y = static_cast<float>(r.direction.y);
      x.ray.dir_z = static_cast<float>(r.direction.z);
      x.ray.tfar = std::numeric_limits<float>::infinity();
      x.ray.mask = 0xffffffffu;
      x.hit.geomID = x.hit.primID = RTC_INVALID_GEOMETRY_ID;
      rays_.push_back(x);
    }
  }
  void cast(std::span<std::uint32_t> triangles) override {
    for (std::size_t i = 0; i < rays_.size(); ++i) {
      RTCRayHit ray = rays_[i];
      RTCIntersectContext context;
      rtcInitIntersectContext(&context);
      rtcIntersect1(scene_, &context, &ray);
      triangles[i] = ray.hit.geomID == RTC_INVALID_GEOMETRY_ID ? sudar::kNoIndex : ray.hit.primID;
    }
  }

 private:
  RTCDevice device_;
  RTCScene scene_ = nullptr;
  bool robust_;
  std::vector<RTCRayHit> rays_;
};

}  // namespace

std::unique_ptr<RayPeer> make_embree_rays(bool robust) { return std::make_unique<EmbreeRays>(robust); }

}  // namespace sudar_bench
