// What:    Many spheres with many capsules at once: yes or no, or the signed distance, eight pairs in the lanes of a vector.
// Source:  sphere_capsule3.hpp.
// Differs: Capsules are kept as their axes in the world, so a pair needs no turning. Pairs that rounding cannot tell from
//          touching, and spheres with their centre near the axis, go to the single query: the answers are its answers
//          (SphereCapsuleBatch3.AnswersAreThoseOfSingleQueries).
// Frame:   World.
// Fails:   build: invalid_argument, non_finite and degenerate with the index, too_large, out_of_memory. Queries never.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/shapes/shape3.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

class SUDAR_API SphereCapsuleBatch3 {
 public:
  struct Pair {
    std::uint32_t sphere, capsule;
  };
  Result<void> build(std::span<const SphereShape3> spheres, std::span<const Pose3d> sphere_poses,
                     std::span<const CapsuleShape3> capsules, std::span<const Pose3d> capsule_poses) noexcept;

  // hits[k] is 1 when the two of pairs[k] meet, otherwise 0. Indices must be in range. Returns how many pairs were left to
  // the single query.
  std::size_t intersects(std::span<const Pair> pairs, std::span<std::uint8_t> hits) const noexcept;
  // Signed, as DistanceAnswer3's separation
  std::size_t distances(std::span<const Pair> pairs, std::span<double> separations) const noexcept;
  // The scalar twin of the lanes
  std::size_t distances_scalar(std::span<const Pair> pairs, std::span<double> separations) const noexcept;

  // Numbers in a row, as the lanes read them; `size` bounds the coordinates
  struct Ball {
    double center[3], radius;
  };
  struct Rod {
    double p[3], along[3], radius, inverse;  // inverse: of the square of the length, zero for a point
  };

 private:
  double single(const Pair& pair) const;

  std::vector<SphereShape3> spheres_;
  std::vector<CapsuleShape3> capsules_;
  std::vector<Pose3d> sphere_poses_, capsule_poses_;
  std::vector<Ball> balls_;
  std::vector<Rod> rods_;
  double size_ = 0;  // of all coordinates and radii
};

}  // namespace sudar
