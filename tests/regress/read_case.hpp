// What:    Lines of `sudar query` as the cases that campaigns write, and the promises that a line must keep: those of the
//          campaign that would have written it.
// Fails:   what is no line that promises are known of is said to be so; that counts as broken.
#pragma once

#include "tests/continuous/exact_motion.hpp"
#include "tests/continuous/impact_promise.hpp"
#include "tests/continuous/motion_promise.hpp"
#include "tests/queries/ray_promise.hpp"

#include <string>
#include <variant>
#include <vector>

namespace sudar_test {

template <int D>
struct PlacedPair {
  ShapeCase<D> a, b;
  std::optional<bool> expected{};  // whether they meet, where that is known
};
using AnyCase = std::variant<std::string,  // what is wrong with the line
                             PlacedPair<2>, PlacedPair<3>, MotionCase<2>, MotionCase<3>, RayCase<2>, RayCase<3>,
                             ImpactCase, PointEdgeCase>;

AnyCase read_case_line(const std::string& line);

// Empty when all promises hold
std::string broken_promise_of_line(const std::string& line);

// The lines of a file that are not blank
std::vector<std::string> lines_of_file(const std::string& path);

}  // namespace sudar_test
