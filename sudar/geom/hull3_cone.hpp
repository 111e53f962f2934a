// What:    Which face of a cone is each of many points in front of? The inner loop of quickhull3. Internal to the room.
// Differs: All planes of a cone at once by SIMD, one point after the other, without a branch per point; the scalar twin
//          gives the same bits.
#pragma once

#include <sudar/geom/hull3_build.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {
namespace hull3_detail {

// Planes as columns, padded to whole vectors with planes that everything is far behind
class HullCone {
 public:
  static constexpr std::size_t kPad = 8;

  void resize(std::size_t count) {
    count_ = count;
    stride_ = (count + kPad - 1) / kPad * kPad;
    columns_.assign(5 * stride_, 0.0);
    for (std::size_t k = count; k < stride_; ++k) columns_[3 * stride_ + k] = 1;
  }
  void set(std::size_t k, const Vec3d& normal, double offset, double bound) {
    columns_[k] = normal.x;
    columns_[stride_ + k] = normal.y;
    columns_[2 * stride_ + k] = normal.z;
    columns_[3 * stride_ + k] = offset;
    columns_[4 * stride_ + k] = bound;
  }
  std::size_t size() const { return count_; }
  std::size_t stride() const { return stride_; }
  // Normals x, y, z, offsets, error bounds; each `stride` long
  const double* columns() const { return columns_.data(); }

 private:
  std::size_t count_ = 0, stride_ = 0;
  std::vector<double> columns_;
};

// A point that is, or may be, in front of the cone
struct InFront {
  static constexpr std::uint32_t kUnsure = 0xfffffffeu;

  std::uint32_t id;
  std::uint32_t place;  // the first plane whose height is above its bound; kUnsure: none, but some is within its bound
  double height;        // over that plane
};

// Those of `ids` that are not surely behind all planes, in order; returns their number. `out` has room for all.
SUDAR_API std::size_t find_in_front(const HullCone& cone, const Vec3d* positions, std::span<const std::uint32_t> ids,
                                    InFront* out) noexcept;
SUDAR_API std::size_t find_in_front_scalar(const HullCone& cone, const Vec3d* positions,
                                           std::span<const std::uint32_t> ids, InFront* out) noexcept;

}  // namespace hull3_detail
}  // namespace sudar
