// What:    Bullet on pairs of convex hulls: GJK with its EPA for depth.
#include "bench/peers/hull_peer.hpp"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

namespace sudar_bench {

namespace {

btScalar scalar(double x) { return static_cast<btScalar>(x); }
btVector3 vector_of(const sudar::Vec3d& v) { return {scalar(v.x), scalar(v.y), scalar(v.z)}; }
btTransform transform_of(const sudar::Pose3d& p) {
  const sudar::Quatd& q = p.rotation;
  return btTransform(btQuaternion(scalar(q.x), scalar(q.y), scalar(q.z), scalar(q.w)), vector_of(p.position));
}

struct Scene {
  std::deque<btConvexHullShape> shapes;
  std::vector<HullPairCase> cases;
};

}  // namespace

PairFill bullet_hull_pairs(std::span<const std::vector<sudar::Vec3d>> hulls, std::span<const HullPairCase> cases,
                           PairQuery query) {
  auto scene = std::make_shared<Scene>();
  for (const std::vector<sudar::Vec3d>& points : hulls) {
    btConvexHullShape& shape = scene->shapes.emplace_back();
    for (const sudar::Vec3d& p : points) shape.addPoint(vector_of(p), false);
    shape.recalcLocalAabb();
    shape.setMargin(0);
  }
  scene->cases.assign(cases.begin(), cases.end());
  return [scene, query](std::span<double> answers) {
    for (std::size_t k = 0; k < scene->cases.size(); ++k) {
      const HullPairCase& c = scene->cases[k];
      btVoronoiSimplexSolver simplex;
      btGjkEpaPenetrationDepthSolver depth;
      btGjkPairDetector detector(&scene->shapes[c.a], &scene->shapes[c.b], &simplex, &depth);
      btGjkPairDetector::ClosestPointInput input;
      input.m_transformA = transform_of(c.pose_a);
      input.m_transformB = transform_of(c.pose_b);
      btPointCollector out;
      detector.getClosestPoints(input, out, nullptr);
      const double separation = out.m_hasResult ? static_cast<double>(out.m_distance) : 0;
      answers[k] = query == PairQuery::hit        ? (separation <= 0 ? 1 : 0)
                   : query == PairQuery::distance ? std::max(separation, 0.0)
                                                  : std::max(-separation, 0.0);
    }
  };
}

}  // namespace sudar_bench
