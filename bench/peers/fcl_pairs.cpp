// What:    FCL on pairs of boxes and on spheres with capsules, through the solver that its collide and distance use.
#include "bench/peers/fcl_pose.hpp"
#include "bench/peers/pair_peer.hpp"

#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace sudar_bench {

namespace {

template <class A, class B>
struct Pair {
  A a;
  B b;
  fcl::Transform3<double> pose_a, pose_b;
};

template <class A, class B>
PairFill fill(std::shared_ptr<std::vector<Pair<A, B>>> pairs, PairQuery query) {
  return [pairs = std::move(pairs), query](std::span<double> answers) {
    const fcl::detail::GJKSolver_libccd<double> solver;
    std::vector<fcl::ContactPoint<double>> contacts;
    std::size_t k = 0;
    for (const auto& pair : *pairs) {
      double answer = 0;
      if (query == PairQuery::hit) {
        answer = solver.shapeIntersect(pair.a, pair.pose_a, pair.b, pair.pose_b, nullptr) ? 1 : 0;
      } else if (query == PairQuery::distance) {
        fcl::Vector3<double> p, q;
        solver.shapeDistance(pair.a, pair.pose_a, pair.b, pair.pose_b, &answer, &p, &q);
        answer = std::max(answer, 0.0);
      } else {
        contacts.clear();
        solver.shapeIntersect(pair.a, pair.pose_a, pair.b, pair.pose_b, &contacts);
        for (const auto& contact : contacts) answer = std::max(answer, contact.penetration_depth);
      }
      answers[k++] = answer;
    }
  };
}

}  // namespace

std::string fcl_pairs_version() { return FCL_VERSION; }

PairFill fcl_box_pairs(std::span<const BoxPairCase> cases, PairQuery query) {
  using Box = fcl::Box<double>;
  auto pairs = std::make_shared<std::vector<Pair<Box, Box>>>();
  for (const BoxPairCase& c : cases)
    pairs->push_back({Box(2 * c.half_a.x, 2 * c.half_a.y, 2 * c.half_a.z),
                      Box(2 * c.half_b.x, 2 * c.half_b.y, 2 * c.half_b.z), fcl_pose(c.a), fcl_pose(c.b)});
  return fill(std::move(pairs), query);
}
PairFill fcl_rod_pairs(std::span<const RodPairCase> cases, PairQuery query) {
  using Ball = fcl::Sphere<double>;
  using Rod = fcl::Capsule<double>;
  auto pairs = std::make_shared<std::vector<Pair<Ball, Rod>>>();
  for (const RodPairCase& c : cases)
    pairs->push_back({Ball(c.sphere), Rod(c.radius, 2 * c.half_length), fcl_pose(c.a), fcl_pose(c.b)});
  return fill(std::move(pairs), query);
}

}  // namespace sudar_bench
