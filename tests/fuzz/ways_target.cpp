// A robot of any shape among obstacles, and its ways, with any numbers: the search ends, a way begins and ends where it was asked to
// and every leg of it is free. In space; after a byte of 255, in the plane.
#include "tests/fuzz/body_bytes.hpp"
#include <sudar/math/pose_check.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/queries/free_space2.hpp>
#include <sudar/queries/sampled_path3.hpp>
#include <sudar/queries/shortest_path2.hpp>

#include <cmath>
#include <vector>

namespace sudar_fuzz {

namespace {

using sudar::Aabb3d, sudar::ConvexPart2, sudar::PathOptions3, sudar::PlacedShape3, sudar::Pose3d, sudar::Quatd,
    sudar::Shape2, sudar::Shape3;
using sudar::Vec2d, sudar::Vec3d;

std::vector<ConvexPart2> parts_of(Bytes& bytes) {
  const Shape2 shape = flat_body_of(bytes);
  const auto parts = convex_parts2(shape, any_place<2>(bytes));
  return parts ? *parts : std::vector<ConvexPart2>{some_points<2>(bytes, 1, 4)};
}

void ways_in_the_plane(Bytes bytes) {
  const std::vector<ConvexPart2> robot = parts_of(bytes);
  std::vector<ConvexPart2> obstacles;
  for (std::uint32_t count = bytes.below(4); count > 0; --count)
    for (ConvexPart2& part : parts_of(bytes)) obstacles.push_back(std::move(part));
  std::vector<Vec2d> container;
  if (bytes.coin()) container = {{-8, -8}, {8, -8}, {8, 8}, {-8, 8}};
  const auto space = make_free_space2(robot, obstacles, container);
  if (!space) return;
  const Vec2d start = bytes.any_vector<2>(), goal = bytes.any_vector<2>();
  const bool both = space->is_free(start) && space->is_free(goal);
  promise(is_finite(start) || !space->is_free(start), "what is no place is not free");
  if (sees(*space, start, goal)) promise(is_finite(start) && is_finite(goal), "what is no place sees nothing");
  const auto way = shortest_path2(*space, start, goal);
  if (!way || !way->found) return;
  promise(both && way->points.front() == start && way->points.back() == goal, "a way goes from the start to the goal");
  promise(std::isfinite(way->length), "a way has a length");
  for (std::size_t i = 0; i + 1 < way->points.size(); ++i)
    promise(sees(*space, way->points[i], way->points[i + 1]), "the places of a way see each other");
}

// Legs are proven free in steps of the clearance: millions of these are allowed, and take a minute under the sanitizers
// (`SampledPath3.LongWaysEnd`)
bool has_many_checks(const PathOptions3& options, const Vec3d& start, const Vec3d& goal) {
  const double way = std::max({max_abs(options.bounds.lo), max_abs(options.bounds.hi), max_abs(start), max_abs(goal)});
  return (options.clearance > 0 && way > 1024 * options.clearance) || (options.step > 0 && way > 64 * options.step);
}

void ways_in_space(Bytes bytes) {
  const Shape3 robot = body_of(bytes);
  const Quatd rotation = any_place<3>(bytes).rotation;
  std::vector<PlacedShape3> obstacles;
  for (std::uint32_t count = bytes.below(4); count > 0; --count) {
    const Shape3 shape = body_of(bytes);
    obstacles.push_back({shape, any_place<3>(bytes)});
  }
  PathOptions3 options;
  options.bounds =
      bytes.coin() ? Aabb3d{{-8, -8, -8}, {8, 8, 8}} : Aabb3d{bytes.any_vector<3>(), bytes.any_vector<3>()};
  options.clearance = bytes.coin() ? 0.125 : bytes.any_number();
  options.step = bytes.coin() ? 1 : bytes.any_number();
  options.max_iterations = static_cast<int>(bytes.below(12));
  options.shortcuts = static_cast<int>(bytes.below(4));
  options.seed = bytes.byte();
  const Vec3d start = bytes.any_vector<3>(), goal = bytes.any_vector<3>();
  if (has_many_checks(options, start, goal)) return;
  const auto way = find_path3(robot, rotation, obstacles, start, goal, options);
  if (!way || !way->found) return;
  promise(way->points.front() == start && way->points.back() == goal, "a way goes from the start to the goal");
  promise(std::isfinite(way->length), "a way has a length");
  // What it said yes to has poses
  const auto turned = checked_pose<3>(Pose3d{{}, rotation}, sudar::Error::kNoElement);
  for (const PlacedShape3& obstacle : obstacles) {
    const auto stands = checked_pose<3>(obstacle.pose, sudar::Error::kNoElement);
    promise(turned.ok() && stands.ok(), "a way is found among poses only");
    for (const Vec3d& place : way->points)
      promise(!intersects(obstacle.shape, *stands, robot, Pose3d{place, turned->rotation}), "a place of a way is free");
  }
}

}  // namespace

void fuzz_ways(FuzzBytes all) {
  if (!all.empty() && all[0] == kInThePlane) return ways_in_the_plane(Bytes(all.subspan(1)));
  ways_in_space(Bytes(all));
}

}  // namespace sudar_fuzz
