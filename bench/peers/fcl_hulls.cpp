// What:    FCL on pairs of convex hulls, through the solver that its collide and distance use.
#include "bench/peers/fcl_convex.hpp"
#include "bench/peers/fcl_pose.hpp"
#include "bench/peers/hull_peer.hpp"

#include <fcl/narrowphase/detail/gjk_solver_libccd.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

namespace sudar_bench {

namespace {

using Convex = fcl::Convex<double>;

struct Pair {
  std::uint32_t a, b;
  fcl::Transform3<double> pose_a, pose_b;
};
struct Scene {
  std::deque<Convex> hulls;
  std::vector<Pair> pairs;
};

}  // namespace

PairFill fcl_hull_pairs(std::span<const std::vector<sudar::Vec3d>> hulls, std::span<const HullPairCase> cases,
                        PairQuery query) {
  auto scene = std::make_shared<Scene>();
  for (const std::vector<sudar::Vec3d>& points : hulls) scene->hulls.push_back(fcl_convex(*sudar::quickhull3(points)));
  for (const HullPairCase& c : cases) scene->pairs.push_back({c.a, c.b, fcl_pose(c.pose_a), fcl_pose(c.pose_b)});
  return [scene, query](std::span<double> answers) {
    const fcl::detail::GJKSolver_libccd<double> solver;
    std::vector<fcl::ContactPoint<double>> contacts;
    std::size_t k = 0;
    for (const Pair& pair : scene->pairs) {
      const Convex &a = scene->hulls[pair.a], &b = scene->hulls[pair.b];
      double answer = 0;
      if (query == PairQuery::hit) {
        answer = solver.shapeIntersect(a, pair.pose_a, b, pair.pose_b, nullptr) ? 1 : 0;
      } else if (query == PairQuery::distance) {
        fcl::Vector3<double> p, q;
        solver.shapeDistance(a, pair.pose_a, b, pair.pose_b, &answer, &p, &q);
        answer = std::max(answer, 0.0);
      } else {
        // It throws where its polytope comes out flat: no answer, then
        try {
          contacts.clear();
          solver.shapeIntersect(a, pair.pose_a, b, pair.pose_b, &contacts);
          for (const auto& contact : contacts) answer = std::max(answer, contact.penetration_depth);
        } catch (const std::exception&) {
          answer = 0;
        }
      }
      answers[k++] = answer;
    }
  };
}

}  // namespace sudar_bench
