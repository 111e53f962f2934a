// What:    What is to be shown, from a line of `sudar query`: what was copied as a test case, picked in a scene, or written by a
//          campaign goes under the microscope.
// Fails:   nothing, and one line that says why not: what the reader of the command refuses, the other dimension, another
//          operation (and which exhibit shows that), pairs that are not convex, two half-spaces.
#pragma once

#include "lab/query_text.hpp"
#include <sudar/continuous/motion.hpp>
#include <sudar/geom/ray.hpp>

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sudar::lab {

// A line as far as anybody can tell without reading all of it
struct CaseLine {
  std::string text, op;
  int dim = 3;
  std::span<const std::string_view> exhibits;  // that show it, the one to open first; empty: none does

  // "distance in space, gjk3"
  std::string told() const;
};
CaseLine case_line(std::string text);
// Why an exhibit of other lines does not show this one, and what does
std::string shown_elsewhere(const CaseLine& line);

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

// toi
struct GivenMotion2 {
  GivenPair2 pair;
  Motion2 motion_a, motion_b;
  double t_max = 1, tolerance = 0;
  std::string method = "auto";
};
struct GivenMotion3 {
  GivenPair3 pair;
  Motion3 motion_a, motion_b;
  double t_max = 1;
};
std::optional<GivenMotion2> read_motion_case2(const std::string& line, std::string& why_not);
std::optional<GivenMotion3> read_motion_case3(const std::string& line, std::string& why_not);

// ccd_vertex_face, ccd_edge_edge
struct GivenPoints {
  std::array<Vec3d, 4> start, end;
};
// ccd_point_edge
struct GivenPointEdge {
  std::array<Vec2d, 3> start, end;
};
std::optional<GivenPointEdge> read_point_edge_case(const std::string& line, std::string& why_not);
std::optional<GivenPoints> read_points_case(const std::string& line, bool edges, std::string& why_not);

// ray
struct GivenRay2 {
  Shape2 shape;
  TurnedPlace2 at;
  Ray<2, double> ray;
  double max_t = std::numeric_limits<double>::infinity();
};
struct GivenRay3 {
  Shape3 shape;
  Pose3d pose;
  Ray<3, double> ray;
  double max_t = std::numeric_limits<double>::infinity();
};
std::optional<GivenRay2> read_ray_case2(const std::string& line, std::string& why_not);
std::optional<GivenRay3> read_ray_case3(const std::string& line, std::string& why_not);

}  // namespace sudar::lab
