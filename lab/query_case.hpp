// What:    A pair from a line of `sudar query`: what was copied as a test case, or picked in a scene, goes under the
//          microscope.
// Fails:   nothing, and one line that says why not: what the reader of the command refuses, the other dimension, shapes that
//          are not convex or not bounded.
#pragma once

#include "lab/query_text.hpp"

#include <optional>
#include <string>

namespace sudar::lab {

struct GivenPair2 {
  Shape2 a, b;
  TurnedPlace2 at_a, at_b;
};
struct GivenPair3 {
  Shape3 a, b;
  Pose3d pose_a, pose_b;
};

std::optional<GivenPair2> read_case2(const std::string& line, std::string& why_not);
std::optional<GivenPair3> read_case3(const std::string& line, std::string& why_not);

}  // namespace sudar::lab
