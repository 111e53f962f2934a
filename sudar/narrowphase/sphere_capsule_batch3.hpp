// What:    Many spheres with many capsules at once: yes or no, or the signed distance, eight or sixteen pairs in the lanes
//          of a vector.
// Source:  sphere_capsule3.hpp.
// Differs: Capsules are kept as their axes in the world, so a pair needs no turning. Pairs that rounding cannot tell from
//          touching, and spheres with their centre near the axis, go to the single query: the answers are its answers
//          (SphereCapsuleBatch3.AnswersAreThoseOfSingleQueries).
// Frame:   World.
// Fails:   build: invalid_argument, non_finite and degenerate with the index, too_large, out_of_memory. Queries never.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/narrowphase/answer.hpp>
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
  // Rotations are brought to unit length
  Result<void> build(std::span<const SphereShape3> spheres, std::span<const Pose3d> sphere_poses,
                     std::span<const CapsuleShape3> capsules, std::span<const Pose3d> capsule_poses) noexcept;

  // hits[k] is 1 when the two of pairs[k] meet, otherwise 0. Indices must be in range. Returns how many pairs were left to
  // the single query.
  std::size_t intersects(std::span<const Pair> pairs, std::span<std::uint8_t> hits) const noexcept;
  // Signed, as DistanceAnswer3's separation
  std::size_t distances(std::span<const Pair> pairs, std::span<double> separations) const noexcept;
  // With points, normal and bounds, in the world; the sphere is A
  std::size_t distances(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept;
  // Sixteen lanes in float. The sign is that of the single query, the value right to `float_error`.
  std::size_t intersects_float(std::span<const Pair> pairs, std::span<std::uint8_t> hits) const noexcept;
  std::size_t distances_float(std::span<const Pair> pairs, std::span<float> separations) const noexcept;
  double float_error() const;
  // The scalar twins of the lanes
  std::size_t distances_scalar(std::span<const Pair> pairs, std::span<double> separations) const noexcept;
  std::size_t distances_float_scalar(std::span<const Pair> pairs, std::span<float> separations) const noexcept;

  // Numbers in a row, as the lanes read them
  template <class T>
  struct Ball {
    T center[3], radius;
  };
  template <class T>
  struct Rod {
    T p[3], along[3], radius, inverse;  // inverse: of the square of the length, zero for a point
  };
  // What a lane leaves behind: the way from the centre to the nearest point of the axis
  struct Way {
    double x, y, z, distance;
  };

 private:
  DistanceAnswer3 single(const Pair& pair) const;

  std::vector<SphereShape3> spheres_;
  std::vector<CapsuleShape3> capsules_;
  std::vector<Pose3d> sphere_poses_, capsule_poses_;
  std::vector<Ball<double>> balls_;
  std::vector<Rod<double>> rods_;
  std::vector<Ball<float>> float_balls_;
  std::vector<Rod<float>> float_rods_;
  double size_ = 0;        // of all coordinates and radii; infinite where squares would leave the range
  double float_size_ = 0;  // the same about the middle of all, for float
};

}  // namespace sudar
