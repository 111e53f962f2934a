// What:    What the exact campaigns of space and plane share: a loop that counts, and shrinks and writes what fails; and what an
//          answer must keep when the exact distance is known.
#pragma once

#include "tests/support/counts.hpp"
#include "tests/support/depth_oracle.hpp"
#include "tests/support/exact_points.hpp"
#include "tests/support/pair_case.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/answer.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace sudar_test {

// complaint(pair, hit) is empty when all is well and says whether the two meet; both happen in an eighth of all cases at least.
// Those that are apart have a distance, the others may have a depth.
struct ExactCounts {
  std::size_t apart = 0, meet = 0;
};
template <class Make, class Complaint>
ExactCounts run_exact_campaign(std::uint64_t seed, std::size_t count, const Make& make, const Complaint& complaint) {
  sudar::Random random(campaign_seed(seed));
  std::size_t hits = 0, asked = 0, found = 0;
  for (; asked < count && found < 5; ++asked) {
    const auto pair = make(random);
    bool hit = false;
    if (!complaint(pair, hit).empty()) {
      const auto again = [&](const auto& other) {
        bool ignored = false;
        return complaint(other, ignored);
      };
      ADD_FAILURE() << "case " << asked << ": " << shrunk_case(pair, again);
      ++found;
    }
    hits += hit;
  }
  EXPECT_EQ(asked, count);
  EXPECT_GT(8 * hits, count);
  EXPECT_GT(8 * (count - hits), count);
  count_cases("exact_yes_no", asked);
  return {asked - hits, hits};
}
// Of campaigns that hold both to the exact ones
inline void count_measured(const ExactCounts& counts) {
  count_cases("exact_distance", counts.apart);
  count_cases("exact_depth", counts.meet);
}

// Distances and witness points are off by roundings of the largest coordinate; kOpenErrors (exact_distance.hpp) are 6e-14 of it, and
// corners that are taken for edges, edges for faces (boxes) leave some more
inline constexpr double kWitnessRounding = 1e-11;

inline sudar::Vec3d in_space(const sudar::Vec2d& p) { return {p.x, p.y, 0}; }
inline sudar::Vec3d in_space(const sudar::Vec3d& p) { return p; }

// `square` is that of the exact distance; scale: no coordinate of A or B in A's frame is larger
template <int D>
std::string distance_complaint(const sudar::DistanceAnswer<D>& x, bool hit, const Rational& square, double scale) {
  if (x.hit != hit) return "the distance decides wrongly";
  if (!std::isfinite(x.separation) || !is_finite(x.normal) || !is_finite(x.point_a) || !is_finite(x.point_b))
    return "the answer is not finite";
  if (x.status == sudar::QueryStatus::max_iterations) return "the search ended at its limit";
  if (!(x.lower <= x.separation && x.separation <= x.upper)) return "the answer is not within its bounds";
  if (hit) return x.separation <= 0 && x.lower <= 0 ? "" : "the separation of what meets is positive";
  if (!(x.separation > 0)) return "the separation of what is apart is not positive";
  if (!is_within(x.lower, square, x.upper)) return "the exact distance is not within the bounds";
  // A gap below the smallest double is said to be that
  const double slack = kWitnessRounding * scale + std::numeric_limits<double>::min();
  if (std::fabs(root_of(square) - x.separation) > slack) return "the distance is far off";
  if (std::fabs(length(x.point_b - x.point_a) - x.separation) > slack)
    return "the witness points are not as far apart as they say";
  return "";
}

// The same of two that meet, whose exact depth is known. Moved by it along the normal, B is out of A, whatever other normals there are.
template <int D>
std::string depth_complaint(const sudar::DistanceAnswer<D>& x, const ExactPoints& points, const Nearest<Whole>& truth,
                            double scale) {
  const Rational square = points.square(truth);
  const double slack = kWitnessRounding * scale, depth = -x.separation;
  if (x.upper > slack || !is_within(-x.upper, square, -x.lower)) return "the exact depth is not within the bounds";
  if (!(std::fabs(root_of(square) - depth) <= slack)) return "the depth is far off";
  if (!(std::fabs(length(x.normal) - 1) <= 1e-9)) return "the normal of a depth is not of unit length";
  const auto along = dot(x.point_b - x.point_a, x.normal);
  if (!(std::fabs(along - x.separation) <= slack)) return "the witness points are not as deep as they say";
  if (!(length(x.point_b - x.point_a) <= depth + slack)) return "the witness points lie beside the way out";
  Nearest<Whole> way;
  const int least = least_exponent(std::vector<sudar::Vec3d>{in_space(x.normal)});
  for (std::size_t i = 0; i < 3; ++i) way.v[i] = whole(in_space(x.normal)[static_cast<int>(i)], least);
  way.level = dot3(way.v, depth_detail::farthest(points.a, points.b, way.v));
  if (!(root_of(points.square(way)) <= depth + slack)) return "the way out along the normal is longer than the depth";
  return "";
}

}  // namespace sudar_test
