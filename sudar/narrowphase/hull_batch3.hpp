// What:    Many pairs of convex hulls at once: yes or no, and the signed distance with its certificate, eight or sixteen
//          pairs in the lanes of a vector.
// Source:  gjk3.hpp. The closest point of a simplex by the products of its edges: Gilbert, Johnson, Keerthi, 1988.
// Differs: The lanes run GJK in float (or in double) without proofs, each on a pair of its own and taking the next when it
//          is done; all cases of the simplex are computed and the best is picked, so lanes never wait for a branch. What
//          they find (a direction, or the vertices of a simplex) is proven: most decisions by the lanes themselves, with
//          the bound of their rounding, the others in double by a plane, by a tetrahedron, or by convex_distance3
//          started from there. What cannot be proven goes to the single query, so answers are those of
//          single queries, to the bit for yes/no and within the bounds for distances (HullBatch3.…).
// Frame:   Answers in the frame of A, as in answer.hpp.
// Fails:   build: invalid_argument, non_finite, degenerate (a turn of zero length) or too_large with the index, out_of_memory.
//          Queries never.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/convex_view3.hpp>
#include <sudar/shapes/shape3.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

class SUDAR_API HullBatch3 {
 public:
  struct Pair {
    std::uint32_t a, b;
  };
  // Hulls without a radius, one pose each; rotations are brought to unit length. The shapes' hulls are shared, not copied.
  Result<void> build(std::span<const Shape3> hulls, std::span<const Pose3d> poses) noexcept;
  std::size_t size() const { return shapes_.size(); }

  // hits[k] is 1 when the two of pairs[k] meet, otherwise 0. Indices must be below size(). Returns how many pairs were left
  // to the single query. Lanes in float, or in double.
  std::size_t intersects(std::span<const Pair> pairs, std::span<std::uint8_t> hits) const noexcept;
  std::size_t intersects_double(std::span<const Pair> pairs, std::span<std::uint8_t> hits) const noexcept;
  // Distances, and depths of those that meet
  void distances(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept;
  void distances_double(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept;
  // One of the two alone, as convex_gap3 and convex_depth3 answer. Depths are single queries one after the other: the faces
  // of the difference (face_depth3.hpp) decide and measure in one go, and lanes would find nothing that helps them.
  void gaps(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept;
  void gaps_double(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept;
  void depths(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept;
  void depths_double(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept;
  // The scalar twins: single queries
  void intersects_scalar(std::span<const Pair> pairs, std::span<std::uint8_t> hits) const noexcept;
  void distances_scalar(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept;
  void gaps_scalar(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept;
  void depths_scalar(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept;

 private:
  template <class Finish>
  void run(std::span<const Pair> pairs, bool in_float, bool decide, const Finish& finish) const;
  std::size_t decide_all(std::span<const Pair> pairs, std::span<std::uint8_t> hits, bool in_float) const;
  template <class Single>
  void measure_all(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers, bool in_float,
                   const Single& single) const;
  template <class Single>
  void measure_each(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers, const Single& single) const;

  std::vector<Shape3> shapes_;      // own the hulls
  std::vector<ConvexView3> views_;  // see them
  std::vector<Pose3d> poses_;
};

}  // namespace sudar
