// What:    Many boxes and many pairs of them at once: yes or no for each pair, or the depth, eight or sixteen pairs in the
//          lanes of a vector.
// Source:  separating axes, see box_axes3.hpp.
// Differs: A filter in float (or in double, for comparison) over records of one cache line, with an error bound that
//          covers the rounding of the records themselves; pairs it cannot tell go to box_box_intersects3 in double, one
//          by one, so the answers are those of the single query, never others (BoxBatch3.AnswersAreThoseOfSingleQueries).
//          Boxes that are turned alike have parallel edges; their axes are left out where the rest is clear.
// Frame:   World; records are relative to the middle of all boxes.
// Fails:   build: out_of_memory, non_finite and degenerate with the index of the box; then the batch is as before. The query
//          never fails.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/narrowphase/box_box3.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

struct BoxPair {
  std::uint32_t a, b;
};

// Half sides, centre, axes: fifteen numbers and one to fill the line
template <class T>
struct alignas(16 * sizeof(T)) BoxRecord3 {
  T half[3], center[3], axes[3][3], size;
};

class SUDAR_API BoxBatch3 {
 public:
  // Rotations are brought to unit length
  Result<void> build(std::span<const Vec3d> halves, std::span<const Pose3d> poses) noexcept;
  std::size_t size() const { return halves_.size(); }

  // hits[k] is 1 when the boxes of pairs[k] meet, otherwise 0. Returns how many pairs the filter left to exact
  // arithmetic. Indices must be below size().
  std::size_t intersects(std::span<const BoxPair> pairs, std::span<std::uint8_t> hits) const noexcept;
  // The filter in double
  std::size_t intersects_double(std::span<const BoxPair> pairs, std::span<std::uint8_t> hits) const noexcept;
  // Depth and normal (in A's frame) of each pair, eight at a time in double; pairs with nearly parallel edges go to
  // box_box_depth3, and their number comes back
  std::size_t depths(std::span<const BoxPair> pairs, std::span<BoxDepth3> out) const noexcept;
  // The depth alone, sixteen at a time in float; 0 where they are apart. Off by a few roundings of the coordinates from the middle
  // of all boxes, times 1 / kBoxThin at most.
  std::size_t depths_float(std::span<const BoxPair> pairs, std::span<float> out) const noexcept;
  // Signed distance with points, normal and bounds (in A's frame), the axes eight pairs at a time in double. Pairs with
  // nearly parallel edges or small gaps go to box_box_distance3, and their number comes back.
  std::size_t distances(std::span<const BoxPair> pairs, std::span<DistanceAnswer3> out) const noexcept;
  // The scalar twin of the filter in float, and box_box_intersects3 pair by pair
  std::size_t intersects_scalar(std::span<const BoxPair> pairs, std::span<std::uint8_t> hits) const noexcept;
  void intersects_plain(std::span<const BoxPair> pairs, std::span<std::uint8_t> hits) const noexcept;

 private:
  bool decide(const BoxPair& pair) const;
  DistanceAnswer3 single_distance(const BoxPair& pair) const;
  BoxDepth3 single_depth(const BoxPair& pair) const;

  std::vector<Vec3d> halves_;
  std::vector<Pose3d> poses_;
  std::vector<BoxRecord3<float>> floats_;
  std::vector<BoxRecord3<double>> doubles_;
};

}  // namespace sudar
