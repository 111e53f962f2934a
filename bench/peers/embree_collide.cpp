// What:    Embree's rtcCollide as a contestant: boxes as user geometry, built by Morton order, one thread. It reports
//          pairs of leaves, so the boxes of a pair are compared in its callback. In 2D the boxes are flat.
#include "bench/peers/peers.hpp"

#include <embree3/rtcore.h>

#include <memory>

namespace sudar_bench {

namespace {

template <int D>
class Search {
 public:
  explicit Search(bool refit) : refit_(refit) {
    device_ = rtcNewDevice("threads=1,set_affinity=0");
    scene_ = rtcNewScene(device_);
    // Low quality is the builder by Morton codes
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
    geometry_ = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryBuildQuality(geometry_, RTC_BUILD_QUALITY_LOW);
    rtcSetGeometryUserData(geometry_, this);
    rtcSetGeometryBoundsFunction(geometry_, bounds, this);
    rtcAttachGeometry(scene_, geometry_);
  }
  ~Search() {
    rtcReleaseGeometry(geometry_);
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  std::span<const sudar::IdPair> operator()(std::span<const float> rows) {
    rows_ = rows.data();
    const auto count = static_cast<unsigned>(rows.size() / (2 * D));
    if (count != count_) rtcSetGeometryUserPrimitiveCount(geometry_, count);
    rtcSetGeometryBuildQuality(geometry_, refit_ && count == count_ ? RTC_BUILD_QUALITY_REFIT : RTC_BUILD_QUALITY_LOW);
    count_ = count;
    rtcCommitGeometry(geometry_);
    rtcCommitScene(scene_);
    pairs_.clear();
    rtcCollide(scene_, scene_, collide, this);
    return pairs_;
  }

 private:
  static void bounds(const RTCBoundsFunctionArguments* arguments) {
    const float* row = static_cast<const Search*>(arguments->geometryUserPtr)->row(arguments->primID);
    RTCBounds& box = *arguments->bounds_o;
    box.lower_x = row[0];
    box.lower_y = row[1];
    box.lower_z = D == 3 ? row[2] : 0;
    box.upper_x = row[D];
    box.upper_y = row[D + 1];
    box.upper_z = D == 3 ? row[D + 2] : 0;
  }
  static void collide(void* opaque, RTCCollision* collisions, unsigned count) {
    Search& search = *static_cast<Search*>(opaque);
    for (unsigned i = 0; i < count; ++i) {
      const std::uint32_t a = collisions[i].primID0, b = collisions[i].primID1;
      if (a >= b) continue;
      const float *x = search.row(a), *y = search.row(b);
      bool overlap = true;
      for (int k = 0; k < D; ++k) overlap &= x[k] <= y[D + k] && y[k] <= x[D + k];
      if (overlap) search.pairs_.push_back({a, b});
    }
  }
  const float* row(std::uint32_t i) const { return rows_ + std::size_t{i} * 2 * D; }

  bool refit_;
  RTCDevice device_;
  RTCScene scene_;
  RTCGeometry geometry_;
  const float* rows_ = nullptr;
  unsigned count_ = 0;
  std::vector<sudar::IdPair> pairs_;
};

template <int D>
PairSearch make(bool refit) {
  return [search = std::make_shared<Search<D>>(refit)](std::span<const float> rows) { return (*search)(rows); };
}

}  // namespace

std::string embree_version() { return RTC_VERSION_STRING; }

PairSearch embree_pairs(int dim, bool refit) { return dim == 2 ? make<2>(refit) : make<3>(refit); }

}  // namespace sudar_bench
